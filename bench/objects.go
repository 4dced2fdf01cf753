package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/npygo/npy"
	"github.com/npygo/npy/objects"
)

// numpyObjects allows NumPy to run pickles, which it does not do by default.
const numpyObjects = `
def load(path):
    return np.load(path, allow_pickle=True)
`

// objectRows read and write arrays of Python objects, which are pickles.
func objectRows(c *corpus) []*row {
	n := c.objects()
	load := func(path string) (*npy.Array, error) {
		return npy.Decoder{Objects: objects.Decoder{}}.ReadFile(path)
	}
	return []*row{
		{
			name: "load objects, ints", does: fmt.Sprintf("%d small ints", n), fresh: 32 * int64(n),
			files: []string{"object-ints.npy"}, npy: once(load, c.path("object-ints.npy")),
			numpy: `load("object-ints.npy")`, numpySetup: numpyObjects,
		},
		{
			name: "load objects, strings", does: fmt.Sprintf("%d strs of 1 to 16 letters", n), fresh: 64 * int64(n),
			files: []string{"object-strings.npy"}, npy: once(load, c.path("object-strings.npy")),
			numpy: `load("object-strings.npy")`, numpySetup: numpyObjects,
		},
		c.saveObjectsRow("ints"),
		c.saveObjectsRow("strings"),
	}
}

func (c *corpus) saveObjectsRow(kind string) *row {
	var a *npy.Array
	from, to := "object-"+kind+".npy", outFile(0)
	return &row{
		name: "save objects, " + kind, does: "the same to a new file", fresh: 32 * int64(c.objects()),
		files: []string{from}, before: c.newOut,
		setup: func() (err error) {
			a, err = npy.Decoder{Objects: objects.Decoder{}}.ReadFile(c.path(from))
			return err
		},
		npy: func() (any, error) {
			return file(c.path(to)), objectEncoder.WriteFile(c.path(to), a)
		},
		numpy: "save()",
		numpySetup: fmt.Sprintf(`
data = np.load(%q, allow_pickle=True)
def save():
    np.save(%[2]q, data)
    return Path(%[2]q)
`, from, to),
	}
}

// objectEncoder writes pickles that every NumPy reads.
var objectEncoder = npy.Encoder{Objects: objects.Encoder{NumPy: 1}}

// objects returns the number of objects.
func (c *corpus) objects() int { return c.scaled(1_000_000) }

func smallInts(c *corpus, r *rand.Rand) (*npy.Array, error) {
	values := make([]any, c.objects())
	for i := range values {
		values[i] = r.Int64N(100_000)
	}
	return npy.FromObjects(values)
}

func objectStrings(c *corpus, r *rand.Rand) (*npy.Array, error) {
	values := make([]any, c.objects())
	for i, word := range words(r, len(values)) {
		values[i] = word
	}
	return npy.FromObjects(values)
}
