package pickle

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle/internal/repr"
)

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
			"_unpickle", []byte("\x01\x02\x03\x04\x1b"), []byte{}, Ellipsis, NotImplemented, &Global{Module: "\x1b", Name: "\x9b"},
			&Global{Module: "zoneinfo", Name: "ZoneInfo"}, &Decimal{Text: "1"}, &ByteArray{Bytes: []byte("\x00")}, strings.Repeat("x\n", 1<<10),
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
		for i, v := range items() {
			_ = d.Set(int64(i), v)
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
	for _, name := range []string{"collections deque", "pathlib PosixPath", "pathlib PureWindowsPath", "pathlib._local PurePosixPath", "builtins getattr", "builtins ValueError", "enum Flag"} {
		module, name, _ := strings.Cut(name, " ")
		m.classes = append(m.classes, Global{Module: module, Name: name})
	}
	p := Printer{MaxBytes: 2000}
	rounds := 400
	if testing.Short() {
		rounds = 80
	}
	for range rounds {
		for _, class := range m.classes {
			m.made = m.made[:0]
			o := m.object(class, 2)
			got := p.Repr(o)
			printable := func(c rune) bool { return c != '\n' && unicode.IsControl(c) }
			if len(got) > p.MaxBytes+len(repr.Ellipsis) || !utf8.ValidString(got) || strings.IndexFunc(got, printable) >= 0 {
				t.Fatalf("%s.%s: %d bytes: %q", class.Module, class.Name, len(got), got)
			}
		}
	}
}

// A shared value is not visited more often than the limit allows.
func TestReprLibraryShared(t *testing.T) {
	long := strings.Repeat("a\n", 1<<19)
	path := &Object{Class: &Global{Module: "pathlib", Name: "PosixPath"}, Args: &Tuple{Items: slices.Repeat([]any{long}, 10_000)}}
	start := oracle.CPUTime()
	got := Repr(&List{Items: slices.Repeat([]any{path}, 10_000)})
	if took := oracle.CPUTime() - start; len(got) > defaultBytes+len(repr.Ellipsis) || took > time.Minute {
		t.Errorf("%d bytes in %v", len(got), took)
	}
}

// Objects of deque, pathlib and zoneinfo print as in Python, in every protocol; objects of all other classes as the
// call that makes them, with the class's full name.
func TestReprLibraryAsPython(t *testing.T) {
	out := oracle.Python(t, inPython+`
import collections, pathlib, zoneinfo, http, ipaddress, json.decoder, re
for v in [collections.deque(), collections.deque([1, 'a'], maxlen=5), collections.deque([[]]), pathlib.PurePosixPath('/a/b'), pathlib.PurePosixPath('a'), pathlib.PurePosixPath(),
        pathlib.PureWindowsPath('c:\\a\\b'), pathlib.PureWindowsPath('a/b'), zoneinfo.ZoneInfo('UTC'), datetime.datetime(2020, 1, 2, tzinfo=zoneinfo.ZoneInfo('UTC')),
        collections.deque, len, int, ValueError('no', 1), ipaddress.ip_address, re.compile]:
    for protocol in range(6):
        data, out = pickle.dumps(v, protocol), sys.stdout.buffer
        want = {ipaddress.ip_address: 'ipaddress.ip_address', re.compile: 're.compile'}.get(v if callable(v) else None, repr(v))
        for part in data, want.encode():
            out.write(len(part).to_bytes(8, 'big') + part)
`, nil)
	all := pickles(t, out)
	if len(all) != 2*16*6 {
		t.Fatalf("Python printed %d values", len(all)/2)
	}
	for i := 0; i < len(all); i += 2 {
		v, err := Decode(all[i])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Repr(v), string(all[i+1]); got != want {
			t.Errorf("Repr of %q = %s, want %s", all[i], got, want)
		}
	}
}
