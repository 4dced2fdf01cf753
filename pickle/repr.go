package pickle

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/npygo/npy/pickle/internal/repr"
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

	// MaxBytes limits the length of the result, without the "…" of a truncated result. 0 means 1 MiB, a negative number
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
)

// Repr returns v as Python's repr prints it, within the limits of the zero [Printer].
func Repr(v any) string { return (&Printer{}).Repr(v) }

// Repr returns v as Python's repr prints it.
func (p *Printer) Repr(v any) string { return string(p.Append(nil, v)) }

// Append appends the result of [Printer.Repr] to dst.
func (p *Printer) Append(dst []byte, v any) []byte {
	r := printing{
		Text: repr.NewText(dst, cmp.Or(p.MaxBytes, defaultBytes)), depth: cmp.Or(p.MaxDepth, defaultDepth), python: cmp.Or(p.Python, newestPython), ask: p.Other,
	}
	if r.depth < 0 || r.depth > deepest {
		r.depth = deepest
	}
	r.value(v)
	return r.Done()
}

// A printing is the printing of one value.
type printing struct {
	repr.Text
	depth  int              // the remaining depth
	inside map[any]struct{} // the containers around the current value
	python int
	ask    func(dst []byte, v any, limit int) ([]byte, bool)
}

// value prints any value.
func (r *printing) value(v any) {
	if r.Atom(v) {
		return
	}
	switch v := v.(type) {
	case *ByteArray:
		r.ByteArray(v.Bytes)
	case Singleton:
		r.Name(string(v))
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
		r.Numbers("datetime.date(", v.Year, v.Month, v.Day)
		r.Add(")")
	case *Timedelta:
		r.timedelta(v)
	default:
		r.nested(v)
	}
}

// text returns the UUID as Python's str does.
func (v *UUID) text() string {
	b := v.Bytes
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// call prints name(args).
func (r *printing) call(name string, args ...any) {
	r.Add(name)
	r.sequence("(", args, ")")
}

func (r *printing) qualified(g *Global) {
	r.Name(g.Module)
	r.Add(".")
	r.Name(g.Name)
}

// asked prints a value with Printer.Other, and reports whether it did.
func (r *printing) asked(v any) (ok bool) {
	if r.ask != nil {
		r.Bytes, ok = r.ask(r.Bytes, v, r.Left()/2) // half, so that the recursion ends whatever v contains
	}
	return ok
}

// other prints a value of a type that this package does not know.
func (r *printing) other(v any) {
	if !isNil(v) && r.asked(v) {
		return
	}
	if a, ok := v.(interface {
		AppendRepr(dst []byte, limit int) []byte
	}); ok && !isNil(v) {
		r.Bytes = a.AppendRepr(r.Bytes, r.Left()/2)
		return
	}
	if s, ok := v.(fmt.Stringer); ok && !isNil(v) {
		r.Lines(s.String())
		return
	}
	if n, ok := goNumber(v); ok {
		r.value(n)
		return
	}
	r.Name(fmt.Sprintf("<%T>", v))
}

// isNil reports whether v is a nil pointer.
func isNil(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// seconds prints seconds and microseconds, without trailing zero parts.
func (r *printing) seconds(second, microsecond int) {
	switch {
	case microsecond != 0:
		r.Numbers(", ", second, microsecond)
	case second != 0:
		r.Numbers(", ", second)
	}
}

// fold prints the fold, if it is not 0.
func (r *printing) fold(fold int) {
	if fold != 0 {
		r.Numbers(", fold=", fold)
	}
}

// zone prints the tzinfo, if there is one.
func (r *printing) zone(tz any) {
	if tz != nil {
		r.Add(", tzinfo=")
		r.value(tz)
	}
}

func (r *printing) timedelta(v *Timedelta) {
	r.Add("datetime.timedelta(")
	separator := ""
	for _, part := range []struct {
		name  string
		value int
	}{{"days=", v.Days}, {"seconds=", v.Seconds}, {"microseconds=", v.Microseconds}} {
		if part.value != 0 {
			r.Numbers(separator+part.name, part.value)
			separator = ", "
		}
	}
	if separator == "" {
		r.Add("0")
	}
	r.Add(")")
}

// datetime prints a datetime. Fold comes before tzinfo here, and after it in a time.
func (r *printing) datetime(v *Datetime) {
	r.Numbers("datetime.datetime(", v.Year, v.Month, v.Day, v.Hour, v.Minute)
	r.seconds(v.Second, v.Microsecond)
	r.fold(v.Fold)
	r.zone(v.TZ)
	r.Add(")")
}

func (r *printing) clock(v *Time) {
	r.Numbers("datetime.time(", v.Hour, v.Minute)
	r.seconds(v.Second, v.Microsecond)
	r.zone(v.TZ)
	r.fold(v.Fold)
	r.Add(")")
}

func (r *printing) timeZone(v *TimeZone) {
	if v.Name == nil && v.Offset != nil && v.Offset.Days == 0 && v.Offset.Seconds == 0 && v.Offset.Microseconds == 0 {
		r.Add("datetime.timezone.utc")
		return
	}
	r.Add("datetime.timezone(")
	r.value(v.Offset)
	if v.Name != nil {
		r.Add(", ")
		r.value(v.Name)
	}
	r.Add(")")
}
