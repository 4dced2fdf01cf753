package matlab

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// sparse adds the members of a sparse matrix, named as of a csc_matrix in scipy.sparse.save_npz.
func (b *builder) sparse(x *matrix, path string) error {
	if len(x.dims) != 2 {
		return x.scan.fail(x.start, "a sparse matrix of %d dimensions", len(x.dims))
	}
	rows, err := x.part(x.body, 0)
	if err != nil {
		return err
	}
	columns, err := x.part(rows.next, x.dims[1]+1)
	if err != nil {
		return err
	}
	nnz, err := b.nnz(x, columns)
	if err != nil {
		return err
	}
	if rows, err = x.part(x.body, nnz); err != nil {
		return err
	}
	re, err := x.part(columns.next, 0)
	if err == nil && x.flags&flagLogical != 0 && re.n < 8*int64(nnz) { // MATLAB writes bytes and says they are doubles
		re.t = dtype.Uint8
	}
	if err == nil && re.n/int64(re.t.ItemSize()) < int64(nnz) {
		err = x.scan.fail(re.data, "%d bytes for %d elements: %w", re.n, nnz, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return err
	}
	t := dtype.Float64.WithByteOrder(byteOrder(x.scan.order))
	switch {
	case x.flags&flagComplex != 0:
		t = complexOf(t)
	case x.flags&flagLogical != 0:
		t = dtype.Bool
	}
	values := *x
	values.dims = []int{nnz}
	return b.addAll(path,
		b.member("data", t, []int{nnz}, func() (npy.Source, error) { return b.numberSource(&values, re, t) }),
		b.member("indices", rows.t, []int{nnz}, func() (npy.Source, error) { return b.storedPart(x.scan.space, rows, []int{nnz}) }),
		b.member("indptr", columns.t, []int{x.dims[1] + 1}, func() (npy.Source, error) {
			return b.storedPart(x.scan.space, columns, []int{x.dims[1] + 1})
		}),
		b.member("shape", int64s, []int{2}, constant(shapeArray(x.dims))),
		b.member("format", dtype.Bytes(3), nil, constant(formatArray("csc"))),
	)
}

var int64s = dtype.Int64.WithByteOrder(dtype.LittleEndian)

// nnz returns the number of elements, the last of the pointers to columns.
func (b *builder) nnz(x *matrix, columns part) (int, error) {
	last := columns
	size := int64(columns.t.ItemSize())
	last.data += int64(x.dims[1]) * size
	src, err := b.storedPart(x.scan.space, last, []int{1})
	if err != nil {
		return 0, err
	}
	if src, err = npy.Cast(src, dtype.Int64, npy.UnsafeCasting); err != nil {
		return 0, err
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return 0, err
	}
	v, err := npy.As[int64](a)
	if err != nil {
		return 0, err
	}
	n := v.At(0)
	if n < 0 || n > x.end-x.body {
		return 0, x.scan.fail(last.data, "a sparse matrix of %d elements in %d bytes", n, x.end-x.body)
	}
	return int(n), nil
}

// member returns the node of a member of a sparse matrix.
func (b *builder) member(name string, t dtype.Type, shape []int, source func() (npy.Source, error)) *node {
	n := &node{Entry: container.Entry{Path: name, DType: t, Shape: shape}, source: source}
	if b.stored >= 0 {
		n.Codec, n.Checksum = "zlib", zlibSum
	} else {
		n.Stored = format.Header{DType: t, Shape: shape}.NBytes()
	}
	return n
}

// addAll adds members of a group.
func (b *builder) addAll(path string, nodes ...*node) error {
	for _, n := range nodes {
		n.Path = path + "/" + n.Path
		if err := b.m.entries.takePath(n.Path); err != nil {
			return err
		}
	}
	b.nodes = append(b.nodes, nodes...)
	return nil
}

// constant returns a function that gives an array in memory as a Source.
func constant(a *npy.Array, err error) func() (npy.Source, error) {
	return func() (npy.Source, error) { return a, err }
}

func shapeArray(dims []int) (*npy.Array, error) {
	shape := make([]int64, len(dims))
	for i, n := range dims {
		shape[i] = int64(n)
	}
	a, err := npy.FromSlice(shape)
	if err != nil {
		return nil, err
	}
	return a.AsType(int64s)
}

func formatArray(name string) (*npy.Array, error) {
	return npy.FromBytes(dtype.Bytes(len(name)), []byte(name), []int{}...)
}
