//go:build linux && amd64

package faults_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/faults"
	"github.com/npygo/npy/internal/oracle"
)

// name and folder are set in the traced processes: the change to make, and the folder.
const (
	name   = "NPY_FAULTS_CHANGE"
	folder = "NPY_FAULTS_FOLDER"
)

func TestMain(m *testing.M) {
	what := os.Getenv(name)
	if what == "" {
		os.Exit(m.Run())
	}
	var err error
	if c, ok := changes[what]; ok {
		err = c.do(paths(os.Getenv(folder), c.out))
	} else if e, ok := hdf5Appendings[what]; ok {
		err = appendToHDF5(filepath.Join(os.Getenv(folder), "out.h5"), e)
	} else {
		err = appendTo(filepath.Join(os.Getenv(folder), "out.npy"), appendings[what])
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run has a process make a change, with a fault at call n, and returns its output.
func run(t *testing.T, what, dir string, n int, fault faults.Fault) (faults.Outcome, string) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	env := append(os.Environ(), name+"="+what, folder+"="+dir)
	o, err := faults.Run(dir, n, fault, os.Args[:1], env, out)
	if err != nil {
		t.Skip("processes cannot be traced here:", err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return o, string(text)
}

// files returns the files in a folder.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, e := range entries {
		if all[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// put makes a folder hold exactly these files.
func put(t *testing.T, dir string, all map[string][]byte) {
	t.Helper()
	for name := range files(t, dir) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range all {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// eachFault calls test with every fault at each call. Of a series of calls of one kind it takes the first two, the last
// and every seventh, unless every call is wanted: for a report, or with NPY_CASES set (make faults).
func eachFault(calls []faults.Kind, test func(n int, fault faults.Fault)) {
	all := *page != "" || os.Getenv("NPY_CASES") != ""
	for n, kind := range calls {
		if !all && n%7 != 0 && inside(calls, n) {
			continue
		}
		for _, fault := range faults.Of(kind) {
			test(n, fault)
		}
	}
}

// inside reports whether a call follows two calls of its kind and precedes another.
func inside(calls []faults.Kind, n int) bool {
	return n > 1 && n+1 < len(calls) && calls[n-2] == calls[n] && calls[n-1] == calls[n] && calls[n+1] == calls[n]
}

// Wherever a call fails or the process is killed, the file is the old one or the new one and nothing else has changed.
// Only a killed process leaves a temporary file, which other users cannot read if they could not read the old file.
func TestChanges(t *testing.T) {
	for what, c := range changes {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			old := files(t, dir)
			o, text := run(t, what, dir, -1, faults.None)
			if o.ExitCode != 0 {
				t.Fatal(text)
			}
			whole, calls := files(t, dir), o.Calls
			eachFault(calls, func(n int, fault faults.Fault) {
				put(t, dir, old)
				o, text := run(t, what, dir, n, fault)
				if len(o.Calls) <= n || o.Calls[n] != calls[n] {
					return // the calls vary with several goroutines
				}
				now := files(t, dir)
				lost := 0
				for name, data := range old {
					if name != c.out || !bytes.Equal(now[name], whole[name]) {
						lost += max(len(data)-len(now[name]), 0)
					}
				}
				count(what, fault, lost)
				problem := wrong(c.out, o, n, fault, old, whole, now)
				if problem == "" {
					problem = exposed(t, dir, old[c.out] != nil)
				}
				if problem != "" {
					t.Errorf("call %d of %v, %v, exit code %d: %s; the process says %q", n, o.Calls, fault, o.ExitCode, problem, text)
				}
			})
		})
	}
}

// exposed returns the temporary file that other users can read, if a private file was to be replaced.
func exposed(t *testing.T, dir string, replaced bool) string {
	t.Helper()
	for name := range files(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if replaced && strings.HasSuffix(name, ".tmp") && info.Mode().Perm()&0o077 != 0 {
			return fmt.Sprintf("%s has mode %v", name, info.Mode())
		}
	}
	return ""
}

// Writing a file again after a process was killed leaves nothing of that process.
func TestNextWriterCleansUp(t *testing.T) {
	for what, c := range changes {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			old := files(t, dir)
			o, text := run(t, what, dir, -1, faults.None)
			if o.ExitCode != 0 {
				t.Fatal(text)
			}
			whole := files(t, dir)
			left := 0
			eachFault(o.Calls, func(n int, fault faults.Fault) {
				if fault != faults.Killed {
					return
				}
				put(t, dir, old)
				run(t, what, dir, n, fault)
				run(t, what, dir, n+1, fault) // and perhaps another
				killed := files(t, dir)
				o, text := run(t, what, dir, -1, faults.None)
				now := files(t, dir)
				if len(now) != len(whole) || o.ExitCode != 0 && string(now[c.out]) != string(killed[c.out]) {
					t.Errorf("killed at call %d of %v: %d files are left, want %d; the next process says %q", n, o.Calls, len(now), len(whole), text)
				}
				left += len(killed) - len(old)
			})
			if left <= 0 {
				t.Error("no process has left a file")
			}
		})
	}
}

// wrong describes the first wrong state after a fault.
func wrong(out string, o faults.Outcome, n int, fault faults.Fault, old, whole, now map[string][]byte) string {
	for name, data := range now {
		was, known := old[name]
		switch {
		case strings.HasSuffix(name, ".tmp"):
			if o.ExitCode >= 0 && o.Calls[n] != faults.Remove {
				return name + " is left behind"
			}
		case name == out:
			if !bytes.Equal(data, whole[out]) && (!known || !bytes.Equal(data, was)) {
				return fmt.Sprintf("%s is neither old nor new: %d bytes", name, len(data))
			}
		case !known || !bytes.Equal(data, was):
			return name + " has changed"
		}
	}
	for name := range old {
		if now[name] == nil {
			return name + " is gone"
		}
	}
	if o.ExitCode == 0 && !bytes.Equal(now[out], whole[out]) {
		return "no error, and no new file"
	}
	if fault == faults.Short && o.ExitCode != 0 || fault == faults.Full && o.ExitCode != 1 {
		return "half a write is an error if, and only if, the disk is full"
	}
	return ""
}

// Wherever a call fails or the process is killed, the file opens with whole rows, among them all acknowledged rows.
func TestAppendings(t *testing.T) {
	states := t.TempDir() // one file for each different state
	for what := range appendings {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "out.npy")
			if err := tight(path); err != nil {
				t.Fatal(err)
			}
			old := files(t, dir)
			o, text := run(t, what, dir, -1, faults.None)
			if o.ExitCode != 0 || strings.Count(text, "acknowledged\n") != appended {
				t.Fatal(text)
			}
			eachFault(o.Calls, func(n int, fault faults.Fault) {
				put(t, dir, old)
				o, text := run(t, what, dir, n, fault)
				data, shape, err := npy.Load[int64](path)
				acknowledged := (before + strings.Count(text, "acknowledged\n")) * 1000
				count(what, fault, 8*max(acknowledged-len(data), 0))
				least := before + strings.Count(text, "acknowledged\n")
				if fault == faults.Short {
					least = before + appended
				}
				if err != nil || shape[1] != 1000 || shape[0] < least || shape[0] > least+1 {
					t.Errorf("call %d, %v: shape %v, %v; the process says %q and ends with %d", n, fault, shape, err, text, o.ExitCode)
				}
				for i, x := range data {
					if x != int64(i/1000) {
						t.Fatalf("call %d, %v: row %d holds %d", n, fault, i/1000, x)
					}
				}
				left, err := os.ReadFile(path)
				if err == nil {
					err = os.WriteFile(filepath.Join(states, fmt.Sprintf("%x.npy", sha256.Sum256(left))), left, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			})
		})
	}
	write(t, wantNumPy(t, states))
}

// wantNumPy has NumPy load every file of a folder, which must be rows of their numbers, and returns the number of
// files.
func wantNumPy(t *testing.T, dir string) int {
	t.Helper()
	all := slices.Sorted(slices.Values(must(filepath.Glob(filepath.Join(dir, "*.npy")))))
	out := oracle.NumPy(t, `
for path in sys.argv[1:]:
    a = np.load(path)
    assert (a == np.arange(len(a)).reshape(-1, 1)).all(), path
print(len(sys.argv) - 1)`, nil, all...)
	if string(out) != fmt.Sprintln(len(all)) || len(all) < appended+1 {
		t.Errorf("NumPy says %q of %d files", out, len(all))
	}
	return len(all)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
