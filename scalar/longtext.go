package scalar

import (
	"bytes"
	"math/big"
	"math/bits"
)

// Text of LongDouble. All arithmetic is on exact integers; the largest have about 16,500 bits (printing)
// or the digits of the text plus that (parsing), so no exponent is slow.

// Append appends x as str(numpy.longdouble) prints it: the fewest digits that read back to the same
// 64-bit mantissa (Dragon4_PrintFloat_Intel_extended, unique mode), in the style of [AppendFloat64].
func (x LongDouble) Append(dst []byte) []byte { return x.append(dst, true) }

// String returns the text of [LongDouble.Append].
func (x LongDouble) String() string { return string(x.Append(nil)) }

func (x LongDouble) append(dst []byte, pointZero bool) []byte {
	dst, done := x.appendSpecial(dst)
	if done {
		return dst
	}
	var buf [24]byte
	digits, exp := x.shortest(buf[:0])
	// A shortest text is below 1e-4 or 1e16 exactly when the value is: both bounds are LongDoubles.
	return appendDigits(dst, digits, exp, exp >= -4 && exp < 16, pointZero)
}

// appendSpecial appends the text of a NaN or an infinity and reports true, or appends the sign of a number.
func (x LongDouble) appendSpecial(dst []byte) (_ []byte, done bool) {
	if x.IsNaN() {
		return append(dst, "nan"...), true
	}
	if x.Signbit() {
		dst = append(dst, '-')
	}
	if x.IsInf(0) {
		return append(dst, "inf"...), true
	}
	return dst, false
}

// Scientific returns x with one digit before the point and the given number after it, rounded once from
// the exact value, ties to even: numpy.format_float_scientific(x, precision=digits, unique=False,
// trim='k'). 20 digits tell all LongDoubles apart. digits is taken as at least 0 and at most 16384,
// NumPy's own limit.
func (x LongDouble) Scientific(digits int) string {
	dst, done := x.appendSpecial(nil)
	if done {
		return string(dst)
	}
	digits = min(max(digits, 0), 16384)
	text, exp := x.rounded(digits + 1)
	dst = append(dst, text[0], '.')
	dst = append(dst, text[1:]...)
	return string(appendExponent(dst, exp))
}

// ratio returns |x| as r/s: one of them is a power of two times the mantissa, the other a power of two.
func (x LongDouble) ratio() (r, s *big.Int) {
	r, s = new(big.Int).SetUint64(x.Mantissa), big.NewInt(1)
	if e := x.exp() - ldBias - 63; e > 0 {
		r.Lsh(r, uint(e))
	} else {
		s.Lsh(s, uint(-e))
	}
	return r, s
}

// exp10 estimates the decimal exponent of |x| > 0. The estimate is right or one too small.
func (x LongDouble) exp10() int {
	return floorLog10(x.exp() - ldBias - bits.LeadingZeros64(x.Mantissa))
}

// floorLog10 returns the decimal exponent of 2**log2, for the exponents of the formats.
func floorLog10(log2 int) int {
	const log10of2 = 1292913986 // times 2**32, rounded down; no exponent is near enough to notice
	return int(int64(log2) * log10of2 >> 32)
}

