package objects_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/oracle"
)

// randomArrays is a script that defines random(), an array of objects of all kinds, nested and shared. Its first argument is the seed.
var randomArrays = fmt.Sprintf("shared_complex = %d\n", min(1, bulk.BoxAddress(1i))) + `
import random, datetime, decimal, fractions, uuid, collections, io, array as arrays, pathlib, re, types, http, zoneinfo, ipaddress, operator, functools, base64
def saved(a):
    f = io.BytesIO()
    np.save(f, a, allow_pickle=True)
    return f.getvalue()
def loaded(b): return np.load(io.BytesIO(b), allow_pickle=True)
r = random.Random(int(sys.argv[1]))
pool = []
def text(): return ''.join(r.choice('acé日\U0001F600 \'"\\\n') for _ in range(r.randrange(6)))
plain_types = ['?', 'i1', '<i2', '>i4', '<i8', '<u2', '>u8', '<f2', '<f4', '>f8', '<f8', '<c8', '>c16', '<f16', 'S3', '<U2', '>U3', 'V4', '<M8[s]', '<M8[D]', '>M8[ns]', '<M8', '<m8[25ms]', 'S0']
def dt(depth=0, obj=True):
    k = r.randrange(12)
    if k < 8 or depth > 2: return np.dtype(r.choice(plain_types + (['O'] * 5 if obj else [])))
    n = r.randrange(1, 4)
    fields = []
    for i in range(n):
        name = ('T%d' % i, 'f%d' % i) if r.random() < .1 else 'f%d' % i
        d = dt(depth + 1, obj)
        fields.append((name, d) + (((2,), (), (2, 1))[r.randrange(3)],) if r.random() < .3 else (name, d))
    try: return np.dtype(fields, align=r.random() < .3)
    except ValueError: return np.dtype('i4')
def fill(a, depth):
    for i in np.ndindex(a.shape):
        if a.dtype.hasobject and a.dtype.names: fillrec(a, i, depth)
        elif a.dtype.hasobject: a[i] = value(depth + 1)
    return a
def fillrec(a, i, depth):
    for n in a.dtype.names:
        f = a[n]
        if f.dtype.hasobject and f.dtype.names:
            for j in np.ndindex(f.shape[len(i):]): fillrec(f, i + j, depth)
        elif f.dtype.hasobject:
            for j in np.ndindex(f.shape[len(i):]): f[i + j] = value(depth + 1)
def array(depth):
    shape = r.choice([(), (0,), (1,), (2,), (3,), (2, 2), (2, 3), (0, 2), (1, 2, 2)])
    d = dt()
    if d.hasobject: a = np.zeros(shape, d)
    else:
        raw = bytes(r.randrange(97, 123) for _ in range(d.itemsize * int(np.prod(shape))))
        if 'U' in str(d) or d.kind == 'U' or 'O' in str(d): a = np.zeros(shape, d)
        else: a = np.frombuffer(raw, d).reshape(shape).copy() if d.itemsize else np.zeros(shape, d)
        if d.kind == 'U': a[...] = text()[:2]
    if r.random() < .3: a = np.asfortranarray(a).reshape(a.shape)
    if d.hasobject: fill(a, depth)
    if d.names and d.hasobject:
        for n in d.names:
            k = a[n].dtype.kind
            if k in 'iu': a[n][...] = r.randrange(100)
            elif k == 'f' : a[n][...] = r.randrange(-8, 8) / 4
            elif k == 'c' : a[n][...] = 1.5 - 2j
            elif k == 'b' : a[n][...] = r.random() < .5
            elif k in 'SU': a[n][...] = text()[:2].encode('ascii', 'ignore') if k == 'S' else text()[:2]
            elif k in 'Mm': a[n][...] = np.array(r.choice([0, 1, -1, 12345, -2**63, 10**17]), 'i8').view(a[n].dtype.newbyteorder('='))
    if r.random() < .2: a = a[..., ::-1] if a.ndim else a
    return a
def value(depth=0):
    k = r.randrange(34 if depth < 3 else 20)
    if pool and r.random() < .08: return r.choice(pool)
    v = simple(k) if k < 20 else nested(k, depth)
    if (k > 12 or k == 5 and shared_complex) and r.random() < .3: pool.append(v)
    return v
library = [
    lambda: types.SimpleNamespace(a=1, b=text()), lambda: arrays.array('d', [1.5, r.random()]), lambda: collections.deque([1, text()], maxlen=r.choice([None, 5])),
    lambda: pathlib.PurePosixPath('a/b'), lambda: http.HTTPStatus.NOT_FOUND, lambda: ValueError(text(), 1), lambda: re.compile('a+'), lambda: zoneinfo.ZoneInfo('UTC'),
    lambda: ipaddress.ip_address('1.2.3.4'), lambda: functools.partial(int, base=2), lambda: operator.itemgetter(1), lambda: uuid.UUID(int=r.randrange(2**128)),
    lambda: np.poly1d([1, 2]), lambda: np.random.RandomState(1), lambda: np.random.default_rng(1), lambda: np.random.SeedSequence(1), lambda: np.array(['a', 'b']).view(np.char.chararray),
    lambda: np.array([(1, 'x', 2.5)], [('a', 'i4'), ('b', 'O'), ('c', 'f8')])[0], lambda: np.rec.array([(1, 2.5)], names='a,b')[0], lambda: np.array([True]), lambda: np.dtype('i4', metadata={'a': 1}),
    lambda: np.datetime64('2020-01-02', r.choice(['D', 's', 'ns'])), lambda: np.array([1], 'm8[h]'), lambda: np.zeros(2, np.dtype([('a', 'i1'), ('b', 'f8')], align=True)), lambda: strings(),
    lambda: np.asfortranarray(np.arange(6.).reshape(2, 3)), lambda: np.zeros((1,) * 32, 'i1'), lambda: np.ma.masked, lambda: slice(1, None, 2), lambda: ...,
]
def strings(): return np.array([text(), text()], np.dtypes.StringDType()) if hasattr(np, 'dtypes') else np.array([text()])
def simple(k):
    if k == 0: return None
    if k == 1: return r.random() < .5
    if k == 2: return r.randrange(300)
    if k == 3: return r.randrange(-2**70, 2**70)
    if k == 4: return r.random() * 10 ** r.randrange(-20, 20)
    if k == 5: return complex(r.random(), -0.0)
    if k in (6, 7): return text()
    if k == 8: return r.choice([text().encode(), b'b', b'xy'[:r.randrange(3)]])
    if k == 9: return bytearray(b'ab')
    if k == 10: return decimal.Decimal(r.randrange(1000)) / 7
    if k == 11: return fractions.Fraction(r.randrange(9), 7)
    if k == 12: return datetime.datetime(2020, 1, 2, 3, 4, 5, r.randrange(9))
    if k == 13: return datetime.date(2020, 1, 2)
    if k == 14: return datetime.timedelta(r.randrange(9), 5)
    if k == 15 and r.random() < .5: return np.zeros((), dt(0, False))[()]
    if k == 15: return np.dtype(dt())
    if k == 17: return r.choice([np.float64, np.add, len, np.ndarray, int, np.bool_, collections.deque, np.linalg.LinAlgError, np.recarray])
    if k == 16: return r.choice(library)()
    if k == 18: return r.choice([np.float32(1.5), np.int16(-3), np.bool_(True), np.str_('x'), np.bytes_(b'y'), np.datetime64('2020-01-01'), np.timedelta64(5, 's'), np.longdouble(2)])
    return range(r.randrange(5), 9)
def nested(k, depth):
    n = r.randrange(4)
    if k < 23: return [value(depth + 1) for _ in range(n)]
    if k < 25: return tuple(value(depth + 1) for _ in range(n))
    if k < 27: return {text(): value(depth + 1) for _ in range(n)}
    if k == 27: return {1, 2}
    if k == 28: return collections.OrderedDict(key=value(depth + 1))
    if k == 29: return np.matrix([[1, n]])
    if k == 30: return np.ma.array([1., 2., 3.], mask=[0, 1, n % 2], fill_value=r.choice([None, 7.]))
    if k == 31: return np.rec.array([(1, 2.5)], names='aa,bb')
    return array(depth + 1)
def top():
    pool.clear()
    k = r.random()
    if k < .25:
        while True:
            a = array(0)
            if a.dtype.hasobject: break
        return a.view(np.recarray) if r.random() < .1 and a.dtype.names else a
    if k < .28: return np.matrix([[value(1), None]], object)
    if k < .33 and hasattr(np, 'dtypes'):
        na = r.choice([{}, {}, {'na_object': None}, {'na_object': np.nan}, {'coerce': False}])
        a = np.array([text() for _ in range(r.randrange(7))], np.dtypes.StringDType(**na))
        if 'na_object' in na and a.size: a[0] = na['na_object']
        return a.reshape(2, -1) if a.size % 2 == 0 and r.random() < .5 else a
    a = np.empty(r.choice([(), (0,), (1,), (3,), (4,), (2, 2), (2, 3), (2, 1, 3)]), object)
    if r.random() < .3: a = np.asfortranarray(a).reshape(a.shape)
    fill(a, 0)
    if r.random() < .05 and a.size: a.flat[0] = a
    return a
`

