package scalar

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A LongDouble is an x87 80-bit extended float in the layout of NumPy's 16-byte longdouble item on x86-64 (descr <f16):
// its fields in order, little-endian, are the bytes of the item. Pad carries whatever bytes the item had after the
// number, so that writing it again gives the same bytes; no conversion looks at it. Files written on other machines
// give the same descr to other formats (IEEE binary128, double-double), which are not LongDoubles.
//
// The value is Mantissa × 2**(E-16446), E being the lower 15 bits of SignExp, taken as 1 when 0; bit 63 of Mantissa is
// explicit. E of 32767 makes infinities and NaNs. Encodings the x87 refuses as invalid operands (unnormals: E between 1
// and 32766 without bit 63; pseudo-infinities and pseudo-NaNs: E of 32767 without bit 63) are NaNs here, as the
// processor's comparisons and conversions treat them, though NumPy prints digits for unnormals. Pseudo-denormals (E of
// 0 with bit 63) have the value the formula gives, as on the x87; NumPy prints them without bit 63.
type LongDouble struct {
	Mantissa uint64  `dtype:"longdouble"` // with its highest bit, which other floats leave out
	SignExp  uint16  // the sign in bit 15, the exponent below
	Pad      [6]byte // zero in numbers that this package made
}

// LongDoubleFromBytes reads an item of 16 bytes (<f16), 12 bytes (<f12, from i386) or 10 bytes (the bare
// number). bigEndian says that the whole item, padding included, is reversed, as in NumPy's >f16. Another
// length gives a *[SizeError].
func LongDoubleFromBytes(b []byte, bigEndian bool) (LongDouble, error) {
	if err := checkLongDoubleSize(len(b)); err != nil {
		return LongDouble{}, err
	}
	var item [16]byte
	copy(item[:], b)
	if bigEndian {
		reverse(item[:len(b)])
	}
	x := LongDouble{
		Mantissa: binary.LittleEndian.Uint64(item[:]),
		SignExp:  binary.LittleEndian.Uint16(item[8:]),
	}
	copy(x.Pad[:], item[10:])
	return x, nil
}

// PutBytes writes x into an item of 10, 12 or 16 bytes, the reverse of [LongDoubleFromBytes]. Another
// length gives a *[SizeError].
func (x LongDouble) PutBytes(b []byte, bigEndian bool) error {
	if err := checkLongDoubleSize(len(b)); err != nil {
		return err
	}
	var item [16]byte
	binary.LittleEndian.PutUint64(item[:], x.Mantissa)
	binary.LittleEndian.PutUint16(item[8:], x.SignExp)
	copy(item[10:], x.Pad[:])
	copy(b, item[:])
	if bigEndian {
		reverse(b)
	}
	return nil
}

// AppendBytes appends x as a 16-byte item.
func (x LongDouble) AppendBytes(dst []byte, bigEndian bool) []byte {
	var item [16]byte
	_ = x.PutBytes(item[:], bigEndian) // cannot fail: 16 is a valid size
	return append(dst, item[:]...)
}

func checkLongDoubleSize(n int) error {
	if n != 10 && n != 12 && n != 16 {
		return &SizeError{Type: "longdouble", Size: n, Want: "10, 12 or 16"}
	}
	return nil
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

const (
	ldExpMask = 0x7fff
	ldSign    = 0x8000
	ldIntBit  = 1 << 63
	ldBias    = 16383
)

// exp returns the exponent field as used in the value: zero counts as one.
func (x LongDouble) exp() int { return max(int(x.SignExp&ldExpMask), 1) }

// IsNaN reports whether x is not a number. Invalid x87 encodings count as NaN.
func (x LongDouble) IsNaN() bool {
	switch x.SignExp & ldExpMask {
	case 0:
		return false
	case ldExpMask:
		return x.Mantissa != ldIntBit
	}
	return x.Mantissa&ldIntBit == 0
}

// IsInf reports whether x is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (x LongDouble) IsInf(sign int) bool {
	if x.SignExp&ldExpMask != ldExpMask || x.Mantissa != ldIntBit {
		return false
	}
	return sign == 0 || (sign < 0) == x.Signbit()
}

// Signbit reports whether the sign bit of x is set; it may be for zeros and NaNs too.
func (x LongDouble) Signbit() bool { return x.SignExp&ldSign != 0 }

// Sign returns -1, 0 or 1 for x below, equal to or above zero, and 0 for NaN.
func (x LongDouble) Sign() int {
	switch {
	case x.IsNaN() || x.Mantissa == 0:
		return 0
	case x.Signbit():
		return -1
	}
	return 1
}

// Float64 returns the float64 nearest to x, ties to even, and whether it equals x. A number that is too large
// becomes an infinity. A NaN gives a NaN with the same sign and the top of the payload (quiet if that is
// zero). It counts as exact unless the x87 rejects its encoding or payload is lost.
func (x LongDouble) Float64() (f float64, exact bool) {
	sign := uint64(x.SignExp&ldSign) << 48
	switch {
	case x.IsNaN():
		return x.nan64(sign)
	case x.IsInf(0):
		return math.Float64frombits(sign | 0x7ff<<52), true
	case x.Mantissa == 0:
		return math.Float64frombits(sign), true
	}
	e := x.exp() - ldBias + 1023
	if e >= 0x7ff {
		return math.Float64frombits(sign | 0x7ff<<52), false
	}
	shift := uint(11)
	if e <= 0 {
		shift += uint(1 - e)
		e = 1
	}
	if shift > 64 {
		return math.Float64frombits(sign), false
	}
	m := roundShift64(x.Mantissa, shift)
	b := uint64(e-1)<<52 + m
	lost := shift == 64 || x.Mantissa&(1<<shift-1) != 0
	return math.Float64frombits(sign | b), !lost && b < 0x7ff<<52
}

