package literal

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/bounded"
)

// Binary is LONG1 and LONG4: two's complement, little-endian, of at most maxBytes bytes.
func Binary(b []byte, maxBytes int) (any, error) {
	if len(b) > maxBytes {
		return nil, overDigits(len(b), "bytes", maxBytes)
	}
	return twosComplement(b), nil
}

// overDigits returns the error of MaxDigits.
func overDigits(n int, of string, limit int) error {
	return bounded.Over("MaxDigits", int64(limit), 0, "an int of %d %s is over MaxDigits %d", n, of, limit)
}

// twosComplement returns the int in b, an int64 where it fits.
func twosComplement(b []byte) any {
	negative := len(b) > 0 && b[len(b)-1] >= 0x80
	if len(b) <= 8 {
		var full [8]byte
		if negative {
			full = [8]byte{255, 255, 255, 255, 255, 255, 255, 255}
		}
		copy(full[:], b)
		return int64(binary.LittleEndian.Uint64(full[:]))
	}
	b = slices.Clone(b)
	slices.Reverse(b)
	n := new(big.Int).SetBytes(b)
	if negative {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return shortInt(n)
}

// Size returns the number of bytes of an int in two's complement, the fewest that hold it.
func Size(n *big.Int) int {
	bits := n.BitLen()
	if n.Sign() < 0 {
		bits = new(big.Int).Not(n).BitLen()
	}
	return bits/8 + 1
}

// Bytes returns an int in two's complement, little-endian, in Size(n) bytes.
func Bytes(n *big.Int) []byte {
	size := Size(n)
	unsigned := n
	if n.Sign() < 0 {
		unsigned = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	b := unsigned.FillBytes(make([]byte, size))
	slices.Reverse(b)
	return b
}

// shortInt returns n as an int64 if it fits.
func shortInt(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// Numbers in text are read as by both of CPython's unpicklers. Space around them, underscores between digits and,
// except for numbers of the memo, the prefixes 0x, 0o and 0b are allowed. A number that the two read differently is
// refused.

// Int is INT: a number, or 00 and 01 for False and True. The unpickler in C makes a bool of any 0 or 1 written in
// two characters, and reads 010 as octal; the unpickler in Python does neither.
func Int(line []byte, maxDigits int) (any, error) {
	switch string(line) {
	case "00":
		return false, nil
	case "01":
		return true, nil
	}
	if len(line) == 2 && !isDigit(line[0]) && (line[1] == '0' || line[1] == '1' && line[0] != '-') {
		return nil, fmt.Errorf("%s is a bool to one unpickler and an int to another", Quoted(line))
	}
	return number(line, maxDigits)
}

// Long is LONG: a number, optionally followed by an L.
func Long(line []byte, maxDigits int) (any, error) {
	if n := len(line); n > 0 && line[n-1] == 'L' {
		line = line[:n-1]
	}
	return number(line, maxDigits)
}

// number returns the number in a line.
func number(line []byte, maxDigits int) (any, error) {
	if len(line) > maxDigits {
		return nil, overDigits(len(line), "digits", maxDigits)
	}
	n, ok := parseNumber(string(line), 0)
	if !ok {
		return nil, fmt.Errorf("%s is not a number", Quoted(line))
	}
	return n, nil
}

// Decimal is the number in a line as pickletools reads it, which takes every number as decimal, and 00 and 01 as bools.
func Decimal(line []byte, maxDigits int) (any, error) {
	switch string(line) {
	case "00":
		return false, nil
	case "01":
		return true, nil
	}
	if len(line) > maxDigits {
		return nil, overDigits(len(line), "digits", maxDigits)
	}
	n, ok := parseNumber(string(line), 10)
	if !ok {
		return nil, fmt.Errorf("%s is not a decimal number", Quoted(line))
	}
	return n, nil
}

// maxMemoDigits is the longest memo number in text that is read. Picklers write shorter ones.
const maxMemoDigits = 100

// MemoNumber is GET and PUT: a number of the memo.
func MemoNumber(line []byte) (uint64, error) {
	if len(line) <= maxMemoDigits {
		if n, _ := parseNumber(string(line), 10); n != nil {
			if n, ok := n.(int64); ok && n >= 0 {
				return uint64(n), nil
			}
		}
	}
	return 0, fmt.Errorf("%s is not a memo number", Quoted(line))
}

// parseNumber is Python's int(s, base), for base 10, or base 0: the base of the prefix, else 10, without leading zeros,
// which Python refuses then.
func parseNumber(s string, base int) (any, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	unsigned := strings.TrimLeft(s, "+-")
	sign := s[:len(s)-len(unsigned)]
	if len(sign) > 1 {
		return nil, false
	}
	digits := unsigned
	if base == 0 {
		digits, base = cutPrefix(unsigned)
	}
	digits, ok := withoutUnderscores(digits)
	if !ok {
		return nil, false
	}
	if n, err := strconv.ParseInt(sign+digits, base, 64); err == nil {
		return n, true
	}
	n, ok := new(big.Int).SetString(sign+digits, base)
	return n, ok
}

// cutPrefix returns the digits after the prefix of a base, and the base. Decimal digits with a leading zero are not a
// number.
func cutPrefix(s string) (digits string, base int) {
	if len(s) > 2 && s[0] == '0' {
		if base = prefixes[s[1]|0x20]; base != 0 {
			return strings.TrimPrefix(s[2:], "_"), base
		}
	}
	if s != "" && s[0] == '0' && strings.Trim(s, "0_") != "" {
		return "", 10
	}
	return s, 10
}

var prefixes = [256]int{'x': 16, 'o': 8, 'b': 2}

// withoutUnderscores removes underscores between digits. It returns false for an underscore elsewhere and for no
// digits.
func withoutUnderscores(s string) (string, bool) {
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") || strings.ContainsAny(s, "+-") {
		return "", false
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// ParseInt returns the int64 or *big.Int of decimal digits with an optional sign. As in Python, only zero starts with a
// zero.
func ParseInt(s string) (any, bool) {
	digits := strings.TrimLeft(s, "+-")
	if !IsDigits(digits) || len(s)-len(digits) > 1 || digits[0] == '0' && strings.Trim(digits, "0") != "" {
		return nil, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	n, ok := new(big.Int).SetString(s, 10)
	return n, ok
}

// IsDigits reports whether s is one or more decimal digits.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Float is FLOAT: the repr of a float.
func Float(line []byte) (float64, error) {
	f, ok := parseFloat(string(line))
	if !ok {
		return 0, notFloat(line)
	}
	return f, nil
}

// FloatWide is the float in a line as pickletools reads it: Python's float(s), which ignores surrounding space and
// underscores between digits.
func FloatWide(line []byte) (float64, error) {
	f, ok := parseFloatWide(string(line))
	if !ok {
		return 0, notFloat(line)
	}
	return f, nil
}

func notFloat(line []byte) error { return fmt.Errorf("%s is not a float", Quoted(line)) }

// pythonNaN is Python's NaN. Go's has one more bit set.
var pythonNaN = math.Float64frombits(0x7ff8 << 48)

// parseFloat reads a float as CPython's unpickler does: without surrounding space, underscores and hexadecimal digits,
// which Go's parser or Python's float accept.
func parseFloat(s string) (float64, bool) {
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false
	}
	switch strings.ToLower(s) {
	case "+nan": // Go's parser rejects a NaN with a sign
		s = "nan"
	case "-nan":
		return math.Copysign(pythonNaN, -1), true
	}
	f, err := strconv.ParseFloat(s, 64)
	if f != f {
		f = pythonNaN
	}
	return f, err == nil
}

// parseFloatWide is Python's float(s).
func parseFloatWide(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i == len(s)-1 || !isDigit(s[i-1]) || !isDigit(s[i+1])) {
			return 0, false
		}
	}
	return parseFloat(strings.ReplaceAll(s, "_", ""))
}

// Quoted returns a line for an error, truncated to a few characters.
func Quoted(line []byte) string {
	if len(line) > 40 {
		return fmt.Sprintf("%q...", line[:40])
	}
	return strconv.Quote(string(line))
}
