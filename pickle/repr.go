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

// A Printer prints values as Python's repr does, those of many classes of Python's library included, from what the pickle says
// of them. What Python would have to run code for, objects of classes that this package does not know, it prints in the
// form of a call: project.Opaque(1, key=2; state={'x': 3}). Sets are printed in the order they have here. Values of other types
// print themselves by a method AppendRepr(dst []byte, limit int) []byte, or by fmt.Stringer.
//
// The result never has control characters, and it is bounded, whatever the value: what is cut ends in "…". The zero
// Printer is ready to use, also by several goroutines at once.
type Printer struct {
	// MaxDepth is how deep containers are printed; those below print as […]. 0 is 100, negative is the most there can
	// be, 10,000.
	MaxDepth int

	// MaxBytes is how long the result can be, besides the "…" that ends it if it is cut. 0 is 1 MiB, negative is no
	// limit; a list in a list in a list, each held twice, can be 2^n bytes then.
	MaxBytes int

	// Python is the minor version of Python 3 to print as; 0 is the newest that is known. Up to 11 an OrderedDict is printed as a list of
	// pairs.
	Python int

	// Other, if not nil, is asked for each object and global, and for each value of a type that this package does not know. It appends about
	// limit bytes of the repr and reports true, or false if it does not know it either.
	Other func(dst []byte, v any, limit int) ([]byte, bool)
}

// What a Printer does without being told.
const (
	defaultDepth = 100
	deepest      = 10_000
	defaultBytes = 1 << 20
	newestPython = 13
	maxIntBits   = 1 << 20 // ints of more bits are printed as what they are only: digits cost more than linear time
)

// Repr returns v as Python's repr prints it, with the bounds of the zero [Printer].
func Repr(v any) string { return (&Printer{}).Repr(v) }

// Repr returns v as Python's repr prints it.
func (p *Printer) Repr(v any) string { return string(p.Append(nil, v)) }

// Append appends what [Printer.Repr] returns to dst.
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

// ellipsis stands for what is cut.
const ellipsis = "…"

// A repr prints one value.
type repr struct {
	dst         []byte
	base, limit int
	depth       int              // how much deeper it may go
	inside      map[any]struct{} // the containers it is in
	python      int
	ask         func(dst []byte, v any, limit int) ([]byte, bool)
}

// full reports whether the limit is passed, so that all that follows will be cut.
func (r *repr) full() bool { return r.limit >= 0 && len(r.dst)-r.base > r.limit }

func (r *repr) text(s string) { r.dst = append(r.dst, s...) }

// prefix returns the part of a text that can be printed: each byte takes one at least.
func prefix[T string | []byte](r *repr, s T) T {
	if room := max(0, r.limit-(len(r.dst)-r.base)); r.limit >= 0 && room < len(s)-utf8.UTFMax {
		return s[:room+utf8.UTFMax]
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

// byteArray prints a bytearray. Unlike in bytes, Python escapes single quotes also between double ones.
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

// asked prints a value as Printer.Other does, and reports whether it has.
func (r *repr) asked(v any) (ok bool) {
	if r.ask != nil {
		r.dst, ok = r.ask(r.dst, v, r.room()/2) // less each time, so that it ends whatever v contains
	}
	return ok
}

// room returns how many bytes may still be printed.
func (r *repr) room() int {
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
		r.dst = a.AppendRepr(r.dst, r.room()/2)
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

// line prints a line as it is, but for characters that do not print.
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
