package hdf5

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/oracle"
)

// rowsOf returns rows low to high of an array.
func rowsOf(a *npy.Array, low, high int) *npy.Array { return must(a.Slice(npy.Span(low, high))) }

// appendAll appends the rows of a from low on, in pieces.
func appendAll(t *testing.T, e Encoder, path, name string, a *npy.Array, low int, pieces ...int) {
	t.Helper()
	x, err := e.OpenAppend(path, name)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for _, n := range pieces {
		if err := x.Append(rowsOf(a, low, low+n)); err != nil {
			t.Fatalf("%d rows after %d: %v", n, low, err)
		}
		if low += n; x.Shape()[0] != low {
			t.Fatalf("shape %v, want %d rows", x.Shape(), low)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

// wantRows compares an array of a file with rows of a.
func wantRows(t *testing.T, path, name string, want *npy.Array) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := must(r.Source(name)).ReadAll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, name, got, want)
}

// Rows are appended in pieces of every size, to chunks of every shape, and h5py reads them.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	var all []written
	for i, c := range []struct {
		descr  string
		shape  []int
		chunks []int
		pieces []int
	}{
		{"'<f8'", []int{1000, 3}, nil, []int{1, 1, 500, 7, 300}},
		{"'<i4'", []int{500}, []int{7}, []int{3, 4, 100, 1, 1, 1, 200}},
		{"'>u2'", []int{60, 9, 11}, []int{4, 2, 3}, []int{1, 2, 3, 4, 5, 6, 7}},
		{"'|S5'", []int{3000, 2}, []int{1, 2}, []int{1, 130, 2, 500, 1000}},
		{"[('a', '|u1'), ('', '|V3'), ('b', '>f8')]", []int{100, 2}, []int{8, 1}, []int{50, 1, 2}},
		{"'|b1'", []int{64, 5}, []int{8, 5}, []int{8, 8, 16}},
		{"'<M8[s]'", []int{30, 0}, []int{8, 1}, []int{3, 4}},
	} {
		for first := range 3 {
			low := first * 9 % c.shape[0]
			path := filepath.Join(dir, "a.h5")
			a := sample(c.descr, c.shape...)
			name := fmt.Sprintf("g/%d_%d", i, first)
			if c.shape[len(c.shape)-1] == 0 {
				continue
			}
			w := must(Encoder{Unlimited: true, Store: first == 2, UserBlock: make([]byte, first*512)}.Create(path))
			if err := container.Put(context.Background(), w, container.Entry{Path: name, Chunks: c.chunks}, []container.Attribute{attribute("x", a)}, rowsOf(a, 0, low)); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			appendAll(t, Encoder{Sync: first == 1}, path, name, a, low, c.pieces...)
			n := low
			for _, k := range c.pieces {
				n += k
			}
			wantRows(t, path, name, rowsOf(a, 0, n))
			all = append(all, written{path: name, array: rowsOf(a, 0, n)})
			if err := os.Rename(path, filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".h5")); err != nil {
				t.Fatal(err)
			}
		}
	}
	writeAll(t, dir, Encoder{}, all)
	out := oracle.Module(t, "h5py", same+`
z = np.load(sys.argv[1] + '/a.npz')
for name in z.files:
    f = h5py.File(sys.argv[1] + '/' + name.replace('/', '_') + '.h5', 'r+')
    e = same(name, f[name], z[name])
    if e: print(e)
    n = len(f[name]); f[name].resize(n + 300, 0); f[name][n:] = z[name][:1] # libhdf5 goes on with what we wrote
    if canon(f[name][:n]) != canon(z[name]): print(name, 'after a resize')
    f.close()
print('end')`, dir)
	if text := strings.TrimSpace(string(out)); text != "end" {
		t.Errorf("%.2000s", text)
	}
}

