package query

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
)

// A Sort sorts the rows of arrays of any size. Rows with equal keys keep their order. The zero Sort sorts records by
// all fields and plain arrays of one dimension by their elements, as numpy.sort(kind='stable') does. A Sort may be used
// by several goroutines.
//
// Values compare as in numpy.sort: bytes and str by their bytes and code points, complex numbers by the real part and
// then by the imaginary part, structs field by field. NaN and NaT come last, and complex numbers with a NaN after all
// others. -0 equals 0. Subarrays compare item by item. (numpy.sort compares their bytes, which on most machines is not
// the order of the numbers.) Python objects and NumPy's StringDType have no order here; the error wraps npy.ErrObjects.
type Sort struct {
	// By has the keys, the most important first. numpy.sort(order=fields) compares the other fields where these are
	// equal; a Sort keeps such rows in the order of the source. nil means all fields.
	By []Key

	// Descending reverses the order of all keys. NaN and NaT stay last, and rows with equal keys still keep their order.
	Descending bool

	// Memory is the target for the process's total memory, in bytes, if the process does nothing else. 0 means 256 MiB.
	// The minimum is 32 MiB. Larger arrays are sorted in parts, which are written to a temporary file and merged. If not even
	// five rows fit, the error is a [npy.LimitError].
	Memory int64

	// Temp is the path next to which the temporary file is made. "" means a path in [os.TempDir]. WriteFile has its own.
	Temp string

	// Encoder has the settings of the files written.
	Encoder npy.Encoder

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes read and written and
	// their total. nil means no calls.
	Progress func(done, total int64)

	rowsInMemory int // for tests: instead of as many as Memory allows
}

const (
	defaultMemory  = 256 << 20
	memoryMin      = 32 << 20
	reservedMemory = 26 << 20 // used besides rows: the Go runtime, buffers of readers
	rowsMax        = math.MaxInt32
)

// WriteFile sorts src into an .npy file. It writes a temporary file in the same folder and renames it at the end: path is
// never seen half-written, and an error leaves the old file unchanged. src may be the file at path.
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
func (s Sort) inMemory(ctx context.Context, src npy.Source) (p *keyPlan, data []byte, n int, err error) {
	if p, err = newKeyPlan(src, s.By, s.Descending); err != nil {
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

// Argsort returns the positions of the rows of src in sorted order, numpy.argsort(kind='stable'): [npy.Take] with them
// gives the sorted rows. With several keys it is numpy.lexsort of the keys, from the last to the first. src is held in
// memory.
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

func tooManyRows(n int) error {
	return bounded.Over("", rowsMax, n, "query: %d rows are too many to sort in memory; sort into a file", n)
}

// Open sorts src and returns the result, which is in memory or, if it needs more than Memory, in a temporary file. It
// reads src once, and no longer needs it afterwards. Close the result.
func (s Sort) Open(ctx context.Context, src npy.Source) (*Sorted, error) {
	p, err := newKeyPlan(src, s.By, s.Descending)
	if err != nil {
		return nil, err
	}
	n, size, err := rowsOf(src)
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
	m, err := s.share(n, size)
	if err != nil {
		return nil, err
	}
	runs, err := rowRuns(ctx, src, size)
	if err != nil {
		return nil, err
	}
	if runs != nil {
		return s.openCounted(ctx, src, p, runs)
	}
	r := &runMaker{Sort: s, sorter: newSorter(p), memory: m, out: out, total: int64(n) * int64(size)}
	if err := r.run(ctx, src, n); err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// A sharing says how memory is used.
type sharing struct {
	rows  int   // rows in memory at a time
	feed  int64 // bytes for blocks of the source
	piece int   // bytes written at a time
}

// mergeRows is the number of rows in memory while two runs are merged: two of each, one of which is read ahead.
const mergeRows = 4

func (s Sort) share(n, size int) (sharing, error) {
	memory := s.Memory
	if memory <= 0 {
		memory = defaultMemory
	}
	memory = max(memory, memoryMin)
	free := memory - reservedMemory
	least := int64(min(n, mergeRows))
	if int64(size) > free/(least+1) { // with a row that is written
		return sharing{}, bounded.Over("Memory", memory, 0, "query: sorting rows of %d bytes takes the memory of %d rows, over %d bytes", size, least+1, memory)
	}
	m := sharing{feed: min(max(free/8, 1<<20), 32<<20), piece: int(min(max(free/16, 64<<10), 4<<20))}
	rows := max((free-m.feed-int64(m.piece))/(int64(size)+tableRow), least)
	if s.rowsInMemory > 0 {
		rows = int64(s.rowsInMemory)
	}
	m.rows = int(min(rows, int64(n), rowsMax))
	return m, nil
}

// A runMaker reads rows, sorts them in parts that fit in memory, and writes the parts to a spill if there are several.
type runMaker struct {
	Sort
	sorter *sorter
	memory sharing
	out    *Sorted
	done   int64
	total  int64
}

func (r *runMaker) run(ctx context.Context, src npy.Source, n int) (err error) {
	size := r.sorter.plan.row
	if n > math.MaxInt/size && r.memory.rows >= n {
		return tooManyRows(n)
	}
	data := bulk.MakeFill[byte](r.memory.rows * size)
	t := newKeyTable(r.memory.rows, true)
	feed := newFeed(ctx, src, r.memory.feed)
	defer feed.stop()
	if n <= r.memory.rows {
		if err := r.read(ctx, feed, data); err != nil {
			return err
		}
		return r.inMemory(ctx, t, data)
	}
	if r.out.spill, err = newSpill(r.Temp); err != nil {
		return err
	}
	for left := n; left > 0; left -= len(t.keys) {
		t = t.first(min(left, r.memory.rows))
		rows := data[:len(t.keys)*size]
		if err := r.read(ctx, feed, rows); err != nil {
			return err
		}
		r.out.spill.begin()
		if err := r.sorter.sorted(ctx, t, rows, r.memory.piece, r.out.spill.write); err != nil {
			return err
		}
	}
	r.out.memory = &mergeMemory{data: data, keys: t.keys[:cap(t.keys)][:r.memory.rows], piece: r.memory.piece}
	return r.out.reduce(ctx, r.Temp)
}

// read fills data with the next rows.
func (r *runMaker) read(ctx context.Context, feed *feed, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), 32<<20)
		if err := feed.read(ctx, data[:n]); err != nil {
			return err
		}
		data = data[n:]
		if r.done += int64(n); r.Progress != nil {
			r.Progress(r.done, 2*r.total)
		}
	}
	return nil
}

