package npy

import (
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/plumbing"
)

func init() {
	bounded.Exported = func(e *bounded.Error, target any) bool {
		exported, ok := target.(**LimitError)
		if ok {
			*exported = (*LimitError)(e)
		}
		return ok
	}
	plumbing.Whole = wholeOf
	plumbing.FromParts = fromParts
	plumbing.SelectCopy = selectCopy
	plumbing.CutIndex = func(shape []int, index []Index) (start, step, count int, single bool, rest, more []Index, err error) {
		c, err := cutIndex(shape, index)
		return c.start, c.step, c.count, c.single, c.rest, c.more, err
	}
	plumbing.CheckBytes = checkBytes
	plumbing.IsSequential = isSequential
	plumbing.Pays = (*Regions).pay
}
