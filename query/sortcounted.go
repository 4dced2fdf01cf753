package query

import (
	"context"
	"encoding/binary"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
)

// Rows that are known to be equal are sorted as one row, with their number after it. Rows with equal keys keep their order, so that
// copies of one row that follow each other do so in the result.

// countBytes is the size of the number after each row.
const countBytes = 8

// A countedSort reads runs of rows and sorts them with their numbers.
type countedSort struct {
	*runMaker
	row  int    // bytes, without the number
	data []byte // rows with their numbers that are not sorted yet
	size int64  // bytes of all rows
}

// openCounted sorts runs of rows.
func (s Sort) openCounted(ctx context.Context, src npy.Source, p *keyPlan, runs iter.Seq2[npy.Run, error]) (*Sorted, error) {
	n, size := src.Shape()[0], p.row
	plan := *p
	plan.row += countBytes
	out := &Sorted{dtype: src.DType(), shape: src.Shape(), plan: &plan, encoder: s.Encoder, progress: s.Progress}
	out.counted = &countedRows{row: size, check: func(n int64) error { return npy.CheckBytes(src, n) }}
	memory, err := s.share(n, plan.row)
	if err != nil {
		return nil, err
	}
	r := &runMaker{Sort: s, sorter: &sorter{plan: &plan}, memory: memory, out: out, total: int64(n) * int64(size)}
	x := &countedSort{runMaker: r, row: size, size: r.total}
	if err := x.run(ctx, runs); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// run takes all runs.
func (x *countedSort) run(ctx context.Context, runs iter.Seq2[npy.Run, error]) error {
	for run, err := range runs {
		if err != nil {
			return err
		}
		if run.Value != nil {
			err = x.add(ctx, run.Value, run.Count)
		}
		for at := 0; at < len(run.Data) && err == nil; at += x.row {
			err = x.add(ctx, run.Data[at:at+x.row], 1)
		}
		if err != nil {
			return err
		}
		if x.done += int64(run.Count) * int64(x.row); x.Progress != nil {
			x.Progress(x.done, 2*x.total)
		}
	}
	if x.out.spill == nil {
		t := newKeyTable(len(x.data)/x.sorter.plan.row, true)
		return x.inMemory(ctx, t, x.data)
	}
	if err := x.spillRun(ctx); err != nil {
		return err
	}
	data := slices.Grow(x.data[:0], x.memory.rows*x.sorter.plan.row)
	x.out.memory = &mergeMemory{data: data[:cap(data)], keys: make([]uint64, x.memory.rows), piece: x.memory.piece}
	return x.out.reduce(ctx, x.Temp)
}

// add adds a row that is there n times.
func (x *countedSort) add(ctx context.Context, row []byte, n int) error {
	if len(x.data) >= x.memory.rows*x.sorter.plan.row {
		if err := x.spillRun(ctx); err != nil {
			return err
		}
	}
	x.data = binary.NativeEndian.AppendUint64(append(x.data, row...), uint64(n))
	if n > 1 {
		x.out.counted.add(row, n)
	}
	return nil
}

// spillRun sorts the rows in memory and writes them to the spill.
func (x *countedSort) spillRun(ctx context.Context) (err error) {
	if x.out.spill == nil {
		if x.out.spill, err = newSpill(x.Temp); err != nil {
			return err
		}
	}
	x.out.spill.begin()
	t := newKeyTable(len(x.data)/x.sorter.plan.row, true)
	err = x.sorter.sorted(ctx, t, x.data, x.memory.piece, x.out.spill.write)
	x.data = x.data[:0]
	return err
}

// countedRows is what a [Sorted] knows of rows that are followed by their number.
type countedRows struct {
	row    int   // bytes, without the number
	copies int64 // bytes of copies that are not zero
	zeros  int64 // bytes of copies that are
	check  func(n int64) error
}

// add counts the copies of a row.
func (c *countedRows) add(row []byte, n int) {
	size := int64(len(row)) * int64(n)
	if bulk.IsZero(row) {
		c.zeros += size
	} else {
		c.copies += size
	}
}

// runs calls emit for the rows of a piece, of which each is followed by its number: for rows that are there once together, and for
// each other row with its number.
func (c *countedRows) runs(piece []byte, buf *[]byte, emit func(rows []byte, times int) error) error {
	single := (*buf)[:0]
	for each := range slices.Chunk(piece, c.row+countBytes) {
		row, n := each[:c.row], int(binary.NativeEndian.Uint64(each[c.row:]))
		if n == 1 {
			single = append(single, row...)
			continue
		}
		if len(single) > 0 {
			if err := emit(single, 1); err != nil {
				return err
			}
		}
		if single = single[:0]; n > 1 {
			if err := emit(row, n); err != nil {
				return err
			}
		}
	}
	*buf = single[:0]
	if len(single) > 0 {
		return emit(single, 1)
	}
	return nil
}

// counts calls emit for the sorted rows, and how many times they are there.
func (s *Sorted) counts(ctx context.Context, emit func(rows []byte, times int) error) error {
	if s.counted == nil {
		return s.rowsOnce(ctx, func(rows []byte) error { return emit(rows, 1) })
	}
	var buf []byte
	return s.rowsOnce(ctx, func(piece []byte) error { return s.counted.runs(piece, &buf, emit) })
}

// pieces calls emit for the sorted rows, in pieces that are valid until it returns. Copies are held against the limits of the
// source.
func (s *Sorted) pieces(ctx context.Context, emit func(rows []byte) error) error {
	if s.counted == nil {
		return s.rowsOnce(ctx, emit)
	}
	if err := s.counted.check(s.counted.copies + s.counted.zeros); err != nil {
		return err
	}
	return s.counts(ctx, func(rows []byte, times int) error { return copiesOf(ctx, rows, times, emit) })
}

// copiesOf calls emit for a row that is there several times, in pieces.
func copiesOf(ctx context.Context, row []byte, times int, emit func(rows []byte) error) error {
	if times == 1 {
		return emit(row)
	}
	for data := range bulk.Copies(row, times, pieceBytes) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := emit(data); err != nil {
			return err
		}
	}
	return nil
}

// A sparseWriter is a file in which zeros can be left out.
type sparseWriter interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// writeCounted writes the rows to a file, of size bytes at the end. Many zero rows become a hole.
func (s *Sorted) writeCounted(ctx context.Context, f sparseWriter, head []byte, size int64) error {
	if err := s.counted.check(s.counted.copies); err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil { // a file system that cannot hold the file says so, and there may be a hole at the end
		return err
	}
	if _, err := f.Write(head); err != nil {
		return err
	}
	write := func(rows []byte) error { _, err := f.Write(rows); return err }
	return s.counts(ctx, func(rows []byte, times int) error {
		if hole := int64(len(rows)) * int64(times); times > 1 && bulk.IsZero(rows) {
			_, err := f.Seek(hole, io.SeekCurrent)
			return err
		}
		return copiesOf(ctx, rows, times, write)
	})
}
