package objects_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/objects"
)

// StringDType arrays of NumPy 2, of any shape, with any missing value, are read and written again byte for byte.
func TestStringDTypeOfNumPy(t *testing.T) {
	if generation(t) < 2 {
		t.Skip("NumPy 1 has no StringDType")
	}
	file := oracle.NumPy(t, `
import io, random
r = random.Random(12)
out = io.BytesIO()
def text(): return ''.join(chr(r.choice([97, 0x20, 0, 0xe9, 0x6574, 0x1f600, 0xffff])) for _ in range(r.choice([0, 1, 3, 20, 300])))
for i in range(300):
    options = r.choice([{}, {'coerce': False}, {'na_object': None}, {'na_object': float('nan')}, {'na_object': 'missing'}, {'na_object': None, 'coerce': False}])
    missing = [options['na_object']] if 'na_object' in options else []
    pool = [text() for _ in range(4)] + missing
    shape = r.choice([(), (0,), (1,), (5,), (2, 3), (3, 0, 2)])
    a = np.empty(shape, np.dtypes.StringDType(**options))
    for index in np.ndindex(shape): a[index] = r.choice(pool)
    if r.random() < .3: a = np.asfortranarray(a)
    np.save(out, a, allow_pickle=True)
sys.stdout.buffer.write(out.getvalue())
`, nil)
	r := bytes.NewReader(file)
	for n := 0; ; n++ {
		start := len(file) - r.Len()
		a, err := reading.Read(r)
		if err == io.EOF && n == 300 {
			break
		}
		if err != nil {
			t.Fatalf("array %d: %v", n, err)
		}
		if objects.StringTypeOf(a) == nil {
			t.Fatalf("array %d: dtype %s", n, a.DType())
		}
		var buf bytes.Buffer
		if err := writing.Write(&buf, a); err != nil || !bytes.Equal(buf.Bytes(), file[start:len(file)-r.Len()]) {
			t.Fatalf("array %d: written as\n%q, %v, NumPy has\n%q", n, buf.Bytes(), err, file[start:len(file)-r.Len()])
		}
	}
}

// NumPy 2 loads StringDType arrays that are made in Go.
func TestStringDTypeForNumPy(t *testing.T) {
	if generation(t) < 2 {
		t.Skip("NumPy 1 has no StringDType")
	}
	var in bytes.Buffer
	for _, a := range []*npy.Array{
		must(objects.StringsOf(objects.StringType{}, []any{"a", "béc", "", strings.Repeat("long ", 20)})),
		must(objects.StringsOf(objects.StringType{HasNA: true}, []any{nil, "x"}, 2, 1)),
		must(objects.StringsOf(objects.StringType{NoCoerce: true}, []any{"整"})),
		must(objects.StringsOf(objects.StringType{}, nil)),
	} {
		if err := (npy.Encoder{Objects: objects.Encoder{}}).Write(&in, a); err != nil {
			t.Fatal(err)
		}
	}
	out := oracle.NumPy(t, `
import io
T = np.dtypes.StringDType
f = io.BytesIO(sys.stdin.buffer.read())
for dtype, values in (T(), ['a', 'béc', '', 'long ' * 20]), (T(na_object=None), [[None], ['x']]), (T(coerce=False), ['整']), (T(), []):
    a = np.load(f, allow_pickle=True)
    assert a.dtype == dtype and a.tolist() == values, (a, dtype)
print('read', f.read())`, in.Bytes())
	if string(out) != "read b''\n" {
		t.Errorf("NumPy says %s", out)
	}
}
