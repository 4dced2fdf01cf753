package objects_test

import (
	"bytes"
	"encoding/binary"
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

// inGo are arrays made in Go with the same arrays in Python.
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

// generation returns the major version of NumPy on this machine.
func generation(t *testing.T) int {
	t.Helper()
	version := oracle.NumPy(t, "print(np.__version__)", nil)
	return int(version[0] - '0')
}

// Arrays made in Go are written as np.save writes the same arrays made in Python.
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

// NumPy loads arrays made in Go, in every protocol.
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

// Arrays made in Go have the bytes that NumPy 2 wrote for the same arrays.
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