// roundShift64 is roundShift for larger n, which must be from 1 to 64.
func roundShift64(v uint64, n uint) uint64 {
	if n < 64 {
		return roundShift(v, n)
	}
	if v > 1<<63 {
		return 1
	}
	return 0 // a tie goes to the even zero
}

func (x LongDouble) nan64(sign uint64) (float64, bool) {
	frac := x.Mantissa &^ ldIntBit >> 11
	valid := x.SignExp&ldExpMask == ldExpMask && x.Mantissa&ldIntBit != 0
	exact := valid && frac != 0 && x.Mantissa&(1<<11-1) == 0
	if !valid || frac == 0 {
		frac |= 1 << 51
	}
	return math.Float64frombits(sign | 0x7ff<<52 | frac), exact
}

// LongDoubleFromFloat64 returns the LongDouble equal to f, with zero padding. NaNs keep sign and payload
// and stay signaling.
func LongDoubleFromFloat64(f float64) LongDouble {
	b := math.Float64bits(f)
	x := LongDouble{SignExp: uint16(b >> 48 & ldSign)}
	exp, frac := int(b>>52)&0x7ff, b&(1<<52-1)
	switch {
	case exp == 0x7ff:
		x.SignExp |= ldExpMask
		x.Mantissa = ldIntBit | frac<<11
	case exp != 0:
		x.SignExp |= uint16(exp - 1023 + ldBias)
		x.Mantissa = ldIntBit | frac<<11
	case frac != 0:
		up := bits.LeadingZeros64(frac)
		x.SignExp |= uint16(12 - 1023 + ldBias - up)
		x.Mantissa = frac << up
	}
	return x
}

// LongDoubleFromInt64 returns the LongDouble equal to i: its mantissa has 64 bits.
func LongDoubleFromInt64(i int64) LongDouble {
	if i < 0 {
		x := LongDoubleFromUint64(-uint64(i))
		x.SignExp |= ldSign
		return x
	}
	return LongDoubleFromUint64(uint64(i))
}

// LongDoubleFromUint64 returns the LongDouble equal to u.
func LongDoubleFromUint64(u uint64) LongDouble {
	if u == 0 {
		return LongDouble{}
	}
	up := bits.LeadingZeros64(u)
	return LongDouble{Mantissa: u << up, SignExp: uint16(ldBias + 63 - up)}
}

// Int64 returns x without its fraction, and whether the result is in range. Numbers beyond int64 become the nearest
// int64, NaN becomes 0.
func (x LongDouble) Int64() (i int64, ok bool) {
	u, ok := x.magnitude()
	switch {
	case x.IsNaN():
		return 0, false
	case x.Signbit():
		if !ok || u > 1<<63 {
			return math.MinInt64, false
		}
		return -int64(u), true
	case !ok || u >= 1<<63:
		return math.MaxInt64, false
	}
	return int64(u), true
}

// Uint64 returns x without its fraction, and whether the result is in range. Numbers beyond uint64 become the nearest
// uint64; NaN, and numbers of -1 or less, become 0.
func (x LongDouble) Uint64() (u uint64, ok bool) {
	u, ok = x.magnitude()
	switch {
	case x.IsNaN():
		return 0, false
	case x.Signbit():
		return 0, ok && u == 0
	case !ok:
		return math.MaxUint64, false
	}
	return u, true
}

// magnitude returns the integer part of |x|, and false if it does not fit. NaN counts as too large.
func (x LongDouble) magnitude() (uint64, bool) {
	e := x.exp() - ldBias // of the highest bit of the mantissa
	switch {
	case x.Mantissa == 0 || e < 0:
		return 0, !x.IsNaN()
	case e > 63 || x.IsNaN():
		return 0, false
	}
	return x.Mantissa >> (63 - e), true
}

// Float32 returns the float32 nearest to x, ties to even, rounded once. A number that is too large becomes an infinity.
// NaNs convert as in [LongDouble.Float64].
func (x LongDouble) Float32() float32 {
	f, exact := x.Float64()
	if exact || math.IsInf(f, 0) || f == 0 {
		return float32(f)
	}
	// Round to odd first: the last bit is set if float64 lost any bits.
	b := math.Float64bits(f)
	if back := LongDoubleFromFloat64(f); back.exp() > x.exp() || back.exp() == x.exp() && back.Mantissa > x.Mantissa {
		b--
	}
	return float32(math.Float64frombits(b | 1))
}

// A LongComplex is a complex number of two LongDouble parts, NumPy's clongdouble (descr <c32).
type LongComplex struct {
	Real, Imag LongDouble `dtype:"clongdouble"` // stored in this order, with the padding of each
}

// Append appends c as str(numpy.clongdouble) prints it, without the parentheses, in the style of
// [AppendComplex128] with the digits of [LongDouble.Append].
func (c LongComplex) Append(dst []byte) []byte {
	re := func(dst []byte) []byte { return c.Real.append(dst, false) }
	im := func(dst []byte) []byte { return c.Imag.append(dst, false) }
	noReal := c.Real.Mantissa == 0 && c.Real.SignExp == 0
	return appendComplex(dst, noReal, re, im)
}

// String returns the text of [LongComplex.Append].
func (c LongComplex) String() string { return string(c.Append(nil)) }

// Complex128 returns the complex128 nearest to c and whether both parts are exact, as
// [LongDouble.Float64] says.
func (c LongComplex) Complex128() (z complex128, exact bool) {
	re, ok1 := c.Real.Float64()
	im, ok2 := c.Imag.Float64()
	return complex(re, im), ok1 && ok2
}
