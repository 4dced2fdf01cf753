package stats

import (
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
)

// A kernel adds items of one dtype to a tally.
type kernel struct {
	// add adds between 1 and chunkItems items.
	add func(s *scratch, t *tally, items []byte)
	// find returns the first item that equals an extreme of the tally, or -1. It is nil for items without extremes.
	find func(s *scratch, items []byte, x extreme) int
}

// An extreme is the smallest or the largest item: f of floats, i of integers and times. The other is 0. The top bit of a
// uint64 is flipped.
type extreme struct {
	f float64
	i int64
}

const topBit = 1 << 63

func finite(x float64) bool { return x-x == 0 }

// kernelFor returns the kernel for items of t. Items without a numeric or text meaning are only counted.
func kernelFor(t dtype.Type) kernel {
	swap := !t.IsNative()
	size := t.ItemSize()
	if n, ok := elem.SmallIntOf(t); ok {
		return kernel{
			func(s *scratch, t *tally, items []byte) { addNarrow(t, smallInts(s, items, n)) },
			func(s *scratch, items []byte, x extreme) int {
				return slices.Index(smallInts(s, items, n), int8(x.i))
			},
		}
	}
	switch elem.KindOf(t) {
	case dtype.KindBool:
		return kernel{add: addBools}
	case dtype.KindInt:
		switch size {
		case 1:
			return narrow[int8](swap)
		case 2:
			return narrow[int16](swap)
		case 4:
			return narrow[int32](swap)
		case 8:
			return kernel{func(s *scratch, t *tally, items []byte) { t.addInt64s(codec.View[int64](&s.numbers, items, swap)) }, findInt[int64](swap)}
		}
	case dtype.KindUint:
		switch size {
		case 1:
			return narrow[uint8](swap)
		case 2:
			return narrow[uint16](swap)
		case 4:
			return narrow[uint32](swap)
		case 8:
			return kernel{
				func(s *scratch, t *tally, items []byte) { t.addUint64s(codec.View[uint64](&s.numbers, items, swap)) },
				func(s *scratch, items []byte, x extreme) int {
					return slices.Index(codec.View[uint64](&s.numbers, items, swap), uint64(x.i)^topBit)
				},
			}
		}
	case dtype.KindFloat:
		floats := codec.FloatsOf(t, size)
		return kernel{
			func(s *scratch, t *tally, items []byte) { t.addFloats(s, floats(&s.numbers, items)) },
			func(s *scratch, items []byte, x extreme) int { return slices.Index(floats(&s.numbers, items), x.f) },
		}
	case dtype.KindComplex:
		floats := codec.FloatsOf(t, size/2)
		return kernel{add: func(s *scratch, t *tally, items []byte) { t.addComplexes(s, floats(&s.numbers, items)) }}
	case dtype.KindDatetime, dtype.KindTimedelta:
		return kernel{func(s *scratch, t *tally, items []byte) { t.addTimes(codec.View[int64](&s.numbers, items, swap)) }, findInt[int64](swap)}
	case dtype.KindBytes, dtype.KindStr:
		return kernel{add: addStrings(size, max(size/max(t.Chars(), 1), 1))}
	}
	return kernel{add: func(_ *scratch, t *tally, items []byte) { t.count += int64(len(items) / size) }}
}

func findInt[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](swap bool) func(*scratch, []byte, extreme) int {
	return func(s *scratch, items []byte, x extreme) int {
		return slices.Index(codec.View[T](&s.numbers, items, swap), T(x.i))
	}
}

// smallInts returns integers narrower than a byte as numbers.
func smallInts(s *scratch, items []byte, n elem.SmallInt) []int8 {
	xs := codec.Take[int8](&s.numbers, len(items))
	for i, x := range items {
		xs[i] = n.Value(x)
	}
	return xs
}

func addBools(_ *scratch, t *tally, items []byte) {
	trues := 0
	for _, b := range items {
		if b != 0 {
			trues++
		}
	}
	t.count += int64(len(items))
	t.zeros += int64(len(items) - trues)
	t.addSum([2]uint64{uint64(trues)})
	t.addSquares([3]uint64{uint64(trues)})
}

// narrow returns the kernel for integers whose squares fit in 64 bits.
func narrow[T int8 | int16 | int32 | uint8 | uint16 | uint32](swap bool) kernel {
	return kernel{func(s *scratch, t *tally, items []byte) { addNarrow(t, codec.View[T](&s.numbers, items, swap)) }, findInt[T](swap)}
}

