package diff

import (
	"math"
	"math/bits"
)

// An int128 is a signed integer in two's complement.
type int128 struct{ hi, lo uint64 }

// wide converts a 64-bit integer, signed or not, to an int128.
func wide(x int64, unsigned bool) int128 {
	if unsigned {
		return int128{0, uint64(x)}
	}
	return int128{uint64(x >> 63), uint64(x)}
}

func (x int128) minus(y int128) int128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return int128{hi, lo}
}

// between returns |x-y|, which must fit.
func between(x, y int128) Distance {
	d := x.minus(y)
	if int64(d.hi) < 0 {
		d = y.minus(x)
	}
	return wholeDistance(d.hi, d.lo)
}

func magnitude(x int64, unsigned bool) float64 {
	if unsigned {
		return float64(uint64(x))
	}
	return math.Abs(float64(x))
}

// times128 returns x*factor, which cannot overflow.
func times128(x int64, factor uint64) int128 {
	hi, lo := bits.Mul64(uint64(x), factor)
	if x < 0 {
		hi -= factor
	}
	return int128{hi, lo}
}
