package hdf5

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// A growth is an array that h5py makes, and the numbers of rows that are appended to it.
type growth struct {
	Name     string
	Shape    []int
	MaxShape []*int // nil for no limit
	Chunks   []int
	Filters  bool
	Early    bool // the space of all chunks is allocated at once, which gives an implicit index
	Latest   bool // the latest format, whose indices depend on the limits
	steps    []int
}

// limit returns the largest number of rows.
func (g growth) limit() (int, bool) {
	if g.MaxShape[0] == nil {
		return 0, false
	}
	return *g.MaxShape[0], true
}

// growths returns arrays of every shape of chunks, number of rows, limit and index up to a few rows, and ways to the limit
// and over it. Of the many, some are chosen.
func growths(chosen func() bool, r *rand.Rand) []growth {
	var all []growth
	for _, columns := range []int{0, 1, 3} { // 0 for one dimension
		for _, chunk := range [][2]int{{1, 1}, {2, 1}, {2, 2}, {3, 4}, {5, 3}} {
			for rows := range 7 {
				for _, limit := range []int{rows, rows + 1, rows + 2, rows + 5, 2 * rows, 20, -1} {
					for kind := range 8 {
						g := growth{Shape: []int{rows}, MaxShape: []*int{&limit}, Chunks: chunk[:1], Filters: kind&1 != 0, Early: kind&2 != 0, Latest: kind&4 != 0}
						if limit < 0 {
							g.MaxShape[0] = nil
						}
						if columns > 0 {
							widest := max(columns, chunk[1])
							g.Shape, g.MaxShape, g.Chunks = append(g.Shape, columns), append(g.MaxShape, &widest), chunk[:]
							if kind == 5 {
								g.MaxShape[1] = nil // two axes without a limit: a B-tree of version 2
							}
						}
						if limit >= 0 && (limit < rows || chunk[0] > limit) || g.Early && g.Filters && !g.Latest || !chosen() {
							continue
						}
						g.Name = fmt.Sprintf("g%d", len(all))
						g.steps = steps(rows, limit, r)
						all = append(all, g)
					}
				}
			}
		}
	}
	return all
}

// steps returns numbers of rows that lead to the limit, and go beyond at some point.
func steps(rows, limit int, r *rand.Rand) []int {
	if limit < 0 {
		return []int{1, r.IntN(4), r.IntN(9)}
	}
	var all []int
	beyond := r.IntN(3)
	for i := 0; rows < limit; i++ {
		if i == beyond {
			all = append(all, limit-rows+1+r.IntN(3))
		}
		n := 1 + r.IntN(limit-rows)
		all = append(all, n)
		rows += n
	}
	return append(all, 0, 1, 0)
}

