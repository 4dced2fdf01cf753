package hdf5

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/appending"
	"github.com/npygo/npy/hdf5/internal/writing"
)

// An Appender adds rows to an array of an existing file: one in chunks whose first axis may grow. It writes the chunks
// first, then a new index, and the header with the new shape last, so that a process that is killed leaves the old rows
// or all of them. With [Encoder.Sync], so does a power failure.
//
// An Appender holds a lock against other Appenders and against libhdf5, which must open the file again to see new rows.
// It must be used by one goroutine only.
//
// A last chunk that is not full is written anew with the rows that follow, so that few appends of many rows are faster
// than many of few, and leave a smaller file: the place of the old chunk is used again only by the same Appender.
type Appender struct{ a *appending.File }

// OpenAppend opens an array of a file for appending. The caller must close the Appender. Files of this package with
// [Encoder.Unlimited] can be appended to, and files of other programs if the chunks are indexed by a B-tree of version 1,
// as libhdf5 does unless it is asked for its latest format. All else is an error that wraps [errors.ErrUnsupported]; so is
// an array whose first axis cannot grow.
func OpenAppend(path, array string) (*Appender, error) { return Encoder{}.OpenAppend(path, array) }

// OpenAppend is the function of the same name with Workers and Sync of e.
func (e Encoder) OpenAppend(path, array string) (*Appender, error) {
	a, err := appending.Open(path, array, writing.Settings(e), Decoder{}.limits())
	if err != nil {
		return nil, err
	}
	return &Appender{a}, nil
}

// DType returns the dtype of the rows.
func (a *Appender) DType() dtype.Type { return a.a.DType() }

// Shape returns the present shape of the array. The slice is a copy.
func (a *Appender) Shape() []int { return a.a.Shape() }

// Limit returns the largest number of rows that the array can have, Dataset.maxshape[0] of h5py, and false if there is no
// limit.
func (a *Appender) Limit() (rows int, limited bool) { return a.a.Limit() }

// Append adds the rows of b after the array, numpy.concatenate: all dimensions but the first must be equal. The dtype may
// differ if the dtype of the array holds every value of it, as for [npy.Array.AsType]. Text is added to text.
//
// After an error of the elements, when the disk is full for example, the array has its old rows, and the Appender can go
// on. An error of the header or of Sync is final. Append cannot be cancelled: [Appender.AppendFrom] can.
func (a *Appender) Append(b *npy.Array) error { return a.AppendFrom(context.Background(), b) }

// AppendFrom is [Appender.Append] for rows that are read as they are written.
func (a *Appender) AppendFrom(ctx context.Context, src npy.Source) error {
	return a.a.AppendFrom(ctx, src)
}

// Close closes the file and releases the lock. Closing twice does nothing.
func (a *Appender) Close() error { return a.a.Close() }
