package property

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/npygo/npy/internal/built"
)

// command is the npy that the tests of this process run.
var command struct {
	build sync.Once
	dir   string
	path  string
	err   error
}

// Main runs the tests of a package that uses the command, which is built when the first test needs it.
func Main(m *testing.M) int {
	defer func() {
		if command.dir != "" {
			_ = os.RemoveAll(command.dir)
		}
	}()
	return m.Run()
}

// npyPath returns the path of the command.
func npyPath() (string, error) {
	command.build.Do(func() {
		if command.dir, command.err = os.MkdirTemp("", "npy-command"); command.err != nil {
			return
		}
		command.path = filepath.Join(command.dir, "npy")
		command.err = built.Command(command.path)
	})
	return command.path, command.err
}

// A Result is the result of one call of the command.
type Result struct {
	Stdout string
	Stderr string
	Code   int
}

// Npy runs the command in a folder.
func Npy(dir string, args ...string) Result { return NpyFrom(dir, "", args...) }

// NpyFrom runs the command with standard input.
func NpyFrom(dir, stdin string, args ...string) Result {
	path, err := npyPath()
	if err != nil {
		return Result{"", err.Error(), -1}
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=dumb", "NO_COLOR=1")
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	code := cmd.ProcessState.ExitCode()
	if err != nil && code < 0 {
		return Result{stdout.String(), err.Error() + "\n" + stderr.String(), -1}
	}
	return Result{stdout.String(), stderr.String(), code}
}

// Err returns the standard error of the command if it did not exit with code 0.
func (r Result) Err() error {
	switch {
	case r.Code == 0:
		return nil
	case strings.Contains(r.Stderr, "panic:") || strings.Contains(r.Stderr, "goroutine "):
		return errors.New("PANIC " + r.Stderr)
	}
	return errors.New(strings.TrimSpace(r.Stderr))
}