func addNarrow[T int8 | int16 | int32 | uint8 | uint16 | uint32](t *tally, xs []T) {
	lo, hi, zeros := xs[0], xs[0], 0
	var sum int64
	var squares, high, carry uint64
	for _, x := range xs {
		lo, hi = min(lo, x), max(hi, x)
		if x == 0 {
			zeros++
		}
		sum += int64(x)
		squares, carry = bits.Add64(squares, uint64(int64(x))*uint64(int64(x)), 0)
		high += carry
	}
	t.extremes(int64(lo), int64(hi), t.count == 0)
	t.count += int64(len(xs))
	t.zeros += int64(zeros)
	t.addSum([2]uint64{uint64(sum), uint64(sum >> 63)})
	t.addSquares([3]uint64{squares, high})
}

func (t *tally) addInt64s(xs []int64) {
	lo, hi, zeros := xs[0], xs[0], 0
	var sum [2]uint64
	var squares [3]uint64
	for _, x := range xs {
		lo, hi = min(lo, x), max(hi, x)
		if x == 0 {
			zeros++
		}
		sign := uint64(x >> 63)
		moments.AddInt(&sum, uint64(x), sign)
		moments.AddSquare(&squares, (uint64(x)^sign)-sign)
	}
	t.extremes(lo, hi, t.count == 0)
	t.count += int64(len(xs))
	t.zeros += int64(zeros)
	t.addSum(sum)
	t.addSquares(squares)
}

func (t *tally) addUint64s(xs []uint64) {
	lo, hi, zeros := xs[0], xs[0], 0
	var sum [2]uint64
	var squares [3]uint64
	for _, x := range xs {
		lo, hi = min(lo, x), max(hi, x)
		if x == 0 {
			zeros++
		}
		moments.AddInt(&sum, x, 0)
		moments.AddSquare(&squares, x)
	}
	t.extremes(int64(lo^topBit), int64(hi^topBit), t.count == 0)
	t.count += int64(len(xs))
	t.zeros += int64(zeros)
	t.addSum(sum)
	t.addSquares(squares)
}

func (t *tally) addTimes(xs []int64) {
	for _, x := range xs {
		switch {
		case x == scalar.NaT:
			t.nats++
		case x == 0:
			t.zeros++
			fallthrough
		default:
			t.extremes(x, x, t.count == t.nats)
			moments.AddInt(&t.sum, uint64(x), uint64(x>>63))
		}
		t.count++
	}
}

// addStrings returns the kernel for strings of characters of width bytes, padded with NULs.
func addStrings(size, width int) func(*scratch, *tally, []byte) {
	return func(_ *scratch, t *tally, items []byte) {
		for ; len(items) > 0; items = items[size:] {
			n := size
			for n > 0 && items[n-1] == 0 {
				n--
			}
			n = (n + width - 1) / width
			if n == 0 {
				t.empty++
			}
			if t.count == 0 || n < t.minLen {
				t.minLen = n
			}
			t.maxLen = max(t.maxLen, n)
			t.count++
		}
	}
}

// addFloats adds real numbers. Almost always all are finite, and the fast path is enough.
func (t *tally) addFloats(s *scratch, xs []float64) {
	var m reals
	r, ok := m.AddPlain(xs)
	all := len(xs)
	if !ok {
		xs = s.notNaN(xs)
		m.add(xs, &s.finite)
	}
	if len(xs) > 0 {
		t.span(r.Min, r.Max, t.count == t.nans)
	}
	t.re.merge(&m)
	t.count += int64(all)
	t.nans += int64(all - len(xs))
	t.infs += m.posInf + m.negInf
	t.zeros += r.Zeros
}

// notNaN returns a copy of xs without NaNs.
func (s *scratch) notNaN(xs []float64) []float64 {
	out := codec.Grow(&s.parts, len(xs))[:0]
	for _, x := range xs {
		if x == x {
			out = append(out, x)
		}
	}
	return out
}

// addComplexes adds complex numbers, given as alternating real and imaginary parts.
func (t *tally) addComplexes(s *scratch, xs []float64) {
	n := len(xs) / 2
	parts := codec.Grow(&s.parts, 2*n)
	re, im := parts[:0:n], parts[n:n:2*n]
	for i := 0; i+1 < len(xs); i += 2 {
		a, b := xs[i], xs[i+1]
		switch {
		case a != a || b != b:
			t.nans++
			continue
		case !finite(a) || !finite(b):
			t.infs++
		case a == 0 && b == 0:
			t.zeros++
		}
		re, im = append(re, a), append(im, b)
	}
	t.count += int64(n)
	var x, y reals
	x.add(re, &s.finite)
	y.add(im, &s.finite)
	t.re.merge(&x)
	t.im.merge(&y)
}
