package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateDoc = flag.Bool("update-doc", false, "write the table of subcommands into doc/command.md")

// A declaration agrees with the flags and the arguments of its subcommand.
func TestDeclarations(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range subcommands {
		name := s.name()
		if seen[name] {
			t.Errorf("npy %s is declared twice", name)
		}
		seen[name] = true
		if s.group != "" && !slices.Contains(groups, s.group) {
			t.Errorf("npy %s: help has no group %q", name, s.group)
		}
		if made := s.make(newApp(nil, nil, nil)); made.Use+made.Short != "" || made.Hidden {
			t.Errorf("npy %s: its use, its line in help and whether it is hidden belong into its declaration", name)
		}
		flags := s.command(newApp(nil, nil, nil)).Flags()
		has := func(flag string) bool { return flags.Lookup(flag) != nil }
		if has("json") != (s.json != nil) {
			t.Errorf("npy %s: flag --json is %v, and the declaration has %d objects that it prints", name, has("json"), len(s.json))
		}
		if has("thousands") && s.reads&text == 0 {
			t.Errorf("npy %s has flags of tables, and does not declare that it reads text", name)
		}
		if (s.from == nowhere) != (s.reads == 0) && s != &uploadsSubcommand { // which takes prefixes of URLs
			t.Errorf("npy %s declares what it reads, or from where, but not both", name)
		}
		if writes := strings.Contains(s.use, "OUT") || has("output") || has("force") || s.inPlace; writes && s.to == nowhere {
			t.Errorf("npy %s writes files, and does not declare to where", name)
		}
	}
}

// Each subcommand is in a script.
func TestScriptsAreWhole(t *testing.T) {
	paths, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	var all []string // the words of the lines
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if _, args, ok := strings.Cut(line, "npy "); ok {
				all = append(all, strings.Fields(args + " .")[0])
			}
		}
	}
	for _, s := range subcommands {
		if !slices.Contains(all, s.name()) {
			t.Errorf("no script in testdata/script runs npy %s", s.name())
		}
	}
}

// doc/command.md has a table of all subcommands, which is made of their declarations, and an example of each.
func TestCommandDoc(t *testing.T) {
	const path, begin, end = "../../doc/command.md", "<!-- the table of subcommands, by go test ./cmd/npy -run CommandDoc -update-doc -->\n", "<!-- end -->\n"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	table, after, also := strings.Cut(rest, end)
	if !ok || !also {
		t.Fatalf("%s has no %q", path, begin)
	}
	if want := subcommandTable(); table != want {
		if !*updateDoc {
			t.Errorf("the table in %s is not that of the declarations: run go test ./cmd/npy -run CommandDoc -update-doc", path)
		} else if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range subcommands {
		if text := before + after; s.group != "" && !strings.Contains(text, "npy "+s.name()+" ") && !strings.Contains(text, "npy "+s.name()+"`") {
			t.Errorf("%s has no example of npy %s", path, s.name())
		}
	}
	for _, topic := range topics {
		if !strings.Contains(before+after, "`"+topic.name+"`") && !strings.Contains(before+after, "help "+topic.name+"`") {
			t.Errorf("%s does not name the topic %s", path, topic.name)
		}
	}
}

// subcommandTable returns the rows of all subcommands that help lists.
func subcommandTable() string {
	var b strings.Builder
	b.WriteString("| `npy` | does | reads | writes |\n|---|---|---|---|\n")
	for _, s := range subcommands {
		if s.group != "" {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.ReplaceAll(s.use, "|", `\|`), s.short, s.readsText(), s.writesText())
		}
	}
	return b.String()
}

// readsText describes the files that a subcommand reads.
func (s *subcommand) readsText() string {
	var names []string
	for _, kind := range []struct {
		kinds kinds
		name  string
	}{{arrays, "arrays"}, {npyFiles, ".npy"}, {archives, ".npz"}, {containers, "other files of several arrays"}, {rawFiles, "raw bytes"}, {text, "text"}, {pickles, "pickles"}, {anyFiles, "any file"}} {
		isArrays := s.reads&arrays == arrays && kind.kinds != arrays && kind.kinds&arrays != 0
		if s.reads&kind.kinds == kind.kinds && !isArrays {
			names = append(names, kind.name)
		}
	}
	switch {
	case s.from == anywhere && len(names) == 0:
		return "URLs"
	case s.from == here:
		names = append(names, "no URLs")
	}
	return strings.Join(names, ", ")
}

// writesText describes the files that a subcommand writes.
func (s *subcommand) writesText() string {
	switch {
	case s.inPlace && s.to == anywhere:
		return "files, also at URLs or in place"
	case s.inPlace:
		return "in place"
	case s.to == anywhere:
		return "files, also at URLs"
	case s.to == here:
		return "files"
	}
	return ""
}
