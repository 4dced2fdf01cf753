package npy

import (
	"io"
	"io/fs"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
)

// Load reads the elements of a file in C order, whatever its byte order and memory order are, and its shape. There are
// as many elements as the product of the shape, one if the shape is empty.
//
// T must hold every value of the file's dtype exactly. The element type itself always does; so do wider integers,
// floats of enough precision (float32 for up to 24 bits, float64 for up to 53), and complex numbers for reals. Strings
// load as string, bytes as string or []byte without the NULs that pad them, void as []byte. [GoTypes] lists the choices.
// Everything else is a [*TypeError]: nothing is rounded or cut.
func Load[T Element](path string) (data []T, shape []int, err error) {
	f, s, err := openFile(path, format.Decoder{})
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if data, err = loadFrom[T](Decoder{}, s); err != nil {
		return nil, nil, &fs.PathError{Op: "load", Path: path, Err: err}
	}
	return data, slices.Clone(s.h.Shape), nil
}

// LoadFrom is [Load] from a stream, with the limits of d: a service that takes arrays from others should set MaxBytes.
// It reads one array and not one byte more, so that it can be called again for the next; at the end of r it returns
// io.EOF.
func LoadFrom[T Element](r io.Reader, d Decoder) (data []T, shape []int, err error) {
	s, err := openSource(r, d.format())
	if err != nil {
		return nil, nil, err
	}
	if data, err = loadFrom[T](d, s); err != nil {
		return nil, nil, err
	}
	return data, slices.Clone(s.h.Shape), s.finish()
}

func loadFrom[T Element](d Decoder, s *source) ([]T, error) {
	if err := d.check(s.h); err != nil {
		return nil, err
	}
	if s.h.DType.HasObject() {
		return loadObjects[T](d, s)
	}
	decode, ok := decoderFor[T](s.h.DType)
	if !ok {
		return nil, doesNotFit[T](s.h.DType)
	}
	if err := checkEmptyItems(s.h.Size(), s.h.DType.ItemSize()); err != nil {
		return nil, err
	}
	l := loader[T]{s, decode}
	switch {
	case s.h.FortranOrder && !isFlat(s.h.Shape):
		return l.fortran()
	case sharesMemory[T](s.h.DType.WithByteOrder(dtype.NativeEndian)):
		return l.direct()
	}
	return l.converted()
}

// loadObjects reads an array of Python objects, each of which has to be a T.
func loadObjects[T Element](d Decoder, s *source) ([]T, error) {
	a, err := s.objects(d)
	if err != nil {
		return nil, err
	}
	v, err := As[T](a)
	if err != nil {
		return nil, err
	}
	s.h.Shape = a.shape
	return v.ToSlice(), nil
}

// isFlat reports whether C and Fortran order are the same: at most one dimension is not 1.
func isFlat(shape []int) bool {
	long := 0
	for _, n := range shape {
		if n != 1 {
			long++
		}
	}
	return long <= 1
}

// A loader reads one array as Go values in C order.
type loader[T Element] struct {
	s      *source
	decode decoder[T]
}

// direct reads into the memory of the result and reverses bytes there while they are in the cache.
func (l loader[T]) direct() ([]T, error) {
	var work func([]byte)
	if t := l.s.h.DType; !t.IsNative() {
		width := t.ItemSize()
		if t.Kind() == dtype.KindComplex {
			width /= 2
		}
		work = func(piece []byte) { bulk.Swap(piece, piece, width) }
	}
	raw, err := l.s.bytes(int(l.s.h.NBytes()), work)
	if err != nil {
		return nil, err
	}
	data, ok := bulk.View[T](raw)
	if !ok { // the memory is aligned and whole
		panic("npy: memory cannot be shared")
	}
	return data, nil
}

