package pylit

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func TestDepth(t *testing.T) {
	for _, b := range []struct{ name, open, middle, end string }{
		{"lists", "[", "", "]"}, {"parentheses", "(", "1", ")"}, {"tuples", "(", "1", ",)"}, {"dicts", "{1:", "1", "}"},
	} {
		nest := func(n int) string { return strings.Repeat(b.open, n) + b.middle + strings.Repeat(b.end, n) }
		if _, err := Parse(nest(200)); err != nil {
			t.Errorf("200 nested %s: %v, want no error as in CPython", b.name, err)
		}
		for _, n := range []int{201, 5000, 100_000} {
			_, err := Parse(nest(n))
			var e *Error
			if !errors.As(err, &e) || e.Class != Limit || e.Offset != 200*len(b.open) {
				t.Errorf("%d nested %s: %v, want a limit at byte %d", n, b.name, err, 200*len(b.open))
			}
		}
	}
}

// hostile texts grow with n. Each is accepted or refused whatever its length.
var hostile = []struct {
	name string
	text func(n int) string
}{
	{"elements", func(n int) string { return "[" + strings.Repeat("1,", n) + "]" }},
	{"bare tuple", func(n int) string { return strings.Repeat("1,", n) }},
	{"pairs", func(n int) string { return "{" + strings.Repeat("1:1,", n) + "}" }},
	{"tuples", func(n int) string { return "[" + strings.Repeat("(1,),", n) + "]" }},
	{"keys", func(n int) string { return "{" + strings.Repeat("((1,),2):3,", n) + "}" }},
	{"deep key", func(n int) string {
		return "{" + strings.Repeat("(", 190) + strings.Repeat("1,", n) + strings.Repeat(")", 190) + ":1}"
	}},
	{"joined strings", func(n int) string { return strings.Repeat("'a' ", n) }},
	{"joined escapes", func(n int) string { return strings.Repeat(`'\n' `, n) }},
	{"one string", func(n int) string { return "'" + strings.Repeat("a", n) + "'" }},
	{"escapes", func(n int) string { return "'" + strings.Repeat(`\x00`, n) + "'" }},
	{"unterminated", func(n int) string { return "[" + strings.Repeat("'a',", n) + "'" }},
	{"signs", func(n int) string { return strings.Repeat("-", n) + "1" }},
	{"sum", func(n int) string { return "1" + strings.Repeat("+1j", n) }},
	{"digits", func(n int) string { return strings.Repeat("9", n) }},
	{"hexadecimal digits", func(n int) string { return "0x" + strings.Repeat("f", n) }},
	{"underscores", func(n int) string { return "1" + strings.Repeat("_1", n) }},
	{"zeros", func(n int) string { return strings.Repeat("0", n) }},
	{"long fraction", func(n int) string { return "." + strings.Repeat("3", n) }},
	{"long exponent", func(n int) string { return "1e" + strings.Repeat("3", n) }},
	{"big integers", func(n int) string { return "[" + strings.Repeat(strings.Repeat("9", 4300)+",", n/4300+1) + "]" }},
	{"blanks", func(n int) string { return strings.Repeat(" ", n) + "1" + strings.Repeat(" ", n) }},
	{"comments", func(n int) string { return strings.Repeat("#\n", n) + "1" }},
	{"continuations", func(n int) string { return "[1" + strings.Repeat("\\\n", n) + "]" }},
	{"name", func(n int) string { return strings.Repeat("x", n) }},
	{"open brackets", func(n int) string { return strings.Repeat("[", n) }},
}

// TestLinear measures memory and not time: it is the same on every machine.
func TestLinear(t *testing.T) {
	const n = 20_000
	for _, h := range hostile {
		for _, long := range []bool{false, true} {
			small, large := h.text(n), h.text(4*n)
			a, b := allocated(small, long), allocated(large, long)
			const slack = 8 << 10
			if b > 5*a+slack {
				t.Errorf("%s: %d bytes allocated for %d, %d for %d: more than linear", h.name, a, len(small), b, len(large))
			}
			if limit := uint64(180*len(large) + slack); b > limit {
				t.Errorf("%s: %d bytes allocated for a text of %d", h.name, b, len(large))
			}
		}
	}
}

// allocated returns the bytes that parsing a text takes, with garbage.
func allocated(text string, long bool) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := Options{Long: long}.Parse(text)
	runtime.ReadMemStats(&after)
	if err == nil && len(v.Repr(60)) > 63 {
		panic("Repr is not cut")
	}
	return after.TotalAlloc - before.TotalAlloc
}
