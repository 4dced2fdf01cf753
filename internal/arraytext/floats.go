package arraytext

import "math/big"

// A floatFormat gives all floats of an array the same width (FloatingFormat, NumPy 2.5). The first round decides whether they have
// exponents, the second measures the parts.
type floatFormat struct {
	read      floatReader
	precision int  // digits after the point at most
	numpy1    bool // exponents as in NumPy 1
	plus      bool // imaginary parts have a + where other numbers have no sign

	round         int
	finite, other bool // there are finite numbers; there are infinities or NaNs
	negativeInf   bool
	low, high     floatValue // the smallest and the largest magnitude above zero
	exponents     bool

	whole, fraction int // characters before and after the point, exponents aside
	exponent        int // digits of exponents
}

func (f *floatFormat) next() bool {
	f.round++
	switch f.round {
	case 1:
		return true
	case 2:
		f.exponents = f.needExponents()
		if f.finite {
			return true
		}
	}
	f.fitOthers()
	return false
}

// needExponents follows the rule of FloatingFormat.fillFormat. The quotient is rounded as the dtype does it.
func (f *floatFormat) needExponents() bool {
	if f.low.isZero() { // then every element is zero
		return false
	}
	low, high := f.low.abs(), f.high.abs()
	from, below := f.low.bounds(f.numpy1)
	ratio := new(big.Float).SetPrec(low.Prec()).Quo(high, low)
	return high.Cmp(big.NewFloat(from)) >= 0 || low.Cmp(big.NewFloat(below)) < 0 || ratio.Cmp(big.NewFloat(1000)) > 0
}

func (f *floatFormat) measure(item []byte) {
	v := f.read(item)
	switch {
	case v.isNaN():
		f.other = true
	case v.isInf():
		f.other = true
		f.negativeInf = f.negativeInf || v.negative()
	case f.round == 1:
		f.finite = true
		f.measureMagnitude(v)
	default:
		f.measureWidth(v)
	}
}

func (f *floatFormat) measureMagnitude(v floatValue) {
	switch {
	case v.isZero():
	case f.low.isZero():
		f.low, f.high = v, v
	case v.less(f.low):
		f.low = v
	case f.high.less(v):
		f.high = v
	}
}

func (f *floatFormat) measureWidth(v floatValue) {
	sign := 0
	if f.plus || v.negative() {
		sign = 1
	}
	if !f.exponents {
		d := v.fixed(f.precision)
		f.whole = max(f.whole, sign+max(d.exp, 0)+1)
		f.fraction = max(f.fraction, len(d.digits)-1-d.exp)
		return
	}
	d := v.scientific(0, f.precision)
	f.whole = max(f.whole, sign+1)
	f.fraction = max(f.fraction, len(d.digits)-1)
	f.exponent = max(f.exponent, len(d.appendExponent(nil, 2))-len("e+"))
}

// fitOthers widens the words for nan and inf.
func (f *floatFormat) fitOthers() {
	if !f.other {
		return
	}
	others := len("nan")
	if f.negativeInf || f.plus {
		others = len("-inf")
	}
	f.whole = max(f.whole, others-(f.width()-f.whole))
}

// width is the width of all elements.
func (f *floatFormat) width() int {
	n := f.whole + len(".") + f.fraction
	if f.exponents {
		n += len("e+") + f.exponent
	}
	return n
}

func (f *floatFormat) append(dst, item []byte) []byte {
	v := f.read(item)
	switch {
	case v.isNaN():
		return f.appendOther(dst, false, "nan")
	case v.isInf():
		return f.appendOther(dst, v.negative(), "inf")
	case f.exponents:
		return f.appendScientific(dst, v)
	}
	return f.appendFixed(dst, v)
}

// sign returns the sign to print, as a string.
func (f *floatFormat) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case f.plus:
		return "+"
	}
	return ""
}

func (f *floatFormat) appendOther(dst []byte, negative bool, text string) []byte {
	text = f.sign(negative) + text
	return append(appendSpaces(dst, f.width()-len(text)), text...)
}

// appendFixed prints the decimals of the value, padded with spaces.
func (f *floatFormat) appendFixed(dst []byte, v floatValue) []byte {
	d := v.fixed(f.precision)
	sign := f.sign(v.negative())
	dst = append(appendSpaces(dst, f.whole-len(sign)-max(d.exp, 0)-1), sign...)
	for i := min(d.exp, 0); i <= max(d.exp, len(d.digits)-1); i++ {
		c := byte('0')
		if 0 <= i && i < len(d.digits) {
			c = d.digits[i]
		}
		dst = append(dst, c)
		if i == d.exp {
			dst = append(dst, '.')
		}
	}
	return appendSpaces(dst, f.fraction-max(len(d.digits)-1-d.exp, 0))
}

// appendScientific prints the same number of decimals for every value. Digits after the shortest text are exact.
func (f *floatFormat) appendScientific(dst []byte, v floatValue) []byte {
	d := v.scientific(f.fraction, f.fraction)
	sign := f.sign(v.negative())
	dst = append(appendSpaces(dst, f.whole-len(sign)-1), sign...)
	dst = append(dst, d.digits[0], '.')
	dst = append(dst, d.digits[1:]...)
	for range f.fraction - (len(d.digits) - 1) {
		dst = append(dst, '0')
	}
	return d.appendExponent(dst, f.exponent)
}

// A complexFormat prints the parts of complex numbers as two columns (ComplexFloatingFormat).
type complexFormat struct {
	re, im *floatFormat
	size   int // of a part in bytes
}

func newComplexFormat(part floatFormat, size int) complexFormat {
	re, im := part, part
	im.plus = true
	return complexFormat{re: &re, im: &im, size: size}
}

func (f complexFormat) next() bool {
	re, im := f.re.next(), f.im.next()
	return re || im
}

func (f complexFormat) measure(item []byte) {
	f.re.measure(item[:f.size])
	f.im.measure(item[f.size:])
}

// append puts the j before the spaces that pad the decimals.
func (f complexFormat) append(dst, item []byte) []byte {
	dst = f.im.append(f.re.append(dst, item[:f.size]), item[f.size:])
	end := len(dst)
	for dst[end-1] == ' ' {
		end--
	}
	dst = append(dst, ' ')
	dst[end] = 'j'
	return dst
}
