package scalar

import (
	"math"
	"math/bits"
	"strconv"
)

// An int128 is a two's complement integer, wide enough for any count of ticks times the length of a tick
// in its unit, and for the same time in seconds.
type int128 struct {
	hi int64
	lo uint64
}

func wide(a int64) int128 { return int128{a >> 63, uint64(a)} }

func mulInt64(a, b int64) int128 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int128{int64(hi) - a>>63&b - b>>63&a, lo}
}

func (x int128) add(y int128) int128 {
	lo, c := bits.Add64(x.lo, y.lo, 0)
	return int128{x.hi + y.hi + int64(c), lo}
}

func (x int128) addInt(b int64) int128 { return x.add(wide(b)) }

func (x int128) neg() int128 {
	lo, borrow := bits.Sub64(0, x.lo, 0)
	return int128{-x.hi - int64(borrow), lo}
}

// mul returns x*m and whether that fits.
func (x int128) mul(m uint64) (int128, bool) {
	if x.hi < 0 {
		p, ok := x.neg().mul(m)
		return p.neg(), ok
	}
	over, hi := bits.Mul64(uint64(x.hi), m)
	carry, lo := bits.Mul64(x.lo, m)
	hi, c := bits.Add64(hi, carry, 0)
	return int128{int64(hi), lo}, over == 0 && c == 0 && hi <= math.MaxInt64
}

// divFloor returns the quotient rounded down and the remainder, which is never negative. d must not be zero.
func (x int128) divFloor(d uint64) (q int128, rem uint64) {
	if x.hi >= 0 {
		return x.divUnsigned(d)
	}
	q, rem = x.neg().divUnsigned(d)
	q = q.neg()
	if rem != 0 {
		return q.addInt(-1), d - rem
	}
	return q, 0
}

func (x int128) divUnsigned(d uint64) (q int128, rem uint64) {
	if x.hi == 0 {
		return int128{0, x.lo / d}, x.lo % d
	}
	hi := uint64(x.hi)
	lo, rem := bits.Div64(hi%d, x.lo, d)
	return int128{int64(hi / d), lo}, rem
}

// int64 returns x and whether it fits.
func (x int128) int64() (int64, bool) {
	v := int64(x.lo)
	return v, x.hi == v>>63
}

// append appends x in decimal, padded with zeros after the sign to width characters, sign included.
func (x int128) append(dst []byte, width int) []byte {
	if x.hi < 0 {
		dst = append(dst, '-')
		x = x.neg()
		width--
	}
	q, low := x.divUnsigned(1e18)
	if q == (int128{}) {
		return appendPadded(dst, low, width)
	}
	dst = q.append(dst, 1)
	return appendPadded(dst, low, 18)
}

// appendPadded appends v in at least width digits.
func appendPadded(dst []byte, v uint64, width int) []byte {
	var buf [20]byte
	s := strconv.AppendUint(buf[:0], v, 10)
	for n := len(s); n < width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}
