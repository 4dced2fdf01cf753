package objects_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// bothNumPys returns interpreters with NumPy 1 and with NumPy 2: from NPY_PYTHONS, a list separated by colons, from
// NPY_PYTHON, and the usual ones.
func bothNumPys(t *testing.T) (one, two string) {
	t.Helper()
	found := map[byte]string{}
	for _, p := range append(filepath.SplitList(os.Getenv("NPY_PYTHONS")), os.Getenv("NPY_PYTHON"), "python3", "/usr/bin/python3") {
		version, err := exec.Command(p, "-c", "import numpy; print(numpy.__version__)").Output()
		if err == nil && found[version[0]] == "" {
			found[version[0]] = p
		}
	}
	if found['1'] == "" || found['2'] == "" {
		t.Skip("no two interpreters with NumPy 1 and with NumPy 2: list them in NPY_PYTHONS")
	}
	return found['1'], found['2']
}

// ask is oracle.NumPy with one of the interpreters.
func ask(t *testing.T, python, script string, stdin []byte, args ...string) []byte {
	t.Helper()
	t.Setenv("NPY_PYTHON", python)
	return oracle.NumPy(t, script, stdin, args...)
}

// describing is a script that defines describe(v), a text for the value that is the same with every version of NumPy.
// An object is described once; other references give its number.
const describing = `
def describe(v):
    seen, kept, out = {}, [], []
    def dtype(d):
        if type(d).__name__ == 'StringDType': d = np.dtype('O')
        kind = d.type.__name__ if d.kind == 'V' else d.kind
        fields = [(n, dtype(d.fields[n][0])) + d.fields[n][1:] for n in d.names] if d.names else ''
        sub = (dtype(d.base), d.shape) if d.shape else ''
        return '%s %s %s %s %s %s %s' % (kind, d.newbyteorder('=').str, d.itemsize, d.isalignedstruct, d.metadata or None, fields, sub)
    def plain(a):
        a = a.astype(a.dtype.newbyteorder('='))
        b = a.tobytes()
        return ''.join(b[i:i + 10].hex() for i in range(0, len(b), 16)) if a.dtype.kind in 'fc' and a.dtype.itemsize % 16 == 0 and a.dtype != 'c16' else b.hex()
    def all(name, items):
        out.append(name + '(')
        for i in items: go(i)
        out.append(')')
    def go(v):
        t = type(v)
        if v is None or t in (bool, int, float, complex, str, bytes, bytearray, range, slice) or t.__module__ in ('decimal', 'fractions', 'datetime'):
            out.append(t.__name__ + repr(v))
            return
        if id(v) in seen:
            out.append('@%d' % seen[id(v)])
            return
        if t is tuple and not v: return out.append('()')
        seen[id(v)] = len(seen)
        kept.append(v)
        if isinstance(v, np.dtype): out.append('dtype ' + dtype(v))
        elif v is np.ma.masked: out.append('masked')
        elif isinstance(v, np.ma.MaskedArray): all('masked', [v.dtype, v.filled(0) if not v.dtype.hasobject and not v.dtype.names else np.asarray(v.data), np.ma.getmaskarray(v), v.fill_value])
        elif isinstance(v, np.ndarray):
            out.append('%s %s %s %s ' % (t.__name__, dtype(v.dtype), v.shape, v.flags.f_contiguous))
            if v.dtype.names: all('fields', [np.asarray(v)[n] for n in v.dtype.names])
            elif v.dtype.hasobject: all('items', np.asarray(v).reshape(-1).tolist())
            else: out.append(plain(v))
        elif isinstance(v, np.generic):
            out.append('scalar ' + dtype(v.dtype))
            if v.dtype.names: all('item', [v[n] for n in v.dtype.names])
            else: out.append(plain(np.asarray(v)))
        elif isinstance(v, dict): all(t.__name__, [x for pair in v.items() for x in pair])
        elif isinstance(v, (set, frozenset)): all(t.__name__, sorted(v, key=repr))
        elif isinstance(v, (list, tuple)) or t.__name__ == 'deque': all(t.__name__, v)
        elif t.__name__ == 'RandomState': all('state', [list(v.get_state()[:1]), v.get_state()[1]])
        elif t.__name__ == 'poly1d': go(v.coeffs)
        elif hasattr(v, '__name__'): out.append(v.__name__.rstrip('_'))
        elif ' at 0x' in repr(v): all(t.__name__, sorted(getattr(v, '__dict__', {}).items()))
        else: out.append(repr(v))
    go(v)
    return ' '.join(out)
`