// cases returns how many random cases a test tries: n, times the number in the environment variable NPY_CASES.
func cases(t *testing.T, n int) string {
	if testing.Short() {
		n /= 10
	}
	if times, err := strconv.ParseFloat(os.Getenv("NPY_CASES"), 64); err == nil && times > 0 {
		n = int(float64(n) * times)
	}
	return fmt.Sprint(max(n, 1))
}

// answers decodes the values that a script prints, one JSON text after another.
func answers[T any](t *testing.T, out []byte) (all []T) {
	t.Helper()
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var v T
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// apart shows where two files differ.
func apart(got, want []byte) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(at-60, 0)
	return fmt.Sprintf("of %d and %d bytes, from byte %d on:\n got …%.200q\nwant …%.200q", len(got), len(want), at, got[min(from, len(got)):], want[min(from, len(want)):])
}

// Output of np.save is read and written again byte for byte.
func TestNumPyRandom(t *testing.T) {
	out := oracle.NumPy(t, randomArrays+`
for _ in range(int(sys.argv[2])):
    try: b = saved(top())
    except ValueError: continue
    print(json.dumps(base64.b64encode(b).decode()))
`, nil, "2026", cases(t, 3000))
	all := answers[[]byte](t, out)
	bad := 0
	for i, want := range all {
		var buf bytes.Buffer
		if err := writing.Write(&buf, must(reading.Read(bytes.NewReader(want)))); err != nil {
			t.Fatalf("array %d: %v", i, err)
		}
		if !bytes.Equal(buf.Bytes(), want) {
			t.Errorf("array %d is written otherwise, %s", i, apart(buf.Bytes(), want))
			if bad++; bad > 5 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d arrays, %d bytes", len(all), len(out))
}

// partsOfNumPy is a script that takes parts of random arrays, and prints the files of both: of the array as np.save
// writes it after loading it, and of the parts.
const partsOfNumPy = `
def entry(n):
    k = r.randrange(5)
    if k == 0 and n and type(a) is not np.matrix: return str(r.randrange(-n, n))
    if k == 1: return '::-1'
    bound = lambda: r.choice(['', str(r.randrange(-n - 1, n + 2))])
    return bound() + ':' + bound() + r.choice(['', '', ':2', ':-1', ':-2'])
def index(a):
    where = '[' + ', '.join([entry(n) for n in a.shape[:r.randrange(a.ndim + 1)]] + ['...']) + ']'
    if a.dtype.names and r.random() < .6:
        name = r.choice(a.dtype.names)
        if a[name].dtype.hasobject: where += '[' + repr(name) + ']' + ('[..., ::-1]' if r.random() < .3 and a[name].ndim else '')
    return where
for _ in range(int(sys.argv[2])):
    try: first = saved(top())
    except ValueError: continue
    a = loaded(first)
    file = saved(a)
    parts = {}
    for _ in range(3):
        where = index(a)
        try: part = eval('a' + where)
        except IndexError: continue
        if isinstance(part, np.ndarray): parts[where] = part
    parts['copy'] = a.copy()
    parts['F'] = a if a.flags.f_contiguous else a.copy(order='F')
    parts['T'] = a.T
    if type(a) is not np.matrix: parts['flat'] = a.reshape(-1)
    print(json.dumps({'file': base64.b64encode(first).decode(), 'again': base64.b64encode(file).decode(), 'fixed': first == file == saved(loaded(file)), 'parts': {k: base64.b64encode(saved(v)).decode() for k, v in parts.items()}}))
`

// partOf returns the name of a part in partsOfNumPy.
func partOf(a *npy.Array, name string) (*npy.Array, error) {
	switch name {
	case "copy":
		return a.Clone(), nil
	case "F":
		return a.Fortran(), nil
	case "T":
		return a.T(), nil
	case "flat":
		return a.Reshape(-1)
	}
	index, err := npy.ParseIndex(name)
	if err != nil {
		return nil, err
	}
	return a.Slice(index...)
}

// A part of an array is written as by the NumPy that wrote the array: byte for byte where NumPy itself keeps the bytes
// of the whole.
func TestNumPyParts(t *testing.T) {
	type answer struct {
		File, Again []byte
		Fixed       bool
		Parts       map[string][]byte
	}
	if bulk.BoxAddress(1i) == 0 {
		t.Skip("with the tag purego complex numbers that are held twice are written twice")
	}
	all := answers[answer](t, oracle.NumPy(t, randomArrays+partsOfNumPy, nil, "7", cases(t, 1000)))
	compared, bad := 0, 0
	for i, x := range all {
		a := must(reading.Read(bytes.NewReader(x.File)))
		var again bytes.Buffer
		if err := writing.Write(&again, must(reading.Read(bytes.NewReader(x.Again)))); err != nil || !bytes.Equal(again.Bytes(), x.Again) {
			t.Errorf("array %d, saved after it was loaded, is written otherwise (%v), %s", i, err, apart(again.Bytes(), x.Again))
		}
		for name, want := range x.Parts {
			part, err := partOf(a, name)
			if err != nil {
				t.Fatalf("array %d, %s: %v", i, name, err)
			}
			var buf bytes.Buffer
			if err := writing.Write(&buf, part); err != nil {
				t.Fatalf("array %d, %s: %v", i, name, err)
			}
			mixed := bytes.Contains(buf.Bytes(), []byte("numpy._core")) && bytes.Contains(buf.Bytes(), []byte("numpy.core"))
			if x.Fixed {
				compared++
			}
			if x.Fixed && !bytes.Equal(buf.Bytes(), want) || mixed {
				t.Errorf("array %d, %s is written otherwise, %s", i, name, apart(buf.Bytes(), want))
				if bad++; bad > 5 {
					t.FailNow()
				}
			}
		}
	}
	t.Logf("%d arrays, %d parts compared", len(all), compared)
	_ = strings.Repeat
}
