package pickle

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// binaryInt is LONG1 and LONG4: two's complement, little-endian, of any length.
func (m *machine) binaryInt(b []byte) error {
	if len(b) > m.maxDigits {
		return over(fmt.Sprintf("an int of %d bytes is", len(b)), int64(m.maxDigits), "MaxDigits")
	}
	return m.push(twosComplement(b))
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

// shortInt returns n as an int64 if it fits.
func shortInt(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// textInt is INT: a decimal number, or 00 and 01 for False and True.
func (m *machine) textInt(line []byte) error {
	switch string(line) {
	case "00":
		return m.push(false)
	case "01":
		return m.push(true)
	}
	return m.decimal(line)
}

// textLong is LONG: a decimal number, with an L after it or not.
func (m *machine) textLong(line []byte) error {
	if n := len(line); n > 0 && line[n-1] == 'L' {
		line = line[:n-1]
	}
	return m.decimal(line)
}

// decimal pushes the number that a line is.
func (m *machine) decimal(line []byte) error {
	if len(line) > m.maxDigits {
		return over(fmt.Sprintf("an int of %d digits is", len(line)), int64(m.maxDigits), "MaxDigits")
	}
	n, ok := parseInt(string(line))
	if !ok {
		return fmt.Errorf("%s is no decimal number", quoted(line))
	}
	return m.push(n)
}

// parseInt returns the int64 or *big.Int of decimal digits with or without a sign. As in Python a number does not start
// with a zero unless it is one.
func parseInt(s string) (any, bool) {
	digits := strings.TrimLeft(s, "+-")
	if !isDigits(digits) || len(s)-len(digits) > 1 || digits[0] == '0' && strings.Trim(digits, "0") != "" {
		return nil, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	n, ok := new(big.Int).SetString(s, 10)
	return n, ok
}

// isDigits reports whether s is one or more decimal digits.
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// textFloat is FLOAT: the repr of a float.
func (m *machine) textFloat(line []byte) error {
	f, ok := parseFloat(string(line))
	if !ok {
		return fmt.Errorf("%s is no float", quoted(line))
	}
	return m.push(f)
}

// parseFloat is Python's float of a string without space around it. Go's parser also takes hexadecimal digits and
// underscores, and Python does not.
func parseFloat(s string) (float64, bool) {
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if f != f {
		f = math.Float64frombits(0x7ff8 << 48) // Python's NaN, where Go's has a bit more
	}
	return f, err == nil
}

// quoted returns a line for an error, cut to a few characters.
func quoted(line []byte) string {
	if len(line) > 40 {
		return fmt.Sprintf("%q...", line[:40])
	}
	return strconv.Quote(string(line))
}
