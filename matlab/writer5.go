package matlab

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/spool"
)

var _ container.FortranWriter = (*writer5)(nil)

// newWriter5 starts a MAT-file. Variables are compressed (version 7) unless o.Store is set (version 5 and 6).
func newWriter5(w io.WriteSeeker, o container.WriteOptions) (*writer5, error) {
	at, err := w.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 128)
	text := "MATLAB 5.0 MAT-file, created by npy"
	copy(head, text+strings.Repeat(" ", 116-len(text)))
	copy(head[124:], "\x00\x01IM")
	if _, err := w.Write(head); err != nil {
		return nil, err
	}
	return &writer5{w: w, o: o, at: at + 128, root: newGroup(), nested: &spool.Spool{}}, nil
}

// KeepsFortran implements [container.FortranWriter].
func (w *writer5) KeepsFortran() {}

// Begin implements [container.Writer]. MAT-files have no attributes.
func (w *writer5) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	has := features
	if !w.o.Store { // zlib has a checksum
		has |= container.Checksums
	}
	lost := losses(e, attributes, has, true)
	if e.Path == "" {
		w.o.Lose(lost...)
		return nil, nil
	}
	parts := strings.Split(e.Path, "/")
	if e.Group {
		_, err := w.root.add(e.Path, parts, true)
		if err == nil {
			w.o.Lose(lost...)
		}
		return nil, err
	}
	a := &arrayWriter{w: w, e: e, shape: e.Shape, lost: lost}
	if e.FortranOrder {
		a.shape = reversed(e.Shape)
	}
	if err := a.prepare(); err != nil {
		return nil, err
	}
	m, err := w.root.add(e.Path, parts, false)
	if err != nil {
		return nil, err
	}
	if a.m = m; !e.DType.HasObject() {
		w.o.Lose(lost...)
	}
	if len(parts) > 1 {
		return a, nil
	}
	m.written = true
	if !a.text && a.class.flags&flagComplex == 0 && (e.FortranOrder || isLine(a.dims)) {
		a.direct = true
		return a, a.begin()
	}
	return a, nil
}

func reversed(shape []int) []int {
	r := make([]int, len(shape))
	for i, n := range shape {
		r[len(r)-1-i] = n
	}
	return r
}

// drop frees what the writer holds.
func (w *writer5) drop() { w.nested.Close() }

// Close writes the groups and completes the file.
func (w *writer5) Close() error {
	defer w.nested.Close()
	for _, m := range w.root.members {
		if m.written {
			continue
		}
		x, err := w.matrixOf(m)
		if err != nil {
			return pathError(m.name, err)
		}
		out, err := w.beginVariable()
		if err == nil {
			err = x.write(out, m.name)
		}
		if err == nil {
			err = w.endVariable()
		}
		if err != nil {
			return pathError(m.name, err)
		}
	}
	return nil
}

// beginVariable returns where the next variable goes.
func (w *writer5) beginVariable() (io.Writer, error) {
	if w.o.Store {
		return w.w, nil
	}
	w.start = w.at
	if _, err := w.w.Write(make([]byte, 8)); err != nil {
		return nil, err
	}
	if w.packed == nil {
		w.packed = newZlibWriter(w.w, w.o.Level, w.o.Workers)
	}
	w.packed.reset()
	return w.packed, nil
}

