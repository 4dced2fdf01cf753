package audit

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// Arrays of both generations of NumPy have no code, except the one with an object of a program's class.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*.npy")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	objects := 0
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for r := range File(bytes.NewReader(file)) {
			if r.Kind == Pickle {
				objects++
			}
			if r.Err != nil || r.Kind == Unexplained || (r.Kind == Pickle) != r.Header.DType.HasObject() {
				t.Errorf("%s: kind %d, %v", name, r.Kind, r.Err)
			}
			for _, m := range r.Imports {
				if opaque := m.Name == "Opaque"; opaque != (m.Verdict == RunsCode) || opaque != (m.Verdict != NoCodeKnown) {
					t.Errorf("%s: %s %s", name, brief([]Import{m}), m.Reason)
				}
			}
		}
	}
	if objects < 8 {
		t.Errorf("only %d vectors of objects", objects)
	}
}

// writes is a Python script that pickles data of NumPy and Python in all protocols.
const writes = `
import random, pickle, datetime, decimal, fractions, uuid, collections, array, ast, pickletools
r = random.Random(int(sys.argv[1]))
plain = ['?', 'i1', '<i2', '>i4', '<i8', '<u2', '>u8', '<f2', '<f4', '>f8', '<f8', '<c8', '>c16', 'g', 'G', 'S3', '<U2', '>U3', 'V4', '<M8[s]', '<M8[D]', '>M8[ns]', '<M8', '<m8[25ms]', 'S0', 'U0', 'V0']
def dt(depth=0, obj=True):
    if r.randrange(12) < 7 or depth > 3:
        d = np.dtype(r.choice(plain + (['O'] * 6 if obj else [])))
        return np.dtype(d, metadata={'unit': 'm', 'class': bytes}) if r.random() < .05 else d
    names = ['f%d' % i for i in range(r.randrange(0, 4))]
    fields = [(('title %d' % i, n) if r.random() < .1 else n, dt(depth + 1, obj)) + ((r.choice([2, (2, 1), (0,), (1,), (2, 3)]),) if r.random() < .3 else ()) for i, n in enumerate(names)]
    try:
        d = np.dtype(fields, align=r.random() < .3)
        if r.random() < .1 and names and not d.hasobject: # out of order, overlapping, with space between
            d = np.dtype({'names': names, 'formats': [d[n] for n in names], 'offsets': [r.randrange(20) for n in names], 'itemsize': 200})
        return np.dtype((np.record, d)) if r.random() < .1 else d
    except (ValueError, TypeError): return np.dtype('i4')
def array_of(depth=0):
    shape = r.choice([(), (0,), (1,), (2,), (3,), (2, 2), (2, 3), (0, 2), (1, 2, 2), (300,)])
    a = np.zeros(shape, dt())
    if a.dtype == object:
        for i in np.ndindex(a.shape): a[i] = value(depth + 1)
    elif not a.dtype.hasobject and a.dtype.itemsize:
        a = np.frombuffer(bytes(r.randrange(32, 127) if a.dtype.kind != 'U' else 0 for _ in range(a.nbytes)), a.dtype).reshape(shape).copy()
    if r.random() < .3: a = np.asfortranarray(a)
    if r.random() < .2 and a.ndim: a = a[..., ::-1]
    if r.random() < .1 and a.ndim == 3: a = a.transpose(1, 0, 2)
    return a
def text(): return ''.join(r.choice('acé日\U0001F600 \'"\\\n') for _ in range(r.randrange(6)))
def key(): return r.choice([text(), r.randrange(99), (1, text()), decimal.Decimal(r.randrange(9)), np.float64(r.randrange(9)), datetime.date(2020, 1, r.randrange(1, 28)), uuid.UUID(int=r.randrange(9)), fractions.Fraction(1, r.randrange(1, 9)), frozenset([r.randrange(9)]), np.dtype('f8'), int, np.str_('x')])
def value(depth=0):
    n = r.randrange(3) if depth < 4 else 0
    return r.choice([
        lambda: None, lambda: r.random() < .5, lambda: r.randrange(-2**70, 2**70), lambda: r.random(), lambda: 1j, text, lambda: text().encode(), lambda: bytearray(b'ab'),
        lambda: decimal.Decimal(r.randrange(1000)) / 7, lambda: fractions.Fraction(r.randrange(9), 7), lambda: datetime.datetime(2020, 1, 2, 3, 4, 5, 6, fold=1),
        lambda: datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc), lambda: datetime.time(3, tzinfo=datetime.timezone(datetime.timedelta(hours=2), 'x')), lambda: datetime.date(2020, 1, 2),
        lambda: datetime.timedelta(r.randrange(9), 5), lambda: uuid.uuid1(), lambda: uuid.UUID(int=5), lambda: dt(), lambda: slice(1, None, 2), lambda: range(1, 9, 2), lambda: ..., lambda: NotImplemented, lambda: object(),
        lambda: array.array('d', [1, 2]), lambda: array.array('i'), lambda: int, lambda: np.float64, lambda: np.ndarray, lambda: np.dtype,
        lambda: np.float32(1.5), lambda: np.int16(-3), lambda: np.bool_(True), lambda: np.str_(text()), lambda: np.bytes_(b'y'), lambda: np.datetime64('2020-01-01'), lambda: np.timedelta64(5, 's'), lambda: np.longdouble(2), lambda: np.datetime64('NaT'),
        lambda: np.zeros((), dt())[()], lambda: np.zeros(1, dt(2))[0], array_of if depth < 4 else text,
        lambda: [value(depth + 1) for _ in range(n)], lambda: tuple(value(depth + 1) for _ in range(n)), lambda: {key(): value(depth + 1) for _ in range(n)}, lambda: {key() for _ in range(n)}, lambda: frozenset(key() for _ in range(n)),
        lambda: collections.OrderedDict((key(), value(depth + 1)) for _ in range(n)), lambda: collections.Counter('abca'[:n]), lambda: collections.deque([value(depth + 1)] * n, r.choice([None, 5])), lambda: collections.defaultdict(r.choice([None, int, list, dict, set, collections.OrderedDict]), {1: value(depth + 1)}),
        lambda: ValueError(text(), value(depth + 1)), lambda: OSError(2, 'no', 'file'), lambda: ImportError('x', name='os', path='y'), lambda: SyntaxError('x', ('f', 1, 2, 't')), lambda: UnicodeDecodeError('utf-8', b'a', 0, 1, 'x'), lambda: KeyError(1), lambda: StopIteration([1]),
        lambda: np.matrix([[1, 2]]), lambda: np.rec.array([(1, 2.5)], names='aa,bb'), lambda: np.array(['ab', 'c']).view(np.char.chararray), lambda: np.ma.array([1., 2., 3.], mask=[0, 1, 0], fill_value=r.choice([None, 7.])),
        lambda: np.ma.array([(1, 'a')], dtype=[('x', 'i4'), ('y', 'U3')], mask=[(0, 1)]), lambda: np.ma.array([None, 'a'], dtype=object, mask=[1, 0]), lambda: np.ma.zeros(2, dt(3)),
    ])()
if hasattr(np, 'dtypes') and hasattr(np.dtypes, 'StringDType'):
    before = value
    def value(depth=0):
        if r.randrange(30): return before(depth)
        na = r.choice([{}, {'na_object': None}, {'na_object': np.nan}, {'na_object': 'missing'}, {'coerce': False}])
        a = np.array(['a', 'éé'], dtype=np.dtypes.StringDType(**na))
        if na.get('na_object', '') is None: a[0] = None
        return r.choice([a, a.dtype])
for _ in range(int(sys.argv[2])):
    try: v = value()
    except (ValueError, TypeError, IndexError, AttributeError): continue # masked arrays of some dtypes
    for protocol in range(6):
        try: data = pickle.dumps(v, protocol)
        except (ValueError, TypeError, RuntimeError, pickle.PicklingError): continue
        sys.stdout.buffer.write(len(data).to_bytes(8, 'big') + data)
`

// Data of NumPy and Python has no code, in any protocol.
func TestDataAsNumPyWritesIt(t *testing.T) {
	out := oracle.NumPy(t, writes, nil, "1", strconv.Itoa(oracle.Cases(t, 1500)))
	n := 0
	for ; len(out) > 0; n++ {
		size := 8 + int(binary.BigEndian.Uint64(out))
		data := out[8:size]
		out = out[size:]
		if r := One(bytes.NewReader(data)); r.Verdict != NoCodeKnown || r.Err != nil {
			var reasons []string
			for _, m := range r.Imports {
				if m.Verdict != NoCodeKnown {
					reasons = append(reasons, brief([]Import{m})+" "+m.Reason)
				}
			}
			t.Errorf("%v, %v: %s: %.1000q", r.Verdict, r.Err, strings.Join(reasons, "; "), data)
		}
	}
	if n < 1000 {
		t.Errorf("only %d pickles", n)
	}
}
