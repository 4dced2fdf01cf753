package npy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

// NumPy writes files, an Appender appends to them, and NumPy writes the whole. The bytes are the same, with the space
// in the header that NumPy leaves for a longer shape, also where the number of rows gets longer.
func TestAppendIsWhatNumPyWrites(t *testing.T) {
	dir := t.TempDir()
	oracle.NumPy(t, `
for order in 'CF':
    a = np.arange(12 * 3, dtype='>i4').reshape(12, 3)
    if order == 'F': a = a.T
    np.save(sys.argv[1] + '/' + order + '.npy', a[:9] if order == 'C' else a[:, :9])
    np.save(sys.argv[1] + '/' + order + '-whole.npy', a)`, nil, dir)
	for _, order := range []string{"C", "F"} {
		path := filepath.Join(dir, order+".npy")
		before := must(os.ReadFile(path))
		a := must(npy.OpenAppend(path))
		for row := range 3 {
			start := int32(27 + 3*row)
			if err := npy.AppendRows(a, []int32{start, start + 1, start + 2}); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		got, want := must(os.ReadFile(path)), must(os.ReadFile(filepath.Join(dir, order+"-whole.npy")))
		if string(got) != string(want) || len(got) != len(before)+3*3*4 {
			t.Errorf("order %s: %q, want %q", order, got[:128], want[:128])
		}
	}
	out := oracle.NumPy(t, `
a = np.load(sys.argv[1] + '/C.npy'); b = np.load(sys.argv[1] + '/F.npy', mmap_mode='r')
print((a == np.arange(36).reshape(12, 3)).all() and (b == a.T).all())`, nil, dir)
	if string(out) != "True\n" {
		t.Errorf("NumPy reads what we have appended: %s", out)
	}
}
