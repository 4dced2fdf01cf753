package objects_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle"
)

// printed are arrays in Python whose str and repr are compared.
var printed = []string{
	"np.array([1, 'a', None, 2.5, b'x', True, 1j, -0.0, 1e16, 2**70], object)",
	"np.array([[1, 'a'], [None, 2.5]], object)",
	"cells([1, 2], (1,), {'k': [1]}, {1}, [], [[1, [2]]])",
	"np.array('it\\'s', object)", "np.array(None, object)", "np.array(1.5, object)", "np.array({'a': [1, 'b']}, object)", "np.array(b'x', object)",
	"np.array([], object)", "np.empty((0, 3), object)", "np.empty((3, 0), object)",
	"cells(np.arange(3), np.arange(6.).reshape(2, 3), None)",
	"cells(np.arange(3, dtype='i2'), np.arange(30.) / 7, np.array(['a', 'bc']), np.array([b'x']), np.array([True]))",
	"cells(1, np.arange(12, dtype='i4').reshape(2, 2, 3), 'long text that has to go to another line, long text', np.zeros((2, 0)), np.zeros((0,), 'f4'))",
	"cells(cells(1, 'a'), cells(cells(None)), np.array(5), np.array('x', object))",
	"cells(np.array(['2020-01-02', 'NaT'], 'M8[D]'), np.array([5], 'm8[s]'), np.array([1.5], 'f2'), np.array([1+2j], 'c8'))",
	"cells(np.zeros(2, [('a', 'i4'), ('b', 'U2')]), np.array((1, 'x'), [('a', 'i4'), ('b', 'O')]))",
	"cells(np.float64(1.5), np.int8(3), np.bool_(True), np.datetime64('2020-01-02'), np.str_('x'), np.bytes_(b'y'))",
	"cells(np.dtype('f8'), np.dtype('S3'), np.dtype('O'), np.dtype('>i4'), np.dtype('M8[ns]'), np.dtype('U3'), np.dtype([('a', 'i4')]))",
	"cells(datetime.date(2020, 1, 2), datetime.timedelta(5), decimal.Decimal('1.50'), collections.OrderedDict(a=1), range(3))",
	"np.array(['w%d' % (i * i) for i in range(40)], object)",
	"np.array(['w%d' % (i * i) for i in range(60)], object).reshape(3, 4, 5)",
	"np.arange(2000).astype(object)",
	"np.array([(1, None), (2, 'x')], [('i', 'i4'), ('o', 'O')]).reshape(1, 2)",
	"cells(np.arange(2000), [np.arange(3)], {'k': np.arange(2)})",
	"cells('multi\\nline', 'tab\\t', 'é\\u200b\\x00', 'q\\'\"')",
}

const printedByNumPy = `
import io, base64, datetime, decimal, collections
def cells(*values):
    a = np.empty(len(values), object)
    for i, v in enumerate(values): a[i] = v
    return a
print(json.dumps(np.__version__))
for line in sys.stdin:
    a = eval(json.loads(line))
    f = io.BytesIO()
    np.save(f, a, allow_pickle=True)
    print(json.dumps([base64.b64encode(f.getvalue()).decode(), str(a), repr(a)]))
`

// Objects print as in NumPy, and so do arrays inside them.
func TestNumPyPrints(t *testing.T) {
	type answer struct {
		file      []byte
		str, repr string
	}
	version, answers := oracle.Ask[string, []json.RawMessage](t, printedByNumPy, printed)
	p := npy.Printer{NumPy: int(version[0] - '0')}
	for i, raw := range answers {
		if version[0] == '1' && strings.Contains(printed[i], "np.arange(2000)") { // without the shape
			continue
		}
		var a answer
		for k, p := range []any{&a.file, &a.str, &a.repr} {
			if err := json.Unmarshal(raw[k], p); err != nil {
				t.Fatal(err)
			}
		}
		array := must(reading.Read(bytes.NewReader(a.file)))
		if got := printedBy(p, array); got != a.str {
			t.Errorf("%s: String is\n%s\nstr in NumPy\n%s", printed[i], got, a.str)
		}
		if got := string(p.AppendRepr(nil, array, 1<<20)); got != a.repr {
			t.Errorf("%s: Repr is\n%s\nrepr in NumPy\n%s", printed[i], got, a.repr)
		}
	}
}

// Values that contain themselves print too, and in short time, however often they do.
func TestPrintCycles(t *testing.T) {
	a := must(npy.NewObjects(parse("O"), 3))
	l := &pickle.List{Items: []any{a, a}}
	d := new(pickle.Dict)
	_ = d.Set("k", l)
	for i, v := range []any{a, l, d} {
		a.SetObject(v, i)
	}
	start := time.Now()
	for _, text := range []string{a.String(), a.Repr(0), l.String(), a.Repr(30)} {
		if !strings.Contains(text, "...") && !strings.Contains(text, "…") {
			t.Errorf("printed without an end: %.300s", text)
		}
	}
	var full strings.Builder
	if err := (npy.Printer{Threshold: -1}).Print(&full, a); err != nil {
		t.Error(err)
	}
	t.Logf("%d bytes, %v", full.Len(), time.Since(start))
}
