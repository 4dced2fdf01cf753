package pickle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
)

// Exceptions that are one exception in Python 2 are not used together here.

// randomValues is a Python script that defines value(r), a random value: nested, shared, in cycles, of every type that
// package pickle knows and of classes that it does not.
var randomValues = inPython + fmt.Sprintf("shared_complex = %d\n", min(1, bulk.BoxAddress(1i))) + `
import random, array, itertools, enum, types, pathlib, collections
class Slots:
    __slots__ = 'a', 'bb'
class State:
    def __init__(self, x): self.x = x
    def __getstate__(self): return self.x
    def __setstate__(self, x): self.x = x
class Pairs(dict): pass
class Color(enum.Enum):
    RED = 1
    BLUE = '$'
Point = collections.namedtuple('Point', 'x y')
texts = ['', '7', 'é', 'x', 'a', 'name', 'text', '優良', '😀', '\ud800', 'x' * 255, 'y' * 256, 'z' * 70000]
atoms = [
    lambda r: None, lambda r: True, lambda r: False, lambda r: r.randrange(-3, 300), lambda r: r.randrange(-2**r.randrange(1, 200), 2**r.randrange(1, 200)),
    lambda r: r.random() * 10 ** r.randrange(-20, 20), lambda r: complex(r.random(), -0.0), lambda r: r.choice(texts[:-1]), lambda r: ''.join(r.choices('7$xaé優', k=r.randrange(6))),
    lambda r: bytes(r.choices(range(256), k=r.choice([0, 1, 2, 5, 300]))), lambda r: bytearray(r.choices(range(256), k=r.choice([0, 1, 2, 5]))),
    lambda r: slice(r.choice([None, 1]), 10, r.choice([None, 2, 10**30])), lambda r: range(r.randrange(5), 10, r.choice([1, 2])), lambda r: ..., lambda r: NotImplemented,
    lambda r: datetime.datetime(r.randrange(1, 10000), 1, 2, r.randrange(24), 4, 5, r.randrange(10**6), fold=r.randrange(2)),
    lambda r: datetime.date(r.randrange(1, 10000), 12, 31), lambda r: datetime.time(r.randrange(24), 0, 0, r.randrange(10**6), fold=r.randrange(2)),
    lambda r: datetime.timedelta(r.randrange(-1000, 1000), r.randrange(86400), r.randrange(10**6)), lambda r: datetime.timezone.utc,
    lambda r: datetime.datetime(2020, 1, 2, tzinfo=r.choice([datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=1)), datetime.timezone(datetime.timedelta(hours=-1), 'X')])),
    lambda r: datetime.time(5, tzinfo=datetime.timezone.utc),
    lambda r: decimal.Decimal(r.randrange(-10**9, 10**9)) / 10 ** r.randrange(5), lambda r: decimal.Decimal(r.choice(['NaN', '-Infinity', '5'])),
    lambda r: fractions.Fraction(r.randrange(-9, 9), r.randrange(1, 9)), lambda r: uuid.UUID(int=r.randrange(2**128)),
    lambda r: r.choice([int, len, complex, range, set, frozenset, bytes, bytearray, slice, getattr, print, OSError, KeyError, OrderedDict, defaultdict, datetime.date, Outer, Outer.Inner, State, itertools.zip_longest, functools.reduce, type(None)]),
    lambda r: r.choice([Color.RED, Color.BLUE]), lambda r: pathlib.PurePosixPath('aa/bb'), lambda r: ValueError('text', 1), lambda r: array.array('i', [1, 2]),
    lambda r: types.SimpleNamespace(x=1), lambda r: iter([1, 2]), lambda r: Keywords(),
]
def key(r):
    return r.choice([lambda: r.randrange(100), lambda: r.choice(texts), lambda: r.random(), lambda: (1, r.randrange(5)), lambda: None, lambda: b'bytes', lambda: datetime.date(2020, 1, r.randrange(1, 9)), lambda: frozenset([r.randrange(3)])])()
def value(r, depth=0, seen=None):
    seen = [] if seen is None else seen
    if seen and r.random() < .15:
        return r.choice(seen)
    if depth > 4 or r.random() < .4:
        v = r.choice(atoms)(r)
        if shared_complex or type(v) is not complex: seen.append(v)
        return v
    size = r.choice([0, 1, 2, 3, 4, 5, 6]) if depth else r.choice([1, 5, 20])
    kind = r.randrange(14)
    items = lambda: [value(r, depth + 1, seen) for _ in range(size)]
    def fill(d):
        seen.append(d)
        for _ in range(size): d[key(r)] = value(r, depth + 1, seen)
        return d
    if kind < 3:
        v = []
        seen.append(v)
        v.extend(items())
        return v
    if kind < 5: v = tuple(items())
    elif kind < 7: v = fill({})
    elif kind == 7: v = set(key(r) for _ in range(size))
    elif kind == 8: v = frozenset(key(r) for _ in range(size))
    elif kind == 9: return fill(r.choice([OrderedDict, Pairs])())
    elif kind == 10: return fill(defaultdict(r.choice([list, None, int])))
    elif kind == 11: v = Counter(r.choices(range(5), k=size))
    elif kind == 12:
        v = r.choice([Outer, State])(None)
        seen.append(v)
        v.x = value(r, depth + 1, seen)
        return v
    else:
        v = r.choice([lambda: Items(items()), lambda: Point(1, value(r, depth + 1, seen)), lambda: Slots()])()
        if isinstance(v, Slots): v.a = value(r, depth + 1, seen)
    seen.append(v)
    return v
def send(data):
    sys.stdout.buffer.write(len(data).to_bytes(8, 'big') + data)
`

