package pickle

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// madeHere are values made in Go, with the same values in Python.
func madeHere() []struct {
	python string
	value  any
} {
	dict := func(pairs ...any) *Dict {
		d := &Dict{}
		for i := 0; i < len(pairs); i += 2 {
			if err := d.Set(pairs[i], pairs[i+1]); err != nil {
				panic(err)
			}
		}
		return d
	}
	list := func(items ...any) *List { return &List{Items: items} }
	tuple := func(items ...any) *Tuple { return &Tuple{Items: items} }
	set := func(items ...any) *Set {
		s := &Set{}
		for _, v := range items {
			if err := s.Add(v); err != nil {
				panic(err)
			}
		}
		return s
	}
	many := func(n int) *List {
		l := &List{}
		for i := range n {
			l.Items = append(l.Items, int64(i))
		}
		return l
	}
	manyKeys := func(n int) *Dict {
		d := &Dict{}
		for i := range n {
			if err := d.Set(int64(i), nil); err != nil {
				panic(err)
			}
		}
		return d
	}
	shift := func(n uint, sign int64) *big.Int { return new(big.Int).Lsh(big.NewInt(sign), n) }
	shared := list(int64(1))
	loop := &List{}
	loop.Items = []any{int64(1), loop}
	inTuple := &List{}
	inTuple.Items = []any{tuple(inTuple)}
	inLong := &List{}
	long := tuple(int64(1), int64(2), int64(3), inLong)
	inLong.Items = []any{long}
	utc := &TimeZone{Offset: &Timedelta{}}
	return []struct {
		python string
		value  any
	}{
		{"None", nil},
		{"[True, False, None]", list(true, false, nil)},
		{"[0, 1, 255, 256, 65535, 65536, -1, -2**31, 2**31-1, 2**31, -2**31-1, 2**39-1, 2**39, -2**39, -2**39-1, 2**63-1, -2**63]",
			list(int64(0), int64(1), int64(255), int64(256), int64(65535), int64(65536), int64(-1), int64(-1<<31),
				int64(1<<31-1), int64(1<<31), int64(-1<<31-1), int64(1<<39-1), int64(1<<39), int64(-1<<39), int64(-1<<39-1),
				int64(math.MaxInt64), int64(math.MinInt64))},
		{"[2**63, -2**63-1, 2**64, 2**71, -2**71, -2**71-1, 2**2031, 2**2039-1, 2**2039, -2**2039, 2**20000, 5]",
			list(shift(63, 1), new(big.Int).Sub(shift(63, -1), big.NewInt(1)), shift(64, 1), shift(71, 1), shift(71, -1),
				new(big.Int).Sub(shift(71, -1), big.NewInt(1)), shift(2031, 1), new(big.Int).Sub(shift(2039, 1), big.NewInt(1)), shift(2039, 1), shift(2039, -1), shift(20000, 1), big.NewInt(5))},
		{"[1, 2, 3, 4, 2**64-1, 1.5]", list(1, int8(2), uint16(3), uint64(4), uint64(math.MaxUint64), float32(1.5))},
		{"[0.0, -0.0, 1.5, float('inf'), 1e-320]", list(0.0, math.Copysign(0, -1), 1.5, math.Inf(1), 1e-320)},
		{"[complex(1, 2), complex(1, 2), complex]", list(apartComplex(1+2i), apartComplex(1+2i), &Global{Module: "builtins", Name: "complex"})},
		{"['', 'a', 'é', 'ab', '優良', '😀', '', 'a', 'é', '\\ud800', 'x'*255, 'y'*256]",
			list("", "a", "é", "ab", "優良", "😀", "", "a", "é", "\xed\xa0\x80", strings.Repeat("x", 255), strings.Repeat("y", 256))},
		{"[b'', b'a', b'ab', b'', b'a', b'\\xff\\x00\\x80', b'x'*256]", list([]byte{}, []byte("a"), []byte("ab"), []byte{}, []byte("a"), []byte("\xff\x00\x80"), bytes.Repeat([]byte("x"), 256))},
		{"[bytearray(), bytearray(b'x'), bytearray(b'xyz')]", list(&ByteArray{}, &ByteArray{[]byte("x")}, &ByteArray{[]byte("xyz")})},
		{"[(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)]", list(tuple(), tuple(1), tuple(1, 2), tuple(1, 2, 3), tuple(1, 2, 3, 4))},
		{"[[], [1], {}, {1: 2}, {1: 2, 3: 4}, set(), {1}, frozenset(), frozenset({1})]",
			list(list(), list(1), dict(), dict(int64(1), 2), dict(int64(1), 2, int64(3), 4), set(), set(int64(1)), &FrozenSet{}, &FrozenSet{*set(int64(1))})},
		{"list(range(999))", many(999)}, {"list(range(1000))", many(1000)}, {"list(range(1001))", many(1001)},
		{"list(range(2001))", many(2001)}, {"list(range(100000))", many(100000)},
		{"dict.fromkeys(range(1000))", manyKeys(1000)}, {"dict.fromkeys(range(1001))", manyKeys(1001)}, {"dict.fromkeys(range(2000))", manyKeys(2000)},
		{"OrderedDict.fromkeys(range(1000))", &OrderedDict{Dict: *manyKeys(1000)}},
		{"OrderedDict.fromkeys(range(2001))", &OrderedDict{Dict: *manyKeys(2001)}},
		{"OrderedDict()", &OrderedDict{}},
		{"Counter({1: 3})", &Counter{Dict: *dict(int64(1), 3)}},
		{"[defaultdict(list, {1: []}), defaultdict(None)]",
			list(&DefaultDict{Dict: *dict(int64(1), list()), Factory: &Global{Module: "builtins", Name: "list"}}, &DefaultDict{})},
		{since312,
			list(&DefaultDict{Dict: *dict(int64(1), list()), Factory: &Global{Module: "builtins", Name: "list"}}, &DefaultDict{}, &Counter{Dict: *dict(int64(1), 3)})},
		{"set(range(1000))", func() any { s := &Set{}; s.elements = *manyKeys(1000); return s }()},
		{"frozenset(range(1001))", func() any { s := &FrozenSet{}; s.set.elements = *manyKeys(1001); return s }()},
		{"[list(range(10)) for _ in range(1001)]", func() any {
			l := &List{}
			for range 1001 {
				l.Items = append(l.Items, many(10))
			}
			return l
		}()},
		{"(lambda x: [x, x, [x]])([1])", list(shared, shared, list(shared))},
		{"cycle()", loop}, {"cycle_tuple()", inTuple}, {"cycle_long()", inLong}, {"cycle_long()[0]", long},
		{"['x'*65535, 'x'*65536, 'y'*100000, b'z'*65536, b'w'*65535, bytearray(b'q'*65536), 'tail']",
			list(strings.Repeat("x", 65535), strings.Repeat("x", 65536), strings.Repeat("y", 100000), bytes.Repeat([]byte("z"), 65536),
				bytes.Repeat([]byte("w"), 65535), &ByteArray{bytes.Repeat([]byte("q"), 65536)}, "tail")},
		{"'x'*70000", strings.Repeat("x", 70000)},
		{"[slice(1, None, 2), range(0, 10, 3), ..., NotImplemented, ..., range]", list(&Slice{1, nil, 2, nil}, &Range{0, 10, 3, nil}, Ellipsis, NotImplemented, Ellipsis, &Global{Module: "builtins", Name: "range"})},
		{"[datetime.datetime(2020, 1, 2, 3, 4, 5, 6), datetime.date(2020, 1, 2), datetime.time(1, 2, 3, 4, fold=1), datetime.datetime(2020, 1, 2, fold=1), datetime.timedelta(1, 2, 3), datetime.timedelta(-1)]",
			list(&Datetime{2020, 1, 2, 3, 4, 5, 6, 0, nil, nil}, &Date{2020, 1, 2, nil}, &Time{1, 2, 3, 4, 1, nil, nil}, &Datetime{Year: 2020, Month: 1, Day: 2, Fold: 1}, &Timedelta{1, 2, 3, nil}, &Timedelta{-1, 0, 0, nil})},
		{"[datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc), datetime.time(1, tzinfo=datetime.timezone.utc), datetime.timezone(datetime.timedelta(hours=1), 'CET')]",
			list(&Datetime{Year: 2020, Month: 1, Day: 2, TZ: utc}, &Time{Hour: 1, TZ: utc}, &TimeZone{Offset: &Timedelta{Seconds: 3600}, Name: "CET"})},
		{"[decimal.Decimal('1.50'), decimal.Decimal('5'), '5', fractions.Fraction(1, 3), fractions.Fraction(5)]",
			list(&Decimal{Text: "1.50"}, &Decimal{Text: "5"}, "5", &Fraction{big.NewInt(1), big.NewInt(3), false, nil}, &Fraction{big.NewInt(5), big.NewInt(1), false, nil})},
		{"[uuid.UUID(int=5), uuid.UUID(int=2**128-1)]", list(&UUID{Bytes: [16]byte{15: 5}}, &UUID{Bytes: [16]byte(bytes.Repeat([]byte{255}, 16))})},
		{"[int, len, float, getattr, os.path.join, OSError, FileNotFoundError, functools.reduce, OrderedDict, Outer.Inner, Outer, Outer.Inner.method]",
			list(&Global{Module: "builtins", Name: "int"}, &Global{Module: "builtins", Name: "len"}, &Global{Module: "builtins", Name: "float"}, &Global{Module: "builtins", Name: "getattr"},
				&Global{Module: "posixpath", Name: "join"}, &Global{Module: "builtins", Name: "OSError"}, &Global{Module: "builtins", Name: "FileNotFoundError"},
				&Global{Module: "_functools", Name: "reduce"}, &Global{Module: "collections", Name: "OrderedDict"}, &Global{Module: "__main__", Name: "Outer.Inner"}, &Global{Module: "__main__", Name: "Outer"}, &Global{Module: "__main__", Name: "Outer.Inner.method"})},
		{"[Outer.Inner.method]", list(&Global{Module: "__main__", Name: "Outer.Inner.method"})},
		{"Outer(3)", &Object{Class: &Global{Module: "__main__", Name: "Outer"}, How: NewObj, State: dict("x", 3), HasState: true}},
		{"Keywords()", &Object{Class: &Global{Module: "__main__", Name: "Keywords"}, How: NewObjEx, Args: tuple(1), Kwargs: dict("kk", 2)}},
		{"Items([1])", &Object{Class: &Global{Module: "__main__", Name: "Items"}, How: NewObj, Items: []any{1}}},
		{"Items(range(1001))", &Object{Class: &Global{Module: "__main__", Name: "Items"}, How: NewObj, Items: many(1001).Items}},
		{"Around()", func() any {
			o := &Object{Class: &Global{Module: "__main__", Name: "Around"}, HasState: true}
			l := list(o)
			o.Args, o.State = tuple(l), dict("l", l)
			return o
		}()},
	}
}

