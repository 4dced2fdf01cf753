package structure

import (
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/internal/escape"
)

// ToText returns a name of the file as text, with escapes for bytes that are not UTF-8.
func ToText(name string) string {
	if isPlain(name) {
		return name
	}
	return string(escape.AppendBytes(nil, []byte(name)))
}

// isPlain reports whether text stands for itself: it is UTF-8, and has no backslash that may look like an escape.
func isPlain(text string) bool { return strings.IndexByte(text, '\\') < 0 && utf8.ValidString(text) }

// IsASCII reports whether text is ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
