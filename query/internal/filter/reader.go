package filter

import (
	"context"
	"errors"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/values"
)

const (
	chunkBytes = 512 << 10 // the unit of work of a goroutine
	chunkRows  = 1 << 16
	largeRow   = 64 << 10  // the fields of larger rows are read by themselves
	holdBytes  = 256 << 20 // goroutines together hold no more, unless a row is larger
)

// A worker holds the buffers with which one goroutine evaluates blocks of rows.
type worker struct {
	env   *values.Env
	buf   []byte
	raw   []byte   // the rows of the chunk in C order, or nil
	items [][]byte // else the items of each column
	mask  []uint8
	free  []byte // memory for rows that are kept
}

// A rowReader gives rows of a source to workers, at any place, on several goroutines.
type rowReader struct {
	size int // bytes read of each row
	load func(ctx context.Context, w *worker, low, n int) error
}

// reader returns the reader of src at any place. It returns nil if src is read in sequence.
func (c *Filter) reader(src npy.Source) *rowReader {
	a, inMemory := src.(*npy.Array)
	if inMemory && a.IsC() && !a.DType().HasObject() {
		data, _ := a.ViewBytes()
		return &rowReader{c.RowSize, func(_ context.Context, w *worker, low, n int) error {
			w.raw = data[low*c.RowSize : (low+n)*c.RowSize]
			return nil
		}}
	}
	wanted := 0 // bytes of the columns
	for _, col := range c.Columns {
		wanted += col.Size()
	}
	data, ok := npy.DataOf(src)
	_, isFile := src.(*npy.File)
	if len(c.Columns) == 0 && (inMemory || isFile || ok) {
		return &rowReader{load: func(_ context.Context, w *worker, _, _ int) error { w.raw = nil; return nil }}
	}
	if ok && (c.RowSize <= largeRow || wanted > c.RowSize/2) {
		announce.Reads(data, 0, data.Size())
		return &rowReader{c.RowSize, func(_ context.Context, w *worker, low, n int) (err error) {
			w.raw, err = w.read(data, low, n, c.RowSize)
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
		err = diag.Errorf("query", "the data ends within row %d: %w", low+k/size, io.ErrUnexpectedEOF)
	}
	return nil, err
}

// loadColumns reads the columns of rows by themselves.
func (c *Filter) loadColumns(ctx context.Context, src npy.Source, w *worker, low, n int) error {
	rows, err := src.Select(npy.Span(low, low+n))
	if err != nil {
		return err
	}
	w.raw, w.items = nil, w.items[:0]
	for _, col := range c.Columns {
		part, err := col.Select(rows)
		if err != nil {
			return err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		w.items = append(w.items, a.Bytes())
	}
	return nil
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
