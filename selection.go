package npy

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/blockwise"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

// A Selection is the bytes of a file that an index needs, so that a program reads only these bytes: from an archive, over
// a network. [Selection.Read] reads them; [Selection.Ranges] lists the reads.
type Selection struct {
	// Start and End are the range of the elements' bytes that the index touches, counted from the first byte after
	// the header. The range may contain bytes that the index does not touch. Both are 0 if nothing is selected.
	Start, End int64

	array *Array // without data
}

// SelectionOf finds the bytes that a[index...] needs of the array a that h describes. The errors are the errors of
// [Array.Slice], and [ErrObjects].
func SelectionOf(h format.Header, index ...Index) (Selection, error) {
	if err := check(h); err != nil {
		return Selection{}, err
	}
	a, err := newArray(h, nil).Slice(index...)
	if err != nil {
		return Selection{}, err
	}
	return selectionOf(a), nil
}

// selectionOf returns the Selection for the view a of an array in a file. The view has places for its elements, but no data.
func selectionOf(a *Array) Selection {
	low, high := a.nd.Extent()
	return Selection{int64(low), int64(high), a}
}

// DType returns the type of the elements of a[index...].
func (p Selection) DType() dtype.Type { return p.array.nd.DType }

// Shape returns the number of elements of a[index...] along each axis. The slice is a copy.
func (p Selection) Shape() []int { return slices.Clone(p.array.nd.Shape) }

// Offset returns the place of the first element of a[index...], in bytes from the start of the elements. It is 0 if
// there are no elements.
func (p Selection) Offset() int64 { return int64(p.array.nd.Offset) }

// Strides returns the step in bytes along each axis of a[index...], between the places of the elements in the file. It
// may be negative. The slice is a copy.
func (p Selection) Strides() []int { return slices.Clone(p.array.nd.Strides) }

// Slice returns the part a[index...][more...]. The errors are the errors of [Array.Slice].
func (p Selection) Slice(more ...Index) (Selection, error) {
	a, err := p.array.Slice(more...)
	if err != nil {
		return Selection{}, err
	}
	return selectionOf(a), nil
}

// Array returns a[index...], given the bytes of the file from Start to End, whose memory it shares. Data of another
// length is an error.
func (p Selection) Array(data []byte) (*Array, error) {
	if int64(len(data)) != p.End-p.Start {
		return nil, diag.Errorf("npy", "%d bytes given for a part of %d", len(data), p.End-p.Start)
	}
	a := *p.array
	a.nd.Data = data
	a.nd.Offset -= int(p.Start)
	return &a, nil
}

// ReadOptions configures reads of files. The zero value suits local files.
type ReadOptions struct {
	// Gap is the largest run of unwanted bytes that is read through to merge two reads. 0 means 4 KiB, which take as
	// long as another read if the file is in the kernel's memory. Negative numbers mean none. Where each read is a
	// request, over a network for example, 1 MiB is a good choice. The maximum is 64 MiB.
	Gap int64

	// Workers is the number of concurrent reads, by as many goroutines. 0 means one for little data, and up to four for
	// more, from 8 MiB of a part or 4 MiB of a whole array on. Over a network, where reads take long and cost little, 16
	// is an example.
	Workers int
}

const (
	defaultGap = 4 << 10
	gapMax     = 64 << 20
	parallel   = 8 << 20 // smallest number of bytes for more than one worker
)

func (o ReadOptions) gap() int64 {
	if o.Gap == 0 {
		return defaultGap
	}
	return min(max(o.Gap, 0), gapMax)
}

func (o ReadOptions) workers(bytes int64) int {
	switch {
	case o.Workers > 0:
		return o.Workers
	case bytes < parallel:
		return 1
	}
	return min(par.Workers(), 4)
}

// A Range is the bytes from Start up to, but not including, End: of a file, or of its elements.
type Range struct {
	Start, End int64 // offsets in bytes
}

