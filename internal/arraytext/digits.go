package arraytext

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A floatValue is a float of any dtype, to be printed.
type floatValue struct {
	format floatKind
	x      float64           // the value; of wider formats only the sign and whether it is zero, infinite or NaN
	long   scalar.LongDouble // the value of a long double
	quad   scalar.Float128   // the value of a binary128
	small  *elem.SmallFloat  // the format of a float of one byte
}

type floatKind uint8

const (
	isFloat64 floatKind = iota
	isFloat32
	isFloat16
	isBrain16
	isFloat8
	isLong // this and the next are wider than float64
	isQuad
)

// A floatReader reads a float from its bytes.
type floatReader func(item []byte) floatValue

// floatReaderFor returns the reader of the elements of t, or of their parts if t is complex, and its size in bytes.
// The reader is nil if t is not a float or complex dtype. Floats of 16 bytes are binary128 if float128 is set.
func floatReaderFor(t dtype.Type, float128 bool) (read floatReader, size int) {
	size = t.ItemSize()
	switch {
	case t.Kind() == dtype.KindComplex:
		size /= 2
	case t.Kind() != dtype.KindFloat && !elem.IsNamedFloat(t):
		return nil, 0
	}
	big := isBig(t)
	switch size {
	case 1:
		f, _ := elem.SmallFloatOf(t)
		return func(b []byte) floatValue { return floatValue{format: isFloat8, x: float64(f.Value(b[0])), small: &f} }, size
	case 2:
		if elem.IsBFloat16(t) {
			return func(b []byte) floatValue {
				return floatValue{format: isBrain16, x: scalar.BFloat16{Bits: uint16(bulk.Uint(b, big))}.Float64()}
			}, size
		}
		return func(b []byte) floatValue {
			return floatValue{format: isFloat16, x: scalar.Float16{Bits: uint16(bulk.Uint(b, big))}.Float64()}
		}, size
	case 4:
		return func(b []byte) floatValue {
			return floatValue{format: isFloat32, x: float64(math.Float32frombits(uint32(bulk.Uint(b, big))))}
		}, size
	case 8:
		return func(b []byte) floatValue { return floatValue{x: math.Float64frombits(bulk.Uint(b, big))} }, size
	}
	if float128 && size == 16 {
		return func(b []byte) floatValue { return quadValue(b, big) }, size
	}
	return func(b []byte) floatValue { return longValue(b, big) }, size
}

func quadValue(b []byte, big bool) floatValue {
	quad, err := scalar.Float128FromBytes(b, big)
	v := floatValue{format: isQuad, quad: quad, x: 1}
	switch {
	case err != nil || quad.IsNaN():
		v.x = math.NaN()
	case quad.IsInf(0):
		v.x = math.Inf(1)
	case quad.Hi<<1|quad.Lo == 0:
		v.x = 0
	}
	if quad.Signbit() {
		v.x = math.Copysign(v.x, -1)
	}
	return v
}

func longValue(b []byte, big bool) floatValue {
	long, err := scalar.LongDoubleFromBytes(b, big)
	v := floatValue{format: isLong, long: long, x: 1}
	switch {
	case err != nil || long.IsNaN():
		v.x = math.NaN()
	case long.IsInf(0):
		v.x = math.Inf(1)
	case long.Mantissa == 0:
		v.x = 0
	}
	if long.Signbit() {
		v.x = math.Copysign(v.x, -1)
	}
	return v
}

func (v floatValue) isNaN() bool    { return math.IsNaN(v.x) }
func (v floatValue) isInf() bool    { return math.IsInf(v.x, 0) }
func (v floatValue) isZero() bool   { return v.x == 0 }
func (v floatValue) negative() bool { return math.Signbit(v.x) }

// less reports whether v is nearer to zero than w. Both are finite.
func (v floatValue) less(w floatValue) bool {
	if v.format < isLong {
		return math.Abs(v.x) < math.Abs(w.x)
	}
	return v.abs().Cmp(w.abs()) < 0
}

