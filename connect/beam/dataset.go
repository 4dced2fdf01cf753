package npyio

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/query"
)

// A Dataset describes an array whose elements are in one or more files, one after another along the first axis, and what
// workers do to the rows that they read. It holds no elements and no open files. Workers get it as JSON.
type Dataset struct {
	DType string       // of the elements in the files, as dtype.Type.Descr writes it
	Shape []int        // of the whole array in the files
	Parts []parts.Part // the files, with their rows and versions

	Where   string      `json:",omitempty"` // the condition of [Dataset.Filter]
	As      string      `json:",omitempty"` // the dtype of [Dataset.Cast]
	Casting npy.Casting // for As
}

// Open returns the array in the files that match the patterns, in this order; the files of one pattern are sorted by name and
// by number. It reads the headers of all files. All must have the same dtype, and the same shape but for the first axis.
func Open(ctx context.Context, patterns ...string) (Dataset, error) {
	var paths []string
	for _, pattern := range patterns {
		found, err := expand(ctx, pattern)
		if err != nil {
			return Dataset{}, err
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		return Dataset{}, errors.New("npyio: no files; name at least one")
	}
	var mu sync.Mutex
	versions := map[string]string{}
	m, err := parts.Scan(ctx, 0, paths, func(ctx context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		a, err := openArray(ctx, p.Path)
		if err != nil {
			return nil, nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		versions[p.Path] = a.version
		return a.Source, a, nil
	})
	if err != nil {
		return Dataset{}, err
	}
	if m.DType.HasObject() {
		return Dataset{}, &parts.PartError{Path: paths[0], Err: npy.ErrObjects}
	}
	for i := range m.Parts {
		m.Parts[i].ETag = versions[m.Parts[i].Path]
	}
	return Dataset{DType: m.DType.Descr(), Shape: m.Shape, Parts: m.Parts}, nil
}

// Filter returns the rows that satisfy a condition, in their order: see package query. The number of the row in a condition,
// row, counts from the first row of each piece of work, so a condition must not name it.
func (d Dataset) Filter(expr string) (Dataset, error) {
	if d.Where != "" || d.As != "" {
		return d, errors.New("npyio: one filter comes first; combine conditions with 'and'")
	}
	d.Where = expr
	_, err := d.open()
	return d, err
}

// Cast returns the elements as another dtype, as numpy.ndarray.astype does with casting.
func (d Dataset) Cast(to dtype.Type, casting npy.Casting) (Dataset, error) {
	d.As, d.Casting = to.Descr(), casting
	empty, err := npy.FromBytes(d.stored(), nil, 0)
	if err == nil {
		_, err = empty.Cast(to, casting)
	}
	return d, err
}

// stored returns the dtype of the elements in the files.
func (d Dataset) stored() dtype.Type { return must(dtype.Parse(d.DType)) }

// dtype returns the dtype of the elements that workers get.
func (d Dataset) dtype() dtype.Type {
	if d.As != "" {
		return must(dtype.Parse(d.As))
	}
	return d.stored()
}

// must returns a dtype whose text a dtype.Type has written.
func must(t dtype.Type, err error) dtype.Type {
	if err != nil {
		panic(err)
	}
	return t
}

// An opened is the array of a Dataset. Its files are opened as they are read.
type opened struct {
	Dataset
	*parts.Array
	where *query.Condition // nil for all rows
}

// openFiles is the number of files that each worker keeps open.
const openFiles = 8

// open returns the array. It opens no file.
func (d Dataset) open() (*opened, error) {
	a := &opened{Dataset: d}
	t, err := dtype.Parse(d.DType)
	if err != nil {
		return nil, err
	}
	if d.Where != "" {
		if a.where, err = query.Compile(d.Where, t, d.Shape[1:]...); err != nil {
			return nil, err
		}
	}
	a.Array, err = parts.Options{MaxOpen: openFiles}.Open(parts.Manifest{DType: t, Shape: d.Shape, Parts: d.Parts}, openPart)
	return a, err
}

// close closes the files. There are none if the array could not be opened.
func (a *opened) close() error {
	if a == nil {
		return nil
	}
	return a.Close()
}

// rows returns the rows from start up to end, without rows that the condition leaves out.
func (a *opened) rows(ctx context.Context, start, end int) (npy.Source, error) {
	src, err := a.Select(npy.Span(start, end))
	if err != nil || a.where == nil {
		return src, err
	}
	return a.where.Filter(ctx, src)
}

// cast returns elements as the dtype of the Dataset.
func (a *opened) cast(block *npy.Array) (*npy.Array, error) {
	if a.As == "" {
		return block, nil
	}
	return block.Cast(a.dtype(), a.Casting)
}

// NBytes returns the size of the elements in the files, in bytes.
func (d Dataset) NBytes() int64 { return format.Header{DType: d.stored(), Shape: d.Shape}.NBytes() }

// rowSize returns the number of elements of a row, and their size in bytes in the files.
func (d Dataset) rowSize() (elements, bytes int) {
	h := format.Header{DType: d.stored(), Shape: d.Shape[1:]}
	return int(h.Size()), int(h.NBytes())
}

// rowsOf returns the number of rows in a number of bytes, at least one.
func (d Dataset) rowsOf(bytes int) int {
	_, size := d.rowSize()
	return max(bytes/max(size, 1), 1)
}

// A grid divides the rows of a Dataset into fixed blocks of Each rows. The last block may be shorter.
type grid struct{ Rows, Each int }

// blocks returns the number of blocks.
func (g grid) blocks() int64 {
	if g.Rows == 0 {
		return 0
	}
	return int64((g.Rows-1)/g.Each + 1)
}

// at returns the rows of block i.
func (g grid) at(i int64) (start, end int) {
	start = int(i) * g.Each
	return start, start + min(g.Each, g.Rows-start)
}

// cut divides n into k ranges of nearly equal length and returns range i, as numpy.array_split does.
func cut(n, k, i int) (start, end int) {
	at := func(i int) int { return i*(n/k) + min(i, n%k) }
	return at(i), at(i + 1)
}

// gcd returns the greatest common divisor.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// unravel returns the index of element i of an array in C order, numpy.unravel_index.
func unravel(i int, shape []int) []int {
	index := slices.Clone(shape)
	for axis, n := range slices.Backward(shape) {
		index[axis], i = i%n, i/n
	}
	return index
}
