package source

import (
	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/plumbing"
)

// An IndexCut is an index, cut after its entry for the first axis: see [CutIndex].
type IndexCut struct {
	Start, Step, Count int         // the positions on the first axis: Count of them, Step apart
	Single             bool        // the entry is an integer, which removes the axis
	Rest               []npy.Index // for the other axes
	More               []npy.Index // for the result, beginning with the name of a field; empty if there is none
}

var cutIndex = plumbing.CutIndex.(func([]int, []npy.Index) (start, step, count int, single bool, rest, more []npy.Index, err error))

// CutIndex cuts an index of an array of the given shape, which must have a first axis. It is for a [npy.Source] that has
// its own rows: it selects positions on the first axis itself, and has another Source select the others. It returns the
// errors of [npy.Array.Slice], except for the entries that CutIndex only hands on. Call [SelectCopy] first: an index with a
// [npy.List] is an error here.
func CutIndex(shape []int, index []npy.Index) (IndexCut, error) {
	var c IndexCut
	var err error
	c.Start, c.Step, c.Count, c.Single, c.Rest, c.More, err = cutIndex(shape, index)
	return c, err
}
