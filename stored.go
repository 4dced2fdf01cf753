package npy

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
)

// A partReader reads parts of an array that is not in memory.
type partReader interface {
	// readPart reads a part in the order in which it is stored, into the memory of buf if it is not nil.
	readPart(ctx context.Context, p Part, buf []byte) (*Array, error)

	// check returns the error of every read after Close.
	check() error

	// data returns the bytes of the elements in stored order, or nil if they cannot be read at any offset.
	data() io.ReaderAt

	// wrap adds the name of the file to an error.
	wrap(err error) error
}

// A stored is an array, or a part of one, that is not in memory: a view without data, whose strides give the places
// of the elements in the file. All views of an array are read in the same way, so slices, fields and transposes cost
// nothing.
type stored struct {
	from    partReader
	view    *Array
	version format.Version
}

// PartSource returns a Source for the array that h describes. read must read any part of it, as [Part.Read] and
// [Part.Array] do: from an archive or over a network. Several goroutines may call read at the same time. The errors
// are the errors of [PartOf].
func PartSource(h format.Header, read func(ctx context.Context, p Part) (*Array, error)) (Source, error) {
	if err := check(h); err != nil {
		return nil, err
	}
	return &stored{partFunc(read), newArray(h, nil), h.Version}, nil
}

// A partFunc is a partReader that calls a function of the caller.
type partFunc func(ctx context.Context, p Part) (*Array, error)

func (read partFunc) check() error { return nil }

func (read partFunc) data() io.ReaderAt { return nil }

func (read partFunc) wrap(err error) error { return err }

func (read partFunc) readPart(ctx context.Context, p Part, buf []byte) (*Array, error) {
	a, err := read(ctx, p)
	if err != nil || buf == nil {
		return a, err
	}
	to := p.compact(a.nd.DType, buf[:a.NBytes()])
	to.fill(a)
	return to, nil
}

// fill copies the elements of b, which has the same shape and dtype, to the memory of a.
func (a *Array) fill(b *Array) {
	if a.Size() > 0 {
		bulk.CopyBytes(a.nd.Data, a.nd.Offset, a.nd.Strides, b.nd.Data, b.nd.Offset, b.nd.Strides, a.nd.Shape, a.nd.DType.ItemSize())
	}
}

// DType implements [Source].
func (s *stored) DType() dtype.Type { return s.view.nd.DType }

// Shape implements [Source].
func (s *stored) Shape() []int { return slices.Clone(s.view.nd.Shape) }

// Header returns the header that np.save would write, with the version of the file.
func (s *stored) Header() format.Header {
	h := s.view.header()
	h.Version = s.version
	return h
}

// Select implements [Source].
func (s *stored) Select(index ...Index) (Source, error) {
	if err := s.from.check(); err != nil {
		return nil, s.from.wrap(err)
	}
	view, err := s.view.Slice(index...)
	if err != nil {
		return nil, s.from.wrap(err)
	}
	return &stored{s.from, view, s.version}, nil
}

// StoredOrder returns the transposed array if that is in C order and the array is not.
func (s *stored) StoredOrder() (Source, bool) {
	if s.view.header().FortranOrder {
		return &stored{s.from, s.view.T(), s.version}, true
	}
	return s, false
}

// Data returns the elements as bytes, if they are contiguous in C order.
func (s *stored) Data() (*io.SectionReader, bool) {
	r := s.from.data()
	if r == nil || !s.view.IsC() {
		return nil, false
	}
	return io.NewSectionReader(r, int64(s.view.nd.Offset), int64(s.view.NBytes())), true
}

// ReadAll implements [Source].
func (s *stored) ReadAll(ctx context.Context) (*Array, error) {
	switch {
	case s.from.check() != nil:
		return nil, s.from.wrap(s.from.check())
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	a, err := s.from.readPart(ctx, partOf(s.view), nil)
	return a, s.from.wrap(err)
}

// Blocks implements [Source].
func (s *stored) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		switch {
		case s.from.check() != nil:
			yield(nil, s.from.wrap(s.from.check()))
			return
		case ctx.Err() != nil:
			yield(nil, context.Cause(ctx))
			return
		case s.view.NBytes() == 0:
			if s.view.Size() > 0 {
				yield(newArray(format.Header{DType: s.view.nd.DType, Shape: s.view.nd.Shape}, nil), nil)
			}
			return
		}
		if memory <= 0 {
			memory = defaultBlocks
		}
		x := &copyJob{src: s, view: s.view, memory: memory, pieceMax: pieceMax, sequence: true}
		x.h = format.Header{DType: s.view.nd.DType, Shape: s.view.nd.Shape}
		stop := errors.New("no more is wanted")
		err := x.each(ctx, false, func(b block, data []byte) error {
			if !yield(newArray(format.Header{DType: x.h.DType, Shape: b.shape}, data), nil) {
				return stop
			}
			return nil
		})
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}

// readBox implements [boxReader].
func (s *stored) readBox(ctx context.Context, view *Array, b block, buf []byte) (*Array, error) {
	a, err := s.from.readPart(ctx, partOf(view.box(b)), buf)
	return a, s.from.wrap(err)
}

func (s *stored) wrap(err error) error { return s.from.wrap(err) }

func (s *stored) check() error { return s.from.check() }
