// Package jsontext is the grammar of JSON for all packages here: strings, and numbers that JSON lacks.
package jsontext

// NaN and the infinities are strings, as in the JSON mapping of protocol buffers; NaT is a string too.
const (
	nan         = "NaN"
	infinity    = "Infinity"
	minInfinity = "-Infinity"
	nat         = "NaT"
)

// IsSpecial reports whether a string stands for a float that JSON lacks.
func IsSpecial(s string) bool { return s == nan || s == infinity || s == minInfinity }

// CloseNumber ends a number whose text starts at start. A number that JSON lacks becomes a string: only such texts end
// in a letter.
func CloseNumber(dst []byte, start int) []byte {
	if dst[len(dst)-1] <= '9' {
		return dst
	}
	word := nat
	switch dst[start] {
	case 'n':
		word = nan
	case 'i':
		word = infinity
	case '-':
		word = minInfinity
	}
	return append(append(append(dst[:start], '"'), word...), '"')
}

// CloseString ends a string whose first quote is at start, followed by its text, which must be UTF-8.
func CloseString(dst []byte, start int) []byte {
	for _, c := range dst[start+1:] {
		if c == '"' || c == '\\' || c < ' ' {
			return AppendString(dst[:start], string(dst[start+1:]))
		}
	}
	return append(dst, '"')
}

// AppendString appends s, which must be UTF-8, as a JSON string.
func AppendString(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
