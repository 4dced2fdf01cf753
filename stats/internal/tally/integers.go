package tally

import (
	"math/bits"

	"github.com/npygo/npy/internal/moments"
	"github.com/npygo/npy/scalar"
	"github.com/npygo/npy/stats/internal/items"
)

func addBools(_ *items.Scratch, t *Tally, data []byte) {
	trues := 0
	for _, b := range data {
		if b != 0 {
			trues++
		}
	}
	t.Count += int64(len(data))
	t.Zeros += int64(len(data) - trues)
	moments.AddInt(&t.Sum, uint64(trues), 0)
	moments.AddSquares(&t.Squares, [3]uint64{uint64(trues)})
}

// A narrow is an integer whose square fits in 64 bits.
type narrow interface {
	int8 | int16 | int32 | uint8 | uint16 | uint32
}

func addNarrow[T narrow](t *Tally, xs []T) {
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
	t.ints(int64(lo), int64(hi), t.Count == 0)
	t.Count += int64(len(xs))
	t.Zeros += int64(zeros)
	moments.AddInt(&t.Sum, uint64(sum), uint64(sum>>63))
	moments.AddSquares(&t.Squares, [3]uint64{squares, high})
}

func addInt64s(t *Tally, xs []int64) {
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
	t.ints(lo, hi, t.Count == 0)
	t.Count += int64(len(xs))
	t.Zeros += int64(zeros)
	moments.AddInt(&t.Sum, sum[0], sum[1])
	moments.AddSquares(&t.Squares, squares)
}

func addUint64s(t *Tally, xs []uint64) {
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
	t.ints(int64(lo^items.TopBit), int64(hi^items.TopBit), t.Count == 0)
	t.Count += int64(len(xs))
	t.Zeros += int64(zeros)
	moments.AddInt(&t.Sum, sum[0], sum[1])
	moments.AddSquares(&t.Squares, squares)
}

func addTimes(t *Tally, xs []int64) {
	for _, x := range xs {
		switch {
		case x == scalar.NaT:
			t.NaTs++
		case x == 0:
			t.Zeros++
			fallthrough
		default:
			t.ints(x, x, t.Count == t.NaTs)
			moments.AddInt(&t.Sum, uint64(x), uint64(x>>63))
		}
		t.Count++
	}
}
