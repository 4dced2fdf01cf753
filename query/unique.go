package query

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query/internal/group"
)

// A Unique finds the distinct values of an array and how often each occurs, numpy.unique(return_counts=True). A Unique
// may be used by several goroutines.
//
// Values compare as in [Sort]: -0 equals 0, and NaN and NaT are one value each, in records as well, where NumPy counts
// every NaN by itself.
type Unique struct {
	// By has the fields, columns or expressions whose combinations are counted. nil means the elements of a plain array of any
	// dimensions, and whole records.
	By []Key

	// ByCount puts the most frequent values first, and of values that are as frequent the smaller one. Otherwise values
	// are in order.
	ByCount bool

	// Max limits the number of distinct values. 0 means as many as fit in Memory. The error for more is a
	// [npy.LimitError].
	Max int

	// Memory limits the distinct values, by the memory they take in bytes. 0 means 256 MiB.
	Memory int64

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes read and their total.
	// nil means no calls.
	Progress func(done, total int64)
}

// Of returns the distinct values of src as records: the fields of By, or the fields of src, or a field called value, and
// then a field called count.
func (u Unique) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	out, err := u.inner().Of(ctx, src)
	return out, exported(err)
}

// Filter returns the rows of src whose keys no row before them has, in their order: the first row of each key, as
// pandas.DataFrame.drop_duplicates. If By is nil, whole rows are compared. Filter reads src once. The result reads the rows when it is
// read, and is valid as long as src is; the rows of an [npy.Stream], which can be read once, are kept in memory. ByCount does not
// apply.
func (u Unique) Filter(ctx context.Context, src npy.Source) (npy.Source, error) {
	out, err := u.inner().Filter(ctx, src)
	return out, exported(err)
}

// inner returns the settings for the package that groups.
func (u Unique) inner() group.Unique {
	return group.Unique{By: sortKeys(u.By), ByCount: u.ByCount, Max: u.Max, Memory: u.Memory, Progress: u.Progress}
}
