package rank

import (
	"errors"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/keys"
)

// noQuantiles returns the error for a dtype without quantiles.
func noQuantiles(t dtype.Type) error {
	return diag.Errorf("stats", "quantiles need real numbers, bools or times, not dtype %s: %w", t, errors.ErrUnsupported)
}

func checkQuantiles(qs []float64) error {
	for _, q := range qs {
		if !(q >= 0 && q <= 1) {
			return diag.Errorf("stats", "quantile %v is not between 0 and 1", q)
		}
	}
	return nil
}

// columnsMax is the largest number of columns that share their passes: each takes about a KB.
const columnsMax = 1 << 15

// quantileColumns returns the columns of t that have quantiles.
func quantileColumns(t dtype.Type) []items.Column {
	return slices.DeleteFunc(items.ColumnsOf(t), func(c items.Column) bool {
		_, ok := keys.Of(c.DType)
		return !ok || c.Each == 0
	})
}

// selectionsOf returns the selections of columns of elements of some bytes.
func selectionsOf(columns []items.Column, size int, qs []float64, most int64) []*selection {
	all := make([]*selection, len(columns))
	for i, c := range columns {
		k, _ := keys.Of(c.DType)
		all[i] = newSelection(c, k, size, qs, most)
	}
	return all
}
