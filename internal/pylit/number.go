package pylit

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDigits is the limit of CPython (sys.get_int_max_str_digits) on decimal integers. Here it holds in every base:
// converting more digits takes more than linear time, and headers do not need them.
const maxDigits = 4300

// number parses a number without sign.
func (p *parser) number(v *Value) bool {
	if !p.smallInt(v) && !p.anyNumber(v) {
		return false
	}
	p.plain = true
	return !p.long || p.longSuffix(v)
}

// smallInt parses an integer as headers have them: decimal, of a few digits. For any other text, smallInt returns false
// and leaves the position where it was.
func (p *parser) smallInt(v *Value) bool {
	i, n := p.pos, int64(0)
	for ; i < len(p.text) && isDigit(p.text[i]); i++ {
		n = n*10 + int64(p.text[i]-'0')
	}
	digits := i - p.pos
	if digits == 0 || digits > 18 || digits > 1 && p.text[p.pos] == '0' {
		return false
	}
	if c := p.at(i); c == '.' || isNameStart(c) {
		return false
	}
	*v = Value{Kind: Int, Start: p.pos, End: i, Int: n}
	p.pos = i
	return true
}

// anyNumber parses a number of any form.
func (p *parser) anyNumber(v *Value) bool {
	if p.peek() == '0' {
		switch p.at(p.pos+1) | 0x20 {
		case 'x':
			return p.radix(v, 16, "hexadecimal")
		case 'o':
			return p.radix(v, 8, "octal")
		case 'b':
			return p.radix(v, 2, "binary")
		}
	}
	start := p.pos
	float := p.peek() == '.'
	if !float && !p.digits(10, "decimal") {
		return false
	}
	if p.peek() == '.' {
		float = true
		p.pos++
		if isDigit(p.peek()) && !p.digits(10, "decimal") {
			return false
		}
	}
	if p.peek()|0x20 == 'e' {
		float = true
		if !p.exponent() {
			return false
		}
	}
	text := withoutUnderscores(p.text[start:p.pos])
	*v = Value{Start: start, End: p.pos}
	if p.peek()|0x20 == 'j' {
		p.pos++
		v.End = p.pos
		v.setComplex(complex(0, parseFloat(text)))
		return p.numberEnd("imaginary")
	}
	if float {
		v.Kind, v.Float = Float, parseFloat(text)
		return p.numberEnd("decimal")
	}
	return p.numberEnd("decimal") && p.setInt(v, text, 10)
}

// exponent skips the letter e and a number with an optional sign.
func (p *parser) exponent() bool {
	p.pos++
	if c := p.peek(); c == '+' || c == '-' {
		p.pos++
	}
	return p.digits(10, "decimal")
}

// radix parses an integer with a prefix of two bytes. An underscore may follow
// the prefix.
func (p *parser) radix(v *Value, base int, what string) bool {
	start := p.pos
	p.pos += 2
	if p.peek() == '_' {
		p.pos++
	}
	first := p.pos
	if !p.digits(base, what) {
		return false
	}
	*v = Value{Start: start, End: p.pos}
	if isDigit(p.peek()) {
		return p.fail(p.pos, Syntax, "invalid digit "+p.character()+" in "+what+" literal")
	}
	return p.numberEnd(what) && p.setInt(v, withoutUnderscores(p.text[first:p.pos]), base)
}

// digits skips one or more digits with single underscores between them.
func (p *parser) digits(base int, what string) bool {
	for {
		first := p.pos
		for isDigitOf(p.peek(), base) {
			p.pos++
		}
		if p.pos == first {
			return p.fail(p.pos, Syntax, "invalid "+what+" literal")
		}
		if p.peek() != '_' {
			return true
		}
		p.pos++
	}
}

func isDigitOf(c byte, base int) bool {
	if base == 16 {
		return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
	}
	return '0' <= c && c < '0'+byte(base)
}

