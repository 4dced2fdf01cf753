package pickle

import (
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// Repr prints like Python's repr: nested values of all types that Python prints without running foreign code, numbers
// and texts of all kinds, and values that contain themselves.
func TestReprAsPython(t *testing.T) {
	out := oracle.Python(t, inPython+`
import random, struct, collections, reprlib
from fractions import Fraction
from decimal import Decimal
if sys.version_info < (3, 12): # print an OrderedDict as since then
    class OrderedDict(OrderedDict):
        __module__ = 'collections'
        @reprlib.recursive_repr()
        def __repr__(self): return 'OrderedDict(%r)' % dict(self.items()) if self else 'OrderedDict()'
    OrderedDict.__qualname__, collections.OrderedDict = 'OrderedDict', OrderedDict
def text(r):
    return ''.join(chr(r.choice([r.randrange(128), r.randrange(0x100), r.choice(b"'\"\\ab"), 0x4f18, 0x1f600, 0x2028, 0xd800, 0xfeff, 0xe000, 0x3b1])) for _ in range(r.randrange(6)))
def number(r):
    return r.choice([r.randrange(-9, 99), r.randrange(-2**99, 2**99), struct.unpack('d', r.randbytes(8))[0], r.random(), round(r.random() * 10**r.randrange(25)), float(r.randrange(10**r.randrange(1, 25))), complex(r.choice([0.0, -0.0, 1.5, float('nan'), float('inf')]), r.choice([0.0, -0.0, -2.0, float('nan'), -float('nan'), float('inf'), 1e300])), 10.0**r.randrange(-6, 20), -0.0, True, None])
def tz(r): return r.choice([None, datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=-1)), datetime.timezone(datetime.timedelta(0), 'Zulu')])
def atom(r):
    return r.choice([lambda: number(r), lambda: text(r), lambda: text(r).encode('utf-8', 'surrogatepass'), lambda: bytearray(r.randbytes(3)),
        lambda: slice(number(r), None, 1) if r.randrange(2) else slice(1), lambda: range(r.randrange(5), 9, r.choice([1, 2])), lambda: ..., lambda: NotImplemented,
        lambda: datetime.datetime(r.randrange(1, 9999), 2, 3, r.randrange(24), r.choice([0, 5]), r.choice([0, 7]), r.choice([0, 0, 9]), tz(r), fold=r.randrange(2)),
        lambda: datetime.time(r.randrange(24), r.choice([0, 5]), r.choice([0, 7]), r.choice([0, 0, 9]), tz(r), fold=r.randrange(2)), lambda: datetime.date(r.randrange(1, 9999), 2, 3),
        lambda: datetime.timedelta(r.choice([0, -1, 99]), r.choice([0, 5]), r.choice([0, 7])), lambda: datetime.timezone(datetime.timedelta(minutes=r.randrange(-99, 99))),
        lambda: Decimal(r.randrange(-10**9, 10**9)).scaleb(r.randrange(-20, 20)), lambda: Decimal('NaN'), lambda: Fraction(r.randrange(-9, 9), r.randrange(1, 9)),
        lambda: uuid.UUID(int=r.randrange(2**128)), lambda: r.choice([int, len, OrderedDict, datetime.date, ValueError, Outer, Outer.Inner, defaultdict])])()
def hashable(r):
    return r.choice([lambda: text(r), lambda: r.randrange(99), lambda: (text(r), 1), lambda: frozenset([1]), lambda: None, lambda: b'ab'])()
def value(r, depth=0):
    if depth > 3 or r.random() < .3: return atom(r)
    n = r.choice([0, 1, 2, 3])
    items = lambda: [value(r, depth + 1) for _ in range(n)]
    pairs = lambda: {hashable(r): value(r, depth + 1) for _ in range(n)}
    def cycle(v, add):
        add(v)
        return v
    l, d, o = [1], {}, OrderedDict()
    return r.choice([items, lambda: tuple(items()), pairs, lambda: {hashable(r) for _ in range(n)}, lambda: frozenset(hashable(r) for _ in range(n)),
        lambda: OrderedDict(pairs()), lambda: defaultdict(r.choice([None, int, list]), pairs()), lambda: Counter({hashable(r): r.choice([1, 2, 2.5, 10**30, -1]) for _ in range(n)}), lambda: Counter({1: 'x', 2: None}),
        lambda: cycle(l, l.append), lambda: cycle(d, lambda v: d.update({1: d})), lambda: cycle(l, lambda v: l.append((1, l))), lambda: cycle(o, lambda v: o.update(a=o)),
        lambda: cycle(defaultdict(list), lambda v: v.update(a=v)), lambda: cycle(l, lambda v: v.append({1: l}))])()
for seed in range(6000):
    v = value(random.Random(seed))
    data = pickle.dumps(v, 4)
    # What is printed is what was read: NaNs, say, are no longer the same key.
    out = sys.stdout.buffer
    for part in data, repr(v).encode('utf-8', 'surrogatepass'):
        out.write(len(part).to_bytes(8, 'big') + part)
`, nil)
	all := pickles(t, out)
	if len(all) < 12000 {
		t.Fatalf("Python printed %d values only", len(all)/2)
	}
	for i := 0; i < len(all); i += 2 {
		v, err := Decode(all[i])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Repr(v), string(all[i+1]); got != want {
			t.Fatalf("Repr of %q =\n%s, want\n%s", all[i], got, want)
		}
	}
}
