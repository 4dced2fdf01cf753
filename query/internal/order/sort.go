package order

import (
	"context"
	"io"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/source"
)

// A Sort has the settings of a sort. Rows with equal keys keep their order.
type Sort struct {
	By         []sortkey.Key // the keys, the most important first; nil means all fields
	Descending bool          // reverses the order of all keys
	Memory     int64         // the target for the memory of the process, in bytes; 0 means the default
	Temp       string        // the path next to which the temporary file is made
	Encoder    npy.Encoder
	Progress   func(done, total int64) // gets the bytes read and written, or is nil

	rowsInMemory int // for tests: replaces the number that Memory allows
}

// WriteFile sorts src into an .npy file by way of temporary files in its folder. An error leaves the old file unchanged.
func (s Sort) WriteFile(ctx context.Context, path string, src npy.Source) error {
	s.Temp = path
	sorted, err := s.Open(ctx, src)
	if err != nil {
		return err
	}
	defer sorted.Close()
	return sorted.WriteFile(ctx, path)
}

// Write sorts src and writes it to w as an .npy file.
func (s Sort) Write(ctx context.Context, w io.Writer, src npy.Source) error {
	sorted, err := s.Open(ctx, src)
	if err != nil {
		return err
	}
	defer sorted.Close()
	return sorted.Write(ctx, w)
}

// Array returns the rows of src in sorted order, in new memory. src is held in memory.
func (s Sort) Array(ctx context.Context, src npy.Source) (*npy.Array, error) {
	p, data, n, err := s.inMemory(ctx, src)
	if err != nil {
		return nil, err
	}
	out := bulk.MakeFill[byte](len(data))
	if err := newSorter(p).into(ctx, out, data, n); err != nil {
		return nil, err
	}
	return npy.FromBytes(src.DType(), out, src.Shape()...)
}

// inMemory reads src, and returns the plan of its keys, its bytes in C order and the number of rows.
func (s Sort) inMemory(ctx context.Context, src npy.Source) (p *sortkey.Plan, data []byte, n int, err error) {
	if p, err = sortkey.For(src, s.By, s.Descending); err != nil {
		return nil, nil, 0, err
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	if n = a.Len(); int64(n) > rowsMax {
		return nil, nil, 0, tooManyRows(n)
	}
	data, ok := a.ViewBytes()
	if !ok || !a.IsC() {
		data = a.Bytes()
	}
	return p, data, n, nil
}

// Argsort returns the positions of the rows of src in sorted order. src is held in memory.
func (s Sort) Argsort(ctx context.Context, src npy.Source) ([]int, error) {
	p, data, n, err := s.inMemory(ctx, src)
	if err != nil {
		return nil, err
	}
	t := newKeyTable(n, true)
	if err := (&sorter{plan: p}).order(ctx, t, data); err != nil {
		return nil, err
	}
	rows := make([]int, n)
	for i, row := range t.rows {
		rows[i] = int(row)
	}
	return rows, nil
}

// Open sorts src and returns the result, which is in memory or, if it needs more than Memory, in a temporary file. It reads src once.
func (s Sort) Open(ctx context.Context, src npy.Source) (*Sorted, error) {
	p, err := sortkey.For(src, s.By, s.Descending)
	if err != nil {
		return nil, err
	}
	n, size, err := rowsource.Shape(src)
	if err != nil {
		return nil, err
	}
	out := &Sorted{dtype: src.DType(), shape: src.Shape(), plan: p, encoder: s.Encoder, progress: s.Progress}
	if n == 0 || size == 0 {
		a, err := src.ReadAll(ctx)
		if err == nil {
			out.data = a.Bytes()
		}
		return out, err
	}
	r, err := s.newRunMaker(out, n, size)
	if err != nil {
		return nil, err
	}
	runs, err := rowsource.Runs(ctx, src, size)
	if err != nil {
		return nil, err
	}
	if runs != nil {
		return s.openCounted(ctx, src, p, runs)
	}
	if err := r.run(ctx, src, n); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// openCounted sorts runs of rows.
func (s Sort) openCounted(ctx context.Context, src npy.Source, p *sortkey.Plan, runs iter.Seq2[source.Run, error]) (*Sorted, error) {
	n, size := src.Shape()[0], p.Row
	plan := p.Widened(countBytes)
	out := &Sorted{dtype: src.DType(), shape: src.Shape(), plan: plan, encoder: s.Encoder, progress: s.Progress}
	out.counted = &countedRows{row: size, check: func(n int64) error { return source.CheckBytes(src, n) }}
	r, err := s.newRunMaker(out, n, size)
	if err != nil {
		return nil, err
	}
	x := &countedSort{runMaker: r, row: size}
	if err := x.run(ctx, runs); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// newRunMaker returns the runMaker that sorts n rows of size bytes into out, which may have more bytes for each row.
func (s Sort) newRunMaker(out *Sorted, n, size int) (*runMaker, error) {
	memory, err := share(s.Memory, n, out.plan.Row)
	if err != nil {
		return nil, err
	}
	if s.rowsInMemory > 0 {
		memory.rows = min(s.rowsInMemory, n)
	}
	return &runMaker{sorter: newSorter(out.plan), memory: memory, temp: s.Temp, progress: s.Progress, out: out, total: int64(n) * int64(size)}, nil
}
