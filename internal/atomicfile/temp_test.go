package atomicfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npygo/npy/internal/filelock"
	"github.com/npygo/npy/internal/oracle"
)

// abandon leaves a temporary file as a killed process does.
func (f *File) abandon() {
	f.File.Close()
	if made(f) {
		f.unlock()
	}
}

func needLocks(t *testing.T) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := filelock.TryLock(f); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
}

func create(t *testing.T, path string) *File {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Abort)
	return f
}

// A writer removes the temporary files of writers that are gone, and none that is still being written.
func TestLeftFilesAreRemoved(t *testing.T) {
	needLocks(t)
	for _, left := range []int{1, 2, swept, swept + 3, numbered} {
		dir := t.TempDir()
		path, other := filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")
		var files []*File
		for range left {
			files = append(files, create(t, path))
		}
		for _, f := range files {
			f.abandon()
		}
		foreign := create(t, other)
		write(t, path, "new", false)
		foreign.Abort()
		wantText(t, path, "new")
		wantNames(t, dir, "a.npy")
	}
}

// Some of several concurrent writers are killed. Whichever they are, the remaining writers are not disturbed.
func TestLeftBetweenWriters(t *testing.T) {
	needLocks(t)
	for killed := range 1 << 4 {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.npy")
		var working []*File
		for i := range 4 {
			if f := create(t, path); killed>>i&1 == 1 {
				defer f.abandon()
				f.abandon()
			} else {
				working = append(working, f)
			}
		}
		for i, f := range working {
			fmt.Fprint(f, i)
		}
		write(t, path, "between", false)
		wantText(t, path, "between")
		for i, f := range working {
			if err := f.Commit(false); err != nil {
				t.Errorf("killed %04b: writer %d: %v", killed, i, err)
			}
			wantText(t, path, fmt.Sprint(i))
		}
		wantNames(t, dir, "a.npy")
	}
}

// Names taken by something other than a file, by a link, or by a locked file are left alone.
func TestTakenNames(t *testing.T) {
	needLocks(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	if err := os.MkdirAll(tempName(path, 0), 0o700); err != nil {
		t.Fatal(err)
	}
	plain(t, filepath.Join(dir, "precious"), "kept", 0o600)
	link(t, "precious", tempName(path, 1))
	plain(t, tempName(path, 2), "locked", 0o600)
	locked, err := os.OpenFile(tempName(path, 2), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer locked.Close()
	if err := filelock.TryLock(locked); err != nil {
		t.Fatal(err)
	}
	write(t, path, "new", false)
	wantText(t, path, "new")
	wantText(t, filepath.Join(dir, "precious"), "kept")
	wantText(t, tempName(path, 2), "locked")
	wantNames(t, dir, ".a.npy.npy-0.tmp", ".a.npy.npy-1.tmp", ".a.npy.npy-2.tmp", "a.npy", "precious")
}

// More concurrent writers than there are numbers.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	var files []*File
	for i := range numbered + 20 {
		f := create(t, path)
		fmt.Fprint(f, i)
		files = append(files, f)
	}
	for i, f := range files {
		if err := f.Commit(false); err != nil {
			t.Fatal(err)
		}
		wantText(t, path, fmt.Sprint(i))
	}
	wantNames(t, dir, "a.npy")
}

// storm writes a file repeatedly, and abandons temporary files in between. Each text states its own length.
func storm(path string, n int, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 0))
	for range n {
		f, err := Create(path)
		if err != nil {
			return err
		}
		text := strings.Repeat(fmt.Sprintf("%08d", random.IntN(1000)), 1+random.IntN(5000))
		if _, err := fmt.Fprintf(f, "%08d%s", len(text), text); err != nil {
			return err
		}
		switch random.IntN(4) {
		case 0:
			f.abandon()
		case 1:
			f.Abort()
		default:
			if err := f.Commit(false); err != nil && !(runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission)) {
				return err // Windows returns this error to one of two concurrent renames
			}
		}
	}
	return nil
}

// wantWhole checks that a file holds one complete text of a storm.
func wantWhole(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	var n int
	if _, err := fmt.Sscanf(string(b[:min(8, len(b))]), "%08d", &n); err != nil || len(b) != 8+n || !bytes.Equal(b[8:], bytes.Repeat(b[8:16], n/8)) {
		t.Errorf("%d bytes, of which the first say %d", len(b), n)
	}
}

