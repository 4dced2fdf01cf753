package container

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
)

// An objectWriter takes an array of Python objects, which comes as a whole.
type objectWriter struct {
	e       Entry
	encoder npy.Encoder
	options WriteOptions
	lost    []Loss
	write   func(data []byte) error // writes an .npy file
	undo    func()                  // makes the path free again, if the array cannot be written
	done    bool
}

// Write implements [ArrayWriter].
func (w *objectWriter) Write(block *npy.Array) error {
	if w.done || !slices.Equal(block.Shape(), w.e.Shape) {
		return diag.At("container", w.e.Path, errors.New("an array with Python objects comes in one block"))
	}
	w.done = true
	data, err := w.encode(block)
	if err != nil {
		w.undo()
		return &UnfitError{diag.At("container", w.e.Path, err)}
	}
	w.options.Lose(w.lost...)
	return w.write(data)
}

// encode returns an array as an .npy file. Without an encoder of Python objects it is one of texts of a fixed length.
func (w *objectWriter) encode(a *npy.Array) ([]byte, error) {
	if w.encoder.Objects == nil {
		var err error
		if a, err = fixedText(a); err != nil {
			return nil, err
		}
		w.lost = append(w.lost, Loss{w.e.Path, "text of any length", a.DType().Descr() + " is written"})
	}
	var b bytes.Buffer
	err := w.encoder.Write(&b, a)
	return b.Bytes(), err
}

// Close implements [ArrayWriter].
func (w *objectWriter) Close() error {
	if w.done {
		return nil
	}
	a, err := npy.NewObjects(w.e.DType, w.e.Shape...)
	if err == nil && a.Size() > 0 {
		err = diag.At("container", w.e.Path, errors.New("the array has ended before its elements"))
	}
	if err != nil {
		return err
	}
	return w.Write(a)
}

// A blockWriter writes an .npy file block by block.
type blockWriter struct {
	e      Entry
	w      io.Writer
	n      int64 // bytes of elements that are still to come
	finish func(err error) error
}

func newBlockWriter(e Entry, encoder npy.Encoder, w io.Writer, finish func(error) error) (*blockWriter, error) {
	h := format.Header{Version: encoder.Version, DType: e.DType, FortranOrder: e.FortranOrder, Shape: e.Shape}
	head, err := h.Append(nil)
	if err == nil {
		_, err = w.Write(head)
	}
	if err != nil {
		return nil, errors.Join(err, finish(err))
	}
	return &blockWriter{e: e, w: w, n: h.NBytes(), finish: finish}, nil
}

// Write implements [ArrayWriter].
func (b *blockWriter) Write(block *npy.Array) error {
	if err := b.checkType(block); err != nil {
		return err
	}
	data, _ := block.Contiguous().ViewBytes()
	if b.n -= int64(len(data)); b.n < 0 {
		return errTooMany(b.e)
	}
	_, err := b.w.Write(data)
	return err
}

// checkType returns an error unless elements have the dtype of the array.
func (b *blockWriter) checkType(a *npy.Array) error {
	if !a.DType().Equal(b.e.DType) {
		return diag.At("container", b.e.Path, fmt.Errorf("a block of dtype %s in an array of %s", a.DType(), b.e.DType))
	}
	return nil
}

// Close implements [ArrayWriter].
func (b *blockWriter) Close() error {
	if b.n > 0 {
		err := errMissing(b.e, b.n)
		return errors.Join(err, b.finish(err))
	}
	return b.finish(nil)
}

func errMissing(e Entry, n int64) error {
	return diag.At("container", e.Path, fmt.Errorf("the array has ended before its last %d bytes", n))
}

func errTooMany(e Entry) error {
	return diag.At("container", e.Path, errors.New("more elements than the shape has"))
}
