package objects_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// generator writes random arrays of objects with np.save, one behind the other.
const generator = `
import random, datetime, decimal, fractions, uuid, collections, io
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
    if k > 12 and r.random() < .3: pool.append(v)
    return v
def simple(k):
    if k == 0: return None
    if k == 1: return r.random() < .5
    if k == 2: return r.randrange(300)
    if k == 3: return r.randrange(-2**70, 2**70)
    if k == 4: return r.random() * 10 ** r.randrange(-20, 20)
    if k == 5: return complex(r.random(), -0.0)
    if k in (6, 7): return text()
    if k == 8: return text().encode()
    if k == 9: return bytearray(b'ab')
    if k == 10: return decimal.Decimal(r.randrange(1000)) / 7
    if k == 11: return fractions.Fraction(r.randrange(9), 7)
    if k == 12: return datetime.datetime(2020, 1, 2, 3, 4, 5, r.randrange(9))
    if k == 13: return datetime.date(2020, 1, 2)
    if k == 14: return datetime.timedelta(r.randrange(9), 5)
    if k == 15: return np.dtype(dt())
    if k == 16: return np.zeros((), dt(0, False))[()]
    if k == 17: return r.choice([np.float64, np.add, len, np.ndarray])
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
out = io.BytesIO()
while out.tell() >= 0 and len(counts := globals().setdefault('counts', [])) < int(sys.argv[2]):
    pool.clear()
    shape = r.choice([(), (0,), (1,), (3,), (2, 2), (2, 3)])
    a = np.empty(shape, object)
    if r.random() < .25:
        a = array(0)
        if not a.dtype.hasobject: continue
    else:
        if r.random() < .3: a = np.asfortranarray(a).reshape(shape)
        fill(a, 0)
        if r.random() < .05 and a.size: a.flat[0] = a
    try: np.save(out, a, allow_pickle=True)
    except ValueError: continue
    counts.append(out.tell())
sys.stdout.buffer.write(out.getvalue())
`

// What np.save writes is read and written again byte for byte.
func TestNumPyRandom(t *testing.T) {
	n := "3000"
	if testing.Short() {
		n = "300"
	}
	file := oracle.NumPy(t, generator, nil, "2026", n)
	r := bytes.NewReader(file)
	count := 0
	for ; ; count++ {
		start := len(file) - r.Len()
		a, err := reading.Read(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("array %d: %v\n%q", count, err, file[start:min(start+2000, len(file))])
		}
		want := file[start : len(file)-r.Len()]
		var buf bytes.Buffer
		if err := writing.Write(&buf, a); err != nil {
			t.Fatalf("array %d: %v", count, err)
		}
		if !bytes.Equal(buf.Bytes(), want) {
			t.Fatalf("array %d is written as\n%q, NumPy has\n%q", count, buf.Bytes(), want)
		}
	}
	t.Logf("%d arrays, %d bytes", count, len(file))
}

var _ = strings.TrimSpace
var _ = dtype.Bool
var _ pickle.Global
var _ npy.Decoder
var _ objects.Encoder
