package scalar

import (
	"math"
	"math/bits"
	"strconv"
)

// The three small floats share one implementation, described by their layout. What is here works on
// the bits of float64, which holds every small value and every midpoint between two of them exactly.
// The tests run over all values of all three formats.

// A layout packs the widths of a format's exponent and mantissa fields: exponent in the high byte.
type layout uint16

const (
	float16Layout    layout = 5<<8 | 10
	bfloat16Layout   layout = 8<<8 | 7
	float8E5M2Layout layout = 5<<8 | 2
)

func (l layout) mant() uint          { return uint(l & 0xff) }
func (l layout) exp() uint           { return uint(l >> 8) }
func (l layout) bias() int           { return 1<<(l.exp()-1) - 1 }
func (l layout) sign() uint16        { return 1 << (l.exp() + l.mant()) }
func (l layout) inf() uint16         { return (1<<l.exp() - 1) << l.mant() }
func (l layout) quiet() uint16       { return l.inf() | 1<<(l.mant()-1) }
func (l layout) isNaN(x uint16) bool { return x&(l.sign()-1) > l.inf() }

// isInf has the meaning of math.IsInf.
func (l layout) isInf(x uint16, sign int) bool {
	return sign >= 0 && x == l.inf() || sign <= 0 && x == l.inf()|l.sign()
}

// widen returns the bits of the float64 equal to x. A NaN keeps its sign and its payload, in the top bits.
func (l layout) widen(x uint16) uint64 {
	m := l.mant()
	sign := uint64(x&l.sign()) << (63 - l.exp() - m)
	exp := int(x&l.inf()) >> m
	frac := uint64(x) & (1<<m - 1)
	switch {
	case exp == 1<<l.exp()-1:
		return sign | 0x7ff<<52 | frac<<(52-m)
	case exp == 0 && frac == 0:
		return sign
	case exp == 0:
		up := uint(bits.LeadingZeros64(frac)) - (63 - m)
		frac, exp = frac<<up&(1<<m-1), 1-int(up)
	}
	return sign | uint64(exp-l.bias()+1023)<<52 | frac<<(52-m)
}

// narrow rounds the float64 with the given bits, to nearest even. nudge moves the value by less than
// any float64 step, away from zero (1) or towards it (-1), so that a value known to be near but not on
// the float64 rounds correctly. A NaN keeps its sign and the top bits of its payload; when those are
// zero the lowest bit is set, as npy_doublebits_to_halfbits does.
func (l layout) narrow(b uint64, nudge int) uint16 {
	m := l.mant()
	sign := uint16(b>>63) << (l.exp() + m)
	exp, frac := int(b>>52)&0x7ff, b&(1<<52-1)
	if exp == 0x7ff {
		return sign | l.inf() | narrowNaN(frac, m)
	}
	e := exp - 1023 + l.bias()
	shift := 54 - m
	if e <= 0 {
		shift += uint(1 - e)
		e = 1
	}
	if exp == 0 || shift > 60 {
		return sign // far below half of the smallest subnormal
	}
	if e >= 1<<l.exp()-1 {
		return sign | l.inf()
	}
	v := (1<<52|frac)<<2 + uint64(nudge)
	return sign | uint16(uint64(e-1)<<m+roundShift(v, shift))
}

// narrowNaN returns the payload a NaN keeps in m bits; never zero for a NaN, always for an infinity.
func narrowNaN(frac uint64, m uint) uint16 {
	p := uint16(frac >> (52 - m))
	if p == 0 && frac != 0 {
		return 1
	}
	return p
}

// roundShift returns v>>n rounded to nearest even, for 0 < n < 64.
func roundShift(v uint64, n uint) uint64 {
	q, rem, half := v>>n, v&(1<<n-1), uint64(1)<<(n-1)
	if rem > half || rem == half && q&1 == 1 {
		q++
	}
	return q
}

// float32To64bits returns the float64 bits of f; unlike a conversion it leaves NaN payloads alone.
func float32To64bits(f float32) uint64 {
	b := math.Float32bits(f)
	if b&(1<<31-1) > 0xff<<23 {
		return uint64(b>>31)<<63 | 0x7ff<<52 | uint64(b&(1<<23-1))<<29
	}
	return math.Float64bits(float64(f))
}

