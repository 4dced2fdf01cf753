package npz_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// numpyArchives makes the archives and defines NumPy's operations on each.
const numpyArchives = `
os.chdir(%q)
r = np.random.default_rng(1)
def small(i): return np.full(8, i, '<f8')
np.savez('many.npz', **{'a%%d' %% i: small(i) for i in range(10000)})
np.savez('stored.npz', x=r.integers(0, 256, 256 << 20, 'u1'))
np.savez_compressed('normal.npz', x=r.standard_normal(2 << 20))
np.savez_compressed('ints.npz', x=r.integers(0, 1000, 2 << 20))
np.savez_compressed('float32.npz', x=np.sin(np.arange(4 << 20) / 1000).astype('<f4') + r.standard_normal(4 << 20).astype('<f4') / 100)
def load(name):
    with np.load(name) as z:
        for k in z.files: z[k]
def many(): load('many.npz')
def stored(): load('stored.npz')
def normal(): load('normal.npz')
def ints(): load('ints.npz')
def float32(): load('float32.npz')
def ready(): pass
`

// BenchmarkBesideNumPy opens archives and reads all members, beside NumPy in a process that is already running:
//
//	go test -run '^$' -bench BesideNumPy -count 5 ./npz
func BenchmarkBesideNumPy(b *testing.B) {
	dir := b.TempDir()
	numpy := oracle.NewWorker(b, fmt.Sprintf(numpyArchives, dir))
	numpy.Call(b, "ready")
	for _, a := range []struct {
		name  string
		bytes int64
	}{{"many", 10000 * 64}, {"stored", 256 << 20}, {"normal", 16 << 20}, {"ints", 16 << 20}, {"float32", 16 << 20}} {
		path := filepath.Join(dir, a.name+".npz")
		b.Run(a.name+"/npz", func(b *testing.B) {
			b.SetBytes(a.bytes)
			b.ReportAllocs()
			for b.Loop() {
				readAll(b, path, (*npz.Reader).Array)
			}
		})
		b.Run(a.name+"/numpy", func(b *testing.B) {
			b.SetBytes(a.bytes)
			for b.Loop() {
				numpy.Call(b, a.name)
			}
		})
	}
}

func readAll(b *testing.B, path string, read func(z *npz.Reader, name string) (*npy.Array, error)) {
	z, err := npz.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	for _, name := range z.Names() {
		if _, err := read(z, name); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAll reads ten thousand small members on all processors.
func BenchmarkAll(b *testing.B) {
	dir := b.TempDir()
	oracle.NumPy(b, fmt.Sprintf("import os\nos.chdir(%q)\nnp.savez('many.npz', **{'a%%d' %% i: np.full(8, i, '<f8') for i in range(10000)})", dir), nil)
	for b.Loop() {
		z, err := npz.Open(filepath.Join(dir, "many.npz"))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range z.All() {
			if err != nil {
				b.Fatal(err)
			}
		}
		z.Close()
	}
}
