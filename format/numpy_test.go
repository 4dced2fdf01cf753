package format_test

import (
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// program is Python code that answers each line of JSON with a line of JSON.
const program = `
import ast, io, json, sys, warnings
import numpy as np
try:
    import numpy.lib._format_impl as f
except ImportError:
    import numpy.lib.format as f
warnings.simplefilter('ignore')
def literal(d):
    if d.subdtype is not None:
        return '(%s, %r)' % (literal(d.subdtype[0]), d.subdtype[1])
    return repr(f.dtype_to_descr(d))
def read(q):
    fp = io.BytesIO(bytes.fromhex(q))
    shape, order, dtype = f._read_array_header(fp, f.read_magic(fp), max_header_size=1 << 16)
    return {'descr': literal(dtype), 'order': order, 'shape': repr(shape), 'offset': fp.tell()}
def write(q):
    fp = io.BytesIO()
    d = {'descr': f.dtype_to_descr(f.descr_to_dtype(ast.literal_eval(q['descr']))), 'fortran_order': q['order'], 'shape': tuple(q['shape'] or ())}
    f._write_array_header(fp, d, tuple(q['version']) if q['version'] else None)
    return {'bytes': fp.getvalue().hex()}
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    try:
        a = read(q) if isinstance(q, str) else write(q)
    except Exception as e:
        a = {'error': type(e).__name__ + ': ' + str(e)[:200]}
    print(json.dumps(a))
`

// An answer is NumPy's result: an error, the header that it read, or the bytes that it wrote.
type answer struct {
	Error  string `json:"error"`
	Descr  string `json:"descr"`
	Order  bool   `json:"order"`
	Shape  string `json:"shape"`
	Offset int64  `json:"offset"`
	Bytes  string `json:"bytes"`
}

// askNumPy runs one Python process over all questions. It returns the version of NumPy and one answer per question.
func askNumPy[T any](t *testing.T, questions []T) (version string, answers []answer) {
	t.Helper()
	return oracle.Ask[T, answer](t, program, questions)
}
