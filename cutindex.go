package npy

import (
	"errors"

	"github.com/npygo/npy/internal/nd"
)

// An IndexCut is an index, cut after its entry for the first axis: see [CutIndex].
type IndexCut struct {
	Start, Step, Count int     // the positions on the first axis: Count of them, Step apart
	Single             bool    // the entry is an integer, which removes the axis
	Rest               []Index // for the other axes
	More               []Index // for the result, beginning with the name of a field; empty if there is none
}

// MarshalJSON returns an error, like [Index.MarshalJSON].
func (c IndexCut) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an IndexCut", "keep the text that ParseIndex reads")
}

// CutIndex cuts an index of an array of the given shape, which must have a first axis. It is for a [Source] that has
// its own rows: it selects positions on the first axis itself, and has another Source select the others. It returns the
// errors of [Array.Slice], except for the entries that CutIndex only hands on. Call [SelectCopy] first: an index with a
// [List] is an error here.
func CutIndex(shape []int, index []Index) (IndexCut, error) {
	var c IndexCut
	if err := checkSteps(index); err != nil {
		return c, err
	}
	given, ellipses := 0, 0
	for i, x := range index {
		if x.index.Kind == nd.List {
			return c, errList
		}
		if x.index.Kind == nd.Field || x.index.Kind == nd.Fields {
			index, c.More = index[:i], index[i:]
			break
		}
		if x.index.Kind == nd.Ellipsis {
			ellipses++
		} else {
			given++
		}
	}
	if ellipses > 1 {
		return c, errors.New("npy: an index can only have a single ellipsis ('...')")
	}
	first := All()
	switch {
	case len(index) == 0:
	case index[0].index.Kind != nd.Ellipsis:
		first, c.Rest = index[0], index[1:]
	case given == len(shape): // the ellipsis stands for no axis
		first, c.Rest = index[1], index[2:]
	default:
		c.Rest = index
	}
	if first.index.Kind != nd.Integer {
		var err error
		c.Start, c.Step, c.Count, err = first.index.Resolve(shape[0])
		return c, err
	}
	i := first.index.Start
	if i < 0 {
		i += shape[0]
	}
	if i < 0 || i >= shape[0] {
		return c, &IndexError{Index: first.index.Start, Axis: 0, Size: shape[0]}
	}
	c.Start, c.Step, c.Count, c.Single = i, 1, 1, true
	return c, nil
}