// widen32 returns the float32 equal to x, NaN payload kept.
func (l layout) widen32(x uint16) float32 {
	b := l.widen(x)
	if l.isNaN(x) {
		return math.Float32frombits(uint32(b>>63)<<31 | 0xff<<23 | uint32(b>>29)&(1<<23-1))
	}
	return float32(math.Float64frombits(b))
}

// parse reads a decimal text, correctly rounded.
func (l layout) parse(s, name string) (uint16, error) {
	n, err := scanNumber(s)
	if err != nil {
		return 0, parseError(name, s, err)
	}
	switch n.class {
	case classInf:
		return l.signed(l.inf(), n.neg), nil
	case classNaN:
		return l.signed(l.quiet(), n.neg), nil
	}
	f := n.float64()
	b := math.Float64bits(f)
	x := l.narrow(b, 0)
	if l.narrow(b, -1) != l.narrow(b, 1) {
		x = l.narrow(b, n.compare(f))
	}
	if l.isInf(x, 0) {
		return x, parseError(name, s, ErrRange)
	}
	return x, nil
}

func (l layout) signed(x uint16, neg bool) uint16 {
	if neg {
		return x | l.sign()
	}
	return x
}

// append prints x with the fewest digits that read back to x.
func (l layout) append(dst []byte, x uint16, pointZero bool) []byte {
	f := math.Float64frombits(l.widen(x))
	if dst, ok := appendSpecial(dst, f); ok {
		return dst
	}
	if x&l.sign() != 0 {
		dst = append(dst, '-')
	}
	var buf [24]byte
	digits, exp := l.shortest(buf[:0], x&^l.sign())
	return appendDigits(dst, digits, exp, positional(math.Abs(f)), pointZero)
}

// shortest appends the shortest digits of the finite x >= 0 and returns them with the decimal exponent
// of the first. It compares 17-digit decimals of the value and of the midpoints to its neighbours; 17
// digits tell apart all numbers that matter, which the tests prove by trying each value.
func (l layout) shortest(buf []byte, x uint16) (digits []byte, exp int) {
	if x == 0 {
		return append(buf, '0'), 0
	}
	v := math.Float64frombits(l.widen(x))
	below := math.Float64frombits(l.widen(x - 1))
	above := 2*v - below // the spacing below, except that it doubles above a power of two
	if x&(1<<l.mant()-1) == 0 && x>>l.mant() > 1 {
		above = 3*v - 2*below
	}
	d, exp := decimal17(v)
	lo := scaled17((v+below)/2, exp)
	hi := scaled17((v+above)/2, exp)
	even := x&1 == 0
	for p := uint64(1e16); ; p /= 10 {
		down := d / p * p
		up := down + p
		okDown := down > lo || even && down == lo
		okUp := up < hi || even && up == hi
		if okDown && okUp {
			// Both ends do: the nearer; on a tie the even digit.
			okDown = d-down < up-d || d-down == up-d && down/p&1 == 0
		}
		if okDown {
			return trimZeros(strconv.AppendUint(buf, down, 10)), exp
		}
		if okUp {
			digits = strconv.AppendUint(buf, up, 10)
			return trimZeros(digits), exp + len(digits) - 17
		}
	}
}

// decimal17 returns v > 0 as an integer of 17 digits and the decimal exponent of the first.
func decimal17(v float64) (d uint64, exp int) {
	var buf [32]byte
	s := strconv.AppendFloat(buf[:0], v, 'e', 16, 64)
	d = uint64(s[0] - '0')
	for _, c := range s[2:18] {
		d = d*10 + uint64(c-'0')
	}
	exp, _ = strconv.Atoi(string(s[19:]))
	return d, exp
}

// scaled17 returns v in the scale decimal17 uses for the exponent exp, which is at most one off v's own.
func scaled17(v float64, exp int) uint64 {
	d, e := decimal17(v)
	for ; e > exp; e-- {
		d *= 10
	}
	for ; e < exp; e++ {
		d = (d + 5) / 10
	}
	return d
}

func trimZeros(digits []byte) []byte {
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits
}
