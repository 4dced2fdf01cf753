package order

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/source"
)

// A Sorted is the result of a [Sort], and a [npy.Source]. Several goroutines may use it.
type Sorted struct {
	dtype dtype.Type
	shape []int
	plan  *sortkey.Plan

	encoder  npy.Encoder
	progress func(done, total int64)

	counted *countedRows // nil if rows are stored without their number

	data []byte   // all rows, if they are in memory
	rows []uint32 // the order of the rows in data; nil if data is sorted

	spill  *spill // sorted runs, if the rows are not in memory
	mu     sync.Mutex
	memory *mergeMemory // nil while a merge uses it
	closed atomic.Bool
}

// Close removes the temporary file, if there is one. The Sorted must not be read afterwards.
func (s *Sorted) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if s.spill != nil {
		s.spill.close()
	}
	return nil
}

// DType returns the dtype, which is the dtype of the source.
func (s *Sorted) DType() dtype.Type { return s.dtype }

// Shape returns the shape of the source. The slice is a copy.
func (s *Sorted) Shape() []int { return slices.Clone(s.shape) }

// Select returns a part of the array. Reading it sorts the rows up to the last that is selected, and takes memory for the
// rows from the first to the last.
func (s *Sorted) Select(index ...npy.Index) (npy.Source, error) {
	if s.closed.Load() {
		return nil, closable.ErrClosed
	}
	src, err := source.FromParts(format.Header{DType: s.dtype, Shape: s.shape}, s.readPart)
	if err != nil {
		return nil, err
	}
	if src, err = src.Select(index...); err != nil {
		return nil, err
	}
	return source.Whole(src.DType(), src.Shape(), src.ReadAll), nil
}

// readPart reads a part of the sorted rows.
func (s *Sorted) readPart(ctx context.Context, p npy.Selection) (*npy.Array, error) {
	data := bulk.MakeFill[byte](int(p.End - p.Start))
	at, stop := int64(0), errors.New("stop")
	err := s.pieces(ctx, func(rows []byte) error {
		if at+int64(len(rows)) > p.Start {
			copy(data[max(at-p.Start, 0):], rows[max(p.Start-at, 0):])
		}
		if at += int64(len(rows)); at >= p.End {
			return stop
		}
		return nil
	})
	if err != nil && err != stop {
		return nil, err
	}
	return p.Array(data)
}

// ReadAll returns the sorted rows in memory of their own.
func (s *Sorted) ReadAll(ctx context.Context) (*npy.Array, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	n := 1
	for _, k := range s.shape[1:] {
		n *= k
	}
	size := n * s.dtype.ItemSize()
	if size > 0 && s.shape[0] > (1<<(bulkBits-1)-1)/size {
		return nil, tooManyRows(s.shape[0])
	}
	if s.counted != nil {
		if err := s.counted.check(int64(s.shape[0]) * int64(size)); err != nil {
			return nil, err
		}
	}
	data := bulk.MakeFill[byte](s.shape[0] * size)
	at := 0
	err := s.pieces(ctx, func(rows []byte) error {
		at += copy(data[at:], rows)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return npy.FromBytes(s.dtype, data, s.shape...)
}

// Blocks yields the sorted rows in blocks, of at most 4 MiB or one row. Memory is not used.
func (s *Sorted) Blocks(ctx context.Context, _ int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		shape := s.Shape()
		stop := errors.New("stop")
		err := s.pieces(ctx, func(rows []byte) error {
			if size := s.rowBytes(); size > 0 {
				shape[0] = len(rows) / size
			}
			block, err := npy.FromBytes(s.dtype, rows, shape...)
			if err == nil && !yield(block, nil) {
				err = stop
			}
			return err
		})
		if err != nil && err != stop {
			yield(nil, err)
		}
	}
}

// rowBytes returns the size of a row.
func (s *Sorted) rowBytes() int {
	if s.counted != nil {
		return s.counted.row
	}
	return s.plan.Row
}

// pieces calls emit for the sorted rows, in pieces that are valid until it returns. The limits of the source apply to
// copies.
func (s *Sorted) pieces(ctx context.Context, emit func(rows []byte) error) error {
	if s.counted == nil {
		return s.rowsOnce(ctx, emit)
	}
	if err := s.counted.check(s.counted.copies + s.counted.zeros); err != nil {
		return err
	}
	return s.counts(ctx, func(rows []byte, times int) error { return copiesOf(ctx, rows, times, emit) })
}

// counts calls emit for the sorted rows, with the number of times that they occur.
func (s *Sorted) counts(ctx context.Context, emit func(rows []byte, times int) error) error {
	if s.counted == nil {
		return s.rowsOnce(ctx, func(rows []byte) error { return emit(rows, 1) })
	}
	var buf []byte
	return s.rowsOnce(ctx, func(piece []byte) error { return s.counted.runs(piece, &buf, emit) })
}

// rowsOnce calls emit for the sorted rows, with their numbers if they have some, in pieces that are valid until it returns.
func (s *Sorted) rowsOnce(ctx context.Context, emit func(rows []byte) error) error {
	switch {
	case s.closed.Load():
		return closable.ErrClosed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case slices.Contains(s.shape, 0):
		return nil
	case s.plan.Row == 0:
		return emit(s.data)
	case s.spill != nil && len(s.spill.runs) == 1:
		return s.onlyRun(ctx, emit)
	case s.spill != nil:
		a := s.takeMemory()
		defer s.giveMemory(a)
		return a.merge(ctx, s.plan, s.spill.f, s.spill.runs, emit)
	}
	size := s.plan.Row
	step, n := max(pieceBytes/size, 1), len(s.data)/size
	var buf []byte
	for low := 0; low < n; low += step {
		high := min(low+step, n)
		piece := s.data[low*size : high*size]
		if s.rows != nil {
			if buf == nil {
				buf = bulk.Make(len(piece))
			}
			piece = buf[:len(piece)]
			if err := gather(ctx, piece, s.data, s.rows[low:high], size); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := emit(piece); err != nil {
			return err
		}
	}
	return nil
}

const bulkBits = 32 << (^uint(0) >> 63) // of an int

// takeMemory returns the memory for a merge: the memory in which the rows were sorted, unless another merge uses it.
func (s *Sorted) takeMemory() *mergeMemory {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.memory; a != nil {
		s.memory = nil
		return a
	}
	rows := max(memoryMin/s.plan.Row, 2*len(s.spill.runs))
	return &mergeMemory{data: bulk.MakeFill[byte](rows * s.plan.Row), keys: make([]uint64, rows), piece: pieceBytes}
}

func (s *Sorted) giveMemory(a *mergeMemory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory = a
}

// reduce merges runs into longer ones until at most some are left.
func (s *Sorted) reduce(ctx context.Context, temp string, most int) error {
	for {
		ways, runs := s.memory.ways(s.plan.Row), s.spill.runs
		if len(runs) <= most {
			return nil
		}
		longer, err := newSpill(temp)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(runs, ways) {
			longer.begin()
			if err := s.memory.merge(ctx, s.plan, s.spill.f, part, longer.write); err != nil {
				longer.close()
				return err
			}
		}
		s.spill.close()
		s.spill = longer
	}
}
