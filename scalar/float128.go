package scalar

import (
	"encoding/binary"
	"math/big"
)

// A Float128 is an IEEE 754 binary128: 1 sign, 15 exponent and 112 mantissa bits, from the top of Hi to the
// bottom of Lo. It is NumPy's longdouble on Linux for aarch64, s390x and riscv64.
//
// The descr <f16 does not say so. It stands for three encodings, according to the machine that wrote the file: x87
// extended precision with padding from x86 ([LongDouble]), binary128, or a pair of float64 from ppc64le. The bytes do
// not tell them apart with certainty; the caller must know.
type Float128 struct {
	Hi, Lo uint64 `dtype:"float128"` // the upper and the lower 64 bits
}

// Float128FromBytes reads an item of 16 bytes. bigEndian is as in NumPy's >f16. Another length gives a *[SizeError].
func Float128FromBytes(b []byte, bigEndian bool) (Float128, error) {
	switch {
	case len(b) != 16:
		return Float128{}, &SizeError{Type: "float128", Size: len(b), Want: "16"}
	case bigEndian:
		return Float128{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}, nil
	}
	return Float128{binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b)}, nil
}

// PutBytes writes x into an item of 16 bytes, the reverse of [Float128FromBytes]. Another length gives a *[SizeError].
func (x Float128) PutBytes(b []byte, bigEndian bool) error {
	if len(b) != 16 {
		return &SizeError{Type: "float128", Size: len(b), Want: "16"}
	}
	if bigEndian {
		binary.BigEndian.PutUint64(b, x.Hi)
		binary.BigEndian.PutUint64(b[8:], x.Lo)
		return nil
	}
	binary.LittleEndian.PutUint64(b, x.Lo)
	binary.LittleEndian.PutUint64(b[8:], x.Hi)
	return nil
}

// Float128FromFloat64 returns the Float128 equal to f. NaNs keep sign and payload and stay signaling.
func Float128FromFloat64(f float64) Float128 {
	x := LongDoubleFromFloat64(f) // the same sign and exponent; the mantissa has its highest bit written out
	frac := x.Mantissa &^ ldIntBit
	return Float128{uint64(x.SignExp)<<48 | frac>>15, frac << 49}
}

// Float64 returns the float64 nearest to x, ties to even, and whether it equals x. A number that is too large becomes
// an infinity. A NaN gives a NaN with the same sign and the top of the payload (quiet if that is zero). It is exact if
// no payload is lost.
func (x Float128) Float64() (f float64, exact bool) {
	long := LongDouble{SignExp: uint16(x.Hi >> 48), Mantissa: x.Hi<<16>>1 | x.Lo>>49}
	if x.Hi>>48&ldExpMask != 0 {
		long.Mantissa |= ldIntBit
	}
	if x.Lo<<15 != 0 {
		long.Mantissa |= 1 // far below the last bit of a float64; rounding depends only on whether any such bit is set
	}
	return long.Float64()
}

// IsNaN reports whether x is not a number.
func (x Float128) IsNaN() bool { return x.exp() == ldExpMask && x.Hi<<16|x.Lo != 0 }

// IsInf reports whether x is an infinity: positive for sign > 0, negative for sign < 0, either for 0.
func (x Float128) IsInf(sign int) bool {
	return x.exp() == ldExpMask && x.Hi<<16|x.Lo == 0 && (sign == 0 || (sign < 0) == x.Signbit())
}

// Signbit reports whether the sign bit of x is set; it may be for zeros and NaNs too.
func (x Float128) Signbit() bool { return x.Hi>>63 != 0 }

// Append appends x as str(numpy.longdouble) prints it on machines where longdouble is binary128: the fewest digits that
// read back to x (Dragon4_PrintFloat_IEEE_binary128, unique mode), in the style of [AppendFloat64].
func (x Float128) Append(dst []byte) []byte { return x.append(dst, true) }

func (x Float128) append(dst []byte, pointZero bool) []byte {
	if x.IsNaN() {
		return append(dst, "nan"...)
	}
	if x.Signbit() {
		dst = append(dst, '-')
	}
	if x.IsInf(0) {
		return append(dst, "inf"...)
	}
	m, place := x.mantissa()
	if m.Sign() == 0 {
		return appendDigits(dst, []byte{'0'}, 0, true, pointZero)
	}
	r, s := m, big.NewInt(1)
	if place > 0 {
		r = new(big.Int).Lsh(m, uint(place))
	} else {
		s.Lsh(s, uint(-place))
	}
	boundary := x.Hi<<16|x.Lo == 0 && x.exp() > 1
	g := newDigitGenerator(r, s, place, boundary, x.Lo&1 == 0, floorLog10(m.BitLen()-1+place))
	digits, exp := g.appendAll(nil)
	return appendDigits(dst, digits, exp, exp >= -4 && exp < 16, pointZero)
}

