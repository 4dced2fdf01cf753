package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// dataSets are arrays of different kinds, which compress differently.
var dataSets = []struct {
	name, does string
	make       func(c *corpus, r *rand.Rand) (*npy.Array, error)
}{
	{"normal", "float64 with nothing in common", func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		return npy.FromSlice(normal[float64](r, c.set()/8))
	}},
	{"smooth", "float32 of a slow wave with noise", smooth},
	{"rounded", "float64 rounded to two digits", func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		data := normal[float64](r, c.set()/8)
		for i := range data {
			data[i] = math.Round(data[i]*1000) / 100
		}
		return npy.FromSlice(data)
	}},
	{"counts", "int64 below 1000", func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		data := make([]int64, c.set()/8)
		for i := range data {
			data[i] = r.Int64N(1000)
		}
		return npy.FromSlice(data)
	}},
	{"labels", "int32, patches of one number in an image", func(c *corpus, _ *rand.Rand) (*npy.Array, error) {
		const width = 1024
		data := make([]int32, c.set()/4/width*width)
		for i := range data {
			data[i] = int32(i/width/64*10 + i%width/100)
		}
		return npy.FromSlice(data, len(data)/width, width)
	}},
	{"mask", "bool, 2 % true at random", func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		data := make([]bool, c.set())
		for i := range data {
			data[i] = r.IntN(50) == 0
		}
		return npy.FromSlice(data)
	}},
	{"blobs", "bool in runs of 100 to 1500", func(c *corpus, r *rand.Rand) (*npy.Array, error) {
		data := make([]bool, 0, c.set()+1500)
		for value := false; len(data) < c.set(); value = !value {
			for range 100 + r.IntN(1400) {
				data = append(data, value)
			}
		}
		return npy.FromSlice(data[:c.set()])
	}},
}

// set returns the size of a data set in bytes.
func (c *corpus) set() int { return c.scaled(32 << 20) }

func setFile(name string) string { return "set-" + name + ".npy" }

func smooth(c *corpus, r *rand.Rand) (*npy.Array, error) {
	data, drift := make([]float32, c.set()/4), 0.0
	for i := range data {
		drift += r.NormFloat64() * 1e-4
		data[i] = float32(math.Sin(float64(i)/1000) + drift)
	}
	return npy.FromSlice(data)
}

// The archives to read. NumPy writes its own.
const (
	manyArchive   = "many.npz"
	storedArchive = "stored.npz"
	numpyArchive  = "numpy-" // followed by the name of a data set
	ownArchive    = "own-"
)

// corpusArchives holds the function that makes each archive.
var corpusArchives = map[string]func(c *corpus, path string, r *rand.Rand) error{
	manyArchive: func(c *corpus, path string, r *rand.Rand) error {
		w, err := npz.Encoder{Store: true}.Create(path)
		if err != nil {
			return err
		}
		defer w.Abort()
		for i := range c.smallFiles() {
			if err := npz.Add(w, fmt.Sprintf("a%d", i), normal[float64](r, 8)); err != nil {
				return err
			}
		}
		return w.Close()
	},
	sparseFile: func(c *corpus, path string, _ *rand.Rand) error { return makeSparse(c, path) },
	storedArchive: func(c *corpus, path string, r *rand.Rand) error {
		a, err := npy.FromSlice(normal[float64](r, c.n))
		if err != nil {
			return err
		}
		return npz.Encoder{Store: true, Align: -1}.Save(path, npz.Member{Name: "x", Array: a})
	},
	ownArchive + "normal.npz":   ownOf("normal"),
	ownArchive + "counts.npz":   ownOf("counts"),
	numpyArchive + "normal.npz": numpyOf("normal"),
	numpyArchive + "counts.npz": numpyOf("counts"),
	numpyArchive + "sets.npz":   numpyOf("normal", "smooth", "rounded", "counts"),
}

func ownOf(set string) func(c *corpus, path string, r *rand.Rand) error {
	return func(c *corpus, path string, r *rand.Rand) error {
		a, err := corpusFiles[setFile(set)](c, r)
		if err != nil {
			return err
		}
		return npz.Save(path, npz.Member{Name: "x", Array: a})
	}
}

func numpyOf(sets ...string) func(c *corpus, path string, r *rand.Rand) error {
	return func(c *corpus, path string, r *rand.Rand) error {
		args := []string{"-c", "import sys, numpy as np\nnp.savez_compressed(sys.argv[1], **{f: np.load(f) for f in sys.argv[2:]})", path}
		for _, set := range sets {
			args = append(args, setFile(set))
		}
		cmd := exec.Command(c.python, args...)
		cmd.Dir = c.dir
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		return nil
	}
}

