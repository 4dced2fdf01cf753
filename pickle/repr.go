package pickle

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy/internal/pylit"
)

// A Printer prints values as Python's repr does, from the data in the pickle, and objects of deque, pathlib and zoneinfo.
// Objects of other classes, for which Python would have to run code, are printed in the form of a call:
// project.Opaque(1, key=2; state={'x': 3}). Sets are printed in their order here. Values of other types print
// themselves by a method AppendRepr(dst []byte, limit int) []byte, or by fmt.Stringer.
//
// The result never has control characters, and its length is bounded for any value: truncated text ends in "…". The
// zero Printer is ready to use, also by several goroutines at once.
type Printer struct {
	// MaxDepth is the depth to which containers are printed; deeper ones print as […]. 0 means 100, a negative number
	// means the largest possible depth, 10,000.
	MaxDepth int

	// MaxBytes limits the length of the result, without the "…" of a truncated one. 0 means 1 MiB, a negative number
	// means no limit: the text of n nested lists, each holding the next one twice, then has more than 2^n bytes.
	MaxBytes int

	// Python is the minor version of Python 3 to print as; 0 means the newest known. Up to 11, an OrderedDict is
	// printed as a list of pairs.
	Python int

	// Other, if not nil, is called for each object and global, and for each value of a type that this package does not
	// know. It appends about limit bytes of the repr and returns true, or returns false if it does not know the value
	// either.
	Other func(dst []byte, v any, limit int) ([]byte, bool)
}

// The defaults of a Printer.
const (
	defaultDepth = 100
	deepest      = 10_000
	defaultBytes = 1 << 20
	newestPython = 13
	maxIntBits   = 1 << 20 // larger ints are printed as their number of bits: converting them to digits takes more than linear time
)

// Repr returns v as Python's repr prints it, within the limits of the zero [Printer].
func Repr(v any) string { return (&Printer{}).Repr(v) }

// Repr returns v as Python's repr prints it.
func (p *Printer) Repr(v any) string { return string(p.Append(nil, v)) }

// Append appends the result of [Printer.Repr] to dst.
func (p *Printer) Append(dst []byte, v any) []byte {
	r := repr{
		dst: dst, base: len(dst), depth: cmp.Or(p.MaxDepth, defaultDepth), limit: cmp.Or(p.MaxBytes, defaultBytes),
		python: cmp.Or(p.Python, newestPython), ask: p.Other,
	}
	if r.depth < 0 || r.depth > deepest {
		r.depth = deepest
	}
	r.value(v)
	if !r.full() {
		return r.dst
	}
	end := r.base + r.limit
	for end > r.base && !utf8.RuneStart(r.dst[end]) {
		end--
	}
	return append(r.dst[:end], ellipsis...)
}

// ellipsis stands for truncated text.
const ellipsis = "…"

// A repr prints one value.
type repr struct {
	dst         []byte
	base, limit int
	depth       int              // the remaining depth
	inside      map[any]struct{} // the containers around the current value
	python      int
	ask         func(dst []byte, v any, limit int) ([]byte, bool)
}

// full reports whether the limit is exceeded, so that all further text will be cut.
func (r *repr) full() bool { return r.limit >= 0 && len(r.dst)-r.base > r.limit }

func (r *repr) text(s string) { r.dst = append(r.dst, s...) }

// prefix returns the part of a text that can be printed: each byte of it takes at least one byte.
func prefix[T string | []byte](r *repr, s T) T {
	if left := max(0, r.limit-(len(r.dst)-r.base)); r.limit >= 0 && left < len(s)-utf8.UTFMax {
		return s[:left+utf8.UTFMax]
	}
	return s
}

