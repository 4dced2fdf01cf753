package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var updateCookbook = flag.Bool("update-cookbook", false, "write what the commands print into the pages of doc/cookbook")

// cookbookFiles are the files that the pages use, by their names there.
var cookbookFiles = map[string]string{"model.h5": "model.h5", "four.nc": "t2m.nc", "run.mat": "run.mat", "grow.h5": "log.h5"}

// Every command in the pages of the cookbook prints the output on the page, to standard output and standard error.
func TestCookbook(t *testing.T) {
	checkPage(t, "../../doc/cookbook/hdf5.md", "testdata/containers", cookbookFiles, 25)
}

// So does every command in doc/compute.md.
func TestComputeDoc(t *testing.T) {
	checkPage(t, "../../doc/compute.md", "testdata/compute", map[string]string{"wind.csv": "wind.csv", "matrix.csv": "matrix.csv", "gusts.csv": "gusts.csv"}, 15)
}

// checkPage runs the commands of a page with some files of a folder, under the names that the page uses.
func checkPage(t *testing.T, page, folder string, names map[string]string, least int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the messages have the separators of Unix")
	}
	page, err := filepath.Abs(page)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for file, name := range names {
		data, err := os.ReadFile(filepath.Join(files, file))
		if err == nil {
			err = os.WriteFile(name, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, commands := runPage(string(want))
	if commands < least {
		t.Errorf("only %d commands found", commands)
	}
	if *updateCookbook {
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(wantLines), len(gotLines)) {
		if wantLines[i] != gotLines[i] {
			t.Fatalf("%s:%d:\n%s\nprinted:\n%s", filepath.Base(page), i+1, wantLines[i], gotLines[i])
		}
	}
	if len(wantLines) != len(gotLines) {
		t.Errorf("the page has %d lines, want %d", len(wantLines), len(gotLines))
	}
}

// runPage runs the commands of a page. It returns the page with their output.
func runPage(page string) (printed string, commands int) {
	var out bytes.Buffer
	within := false
	for line := range strings.Lines(page) {
		command, isCommand := strings.CutPrefix(line, "$ npy ")
		switch {
		case strings.HasPrefix(line, "```"):
			within = strings.HasPrefix(line, "```console")
			out.WriteString(line)
		case !within:
			out.WriteString(line)
		case isCommand:
			commands++
			out.WriteString(line)
			run(shellWords(command), strings.NewReader(""), &out, &out)
		}
	}
	return out.String(), commands
}