// abs returns the magnitude of a finite value, with the precision of its dtype.
func (v floatValue) abs() *big.Float {
	precision := [...]uint{isFloat64: 53, isFloat32: 24, isFloat16: 11, isBrain16: 8, isFloat8: 0, isLong: 64, isQuad: 113}[v.format]
	if v.format == isFloat8 {
		precision = v.small.Precision
	}
	abs := new(big.Float).SetPrec(precision)
	switch {
	case v.format == isQuad:
		return abs.Abs(v.quad.Big())
	case v.format < isLong:
		return abs.SetFloat64(math.Abs(v.x))
	}
	const weight = 16446 // the lowest bit of a mantissa counts 2**(exponent-weight)
	exp := max(int(v.long.SignExp&0x7fff), 1) - weight
	return abs.SetMantExp(abs.SetUint64(v.long.Mantissa), exp)
}

// Append appends v with the fewest digits that distinguish it from other values of its dtype.
func (v floatValue) Append(dst []byte) []byte {
	switch v.format {
	case isFloat32:
		return scalar.AppendFloat32(dst, float32(v.x))
	case isFloat16:
		return scalar.Float16FromFloat64(v.x).Append(dst)
	case isBrain16:
		return scalar.BFloat16FromFloat64(v.x).Append(dst)
	case isFloat8:
		return v.small.Append(v.small.Nearest(v.x), dst)
	case isLong:
		return v.long.Append(dst)
	case isQuad:
		return v.quad.Append(dst)
	}
	return scalar.AppendFloat64(dst, v.x)
}

// appendNumPy1 appends v as NumPy 1.24 prints it: floats of every size have no exponent below 1e16. The parts of complex numbers
// have no .0.
func (v floatValue) appendNumPy1(dst []byte, pointZero bool) []byte {
	start := len(dst)
	dst = v.Append(dst)
	if abs := math.Abs(v.x); v.format < isLong && abs >= 1 && abs < 1e16 && bytes.IndexByte(dst[start:], 'e') >= 0 {
		d := parseDecimal(slices.Clone(dst[start:]))
		dst = dst[:start]
		if v.negative() {
			dst = append(dst, '-')
		}
		dst = append(dst, d.digits[:min(d.exp+1, len(d.digits))]...)
		for range d.exp + 1 - len(d.digits) {
			dst = append(dst, '0')
		}
		dst = append(dst, '.')
		dst = append(dst, d.digits[min(d.exp+1, len(d.digits)):]...)
		if len(d.digits) <= d.exp+1 {
			dst = append(dst, '0')
		}
	}
	if !pointZero {
		dst = dst[:start+len(bytes.TrimSuffix(dst[start:], []byte(".0")))]
	}
	return dst
}

// bounds returns the limits of printing without exponents: arrays with numbers of at least from or less than below
// have exponents. The limits are 1e8 and 0.0001. For small floats since NumPy 2.3 they are ten to the power of the
// precision in decimal digits, and 0.0001 rounded to the dtype. Floats that NumPy does not have use the limits of
// float64.
func (v floatValue) bounds(numpy1 bool) (from, below float64) {
	switch {
	case v.format == isFloat32 && !numpy1:
		return 1e6, float64(float32(0.0001))
	case v.format == isFloat16 && !numpy1:
		return 1e3, scalar.Float16FromFloat64(0.0001).Float64()
	}
	return 1e8, 0.0001
}

// A decimal is a number without its sign. The first digit counts 10**exp. It is '0' only for zero, and there are no trailing
// zeros.
type decimal struct {
	digits []byte
	exp    int
}

// shortest returns the fewest digits that distinguish v from other values of its dtype.
func (v floatValue) shortest() decimal { return parseDecimal(v.Append(nil)) }

// exact returns n digits of v, rounded once from the exact value, ties to even.
func (v floatValue) exact(n int) decimal {
	switch v.format {
	case isLong:
		return parseDecimal([]byte(v.long.Scientific(n - 1)))
	case isQuad:
		return parseDecimal(v.quad.Big().Append(nil, 'e', n-1))
	}
	return parseDecimal(strconv.AppendFloat(nil, v.x, 'e', n-1, 64))
}

