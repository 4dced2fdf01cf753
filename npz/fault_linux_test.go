package npz_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// Faults come from the kernel: with a limit on the size of files, the write that crosses it fails. Wherever this
// happens, and wherever a process is killed, the archive at the path must be the old one or the new one.

// changes are the interrupted operations: an edit that copies, replaces, deletes, renames and adds, and a rewrite.
var changes = map[string]func(path string) error{
	"edit": func(path string) error {
		return npz.Edit(path, func(e *npz.Editor) error {
			return errors.Join(e.Delete("a"), e.Replace("c", numbered(400_000, 5)), e.Rename("b", "e"), e.Add("d", numbered(100, 6)))
		})
	},
	"rewrite": func(path string) error { return rewrite(path, npz.Encoder{Level: 1}) },
}

func rewrite(path string, e npz.Encoder) error {
	z, err := npz.Open(path)
	if err != nil {
		return err
	}
	defer z.Close()
	return e.Rewrite(path, z, nil)
}

// limits returns file sizes at which the edit of an archive is interrupted.
func limits(size int64) []int64 {
	limits := []int64{0, 1, 30, 64, 100, 4096, 64 << 10, 64<<10 + 1}
	for i := range int64(12) {
		limits = append(limits, size*i/12, size-i*i*3)
	}
	return limits
}

// withLimit runs f while files cannot grow beyond n bytes.
func withLimit(t *testing.T, n int64, f func()) {
	t.Helper()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	limited := old
	limited.Cur = uint64(n)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limited); err != nil {
		t.Fatal(err)
	}
	f()
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
}

// The limit also applies to files of the testing package, so this test runs in a process of its own.
func TestEditOnAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a disk")
	}
	if oracle.Emulated {
		t.Skip("the limit would hold for the emulator")
	}
	const alone = "NPZ_TEST_ALONE"
	if os.Getenv(alone) == "" {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestEditOnAFullDisk$")
		cmd.Env = append(os.Environ(), alone+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	for name, e := range settings() {
		for what, change := range changes {
			interrupted(t, name+", "+what, abc(t, e), change)
		}
	}
}

// interrupted makes a change fail at each of the limits.
func interrupted(t *testing.T, name, path string, change func(path string) error) {
	t.Helper()
	old := must(os.ReadFile(path))
	if err := change(path); err != nil {
		t.Fatal(err)
	}
	size := int64(len(must(os.ReadFile(path))))
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, limit := range limits(size) {
		if limit < 0 || limit >= size {
			continue
		}
		var err error
		withLimit(t, limit, func() { err = change(path) })
		if !errors.Is(err, unix.EFBIG) {
			t.Errorf("%s: files of %d bytes, error %v, want %v", name, limit, err, unix.EFBIG)
		}
		if !bytes.Equal(must(os.ReadFile(path)), old) {
			t.Fatalf("%s: files of %d bytes: the archive has changed", name, limit)
		}
		if left := must(os.ReadDir(filepath.Dir(path))); len(left) != 1 {
			t.Errorf("%s: files of %d bytes: %v was left behind", name, limit, left)
		}
	}
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	for name, e := range settings() {
		err := e.Save("/dev/full", npz.Member{Name: "a", Array: numbered(1_000_000, 1)})
		if !errors.Is(err, unix.ENOSPC) {
			t.Errorf("%s: error %v, want %v", name, err, unix.ENOSPC)
		}
	}
}

// The environment of the processes to be killed: child is the path of the archive, and after is the number of the
// change after which they report that they have started.
const (
	child = "NPZ_TEST_CHILD"
	after = "NPZ_TEST_AFTER"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(child); path != "" {
		editForever(path)
	}
	os.Exit(m.Run())
}

// editForever adds, replaces, renames and deletes a member and rewrites the archive until it is killed.
func editForever(path string) {
	edits := []func(e *npz.Editor) error{
		func(e *npz.Editor) error { return errors.Join(deleteIf(e, "d"), deleteIf(e, "e")) },
		func(e *npz.Editor) error { return e.Add("d", numbered(300_000, 4)) },
		func(e *npz.Editor) error { return e.Replace("d", numbered(200_000, 5)) },
		func(e *npz.Editor) error { return e.Rename("d", "e") },
	}
	encoder := npz.Encoder{Store: true}
	for i := 0; ; i++ {
		var err error
		if step := i % (len(edits) + 1); step < len(edits) {
			err = encoder.Edit(path, edits[step])
		} else {
			err = rewrite(path, encoder)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if strconv.Itoa(i) == os.Getenv(after) {
			fmt.Println("started")
		}
	}
}

func deleteIf(e *npz.Editor, name string) error {
	if !e.Has(name) {
		return nil
	}
	return e.Delete(name)
}

// start starts a process that edits until it is killed. The process reports that it has started after change number
// n, from 0.
func start(t *testing.T, path string, n int) (cmd *exec.Cmd, started func() bool) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+path, after+"="+strconv.Itoa(n))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, func() bool {
		line := make([]byte, 200)
		n, _ := out.Read(line)
		return string(line[:n]) == "started\n"
	}
}

// wantOldOrNew checks the archive after a process was killed. Only its temporary file may exist besides.
func wantOldOrNew(t *testing.T, path, when string) {
	t.Helper()
	states := []string{"a=1 b=2 c=3", "a=1 b=2 c=3 d=4", "a=1 b=2 c=3 d=5", "a=1 b=2 c=3 e=5"}
	if got := contents(t, path); !slices.Contains(states, got) {
		t.Fatalf("%s: the archive has %s", when, got)
	}
	for _, f := range must(os.ReadDir(filepath.Dir(path))) {
		if name := f.Name(); strings.HasSuffix(name, ".tmp") {
			os.Remove(filepath.Join(filepath.Dir(path), name))
		}
	}
}

// A process is killed when the new file has reached some size.
func TestKilledAtAnySize(t *testing.T) {
	if oracle.Emulated {
		t.Skip("processes start too slowly under emulation")
	}
	path := abc(t, npz.Encoder{Store: true})
	size := int64(len(must(os.ReadFile(path))))
	kills := 40
	if testing.Short() {
		kills = 5
	}
	for i := range kills {
		cmd, started := start(t, path, i%5) // starts with another change each time
		if !started() {
			t.Fatal("the process does not edit")
		}
		least := size * int64(i/5) / 9
		for deadline := time.Now().Add(20 * time.Second); temporarySize(path) < least; {
			if time.Now().After(deadline) {
				t.Fatalf("the new file never has %d bytes", least)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		wantOldOrNew(t, path, fmt.Sprintf("killed at %d bytes after change %d", least, i%5))
	}
}

// temporarySize returns the size of the file that will replace path, or -1 if there is none.
func temporarySize(path string) int64 {
	names := must(filepath.Glob(filepath.Join(filepath.Dir(path), ".*.tmp")))
	if len(names) == 0 {
		return -1
	}
	info, err := os.Stat(names[0])
	if err != nil { // it has just been renamed
		return -1
	}
	return info.Size()
}

// A process is killed at any time.
func TestKilledWhileEditing(t *testing.T) {
	if oracle.Emulated {
		t.Skip("processes start too slowly under emulation")
	}
	path := abc(t, npz.Encoder{})
	for i := range 12 {
		cmd, started := start(t, path, i%5)
		if !started() {
			t.Fatal("the process does not edit")
		}
		time.Sleep(time.Duration(i*1300) * time.Microsecond) // the moment of the kill
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		wantOldOrNew(t, path, fmt.Sprintf("kill %d", i))
	}
}