// pickles splits the output of send into pickles.
func pickles(t *testing.T, data []byte) (all [][]byte) {
	t.Helper()
	for len(data) > 0 {
		n := int(binary.BigEndian.Uint64(data))
		all = append(all, data[8:8+n])
		data = data[8+n:]
	}
	return all
}

// A decoded pickle is encoded as Python wrote it, byte for byte.
func TestEncodeAgain(t *testing.T) {
	out := oracle.Python(t, randomValues+`
for seed in range(1500):
    v = value(random.Random(seed))
    for protocol in range(6):
        try: data = pickle.dumps(v, protocol)
        except (RecursionError, TypeError, pickle.PicklingError): continue
        # What is in its own arguments is copied for them, each time anew, in these protocols.
        if protocol < 2 and any(op.name in ('POP', 'POP_MARK') for op, _, _ in pickletools.genops(data)): continue
        send(bytes([protocol]) + data)
`, nil)
	all := pickles(t, out)
	if len(all) < 8000 {
		t.Fatalf("Python made %d pickles only", len(all))
	}
	failed := 0
	for i, data := range all {
		e := Encoder{Protocol: int(data[0])}
		if e.Protocol == 0 {
			e.Protocol = Protocol0
		}
		data = data[1:]
		v, err := Decode(data)
		if err != nil {
			t.Fatalf("pickle %d: %v\n%.300q", i, err, data)
		}
		got, err := e.Append(nil, v)
		if err != nil || !bytes.Equal(got, data) {
			at := 0
			for at < len(got) && at < len(data) && got[at] == data[at] {
				at++
			}
			t.Errorf("pickle %d of %d bytes is written differently from byte %d: %v\n got …%.80q\nwant …%.80q", i, len(data), at, err, got[max(0, at-40):], data[max(0, at-40):])
			if failed++; failed == 10 {
				return
			}
		}
	}
}

// The pickles that NumPy wrote are encoded byte for byte, without any knowledge of NumPy.
func TestEncodeVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/*/*object*.npy")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		header := 10 + int(binary.LittleEndian.Uint16(file[8:]))
		if file[6] != 1 {
			header = 12 + int(binary.LittleEndian.Uint32(file[8:]))
		}
		data := file[header:]
		v, err := Decode(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		e := Encoder{Protocol: int(data[1])}
		if got, err := e.Append(nil, v); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v\n got %.300q\nwant %.300q", strings.TrimPrefix(name, "../testdata/"), err, got, data)
		}
	}
}
