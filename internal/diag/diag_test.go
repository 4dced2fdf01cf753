package diag_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/npygo/npy/internal/diag"
)

func TestParts(t *testing.T) {
	located := diag.At("matlab", "s.x", diag.Errorf("hdf5", "a short chunk: %w", io.ErrUnexpectedEOF))
	for _, test := range []struct {
		err               error
		text, fault, file string // fault is for a line that begins with file
	}{
		{diag.New("npy", "no rows"), "npy: no rows", "no rows", "a.npy"},
		{diag.Wrap("convert", diag.Wrap("npy", io.EOF)), "convert: npy: EOF", "EOF", "a.npy"},
		{located, "matlab: s.x: hdf5: a short chunk: unexpected EOF", "s.x: hdf5: a short chunk: unexpected EOF", "a.mat"},
		{located, "matlab: s.x: hdf5: a short chunk: unexpected EOF", "a short chunk: unexpected EOF", "a.mat:s.x"},
		{located, "matlab: s.x: hdf5: a short chunk: unexpected EOF", "s.x: hdf5: a short chunk: unexpected EOF", "a.mat:is.x"},
		{diag.At("npy", "x", diag.New("npy", "no rows")), "npy: x: no rows", "x: no rows", "a.npz"},                  // no package twice
		{fmt.Errorf("row 3: %w", diag.New("npy", "no rows")), "row 3: npy: no rows", "row 3: npy: no rows", "a.npy"}, // within a message it stays
	} {
		if got := test.err.Error(); got != test.text {
			t.Errorf("the message is %q, want %q", got, test.text)
		}
		if got := diag.Fault(test.err, test.file); got != test.fault {
			t.Errorf("the fault of %q in %s is %q, want %q", test.text, test.file, got, test.fault)
		}
	}
	if !errors.Is(located, io.ErrUnexpectedEOF) {
		t.Errorf("%v hides its cause", located)
	}
}
