package objects_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"strconv"
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

// inGo are arrays made in Go with the same in Python.
var inGo = []struct {
	python string
	array  func() *npy.Array
}{
	{"np.array([1, 'ab', None, 2.5, b'xy', True], object)", func() *npy.Array {
		return must(npy.FromObjects([]any{int64(1), "ab", nil, 2.5, []byte("xy"), true}))
	}},
	{"np.array({'k': [1, 2]}, object)", func() *npy.Array {
		d := new(pickle.Dict)
		_ = d.Set("k", &pickle.List{Items: []any{int64(1), int64(2)}})
		return must(npy.FromObjects([]any{d}, []int{}...))
	}},
	{"np.asfortranarray(np.array([[1, 'a', None], [2, 'b', None]], object))", func() *npy.Array {
		return must(npy.FromObjects([]any{int64(1), "a", nil, int64(2), "b", nil}, 2, 3)).Fortran()
	}},
	{"np.array([1, 2, 3, 4], object)[::2]", func() *npy.Array {
		return must(must(npy.FromObjects([]any{1, 2, 3, 4})).Slice(npy.All().By(2)))
	}},
	{"cells(np.arange(3.), np.asfortranarray(np.arange(6, dtype='<i2').reshape(2, 3)), np.arange(2.), np.array(['ab'], object), np.zeros(2, '<U3'), np.zeros(1, 'S2'))", func() *npy.Array {
		return must(npy.FromObjects([]any{
			must(npy.FromSlice([]float64{0, 1, 2})), must(npy.FromSlice([]int16{0, 1, 2, 3, 4, 5}, 2, 3)).Fortran(),
			must(npy.FromSlice([]float64{0, 1})), must(npy.FromObjects([]any{"ab"})),
			must(npy.New(dtype.Str(3), 2)), must(npy.New(dtype.Bytes(2), 1)),
		}))
	}},
	{"cells(np.zeros(2, '>i4'), np.zeros(1, 'M8[25ns]'), np.zeros((), '<m8'), np.zeros(1, [('a', 'i1'), (('T', 'b'), '<f8', (2, 3)), ('c', [('d', 'U1')])]))", func() *npy.Array {
		return must(npy.FromObjects([]any{
			must(npy.New(must(dtype.Parse(">i4")), 2)), must(npy.New(must(dtype.Parse("M8[25ns]")), 1)), must(npy.New(must(dtype.Parse("<m8")))),
			must(npy.New(must(dtype.ParseDescr("[('a', '|i1'), (('T', 'b'), '<f8', (2, 3)), ('c', [('d', '<U1')])]")), 1)),
		}))
	}},
	{"np.array([(7, None, (1.5, 'xy'), ['p', 'q'], np.datetime64('2020-01-02')), (8, 'x', (2.5, None), [1, 2], 'NaT')], [('i', '<i4'), ('o', 'O'), ('s', [('f', '<f4'), ('o', 'O')]), ('l', 'O', (2,)), ('t', 'M8[D]')])", func() *npy.Array {
		a := must(npy.NewObjects(must(dtype.ParseDescr("[('i', '<i4'), ('o', '|O'), ('s', [('f', '<f4'), ('o', '|O')]), ('l', '|O', (2,)), ('t', '<M8[D]')]")), 2))
		copy(must(a.Field("i")).Item(0), "\x07")
		copy(must(a.Field("i")).Item(1), "\x08")
		must(a.Field("o")).SetObject("x", 1)
		copy(must(must(a.Field("s")).Field("f")).Item(0), "\x00\x00\xc0\x3f")
		copy(must(must(a.Field("s")).Field("f")).Item(1), "\x00\x00\x20\x40")
		must(must(a.Field("s")).Field("o")).SetObject("xy", 0)
		for i, v := range []any{"p", "q", 1, 2} {
			must(a.Field("l")).SetObject(v, i/2, i%2)
		}
		copy(must(a.Field("t")).Item(0), "\x57\x47\x00\x00\x00\x00\x00\x00")
		copy(must(a.Field("t")).Item(1), "\x00\x00\x00\x00\x00\x00\x00\x80")
		return a
	}},
	{"cells(np.float64(1.5), np.int8(3), np.float64(2), np.str_('é'), np.datetime64(1, 's'), np.dtype('>f8'), np.dtype('S3'), np.zeros(1, 'g')[0])", func() *npy.Array {
		scalar := func(a *npy.Array, err error) any { return must(objects.NewScalar(must(a, err))) }
		one := []int{}
		return must(npy.FromObjects([]any{
			scalar(npy.FromSlice([]float64{1.5}, one...)), scalar(npy.FromSlice([]int8{3}, one...)), scalar(npy.FromSlice([]float64{2}, one...)),
			scalar(npy.FromSlice([]string{"é"}, one...)), scalar(npy.FromBytes(must(dtype.Parse("<M8[s]")), []byte("\x01\x00\x00\x00\x00\x00\x00\x00"))),
			objects.NewDType(must(dtype.Parse(">f8"))), objects.NewDType(dtype.Bytes(3)), scalar(npy.New(dtype.LongDouble)),
		}))
	}},
	{"cells(np.ma.array([1., 2., 3.], mask=[0, 1, 0]))", func() *npy.Array {
		return must(npy.FromObjects([]any{&objects.MaskedArray{
			Data: must(npy.FromSlice([]float64{1, 2, 3})), Mask: must(npy.FromSlice([]bool{false, true, false})),
		}}))
	}},
}

