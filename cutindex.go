package npy

import (
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/nd"
)

// An indexCut is the result of cutIndex. Package source has it as IndexCut.
type indexCut struct {
	start, step, count int
	single             bool
	rest, more         []Index
}

// cutIndex is CutIndex of package source.
func cutIndex(shape []int, index []Index) (indexCut, error) {
	var c indexCut
	if err := checkSteps(index); err != nil {
		return c, err
	}
	given, ellipses := 0, 0
	for i, x := range index {
		if x.index.Kind == nd.List {
			return c, errList
		}
		if x.index.Kind == nd.Field || x.index.Kind == nd.Fields {
			index, c.more = index[:i], index[i:]
			break
		}
		if x.index.Kind == nd.Ellipsis {
			ellipses++
		} else {
			given++
		}
	}
	if ellipses > 1 {
		return c, diag.New("npy", "an index can only have a single ellipsis ('...')")
	}
	first := All()
	switch {
	case len(index) == 0:
	case index[0].index.Kind != nd.Ellipsis:
		first, c.rest = index[0], index[1:]
	case given == len(shape): // the ellipsis stands for no axis
		first, c.rest = index[1], index[2:]
	default:
		c.rest = index
	}
	if first.index.Kind != nd.Integer {
		var err error
		c.start, c.step, c.count, err = first.index.Resolve(shape[0])
		return c, err
	}
	i := first.index.Start
	if i < 0 {
		i += shape[0]
	}
	if i < 0 || i >= shape[0] {
		return c, &IndexError{Index: first.index.Start, Axis: 0, Size: shape[0]}
	}
	c.start, c.step, c.count, c.single = i, 1, 1, true
	return c, nil
}