// inMemory sorts all rows in memory. They are put in order when they are read from the result.
func (r *runMaker) inMemory(ctx context.Context, t *keyTable, data []byte) error {
	r.out.data = data
	if r.sorter.plain != nil {
		if done, err := r.sorter.sortPlain(ctx, t, data, data); done || err != nil {
			return err
		}
	}
	if err := r.sorter.order(ctx, t, data); err != nil {
		return err
	}
	r.out.rows = t.rows
	return nil
}

// Along returns src sorted along an axis, numpy.sort(axis=axis, kind='stable'). A negative axis counts from the end.
// The array is held in memory, twice while it is sorted, with up to 24 bytes for each element of the lanes being sorted. If that
// is over a Memory that is set, the error is a [npy.LimitError].
// By must be nil.
func (s Sort) Along(ctx context.Context, src npy.Source, axis int) (*npy.Array, error) {
	if s.By != nil {
		return nil, fmt.Errorf("query: keys and an axis exclude each other; choose one")
	}
	shape := src.Shape()
	ndim := len(shape)
	if axis < -ndim || axis >= ndim {
		return nil, fmt.Errorf("query: axis %d is out of range for an array of %d dimensions", axis, ndim)
	}
	axis = (axis + ndim) % ndim
	if t := src.DType(); t.HasObject() {
		return nil, fmt.Errorf("query: dtype %s: %w: Python objects have no order of their own", t, npy.ErrObjects)
	}
	h := format.Header{DType: src.DType(), Shape: shape}
	if need := 2*h.NBytes() + laneMemory(h, shape[axis]); s.Memory > 0 && need > s.Memory {
		return nil, bounded.Over("Memory", s.Memory, need, "query: sorting along an axis takes %d bytes of memory, over %d", need, s.Memory)
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	axes := make([]int, ndim)
	for i := range axes {
		axes[i] = i
	}
	axes[axis], axes[ndim-1] = ndim-1, axis // its own inverse
	if a, err = a.Transpose(axes...); err != nil {
		return nil, err
	}
	lanes, err := npy.FromBytes(a.DType(), a.Bytes(), a.Shape()...)
	if err != nil {
		return nil, err
	}
	if err := s.sortLanes(ctx, lanes, shape[axis]); err != nil {
		return nil, err
	}
	return lanes.Transpose(axes...)
}

// laneWorkers returns the number of goroutines that sort count lanes of n elements: 1 if all of them share a lane.
func laneWorkers(count, n int) int {
	if workers := par.Workers(); count >= workers && n <= bigSort {
		return workers
	}
	return 1
}

// laneMemory returns the bytes for the lanes of n elements that are sorted at a time, and for their keys.
func laneMemory(h format.Header, n int) int64 {
	if h.NBytes() == 0 {
		return 0
	}
	count := h.Size() / n
	return int64(laneWorkers(count, n)) * (h.NBytes()/int64(count) + tableRow*int64(min(n, rowsMax)))
}

// sortLanes sorts the parts of n elements that follow each other.
func (s Sort) sortLanes(ctx context.Context, a *npy.Array, n int) error {
	empty, err := npy.New(a.DType(), 0) // n may be any number if a has no elements
	if err != nil {
		return err
	}
	p, err := newKeyPlan(empty, nil, s.Descending)
	if err != nil || a.NBytes() == 0 {
		return err
	}
	if int64(n) > rowsMax {
		return tooManyRows(n)
	}
	data, _ := a.ViewBytes()
	bytes := n * p.row
	count := len(data) / bytes
	workers := laneWorkers(count, n)
	tables, bufs := make([]*keyTable, workers), make([][]byte, workers)
	ctx = par.WithBudget(ctx)
	return par.Each(ctx, count, workers, func(w, i int) error {
		if tables[w] == nil {
			tables[w], bufs[w] = newKeyTable(n, true), bulk.Make(bytes)
		}
		lane := data[i*bytes : (i+1)*bytes]
		copy(bufs[w], lane)
		return newSorter(p).sorted(ctx, tables[w], bufs[w], bytes, func(rows []byte) error { copy(lane, rows); return nil })
	})
}
