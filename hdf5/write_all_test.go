package hdf5

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/npz"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// sampleTypes are descrs of every kind of element.
var sampleTypes = []string{
	"'|i1'", "'<i2'", "'>i4'", "'<i8'", "'|u1'", "'>u2'", "'<u4'", "'>u8'", "'<f2'", "'>f2'", "'<f4'", "'>f4'", "'<f8'", "'>f8'",
	"'<f16'", "'>f16'", "'<c8'", "'>c8'", "'<c16'", "'<c32'", "'|b1'", "'|S1'", "'|S7'", "'|V1'", "'|V5'", "'<U1'", "'>U9'",
	"'<M8[ns]'", "'>M8[25s]'", "'<m8[D]'", "'<M8'",
	"[('a', '<i4'), ('b', '>f8')]",
	"[('a', '|u1'), ('', '|V3'), ('b', '>f8'), ('', '|V4')]",
	"[('x', [('y', '<c8'), ('z', '|S3')]), ('s', '<u2', (2, 3)), ('t', '<M8[s]'), ('bool', '|b1')]",
	"[('p', [('q', '<i2', (2,))], (3,))]",
	"[('n', '<i4'), ('text', '<U5', (2,)), ('v', [('w', '>U2'), ('x', '<f4')], (3,))]",
}

// sample returns an array of a dtype with some values.
func sample(descr string, shape ...int) *npy.Array {
	t := must(dtype.ParseDescr(descr))
	n := 1
	for _, d := range shape {
		n *= d
	}
	g := property.NewG("hdf5 "+descr, int64(n))
	return must(npy.FromBytes(t, g.Elements(t, n, property.NaNBits), shape...))
}

// A written is an array with the way in which it is written.
type written struct {
	path   string
	array  *npy.Array
	chunks []int
}

// writeAll writes a.h5 and an archive of the same arrays, a.npz.
func writeAll(t *testing.T, dir string, encoder Encoder, all []written) {
	t.Helper()
	w := must(encoder.Create(filepath.Join(dir, "a.h5")))
	defer w.Abort()
	z := must(npz.Encoder{Store: true}.Create(filepath.Join(dir, "a.npz")))
	defer z.Abort()
	for _, a := range all {
		if err := container.Put(context.Background(), w, container.Entry{Path: a.path, Chunks: a.chunks}, nil, a.array); err != nil {
			t.Fatalf("%s, dtype %s, shape %v, chunks %v: %v", a.path, a.array.DType(), a.array.Shape(), a.chunks, err)
		}
		if err := z.Add(a.path, a.array); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// same is a function of Python that compares arrays read by h5py with arrays read by NumPy.
const same = `
import h5py
def plain(x):
    if isinstance(x, bytes): return x.decode('utf-8', 'surrogateescape').split('\0')[0]
    if isinstance(x, str): return x.split('\0')[0] # text of h5py ends there
    if isinstance(x, np.ndarray): return [plain(y) for y in x.tolist()] if x.dtype.names is None else [plain(y) for y in x.ravel()]
    if isinstance(x, (list, tuple)): return [plain(y) for y in x]
    if isinstance(x, np.void): return [plain(x[n]) for n in x.dtype.names] if x.dtype.names else x.tobytes()
    return x
def canon(a): # without padding
    if a.dtype.names: return [canon(a[n]) for n in a.dtype.names]
    if a.dtype.kind == 'c': return [canon(a.real), canon(a.imag)]
    if a.dtype.kind == 'f' and a.dtype.itemsize == 16:
        b = np.frombuffer(a.tobytes(), np.uint8).reshape(-1, 16)
        return (b[:, 6:] if a.dtype.byteorder == '>' else b[:, :10]).tobytes()
    return a.tobytes()
def untitled(t):
    if t.subdtype: return untitled(t.subdtype[0]), t.subdtype[1]
    if t.names: return [(n, untitled(t.fields[n][0]), t.fields[n][1]) for n in t.names], t.itemsize
    return t.str
def same(name, ds, want):
    if ds.shape != want.shape: return '%s: shape %s, want %s' % (name, ds.shape, want.shape)
    got = ds[...]
    if want.dtype.kind in 'UO' or want.dtype.names and 'O' in str(got.dtype):
        got = np.asarray(got)
        a = [plain(x) for x in got.ravel()]; b = [plain(x) for x in want.ravel()]
        if repr(a) != repr(b): return '%s, %s: %.200r, want %.200r' % (name, want.dtype, a, b)
        return
    if want.dtype.itemsize == 0:
        return None if got.dtype == 'S1' and not any(got.ravel()) else '%s: %s' % (name, got)
    got = np.asarray(got)
    if untitled(got.dtype) != untitled(want.dtype): return '%s: dtype %s, want %s' % (name, got.dtype, want.dtype)
    if canon(got) != canon(want): return '%s, %s: %.200r, want %.200r' % (name, want.dtype, got, want)
`

func wantSame(t *testing.T, dir string) {
	t.Helper()
	out := oracle.Module(t, "h5py", same+`
f = h5py.File(sys.argv[1] + '/a.h5', 'r'); z = np.load(sys.argv[1] + '/a.npz', allow_pickle=True)
for name in z.files:
    try: e = same(name, f[name], z[name])
    except Exception as x: e = '%s: %r' % (name, x)
    if e: print(e)
print('end')`, dir)
	if text := strings.TrimSpace(string(out)); text != "end" {
		t.Errorf("%.3000s", text)
	}
}

// h5py reads all dtypes with equal values, contiguous and in chunks of every kind.
func TestWriteTypes(t *testing.T) {
	shapes := [][]int{{}, {5}, {0}, {3, 0, 2}, {4, 7, 3}, {90, 30}}
	for _, e := range []Encoder{{}, {Store: true}, {Unlimited: true}, {Level: 9, UserBlock: make([]byte, 512)}} {
		t.Run(fmt.Sprintf("%+v", e)[:30], func(t *testing.T) {
			dir := t.TempDir()
			var all []written
			for i, descr := range sampleTypes {
				for j, shape := range shapes {
					a := written{path: fmt.Sprintf("t%d/s%d", i, j), array: sample(descr, shape...)}
					if j > 3 {
						all = append(all, written{path: a.path + "_chunked", array: a.array, chunks: []int{3, 4, 2}[:len(shape)]})
					}
					all = append(all, a)
				}
			}
			writeAll(t, dir, e, all)
			wantSame(t, dir)
		})
	}
}

// h5py reads random arrays of random dtypes, orders and chunks.
func TestWriteRandom(t *testing.T) {
	const kinds = property.All &^ property.Empty &^ property.Small
	files := 2
	if testing.Short() {
		files = 1
	}
	for n := range files {
		g := property.NewG("hdf5 writing", int64(n))
		var all []written
		for i := range 150 {
			a := written{path: fmt.Sprintf("g%d/%d", g.Int(3), i), array: g.Array(kinds, 3000, 0).Array}
			if len(a.array.Shape()) > 0 && a.array.Size() > 0 && g.Chance(60) {
				for _, n := range a.array.Shape() {
					a.chunks = append(a.chunks, g.Between(1, n))
				}
			}
			if !strings.Contains(a.array.DType().Descr(), ">c32") { // h5py 3.7 takes its parts for native numbers, its own too
				all = append(all, a)
			}
		}
		dir := t.TempDir()
		encoder := Encoder{Store: g.Chance(30), Level: g.Int(10), Unlimited: g.Chance(40)}
		if g.Chance(30) {
			encoder.UserBlock = make([]byte, 512<<g.Int(4))
		}
		writeAll(t, dir, encoder, all)
		wantSame(t, dir)
	}
}
