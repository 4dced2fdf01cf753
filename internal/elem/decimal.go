package elem

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// Numbers in tables mostly have up to 19 digits. A fast path handles them, and gives up where it is not sure of the
// last bit. strconv.ParseFloat is the slow path and the oracle.

// quickFloat returns the float64 nearest to a decimal number: a sign, digits with a point, an exponent. It reports
// false for any other text, and for numbers that need the slow path.
func quickFloat(s string) (float64, bool) {
	d, ok := scanDecimal(s)
	if !ok {
		return 0, false
	}
	return d.float()
}

// QuickFraction is quickFloat for numbers with a point or an exponent. It reports false for integers.
func QuickFraction(s string) (float64, bool) {
	d, ok := scanDecimal(s)
	if !ok || d.integer {
		return 0, false
	}
	return d.float()
}

// float returns the nearest float64, and false if the slow path is needed.
func (d decimal) float() (float64, bool) {
	f, ok := d.exact()
	if !ok {
		f, ok = d.nearest()
	}
	if d.negative {
		f = -f
	}
	return f, ok
}

// A decimal is mantissa * 10**exp.
type decimal struct {
	negative bool
	mantissa uint64
	exp      int
	integer  bool // it has neither a point nor an exponent
}

// scanDecimal parses a decimal number. It reports false if s is not one, or has more than 19 digits.
func scanDecimal(s string) (d decimal, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		d.negative = s[i] == '-'
		i++
	}
	if len(s)-i > 40 {
		return d, false
	}
	start, point := i, -1
	for ; i < len(s); i++ {
		if c := s[i] - '0'; c <= 9 {
			d.mantissa = d.mantissa*10 + uint64(c) // more than 19 digits are found out below
		} else if s[i] == '.' && point < 0 {
			point = i
		} else {
			break
		}
	}
	digits := i - start
	if point >= 0 {
		digits--
		d.exp = point + 1 - i
	}
	if digits == 0 || digits > 19 {
		return d, false
	}
	if i < len(s) {
		exp, ok := scanExponent(s[i:])
		d.exp += exp
		return d, ok
	}
	d.integer = point < 0
	return d, true
}

// scanExponent reads the exponent after the digits: e-05.
func scanExponent(s string) (exp int, ok bool) {
	if s[0]|0x20 != 'e' || len(s) < 2 {
		return 0, false
	}
	s = s[1:]
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		s = s[1:]
	}
	if s == "" || len(s) > 4 {
		return 0, false
	}
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return 0, false
		}
		exp = exp*10 + int(s[i]-'0')
	}
	if negative {
		exp = -exp
	}
	return exp, true
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// exact handles numbers for which one rounded operation on exact values gives the nearest float64 (Clinger, 1990).
func (d decimal) exact() (float64, bool) {
	switch f := float64(d.mantissa); {
	case d.mantissa == 0:
		return 0, true
	case d.mantissa > 1<<53:
		return 0, false
	case d.exp >= 0 && d.exp < len(tens):
		return f * tens[d.exp], true
	case d.exp < 0 && -d.exp < len(tens):
		return f / tens[-d.exp], true
	}
	return 0, false
}

// The range of powers of ten of the fast path: it covers every normal float64 with up to 19 digits.
const minTen, maxTen = -326, 308

// powers returns the upper 128 bits of each power of ten, rounded down. The highest bit is 1; the upper half is the
// second element.
var powers = sync.OnceValue(func() *[maxTen - minTen + 1][2]uint64 {
	var table [maxTen - minTen + 1][2]uint64
	mask := new(big.Int).SetUint64(math.MaxUint64)
	for i := range table {
		exp := i + minTen
		p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exp, -exp))), nil)
		if exp < 0 {
			one := new(big.Int).Lsh(big.NewInt(1), uint(p.BitLen()+128))
			p = one.Quo(one, p)
		}
		if n := p.BitLen(); n > 128 {
			p.Rsh(p, uint(n-128))
		} else {
			p.Lsh(p, uint(128-n))
		}
		table[i][0] = new(big.Int).And(p, mask).Uint64()
		table[i][1] = new(big.Int).Rsh(p, 64).Uint64()
	}
	return &table
})

// nearest multiplies by the upper bits of the power of ten. It reports false if the omitted bits could change the
// result (Lemire, Number Parsing at a Gigabyte per Second, 2021).
func (d decimal) nearest() (float64, bool) {
	if d.exp < minTen || d.exp > maxTen {
		return 0, false
	}
	power := powers()[d.exp-minTen]
	zeros := bits.LeadingZeros64(d.mantissa)
	mantissa := d.mantissa << zeros
	high, low := bits.Mul64(mantissa, power[1])
	if high&0x1ff == 0x1ff && low+mantissa < low { // the sum of the lower half may carry into the bits that count
		rest, lost := bits.Mul64(mantissa, power[0])
		var carry uint64
		low, carry = bits.Add64(low, rest, 0)
		high += carry
		if high&0x1ff == 0x1ff && low == math.MaxUint64 && lost+mantissa < lost {
			return 0, false
		}
	}
	top := high >> 63
	fraction := high >> (top + 9) // 54 bits, the last for rounding
	if low == 0 && high&0x1ff == 0 && fraction&3 == 1 {
		return 0, false // in the middle of two, as far as these bits say
	}
	fraction += fraction & 1
	fraction >>= 1
	exp := 217706*d.exp>>16 + 63 + int(top) - zeros // the power of 2: 217706/65536 is the logarithm of 10
	if fraction>>53 > 0 {
		fraction >>= 1
		exp++
	}
	if exp < -1022 || exp > 1023 {
		return 0, false
	}
	return math.Float64frombits(uint64(exp+1023)<<52 | fraction&(1<<52-1)), true
}
