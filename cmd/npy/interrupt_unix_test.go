//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
)

// An interrupted command leaves the folder as it was.
func TestInterrupted(t *testing.T) {
	if oracle.Emulated {
		t.Skip("no programs to be started under the emulator")
	}
	in := fullFile(t, format.Header{DType: dtype.Float64, Shape: []int{64 << 20}})
	for _, line := range allTrials("interrupted") {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			testInterrupted(t, strings.Fields(strings.ReplaceAll(line, "IN", in)))
		})
	}
}

// testInterrupted runs the command for each signal.
func testInterrupted(t *testing.T, args []string) {
	dir, old := t.TempDir(), []byte("the old contents")
	out := filepath.Join(dir, args[slices.IndexFunc(args, func(s string) bool { return strings.HasPrefix(s, "out.") })])
	if err := os.WriteFile(out, old, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if signal.Ignored(sig) {
			continue // children inherit the ignored signal
		}
		code, talk := interrupted(t, dir, args, sig)
		if code != 128+int(sig) || talk != "" {
			t.Errorf("%v, %v: exit code %d, want %d; it says %s", args, sig, code, 128+int(sig), talk)
		}
		got, err := os.ReadFile(out)
		if left := names(t, dir); err != nil || !bytes.Equal(got, old) || len(left) != 1 {
			t.Errorf("%v, %v: %v is left, the old file has %d bytes, error %v", args, sig, left, len(got), err)
		}
	}
}

// interrupted runs the command in a folder and sends a signal as soon as a half-written file exists.
func interrupted(t *testing.T, dir string, args []string, sig syscall.Signal) (code int, talk string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := &exec.Cmd{Path: os.Args[0], Args: append([]string{"npy"}, args...), Dir: dir, Stderr: &stderr}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); len(names(t, dir)) < 2 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // another process makes the file, which has no event to wait for
	}
	if err := cmd.Process.Signal(sig); err != nil {
		t.Error(args, err)
	}
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), stderr.String()
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
