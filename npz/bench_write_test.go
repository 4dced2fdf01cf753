package npz_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// numpyWrites makes arrays of 32 MB of several kinds. For each it defines how NumPy writes it, compressed and not.
const numpyWrites = `
os.chdir(%q)
r = np.random.default_rng(1)
n = 32 << 20
runs = np.repeat(np.arange(n // 400) %% 2, r.integers(100, 1500, n // 400))[:n]
data = {
    'normal': r.normal(size=n//8),
    'smooth': (np.sin(np.arange(n//4) / 1000) + np.cumsum(r.normal(size=n//4)) * 1e-4).astype('f4'),
    'rounded': np.round(r.normal(size=n//8) * 10, 2),
    'small': r.integers(0, 1000, n//8),
    'labels': (np.add.outer(np.arange(n//4096) // 64 * 10, np.arange(1024) // 100)).astype('i4'),
    'random': r.random(n) < 0.02,
    'blobs': runs.astype('?'),
}
many = {'m%%d' %% i: np.arange(100.0) + i for i in range(10000)}
for k, a in data.items(): np.save(k + '.npy', a)
def work(save, **arrays):
    def run():
        save('numpy.npz', **arrays)
    return run
for k, a in data.items(): globals()[k] = work(np.savez_compressed, a=a)
stored = work(np.savez, a=data['normal'])
members, compressed = work(np.savez, **many), work(np.savez_compressed, **many)
`

// BenchmarkWriteBesideNumPy has savez and savez_compressed beside it. The size of the archive is reported too:
//
//	go test -run '^$' -bench WriteBesideNumPy -count 3 ./npz
func BenchmarkWriteBesideNumPy(b *testing.B) {
	dir := b.TempDir()
	numpy := oracle.NewWorker(b, fmt.Sprintf(numpyWrites, dir))
	for _, name := range []string{"normal", "smooth", "rounded", "small", "labels", "random", "blobs"} {
		numpy.Call(b, name) // waits until the files exist
		beside(b, numpy, dir, name, npz.Encoder{}, []npz.Member{{Name: "a", Array: must(npy.ReadFile(filepath.Join(dir, name+".npy")))}})
	}
	normal := []npz.Member{{Name: "a", Array: must(npy.ReadFile(filepath.Join(dir, "normal.npy")))}}
	beside(b, numpy, dir, "stored", npz.Encoder{Store: true}, normal)
	many := make([]npz.Member, 10_000)
	for i := range many {
		values := make([]float64, 100)
		for k := range values {
			values[k] = float64(i + k)
		}
		many[i] = npz.Member{Name: fmt.Sprintf("m%d", i), Array: array("<f8", values)}
	}
	beside(b, numpy, dir, "members", npz.Encoder{Store: true}, many)
	beside(b, numpy, dir, "compressed", npz.Encoder{}, many)
}

// beside runs a benchmark of this package and one of NumPy.
func beside(b *testing.B, numpy *oracle.Worker, dir, name string, e npz.Encoder, members []npz.Member) {
	raw := int64(0)
	for _, m := range members {
		raw += int64(m.Array.NBytes())
	}
	run := func(file string, work func() error) func(b *testing.B) {
		return func(b *testing.B) {
			b.SetBytes(raw)
			path := filepath.Join(dir, file)
			for b.Loop() {
				_ = os.Remove(path)
				if err := work(); err != nil {
					b.Fatal(err)
				}
			}
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size()), "archive-bytes")
		}
	}
	b.Run(name+"/npz", run("npz.npz", func() error { return e.Save(filepath.Join(dir, "npz.npz"), members...) }))
	b.Run(name+"/numpy", run("numpy.npz", func() error { numpy.Call(b, name); return nil }))
}
