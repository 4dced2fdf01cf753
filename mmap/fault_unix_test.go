//go:build unix

package mmap_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/mmap"
)

// alone runs a test again in a process of its own, so that a crash can be observed. It reports true in this process.
// In the first process it returns the output and the error of the other.
func alone(t *testing.T) (inside bool, out string, err error) {
	t.Helper()
	const key = "NPY_MMAP_ALONE"
	if oracle.Emulated {
		t.Skip("the emulator has signals of its own")
	}
	if os.Getenv(key) == t.Name() {
		return true, "", nil
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), key+"="+t.Name())
	b, err := cmd.CombinedOutput()
	return false, string(b), err
}

// A file is truncated while readers run: each gets an error, and the process goes on. The array is large enough for
// several goroutines.
func TestTruncatedUnderReaders(t *testing.T) {
	inside, out, err := alone(t)
	if !inside {
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	path := numbered(t, 2<<20)
	f := must(mmap.Open(path))
	defer f.Close()
	var started, done sync.WaitGroup
	for range 3 {
		started.Add(1)
		done.Go(func() {
			for i := 0; ; i++ {
				_, _, err := mmap.Load[float64](f)
				if i == 0 {
					started.Done()
				}
				if err == nil {
					continue
				}
				var fault *mmap.FaultError
				if !errors.Is(err, mmap.ErrTruncated) || !errors.As(err, &fault) || fault.Offset < 900_000 || fault.Path != path {
					t.Errorf("error %v, want %v", err, mmap.ErrTruncated)
				}
				return
			}
		})
	}
	started.Wait()
	if err := os.Truncate(path, 1<<20); err != nil {
		t.Fatal(err)
	}
	done.Wait()
	if got, _, err := mmap.Load[float64](f, npy.SpanTo(100)); err != nil || got[99] != 99 {
		t.Errorf("what is left: %v, error %v", got, err)
	}
}

func TestWriteToReadOnly(t *testing.T) {
	if !bulk.Shares {
		t.Skip("views need unsafe")
	}
	inside, out, err := alone(t)
	if !inside {
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	f := must(mmap.Open(numbered(t, 100_000)))
	defer f.Close()
	v := must(mmap.ViewOf[float64](f))
	err = f.Do(func(*npy.Array) error {
		v.Set(-1, 70_000)
		return nil
	})
	var fault *mmap.FaultError
	if !errors.Is(err, mmap.ErrReadOnly) || !errors.As(err, &fault) || fault.Offset/4096 != 560_000/4096 {
		t.Errorf("error %v, want %v", err, mmap.ErrReadOnly)
	}
}

// A fault in the memory of a closed file does not belong to another file: it passes through Do.
func TestTouchedAfterClose(t *testing.T) {
	if !bulk.Shares {
		t.Skip("without unsafe the addresses do not stay reserved")
	}
	inside, out, err := alone(t)
	if !inside {
		if err == nil || !strings.Contains(out, "[signal SIG") || strings.Contains(out, "saw other memory") {
			t.Errorf("error %v, want a fault\n%s", err, out)
		}
		return
	}
	path := numbered(t, 1<<20)
	f := must(mmap.Open(path))
	v := must(mmap.ViewOf[float64](f))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for range 100 { // these would be mapped where f was
		defer must(mmap.Open(path)).Close()
	}
	other := must(mmap.Open(path))
	_ = other.Do(func(*npy.Array) error {
		println("saw other memory", v.At(5))
		return nil
	})
}

// smallDisk mounts a file system of one megabyte.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small file system: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir
}

func TestFullDisk(t *testing.T) {
	inside, out, err := alone(t)
	if !inside {
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	path := filepath.Join(smallDisk(t), "a.npy")
	f := must(mmap.Create(path, dtype.Uint8, 4<<20))
	defer f.Close()
	write := func(a *npy.Array) error {
		b, _ := a.ViewBytes()
		for i := range b {
			b[i] = 1
		}
		return nil
	}
	wantFault := func(when string, err, want error) {
		t.Helper()
		var fault *mmap.FaultError
		if !errors.Is(err, want) || !errors.As(err, &fault) || fault.Path != path {
			t.Errorf("%s: error %v, want %v of %s", when, err, want, path)
		}
	}
	wantFault("a write to a full disk", f.Do(write), mmap.ErrNoSpace)
	_, _, err = mmap.Load[uint8](f)
	wantFault("a read of what was never written, for which tmpfs wants room too", err, mmap.ErrNoSpace)
	if err := os.Truncate(path, 64<<10); err != nil {
		t.Fatal(err)
	}
	wantFault("a write behind the end", f.Do(write), mmap.ErrTruncated)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, _, err = mmap.Load[uint8](f)
	wantFault("a read behind the end of a file that is gone", err, mmap.ErrTruncated)
}

// Files cannot grow beyond a limit. Wherever Create reaches the limit, it leaves nothing.
func TestCreateFails(t *testing.T) {
	inside, out, err := alone(t)
	if !inside {
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	dir := t.TempDir()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []uint64{0, 1, 127, 128, 129, 5000} {
		limited := old
		limited.Cur = limit
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limited); err != nil {
			t.Fatal(err)
		}
		_, err := mmap.Create(filepath.Join(dir, "a.npy"), dtype.Float64, 1000)
		if e := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); e != nil {
			t.Fatal(e)
		}
		if left := must(os.ReadDir(dir)); !errors.Is(err, unix.EFBIG) || len(left) != 0 {
			t.Errorf("files of %d bytes: error %v, left behind %v", limit, err, left)
		}
	}
}
