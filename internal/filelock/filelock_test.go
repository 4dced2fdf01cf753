package filelock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// locking is set for the helper process, which locks a file and holds the lock until its input ends.
const locking = "NPY_TEST_FILELOCK"

func TestMain(m *testing.M) {
	path := os.Getenv(locking)
	if path == "" {
		os.Exit(m.Run())
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		err = TryLock(f)
	}
	fmt.Println(err)
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// holder starts a process that holds a lock. It returns the first line of its output.
func holder(t *testing.T, path string) (says string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), locking+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("no processes here:", err)
	}
	if _, err := fmt.Fscanln(out, &says); err != nil {
		says = err.Error()
	}
	return says, func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// lock opens a file and takes its lock.
func lock(t *testing.T, path string) (*os.File, error) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, TryLock(f)
}

// Two processes exclude each other, and a killed process releases its lock.
func TestProcessesExcludeEachOther(t *testing.T) {
	if oracle.Emulated {
		t.Skip("no programs to be started under the emulator")
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	says, kill := holder(t, path)
	if says != "<nil>" {
		t.Fatalf("the other process says %q", says)
	}
	if _, err := lock(t, path); !errors.Is(err, ErrLocked) {
		t.Errorf("while another process has it: error %v, want %v", err, ErrLocked)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "text" {
		t.Errorf("readers get %q, error %v", text, err)
	}
	kill()
	if _, err := lock(t, path); err != nil {
		t.Errorf("after the other was killed: %v", err)
	}
	says, kill = holder(t, path)
	defer kill()
	if says == "<nil>" {
		t.Error("another process gets the lock that this one has")
	}
}

// Two open files in one process exclude each other until one is closed.
func TestFilesExcludeEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := lock(t, path)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock(t, path); !errors.Is(err, ErrLocked) {
		t.Errorf("a second time: error %v, want %v", err, ErrLocked)
	}
	f.Close()
	if _, err := lock(t, path); err != nil {
		t.Errorf("after Close: %v", err)
	}
}
