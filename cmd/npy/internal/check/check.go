// Package check finds everything that can be wrong with array files and containers.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/counted"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/format"
)

// A Verifier checks one target after another. Its settings must not change.
type Verifier struct {
	Opener    input.Opener
	MaxHeader int
	Objects   flags.Objects

	// The results of the last target.
	Findings []Finding
	Arrays   int           // that were found
	First    format.Header // of the first of them
	Members  int           // checked so far, if the target is a container
	NoSum    int           // arrays whose elements no checksum protects, so that damaged elements cannot be found

	target input.Target
	summed bool            // a checksum protects the array, or all of them
	buffer *counted.Reader // used for one file or member after another, since making it takes longer than checking a small file
	errors int             // findings that are errors
}

// A Finding is one message about a file. Its JSON keys are a promise.
type Finding struct {
	Level   string  `json:"level"` // "error" or "note"
	Member  *string `json:"member"`
	Offset  int64   `json:"offset"` // in the file or member
	Path    string  `json:"path"`
	Message string  `json:"message"`
}

// Name returns the file, and the member if one was named.
func (v *Verifier) Name() string { return v.target.Name() }

// Container returns the container of the target, which has been closed, or nil if it is one array.
func (v *Verifier) Container() *input.Container { return v.target.Container }

// OK reports whether no error was found.
func (v *Verifier) OK() bool { return v.errors == 0 }

func (v *Verifier) note(offset int64, format string, args ...any) {
	v.Findings = append(v.Findings, Finding{"note", v.target.MemberName(), offset, "", fmt.Sprintf(format, args...)})
}

// wrong records an error. base is the offset of the array in the file.
func (v *Verifier) wrong(base int64, err error) {
	f := Finding{Level: "error", Member: v.target.MemberName(), Offset: base, Message: diagnose.Text(err) + diagnose.SavingMembers(v.target.Path, err)}
	if c := v.target.Container; c != nil && c.NPZ() == nil {
		f.Message = diagnose.FileError{File: v.target.Name(), Err: err}.Text()
	}
	var fe *format.Error
	if errors.As(err, &fe) {
		f.Offset, f.Path, f.Message = base+fe.Offset, fe.Path, diagnose.Text(fe.Err)
	}
	v.Findings = append(v.Findings, f)
	v.errors++
}

// Check checks the file or the members that t names. An error comes from ctx.
func (v *Verifier) Check(ctx context.Context, t input.Target) error {
	v.target, v.Findings, v.Arrays, v.Members, v.NoSum, v.errors = t, nil, 0, 0, 0, 0
	opened, err := v.Opener.Open(t)
	if err != nil {
		v.wrong(0, err)
		return nil
	}
	defer opened.Close()
	if v.target = opened; opened.Container != nil {
		v.container(ctx)
		return context.Cause(ctx)
	}
	v.summed = opened.HasChecksum()
	if opened.Joined() != nil {
		if err := v.Opener.CheckSums(ctx, opened, func(err error) { v.wrong(0, err) }); err != nil {
			return err
		}
	}
	f, err := v.Opener.Bytes(ctx, opened)
	if err != nil {
		v.wrong(0, err)
		return nil
	}
	size := input.SizeOf(f)
	v.stream(input.Until(ctx, v.Opener.Watch(f, t.Path, size)), size > 0 || input.IsCompressed(f))
	return context.Cause(ctx)
}

// reader returns a buffered reader of f. All members share its buffer.
func (v *Verifier) reader(f io.Reader) *counted.Reader {
	if v.buffer == nil {
		v.buffer = counted.NewReader(nil, 1<<20)
	}
	v.buffer.Reset(f)
	return v.buffer
}

// stream checks the arrays of a file or member. If ends is set it reads to the end; a device or a pipe may have none.
func (v *Verifier) stream(f io.Reader, ends bool) {
	before := v.errors
	r := v.reader(f)
	for first := true; v.array(r, first); first = false {
	}
	if !ends {
		return
	}
	if _, err := io.Copy(io.Discard, r); err != nil && v.errors == before { // the checksum of a member is verified at its end
		v.wrong(0, err)
	}
}

// array checks the next array and reports whether another one may follow.
func (v *Verifier) array(r *counted.Reader, first bool) bool {
	base := r.Count
	head, _ := r.Peek(len(format.Magic))
	if !first {
		if len(head) == 0 {
			return false
		}
		if string(head) != format.Magic {
			v.note(base, "more data after the array, which NumPy ignores")
			return false
		}
		v.note(base, "another array after the first, which NumPy reads only from an open file")
	}
	h, err := format.Decoder{MaxHeader: v.MaxHeader}.ReadHeader(r)
	if err != nil {
		v.wrong(base, diagnose.Explain(err))
		return false
	}
	v.found(h, v.summed)
	v.header(h, base)
	switch {
	case h.DType.HasObject() && v.Objects.Refuse:
		v.note(base+h.DataOffset, "the elements are a Python pickle, which is not checked with --no-pickle")
		return false
	case h.DType.HasObject():
		return v.checkObjects(r, h, base)
	}
	if err := v.data(r, h); err != nil {
		v.wrong(base, err)
		return false
	}
	return true
}

// found counts an array, and whether a checksum protects its elements.
func (v *Verifier) found(h format.Header, summed bool) {
	if v.Arrays++; v.Arrays == 1 {
		v.First = h
	}
	if h.NBytes() > 0 && !summed {
		v.NoSum++
	}
}

// NumPy's limits.
const (
	numpyMaxHeader = 10000 // numpy.lib.format._MAX_HEADER_SIZE
	numpy1MaxDims  = 32
)

// header records the unusual properties of a valid header.
func (v *Verifier) header(h format.Header, base int64) {
	switch text, err := h.Append(nil); {
	case h.DataOffset%format.ArrayAlign != 0:
		v.note(base+h.DataOffset, "the data is not aligned to %d bytes, as in files of older NumPy versions or other writers", format.ArrayAlign)
	case err == nil && int64(len(text)) != h.DataOffset:
		v.note(base, "header of %d bytes; NumPy would write %d", h.DataOffset, len(text))
	}
	if n := h.DataOffset - 10; n > numpyMaxHeader {
		v.note(base+8, "header of %d bytes: NumPy reads it only with max_header_size or allow_pickle", n)
	}
	if len(h.Shape) > numpy1MaxDims {
		v.note(base, "%d dimensions: NumPy 1 reads at most %d", len(h.Shape), numpy1MaxDims)
	}
	if name := h.DType.Name(); strings.HasPrefix(h.DType.Descr(), "<f1") || strings.HasPrefix(h.DType.Descr(), "<c4") {
		v.note(base, "NumPy reads dtype %s only together with the ml_dtypes package", name)
	}
}

// wayOut returns the way out for a truncated file. There is none for a member of an archive.
func (v *Verifier) wayOut(have int64) string {
	if have == 0 || v.target.Container != nil {
		return ""
	}
	return diagnose.SavesRows
}