// A described array is a file and the description of its contents.
type described struct {
	File []byte
	Text string
}

// loads has an interpreter load files, and compares the results with the expected ones.
func loads(t *testing.T, python string, files [][]byte, want []string) {
	t.Helper()
	var in bytes.Buffer
	for _, f := range files {
		_ = json.NewEncoder(&in).Encode(f) // a Buffer takes everything
	}
	out := ask(t, python, describing+`
import base64, io
for line in sys.stdin:
    try: text = describe(np.load(io.BytesIO(base64.b64decode(json.loads(line))), allow_pickle=True))
    except BaseException as e: text = '%s: %s' % (type(e).__name__, e)
    print(json.dumps(text))
`, in.Bytes())
	bad := 0
	for i, got := range answers[string](t, out) {
		if got != want[i] {
			t.Errorf("array %d: %s\n%.2000q", i, apart([]byte(got), []byte(want[i])), files[i][128:])
			if bad++; bad > 5 {
				t.FailNow()
			}
		}
	}
}

// randomDescribed returns random arrays written by one NumPy. Arrays for another version contain nothing that it cannot
// load.
func randomDescribed(t *testing.T, python, seed string, n int, other bool) []described {
	t.Helper()
	script := randomArrays
	if other {
		script += "\nnew = set('default_rng RandomState SeedSequence StringDType'.split())\nlibrary = [f for f in library if not new & set(f.__code__.co_names)]\n"
	}
	out := ask(t, python, script+describing+`
for _ in range(int(sys.argv[2])):
    try: b = saved(top())
    except ValueError: continue
    print(json.dumps({'file': base64.b64encode(b).decode(), 'text': describe(loaded(b))}))
`, nil, seed, cases(t, n))
	return answers[described](t, out)
}

// NumPy 1 loads arrays of NumPy 2 that were written for it, and the other way round.
func TestNumPyLoadsOther(t *testing.T) {
	one, two := bothNumPys(t)
	for _, tt := range []struct {
		from, to string
		as       int
	}{{two, one, 1}, {one, two, 2}, {one, one, 1}, {two, two, 2}} {
		enc := npy.Encoder{Objects: objects.Encoder{NumPy: tt.as}}
		var files [][]byte
		var want []string
		for i, x := range randomDescribed(t, tt.from, "11", 500, tt.from != tt.to) {
			var buf bytes.Buffer
			if err := enc.Write(&buf, must(reading.Read(bytes.NewReader(x.File)))); err != nil {
				t.Errorf("array %d of %s as %d: %v", i, tt.from, tt.as, err)
				continue
			}
			if other := []string{"", "numpy._core", "numpy.core"}[tt.as]; other != "" && bytes.Contains(buf.Bytes(), []byte(other)) {
				t.Errorf("array %d of %s as %d has %s in it: %.1000q", i, tt.from, tt.as, other, buf.Bytes())
			}
			files, want = append(files, buf.Bytes()), append(want, x.Text)
		}
		t.Logf("%d arrays of %s, written as NumPy %d does, for %s", len(files), tt.from, tt.as, tt.to)
		loads(t, tt.to, files, want)
	}
}