// Rows are appended up to the limit of an array and over it, for every shape of chunks, limit and index of chunks. An error
// leaves the file as it was, byte for byte, and without an error h5py reads the new rows.
func TestAppendLimits(t *testing.T) {
	const scale = 40
	n := oracle.Cases(t, 1)
	r := oracle.Rand(t)
	all := growths(func() bool { return r.IntN(max(scale/n, 1)) == 0 }, r)
	dir := t.TempDir()
	description := filepath.Join(dir, "growths.json")
	if err := os.WriteFile(description, must(json.Marshal(all)), 0o666); err != nil {
		t.Fatal(err)
	}
	oracle.Module(t, "h5py", makeGrowths, dir)
	counts := map[string]int{}
	want := map[string]int{}
	for _, g := range all {
		want[g.Name] = g.check(t, dir, counts)
	}
	t.Logf("%d arrays, %v", len(all), counts)
	if counts["appended"] == 0 || counts["over the limit"] == 0 || counts["index refused"] == 0 {
		t.Errorf("nothing of a kind was tried: %v", counts)
	}
	if err := os.WriteFile(description, must(json.Marshal(want)), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := oracle.Module(t, "h5py", readGrowths, dir); string(out) != "end\n" {
		t.Errorf("%s", out)
	}
}

const makeGrowths = `
import h5py, os
from h5py import h5p, h5d, h5s, h5t
for g in json.load(open(sys.argv[1] + '/growths.json')):
    f = h5py.File('%s/%s.h5' % (sys.argv[1], g['Name']), 'w', libver='latest' if g['Latest'] else 'earliest')
    p = h5p.create(h5p.DATASET_CREATE)
    p.set_chunk(tuple(g['Chunks']))
    if g['Filters']: p.set_shuffle(); p.set_deflate(1); p.set_fletcher32()
    if g['Early']: p.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    most = tuple(h5s.UNLIMITED if n is None else n for n in g['MaxShape'])
    d = h5py.Dataset(h5d.create(f.id, b'a', h5t.NATIVE_INT32, h5s.create_simple(tuple(g['Shape']), most), p))
    n = int(np.prod(g['Shape']))
    if n: d[...] = np.arange(n).reshape(g['Shape'])
    f.close()
`

const readGrowths = `
import h5py
for name, rows in json.load(open(sys.argv[1] + '/growths.json')).items():
    with h5py.File('%s/%s.h5' % (sys.argv[1], name), 'r') as f:
        d = f['a']
        n = int(np.prod(d.shape))
        if len(d) != rows or (d[...].ravel() != np.arange(n)).any(): print(name, d.shape, rows, d[...].tolist())
    with h5py.File('%s/%s.h5' % (sys.argv[1], name), 'r+') as f: # libhdf5 goes on
        d = f['a']
        if d.maxshape[0] is None: d.resize(rows + 5, 0); d[rows:] = 7
        if len(d): d[0] = 9
print('end')
`

// check appends the rows of one array, and returns the number of rows that it then must have.
func (g growth) check(t *testing.T, dir string, counts map[string]int) int {
	t.Helper()
	path := filepath.Join(dir, g.Name+".h5")
	rows := g.Shape[0]
	read := func() []byte { return must(os.ReadFile(path)) }
	before := read()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, steps %v: %s", must(json.Marshal(g)), g.steps, fmt.Sprintf(format, args...))
	}
	x, err := OpenAppend(path, "a")
	limit, limited := g.limit()
	if err != nil {
		switch {
		case !g.Latest && !(limited && rows == limit):
			fail("cannot be opened: %v", err)
		case !bytes.Equal(read(), before):
			fail("the file has changed, and the error is %v", err)
		case g.Latest:
			counts["index refused"]++
		default:
			counts["full"]++
		}
		return rows
	}
	defer x.Close()
	for _, n := range g.steps {
		before := read()
		err := x.Append(g.rows(rows, n))
		over := limited && rows+n > limit
		if err == nil {
			rows += n
			counts["appended"]++
		} else if over {
			counts["over the limit"]++
		}
		switch {
		case (err != nil) != over:
			fail("%d rows after %d: error %v", n, rows, err)
			return rows
		case err != nil && !bytes.Equal(read(), before):
			fail("%d rows after %d: the file has changed, and the error is %v", n, rows, err)
		case x.Shape()[0] != rows:
			fail("%d rows after %d: shape %v", n, rows, x.Shape())
		}
		wantRows(t, path, "a", g.rows(0, rows))
	}
	return rows
}

// rows returns n rows from low on: the numbers of all elements.
func (g growth) rows(low, n int) *npy.Array {
	width := 1
	shape := []int{n}
	if len(g.Shape) > 1 {
		width, shape = g.Shape[1], append(shape, g.Shape[1])
	}
	numbers := make([]int32, n*width)
	for i := range numbers {
		numbers[i] = int32(low*width + i)
	}
	a := must(npy.FromSlice(numbers, shape...))
	return must(a.AsType(dtype.Int32.WithByteOrder(dtype.LittleEndian)))
}
