package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// columns is the length of the rows of the large arrays. It is not a power of two, which is the worst case of caches.
const columns = 4000

// minSize is the smallest size of the large arrays: two rows.
const minSize = 2 * 8 * columns

// A corpus is the folder with the files of a run. A file is made when the first row needs it, always with the same
// numbers, and removed after the last row that needs it.
type corpus struct {
	dir    string
	python string // what starts it; "" if there is none
	size   int64  // of the large arrays in bytes, approximately
	n      int    // elements of a large array, in whole rows
}

func newCorpus(dir string, size int64, python string) *corpus {
	return &corpus{dir, python, size, int(size) / 8 / columns * columns}
}

// imports reports whether the Python beside which npy runs has a module.
func (c *corpus) imports(module string) bool {
	return c.python != "" && exec.Command(c.python, "-c", "import "+module).Run() == nil
}

func (c *corpus) path(name string) string { return filepath.Join(c.dir, name) }

// bytes returns the size of a large array with elements of an item size.
func (c *corpus) bytes(itemSize int) int64 { return int64(c.n) * int64(itemSize) }

// scaled returns n for the size of 256 MB, and a proportional number for other sizes.
func (c *corpus) scaled(n int) int { return max(1, int(int64(n)*c.size/(256<<20))) }

// corpusFiles holds the function that makes each file, except the small files.
var corpusFiles = map[string]func(*corpus, *rand.Rand) (*npy.Array, error){
	"1KB.npy":            normals(1 << 7),
	"1MB.npy":            normals(1 << 17),
	"4MB.npy":            normals(1 << 19),
	"16MB.npy":           normals(1 << 21),
	"float64.npy":        floats[float64]("<f8"),
	"float64-big.npy":    floats[float64](">f8"),
	"float32.npy":        floats[float32]("<f4"),
	"fortran.npy":        fortran,
	"float16.npy":        halves("<f2"),
	"float16-big.npy":    halves(">f2"),
	"packed.npy":         records(record.DType[reading]),
	"aligned.npy":        records(record.AlignedDType[reading]),
	"strings.npy":        func(c *corpus, r *rand.Rand) (*npy.Array, error) { return npy.FromSlice(words(r, c.strings())) },
	"object-ints.npy":    smallInts,
	"object-strings.npy": objectStrings,
}

func init() {
	for _, s := range dataSets {
		corpusFiles[setFile(s.name)] = s.make
	}
}

// make writes the files that do not exist yet, and syncs them to disk, so that the kernel is idle during the run.
func (c *corpus) make(names []string) error {
	for _, name := range names {
		if _, err := os.Stat(c.path(name)); err == nil {
			continue
		}
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		if name == smallDir {
			if err := c.makeSmall(r); err != nil {
				return err
			}
			continue
		}
		if archive, ok := corpusArchives[name]; ok {
			if err := archive(c, c.path(name), r); err != nil {
				return fmt.Errorf("making %s: %w", name, err)
			}
			continue
		}
		a, err := corpusFiles[name](c, r)
		if err != nil {
			return fmt.Errorf("making %s: %w", name, err)
		}
		if err := (npy.Encoder{Sync: true, Objects: objectEncoder.Objects}).WriteFile(c.path(name), a); err != nil {
			return err
		}
	}
	return nil
}

// keepFor removes the files that no row reads, and all output files.
func (c *corpus) keepFor(rows []*row) error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if slices.ContainsFunc(rows, func(r *row) bool { return slices.Contains(r.files, e.Name()) }) {
			continue
		}
		if err := os.RemoveAll(c.path(e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// strings returns the number of strings, stringBytes their size in the file.
func (c *corpus) strings() int       { return c.scaled(1_000_000) }
func (c *corpus) stringBytes() int64 { return 16 * 4 * int64(c.strings()) }

// smallDir is the folder of the small files.
const smallDir = "small"

// smallFiles returns the number of small files: ten thousand, or fewer for small sizes.
func (c *corpus) smallFiles() int { return min(c.scaled(10_000), 10_000) }

func smallFile(i int) string { return fmt.Sprintf("%s/%06d.npy", smallDir, i) }

func (c *corpus) makeSmall(r *rand.Rand) error {
	if err := os.MkdirAll(c.path(smallDir), 0o777); err != nil {
		return err
	}
	for i := range c.smallFiles() {
		if err := npy.Save(c.path(smallFile(i)), normal[float64](r, 1<<7)); err != nil {
			return err
		}
	}
	return nil
}

func normal[T float32 | float64](r *rand.Rand, n int) []T {
	data := make([]T, n)
	for i := range data {
		data[i] = T(r.NormFloat64())
	}
	return data
}

func floats[T float32 | float64](descr string) func(*corpus, *rand.Rand) (*npy.Array, error) {
	return func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		return fromSliceAs(descr, normal[T](r, c.n), c.n/columns, columns)
	}
}

func halves(descr string) func(*corpus, *rand.Rand) (*npy.Array, error) {
	return func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		data := make([]scalar.Float16, c.n)
		scalar.Float32sToFloat16s(data, normal[float32](r, c.n))
		return fromSliceAs(descr, data, c.n/columns, columns)
	}
}

func fromSliceAs[T npy.Element](descr string, data []T, shape ...int) (*npy.Array, error) {
	t, err := dtype.Parse(descr)
	if err != nil {
		return nil, err
	}
	return npy.FromSliceAs(t, data, shape...)
}

func normals(n int) func(*corpus, *rand.Rand) (*npy.Array, error) {
	return func(_ *corpus, r *rand.Rand) (*npy.Array, error) { return npy.FromSlice(normal[float64](r, n)) }
}

func fortran(c *corpus, r *rand.Rand) (*npy.Array, error) {
	a, err := npy.FromSlice(normal[float64](r, c.n), c.n/columns, columns)
	if err != nil {
		return nil, err
	}
	return a.Fortran(), nil
}

// A reading is a record in the files of records: 14 bytes in the packed file, 24 with the padding of Go and C.
type reading struct {
	ID    int32
	Value float64
	N     int16
}

func records(dtypeOf func() (dtype.Type, error)) func(*corpus, *rand.Rand) (*npy.Array, error) {
	return func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		t, err := dtypeOf()
		if err != nil {
			return nil, err
		}
		data := make([]reading, c.scaled(10_000_000))
		for i := range data {
			data[i] = reading{int32(i), r.NormFloat64(), int16(r.Uint32())}
		}
		return record.FromSliceAs(t, data)
	}
}

// words returns n words of 1 to 16 letters, a few of them not ASCII.
func words(r *rand.Rand, n int) []string {
	letters := []rune("abcdefghijklmnopqrstuvwxyzäöüλж漢")
	data := make([]string, n)
	for i := range data {
		word := make([]rune, 1+r.IntN(16))
		for k := range word {
			word[k] = letters[r.IntN(len(letters))]
		}
		data[i] = string(word)
	}
	return data
}
