package diff

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/source"
)

// A Side is one of two arrays that are compared: what its elements are, and a way to go through them.
type Side struct {
	dtype   dtype.Type
	shape   []int
	version format.Version // the zero Version if there is no file
	fortran bool           // the elements are stored in Fortran order, and the order makes a difference
	blocks  iter.Seq2[[]byte, error]
	array   *npy.Array  // nil unless all is in memory
	at      io.ReaderAt // the elements in C order; nil if they cannot be read at any place
}

const (
	pieceBytes = 4 << 20  // of a view or a stream, copied or read at once
	fileMemory = 64 << 20 // more would only help where a file is in Fortran order
)

// OfArray returns an array as a Side. It shares the memory of a.
func OfArray(a *npy.Array) Side {
	return Side{
		dtype: a.DType(), shape: a.Shape(), fortran: a.IsFortran() && !a.IsC(), array: a,
		blocks: func(yield func([]byte, error) bool) { pieces(a, yield) },
	}
}

// pieces goes through the elements of a in C order, as they lie in memory or copied a few at a time.
func pieces(a *npy.Array, yield func([]byte, error) bool) bool {
	if a.NBytes() == 0 {
		return true
	}
	if data, ok := a.ViewBytes(); ok && a.IsC() {
		return yield(data, nil)
	}
	if a.NDim() == 0 || a.NBytes() <= pieceBytes {
		return yield(a.Bytes(), nil)
	}
	rows := a.Len()
	step := max(1, pieceBytes/(a.NBytes()/rows))
	for i := 0; i < rows; i += step {
		index := npy.Span(i, min(i+step, rows))
		if step == 1 {
			index = npy.At(i)
		}
		part, err := a.Slice(index)
		if err != nil {
			return yield(nil, err)
		}
		if !pieces(part, yield) {
			return false
		}
	}
	return true
}

// OfFile returns a file, or the part f[index...] of it, as a Side. Nothing is read before the comparison. The errors are
// those of [npy.PartOf].
func OfFile(f *npy.File, index ...npy.Index) (Side, error) {
	h := f.Header()
	part, err := npy.PartOf(h, index...)
	if err != nil {
		return Side{}, err
	}
	s := Side{dtype: part.DType(), shape: part.Shape(), version: h.Version}
	s.fortran = h.FortranOrder && longAxes(s.shape) > 1
	if len(index) == 0 && !s.fortran && s.dtype.ItemSize() <= pieceBytes {
		s.at = f.Data()
	}
	s.blocks = func(yield func([]byte, error) bool) {
		for block, err := range f.Blocks(fileMemory, index...) {
			if err != nil {
				yield(nil, err)
				return
			}
			data, _ := block.ViewBytes() // it is in C order
			if !yield(data, nil) {
				return
			}
		}
	}
	return s, nil
}

// OfStream returns the array whose header h has been read from r as a Side; r is at its elements. Arrays in Fortran order
// are no stream in C order: the error wraps errors.ErrUnsupported, and so it does for objects. Data that ends early is an
// error of the comparison, a [*format.Error] that wraps io.ErrUnexpectedEOF.
func OfStream(h format.Header, r io.Reader) (Side, error) {
	if err := h.Validate(); err != nil {
		return Side{}, err
	}
	s := Side{dtype: h.DType, shape: h.Shape, version: h.Version}
	switch {
	case h.DType.HasObject():
		return s, fmt.Errorf("diff: a stream of objects: %w; read it whole", errors.ErrUnsupported)
	case h.FortranOrder && longAxes(h.Shape) > 1:
		return s, fmt.Errorf("diff: a stream in Fortran order: %w; read it whole", errors.ErrUnsupported)
	}
	s.blocks = func(yield func([]byte, error) bool) { stream(h, r, yield) }
	return s, nil
}

// stream reads whole elements, and no more of a large one than has arrived.
func stream(h format.Header, r io.Reader, yield func([]byte, error) bool) {
	size, total := int64(h.DType.ItemSize()), h.NBytes()
	const first = 64 << 10 // bytes of the first piece; the next are eight times as large
	var buf []byte
	if size <= pieceBytes {
		buf = make([]byte, min(total, max(first/max(size, 1), 1)*size))
	}
	for have := int64(0); have < total; {
		data, n, err := buf, 0, error(nil)
		if buf == nil {
			data, err = bounded.ReadAll(r, int(size))
			n = len(data)
		} else {
			data = buf[:min(total-have, int64(len(buf)))]
			n, err = bounded.ReadFull(r, data)
		}
		have += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = source.ErrShort(h, have)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(data, nil) {
			return
		}
		if most := pieceBytes / max(size, 1) * size; buf != nil && int64(len(buf)) < most {
			buf = make([]byte, min(total-have, 8*int64(len(buf)), most))
		}
	}
}

// longAxes returns the number of axes along which there is more than one element.
func longAxes(shape []int) int {
	n := 0
	for _, k := range shape {
		if k > 1 {
			n++
		}
	}
	return n
}
