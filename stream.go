package npy

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/source"
)

// A Stream is an array that is read in sequence, from a pipe or a connection. It is a [Source] that can be read once:
// a second ReadAll, or a second loop over Blocks, of the Stream or of its selections, is an error that wraps
// [errors.ErrUnsupported]. Memory grows only with data that has arrived.
type Stream struct {
	header format.Header
	r      io.Reader
	read   *atomic.Bool // shared with the Stream of StoredOrder
}

// NewStream returns the array whose header h has been read from r. The position of r is the start of the elements:
//
//	h, err := format.ReadHeader(r)
//	s, err := npy.NewStream(h, r)
//
// A stream in Fortran order gives its blocks in C order after it has been read as a whole; [StoredOrder] gives the
// transposed array block by block. A stream of Python objects is an error that wraps [errors.ErrUnsupported]; [Read]
// reads it as a whole. Data that ends early is an error of the read that reaches the end: a [*format.Error] that wraps
// io.ErrUnexpectedEOF.
func NewStream(h format.Header, r io.Reader) (*Stream, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	h.Shape = slices.Clone(h.Shape)
	if h.DType.HasObject() {
		return nil, diag.Errorf("npy", "a stream of Python objects has no pieces: %w; Read takes it as a whole", errors.ErrUnsupported)
	}
	return &Stream{header: h, r: r, read: new(atomic.Bool)}, nil
}

// Header returns the header of the array.
func (s *Stream) Header() format.Header {
	h := s.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// DType implements [Source].
func (s *Stream) DType() dtype.Type { return s.header.DType }

// Shape implements [Source].
func (s *Stream) Shape() []int { return slices.Clone(s.header.Shape) }

// OnePass reports true: see [Rereadable].
func (s *Stream) OnePass() bool { return true }

// Select returns a[index...]. Reading the result reads the stream up to the last byte of a[index...]. Of bytes that are not
// selected, memory holds few.
func (s *Stream) Select(index ...Index) (Source, error) {
	if copied, ok, err := selectCopy(s, index); ok {
		return copied, err
	}
	p, err := SelectionOf(s.header, index...)
	if err != nil {
		return nil, err
	}
	return &wholeSource{p.array, func(ctx context.Context) (*Array, error) { return s.readPart(ctx, p) }, true}, nil
}

// ReadAll reads the whole array.
func (s *Stream) ReadAll(ctx context.Context) (*Array, error) {
	p, err := SelectionOf(s.header)
	if err != nil {
		return nil, err
	}
	return s.readPart(ctx, p)
}

// StoredOrder returns s, or the transposed array and true if the stream is in Fortran order: see [StoredOrder]. Only
// one of the two can be read.
func (s *Stream) StoredOrder() (Source, bool) {
	if !s.reordered() {
		return s, false
	}
	h := s.Header()
	h.FortranOrder = false
	slices.Reverse(h.Shape)
	return &Stream{header: h, r: s.r, read: s.read}, true
}

// reordered reports whether the stream is in Fortran order and C order is not the same.
func (s *Stream) reordered() bool { return inFortranOrder(s.header) }

// begin returns an error if the stream has been read before.
func (s *Stream) begin(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.read.Swap(true) {
		return diag.Errorf("npy", "the stream has been read and cannot be read again: %w; read it into memory once, or give a file", errors.ErrUnsupported)
	}
	return nil
}

func (s *Stream) readPart(ctx context.Context, p Selection) (*Array, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if n := int64(p.array.NBytes()); p.End-p.Start > max(sparseStream, 2*n) {
		return s.readSparse(ctx, p)
	}
	if n, err := io.CopyN(io.Discard, s.r, p.Start); err != nil {
		return nil, s.early(n, err)
	}
	data, err := bounded.ReadAll(s.r, int(p.End-p.Start))
	if err != nil {
		return nil, s.early(p.Start+int64(len(data)), err)
	}
	return p.Array(data)
}

// sparseStream is the number of bytes from the first to the last of a part that may always be held.
const sparseStream = 16 << 20

// sparseGap is the number of bytes between two elements that are read through with them.
const sparseGap = 1 << 20

// readSparse reads a part with many bytes between its elements. Its memory grows with the data that arrives.
func (s *Stream) readSparse(ctx context.Context, p Selection) (*Array, error) {
	plan := p.array.nd.Plan(sparseGap)
	sizes := bounded.Sizes(p.array.NBytes(), bounded.First)
	from := &forward{r: s.r}
	var data, buf []byte
	for i := range plan.Count {
		run := plan.Run(i)
		for int64(len(data)) < run.Place+run.Bytes {
			grown := bulk.MakeFill[byte](sizes[0])
			copy(grown, data)
			data, sizes = grown, sizes[1:]
		}
		err := context.Cause(ctx)
		if err == nil {
			err = plan.ReadRun(data, from, 0, run, &buf)
		}
		if err != nil {
			return nil, s.early(from.at, from.err(err))
		}
	}
	return p.array.compact(p.array.nd.DType, data), nil
}

// A forward is a stream as an io.ReaderAt whose offsets ascend.
type forward struct {
	r     io.Reader
	at    int64
	ended error
}

// ReadAt implements [io.ReaderAt].
func (f *forward) ReadAt(p []byte, off int64) (int, error) {
	skipped, err := io.CopyN(io.Discard, f.r, off-f.at)
	n := 0
	if err == nil {
		n, err = bounded.ReadFull(f.r, p)
	}
	f.at, f.ended = f.at+skipped+int64(n), err
	return n, err
}

// err returns the error of the stream, if there was one, in place of the error of a reader of it.
func (f *forward) err(other error) error {
	if f.ended != nil {
		return f.ended
	}
	return other
}

// early adds the offset of the end to the error for data that ends early.
func (s *Stream) early(have int64, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return source.ErrShort(s.header, have)
	}
	return err
}

// Blocks implements [Source].
func (s *Stream) Blocks(ctx context.Context, memory int64) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		if s.reordered() {
			a, err := s.ReadAll(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			a.Blocks(ctx, memory)(yield)
			return
		}
		if err := s.begin(ctx); err != nil {
			yield(nil, err)
			return
		}
		if s.header.NBytes() > 0 {
			s.blocks(ctx, memory, yield)
		} else if s.header.Size() > 0 {
			yield(newArray(s.header, nil), nil)
		}
	}
}

const (
	firstPiece = 64 << 10 // bytes of the first piece, small for the sake of short streams
	growPieces = 8        // growth factor from one piece to the next
)

// blocks reads pieces. A piece reuses the memory of the one before if that is large enough.
func (s *Stream) blocks(ctx context.Context, memory int64, yield func(*Array, error) bool) {
	size, shape := s.header.DType.ItemSize(), s.header.Shape
	most := pieceElements(memory, size)
	n := min(most, max(firstPiece/size, 1))
	var buf []byte
	have := int64(0)
	for at := 0; at < s.header.Size(); n = min(n*growPieces, most) {
		b := nd.RunFrom(shape, at, n)
		bytes := nd.Size(b.Shape) * size
		var err error
		if data := buf; bytes <= len(data) {
			bytes, err = bounded.ReadFull(s.r, data[:bytes])
		} else {
			buf, err = bounded.ReadAll(s.r, bytes)
			bytes = len(buf)
		}
		if have += int64(bytes); err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			yield(nil, s.early(have, err))
			return
		}
		if !yield(newArray(format.Header{DType: s.header.DType, Shape: b.Shape}, buf[:bytes]), nil) {
			return
		}
		at += bytes / size
	}
}
