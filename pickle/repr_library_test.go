package pickle

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// attributes are the attributes that classes of the library read.
var attributes = strings.Fields(`_annotation _default _display_name _domain _mu _return_annotation _sigma _username args coded_value compress_size
	compress_type data external_attr file_size filename key levelno lineno maps message msg name pathname returncode stderr stdout value`)

// An oddMaker makes values of every type, valid for some class or not.
type oddMaker struct {
	*rand.Rand
	classes []Global
	made    []any
}

func pickOne[T any](m *oddMaker, values []T) T { return values[m.IntN(len(values))] }

func (m *oddMaker) value(depth int) any {
	if len(m.made) > 0 && m.IntN(8) == 0 {
		return pickOne(m, m.made)
	}
	if depth == 0 || m.IntN(3) == 0 {
		return pickOne(m, []any{
			nil, true, int64(0), int64(1), int64(2), int64(-1), int64(1 << 62), new(big.Int).Lsh(big.NewInt(1), 70), 1.5, 1i, "", "a", "\x1b[2J\n", "/", `\`, "é\xed\xa0\x80", "d", "u",
			"_unpickle", "ROUND_UP\x1b", []byte("\x01\x02\x03\x04\x1b"), []byte{}, Ellipsis, NotImplemented, &Global{Module: "\x1b", Name: "\x9b"}, &Global{Module: "_operator", Name: "or_"},
			&Global{Module: "inspect", Name: "_empty"}, &Decimal{Text: "1"}, &ByteArray{Bytes: []byte("\x00")}, strings.Repeat("x\n", 1<<10),
		})
	}
	items := func() []any {
		n := m.IntN(6)
		values := make([]any, n)
		for i := range values {
			values[i] = m.value(depth - 1)
		}
		return values
	}
	switch m.IntN(5) {
	case 0:
		l := &List{}
		m.made = append(m.made, l)
		l.Items = items()
		return l
	case 1:
		return &Tuple{Items: items()}
	case 2:
		d := new(Dict)
		for _, name := range attributes {
			if m.IntN(4) == 0 {
				continue
			}
			_ = d.Set(name, m.value(depth-1))
		}
		return d
	case 3:
		c := pickOne(m, m.classes)
		return &c
	}
	return m.object(pickOne(m, m.classes), depth)
}

func (m *oddMaker) object(class Global, depth int) *Object {
	o := &Object{Class: &class, How: pickOne(m, []How{Call, NewObj, NewObjEx})}
	m.made = append(m.made, o)
	o.Args = &Tuple{}
	for range m.IntN(9) {
		o.Args.Items = append(o.Args.Items, m.value(depth-1))
	}
	if m.IntN(5) == 0 {
		o.Class, o.Args = &Global{Module: "copyreg", Name: "_reconstructor"}, &Tuple{Items: []any{&class, &Global{Module: "builtins", Name: "dict"}, m.value(depth - 1)}}
	}
	if m.IntN(2) == 0 {
		o.HasState, o.State = true, m.value(depth-1)
	}
	for range m.IntN(3) {
		o.Items = append(o.Items, m.value(depth-1))
		o.Pairs = append(o.Pairs, Pair{m.value(0), m.value(depth - 1)})
	}
	return o
}

// The text of an object of the library is bounded and printable, whatever the pickle says about it.
func TestReprLibraryHostile(t *testing.T) {
	m := &oddMaker{Rand: rand.New(rand.NewPCG(1, 2))}
	m.classes = slices.SortedFunc(maps.Keys(libraryReprs()), func(a, b Global) int { return strings.Compare(a.Module+" "+a.Name, b.Module+" "+b.Name) })
	for _, name := range []string{"builtins getattr", "inspect Parameter", "builtins type", "builtins OSError", "configparser Error", "builtins ValueError", "typing Union", "typing Annotated", "enum Flag"} {
		module, name, _ := strings.Cut(name, " ")
		m.classes = append(m.classes, Global{Module: module, Name: name})
	}
	p := Printer{MaxBytes: 2000}
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	for range rounds {
		for _, class := range m.classes {
			m.made = m.made[:0]
			o := m.object(class, 2)
			got := p.Repr(o)
			printable := func(c rune) bool { return c != '\n' && unicode.IsControl(c) }
			if len(got) > p.MaxBytes+len(ellipsis) || !utf8.ValidString(got) || strings.IndexFunc(got, printable) >= 0 {
				t.Fatalf("%s.%s: %d bytes: %q", class.Module, class.Name, len(got), got)
			}
		}
	}
}

// A shared value is neither printed nor visited more often than the limit allows.
func TestReprLibraryShared(t *testing.T) {
	long := strings.Repeat("a\n", 1<<19)
	doubled := &Object{Class: &Global{Module: "re", Name: "RegexFlag"}, Args: &Tuple{Items: []any{int64(2)}}}
	for range 100 {
		doubled = &Object{Class: &Global{Module: "_operator", Name: "or_"}, Args: &Tuple{Items: []any{doubled, doubled}}}
	}
	calls := map[string]*Object{
		"or_":             doubled,
		"PosixPath":       {Class: &Global{Module: "pathlib", Name: "PosixPath"}, Args: &Tuple{Items: slices.Repeat([]any{long}, 10_000)}},
		"JSONDecodeError": {Class: &Global{Module: "json.decoder", Name: "JSONDecodeError"}, Args: &Tuple{Items: []any{"m", long, int64(1 << 20)}}},
		"_compile":        {Class: &Global{Module: "re", Name: "_compile"}, Args: &Tuple{Items: []any{long, int64(0)}}},
	}
	for name, o := range calls {
		start := time.Now()
		got := Repr(&List{Items: slices.Repeat([]any{o}, 10_000)})
		if took := time.Since(start); len(got) > defaultBytes+len(ellipsis) || took > time.Minute {
			t.Errorf("%s: %d bytes in %v", name, len(got), took)
		}
	}
}