// archiveRows read and write archives.
func archiveRows(c *corpus) []*row {
	rows := []*row{
		{
			name: "npz of many members", does: fmt.Sprintf("open an archive of %d arrays of 8 float64, and read all of them", c.smallFiles()),
			files: []string{manyArchive}, npy: func() (any, error) { return firsts(c.path(manyArchive)) },
			numpy: "firsts()", numpySetup: "def firsts():\n    with np.load('many.npz') as z:\n        return np.array([z[k][0] for k in z.files])\n",
		},
		{
			name: "npz stored", does: "a member of float64 that is not compressed, with its checksum, " + sizeText(c.bytes(8)),
			bytes: c.bytes(8), fresh: c.bytes(8), files: []string{storedArchive},
			npy: c.member(storedArchive), numpy: `np.load("stored.npz")["x"]`,
		},
		c.writeStoredRow(),
	}
	for _, s := range dataSets {
		rows = append(rows, c.compressRow(s.name, s.does))
	}
	if c.python != "" {
		rows = append(rows, c.readRow(numpyArchive, "normal"), c.readRow(numpyArchive, "counts"), c.readSetsRow())
	}
	rows = append(rows, c.readRow(ownArchive, "normal"), c.readRow(ownArchive, "counts"))
	return append(rows, &row{
		name: "npz slice", does: "ten elements from the middle of a member that npy compressed",
		files: []string{ownArchive + "normal.npz"}, npy: c.middle(ownArchive + "normal.npz"),
		numpy: fmt.Sprintf(`np.load("own-normal.npz")["x"][%d:%d]`, c.set()/16, c.set()/16+10),
	})
}

// firsts opens an archive and returns the first element of every array.
func firsts(path string) (any, error) {
	z, err := npz.Open(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var values []float64
	for m, err := range z.All() {
		if err != nil {
			return nil, err
		}
		v, err := npy.As[float64](m.Array)
		if err != nil {
			return nil, err
		}
		values = append(values, v.At(0))
	}
	return values, nil
}

// member reads the only array of an archive. Its name is x, or the name of the data set's file.
func (c *corpus) member(name string) work {
	return func() (any, error) {
		z, err := npz.Open(c.path(name))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		return z.Array(z.Names()[0])
	}
}

func (c *corpus) middle(name string) work {
	return func() (any, error) {
		z, err := npz.Open(c.path(name))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		at := c.set() / 16
		return z.Slice("x", npy.Span(at, at+10))
	}
}

func (c *corpus) readRow(by, set string) *row {
	name, who := by+set+".npz", map[string]string{numpyArchive: "NumPy", ownArchive: "npy"}[by]
	return &row{
		name: fmt.Sprintf("npz read %s by %s", set, who), does: fmt.Sprintf("the one member of an archive that %s compressed, %s", who, sizeText(int64(c.set()))),
		bytes: int64(c.set()), fresh: int64(c.set()), files: []string{setFile(set), name},
		npy: c.member(name), numpy: fmt.Sprintf("(lambda z: z[z.files[0]])(np.load(%q))", name),
	}
}

// readSetsRow reads several members at once.
func (c *corpus) readSetsRow() *row {
	name := numpyArchive + "sets.npz"
	return &row{
		name: "npz read four members by NumPy", does: "an archive of four data sets that NumPy compressed, all of it",
		bytes: 4 * int64(c.set()), fresh: 4 * int64(c.set()),
		files: []string{setFile("normal"), setFile("smooth"), setFile("rounded"), setFile("counts"), name},
		npy:   func() (any, error) { return archive(c.path(name)).arrays() },
		numpy: fmt.Sprintf("(lambda z: [z[k] for k in z.files])(np.load(%q))", name),
	}
}

// compressRow writes a data set.
func (c *corpus) compressRow(set, does string) *row {
	r := c.writeRow(setFile(set), npz.Encoder{}, "np.savez_compressed")
	r.name, r.does, r.sized = "npz compress "+set, does+", "+sizeText(int64(c.set())), true
	return r
}

func (c *corpus) writeStoredRow() *row {
	r := c.writeRow("float64.npy", npz.Encoder{Store: true}, "np.savez")
	r.name, r.does = "npz store", "float64 to a new archive that is not compressed, "+sizeText(c.bytes(8))
	r.bytes = c.bytes(8)
	return r
}

func (c *corpus) writeRow(from string, e npz.Encoder, numpy string) *row {
	var a *npy.Array
	return &row{
		bytes: int64(c.set()), files: []string{from}, before: c.newOut,
		setup: func() (err error) {
			a, err = npy.ReadFile(c.path(from))
			return err
		},
		npy: func() (any, error) {
			path := c.path(outArchive(npyName))
			return archive(path), e.Save(path, npz.Member{Name: "x", Array: a})
		},
		numpy: "save()",
		numpySetup: fmt.Sprintf("data = np.load(%q)\ndef save():\n    %s(%q, x=data)\n    return Path(%[3]q)\n",
			from, numpy, outArchive(numpyName)),
	}
}

// outArchive returns the path of a contender's archive.
func outArchive(contender string) string { return fmt.Sprintf("%s/%s.npz", outDir, contender) }

// An archive is the path of a written archive, the result of writing it.
type archive string

// arrays reads all arrays of an archive.
func (path archive) arrays() ([]*npy.Array, error) {
	z, err := npz.Open(string(path))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var all []*npy.Array
	for m, err := range z.All() {
		if err != nil {
			return nil, err
		}
		all = append(all, m.Array)
	}
	return all, nil
}

// sizes returns the sizes of the archives that were written last.
func (c *corpus) sizes() map[string]int64 {
	sizes := map[string]int64{}
	for _, name := range []string{npyName, numpyName} {
		for _, path := range []string{outArchive(name), fmt.Sprintf("%s/%s.h5", outDir, name)} {
			if info, err := os.Stat(c.path(path)); err == nil {
				sizes[name] = info.Size()
			}
		}
	}
	return sizes
}
