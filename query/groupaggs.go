package query

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/fields"
	"github.com/npygo/npy/scalar"
)

// An aggregate holds a result for each group.
type aggregate interface {
	// add adds rows of size bytes. ids has the group of each, less than n.
	add(ids []uint32, n int, data []byte, size int)
	// merge adds the groups of a later chunk, whose numbers are ids. There are n groups now.
	merge(later aggregate, ids []uint32, n int)
	// put writes the result of a group.
	put(item []byte, group int) error
	// dtype returns the dtype of the results.
	dtype() dtype.Type
	// bytes returns the memory of a group.
	bytes() int
}

// extend makes a slice n long. New values are zero.
func extend[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

// missingOf returns the function that reports NaN and NaT, or nil for dtypes that have neither.
func missingOf(t dtype.Type) func(item []byte) bool {
	size := t.ItemSize()
	big := t.ByteOrder() == dtype.BigEndian
	switch elem.KindOf(t) {
	case dtype.KindDatetime, dtype.KindTimedelta:
		read := uintOf(8, big)
		return func(b []byte) bool { return read(b) == 1<<63 }
	case dtype.KindComplex:
		class := complexClass(floatPart(t))
		return func(b []byte) bool { return class(b) != 0 }
	case dtype.KindFloat:
		if size > 8 {
			return func(b []byte) bool { x, _ := scalar.LongDoubleFromBytes(b, big); return x.IsNaN() }
		}
		key, nan := floatKey(t, false), uint64(math.MaxUint64)>>(64-8*size)
		if _, ok := elem.SmallFloatOf(t); ok {
			nan = math.MaxUint32
		}
		return func(b []byte) bool { return key(b) == nan }
	}
	return nil
}

// counts counts rows, or the values of a field that are not missing.
type counts struct {
	at      fields.Place
	missing func(item []byte) bool // nil counts rows
	n       []int64
}

func (c *counts) add(ids []uint32, n int, data []byte, size int) {
	c.n = extend(c.n, n)
	if c.missing == nil {
		for _, id := range ids {
			c.n[id]++
		}
		return
	}
	item := c.at.DType.ItemSize()
	for i, id := range ids {
		if !c.missing(data[i*size+c.at.Offset:][:item]) {
			c.n[id]++
		}
	}
}

func (c *counts) merge(later aggregate, ids []uint32, n int) {
	c.n = extend(c.n, n)
	for i, id := range ids {
		c.n[id] += later.(*counts).n[i]
	}
}

func (c *counts) put(item []byte, group int) error {
	binary.NativeEndian.PutUint64(item, uint64(c.n[group]))
	return nil
}

func (c *counts) dtype() dtype.Type { return dtype.Int64 }
func (c *counts) bytes() int        { return 8 }

// intSums are exact sums of integers, bools and times.
type intSums struct {
	at     fields.Place
	mean   bool
	skip   bool // leave NaT out
	read   loadFunc
	signed bool // the numbers are, and in 64 bits
	times  bool
	cells  []intSum
}

type intSum struct {
	low, high uint64
	n         int64
	nat       bool
}

func newIntSums(at fields.Place, mean, skip bool) *intSums {
	t := at.DType
	s := &intSums{at: at, mean: mean, skip: skip, read: uintOf(t.ItemSize(), t.ByteOrder() == dtype.BigEndian)}
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

func (s *intSums) add(ids []uint32, n int, data []byte, size int) {
	s.cells = extend(s.cells, n)
	item := s.at.DType.ItemSize()
	for i, id := range ids {
		x, c := s.read(data[i*size+s.at.Offset:][:item]), &s.cells[id]
		if s.times && x == 1<<63 {
			c.nat = c.nat || !s.skip
			continue
		}
		c.n++
		var carry uint64
		c.low, carry = bits.Add64(c.low, x, 0)
		c.high += carry
		if s.signed {
			c.high += uint64(int64(x) >> 63)
		}
	}
}

func (s *intSums) merge(later aggregate, ids []uint32, n int) {
	s.cells = extend(s.cells, n)
	for i, id := range ids {
		c, d := &s.cells[id], &later.(*intSums).cells[i]
		var carry uint64
		c.low, carry = bits.Add64(c.low, d.low, 0)
		c.high += d.high + carry
		c.n += d.n
		c.nat = c.nat || d.nat
	}
}

func (c *intSum) big() *big.Int {
	x := new(big.Int).SetInt64(int64(c.high))
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(c.low))
}

func (s *intSums) put(item []byte, group int) error {
	c := &s.cells[group]
	sum := c.big()
	switch order := s.dtype().ByteOrder() == dtype.BigEndian; {
	case s.times && (c.nat || c.n == 0 && s.mean):
		bulk.PutUint(item, 1<<63, order)
		return nil
	case s.times && s.mean:
		if n := big.NewInt(c.n); s.at.DType.Kind() == dtype.KindDatetime {
			sum.Div(sum, n) // n is positive, so this rounds down
		} else {
			sum.Quo(sum, n) // as numpy.mean
		}
		bulk.PutUint(item, uint64(sum.Int64()), order)
		return nil
	case s.mean && c.n == 0:
		binary.NativeEndian.PutUint64(item, math.Float64bits(math.NaN()))
		return nil
	case s.mean:
		mean, _ := new(big.Rat).SetFrac(sum, big.NewInt(c.n)).Float64()
		binary.NativeEndian.PutUint64(item, math.Float64bits(mean))
		return nil
	case s.dtype().Kind() == dtype.KindUint && !sum.IsUint64(), s.dtype().Kind() != dtype.KindUint && !sum.IsInt64(), s.times && c.high>>63 != 0 && c.low == 1<<63:
		return fmt.Errorf("query: the sum %s does not fit in dtype %s; the mean is exact, and a sum of float64 is rounded", sum, s.dtype())
	default:
		bulk.PutUint(item, c.low, order)
		return nil
	}
}

func (s *intSums) dtype() dtype.Type {
	switch {
	case s.times:
		return s.at.DType
	case s.mean:
		return dtype.Float64
	case elem.KindOf(s.at.DType) == dtype.KindUint:
		return dtype.Uint64
	}
	return dtype.Int64
}

func (s *intSums) bytes() int { return 32 }

// floats are sums, means and deviations of real numbers, in float64. Sums carry what rounding has lost.
type floats struct {
	what  string // "sum", "mean", "std" or "var"
	at    fields.Place
	skip  bool
	read  codec.Reals
	buf   codec.Buffer
	items []byte
	cells []floatCell
}

// A floatCell is a sum, or a mean with the sum of the squared distances from it.
type floatCell struct {
	n         int64
	sum, rest float64
	mean, m2  float64
}

func (f *floats) add(ids []uint32, n int, data []byte, size int) {
	f.cells = extend(f.cells, n)
	xs := f.read(&f.buf, f.at.Items(&f.items, data, len(ids), size))
	sums := f.what == "sum" || f.what == "mean"
	for i, id := range ids {
		x, c := xs[i], &f.cells[id]
		if f.skip && x != x {
			continue
		}
		c.n++
		if sums {
			c.plus(x)
			continue
		}
		d := x - c.mean
		c.mean += d / float64(c.n)
		c.m2 += d * (x - c.mean)
	}
}

// plus adds a number, as Neumaier does.
func (c *floatCell) plus(x float64) {
	sum := c.sum + x
	if math.Abs(c.sum) >= math.Abs(x) {
		c.rest += (c.sum - sum) + x
	} else {
		c.rest += (x - sum) + c.sum
	}
	c.sum = sum
}

func (c *floatCell) total() float64 {
	if total := c.sum + c.rest; total == total {
		return total
	}
	return c.sum // an infinity or NaN
}

func (f *floats) merge(later aggregate, ids []uint32, n int) {
	f.cells = extend(f.cells, n)
	for i, id := range ids {
		c, d := &f.cells[id], &later.(*floats).cells[i]
		c.plus(d.sum)
		c.rest += d.rest
		if all := c.n + d.n; all > 0 {
			delta := d.mean - c.mean
			c.m2 += d.m2 + delta*delta*float64(c.n)*(float64(d.n)/float64(all))
			c.mean += delta * (float64(d.n) / float64(all))
			c.n = all
		}
	}
}

func (f *floats) put(item []byte, group int) error {
	c := &f.cells[group]
	x := c.total()
	switch f.what {
	case "mean":
		x /= float64(c.n) // NaN if there is none
	case "var":
		x = c.m2 / float64(c.n)
	case "std":
		x = math.Sqrt(c.m2 / float64(c.n))
	}
	binary.NativeEndian.PutUint64(item, math.Float64bits(x))
	return nil
}

func (f *floats) dtype() dtype.Type { return dtype.Float64 }
func (f *floats) bytes() int        { return 40 }

// extremes are items of a field: the smallest, the largest, the first or the last of each group.
type extremes struct {
	at      fields.Place
	missing func(item []byte) bool
	skip    bool
	plan    *keyPlan // the order, in which the result comes first; nil for the first and the last
	last    bool
	items   []byte
	set     []bool
}

func newExtremes(what string, at fields.Place, skip bool) (*extremes, error) {
	c := &extremes{at: at, skip: skip, last: what == "last"}
	if !at.DType.IsStruct() && !at.DType.IsSubarray() {
		c.missing = missingOf(at.DType)
	}
	if what == "min" || what == "max" {
		c.plan = &keyPlan{row: at.DType.ItemSize(), truth: true}
		whole := at
		whole.Offset = 0
		if err := c.plan.add(whole, what == "max"); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// better reports whether an item takes the place of another.
func (c *extremes) better(item, old []byte) bool {
	switch {
	case c.plan == nil:
		return c.last
	case c.missing != nil && c.missing(old): // as in NumPy, the result is NaN if there is one
		return false
	case c.missing != nil && c.missing(item):
		return true
	}
	return c.plan.compare(0, item, old) < 0
}

func (c *extremes) offer(group int, item []byte) {
	if c.skip && c.missing != nil && c.missing(item) {
		return
	}
	old := c.items[group*len(item) : (group+1)*len(item)]
	if !c.set[group] || c.better(item, old) {
		copy(old, item)
		c.set[group] = true
	}
}

func (c *extremes) extend(n int) {
	c.set, c.items = extend(c.set, n), extend(c.items, n*c.at.DType.ItemSize())
}

func (c *extremes) add(ids []uint32, n int, data []byte, size int) {
	c.extend(n)
	item := c.at.DType.ItemSize()
	for i, id := range ids {
		c.offer(int(id), data[i*size+c.at.Offset:][:item])
	}
}

func (c *extremes) merge(later aggregate, ids []uint32, n int) {
	c.extend(n)
	d, item := later.(*extremes), c.at.DType.ItemSize()
	for i, id := range ids {
		if d.set[i] {
			c.offer(int(id), d.items[i*item:(i+1)*item])
		}
	}
}

func (c *extremes) put(item []byte, group int) error {
	if c.set[group] {
		copy(item, c.items[group*len(item):])
		return nil
	}
	return putMissing(item, c.at.DType)
}

func (c *extremes) dtype() dtype.Type { return c.at.DType }
func (c *extremes) bytes() int        { return 1 + c.at.DType.ItemSize() }

// putMissing writes NaN or NaT.
func putMissing(item []byte, t dtype.Type) error {
	big := t.ByteOrder() == dtype.BigEndian
	switch kind := elem.KindOf(t); {
	case kind == dtype.KindDatetime || kind == dtype.KindTimedelta:
		bulk.PutUint(item, 1<<63, big)
	case kind == dtype.KindComplex:
		half := len(item) / 2
		return errors.Join(putMissing(item[:half], floatPart(t)), putMissing(item[half:], floatPart(t)))
	case len(item) > 8:
		return scalar.LongDoubleFromFloat64(math.NaN()).PutBytes(item, big)
	case elem.IsBFloat16(t):
		bulk.PutUint(item, 0x7fc0, big)
	case len(item) > 1:
		bulk.PutUint(item, map[int]uint64{2: 0x7e00, 4: 0x7fc0_0000, 8: 0x7ff8_0000_0000_0000}[len(item)], big)
	default: // a float of one byte, which was missing in every row
		small, _ := elem.SmallFloatOf(t)
		item[0] = small.Nearest(math.NaN())
	}
	return nil
}

// aggNames are the functions of an Agg.
var aggNames = []string{"count", "sum", "mean", "min", "max", "std", "var", "median", "first", "last"}

// newAggregate returns the function that makes an aggregate for one chunk.
func newAggregate(what string, at fields.Place, skip bool) (func() aggregate, error) {
	t := at.DType
	switch what {
	case "first", "last", "min", "max":
		c, err := newExtremes(what, at, skip)
		return func() aggregate { d := *c; return &d }, err
	case "count":
		return func() aggregate { return &counts{at: at, missing: missingOf(t)} }, nil
	case "median":
		make := newMedians(at, skip)
		if make == nil {
			return nil, fmt.Errorf("query: median needs real numbers or times, not dtype %s", t)
		}
		return make, nil
	case "sum", "mean", "std", "var":
	default:
		return nil, fmt.Errorf("query: no function %q, want one of %q", what, aggNames)
	}
	kind := elem.KindOf(t)
	plain := !t.IsStruct() && !t.IsSubarray()
	exact := kind == dtype.KindInt || kind == dtype.KindUint || kind == dtype.KindBool || kind == dtype.KindTimedelta || kind == dtype.KindDatetime && what == "mean"
	if plain && exact && (what == "sum" || what == "mean") {
		return func() aggregate { return newIntSums(at, what == "mean", skip) }, nil
	}
	var read codec.Reals
	if plain {
		read = codec.RealsOf(t)
	}
	if read == nil || !slices.Contains(aggNames, what) {
		return nil, fmt.Errorf("query: %s needs real numbers, not dtype %s", what, t)
	}
	return func() aggregate { return &floats{what: what, at: at, skip: skip, read: read} }, nil
}