// converted reads through a buffer and converts from there.
func (l loader[T]) converted() ([]T, error) {
	n, size := l.s.h.Size(), l.s.h.DType.ItemSize()
	switch {
	case size == 0:
		data := make([]T, n)
		return data, decodeBlocks(l.decode, data, nil, 0)
	case l.s.at != nil:
		data := makeElements[T](n)
		return data, l.fromFile(data)
	}
	sizes := []int{n}
	if l.s.avail < 0 {
		sizes = bounded.Sizes(n, max(bounded.First/max(size, 64), 1))
	}
	var data []T
	have := 0
	for _, size := range sizes {
		grown := makeElements[T](size)
		copy(grown, data[:have])
		data = grown
		if err := l.convert(l.s, data[have:], have); err != nil {
			return nil, err
		}
		have = size
	}
	return data, nil
}

// makeElements returns n zero elements in memory that is cheap to fill.
func makeElements[T Element](n int) []T {
	data := make([]T, n)
	switch any(data).(type) {
	case []string, [][]byte:
		return data
	}
	if raw, ok := bulk.Bytes(data); ok {
		bulk.AdviseHuge(raw)
	}
	return data
}

// fromFile converts parts of a large file on several goroutines.
func (l loader[T]) fromFile(data []T) error {
	size := l.s.h.DType.ItemSize()
	pos := l.s.pos
	err := inParallel(len(data), workPiece/size+1, len(data)*size, func(low, high int) error {
		part := *l.s
		part.pos, part.read = pos+int64(low)*int64(size), int64(low)*int64(size)
		return l.convert(&part, data[low:high], low)
	})
	l.s.pos += int64(len(data)) * int64(size)
	return err
}

// convert fills dst, the elements from position first on, with what comes next from s.
func (l loader[T]) convert(s *source, dst []T, first int) error {
	size := s.h.DType.ItemSize()
	var buf []byte
	if s.avail >= 0 || size <= workPiece {
		buf = make([]byte, min(len(dst), max(workPiece/size, 1))*size)
	}
	for len(dst) > 0 {
		n := max(min(len(dst), len(buf)/size), 1)
		var err error
		if buf == nil { // one element is larger than anything that should be allocated before it has arrived
			buf, err = s.bytes(size, nil)
		} else {
			err = s.fill(buf[:n*size], nil)
		}
		if err != nil {
			return err
		}
		if err := decodeBlocks(l.decode, dst[:n], buf[:n*size], first); err != nil {
			return l.locate(err)
		}
		dst, first = dst[n:], first+n
	}
	return nil
}

// locate says where in the file an element is that cannot be decoded.
func (l loader[T]) locate(err error) error {
	e, ok := err.(*elementError)
	if !ok {
		return err
	}
	return &format.Error{Offset: l.s.h.DataOffset + int64(e.index)*int64(l.s.h.DType.ItemSize()), Err: e.err}
}

// boxBytes is how much of a Fortran-ordered file is held beside the result while it is rearranged.
const boxBytes = 8 << 20

// fortran reads the file in pieces that are boxes of the array: all of the first axes, a range of one, a single
// position of the rest. Each is put to its places in C order.
func (l loader[T]) fortran() ([]T, error) {
	h := l.s.h
	if l.s.avail < 0 { // the result is not filled from its start, so it cannot grow with the data
		raw, err := l.s.bytes(int(h.NBytes()), nil)
		if err != nil {
			return nil, err
		}
		v, err := As[T](newArray(h, raw))
		if err != nil {
			return nil, l.locate(err)
		}
		return v.ToSlice(), nil
	}
	data := makeElements[T](h.Size())
	if len(data) == 0 {
		return data, nil
	}
	b := newBoxes(h, boxBytes)
	strides, boxStrides := contiguous(h.Shape, 1, false), contiguous(b.box, 1, true)
	buf := make([]byte, b.elements*h.DType.ItemSize())
	values := make([]T, b.elements)
	for box := range b.all() {
		n := box.elements * h.DType.ItemSize()
		if err := l.s.fill(buf[:n], nil); err != nil {
			return nil, err
		}
		if err := decodeBlocks(l.decode, values[:box.elements], buf[:n], box.first); err != nil {
			return nil, l.locate(err)
		}
		at := 0
		for i, k := range box.origin {
			at += k * strides[i]
		}
		bulk.Copy(data, at, strides, values, 0, boxStrides, box.shape)
	}
	return data, nil
}
