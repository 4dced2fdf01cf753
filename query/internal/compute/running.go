package compute

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/source"
)

// stride is the number of rows between two sums that a running keeps.
const stride = 16 << 10

// A running is the running sum of an array of one dimension. Blocks carry the sum from each to the next. A read elsewhere begins at
// the last sum that is kept, 16 thousand rows apart, and the first such read reads all rows before it once.
type running struct {
	npy.Source // reads parts
	from       npy.Source
	add        adder

	mu   sync.Mutex
	sums []byte // before rows 0, stride, 2*stride…
}

// An adder replaces items by the running sum, which starts with the item at sum and ends there.
type adder func(items, sum []byte) error

// runningSum returns the running sum of an array of 64-bit integers, floats, complex numbers or timedeltas, in their dtype.
func runningSum(from npy.Source) (npy.Source, error) {
	t := from.DType()
	add, start := adderOf(t)
	r := &running{from: from, add: add, sums: start}
	var err error
	r.Source, err = source.FromParts(header(t, from.Shape()[0]), func(ctx context.Context, p npy.Selection) (*npy.Array, error) {
		return p.Read(ctx, runningBytes{ctx, r}, 0, npy.ReadOptions{Workers: 1})
	})
	return r, err
}

// Blocks implements [npy.Source].
func (r *running) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		size := r.DType().ItemSize()
		sum := append([]byte(nil), r.sums[:size]...)
		for block, err := range r.from.Blocks(ctx, memory) {
			if err == nil {
				data := block.Bytes()
				if err = r.add(data, sum); err == nil {
					block, err = npy.FromBytes(r.DType(), data, block.Shape()...)
				}
			}
			if !yield(block, err) || err != nil {
				return
			}
		}
	}
}

// OnePass reports whether the elements can be read only once.
func (r *running) OnePass() bool { return npy.IsOnePass(r.from) }

// sum returns the sum before row n*stride.
func (r *running) sum(ctx context.Context, n int) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.DType().ItemSize()
	known := len(r.sums)/size - 1
	if n > known {
		part, err := r.from.Select(npy.Span(known*stride, n*stride))
		if err != nil {
			return nil, err
		}
		feed := rowsource.NewFeed(ctx, part, 0)
		defer feed.Stop()
		sum := append([]byte(nil), r.sums[known*size:]...)
		items := make([]byte, stride*size)
		for ; known < n; known++ {
			if err := feed.Read(ctx, items); err != nil {
				return nil, err
			}
			if err := r.add(items, sum); err != nil {
				return nil, err
			}
			r.sums = append(r.sums, sum...)
		}
	}
	return append([]byte(nil), r.sums[n*size:(n+1)*size]...), nil
}

// A runningBytes is the bytes of a running sum, at any offset.
type runningBytes struct {
	ctx context.Context
	of  *running
}

// ReadAt implements [io.ReaderAt].
func (b runningBytes) ReadAt(p []byte, off int64) (int, error) {
	size := int64(b.of.DType().ItemSize())
	rows := int64(b.of.Shape()[0])
	n := 0
	for n < len(p) && off < rows*size {
		piece := off / size / stride
		sum, err := b.of.sum(b.ctx, int(piece))
		if err != nil {
			return n, err
		}
		low := piece * stride
		high := min(low+stride, rows, (off+int64(len(p)-n)+size-1)/size)
		part, err := b.of.from.Select(npy.Span(int(low), int(high)))
		if err != nil {
			return n, err
		}
		a, err := part.ReadAll(b.ctx)
		if err != nil {
			return n, err
		}
		items := a.Bytes()
		if err := b.of.add(items, sum); err != nil {
			return n, err
		}
		k := copy(p[n:], items[off-low*size:])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// adderOf returns the adder of items of t, and the sum of no items. The sum of no floats is -0, to which every float adds up to itself.
func adderOf(t dtype.Type) (adder, []byte) {
	start := make([]byte, t.ItemSize())
	switch t.Kind() {
	case dtype.KindTimedelta:
		return addTimes, start
	case dtype.KindFloat, dtype.KindComplex:
		parts := 1
		if t.Kind() == dtype.KindComplex {
			parts = 2
		}
		size := t.ItemSize() / parts
		add := addParts[float64](parts)
		switch size {
		case 2:
			add = addHalves
		case 4:
			add = addParts[float32](parts)
		}
		for i := range parts {
			bulk.PutUint(start[i*size:(i+1)*size], 1<<(8*size-1), bigEndian)
		}
		return add, start
	}
	return addParts[int64](1), start
}

var bigEndian = dtype.Uint16.ByteOrder() == dtype.BigEndian

// addParts returns the adder of items of one or more numbers.
func addParts[T int64 | float32 | float64](parts int) adder {
	return func(items, sum []byte) error {
		var b codec.Buffer
		xs := codec.View[T](&b, items, false)
		sums := append([]T(nil), codec.View[T](new(codec.Buffer), sum, false)...)
		for i := range sums {
			s := sums[i]
			for j := i; j < len(xs); j += parts {
				s += xs[j]
				xs[j] = s
			}
			sums[i] = s
		}
		bulk.Encode(items, xs, false)
		bulk.Encode(sum, sums, false)
		return nil
	}
}

// addHalves is the adder of float16, rounded after each step as in NumPy.
func addHalves(items, sum []byte) error {
	s := scalar.Float16{Bits: uint16(bulk.Uint(sum, bigEndian))}
	for i := 0; i < len(items); i += 2 {
		x := scalar.Float16{Bits: uint16(bulk.Uint(items[i:i+2], bigEndian))}
		s = scalar.Float16FromFloat32(s.Float32() + x.Float32())
		bulk.PutUint(items[i:i+2], uint64(s.Bits), bigEndian)
	}
	bulk.PutUint(sum, uint64(s.Bits), bigEndian)
	return nil
}

var errTimes = errors.New("the sum is out of the range of timedelta64")

// addTimes is the adder of timedelta64. The sum stays NaT after a NaT.
func addTimes(items, sum []byte) error {
	s := int64(bulk.Uint(sum, bigEndian))
	for i := 0; i < len(items); i += 8 {
		x := int64(bulk.Uint(items[i:i+8], bigEndian))
		switch {
		case s == scalar.NaT || x == scalar.NaT:
			s = scalar.NaT
		case x > 0 && s > math.MaxInt64-x || x < 0 && s < math.MinInt64+1-x:
			return diag.Errorf("query", "cumsum: %w", errTimes)
		default:
			s += x
		}
		bulk.PutUint(items[i:i+8], uint64(s), bigEndian)
	}
	bulk.PutUint(sum, uint64(s), bigEndian)
	return nil
}