// Every name in pickles of NumPy 2 either is in NumPy 1 or is refused; and no public name of NumPy 1 is refused.
func TestNumPy1Names(t *testing.T) {
	one, two := bothNumPys(t)
	out := ask(t, two, `
import pickle, pickletools, pkgutil, importlib
def modules(package):
    yield package
    for m in pkgutil.iter_modules(package.__path__, package.__name__ + '.'):
        if any(x in m.name for x in ('tests', 'f2py', 'distutils', 'conftest', 'setup', '_pyinstaller', 'typing', 'testing', 'testutils', '_configtool')): continue
        try: module = importlib.import_module(m.name)
        except Exception: continue
        if m.ispkg: yield from modules(module)
        else: yield module
names = set()
for module in modules(np):
    for v in list(vars(module).values()):
        try: data = pickle.dumps(v, 4)
        except Exception: continue
        ops = [(op.name, arg) for op, arg, _ in pickletools.genops(data) if op.name not in ('PROTO', 'FRAME', 'MEMOIZE', 'STOP')]
        if [name for name, _ in ops] == ['SHORT_BINUNICODE', 'SHORT_BINUNICODE', 'STACK_GLOBAL'] and ops[0][1].startswith('numpy'): names.add((ops[0][1], ops[1][1]))
print(json.dumps(sorted(names)))
`, nil)
	names := answers[[][2]string](t, out)[0]
	var in bytes.Buffer
	for _, name := range names {
		g := &pickle.Global{Module: name[0], Name: name[1]}
		var buf bytes.Buffer
		err := objects.Encoder{NumPy: 1, Protocol: 4}.Encode(&buf, g)
		_ = json.NewEncoder(&in).Encode([]any{g.Module, g.Name, buf.Bytes(), err == nil})
	}
	out = ask(t, one, `
import pickle, base64, importlib
def has(module, name):
    try: return name in importlib.import_module(module.replace('numpy._core', 'numpy.core')).__all__
    except Exception: return False
bad, loaded = [], 0
for line in sys.stdin:
    module, name, data, written = json.loads(line)
    if not written:
        if has(module, name) and name not in ('errstate', 'obj2sctype', 'show', 'PytestTester'): bad.append('refused: %s %s' % (module, name))
        continue
    loaded += 1
    try: v = pickle.loads(base64.b64decode(data))
    except Exception as e: bad.append('written: %s %s: %s' % (module, name, e))
print(json.dumps([str(loaded)] + bad))
`, in.Bytes())
	bad := answers[[]string](t, out)[0]
	t.Logf("%d names, NumPy 1 loads %s", len(names), bad[0])
	for _, line := range bad[1:] {
		t.Error(line)
	}
}

// Values that NumPy 1 cannot load are refused by name.
func TestNumPy1Refuses(t *testing.T) {
	_, two := bothNumPys(t)
	for python, want := range map[string]string{
		"np.random.default_rng(1)":                            "NumPy 1 does not load numpy.random._pickle.__generator_ctor",
		"np.random.RandomState(1)":                            "NumPy 1 does not load numpy.random._pickle.__randomstate_ctor",
		"np.random.PCG64(1)":                                  "NumPy 1 does not load numpy.random._pickle.__bit_generator_ctor",
		"np.random.SeedSequence(1)":                           "__pyx_unpickle_SeedSequence",
		"np.dtypes.StringDType()":                             "NumPy 1 has no StringDType",
		"np.dtypes.Float64DType":                              "NumPy 1 does not load numpy.dtypes.Float64DType",
		"np.linalg.svd(np.eye(2))":                            "NumPy 1 does not load numpy.linalg._linalg.SVDResult",
		"np.astype":                                           "NumPy 1 does not load numpy.astype",
		"np.strings.upper":                                    "NumPy 1 does not load numpy.strings.upper",
		"np.exceptions.DTypePromotionError('x')":              "NumPy 1 does not load numpy.exceptions.DTypePromotionError",
		"np.zeros((1,) * 33)":                                 "NumPy 1 has at most 32 dimensions; the array has 33",
		"np.errstate(all='ignore')":                           "NumPy 1 does not load numpy.errstate",
		"[np.array(['a'], np.dtypes.StringDType()), np.bool]": "",
	} {
		out := ask(t, two, `
import io
a = np.empty(1, object)
a[0] = eval(sys.argv[1])
np.save(sys.stdout.buffer, a, allow_pickle=True)
`, nil, python)
		a := must(reading.Read(bytes.NewReader(out)))
		err := npy.Encoder{Objects: objects.Encoder{NumPy: 1}}.Write(new(bytes.Buffer), a)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "[0]")) {
			t.Errorf("%s: %v, want an error with %q at [0]", python, err, want)
		}
	}
}