// inPython defines the names in madeHere, and dumps.
const inPython = `
import sys, pickle, pickletools, datetime, decimal, fractions, uuid, functools, os
if hasattr(sys, 'set_int_max_str_digits'): sys.set_int_max_str_digits(0)
from collections import OrderedDict, defaultdict, Counter
class Outer:
    class Inner:
        def method(self): pass
    def __init__(self, x): self.x = x
class Keywords:
    def __new__(cls, *args, **kwargs): return object.__new__(cls)
    def __getnewargs_ex__(self): return (1,), {'kk': 2}
class Items(list): pass
class Around:
    def __init__(self, l=None):
        self.l = [self] if l is None else l
        self.args = (self.l,) # one tuple, however often it is asked for
    def __reduce__(self): return Around, self.args, {'l': self.l}
def cycle():
    l = [1]; l.append(l); return l
def cycle_tuple():
    l = []; l.append((l,)); return l
def cycle_long():
    l = []; l.append((1, 2, 3, l)); return l
`

// since312 is a list of two classes of a module, one of them made in C: the names of the module are one str before
// CPython 3.12, and two since.
const since312 = "[defaultdict(list, {1: []}), defaultdict(None), Counter({1: 3})]"

// Encode writes values made in Go as Python writes them.
func TestEncodeAsPython(t *testing.T) {
	var in strings.Builder
	for _, test := range madeHere() {
		fmt.Fprintln(&in, test.python)
	}
	out := oracle.Python(t, inPython+`
print(int(sys.version_info >= (3, 12)))
for line in sys.stdin:
    v = eval(line)
    for protocol in range(6):
        print(pickle.dumps(v, protocol).hex())
`, []byte(in.String()))
	lines := strings.Fields(string(out))
	newer, lines := lines[0] == "1", lines[1:]
	for i, test := range madeHere() {
		if test.python == since312 && !newer {
			continue
		}
		for protocol := range 6 {
			if protocol < 2 && (strings.Contains(test.python, "Items(") || strings.Contains(test.python, "Keywords(")) {
				continue // Python asks the classes once more how to write them for these protocols
			}
			want, err := hex.DecodeString(lines[6*i+protocol])
			if err != nil {
				t.Fatal(err)
			}
			e := Encoder{Protocol: protocol}
			if protocol == 0 {
				e.Protocol = Protocol0
			}
			got, err := e.Append([]byte("before"), test.value)
			if err != nil || string(got) != "before"+string(want) {
				t.Errorf("protocol %d: Append(%.100s) = %.200q, %v, want %.200q", protocol, test.python, got[min(6, len(got)):], err, want)
				continue
			}
			var w bytes.Buffer
			if err := e.Encode(&w, test.value); err != nil || !bytes.Equal(w.Bytes(), want) {
				t.Errorf("protocol %d: Encode(%.100s) = %.200q, %v, want %.200q", protocol, test.python, w.Bytes(), err, want)
			}
		}
	}
}

// Values nested deeper than any call stack are written too.
func TestEncodeDeep(t *testing.T) {
	const n = 1_000_000
	nested := make([]List, n)
	for i := range n - 1 {
		nested[i].Items = []any{&nested[i+1]}
	}
	data, err := Encode(&nested[0])
	if err != nil || len(data) < 3*n {
		t.Fatalf("Encode of %d lists = %d bytes, %v", n, len(data), err)
	}
}

// apartComplex returns a complex number that is a different object from every other.
//
//go:noinline
func apartComplex(c complex128) any { return c }