// numberEnd refuses a letter directly after a number. Only if Long is set may it be the suffix L, which longSuffix
// skips.
func (p *parser) numberEnd(what string) bool {
	c := p.peek()
	if !isNameStart(c) || c == 'L' && p.long && p.nameEnd(p.pos) == p.pos+1 {
		return true
	}
	if c >= utf8.RuneSelf { // not always a letter, perhaps a blank of several bytes
		return p.fail(p.pos, Syntax, "unexpected "+p.character())
	}
	return p.fail(p.pos, Syntax, "invalid "+what+" literal")
}

// longSuffix skips the suffixes L after the number v. NumPy's filter drops every one of them, with any blanks before,
// and even after a float.
func (p *parser) longSuffix(v *Value) bool {
	for {
		for isBlank(p.peek()) || p.peek() == '\\' {
			if p.peek() != '\\' {
				p.blanks()
			} else if !p.continuation() {
				return false
			}
		}
		if p.peek() != 'L' || p.nameEnd(p.pos) != p.pos+1 {
			return true
		}
		p.pos++
		v.End = p.pos
	}
}

func withoutUnderscores(s string) string { return strings.ReplaceAll(s, "_", "") }

// setInt makes v the integer with the given digits, which are valid.
func (p *parser) setInt(v *Value, digits string, base int) bool {
	significant := strings.TrimLeft(digits, "0")
	if base == 10 && significant != "" && len(significant) < len(digits) {
		return p.fail(v.Start, Syntax, "leading zeros in decimal integer literals are not permitted")
	}
	if len(significant) > maxDigits {
		return p.fail(v.Start, Limit, "an integer has more than "+strconv.Itoa(maxDigits)+" digits")
	}
	b, ok := new(big.Int).SetString("0"+significant, base)
	if !ok { // cannot happen, but must not pass as a number if it does
		return p.fail(v.Start, Syntax, "invalid integer literal")
	}
	v.setBig(b)
	return true
}

// parseFloat converts digits that are valid in Python and so in Go. Beyond the range of a float64, Python and Go agree
// on infinity and zero.
func parseFloat(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// isNumber reports whether v may have a sign. A Bool may not.
func (v *Value) isNumber() bool {
	return v.Kind == Int || v.Kind == Float || v.Kind == Complex
}

// negate changes the sign of a number.
func (v *Value) negate() {
	switch {
	case v.Kind == Float:
		v.Float = -v.Float
	case v.Kind == Complex:
		c := v.Complex()
		v.setComplex(complex(-real(c), -imag(c)))
	case v.Big != nil:
		v.setBig(v.Big.Neg(v.Big)) // -2**63 fits an int64 and 2**63 does not
	default:
		v.Int = -v.Int // of a non-negative number
	}
}

// addImaginary parses the operator at the current position and the imaginary number that must follow, and adds it to
// the real number v.
func (p *parser) addImaginary(v *Value) bool {
	at, op := p.pos, p.peek()
	if v.Kind != Int && v.Kind != Float {
		return p.fail(at, NotLiteral, "operator '"+string(rune(op))+"' is not part of a literal, except in a complex number")
	}
	p.pos++
	if !p.space() {
		return false
	}
	if c := p.peek(); c == '+' || c == '-' {
		return p.fail(p.pos, NotLiteral, "a second sign is not part of a literal")
	}
	var right Value
	if !p.operand(&right) {
		return false
	}
	if right.Kind != Complex || !p.plain {
		return p.fail(at, NotLiteral, "only an imaginary number can be added to a number in a literal")
	}
	left, ok := v.float()
	if !ok {
		return p.fail(v.Start, Limit, "int too large to convert to float")
	}
	if op == '+' {
		v.setComplex(complex(left, 0) + right.Complex())
	} else {
		v.setComplex(complex(left, 0) - right.Complex())
	}
	v.End, p.plain = right.End, false
	return true
}

// float returns a real number as a float64, and false if it is too large.
func (v *Value) float() (float64, bool) {
	switch {
	case v.Kind == Float:
		return v.Float, true
	case v.Big == nil:
		return float64(v.Int), true
	}
	f, _ := new(big.Float).SetInt(v.Big).Float64()
	return f, !math.IsInf(f, 0)
}
