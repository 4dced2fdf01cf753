package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
)

// Every subcommand that writes cells of text to a file has --escape-formulas, which escapes each.
func TestFormulasOfEverySubcommand(t *testing.T) {
	formulas := []string{"=1+1", "@x", "-2+3"}
	t.Chdir(t.TempDir())
	a, _, err := convert.Read(context.Background(), strings.NewReader("=name\n"+strings.Join(formulas, "\n")), convert.CSV, convert.ReadOptions{Header: convert.HeaderYes})
	if err != nil {
		t.Fatal(err)
	}
	wrote := map[string]int{}
	for _, c := range newApp(nil, nil, nil).root(nil).Commands() {
		if c.Name() == "view" { // serves until it is stopped
			continue
		}
		for _, args := range [][]string{{}, {"row < 9"}, {"a"}, {"-n", "3"}, {"--by", "=name"}, {"<U9"}, {"3"}, {"--rows", "3"}, {"--on", "`=name`", "in.npy"}} {
			for _, out := range []string{"out.csv", "out.tsv", "out-%d.csv"} {
				line := slices.Concat([]string{c.Name()}, args, []string{"in.npy", out})
				if text, _ := filesOf(t, a, line); !strings.Contains(text, formulas[0]) {
					continue
				}
				wrote[c.Name()]++
				text, code := filesOf(t, a, append(line, "--escape-formulas"))
				for _, f := range append(formulas, "=name") {
					if code != exitDone || !strings.Contains(text, "'"+f) || strings.Contains("\n"+text, "\n"+f) {
						t.Errorf("npy %s --escape-formulas: exit code %d, %q", strings.Join(line, " "), code, text)
					}
				}
			}
		}
	}
	for _, c := range newRoot(io.Discard).Commands() {
		if c.Flags().Lookup("escape-formulas") != nil && wrote[c.Name()] == 0 {
			t.Errorf("npy %s has --escape-formulas and writes no text: is it called rightly?", c.Name())
		}
	}
	t.Logf("files of text: %v", wrote)
}

// filesOf runs the command over in.npy, which has the array a, and returns the files that it writes, and its exit code.
func filesOf(t *testing.T, a *npy.Array, line []string) (text string, code int) {
	t.Helper()
	old, err := filepath.Glob("out*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := npy.WriteFile("in.npy", a); err != nil { // mv and rm took the last one
		t.Fatal(err)
	}
	code = run(line, strings.NewReader(""), io.Discard, io.Discard)
	files, err := filepath.Glob("out*")
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err == nil {
			all.Write(data)
		}
	}
	return all.String(), code
}

// A file without cells has no formulas to escape.
func TestFormulasNeedCells(t *testing.T) {
	t.Chdir(t.TempDir())
	a, err := npy.FromSlice([]int8{1, 2})
	if err == nil {
		err = npy.WriteFile("in.npy", a)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"convert in.npy out.json", "convert in.npy out.npz", "sort in.npy out.txt", "sort in.npy", "unique in.npy out.npy", "sample -n 1 in.npy - --to md"} {
		var talk bytes.Buffer
		code := run(append(strings.Fields(line), "--escape-formulas"), nil, io.Discard, &talk)
		if want := "--escape-formulas needs .csv or .tsv as OUT"; code != exitUsage || !strings.Contains(talk.String(), want) {
			t.Errorf("npy %s: exit code %d, %q, want %q", line, code, talk.String(), want)
		}
	}
}
