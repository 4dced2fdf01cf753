//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/internal/oracle"
)

// ownCodes match the codes that the command itself sends to a terminal: colours, and lines of progress. The terminal adds
// \r to the ends of lines.
var ownCodes = regexp.MustCompile("\x1b\\[[0-9;]*m|\r\x1b\\[K|\r\n")

// terminalRuns are the trials on a terminal, with every format and ending, and completions. IN, STRINGS, ARCHIVE and OUT are as in
// other hostile trials.
func terminalRuns() (runs []string) {
	formats := append(newApp(nil, nil, nil).formatNames(), "npy", "raw")
	for _, line := range allTrials("terminal") {
		word, values := "", []string{""}
		switch {
		case strings.Contains(line, "FORMAT"):
			word, values = "FORMAT", formats
		case strings.Contains(line, "ENDING"):
			word, values = "ENDING", terminalEndings()
		}
		for _, value := range values {
			runs = append(runs, strings.Replace(line, word, value, 1))
		}
	}
	return append(runs, "__complete show IN:", "__line bash 63 IN: npy\u00a0show\u00a0IN:", "__line fish 0 IN: npy\u00a0show\u00a0IN:")
}

// terminalEndings are the endings of files of text and pictures, also compressed.
func terminalEndings() []string { return append(convert.Endings(), ".csv.gz", ".json.xz") }

// No subcommand sends a character to a terminal that the terminal obeys or hides, in formats for programs either. A format
// that is not text is refused. NPY_HOSTILE=all tries all runs (make hostile); else it tries a few random ones.
func TestHostileTerminal(t *testing.T) {
	files := hostileFiles(t)
	npy, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "npy")
	if err := os.Symlink(npy, bin); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, ending := range append(terminalEndings(), ".npy", ".h5") {
		if err := os.Symlink("/dev/stdout", filepath.Join(dir, "tty"+ending)); err != nil {
			t.Fatal(err)
		}
	}
	const mark = "== the next run =="
	all, r := os.Getenv("NPY_HOSTILE") == "all", oracle.Rand(t)
	ran := 0
	escaped := 0
	for _, name := range []string{"strings.npy", "records.npy", "bytes.npy", "objects.npy", "archive.npz", "names.h5", "table.csv"} {
		// One terminal runs all lines one after the other: a program for each would take longer.
		var script strings.Builder
		runs := terminalRuns()
		if !all {
			r.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
			runs = runs[:len(runs)/8]
		}
		ran += len(runs)
		for i, run := range runs {
			places := strings.NewReplacer("IN", name, "STRINGS", "strings.npy", "ARCHIVE", "archive.npz", "OUT", fmt.Sprintf("out%d", i), "TTY", "tty")
			var words []string
			for word := range strings.SplitSeq(run, " ") {
				words = append(words, "'"+strings.ReplaceAll(places.Replace(word), "\u00a0", " ")+"'")
			}
			fmt.Fprintf(&script, "echo '%s'; npy %s </dev/null\n", mark, strings.Join(words, " "))
		}
		cmd := exec.Command("sh", "-c", script.String())
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"), "TERM=xterm", "PAGER=cat", "LC_ALL=C.UTF-8")
		screens := strings.Split(startPTY(t, cmd).output(), mark+"\r\n")
		if len(screens) != 1+len(runs) {
			t.Fatalf("%s: %d texts of %d runs; the last is %.300q", name, len(screens)-1, len(runs), screens[len(screens)-1])
		}
		for i, run := range runs {
			text := screens[1+i]
			shown := ownCodes.ReplaceAllString(strings.ReplaceAll(text, "\t", " "), "\n")
			if found := leak(shown); found != "" {
				t.Errorf("npy %s, %s: the terminal gets %s", run, name, found)
			}
			if strings.Contains(text, "u202e") {
				escaped++
			}
		}
	}
	if escaped < ran/20 {
		t.Errorf("hostile text was escaped in %d of %d runs only", escaped, ran)
	}
	t.Logf("%d runs, hostile text escaped in %d", ran, escaped)
}
