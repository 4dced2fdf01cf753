package order

import (
	"context"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/npygo/npy/source"
)

// A countedSort reads runs of rows and sorts them with their numbers.
type countedSort struct {
	*runMaker
	row  int    // bytes, without the number
	data []byte // rows with their numbers that are not sorted yet
}

// run reads and sorts all runs.
func (x *countedSort) run(ctx context.Context, runs iter.Seq2[source.Run, error]) error {
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
		if x.done += int64(run.Count) * int64(x.row); x.progress != nil {
			x.progress(x.done, 2*x.total)
		}
	}
	if x.out.spill == nil {
		t := newKeyTable(len(x.data)/x.sorter.plan.Row, true)
		return x.inMemory(ctx, t, x.data)
	}
	if err := x.spillRun(ctx); err != nil {
		return err
	}
	data := slices.Grow(x.data[:0], x.memory.rows*x.sorter.plan.Row)
	x.out.memory = &mergeMemory{data: data[:cap(data)], keys: make([]uint64, x.memory.rows), piece: x.memory.piece}
	return x.out.reduce(ctx, x.temp, x.out.memory.ways(x.sorter.plan.Row))
}

// add adds a row that occurs n times.
func (x *countedSort) add(ctx context.Context, row []byte, n int) error {
	if len(x.data) >= x.memory.rows*x.sorter.plan.Row {
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
		if x.out.spill, err = newSpill(x.temp); err != nil {
			return err
		}
	}
	x.out.spill.begin()
	t := newKeyTable(len(x.data)/x.sorter.plan.Row, true)
	err = x.sorter.sorted(ctx, t, x.data, x.memory.piece, x.out.spill.write)
	x.data = x.data[:0]
	return err
}
