package dtypetext_test

import (
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/dtypetext"
	"github.com/npygo/npy/internal/oracle"
)

var dtypes = []string{
	"'?'", "'i1'", "'<u2'", "'>i4'", "'f2'", "'>f8'", "'c8'", "'>c16'", "'O'", "'S'", "'S3'", "'<U5'", "'>U5'", "'V'", "'V7'", "'M8'", "'<M8[ns]'", "'>M8[25s]'", "'m8[D]'",
	"[('a', 'i4')]", "[('a', '>i4'), ('b', 'U3'), ('c', 'O')]", "[('a', 'i4', (2,)), ('b', 'f8', (2, 3))]", "[(('title', 'a'), 'i4'), ('b', '?')]",
	"[('a', [('x', 'i1'), ('y', '>f4')]), ('b', 'M8[s]')]", "[('a', [('x', 'i1')], (3,))]", "[('', 'V3'), ('it\\'s', 'i1'), ('\\n', 'i1')]", "[]",
	"{'names': ['a', 'b'], 'formats': ['i1', 'f8'], 'offsets': [0, 8]}", "{'names': ['a'], 'formats': ['>i4'], 'offsets': [2], 'itemsize': 9}",
	"{'names': ['a', 'b'], 'formats': ['i1', ('f8', (2,))], 'offsets': [3, 8], 'titles': ['t', None]}",
}

// The text of a dtype is NumPy's text.
func TestAsNumPy(t *testing.T) {
	type texts struct{ Descr, Str, Repr string }
	_, answers := oracle.Ask[string, texts](t, `
print(json.dumps(np.__version__))
for line in sys.stdin:
    d = np.dtype(eval(json.loads(line)))
    print(json.dumps({'Descr': repr(np.lib.format.dtype_to_descr(d)), 'Str': str(d), 'Repr': repr(d)}))
`, dtypes)
	for i, want := range answers {
		d, err := dtype.ParseDescr(want.Descr)
		if err != nil {
			t.Errorf("%s: %v", dtypes[i], err)
			continue
		}
		if got := dtypetext.Str(d, nil); got != want.Str {
			t.Errorf("%s: Str is %s, want %s", dtypes[i], got, want.Str)
		}
		if got := dtypetext.Repr(d, nil); got != want.Repr {
			t.Errorf("%s: Repr is %s, want %s", dtypes[i], got, want.Repr)
		}
	}
}
