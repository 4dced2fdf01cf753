//go:build unix

package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// TestWritten runs each subcommand that writes OUT where OUT is new, exists, is IN under three names, leads elsewhere, cannot be
// written, is standard output under two names, or is written by several at once. Whatever happens, no other file changes, OUT is
// the old file or the whole new one, and nothing is left beside it.
func TestWritten(t *testing.T) {
	for _, s := range subcommands {
		lines := s.trials("written")
		if s.existing != noOut && len(lines) == 0 && !strings.HasPrefix(sections()[s.name()]["written"], "#") {
			t.Errorf("npy %s: testdata/trials/%s.txtar has neither a run in section \"written\" nor a comment that says why", s.name(), s.name())
		}
		for _, line := range lines {
			t.Run(line, func(t *testing.T) {
				t.Parallel()
				newWriting(t, s, line).all()
			})
		}
	}
}

// A writing is a line of trials in a folder of its own.
type writing struct {
	*testing.T
	of    *subcommand
	words []string
	out   string // the name of OUT
	dir   string
	files map[string]string // the files in the folder before a run
	want  string            // OUT after a run that succeeds
}

// newWriting makes the folder, and the new file.
func newWriting(t *testing.T, s *subcommand, line string) *writing {
	x := &writing{T: t, of: s, words: strings.Fields(line)[1:], dir: t.TempDir()}
	for _, word := range x.words {
		if strings.HasPrefix(word, "OUT") {
			x.out = strings.ToLower(word)
		}
	}
	if x.out == "" {
		t.Fatalf("%q has no OUT", line)
	}
	a := must(npy.FromSlice([]float64{3, 1, 2, 1, 3, 0}))
	grid := must(a.Reshape(3, 2))
	for name, array := range map[string]*npy.Array{"in.npy": a, "grid.npy": grid, "other.npy": grid} {
		if err := npy.WriteFile(x.path(name), array); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(x.path("rows.csv"), []byte("x,y\n3,a\n1,b\n3,c\n2,a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := npz.Save(x.path("a.npz"), npz.Member{Name: "a", Array: a}, npz.Member{Name: "grid", Array: grid}); err != nil {
		t.Fatal(err)
	}
	x.files = x.snapshot()
	if code, _, stderr := x.run(x.out); code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	x.want = x.read(x.out)
	x.remove(x.out)
	return x
}

func (x *writing) path(name string) string { return filepath.Join(x.dir, name) }

// args returns the arguments with OUT under a name.
func (x *writing) args(out string, more ...string) []string {
	args := append([]string{"npy", x.of.name()}, more...)
	names := map[string]string{"IN": "in.npy", "GRID": "grid.npy", "OTHER": "other.npy", "ROWS": "rows.csv", "ARCHIVE": "a.npz"}
	for _, word := range x.words {
		switch name, ok := names[word]; {
		case ok:
			word = name
		case strings.HasPrefix(word, "OUT"):
			word = out
		}
		args = append(args, word)
	}
	return args
}

// command returns the process of a run.
func (x *writing) command(out string, more ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Args, c.Dir = x.args(out, more...), x.dir
	return c
}

func (x *writing) run(out string, more ...string) (code int, stdout, stderr string) {
	x.Helper()
	return x.finish(x.command(out, more...))
}

// finish runs a process and returns its exit code and output. A failure is told in one line.
func (x *writing) finish(c *exec.Cmd) (code int, stdout, stderr string) {
	x.Helper()
	var out, errs bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &errs
	_ = c.Run() // the exit code tells it
	code = c.ProcessState.ExitCode()
	if lines := strings.Count(errs.String(), "\n"); code != exitDone && (lines == 0 || lines > 3) || code < 0 || code > exitUsage {
		x.Errorf("%q: exit code %d: %s", c.Args, code, &errs)
	}
	return code, out.String(), errs.String()
}

// snapshot returns the contents of all files, and where links lead.
func (x *writing) snapshot() map[string]string {
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		x.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		switch {
		case e.Type()&os.ModeSymlink != 0:
			files[e.Name()] = "link to " + must(os.Readlink(x.path(e.Name())))
		case e.IsDir():
			files[e.Name()] = "folder"
		default:
			files[e.Name()] = x.read(e.Name())
		}
	}
	return files
}

func (x *writing) read(name string) string {
	data, err := os.ReadFile(x.path(name))
	if err != nil {
		x.Fatal(err)
	}
	return string(data)
}

func (x *writing) remove(names ...string) {
	for _, name := range names {
		if err := os.RemoveAll(x.path(name)); err != nil {
			x.Fatal(err)
		}
	}
}

// write makes a file.
func (x *writing) write(name, text string, mode os.FileMode) {
	x.remove(name)
	if err := os.WriteFile(x.path(name), []byte(text), mode); err != nil {
		x.Fatal(err)
	}
}

// others checks that all files but some are as they were before, and returns the others.
func (x *writing) others(what string, before map[string]string, but ...string) {
	x.Helper()
	after := x.snapshot()
	for _, name := range but {
		delete(after, name)
	}
	before = maps.Clone(before)
	maps.DeleteFunc(before, func(name, _ string) bool { return slices.Contains(but, name) })
	if !maps.Equal(before, after) {
		for name, text := range after {
			if before[name] != text {
				x.Errorf("%s: %s has %.40q, before %.40q", what, name, text, before[name])
			}
		}
		if len(after) < len(before) {
			x.Errorf("%s: files are gone: %q, of %q", what, slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
		}
	}
}

// replace is the flag that makes a subcommand replace OUT, or nothing where it does by itself.
func (x *writing) replace() []string {
	if x.of.existing == keepOut {
		return []string{"--force"}
	}
	return nil
}

func (x *writing) all() {
	x.again()
	x.existing()
	x.same()
	x.links()
	x.refused()
	x.standardOutput()
	x.together()
}

// again writes a new file once more: it has the same bytes.
func (x *writing) again() {
	if code, _, stderr := x.run(x.out); code != exitDone || x.read(x.out) != x.want {
		x.Errorf("again: exit code %d, %s", code, stderr)
	}
	x.others("again", x.files, x.out)
	x.remove(x.out)
}

// existing writes over another file, with the flag that replaces it and the one that does not.
func (x *writing) existing() {
	const old = "old"
	keep, replace := []string{"--no-clobber"}, []string{}
	if x.of.existing == keepOut {
		keep, replace = nil, []string{"--force"}
	}
	for _, mode := range []os.FileMode{0o666, 0o444} {
		x.write(x.out, old, mode)
		if code, _, _ := x.run(x.out, keep...); code == exitDone || x.read(x.out) != old {
			x.Errorf("OUT exists: exit code %d, OUT is now %.40q", code, x.read(x.out))
		}
		x.others("OUT exists", x.files, x.out)
		code, _, stderr := x.run(x.out, replace...)
		if code != exitDone && mode == 0o666 {
			x.Errorf("OUT is replaced: exit code %d: %s", code, stderr)
		}
		if got := x.read(x.out); code == exitDone && got != x.want || code != exitDone && got != old {
			x.Errorf("OUT is replaced: exit code %d, OUT is %.40q, want %.40q", code, got, x.want)
		}
		x.others("OUT is replaced", x.files, x.out)
	}
	x.remove(x.out)
}

// same writes over a file that is read, under its name, a link and a hard link. Either it is refused, or the file has the whole
// result. Subcommands that leave rows out refuse it.
func (x *writing) same() {
	loses := x.of.group == rowsGroup && x.of != &sortSubcommand
	for word, name := range map[string]string{"IN": "in.npy", "GRID": "grid.npy", "ROWS": "rows.csv", "ARCHIVE": "a.npz"} {
		if !slices.Contains(x.words, word) || filepath.Ext(name) != filepath.Ext(x.out) {
			continue
		}
		old := x.files[name]
		soft, hard := "soft"+filepath.Ext(name), "hard"+filepath.Ext(name)
		for _, out := range []string{name, "./" + name, soft, hard} {
			if err := os.Symlink(name, x.path(soft)); err != nil {
				x.Fatal(err)
			}
			if err := os.Link(x.path(name), x.path(hard)); err != nil {
				x.Fatal(err)
			}
			code, _, stderr := x.run(out, x.replace()...)
			got := x.read(out)
			switch {
			case code == exitDone && (got != x.want || loses):
				x.Errorf("%s is OUT as %s: exit code 0, OUT is %.40q, want %.40q", word, out, got, x.want)
			case code != exitDone && (got != old || x.read(name) != old):
				x.Errorf("%s is OUT as %s: exit code %d, %s, IN is now %.40q", word, out, code, stderr, x.read(name))
			case x.read(name) != old && x.read(name) != x.want:
				x.Errorf("%s is OUT as %s: exit code %d, %s is now %.40q", word, out, code, name, x.read(name))
			}
			x.others(word+" is OUT as "+out, x.files, name, soft, hard)
			x.remove(soft, hard)
			x.write(name, old, 0o666)
		}
	}
}

// links writes to links: OUT then has the result, and only the file that it leads to may have changed.
func (x *writing) links() {
	for _, target := range []string{"target", "missing"} {
		x.write("target", "old", 0o666)
		if err := os.Symlink(target, x.path(x.out)); err != nil {
			x.Fatal(err)
		}
		code, _, stderr := x.run(x.out, x.replace()...)
		if code == exitDone && x.read(x.out) != x.want {
			x.Errorf("OUT leads to %s: %s", target, stderr)
		}
		if got := x.read("target"); got != "old" && (got != x.want || target == "missing" || code != exitDone) {
			x.Errorf("OUT leads to %s: exit code %d, the file has %.40q", target, code, got)
		}
		x.others("OUT leads to "+target, x.files, x.out, "target", "missing")
		x.remove(x.out, "target", "missing")
	}
}

// refused writes where it cannot: a folder, a folder that is missing, and a folder without the right to.
func (x *writing) refused() {
	for _, name := range []string{"folder" + filepath.Ext(x.out), "sealed"} {
		if err := os.Mkdir(x.path(name), 0o777); err != nil {
			x.Fatal(err)
		}
	}
	outs := []string{"folder" + filepath.Ext(x.out), "nowhere/" + x.out}
	if os.Getuid() != 0 {
		outs = append(outs, "sealed/"+x.out)
		if err := os.Chmod(x.path("sealed"), 0o555); err != nil {
			x.Fatal(err)
		}
	}
	before := x.snapshot()
	for _, out := range outs {
		if code, _, _ := x.run(out, x.replace()...); code == exitDone && x.of != &cpSubcommand { // into a folder
			x.Errorf("OUT is %s: exit code 0", out)
		}
		x.others("OUT is "+out, before)
	}
	x.remove("folder"+filepath.Ext(x.out), "sealed")
}

// standardOutput writes to standard output that is a file with some text, under its names. The text stays.
func (x *writing) standardOutput() {
	const kept = "kept\n"
	for _, out := range []string{"-", "/dev/stdout", "/dev/fd/1"} {
		for _, mode := range []int{os.O_APPEND, 0} {
			x.write("output", kept, 0o666)
			f, err := os.OpenFile(x.path("output"), os.O_WRONLY|mode, 0)
			if err == nil {
				_, err = f.Seek(int64(len(kept)), 0)
			}
			if err != nil {
				x.Fatal(err)
			}
			c := x.command(out)
			c.Stdout = f
			code, _, _ := x.finish(c)
			f.Close()
			if got := x.read("output"); !strings.HasPrefix(got, kept) || code != exitDone && got != kept || code == exitDone && got == kept {
				x.Errorf("OUT is %s: exit code %d, the file has %.60q", out, code, got)
			}
			x.others("OUT is "+out, x.files, "output")
		}
	}
	x.remove("output")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return // there is none
	}
	defer full.Close()
	c := x.command("-")
	c.Stdout = full
	if code, _, _ := x.finish(c); code == exitDone {
		x.Error("a full disk at standard output: exit code 0")
	}
}

// together writes one OUT by several processes: it is one whole file, and nothing of the others is left.
func (x *writing) together() {
	x.write(x.out, "old", 0o666)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if code, _, stderr := x.run(x.out, x.replace()...); code != exitDone {
				x.Errorf("with three others: exit code %d: %s", code, stderr)
			}
		})
	}
	wait.Wait()
	if got := x.read(x.out); got != x.want {
		x.Errorf("four at once: OUT is %.40q, want %.40q", got, x.want)
	}
	x.others("four at once", x.files, x.out)
}

// must returns a value that cannot fail to be made.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