// Goroutines write and abort one file. Each Commit succeeds, and in the end no temporary file is left.
func TestWritersRace(t *testing.T) {
	needLocks(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	var wg sync.WaitGroup
	for w := range 6 { // fewer than the numbers that the last write checks
		wg.Go(func() {
			if err := storm(path, 100, uint64(w)); err != nil {
				t.Errorf("writer %d: %v", w, err)
			}
		})
	}
	wg.Wait()
	wantWhole(t, path)
	write(t, path, "last", false)
	wantNames(t, dir, "a.npy")
}

const storming = "NPY_TEST_STORM"

func TestMain(m *testing.M) {
	if path := os.Getenv(storming); path != "" {
		fmt.Println("begun")
		seed, err := strconv.ParseUint(os.Args[1], 10, 64)
		if err == nil {
			err = storm(path, 1<<30, seed)
		}
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// Processes that write one file are killed at arbitrary moments. The file is always complete, and the next writer
// removes their temporary files.
func TestKilledWriters(t *testing.T) {
	needLocks(t)
	if runtime.GOARCH == "s390x" {
		t.Skip("no programs to be started under the emulator")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npy")
	plain(t, path, "00000008--------", 0o600)
	random := oracle.Rand(t)
	for round := range 10 {
		var killed sync.WaitGroup
		for range 3 {
			cmd := exec.Command(os.Args[0], fmt.Sprint(random.Uint64()))
			cmd.Env = append(os.Environ(), storming+"="+path)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Skip("no processes here:", err)
			}
			lines := bufio.NewScanner(out)
			lines.Scan()
			life := time.Duration(random.IntN(30)) * time.Millisecond
			killed.Go(func() {
				time.Sleep(life) // the moment of the kill
				_ = cmd.Process.Kill()
				for lines.Scan() {
					t.Error("a writer ended:", lines.Text())
				}
				_ = cmd.Wait()
			})
		}
		killed.Wait()
		wantWhole(t, path)
		if round%3 == 2 {
			write(t, path, "00000008--------", false)
			wantNames(t, dir, "a.npy")
		}
	}
}

// A file within a Root is written the same way, and never leaves the Root.
func TestCreateIn(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in", "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	in := func(name, text string) error {
		f, err := CreateIn(root, name)
		if err != nil {
			return err
		}
		defer f.Abort()
		if _, err := f.WriteString(text); err != nil {
			t.Error(err)
		}
		return f.Commit(true)
	}
	plain(t, filepath.Join(dir, "outside"), "kept", 0o600)
	plain(t, filepath.Join(dir, "in", "private"), "old", 0o600)
	link(t, "../outside", filepath.Join(dir, "in", "link"))
	link(t, "..", filepath.Join(dir, "in", "up"))
	for _, name := range []string{"a", "private", "sub/b", "link"} {
		for _, text := range []string{"one", "two"} {
			if err := in(name, text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			wantText(t, filepath.Join(dir, "in", name), text)
		}
	}
	for _, name := range []string{"../x", "up/x", "sub", ""} {
		if err := in(name, ""); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	wantText(t, filepath.Join(dir, "outside"), "kept")
	wantNames(t, dir, "in", "outside")
	wantNames(t, filepath.Join(dir, "in"), "a", "link", "private", "sub", "up")
	if info, err := os.Stat(filepath.Join(dir, "in", "private")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("a private file has become %v, %v", info.Mode(), err)
	}
	if f, err := CreateIn(root, "a"); err != nil {
		t.Error(err)
	} else {
		f.abandon()
	}
	if err := in("a", "three"); err != nil {
		t.Error(err)
	}
	wantNames(t, filepath.Join(dir, "in"), "a", "link", "private", "sub", "up")
	for _, want := range []error{nil, fs.ErrExist} {
		f, err := CreateIn(root, "new")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.CommitNew(false); !errors.Is(err, want) {
			t.Errorf("CommitNew: error %v, want %v", err, want)
		}
	}
	wantNames(t, filepath.Join(dir, "in"), "a", "link", "new", "private", "sub", "up")
}