// Ranges yields the reads that [Selection.Read] makes, in the order of the file, with offsets counted as Start and End
// are. Together the reads have every byte that the index selects. Other bytes lie only in gaps of at most o.Gap
// bytes. No read is over 1 MiB, or 8 times o.Gap if that is more.
func (p Selection) Ranges(o ReadOptions) iter.Seq[Range] {
	return func(yield func(Range) bool) {
		plan := p.array.nd.Plan(o.gap())
		for i := range plan.Count {
			if r := plan.Run(i); !yield(Range{r.Start, r.Start + r.Extent}) {
				return
			}
		}
	}
}

// Read reads a[index...] from r, where the elements of the whole array begin at offset. The result has memory of its
// own, exactly as much as it needs, in the order of the file: numpy.array of a slice of a memory map.
//
// The memory is allocated before anything is read. The caller must check that r has as many bytes as the header says,
// as [OpenReaderAt] does. With more than one worker r is used by several goroutines.
func (p Selection) Read(ctx context.Context, r io.ReaderAt, offset int64, o ReadOptions) (*Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	data := bulk.MakeFill[byte](p.array.NBytes())
	if err := p.readInto(ctx, data, r, offset, o); err != nil {
		return nil, err
	}
	return p.array.compact(p.array.nd.DType, data), nil
}

// readInto fills dst with the bytes of the part.
func (p Selection) readInto(ctx context.Context, dst []byte, r io.ReaderAt, offset int64, o ReadOptions) error {
	plan := p.array.nd.Plan(o.gap())
	return plan.Read(ctx, dst, r, offset, o.workers(int64(len(dst))))
}

// A partReader reads parts of an array that is not in memory.
type partReader interface {
	// readPart reads a part in the order in which it is stored, into the memory of buf if it is not nil.
	readPart(ctx context.Context, p Selection, buf []byte) (*Array, error)

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

// fromParts is FromParts of package source.
func fromParts(h format.Header, read func(ctx context.Context, p Selection) (*Array, error)) (Source, error) {
	if err := check(h); err != nil {
		return nil, err
	}
	return &stored{partFunc(read), newArray(h, nil), h.Version}, nil
}

// A partFunc is a partReader that calls a function of the caller.
type partFunc func(ctx context.Context, p Selection) (*Array, error)

func (read partFunc) check() error { return nil }

func (read partFunc) data() io.ReaderAt { return nil }

func (read partFunc) wrap(err error) error { return err }

func (read partFunc) readPart(ctx context.Context, p Selection, buf []byte) (*Array, error) {
	a, err := read(ctx, p)
	if err != nil || buf == nil {
		return a, err
	}
	to := p.array.compact(a.nd.DType, buf[:a.NBytes()])
	to.nd.Fill(&a.nd)
	return to, nil
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
	if copied, ok, err := selectCopy(s, index); ok {
		return copied, s.from.wrap(err)
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
	a, err := s.from.readPart(ctx, selectionOf(s.view), nil)
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
		x := &blockwise.Job{Source: s, View: s.view.nd, Memory: memory, BlockMax: pieceMax, Sequence: true}
		x.Header = format.Header{DType: s.view.nd.DType, Shape: s.view.nd.Shape}
		stop := errors.New("the caller wants no more")
		err := x.Each(ctx, func(b nd.Box, data []byte) error {
			if !yield(newArray(format.Header{DType: x.Header.DType, Shape: b.Shape}, data), nil) {
				return stop
			}
			return nil
		})
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}

// ReadBox implements [blockwise.Source].
func (s *stored) ReadBox(ctx context.Context, view *nd.Array, b nd.Box, buf []byte) (nd.Array, error) {
	b.Shape = slices.Clone(b.Shape)
	a, err := s.from.readPart(ctx, selectionOf(arrayOf(view.Box(b))), buf)
	if err != nil {
		return nd.Array{}, s.from.wrap(err)
	}
	return a.nd, nil
}

// Announce implements [blockwise.Source].
func (s *stored) Announce(view *nd.Array) {
	low, high := view.Extent()
	if r := s.from.data(); r != nil && high-low == view.NBytes() {
		announce.Reads(r, int64(low), int64(high-low))
	}
}

// Wrap implements [blockwise.Source].
func (s *stored) Wrap(err error) error { return s.from.wrap(err) }
