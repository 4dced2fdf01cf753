//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/shell"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// A hostileCase is a line to complete in a folder, and the allowed arguments of npy.
type hostileCase struct {
	place  string // of the name: a member, a field, a file, or a word before
	folder string
	line   string
	typed  string // the argument before the completion
	fits   func(arg string) bool
	runs   bool // the line can be run: the typed text is no command
	tabs   int  // after the first
	words  int  // the arguments of npy before the one that fits
}

// hostileFolder makes a folder with one name in all places: alone, or twice with another end.
func hostileFolder(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	one, err := npy.FromSlice([]int8{1})
	if err != nil {
		t.Fatal(err)
	}
	for file, names := range map[string][]string{"z.npz": {name}, "p.npz": {name + "x", name + "y"}} {
		w, err := npz.Create(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			if err := w.Add(n, one); err != nil {
				t.Logf("no member %q: %v", n, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for file, names := range map[string][]string{"r.npy": {name}, "q.npy": {name + "x", name + "y"}} {
		var fields []dtype.Field
		for i, n := range names {
			fields = append(fields, dtype.Field{Name: n, DType: dtype.Int8, Offset: i})
		}
		if !strings.Contains(name, "\xff") {
			record, err := dtype.Struct(len(names), fields...)
			if err != nil {
				t.Fatal(err)
			}
			a, err := npy.FromBytes(record, make([]byte, len(names)), 1)
			if err == nil {
				err = npy.WriteFile(filepath.Join(dir, file), a)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for folder, names := range map[string][]string{"one": {name + ".npy"}, "two": {name + "x.npy", name + "y.npy"}} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			if err := npy.WriteFile(filepath.Join(dir, folder, n), one); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// hostileCases returns the lines for a name and an open quote. A backslash is the last character before the cursor.
func hostileCases(dir, name, quote string) []hostileCase {
	is := func(want ...string) func(string) bool {
		return func(arg string) bool { return slices.Contains(want, arg) }
	}
	begins := func(typed string, names ...string) func(string) bool { // of two names a shell inserts the common prefix, or less
		return func(arg string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(arg, typed) && strings.HasPrefix(name, arg) })
		}
	}
	open, end := quote, ""
	if quote == `\` {
		open, end = "", `\`
	}
	selects := func(file string, names ...string) func(string) bool {
		return func(arg string) bool {
			index, err := npy.ParseIndex(strings.TrimPrefix(arg, file))
			if err != nil {
				return len(names) > 1 && strings.HasPrefix(arg, file+"[") // of two fields only the common prefix
			}
			field, _ := index[0].Name()
			return len(index) == 1 && field == names[0]
		}
	}
	cases := []hostileCase{
		{place: "member", folder: dir, line: "npy show " + open + "z.npz:" + end, typed: "z.npz:", fits: is("z.npz:" + name), runs: true},
		{place: "member", folder: dir, line: "npy show " + open + "p.npz:" + end, typed: "p.npz:", fits: begins("p.npz:", "p.npz:"+name), runs: true},
		{place: "member", folder: dir, line: "npy show " + open + "p.npz:" + end, typed: "p.npz:", fits: begins("p.npz:", "p.npz:"+name, "p.npz:"+name+"x"), runs: true, tabs: 1},
		{place: "member", folder: dir, line: "npy unpack z.npz " + open + end, fits: is(name), runs: true, words: 1},
		{place: "member", folder: dir, line: "npy unpack p.npz " + open + end, fits: begins("", name), runs: true, words: 1},
		{place: "member", folder: dir, line: "npy unpack p.npz " + open + end, fits: begins("", name, name+"x"), runs: true, words: 1, tabs: 1},
		{place: "field", folder: dir, line: "npy show " + open + "r.npy[" + end, typed: "r.npy[", fits: selects("r.npy", name), runs: true},
		{place: "field", folder: dir, line: "npy show " + open + "q.npy[" + end, typed: "q.npy[", fits: selects("q.npy", name+"x", name+"y"), runs: true},
		{place: "member", folder: dir, line: "npy show z.npz[" + open + end, typed: "z.npz[", fits: selects("z.npz", name), runs: true},
		{place: "file", folder: filepath.Join(dir, "one"), line: "npy show " + open + end, fits: is(name + ".npy"), runs: true},
		{place: "file", folder: filepath.Join(dir, "two"), line: "npy show " + open + end, fits: begins("", name), runs: true},
		{place: "file", folder: filepath.Join(dir, "two"), line: "npy show " + open + end, fits: begins("", name, name+"x.npy"), runs: true, tabs: 1},
		{place: "file", folder: dir, line: "npy show " + open + "one/" + end, typed: "one/", fits: is("one/" + name + ".npy"), runs: true},
		{place: "file", folder: dir, line: "npy convert --font=" + open + "one/" + end, typed: "--font=one/", fits: is("--font=one/" + name + ".npy"), runs: true},
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return cases // cannot be typed
	}
	for _, line := range []string{"npy show " + open + "z.npz:" + name + end, "npy show " + open + "r.npy['" + name + end, "npy unpack " + open + name + end} {
		closing := strings.TrimPrefix(open, "$")
		cases = append(cases,
			hostileCase{place: "the name as it is", folder: dir, line: line},
			hostileCase{place: "word before", folder: dir, line: line + closing + " z"},
			hostileCase{place: "word before", folder: dir, line: line + closing + " " + open + "z.npz:" + end},
			hostileCase{place: "word before", folder: filepath.Join(dir, "one"), line: line + closing + " "})
	}
	return cases
}

// tryHostile completes a line. It returns the shell's offer: nothing, or a text that npy got as it is.
func (s *shellSession) tryHostile(t *testing.T, c hostileCase) (offered bool) {
	t.Helper()
	if s.dir != c.folder {
		s.cd(c.folder)
	}
	key := tabKey
	if !c.runs || c.tabs > 0 { // with Tab, zsh expands a word that is complete
		key = completeKey
	}
	line := s.tab(c.line, key+strings.Repeat(key, c.tabs))
	where := fmt.Sprintf("%s, %s: %q completes to %q", s.kind, c.place, c.line, line)
	if _, err := os.Lstat(filepath.Join(c.folder, "ran")); err == nil {
		t.Errorf("%s, which ran a command", where)
		_ = os.Remove(filepath.Join(c.folder, "ran")) // for the next case
	}
	if !c.runs || line == c.line || line+`\` == c.line {
		s.clear()
		return false
	}
	args, err := s.run(line)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	if _, err := os.Lstat(filepath.Join(c.folder, "ran")); err == nil {
		t.Fatalf("%s, and the line runs a command", where)
	}
	if s.kind == shell.Zsh && c.place == "file" && strings.Contains(line, `\*`) {
		return true // zsh itself inserts \* for files that begin with a backslash, whatever the program
	}
	if n := 1 + c.words; len(args) != n+1 {
		t.Errorf("%s: npy gets %q", where, args)
	} else if args[n] != c.typed && !c.fits(args[n]) {
		t.Errorf("%s: npy gets %q", where, args[n])
	}
	return true
}

// No name in a file, and no name of a file, is run by a shell that completes it, whatever quote is open; a name that is
// offered reaches npy as it is. NPY_HOSTILE=all tries all names (make hostile); else it tries a few random lines.
func TestCompletionOfHostileNames(t *testing.T) {
	all := os.Getenv("NPY_HOSTILE") == "all"
	for _, kind := range []shell.Shell{shell.Bash, shell.Zsh, shell.Fish} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := oracle.Rand(t)
			names := hostileNames
			if !all {
				names = []string{names[0], names[1+r.IntN(len(names)-1)]}
			}
			s := startShell(t, kind, t.TempDir())
			tried, offered := 0, map[string]int{}
			for _, name := range names {
				dir := hostileFolder(t, name)
				for _, quote := range []string{"", `"`, "'", "$'", `\`} {
					if quote == "$'" && kind == shell.Fish { // has no such quotes
						continue
					}
					for _, c := range hostileCases(dir, name, quote) {
						if !all && r.IntN(4) > 0 {
							continue
						}
						tried++
						if s.tryHostile(t, c) {
							offered[c.place]++
						}
					}
				}
			}
			t.Logf("%s: %d names, %d lines, offered %v", kind, len(names), tried, offered)
			if all && (offered["member"] < 1000 || offered["field"] < 300 || offered["file"] < 1000) {
				t.Errorf("%s offers too little", kind)
			}
			if !all && len(offered) == 0 {
				t.Errorf("%s offers nothing", kind)
			}
		})
	}
}