// value prints any value.
func (r *repr) value(v any) {
	switch v := v.(type) {
	case nil:
		r.text("None")
	case bool:
		r.bool(v)
	case int64:
		r.dst = strconv.AppendInt(r.dst, v, 10)
	case *big.Int:
		r.bigInt(v)
	case float64:
		r.dst = pylit.AppendFloat(r.dst, v)
	case complex128:
		r.dst = pylit.AppendComplex(r.dst, v)
	case string:
		r.dst = pylit.AppendRepr(r.dst, prefix(r, v))
	case []byte:
		r.dst = pylit.AppendBytesRepr(r.dst, string(prefix(r, v)))
	case *ByteArray:
		r.byteArray(v)
	case Singleton:
		r.name(string(v))
	case *Global:
		if !r.asked(v) {
			r.global(v)
		}
	case *Decimal:
		r.call("Decimal", v.Text)
	case *Fraction:
		r.call("Fraction", v.Num, v.Den)
	case *UUID:
		r.call("UUID", v.text())
	case *Date:
		r.numbers("datetime.date(", v.Year, v.Month, v.Day)
		r.text(")")
	case *Timedelta:
		r.timedelta(v)
	default:
		r.nested(v)
	}
}

// byteArray prints a bytearray. In contrast to bytes, Python escapes single quotes also between double ones.
func (r *repr) byteArray(v *ByteArray) {
	text := pylit.AppendBytesRepr(nil, string(prefix(r, v.Bytes)))
	if text[1] == '"' {
		text = bytes.ReplaceAll(text, []byte("'"), []byte(`\'`))
	}
	r.text("bytearray(" + string(text) + ")")
}

func (r *repr) bool(b bool) {
	if b {
		r.text("True")
	} else {
		r.text("False")
	}
}

func (r *repr) bigInt(n *big.Int) {
	if n == nil {
		r.text("<nil>")
	} else if bits := n.BitLen(); bits > maxIntBits {
		r.text("<int of " + strconv.Itoa(bits) + " bits>")
	} else {
		r.dst = n.Append(r.dst, 10)
	}
}

// text returns the UUID as Python's str does.
func (v *UUID) text() string {
	b := v.Bytes
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// call prints name(args).
func (r *repr) call(name string, args ...any) {
	r.text(name)
	r.sequence("(", args, ")")
}

// name prints a name as it is, or quoted if it has anything but printable characters.
func (r *repr) name(s string) {
	if s = prefix(r, s); strings.IndexFunc(s, notPrintable) >= 0 {
		r.dst = pylit.AppendRepr(r.dst, s)
		return
	}
	r.text(s)
}

func notPrintable(c rune) bool { return c == utf8.RuneError || !unicode.IsPrint(c) }

func (r *repr) qualified(g *Global) {
	r.name(g.Module)
	r.text(".")
	r.name(g.Name)
}

// asked prints a value with Printer.Other, and reports whether it did.
func (r *repr) asked(v any) (ok bool) {
	if r.ask != nil {
		r.dst, ok = r.ask(r.dst, v, r.left()/2) // half, so that the recursion ends whatever v contains
	}
	return ok
}

// left returns the number of bytes that may still be printed.
func (r *repr) left() int {
	if r.limit < 0 {
		return defaultBytes
	}
	return max(r.limit-(len(r.dst)-r.base), 0)
}

// other prints a value of a type that this package does not know.
func (r *repr) other(v any) {
	if !isNil(v) && r.asked(v) {
		return
	}
	if a, ok := v.(interface {
		AppendRepr(dst []byte, limit int) []byte
	}); ok && !isNil(v) {
		r.dst = a.AppendRepr(r.dst, r.left()/2)
		return
	}
	if s, ok := v.(fmt.Stringer); ok && !isNil(v) {
		for line := range strings.Lines(prefix(r, s.String())) {
			r.line(line)
		}
		return
	}
	if n, ok := goNumber(v); ok {
		r.value(n)
		return
	}
	r.name(fmt.Sprintf("<%T>", v))
}

// line prints a line with its unprintable characters escaped.
func (r *repr) line(line string) {
	for _, c := range line {
		switch {
		case c == '\n':
			r.text("\n")
		case notPrintable(c):
			quoted := pylit.AppendRepr(nil, string(c))
			r.dst = append(r.dst, quoted[1:len(quoted)-1]...)
		default:
			r.dst = utf8.AppendRune(r.dst, c)
		}
	}
}

// isNil reports whether v is a nil pointer.
func isNil(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}