// Rows are appended to files of h5py, with fill values, filters and text.
func TestAppendH5py(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	oracle.Module(t, "h5py", `
import h5py
for v in ['earliest', 'v108']:
    f = h5py.File(sys.argv[1] + v, 'w', libver=(v, 'v110') if v != 'earliest' else v)
    f.create_dataset('plain', data=np.arange(20.).reshape(10, 2), maxshape=(None, 2), chunks=(4, 2))
    f.create_dataset('gzip', data=np.arange(20, dtype='>i4').reshape(10, 2), maxshape=(None, 2), chunks=(4, 1), compression='gzip', shuffle=True, fletcher32=True, fillvalue=7)
    f.create_dataset('lzf', data=np.arange(10), maxshape=(None,), chunks=(4,), compression='lzf')
    f.create_dataset('text', data=['a', 'bb', ''], maxshape=(None,), chunks=(2,), dtype=h5py.string_dtype())
    f.create_dataset('limit', data=np.arange(3), maxshape=(5,), chunks=(2,))
    f.create_dataset('fixed', data=np.arange(3), chunks=(2,))
    f.create_dataset('contiguous', data=np.arange(3))
    f.create_dataset('many', data=np.arange(700, dtype='u1'), maxshape=(None,), chunks=(1,))
    f.create_dataset('none', shape=(0, 3), dtype='f4', maxshape=(None, 3), chunks=(10, 3))
    f.close()
f = h5py.File(sys.argv[1] + 'latest', 'w', libver='latest'); f.create_dataset('a', data=np.arange(10), maxshape=(None,), chunks=(4,)); f.close()
`, path)
	for _, v := range []string{"earliest", "v108"} {
		for name, rows := range map[string]*npy.Array{
			"plain": sample("'<f8'", 5, 2), "gzip": sample("'>i4'", 5, 2), "text": text("ccc", "", "é", "d", "e"), "many": sample("'|u1'", 5), "none": sample("'<f4'", 5, 3),
		} {
			x, err := OpenAppend(path+v, name)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				if err := x.Append(rowsOf(rows, i, i+1)); err != nil {
					t.Fatalf("%s, %s: %v", v, name, err)
				}
			}
			if err := x.Append(rows); err != nil {
				t.Fatal(err)
			}
			x.Close()
		}
		for name, is := range map[string]error{"fixed": errors.ErrUnsupported, "contiguous": errors.ErrUnsupported, "lzf": errors.ErrUnsupported, "limit": nil} {
			x, err := OpenAppend(path+v, name)
			if err == nil {
				err = x.Append(sample("'<i8'", 3))
				x.Close()
			}
			if err == nil || is != nil && !errors.Is(err, is) {
				t.Errorf("%s: error %v, want %v", name, err, is)
			}
		}
	}
	if _, err := OpenAppend(path+"latest", "a"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("the latest format: error %v", err)
	}
	out := oracle.Module(t, "h5py", `
import h5py
for v in ['earliest', 'v108']:
    f = h5py.File(sys.argv[1] + v, 'r')
    print([(n, f[n].shape) for n in sorted(f)])
    print(f['plain'][:10].ravel().tolist() == list(range(20)), (f['plain'][10:15] == f['plain'][15:]).all(), (f['gzip'][:10].ravel() == np.arange(20)).all(), (f['gzip'][10:15] == f['gzip'][15:]).all())
    print(f['text'].asstr()[...].tolist(), (f['many'][:700] == np.arange(700).astype('u1')).all(), (f['none'][:5] == f['none'][5:]).all(), f['lzf'][...].tolist())
`, path)
	line := `[('contiguous', (3,)), ('fixed', (3,)), ('gzip', (20, 2)), ('limit', (3,)), ('lzf', (10,)), ('many', (710,)), ('none', (10, 3)), ('plain', (20, 2)), ('text', (13,))]
True True True True
['a', 'bb', '', 'ccc', '', 'é', 'd', 'e', 'ccc', '', 'é', 'd', 'e'] True True [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
`
	if string(out) != line+line {
		t.Errorf("got %s", out)
	}
}
