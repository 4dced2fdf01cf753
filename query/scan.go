package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/par"
)

const (
	chunkBytes = 512 << 10 // the unit of work of a goroutine
	chunkRows  = 1 << 16
	largeRow   = 64 << 10  // the fields of larger rows are read by themselves
	holdBytes  = 256 << 20 // goroutines together hold no more, unless a row is larger
	emptyRows  = 1 << 20   // the largest number of rows without bytes
)

// A worker is what one goroutine needs to evaluate blocks of rows.
type worker struct {
	env  *env
	buf  []byte
	raw  []byte // the rows of the chunk in C order, or nil
	mask []uint8
	free []byte // memory for rows that are kept
}

// A rowReader gives rows of a source to workers, at any place, on several goroutines.
type rowReader struct {
	size int // bytes read of each row
	load func(ctx context.Context, w *worker, low, n int) error
}

// reader returns how the condition reads src at any place. It returns nil if src is read in sequence.
func (c *Condition) reader(src npy.Source) *rowReader {
	a, inMemory := src.(*npy.Array)
	if inMemory && a.IsC() && !a.DType().HasObject() {
		data, _ := a.ViewBytes()
		return &rowReader{c.rowSize, func(_ context.Context, w *worker, low, n int) error {
			w.raw = data[low*c.rowSize : (low+n)*c.rowSize]
			return nil
		}}
	}
	wanted := 0 // bytes of the columns
	for _, col := range c.columns {
		wanted += nd.Size(col.Dims) * col.DType.ItemSize()
	}
	data, ok := npy.DataOf(src)
	_, isFile := src.(*npy.File)
	if len(c.columns) == 0 && (inMemory || isFile || ok) {
		return &rowReader{load: func(_ context.Context, w *worker, _, _ int) error { w.raw = nil; return nil }}
	}
	if ok && (c.rowSize <= largeRow || wanted > c.rowSize/2) {
		announce.Reads(data, 0, data.Size())
		return &rowReader{c.rowSize, func(_ context.Context, w *worker, low, n int) (err error) {
			w.raw, err = w.read(data, low, n, c.rowSize)
			return err
		}}
	}
	_, reversed := npy.StoredOrder(src)
	if inMemory || isFile || ok || reversed {
		return &rowReader{wanted, func(ctx context.Context, w *worker, low, n int) error { return c.loadColumns(ctx, src, w, low, n) }}
	}
	return nil
}

// read reads rows into the buffer of the worker.
func (w *worker) read(r io.ReaderAt, low, n, size int) ([]byte, error) {
	if cap(w.buf) < n*size {
		w.buf = bulk.MakeFill[byte](n * size)
	}
	buf := w.buf[:n*size]
	k, err := r.ReadAt(buf, int64(low)*int64(size))
	if k == len(buf) {
		return buf, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = fmt.Errorf("query: the data ends within row %d: %w", low+k/size, io.ErrUnexpectedEOF)
	}
	return nil, err
}

// loadColumns reads the columns of rows by themselves.
func (c *Condition) loadColumns(ctx context.Context, src npy.Source, w *worker, low, n int) error {
	rows, err := src.Select(npy.Span(low, low+n))
	if err != nil {
		return err
	}
	w.raw, w.env.chunk = nil, w.env.chunk[:0]
	for _, col := range c.columns {
		part, err := col.selected(rows)
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		w.env.chunk = append(w.env.chunk, a.Bytes())
	}
	return nil
}

// cut gives the env the items of k rows of the chunk whose columns have been read.
func (e *env) cut(low, k int) {
	e.items = e.items[:0]
	for i, data := range e.chunk {
		col := e.c.columns[i]
		size := nd.Size(col.Dims) * col.DType.ItemSize()
		e.items = append(e.items, data[low*size:(low+k)*size])
	}
}

// chunk returns the number of rows in a unit of work, and the number of goroutines.
func (r *rowReader) chunk(rows int) (n, workers int) {
	n = min(max(chunkBytes/max(r.size, 1), 1), chunkRows)
	if n > 64 {
		n &^= 63
	}
	workers = min(par.Workers(), (rows+n-1)/n, max(holdBytes/max(r.size*n, 1), 1))
	return n, max(workers, 1)
}

