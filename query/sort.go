package query

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query/internal/order"
)

// A Sort sorts the rows of arrays of any size. Rows with equal keys keep their order. The zero Sort sorts records by
// all fields and plain arrays of one dimension by their elements, as numpy.sort(kind='stable') does. A Sort may be used
// by several goroutines.
//
// Values compare as in numpy.sort: bytes and str by their bytes and code points, complex numbers by the real part and
// then by the imaginary part, structs field by field. NaN and NaT come last, and complex numbers with a NaN after all
// others. -0 equals 0. Subarrays compare item by item. (numpy.sort compares their bytes, which on most machines is not
// the order of the numbers.) Python objects and NumPy's StringDType have no order here; the error wraps npy.ErrObjects.
type Sort struct {
	// By has the keys, the most important first. numpy.sort(order=fields) compares the other fields where these are
	// equal; a Sort keeps such rows in the order of the source. nil means all fields.
	By []Key

	// Descending reverses the order of all keys. NaN and NaT stay last, and rows with equal keys still keep their order.
	Descending bool

	// Memory is the target for the process's total memory, in bytes, if the process does nothing else. 0 means 256 MiB.
	// The minimum is 32 MiB. Larger arrays are sorted in parts, which are written to a temporary file and merged. If not even
	// five rows fit, the error is a [npy.LimitError].
	Memory int64

	// Temp is the path next to which the temporary file is made. "" means a path in [os.TempDir]. WriteFile has its own.
	Temp string

	// Encoder has the settings of the files written.
	Encoder npy.Encoder

	// Progress is called from time to time, by one goroutine at a time, with the number of bytes read and written and
	// their total. nil means no calls.
	Progress func(done, total int64)
}

// inner returns the settings for the package that sorts.
func (s Sort) inner() order.Sort {
	return order.Sort{By: sortKeys(s.By), Descending: s.Descending, Memory: s.Memory, Temp: s.Temp, Encoder: s.Encoder, Progress: s.Progress}
}

// WriteFile sorts src into an .npy file. It writes a temporary file in the same folder and renames it at the end: path is
// never seen half-written, and an error leaves the old file unchanged. src may be the file at path.
func (s Sort) WriteFile(ctx context.Context, path string, src npy.Source) error {
	return s.inner().WriteFile(ctx, path, src)
}

// Write sorts src and writes it to w as an .npy file.
func (s Sort) Write(ctx context.Context, w io.Writer, src npy.Source) error {
	return s.inner().Write(ctx, w, src)
}

// Open sorts src and returns the result, which is in memory or, if it needs more than Memory, in a temporary file. It
// reads src once, and no longer needs it afterwards. Close the result.
func (s Sort) Open(ctx context.Context, src npy.Source) (*Sorted, error) {
	rows, err := s.inner().Open(ctx, src)
	if err != nil {
		return nil, err
	}
	return &Sorted{rows}, nil
}

// Array returns the rows of src in sorted order, in new memory. src is held in memory.
func (s Sort) Array(ctx context.Context, src npy.Source) (*npy.Array, error) {
	return s.inner().Array(ctx, src)
}

// Argsort returns the positions of the rows of src in sorted order, numpy.argsort(kind='stable'): [npy.Take] with them
// gives the sorted rows. With several keys it is numpy.lexsort of the keys, from the last to the first. src is held in
// memory.
func (s Sort) Argsort(ctx context.Context, src npy.Source) ([]int, error) {
	return s.inner().Argsort(ctx, src)
}

// Along returns src sorted along an axis, numpy.sort(axis=axis, kind='stable'). A negative axis counts from the end.
// The array is held in memory, twice while it is sorted, with up to 24 bytes for each element of the lanes being sorted. If that
// is over a Memory that is set, the error is a [npy.LimitError].
// By must be nil.
func (s Sort) Along(ctx context.Context, src npy.Source, axis int) (*npy.Array, error) {
	return s.inner().Along(ctx, src, axis)
}

// Top returns the first n rows of the sorted order, or all if there are fewer, as the rows from 0 to n of [Sort.Array].
// It reads src once and holds some multiple of n rows in memory.
func (s Sort) Top(ctx context.Context, src npy.Source, n int) (*npy.Array, error) {
	return s.inner().Top(ctx, src, n)
}