// scientific returns v with at most atMost digits after the first, and at least atLeast if they are not zeros. Digits after the
// shortest are exact (dragon4_scientific with unique, precision and min_digits). For a few powers of two NumPy rounds the first
// such digit away from zero, for float64 only at a precision of 15 or more.
func (v floatValue) scientific(atLeast, atMost int) decimal {
	d := v.shortest()
	switch n := len(d.digits) - 1; {
	case v.isZero():
	case n > atMost:
		return v.exact(atMost + 1)
	case n < atLeast:
		return v.exact(atLeast + 1)
	}
	return d
}

// fixed returns v with at most atMost digits after the decimal point. Digits before it are exact, even where fewer would
// distinguish v: bfloat16 65504 is 65500.0 alone and 65504 in an array (dragon4_positional with unique, fractional, precision and
// min_digits=0).
func (v floatValue) fixed(atMost int) decimal {
	d := v.shortest()
	switch decimals := len(d.digits) - 1 - d.exp; {
	case v.isZero():
		return d
	case decimals < 0:
		return v.exact(d.exp + 1)
	case decimals <= atMost:
		return d
	}
	zero := decimal{[]byte("0"), 0}
	switch n := atMost + 1 + d.exp; {
	case n > 0:
		return v.exact(n)
	case n < 0:
		return zero
	}
	// Is it more than half? No value of any dtype is half of a power of ten below 1, or so near to it that 30 digits do not
	// show the difference.
	d = v.exact(30)
	if d.exp < -atMost-1 || d.digits[0] < '5' {
		return zero
	}
	return decimal{[]byte("1"), -atMost}
}

// parseDecimal parses the text of a finite number.
func parseDecimal(text []byte) decimal {
	text, exponent, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("-")), []byte("e"))
	whole, fraction, _ := bytes.Cut(text, []byte("."))
	exp, _ := strconv.Atoi(string(exponent)) // 0 if there is none
	exp += len(whole) - 1
	digits := append(whole[:len(whole):len(whole)], fraction...)
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
		exp--
	}
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if digits[0] == '0' {
		exp = 0
	}
	return decimal{digits, exp}
}

// appendExponent appends e, a sign and at least width digits.
func (d decimal) appendExponent(dst []byte, width int) []byte {
	sign := byte('+')
	if d.exp < 0 {
		sign = '-'
	}
	dst = append(dst, 'e', sign)
	text := strconv.Itoa(max(d.exp, -d.exp))
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

// appendComplexScalar appends the complex number of an array without dimensions, in parentheses if it has two parts.
func appendComplexScalar(dst []byte, t dtype.Type, re, im floatValue, item []byte, numpy1 bool) []byte {
	one := re.isZero() && !re.negative()
	if !one {
		dst = append(dst, '(')
	}
	switch {
	case re.format == isQuad:
		dst = scalar.AppendComplex256(dst, re.quad, im.quad)
	case numpy1 && !one:
		sign := "+"
		if im.negative() && !im.isNaN() {
			sign = ""
		}
		dst = append(im.appendNumPy1(append(re.appendNumPy1(dst, false), sign...), false), 'j')
	case numpy1:
		dst = append(im.appendNumPy1(dst, false), 'j')
	default:
		dst = appendComplex(dst, t, item)
	}
	if !one {
		dst = append(dst, ')')
	}
	return dst
}

func appendComplex(dst []byte, t dtype.Type, item []byte) []byte {
	half, big := len(item)/2, isBig(t)
	switch re, im := item[:half], item[half:]; half {
	case 2:
		return scalar.Complex32{Real: scalar.Float16{Bits: uint16(bulk.Uint(re, big))}, Imag: scalar.Float16{Bits: uint16(bulk.Uint(im, big))}}.Append(dst)
	case 4:
		return scalar.AppendComplex64(dst, complex(math.Float32frombits(uint32(bulk.Uint(re, big))), math.Float32frombits(uint32(bulk.Uint(im, big)))))
	case 8:
		return scalar.AppendComplex128(dst, complex(math.Float64frombits(bulk.Uint(re, big)), math.Float64frombits(bulk.Uint(im, big))))
	default:
		return scalar.LongComplex{Real: longValue(re, big).long, Imag: longValue(im, big).long}.Append(dst)
	}
}
