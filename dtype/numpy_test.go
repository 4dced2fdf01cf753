package dtype_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// describe is Python code that the programs below share. text returns the descr as Descr does, including the subarrays
// that dtype_to_descr loses. If NumPy warns that it will read a text differently, the warning is its answer.
const describe = `
import ast, json, sys, warnings
import numpy as np
from numpy.lib.format import descr_to_dtype, dtype_to_descr
warnings.simplefilter('ignore')
warnings.filterwarnings('error', message='Passing .type, 1.', category=FutureWarning)
def literal(d):
    if d.subdtype is not None:
        return '(%s, %r)' % (literal(d.subdtype[0]), d.subdtype[1])
    return repr(dtype_to_descr(d))
def text(d):
    return dtype_to_descr(d) if d.subdtype is None and d.names is None else literal(d)
def layout(d):
    return [] if d.names is None else [[n.encode('utf-8', 'surrogatepass').hex(), d.fields[n][1], text(d.fields[n][0])] for n in d.names]
def answer(d):
    return {'descr': text(d), 'name': d.name, 'itemsize': d.itemsize, 'kind': d.kind, 'native': d.isnative,
            'object': d.hasobject, 'fields': layout(d), 'swapped': text(d.newbyteorder('S'))}
def main(parse):
    print(json.dumps(np.__version__))
    for line in sys.stdin:
        try:
            a = answer(parse(json.loads(line)))
        except Exception as e:
            a = {'error': type(e).__name__ + ': ' + str(e)[:200]}
        print(json.dumps(a))
`

// An answer is NumPy's result for one text: an error, or the dtype.
type answer struct {
	Error    string  `json:"error,omitempty"`
	Descr    string  `json:"descr"`
	Name     string  `json:"name"`
	ItemSize int     `json:"itemsize"`
	Kind     string  `json:"kind"`
	Native   bool    `json:"native"`
	Object   bool    `json:"object"`
	Fields   [][]any `json:"fields"`
	Swapped  string  `json:"swapped"`
}

// askNumPy runs one Python process over all texts. It returns the version of NumPy and one answer per text.
func askNumPy(t *testing.T, parse string, texts []string) (version string, answers []answer) {
	t.Helper()
	return oracle.Ask[string, answer](t, describe+"main("+parse+")\n", texts)
}

// isNumPy1 reports whether the installed NumPy is older than version 2.
func isNumPy1(t *testing.T) bool {
	t.Helper()
	version, _ := askNumPy(t, "np.dtype", nil)
	return strings.HasPrefix(version, "1.")
}
