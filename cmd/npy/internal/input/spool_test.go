package input

import (
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
)

// A full disk for temporary files is reported with the way out, and is not taken for a full disk of OUT. Other errors stay.
func TestSpoolError(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "npy-1", Err: syscall.ENOSPC}
	err := SpoolError(full)
	if text := err.Error(); !strings.Contains(text, "TMPDIR") || !strings.Contains(text, "temporary file") || diagnose.IsFull(err) {
		t.Errorf("error %q, full %v", text, diagnose.IsFull(err))
	}
	if err := SpoolError(io.ErrUnexpectedEOF); err != io.ErrUnexpectedEOF {
		t.Errorf("another error became %v", err)
	}
	if got := diagnose.OutName("-"); got != "standard output" {
		t.Errorf("OUT is %q", got)
	}
}
