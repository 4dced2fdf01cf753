package scalar

import (
	"math"
	"math/bits"
	"strconv"
)

// All floats of up to 16 bits share one implementation, configured by their layout. It works on the bits of float64,
// which represents every small value and every midpoint between two small values exactly. The tests cover all values of
// all formats.

// A layout packs the parameters of a format: from the low byte up the widths of its mantissa and exponent fields, the
// exponent's bias and its family.
type layout uint32

// A family determines which codes of a format are not numbers, and the result for a value that is too large.
type family uint8

const (
	ieee   family = iota // the largest exponent is for infinities and NaNs
	fn                   // "finite, NaN": no infinities; a NaN is all ones
	fnuz                 // fn, "unsigned zero": the code of -0 is the only NaN
	finite               // neither infinities nor NaNs: a number that is too large becomes the largest value
)

const (
	float16Layout  = layout(ieee)<<24 | 15<<16 | 5<<8 | 10
	bfloat16Layout = layout(ieee)<<24 | 127<<16 | 8<<8 | 7

	float8E3M4Layout        = layout(ieee)<<24 | 3<<16 | 3<<8 | 4
	float8E4M3Layout        = layout(ieee)<<24 | 7<<16 | 4<<8 | 3
	float8E5M2Layout        = layout(ieee)<<24 | 15<<16 | 5<<8 | 2
	float8E4M3FNLayout      = layout(fn)<<24 | 7<<16 | 4<<8 | 3
	float8E4M3FNUZLayout    = layout(fnuz)<<24 | 8<<16 | 4<<8 | 3
	float8E4M3B11FNUZLayout = layout(fnuz)<<24 | 11<<16 | 4<<8 | 3
	float8E5M2FNUZLayout    = layout(fnuz)<<24 | 16<<16 | 5<<8 | 2
	float8E8M0FNULayout     = layout(fn)<<24 | 127<<16 | 8<<8
	float6E2M3FNLayout      = layout(finite)<<24 | 1<<16 | 2<<8 | 3
	float6E3M2FNLayout      = layout(finite)<<24 | 3<<16 | 3<<8 | 2
	float4E2M1FNLayout      = layout(finite)<<24 | 1<<16 | 2<<8 | 1
)

func (l layout) mant() uint     { return uint(l & 0xff) }
func (l layout) exp() uint      { return uint(l >> 8 & 0xff) }
func (l layout) bias() int      { return int(l >> 16 & 0xff) }
func (l layout) family() family { return family(l >> 24) }
func (l layout) sign() uint16   { return 1 << (l.exp() + l.mant()) }
func (l layout) inf() uint16    { return (1<<l.exp() - 1) << l.mant() }
func (l layout) quiet() uint16  { return l.inf() | 1<<(l.mant()-1) }

// unsigned reports whether the format is a bare exponent: powers of two without sign, zero and subnormals. Its sign() is
// above the byte.
func (l layout) unsigned() bool { return l.mant() == 0 }

// abs returns the code without its sign and without the unused bits above.
func (l layout) abs(x uint16) uint16 { return x & (l.sign() - 1) }

// max returns the code of the largest finite value.
func (l layout) max() uint16 {
	switch l.family() {
	case ieee:
		return l.inf() - 1
	case fn:
		return l.sign() - 2
	}
	return l.sign() - 1
}

func (l layout) isNaN(x uint16) bool {
	switch l.family() {
	case ieee:
		return l.abs(x) > l.inf()
	case fn:
		return l.abs(x) == l.sign()-1
	case fnuz:
		return x == l.sign()
	}
	return false
}

// isInf is math.IsInf for codes.
func (l layout) isInf(x uint16, sign int) bool {
	return l.family() == ieee && (sign >= 0 && x == l.inf() || sign <= 0 && x == l.inf()|l.sign())
}

// signed returns the code x >= 0 with a sign, if the format has such a code.
func (l layout) signed(x uint16, neg bool) uint16 {
	if !neg || l.unsigned() || l.family() == fnuz && x == 0 {
		return x
	}
	return x | l.sign()
}

// overflow returns the code for numbers that are too large: an infinity, else a NaN, else the largest value.
func (l layout) overflow(neg bool) uint16 {
	switch l.family() {
	case ieee:
		return l.signed(l.inf(), neg)
	case fn:
		return l.signed(l.sign()-1, neg)
	case fnuz:
		return l.sign()
	}
	return l.signed(l.max(), neg)
}

// nan returns the NaN for a float64 NaN with the given bits. A payload keeps its top bits; when these bits are zero the
// lowest bit is set, as npy_doublebits_to_halfbits does. A format without NaN takes the zero of the other sign, as
// ml_dtypes does (quiet_NaN in its mxfloat.h).
func (l layout) nan(b uint64) uint16 {
	neg := b>>63 != 0
	switch l.family() {
	case ieee:
		payload := uint16(b & (1<<52 - 1) >> (52 - l.mant()))
		return l.signed(l.inf()|max(payload, 1), neg)
	case finite:
		return l.signed(0, !neg)
	}
	return l.overflow(neg)
}

