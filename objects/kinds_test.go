package objects_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

// kindsOfObjects is a script that makes an object of each expression, alone and inside others. It prints files of
// arrays of the object in several protocols, with the texts of the values that NumPy loads from them. Expressions that
// fail in a version, and texts with an address, are skipped.
const kindsOfObjects = `
import base64, importlib, importlib.util, io, pickle, re
for m in 'numpy.ma urllib.parse urllib.error http.cookies http.cookiejar xmlrpc.client email.headerregistry email.message concurrent.futures collections.abc'.split(): importlib.import_module(m)
def cells(*values):
    a = np.empty(len(values), object)
    for i, v in enumerate(values): a[i] = v
    return a
def saved(a, protocol):
    f = io.BytesIO()
    np.lib.format.write_array_header_1_0(f, np.lib.format.header_data_from_array_1_0(a))
    return f.getvalue() + pickle.dumps(a, protocol)
def texts(data):
    a = np.load(io.BytesIO(data), allow_pickle=True)
    some = [str(a), repr(a)]
    with np.printoptions(precision=3, linewidth=40, threshold=20, edgeitems=2): return some + [str(a), repr(a)]
print(json.dumps(np.__version__))
for line in sys.stdin:
    kind = json.loads(line)
    names = {name for name in re.findall(r'\b([a-z_][a-z0-9_]*)\.', kind) if name != 'np' and importlib.util.find_spec(name)}
    answer = []
    try:
        v = eval(kind, {'np': np, **{name: importlib.import_module(name) for name in names}})
        for a, protocols in (cells(v), (0, 2, 3, 4, 5)), (cells(v, [v], {'k': (v, v)}), (4,)):
            for protocol in protocols:
                data = saved(a, protocol)
                answer.append({'file': base64.b64encode(data).decode(), 'texts': texts(data)})
    except Exception:
        answer = []
    if any(' at 0x' in text for x in answer for text in x['texts']): answer = []
    print(json.dumps(answer))
`

// Objects of every kind print as Python prints them.
func TestNumPyKinds(t *testing.T) {
	text, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	kinds := strings.Split(strings.TrimSpace(string(text)), "\n")
	type printed struct {
		File  []byte
		Texts []string
	}
	version, answers := oracle.Ask[string, []printed](t, kindsOfObjects, kinds)
	p := npy.Printer{NumPy: int(version[0] - '0')}
	narrow := npy.Printer{NumPy: p.NumPy, Precision: 3, LineWidth: 40, Threshold: 20, EdgeItems: 2}
	known := 0
	for i, kind := range kinds {
		if len(answers[i]) > 0 {
			known++
		}
		for k, x := range answers[i] {
			a, err := reading.Read(bytes.NewReader(x.File))
			if err != nil {
				t.Errorf("%s: %v", kind, err)
				continue
			}
			got := []string{printedBy(p, a), string(p.AppendRepr(nil, a, 1<<20)), printedBy(narrow, a), string(narrow.AppendRepr(nil, a, 1<<20))}
			for n, name := range []string{"str", "repr", "str with options", "repr with options"} {
				if got[n] != x.Texts[n] {
					t.Errorf("%s, array %d: the %s is\n%s\nand not\n%s", kind, k, name, got[n], x.Texts[n])
					break
				}
			}
		}
	}
	t.Logf("%d kinds of objects of NumPy %s", known, version)
	if known < 200 {
		t.Errorf("NumPy %s has %d of the kinds, want 200", version, known)
	}
}

func printedBy(p npy.Printer, a *npy.Array) string {
	var b strings.Builder
	_ = p.Print(&b, a) // a Builder takes everything
	return strings.TrimSuffix(b.String(), "\n")
}
