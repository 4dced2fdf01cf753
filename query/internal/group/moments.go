package group

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/scalar"
)

// intMoments are exact sums of integers, bools and times, and of their squares.
type intMoments struct {
	at      fields.Place
	what    string // "sum", "mean", "std" or "var"
	skip    bool   // leave NaT out
	read    sortkey.Load
	signed  bool // the numbers are, and in 64 bits
	times   bool
	cells   []intSum
	squares [][3]uint64 // of std and var
}

type intSum struct {
	sum [2]uint64 // in two's complement, low word first
	n   int64
	nat bool
}

func newIntMoments(at fields.Place, what string, skip bool) *intMoments {
	t := at.DType
	s := &intMoments{at: at, what: what, skip: skip, read: sortkey.UintOf(t.ItemSize(), t.ByteOrder() == dtype.BigEndian)}
	kind, unsigned := elem.KindOf(t), s.read
	switch kind {
	case dtype.KindBool:
		s.read = func(b []byte) uint64 { return uint64(min(b[0], 1)) }
	case dtype.KindInt, dtype.KindDatetime, dtype.KindTimedelta:
		s.signed, s.times = true, kind != dtype.KindInt
		shift := 64 - 8*t.ItemSize()
		s.read = func(b []byte) uint64 { return uint64(int64(unsigned(b)<<shift) >> shift) }
		if small, ok := elem.SmallIntOf(t); ok {
			s.read = func(b []byte) uint64 { return uint64(small.Value(b[0])) }
		}
	}
	return s
}

func isDeviation(what string) bool { return what == "std" || what == "var" }

func (s *intMoments) grow(n int) {
	s.cells = extend(s.cells, n)
	if isDeviation(s.what) {
		s.squares = extend(s.squares, n)
	}
}

func (s *intMoments) add(b batch) {
	s.grow(b.groups)
	for i, id := range b.ids {
		x, c := s.read(b.item(i, &s.at)), &s.cells[id]
		if s.times && x == 1<<63 {
			c.nat = c.nat || !s.skip
			continue
		}
		c.n++
		sign := uint64(0) // all bits of negative numbers
		if s.signed {
			sign = uint64(int64(x) >> 63)
		}
		moments.AddInt(&c.sum, x, sign)
		if s.squares != nil {
			moments.AddSquare(&s.squares[id], (x^sign)-sign)
		}
	}
}

func (s *intMoments) merge(later aggregate, ids []uint32, n int) {
	s.grow(n)
	o := later.(*intMoments)
	for i, id := range ids {
		c, d := &s.cells[id], &o.cells[i]
		moments.AddInt(&c.sum, d.sum[0], d.sum[1])
		c.n += d.n
		c.nat = c.nat || d.nat
		if s.squares != nil {
			moments.AddSquares(&s.squares[id], o.squares[i])
		}
	}
}

func (c *intSum) big() *big.Int {
	x := new(big.Int).SetInt64(int64(c.sum[1]))
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(c.sum[0]))
}

func (s *intMoments) put(item []byte, group int) error {
	switch {
	case s.times:
		return s.putTime(item, group)
	case s.what == "sum":
		return s.putSum(item, group)
	}
	x := math.NaN()
	if c := &s.cells[group]; c.n > 0 {
		switch s.what {
		case "mean":
			x = moments.IntMean(c.sum, c.n)
		case "var":
			x = moments.IntVar(c.sum, s.squares[group], c.n)
		case "std":
			x = moments.IntStd(c.sum, s.squares[group], c.n)
		}
	}
	binary.NativeEndian.PutUint64(item, math.Float64bits(x))
	return nil
}