const savedByNumPy = `
import io, struct
def cells(*values):
    a = np.empty(len(values), object)
    for i, v in enumerate(values): a[i] = v
    return a
for line in sys.stdin:
    f = io.BytesIO()
    np.save(f, eval(line), allow_pickle=True)
    sys.stdout.buffer.write(struct.pack('<q', len(f.getvalue())) + f.getvalue())
`

// generation returns the major version of the NumPy of this machine.
func generation(t *testing.T) int {
	t.Helper()
	version := oracle.NumPy(t, "print(np.__version__)", nil)
	return int(version[0] - '0')
}

// Arrays made in Go are written as np.save writes the same ones made in Python.
func TestNumPyWritesTheSame(t *testing.T) {
	var in bytes.Buffer
	for _, tt := range inGo {
		in.WriteString(tt.python + "\n")
	}
	out := oracle.NumPy(t, savedByNumPy, in.Bytes())
	enc := npy.Encoder{Objects: objects.Encoder{NumPy: generation(t)}}
	for _, tt := range inGo {
		n := binary.LittleEndian.Uint64(out)
		want := out[8 : 8+n]
		out = out[8+n:]
		var buf bytes.Buffer
		if err := enc.Write(&buf, tt.array()); err != nil {
			t.Errorf("%s: %v", tt.python, err)
		} else if !bytes.Equal(buf.Bytes(), want) {
			t.Errorf("%s is written as\n%q, NumPy has\n%q", tt.python, buf.Bytes()[128:], want[128:])
		}
	}
}

// NumPy loads what is written of arrays made in Go, in every protocol.
func TestNumPyLoads(t *testing.T) {
	for protocol := 2; protocol <= 5; protocol++ {
		var in, exprs bytes.Buffer
		enc := npy.Encoder{Objects: objects.Encoder{NumPy: generation(t), Protocol: protocol}}
		for _, tt := range inGo {
			exprs.WriteString(tt.python + "\n")
			if err := enc.Write(&in, tt.array()); err != nil {
				t.Fatal(err)
			}
		}
		out := oracle.NumPy(t, `
import io, pickle
def cells(*values):
    a = np.empty(len(values), object)
    for i, v in enumerate(values): a[i] = v
    return a
f = io.BytesIO(sys.stdin.buffer.read())
for line in sys.argv[1].splitlines():
    a, b = np.load(f, allow_pickle=True), eval(line)
    b = pickle.loads(pickle.dumps(b, min(4, int(sys.argv[2])))) # NumPy 2 turns big-endian arrays within to the machine's order
    if repr(a) != repr(b) or a.dtype != b.dtype or a.shape != b.shape: print(repr(a), repr(b))
print('read', f.read())
`, in.Bytes(), exprs.String(), strconv.Itoa(protocol))
		if string(out) != "read b''\n" {
			t.Errorf("protocol %d: NumPy finds %s", protocol, out)
		}
	}
}

// Arrays made in Go have the bytes that NumPy 2 gave the same ones.
func TestNumPy2WritesTheSame(t *testing.T) {
	ab := must(dtype.ParseDescr("[('a', '<i4'), ('b', '|S2')]"))
	record := must(npy.NewObjects(must(dtype.ParseDescr("[('i', '<i4'), ('o', '|O')]")), 2))
	copy(must(record.Field("i")).Item(0), "\x01")
	copy(must(record.Field("i")).Item(1), "\x02")
	must(record.Field("o")).SetObject("x", 0)
	cycle := &pickle.List{Items: []any{int64(1)}}
	cycle.Items = append(cycle.Items, cycle)
	for name, a := range map[string]*npy.Array{
		"object-empty":  must(npy.FromObjects(nil)),
		"object-2d-f":   must(npy.FromObjects([]any{1, "a", nil, 2.5}, 2, 2)).Fortran(),
		"object-record": record,
		"object-cycle":  must(npy.FromObjects([]any{cycle})),
		"object-arrays": must(npy.FromObjects([]any{
			must(npy.FromBytes(must(dtype.Parse("<i4")), []byte("\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00\x00\x05\x00\x00\x00"), 2, 3)),
			must(npy.FromObjects([]any{"x", nil})), must(npy.FromSlice([]float64{0, 1, 2, 3}, 2, 2)).Fortran(), must(npy.New(ab, 2)),
		})),
		"stringdtype": must(objects.StringsOf(objects.StringType{}, []any{"a", "béc", "", strings.Repeat("long ", 20)})),
	} {
		if dtype.NativeEndian == dtype.BigEndian {
			t.Skip("NumPy wrote the files on a little-endian machine")
		}
		var buf bytes.Buffer
		if err := writing.Write(&buf, a); err != nil {
			t.Fatal(err)
		}
		want := must(os.ReadFile("../testdata/numpy-2.3.5/" + name + ".npy"))
		if !bytes.Equal(buf.Bytes(), want) {
			t.Errorf("%s is written as\n%q, NumPy has\n%q", name, buf.Bytes()[128:], want[128:])
		}
	}
}