// rounded returns n significant digits of x, rounded to nearest even, and the decimal exponent.
func (x LongDouble) rounded(n int) (digits []byte, exp int) {
	if x.Mantissa == 0 {
		return bytes.Repeat([]byte{'0'}, n), 0
	}
	r, s := x.ratio()
	exp = x.exp10()
	if scale := n - 1 - exp; scale > 0 {
		r.Mul(r, pow10(scale))
	} else {
		s.Mul(s, pow10(-scale))
	}
	for {
		q, rem := new(big.Int).QuoRem(r, s, new(big.Int))
		half := rem.Lsh(rem, 1).Cmp(s)
		if half > 0 || half == 0 && q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
		digits = q.Append(digits[:0], 10)
		if len(digits) == n {
			return digits, exp
		}
		// The estimate was one too small, or rounding gave one more digit: use ten times the divisor.
		exp++
		s.Mul(s, big.NewInt(10))
	}
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// shortest appends the fewest digits that distinguish the finite |x| from its neighbours, and among these the nearest,
// and returns the decimal exponent of the first digit. It is the free-format algorithm of Steele and White: r/s is the
// remainder of the value, low/s and high/s are half the distances to the neighbours.
func (x LongDouble) shortest(buf []byte) (digits []byte, exp int) {
	if x.Mantissa == 0 {
		return append(buf, '0'), 0
	}
	return x.digitGenerator().appendAll(buf)
}

// appendAll appends the digits of g and returns the decimal exponent of the first.
func (g *digitGenerator) appendAll(buf []byte) (digits []byte, exp int) {
	exp = g.exp
	for {
		d := g.next()
		low, high := g.done()
		if !low && !high {
			buf = append(buf, '0'+d)
			g.times10()
			continue
		}
		if high && (!low || g.roundUp(d)) {
			d++
		}
		buf, exp = carry(append(buf, '0'+d), exp)
		return buf, exp
	}
}

// carry propagates a last digit of ten and drops the trailing zeros.
func carry(digits []byte, exp int) ([]byte, int) {
	i := len(digits) - 1
	for i > 0 && digits[i] > '9' {
		i--
		digits[i]++
	}
	if digits[i] > '9' {
		digits[i] = '1'
		exp++
	}
	return trimZeros(digits[:i+1]), exp
}

type digitGenerator struct {
	r, s, low, high big.Int
	q, sum          big.Int // scratch
	even            bool    // the ends of the interval read back to x too
	exp             int
}

func (x LongDouble) digitGenerator() *digitGenerator {
	r, s := x.ratio()
	boundary := x.Mantissa == ldIntBit && x.exp() > 1
	return newDigitGenerator(r, s, x.exp()-ldBias-63, boundary, x.Mantissa&1 == 0, x.exp10())
}

// newDigitGenerator prepares the digits of r/s; the last binary place is worth 2**place. boundary tells that
// the neighbour below is half as far as the neighbour above, even that the last place is even. exp10 must be the decimal
// exponent or one less.
func newDigitGenerator(r, s *big.Int, place int, boundary, even bool, exp10 int) *digitGenerator {
	g := &digitGenerator{even: even}
	unit := big.NewInt(1) // the distance to the neighbour above
	if place > 0 {
		unit.Lsh(unit, uint(place))
	}
	// Twice everything, to have half distances; four times where the distance below is half as long.
	up := uint(1)
	if boundary {
		up = 2
	}
	g.r.Lsh(r, up)
	g.s.Lsh(s, up)
	g.low.Set(unit)
	g.high.Lsh(unit, up-1)
	g.scale(exp10)
	return g
}

// scale divides by 10**exp, or by 10**(exp+1) if the value is larger.
func (g *digitGenerator) scale(exp int) {
	if p := pow10(max(exp, -exp)); exp >= 0 {
		g.s.Mul(&g.s, p)
	} else {
		g.r.Mul(&g.r, p)
		g.low.Mul(&g.low, p)
		g.high.Mul(&g.high, p)
	}
	g.q.Mul(&g.s, big.NewInt(10))
	if g.r.Cmp(&g.q) >= 0 {
		exp++
		g.s.Set(&g.q)
	}
	g.exp = exp
}

func (g *digitGenerator) next() byte {
	g.q.QuoRem(&g.r, &g.s, &g.r)
	return byte(g.q.Uint64())
}

// done reports whether the digits so far read back to x, unchanged (low) or with the last digit plus one (high).
func (g *digitGenerator) done() (low, high bool) {
	g.sum.Add(&g.r, &g.high)
	l, h := g.r.Cmp(&g.low), g.sum.Cmp(&g.s)
	return l < 0 || g.even && l == 0, h > 0 || g.even && h == 0
}

func (g *digitGenerator) times10() {
	ten := big.NewInt(10)
	g.r.Mul(&g.r, ten)
	g.low.Mul(&g.low, ten)
	g.high.Mul(&g.high, ten)
}

// roundUp reports whether the remainder is more than half a digit, or half a digit after an odd digit.
func (g *digitGenerator) roundUp(d byte) bool {
	g.sum.Lsh(&g.r, 1)
	c := g.sum.Cmp(&g.s)
	return c > 0 || c == 0 && d&1 == 1
}

// ParseLongDouble returns the LongDouble nearest to the decimal number s, ties to even, with zero
// padding. It also reads inf, infinity and nan, signed or not, in any case. A number too large gives an
// infinity and an error that wraps [ErrRange]; anything else wrong gives one that wraps [ErrSyntax]. The
// time is bounded by the length of s, whatever its exponent.
func ParseLongDouble(s string) (LongDouble, error) {
	n, err := scanNumber(s)
	if err != nil {
		return LongDouble{}, parseError("longdouble", s, err)
	}
	var x LongDouble
	switch n.class {
	case classInf:
		x = LongDouble{Mantissa: ldIntBit, SignExp: ldExpMask}
	case classNaN:
		x = LongDouble{Mantissa: 3 << 62, SignExp: ldExpMask}
	default:
		x = n.longDouble()
		if x.IsInf(0) {
			err = parseError("longdouble", s, ErrRange)
		}
	}
	if n.neg {
		x.SignExp |= ldSign
	}
	return x, err
}

// maxDigits exceeds the significant digits of any LongDouble or Float128, and of any midpoint between two of them.
const maxDigits = 11600

// longDouble rounds the magnitude of a finite number.
func (n *number) longDouble() LongDouble {
	digits, exp := n.digits()
	switch {
	case digits == "" || exp < -4960:
		return LongDouble{}
	case exp > 4940:
		return LongDouble{Mantissa: ldIntBit, SignExp: ldExpMask}
	}
	r, s := fraction(digits, exp)
	return divide(r, s)
}

// fraction returns digits as r/s. The first digit is worth 10**exp.
func fraction(digits string, exp int64) (r, s *big.Int) {
	if len(digits) > maxDigits {
		digits = digits[:maxDigits] + "1" // the rest only needs to be known as not zero
	}
	r, _ = new(big.Int).SetString(digits, 10)
	s = big.NewInt(1)
	if scale := int(exp) - len(digits) + 1; scale > 0 {
		r.Mul(r, pow10(scale))
	} else {
		s = pow10(-scale)
	}
	return r, s
}

// divide returns r/s rounded to nearest even, for positive r and s.
func divide(r, s *big.Int) LongDouble {
	// The quotient of 66 or 67 bits, less for subnormals, starts at bit weight 2**shift.
	shift := max(r.BitLen()-s.BitLen()-66, 1-ldBias-63-2)
	if shift > 0 {
		s.Lsh(s, uint(shift))
	} else {
		r.Lsh(r, uint(-shift))
	}
	q, rem := r.QuoRem(r, s, new(big.Int))
	sticky := rem.Sign() != 0
	drop := max(q.BitLen()-64, 2)
	low := new(big.Int).And(q, big.NewInt(1<<drop-1)).Uint64() << 1
	if sticky {
		low |= 1
	}
	m := q.Rsh(q, uint(drop)).Uint64()
	if half := uint64(1) << drop; low > half || low == half && m&1 == 1 {
		m++
		if m == 0 {
			m = ldIntBit
			shift++
		}
	}
	e := shift + drop + 63 + ldBias
	switch {
	case e >= ldExpMask:
		return LongDouble{Mantissa: ldIntBit, SignExp: ldExpMask}
	case m&ldIntBit == 0:
		e = 0 // only at the lowest shift
	}
	return LongDouble{Mantissa: m, SignExp: uint16(e)}
}
