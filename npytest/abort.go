package npytest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// An Aborter is a writer of a file that can be given up.
type Aborter interface {
	Close() error
	Abort()
}

// TestAbort checks the errors of a writer for a file that it was told to give up, or that it has completed. create
// begins a file and returns its writer, a function that writes a part of the file, and one that reports
// whether the file is there.
func TestAbort(t *testing.T, create func(t *testing.T) (w Aborter, write func() error, exists func() bool)) {
	t.Helper()
	given := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, fs.ErrClosed) || !strings.Contains(err.Error(), "Abort") {
			t.Errorf("%s after Abort: error %v, want one that wraps fs.ErrClosed and names Abort", what, err)
		}
	}
	w, write, exists := create(t)
	if err := write(); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	given("Close", w.Close())
	given("a second Close", w.Close())
	given("writing", write())
	w.Abort()
	given("Close, after two,", w.Close())
	if exists() {
		t.Error("a file was given up and is there")
	}

	w, write, exists = create(t)
	if err := errors.Join(write(), w.Close()); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if err := w.Close(); err != nil && (!errors.Is(err, fs.ErrClosed) || strings.Contains(err.Error(), "Abort")) {
		t.Errorf("Close after Close and Abort: error %v", err)
	}
	if err := write(); !errors.Is(err, fs.ErrClosed) || strings.Contains(err.Error(), "Abort") {
		t.Errorf("writing after Close: error %v, want one that wraps fs.ErrClosed", err)
	}
	if !exists() {
		t.Error("the file that was completed is gone after Abort")
	}
}
