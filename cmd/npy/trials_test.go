package main

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Each subcommand has a file of trials. Its sections have lines of arguments that tests run, in which words in capitals stand for
// files and texts. A section without lines has a comment that says why there is nothing to run.
//
//go:embed testdata/trials
var trialFiles embed.FS

// trialKinds are the sections of a file of trials.
var trialKinds = []trialKind{
	// Runs with text in files and arguments that a terminal would obey. IN is a file, OTHER the same file in another folder, STRINGS
	// an array, ARCHIVE an archive, OUT a new name, and TEXT hostile text. Nothing of it is printed as it is (hostile_test.go).
	{"hostile", false},
	// The same, for runs that write data for programs to standard output.
	{"hostile data", true},
	// Runs on a terminal. FORMAT is each format of --to, TTYENDING a link to the terminal with each ending (hostile_terminal_test.go).
	{"terminal", false},
	// Runs that read all of M, a member with a wrong checksum, or of A, its archive. B and C are arrays of its shape. Each fails
	// and writes nothing (checksum_test.go).
	{"checksums", false},
	// The same for an array of Python objects.
	{"checksums of objects", true},
	// Runs that end when their context does, and leave no file. IN and OTHER are large arrays, RECORDS
	// large records, and - an endless stream (cancel_test.go).
	{"cancelled", false},
	// Runs as processes that a signal ends, which leave the old out.* (interrupt_unix_test.go).
	{"interrupted", true},
	// Runs whose time and memory are in proportion to IN. SAME is its copy, OTHER a copy with one bit changed, COPY a copy that is
	// changed in place, BESIDE a new file in its folder, and OUT the output. One of several small inputs makes the run succeed,
	// except after "!" (bounds_uses_test.go).
	{"bounds", false},
	// Runs that write OUT from IN of one dimension, GRID and OTHER of two, ROWS of a table and ARCHIVE, wherever OUT leads. Subcommands
	// with OUT need them (written_unix_test.go).
	{"written", true},
}

// A trialKind is a section. A subcommand needs no word about one that is optional.
type trialKind struct {
	name     string
	optional bool
}

// sections returns the sections of all files of trials by the name of the subcommand.
var sections = sync.OnceValue(func() map[string]map[string]string {
	files, err := trialFiles.ReadDir("testdata/trials")
	if err != nil {
		panic(err)
	}
	all := map[string]map[string]string{}
	for _, f := range files {
		data, err := trialFiles.ReadFile(path.Join("testdata/trials", f.Name()))
		if err != nil {
			panic(err)
		}
		of := map[string]string{}
		for _, section := range txtar.Parse(data).Files {
			of[section.Name] = string(section.Data)
		}
		all[strings.TrimSuffix(f.Name(), ".txtar")] = of
	}
	return all
})

// trials returns the lines of a kind for a subcommand.
func (s *subcommand) trials(kind string) (lines []string) {
	for line := range strings.Lines(sections()[s.name()][kind]) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// allTrials returns the lines of a kind for all subcommands, in the order of help.
func allTrials(kind string) (lines []string) {
	for _, s := range subcommands {
		lines = append(lines, s.trials(kind)...)
	}
	return lines
}

// Every subcommand has trials of each kind, or says why not.
func TestTrialsAreWhole(t *testing.T) {
	for name := range sections() {
		if findSubcommand(name) == nil {
			t.Errorf("testdata/trials/%s.txtar is of no subcommand", name)
		}
	}
	for _, s := range subcommands {
		of := sections()[s.name()]
		if of == nil {
			t.Errorf("npy %s has no testdata/trials/%s.txtar", s.name(), s.name())
			continue
		}
		for _, kind := range trialKinds {
			if text := strings.TrimSpace(of[kind.name]); !kind.optional && len(strings.TrimPrefix(text, "#")) == 0 {
				t.Errorf("npy %s: testdata/trials/%s.txtar has neither a run in section %q nor a comment that says why", s.name(), s.name(), kind.name)
			}
			for _, line := range s.trials(kind.name) {
				if strings.Fields(strings.TrimPrefix(line, "! "))[0] != s.name() {
					t.Errorf("testdata/trials/%s.txtar: %q does not run npy %s", s.name(), line, s.name())
				}
			}
		}
		for kind := range of {
			if !slices.ContainsFunc(trialKinds, func(k trialKind) bool { return k.name == kind }) {
				t.Errorf("testdata/trials/%s.txtar: no test runs section %q", s.name(), kind)
			}
		}
	}
}
