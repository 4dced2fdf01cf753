package npy_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
)

// The benchmarks have NumPy beside them, doing the same in a process that is already running:
//
//	go test -run '^$' -bench . -count 6 .
//
// Files lie in the temporary folder and in the page cache.

const benchSize = 256 << 20 // bytes of the large files

// numpyWork holds what NumPy does in each benchmark. Results are dropped at once, as Go's are.
const numpyWork = `
os.chdir(%q)
data = np.load('native.npy')
def load(): np.load('native.npy')
def swap(): np.load('swapped.npy').astype('=f8')
def fortran(): np.ascontiguousarray(np.load('fortran.npy'))
def widen(): np.load('narrow.npy').astype('f8')
def small():
    for i in range(1000): np.load('small.npy')
def header():
    for i in range(1000):
        with open('native.npy', 'rb') as f:
            np.lib.format.read_magic(f); np.lib.format.read_array_header_1_0(f)
def save():
    if os.path.exists('out.npy'): os.remove('out.npy')
    np.save('out.npy', data)
def replace(): np.save('out.npy', data)
`

// benchFiles writes the files and starts NumPy.
func benchFiles(b *testing.B) (dir string, numpy *oracle.Worker) {
	b.Helper()
	dir = b.TempDir()
	data := make([]float64, benchSize/8)
	narrow := make([]float32, len(data))
	for i := range data {
		data[i] = math.Sin(float64(i))
		narrow[i] = float32(data[i])
	}
	a := must(npy.FromSlice(data, 4096, len(data)/4096))
	for name, a := range map[string]*npy.Array{
		"native": must(a.Reshape(-1)), "fortran": a.Fortran(), "narrow": must(npy.FromSlice(narrow)),
		"swapped": must(npy.FromSliceAs(parse(">f8"), data)), "small": must(npy.FromSlice(data[:128])),
	} {
		if err := npy.WriteFile(filepath.Join(dir, name+".npy"), a); err != nil {
			b.Fatal(err)
		}
	}
	return dir, oracle.NewWorker(b, fmt.Sprintf(numpyWork, dir))
}

func BenchmarkBesideNumPy(b *testing.B) {
	dir, numpy := benchFiles(b)
	load := func(name string) func() error {
		path := filepath.Join(dir, name+".npy")
		return func() error { _, _, err := npy.Load[float64](path); return err }
	}
	data, _, err := npy.Load[float64](filepath.Join(dir, "native.npy"))
	if err != nil {
		b.Fatal(err)
	}
	out := filepath.Join(dir, "out.npy")
	for _, row := range []struct {
		name  string
		bytes int64
		work  func() error
	}{
		{"load", benchSize, load("native")},
		{"swap", benchSize, load("swapped")},
		{"fortran", benchSize, load("fortran")},
		{"widen", benchSize, load("narrow")},
		{"small", 0, thousand(load("small"))},
		{"header", 0, thousand(func() error { return readHeader(filepath.Join(dir, "native.npy")) })},
		{"save", benchSize, func() error { _ = os.Remove(out); return npy.Save(out, data) }},
		{"replace", benchSize, func() error { return npy.Save(out, data) }},
	} {
		b.Run(row.name+"/npy", func(b *testing.B) {
			b.SetBytes(row.bytes)
			for b.Loop() {
				if err := row.work(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(row.name+"/numpy", func(b *testing.B) {
			b.SetBytes(row.bytes)
			for b.Loop() {
				numpy.Call(b, row.name)
			}
		})
	}
}

// thousand makes work long enough to be compared with a call into another process.
func thousand(work func() error) func() error {
	return func() error {
		for range 1000 {
			if err := work(); err != nil {
				return err
			}
		}
		return nil
	}
}

func readHeader(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = format.ReadHeader(f)
	return err
}

func BenchmarkParseHeader(b *testing.B) {
	var buf bytes.Buffer
	if err := npy.Write(&buf, must(npy.FromSlice(make([]float64, 12), 3, 4))); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := format.ParseHeader(buf.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