// String returns the text of [Float128.Append].
func (x Float128) String() string { return string(x.Append(nil)) }

// Big returns x as a number of 113 bits, the sign of a zero included, and infinities as such. It is nil for NaNs.
func (x Float128) Big() *big.Float {
	f := new(big.Float).SetPrec(quadBits)
	switch {
	case x.IsNaN():
		return nil
	case x.IsInf(0):
		return f.SetInf(x.Signbit())
	}
	m, place := x.mantissa()
	f.SetMantExp(f.SetInt(m), place)
	if x.Signbit() {
		f.Neg(f)
	}
	return f
}

// AppendComplex256 appends the complex number with these parts as str(numpy.clongdouble) prints it on machines where its
// parts are binary128, without the parentheses, in the style of [AppendComplex128] with the digits of [Float128.Append].
func AppendComplex256(dst []byte, re, im Float128) []byte {
	return appendComplex(dst, re == Float128{}, func(dst []byte) []byte { return re.append(dst, false) },
		func(dst []byte) []byte { return im.append(dst, false) })
}

// exp returns the exponent field.
func (x Float128) exp() int { return int(x.Hi >> 48 & ldExpMask) }

const quadBits = 113 // of the mantissa, including the implicit highest bit

// mantissa returns the finite |x| as m times 2**place.
func (x Float128) mantissa() (m *big.Int, place int) {
	hi := x.Hi & (1<<48 - 1)
	if x.exp() != 0 {
		hi |= 1 << 48
	}
	m = new(big.Int).SetUint64(hi)
	m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(x.Lo))
	return m, max(x.exp(), 1) - ldBias - (quadBits - 1)
}

// ParseFloat128 returns the Float128 nearest to the decimal number s, ties to even. It accepts the same text as
// [ParseLongDouble], returns the same errors, and takes a time bounded by the length of s.
func ParseFloat128(s string) (Float128, error) {
	n, err := scanNumber(s)
	if err != nil {
		return Float128{}, parseError("float128", s, err)
	}
	var x Float128
	switch n.class {
	case classInf:
		x.Hi = ldExpMask << 48
	case classNaN:
		x.Hi = ldExpMask<<48 | 1<<47
	default:
		x = n.float128()
		if x.IsInf(0) {
			err = parseError("float128", s, ErrRange)
		}
	}
	if n.neg {
		x.Hi |= 1 << 63
	}
	return x, err
}

// float128 rounds the magnitude of a finite number.
func (n *number) float128() Float128 {
	digits, exp := n.digits()
	switch {
	case digits == "" || exp < -4970:
		return Float128{}
	case exp > 4940:
		return Float128{Hi: ldExpMask << 48}
	}
	r, s := fraction(digits, exp)
	return quadQuotient(r, s)
}

// quadQuotient returns r/s rounded to nearest even, for positive r and s, which it changes.
func quadQuotient(r, s *big.Int) Float128 {
	const lowest = 1 - ldBias - (quadBits - 1)
	place := max(r.BitLen()-s.BitLen()-quadBits+1, lowest) // for a quotient of 113 bits or 112
	full := new(big.Int).Lsh(s, uint(quadBits-1+max(place, 0)))
	if place > lowest && new(big.Int).Lsh(r, uint(max(-place, 0))).Cmp(full) < 0 {
		place-- // 112 bits are too few
	}
	if place > 0 {
		s.Lsh(s, uint(place))
	} else {
		r.Lsh(r, uint(-place))
	}
	q, rem := new(big.Int).QuoRem(r, s, new(big.Int))
	if c := rem.Lsh(rem, 1).Cmp(s); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	// The highest bit of the quotient counts as one more in the exponent field, and so does a carry beyond it.
	q.Add(q, new(big.Int).Lsh(big.NewInt(int64(place-lowest)), quadBits-1))
	lo := new(big.Int).And(q, new(big.Int).SetUint64(1<<64-1)).Uint64()
	hi := q.Rsh(q, 64).Uint64()
	if hi >= ldExpMask<<48 {
		return Float128{Hi: ldExpMask << 48}
	}
	return Float128{hi, lo}
}