// endVariable completes a variable.
func (w *writer5) endVariable() error {
	if w.o.Store {
		return nil
	}
	if err := w.packed.Close(); err != nil {
		return err
	}
	tag := binary.LittleEndian.AppendUint32(nil, miCompressed)
	tag = binary.LittleEndian.AppendUint32(tag, uint32(w.packed.n)) // smaller than a variable of 4 GiB, or hardly larger
	if w.packed.n != int64(uint32(w.packed.n)) {
		return unsupported("a variable of %d compressed bytes; only version 7.3 (HDF5) holds more than 4 GiB", w.packed.n)
	}
	w.at = w.start + 8 + w.packed.n
	if _, err := w.w.Seek(w.start, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.w.Write(tag); err != nil {
		return err
	}
	_, err := w.w.Seek(w.at, io.SeekStart)
	return err
}

// An arrayWriter takes the elements of one array.
type arrayWriter struct {
	w      *writer5
	e      container.Entry
	m      *member
	shape  []int // of the blocks: reversed for an array in Fortran order
	dims   []int // in MATLAB
	class  class
	lost   []container.Loss
	text   bool // strings, which are written at the end
	direct bool // to the file; else to kept
	out    io.Writer
	kept   spool.Spool
	n      int64      // bytes of elements that are still to come
	whole  *npy.Array // of Python objects
}

// prepare finds the class and checks the size.
func (a *arrayWriter) prepare() error {
	t := a.e.DType
	h := format.Header{DType: t, Shape: a.e.Shape}
	if err := h.Validate(); err != nil {
		return err
	}
	a.n, a.dims = h.NBytes(), dimsOf(a.e.Shape)
	switch t.Kind() {
	case dtype.KindStr, dtype.KindBytes, dtype.KindObject:
		if t.IsSubarray() || t.IsStruct() {
			return diag.Wrap("matlab", unsupported("dtype %s has no MATLAB class", t.Name()))
		}
		a.text = true
		return checkSize(a.dims, max(t.ItemSize(), 1))
	}
	c, err := classOf(t)
	if err != nil {
		return err
	}
	a.class = c
	return checkSize(a.dims, c.part.ItemSize())
}

// begin writes the head of an array to the file.
func (a *arrayWriter) begin() (err error) {
	if a.out, err = a.w.beginVariable(); err != nil {
		return err
	}
	count := h(a.dims).Size()
	head, err := appendHead(nil, a.m.name, a.class, 0, a.dims, numericSize(a.class, count))
	if err != nil {
		return err
	}
	a.w.at += int64(len(head)) + numericSize(a.class, count) // if it is not compressed
	_, err = a.out.Write(appendTag(head, a.class.typ, int64(count)*int64(a.class.part.ItemSize())))
	return err
}

// Write implements [container.ArrayWriter].
func (a *arrayWriter) Write(block *npy.Array) error {
	switch {
	case !block.DType().Equal(a.e.DType):
		return pathError(a.e.Path, fmt.Errorf("a block of dtype %s in an array of %s", block.DType(), a.e.DType))
	case block.DType().HasObject():
		a.whole, a.n = block, a.n-int64(block.NBytes())
		if a.n != 0 {
			return pathError(a.e.Path, fmt.Errorf("an array with Python objects comes in one block"))
		}
		block, err := onlyTexts(block, a.e.Meaning)
		if err != nil {
			a.w.root.remove(strings.Split(a.e.Path, "/"))
			return &container.UnfitError{Err: pathError(a.e.Path, err)}
		}
		a.w.o.Lose(a.lost...)
		return a.finish(block)
	}
	block = block.Contiguous()
	if a.n -= int64(block.NBytes()); a.n < 0 {
		return pathError(a.e.Path, fmt.Errorf("more elements than the shape has"))
	}
	if !a.direct {
		_, err := a.kept.Write(block.Bytes())
		return err
	}
	numbers, err := block.Cast(a.class.part, npy.UnsafeCasting)
	if err != nil {
		return pathError(a.e.Path, err)
	}
	_, err = a.out.Write(numbers.Bytes())
	return err
}

// Close implements [container.ArrayWriter].
func (a *arrayWriter) Close() error {
	defer a.kept.Close()
	switch {
	case a.n > 0:
		return pathError(a.e.Path, errMissing)
	case a.whole != nil:
		return nil
	case a.e.DType.HasObject():
		empty, err := npy.NewObjects(a.e.DType, a.e.Shape...)
		if err != nil {
			return err
		}
		return a.finish(empty)
	case a.direct:
		if _, err := a.out.Write(padding(int64(h(a.dims).Size()) * int64(a.class.part.ItemSize()))); err != nil {
			return err
		}
		return pathError(a.e.Path, a.w.endVariable())
	}
	kept, err := npy.FileOf(format.Header{DType: a.e.DType, Shape: a.e.Shape, FortranOrder: a.e.FortranOrder}, &a.kept, a.kept.Size())
	if err != nil {
		return err
	}
	return pathError(a.e.Path, a.finish(kept))
}

// finish writes the array that was kept: to the file, or to the spool of nested arrays.
func (a *arrayWriter) finish(src npy.Source) error {
	if !a.m.written {
		a.m.at = a.w.nested.Size()
		if err := a.write(a.w.nested, "", src); err != nil {
			return err
		}
		a.m.n = a.w.nested.Size() - a.m.at
		return nil
	}
	out, err := a.w.beginVariable()
	if err != nil {
		return err
	}
	counted := &counter{w: out}
	if err := a.write(counted, a.m.name, src); err != nil {
		return err
	}
	a.w.at += counted.n
	return a.w.endVariable()
}

func (a *arrayWriter) write(w io.Writer, name string, src npy.Source) error {
	ctx := context.Background()
	if a.text {
		whole, err := src.ReadAll(ctx)
		if err != nil {
			return err
		}
		return writeText(w, name, whole)
	}
	return writeNumbers(ctx, w, name, a.class, a.dims, src)
}

// A counter counts the bytes written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