func (s *intMoments) putTime(item []byte, group int) error {
	c, mean, bigEndian := &s.cells[group], s.what == "mean", s.at.DType.ByteOrder() == dtype.BigEndian
	switch sum, n := c.big(), big.NewInt(c.n); {
	case c.nat || c.n == 0 && mean:
		bulk.PutUint(item, 1<<63, bigEndian)
	case !mean:
		return s.putSum(item, group)
	case s.at.DType.Kind() == dtype.KindDatetime:
		bulk.PutUint(item, uint64(sum.Div(sum, n).Int64()), bigEndian) // n is positive, so this rounds down
	default:
		bulk.PutUint(item, uint64(sum.Quo(sum, n).Int64()), bigEndian) // as numpy.mean
	}
	return nil
}

func (s *intMoments) putSum(item []byte, group int) error {
	c, t := &s.cells[group], s.dtype()
	sum := c.big()
	if t.Kind() == dtype.KindUint && !sum.IsUint64() || t.Kind() != dtype.KindUint && !sum.IsInt64() || s.times && sum.Int64() == scalar.NaT {
		return diag.Errorf("query", "the sum %s does not fit in dtype %s; the mean is exact, and a sum of float64 is rounded", sum, t)
	}
	bulk.PutUint(item, c.sum[0], t.ByteOrder() == dtype.BigEndian)
	return nil
}

func (s *intMoments) dtype() dtype.Type {
	switch {
	case s.times:
		return s.at.DType
	case s.what != "sum":
		return dtype.Float64
	case elem.KindOf(s.at.DType) == dtype.KindUint:
		return dtype.Uint64
	}
	return dtype.Int64
}

func (s *intMoments) bytes() int {
	if isDeviation(s.what) {
		return 32 + 24
	}
	return 32
}

// floats are sums, means and deviations of real numbers, in float64, as package stats computes them along an axis.
type floats struct {
	what  string // "sum", "mean", "std" or "var"
	at    fields.Place
	skip  bool
	read  codec.Reals
	buf   codec.Buffer
	items []byte
	ids   []uint32 // of numbers other than NaN
	xs    []float64
	n     []int64
	cells *moments.Cells
}

func newFloats(what string, at fields.Place, skip bool, read codec.Reals) *floats {
	return &floats{what: what, at: at, skip: skip, read: read, cells: moments.NewCells(isDeviation(what))}
}

func (f *floats) grow(n int) {
	f.n = extend(f.n, n)
	f.cells.Grow(n, math.MaxInt)
}

func (f *floats) add(b batch) {
	f.grow(b.groups)
	ids, xs := b.ids, f.read(&f.buf, f.at.Items(&f.items, b.data, len(b.ids), b.size))
	if f.skip {
		ids, xs = f.notNaN(ids, xs)
	}
	for _, id := range ids {
		f.n[id]++
	}
	f.cells.AddTo(ids, xs)
}

// notNaN returns the numbers other than NaN with their ids.
func (f *floats) notNaN(ids []uint32, xs []float64) ([]uint32, []float64) {
	first := slices.IndexFunc(xs, func(x float64) bool { return x != x })
	if first < 0 {
		return ids, xs
	}
	f.ids, f.xs = append(f.ids[:0], ids[:first]...), append(f.xs[:0], xs[:first]...)
	for i, x := range xs[first:] {
		if x == x {
			f.ids, f.xs = append(f.ids, ids[first+i]), append(f.xs, x)
		}
	}
	return f.ids, f.xs
}

func (f *floats) merge(later aggregate, ids []uint32, n int) {
	f.grow(n)
	o := later.(*floats)
	for i, id := range ids {
		f.n[id] += o.n[i]
		f.cells.MergeCell(int(id), o.cells, i, o.n[i])
	}
}

func (f *floats) put(item []byte, group int) error {
	of := map[string]func(i int, n int64) float64{"sum": f.cells.Total, "mean": f.cells.Mean, "var": f.cells.Var, "std": f.cells.Std}[f.what]
	binary.NativeEndian.PutUint64(item, math.Float64bits(of(group, f.n[group])))
	return nil
}

func (f *floats) dtype() dtype.Type { return dtype.Float64 }
func (f *floats) bytes() int        { return 8 + f.cells.Bytes() }
