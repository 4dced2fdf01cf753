package matlab_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/flips"
	"github.com/npygo/npy/matlab"
)

// Every bit of a compressed variable matters to its checksum, whatever the variable is.
func TestFlips(t *testing.T) {
	number := element(9, make([]byte, 8))
	files := map[string][]byte{
		"empty arrays": file(compressed(array("a", 6, 0, []int32{0, 3})), compressed(array("b", 4, 0, []int32{0, 0})), compressed(array("c", 1, 0, []int32{0, 0})),
			compressed(array("d", 2, 0, []int32{1, 1}, element(5, []byte{32, 0, 0, 0}), element(1, nil)))),
		"a name twice": file(compressed(array("a", 6, 0, []int32{1, 1}, number)), compressed(array("a", 6, 0, []int32{1, 1}, number)), compressed(array("b", 6, 0, []int32{1, 1}, number))),
		"no name":      file(compressed(array("a", 6, 0, []int32{1, 1}, number)), compressed(array("", 9, 0, []int32{1, 8}, element(2, make([]byte, 8))))),
	}
	for what, name := range map[string]string{"numbers": "numbers_other", "structs and cells": "nested_other", "sparse matrices": "sparse", "text": "text"} {
		files[what] = must(os.ReadFile(filepath.Join("testdata", name+".mat")))
	}
	var all []flips.Format
	for what, data := range files {
		all = append(all, flips.Format{Name: "MAT-file 5, zlib: " + what, File: data, Read: flips.Contents(matlab.Format(matlab.Decoder{}, matlab.Encoder{}))})
	}
	flips.Test(t, all...)
}

// Without compression there is no checksum: SciPy does not notice what is not noticed here.
func TestFlipsUncompressed(t *testing.T) {
	script, _, _ := strings.Cut(string(must(os.ReadFile("testdata/values.py"))), "if __name__")
	scipy := flips.Python("SciPy", "scipy.io", ".mat", script+contents)
	numbers := make([]byte, 0, 64)
	for i := range 8 {
		numbers = binary.LittleEndian.AppendUint64(numbers, math.Float64bits(float64(i)/3))
	}
	data := file(array("x", 6, 0, []int32{2, 4}, element(9, numbers)))
	flips.Test(t, flips.Format{
		Name: "MAT-file 5, not compressed: elements", File: data, Spans: [][2]int{{len(data) - len(numbers), len(data)}},
		Read: flips.Contents(matlab.Format(matlab.Decoder{}, matlab.Encoder{})), Unchecked: true, Other: scipy,
	})
}

// contents is the function of Python that reads files by SciPy.
const contents = `
def contents(path):
    of = values(path)
    if isinstance(of, str):
        return ''
    return '\n'.join(sorted(name + ' ' + (x if isinstance(x, str) else '%s [%s] %s' % (dtype(*x[:2]), ' '.join(map(str, x[2])), x[3])) for name, x in of.items()))

def dtype(kind, size):
    return np.dtype('<%s%d' % (kind, size // 4 if kind == 'U' else size)).str
`