// rowsOf returns the rows of src that satisfy the condition.
func (c *Condition) rowsOf(ctx context.Context, src npy.Source) (*rowSet, error) {
	set := &rowSet{}
	rows := src.Shape()[0]
	if err := c.checkEmpty(rows); err != nil {
		return nil, err
	}
	r := c.reader(src)
	if c.rowSize == 0 {
		r = &rowReader{load: func(_ context.Context, w *worker, _, _ int) error { w.raw = []byte{}; return nil }}
	}
	runs, err := rowRuns(ctx, src, c.rowSize)
	switch {
	case err != nil:
		return nil, err
	case runs != nil:
		return c.rowsOfRuns(ctx, runs)
	case r != nil:
		err := c.each(ctx, r, 0, rows, set)
		set.finish()
		return set, err
	}
	first := 0
	for block, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return nil, err
		}
		n := block.Shape()[0]
		if n*c.rowSize != block.NBytes() { // part of a row
			return c.rowsOfParts(ctx, src)
		}
		if err := c.each(ctx, c.reader(block), first, n, set); err != nil {
			return nil, err
		}
		first += n
	}
	set.finish()
	return set, nil
}

// rowsOfRuns is rowsOf for runs of rows. Rows that are equal satisfy the condition together.
func (c *Condition) rowsOfRuns(ctx context.Context, runs iter.Seq2[npy.Run, error]) (*rowSet, error) {
	set := &rowSet{}
	w := &worker{env: newEnv(c)}
	for run, err := range runs {
		if err != nil {
			return nil, err
		}
		if run.Value != nil {
			mask, err := c.evaluate(ctx, w.env, int64(set.rows), 1, run.Value, w.mask[:0])
			if err != nil {
				return nil, err
			}
			set.appendEqual(run.Count, mask[0] != 0)
			continue
		}
		rows, err := npy.FromBytes(c.dtype, run.Data, slices.Concat([]int{run.Count}, c.rowShape)...)
		if err == nil {
			err = c.each(ctx, c.reader(rows), set.rows, run.Count, set)
		}
		if err != nil {
			return nil, err
		}
	}
	set.finish()
	return set, nil
}

// rowsOfParts is rowsOf where blocks are smaller than rows.
func (c *Condition) rowsOfParts(ctx context.Context, src npy.Source) (*rowSet, error) {
	if err := npy.CheckBytes(src, format.Header{DType: c.dtype, Shape: src.Shape()}.NBytes()); err != nil {
		return nil, err
	}
	set := &rowSet{}
	r := &rowReader{c.rowSize, func(ctx context.Context, w *worker, low, n int) error { return c.loadColumns(ctx, src, w, low, n) }}
	err := c.each(ctx, r, 0, src.Shape()[0], set)
	set.finish()
	return set, err
}

// checkEmpty refuses a number of rows that only a header claims.
func (c *Condition) checkEmpty(rows int) error {
	if c.rowSize == 0 && rows > emptyRows {
		return bounded.Over("", emptyRows, rows, "query: %d rows without bytes are over the limit of %d", rows, emptyRows)
	}
	return nil
}

// each evaluates n rows that r reads from row 0 on, and appends the results to set. first is the number of the first row.
func (c *Condition) each(ctx context.Context, r *rowReader, first, n int, set *rowSet) error {
	per, workers := r.chunk(n)
	ws := make([]*worker, workers)
	type part struct {
		words []uint64
		n     int
	}
	return par.Ordered(ctx, (n+per-1)/per, workers, func(i, chunk int) (part, error) {
		if ws[i] == nil {
			ws[i] = &worker{env: newEnv(c)}
		}
		low := chunk * per
		k := min(per, n-low)
		mask, err := c.chunk(ctx, ws[i], r, first, low, k)
		if err != nil {
			return part{}, err
		}
		p := part{make([]uint64, (k+63)/64), k}
		bitsOf(p.words, mask)
		return p, nil
	}, func(p part) { set.append(p.words, p.n) })
}

// chunk evaluates k rows from low on.
func (c *Condition) chunk(ctx context.Context, w *worker, r *rowReader, first, low, k int) ([]uint8, error) {
	if err := r.load(ctx, w, low, k); err != nil {
		return nil, err
	}
	mask, err := c.evaluate(ctx, w.env, int64(first)+int64(low), k, w.raw, w.mask[:0])
	w.mask = mask
	return mask, err
}