// widen returns the bits of the float64 equal to x. A NaN keeps its sign, if it has one, and its payload, in the top
// bits.
func (l layout) widen(x uint16) uint64 {
	m := l.mant()
	sign := uint64(x&l.sign()) << (63 - l.exp() - m)
	exp := int(l.abs(x) >> m)
	frac := uint64(x) & (1<<m - 1)
	switch {
	case exp == 1<<l.exp()-1 && l.family() == ieee:
		return sign | 0x7ff<<52 | frac<<(52-m)
	case l.isNaN(x): // negative where the code of -0 is the only one, as in ml_dtypes
		return sign | 0xfff<<51
	case exp == 0 && l.unsigned():
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
// the float64 rounds correctly.
func (l layout) narrow(b uint64, nudge int) uint16 {
	x, _ := l.round(b, nudge)
	return x
}

// round is narrow, and reports whether the format holds a number near b.
func (l layout) round(b uint64, nudge int) (x uint16, ok bool) {
	exp, frac, neg := int(b>>52)&0x7ff, b&(1<<52-1), b>>63 != 0
	switch {
	case exp == 0x7ff && frac != 0:
		return l.nan(b), false
	case exp == 0x7ff, l.unsigned() && (neg || b == 0 && nudge <= 0):
		return l.overflow(neg), false
	}
	c := l.roundFinite(exp, frac, nudge)
	if c > uint64(l.max()) {
		return l.overflow(neg), false
	}
	return l.signed(uint16(c), neg), true
}

// roundFinite returns the code nearest to a float64 with these fields, without a sign, as if the codes were unlimited. A
// number half-way between two goes to the even one, and of a format that is a bare exponent to the larger, as in
// ml_dtypes 0.5.4.
func (l layout) roundFinite(exp int, frac uint64, nudge int) uint64 {
	e, shift := exp-1023+l.bias(), 54-l.mant()
	if e <= 0 && !l.unsigned() {
		shift += uint(1 - e)
		e = 1
	}
	if exp == 0 || e < 0 || shift > 60 {
		return 0 // far below half of the smallest value, or below the smallest value of a format without zero
	}
	v := (1<<52|frac)<<2 + uint64(nudge)
	c, rem, half := uint64(e-1)<<l.mant()+v>>shift, v&(1<<shift-1), uint64(1)<<(shift-1)
	if rem > half || rem == half && (c&1 == 1 || l.unsigned()) {
		c++
	}
	return c
}

// roundShift returns v>>n rounded to nearest even. n must be from 1 to 63.
func roundShift(v uint64, n uint) uint64 {
	q, rem, half := v>>n, v&(1<<n-1), uint64(1)<<(n-1)
	if rem > half || rem == half && q&1 == 1 {
		q++
	}
	return q
}

// float32To64bits returns the float64 bits of f. Unlike a conversion, it keeps NaN payloads.
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

// parse reads a decimal text, correctly rounded. For a number out of range it returns the result of narrow and ErrRange.
func (l layout) parse(s, name string) (uint16, error) {
	n, err := scanNumber(s)
	if err != nil {
		return 0, parseError(name, s, err)
	}
	var x uint16
	ok := l.family() == ieee
	switch n.class {
	case classInf:
		x = l.overflow(n.neg)
	case classNaN:
		x, ok = l.nan(math.Float64bits(n.value())), l.family() != finite
	default:
		x, ok = l.parseFinite(n)
	}
	if !ok {
		err = parseError(name, s, ErrRange)
	}
	return x, err
}

func (l layout) parseFinite(n number) (x uint16, ok bool) {
	f := n.float64()
	b := math.Float64bits(f)
	x, ok = l.round(b, 0)
	if l.narrow(b, -1) != l.narrow(b, 1) {
		x, ok = l.round(b, n.compare(f))
	}
	return x, ok
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
	digits, exp := l.shortest(buf[:0], l.abs(x))
	limit := float64(scientificFrom)
	if l == float16Layout {
		limit = scientificFrom16
	}
	return appendDigits(dst, digits, exp, positional(math.Abs(f), limit), pointZero)
}

// shortest appends the shortest digits of the finite x >= 0 and returns them with the decimal exponent
// of the first. It compares 17-digit decimals of the value and of the midpoints to its neighbours. 17
// digits distinguish all relevant numbers, which the tests prove by trying each value.
func (l layout) shortest(buf []byte, x uint16) (digits []byte, exp int) {
	if x == 0 && !l.unsigned() {
		return append(buf, '0'), 0
	}
	v := math.Float64frombits(l.widen(x))
	below, above := l.neighbours(x, v)
	d, exp := decimal17(v)
	lo := scaled17((v+below)/2, exp)
	hi := scaled17((v+above)/2, exp)
	even := x&1 == 0
	for p := uint64(1e16); ; p /= 10 {
		down := d / p * p
		up := down + p
		okDown := down > lo || down == lo && (even || l.unsigned())
		okUp := up < hi || up == hi && even && !l.unsigned()
		if okDown && okUp {
			// Both ends read back to x: take the nearer, on a tie the even digit.
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

// neighbours returns the values next to v, the value of x > 0, as if there were no smallest power of two and no largest
// value.
func (l layout) neighbours(x uint16, v float64) (below, above float64) {
	if l.unsigned() {
		return v / 2, 2 * v
	}
	below = math.Float64frombits(l.widen(x - 1))
	if x&(1<<l.mant()-1) == 0 && x>>l.mant() > 1 {
		return below, 3*v - 2*below // the spacing doubles above a power of two
	}
	return below, 2*v - below
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
