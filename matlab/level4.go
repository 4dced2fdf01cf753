package matlab

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/source"
)

// types4 are the dtypes of version 4, by the digit P of the type.
var types4 = []dtype.Type{dtype.Float64, dtype.Float32, dtype.Int32, dtype.Int16, dtype.Uint16, dtype.Uint8}

// The kinds of matrices of version 4, the digit T of the type.
const (
	full4   = 0
	text4   = 1
	sparse4 = 2
)

// A head4 is the head of a matrix of version 4: five integers and the name.
type head4 struct {
	machine, precision, kind int
	rows, cols               int
	complex                  bool
	name                     string
	data                     int64 // where the numbers are
}

const headSize4 = 20

// detect4 reports whether a file begins with a plausible matrix of version 4, whose first four bytes are not text.
func detect4(head []byte, size int64) (binary.ByteOrder, bool) {
	if len(head) < headSize4 || bytes.IndexByte(head[:4], 0) < 0 {
		return nil, false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		typ := order.Uint32(head)
		machine := typ / 1000
		if typ >= 5000 || machine > 4 || typ/100%10 != 0 || int(typ/10%10) >= len(types4) || typ%10 > sparse4 {
			continue
		}
		if machine <= 1 && (machine == 1) != (order == binary.BigEndian) {
			continue
		}
		rows, cols, im, name := order.Uint32(head[4:]), order.Uint32(head[8:]), order.Uint32(head[12:]), order.Uint32(head[16:])
		if rows <= math.MaxInt32 && cols <= math.MaxInt32 && im <= 1 && 1 <= name && int64(name) <= min(maxName, size-headSize4) {
			return order, true
		}
	}
	return nil, false
}

// scan4 reads the heads of all matrices.
func (m *Reader) scan4() error {
	file := &space{r: m.r, heads: m.r, size: m.size, packed: -1}
	s := &scanner{space: file, order: m.order}
	for at := int64(0); at < m.size; {
		h, err := s.head4(at)
		if err != nil {
			return m.addBroken(at, err)
		}
		if err := m.entries.take(1); err != nil {
			return err
		}
		v := &variable{name: h.name}
		next, err := m.add4(file, v, h)
		m.vars = append(m.vars, v)
		if err != nil {
			v.top = &node{Entry: container.Entry{Path: h.name, Err: &Error{h.name, at, err}}}
			return nil // where the next one begins is not known
		}
		at = next
	}
	return nil
}

func (s *scanner) head4(at int64) (head4, error) {
	b, err := s.bytes(at, headSize4)
	if err != nil {
		return head4{}, err
	}
	var word [5]uint32
	for i := range word {
		word[i] = s.order.Uint32(b[4*i:])
	}
	typ, name := int(word[0]), int64(word[4])
	h := head4{machine: typ / 1000, precision: typ / 10 % 10, kind: typ % 10, rows: int(int32(word[1])), cols: int(int32(word[2])), complex: word[3] != 0}
	switch {
	case word[0] >= 5000 || typ/100%10 != 0 || h.precision >= len(types4) || h.kind > sparse4:
		return h, s.fail(at, "no matrix of version 4 has type %d", word[0])
	case h.rows < 0 || h.cols < 0 || word[3] > 1:
		return h, s.fail(at, "a matrix of %d rows and %d columns, with complex flag %d", h.rows, h.cols, word[3])
	case name > maxName:
		return h, s.fail(at, "a name of %d bytes, more than %d", name, maxName)
	}
	if b, err = s.bytes(at+headSize4, name); err != nil {
		return h, err
	}
	b, _, _ = bytes.Cut(b, []byte{0})
	if h.name = string(b); h.name == "" || bytes.ContainsRune(b, '/') {
		return h, s.fail(at+headSize4, "the name %q is empty or has a slash", h.name)
	}
	h.data = at + headSize4 + name
	return h, nil
}

// add4 completes a variable and returns where the next one begins.
func (m *Reader) add4(file *space, v *variable, h head4) (next int64, err error) {
	t := types4[h.precision].WithByteOrder(byteOrder(m.order))
	dims := []int{h.rows, h.cols}
	n, ok := bounded.Count(dims, 2*t.ItemSize())
	if !ok {
		return 0, fmt.Errorf("a matrix of shape %v has too many elements", dims)
	}
	size := int64(n) * int64(t.ItemSize())
	all := size
	if h.complex {
		all *= 2
	}
	if all > file.size-h.data {
		return 0, fmt.Errorf("a matrix of %d bytes, and %d are left: %w", all, file.size-h.data, io.ErrUnexpectedEOF)
	}
	entry := container.Entry{Path: h.name, DType: t, Shape: dims, FortranOrder: n > 0 && !isLine(dims), Stored: all}
	part := func(at int64) (npy.Source, error) {
		return m.source(file, format.Header{DType: t, Shape: dims, FortranOrder: true, DataOffset: at})
	}
	v.top = &node{Entry: entry, source: func() (npy.Source, error) { return part(h.data) }}
	switch {
	case h.machine > 1:
		v.top.Err = &Error{h.name, h.data, unsupported("numbers of a VAX or Cray")}
	case h.kind == text4:
		err = m.text4(v.top, dims)
	case h.kind == sparse4:
		m.sparse4(v, h, v.top.source)
	case h.complex:
		v.top.DType = complexOf(t)
		v.top.source = func() (npy.Source, error) {
			re, err := part(h.data)
			if err != nil {
				return nil, err
			}
			im, err := part(h.data + size)
			if err != nil {
				return nil, err
			}
			return joinParts(v.top.DType, re, im)
		}
	}
	return h.data + all, err
}

// text4 makes strings of a matrix of character codes.
func (m *Reader) text4(n *node, dims []int) error {
	codes := n.source
	t, shape, err := strings32(dims)
	if err != nil {
		return err
	}
	n.DType, n.Shape, n.FortranOrder = t, shape, false
	n.source = func() (npy.Source, error) {
		return source.Whole(t, shape, func(ctx context.Context) (*npy.Array, error) {
			v, err := readAs[uint8](ctx, codes, dtype.Uint8)
			if err != nil {
				return nil, err
			}
			if len(v) == 0 {
				return npy.New(t, shape...)
			}
			units := make([]rune, len(v))
			for i, c := range v {
				units[i] = rune(c) // Latin-1
			}
			return textArray(t, shape, units, alone)
		}), nil
	}
	return nil
}

// readAs reads the elements of a Source as another dtype, in Fortran order.
func readAs[T npy.Element](ctx context.Context, open func() (npy.Source, error), t dtype.Type) ([]T, error) {
	src, err := open()
	if err == nil {
		src, err = npy.Cast(src, t, npy.UnsafeCasting)
	}
	if err != nil {
		return nil, err
	}
	a, err := src.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	v, err := npy.As[T](a.T())
	if err != nil {
		return nil, err
	}
	return v.ToSlice(), nil
}

// sparse4 makes the members of a matrix whose columns are row, column and value, the real and the imaginary part. Its
// last row is the shape. It has the members of a coo_matrix in scipy.sparse.save_npz.
func (m *Reader) sparse4(v *variable, h head4, matrix func() (npy.Source, error)) {
	v.top.Group, v.top.DType, v.top.Shape, v.top.FortranOrder = true, dtype.Type{}, nil, false
	v.top.Notes = append(v.top.Notes, "sparse matrix")
	triples := &triples4{h, matrix}
	v.more = func() ([]*node, error) {
		if h.rows < 1 || h.cols < 3 || h.cols > 4 || h.complex {
			return nil, triples.fail("a sparse matrix of %d rows and %d columns", h.rows, h.cols)
		}
		dims, err := triples.dims()
		if err != nil {
			return nil, err
		}
		t := dtype.Float64.WithByteOrder(byteOrder(m.order))
		if h.cols == 4 {
			t = complexOf(t)
		}
		nnz := []int{h.rows - 1}
		b := builder{m: m, name: h.name, stored: -1}
		err = b.addAll(h.name,
			b.member("data", t, nnz, func() (npy.Source, error) { return triples.values(t) }),
			b.member("row", int32s, nnz, func() (npy.Source, error) { return triples.index(0, dims[0]) }),
			b.member("col", int32s, nnz, func() (npy.Source, error) { return triples.index(1, dims[1]) }),
			b.member("shape", int64s, []int{2}, constant(shapeArray(dims))),
			b.member("format", dtype.Bytes(3), nil, constant(formatArray("coo"))),
		)
		return b.nodes, err
	}
}

// A triples4 is the matrix of rows, columns and values.
type triples4 struct {
	h      head4
	matrix func() (npy.Source, error)
}

func (x *triples4) fail(format string, args ...any) error {
	return &Error{x.h.name, x.h.data, fmt.Errorf(format, args...)}
}

// column returns elements of a column of the matrix.
func (x *triples4) column(i, low, high int, t dtype.Type) (npy.Source, error) {
	src, err := x.matrix()
	if err != nil {
		return nil, err
	}
	if src, err = src.Select(npy.Span(low, high), npy.At(i)); err != nil {
		return nil, err
	}
	return npy.Cast(src, t, npy.UnsafeCasting)
}

// dims returns the last row, the shape of the sparse matrix.
func (x *triples4) dims() ([]int, error) {
	dims := make([]int, 2)
	for i := range dims {
		n, err := readAs[float64](context.Background(), func() (npy.Source, error) {
			return x.column(i, x.h.rows-1, x.h.rows, dtype.Float64)
		}, dtype.Float64)
		if err != nil {
			return nil, err
		}
		if !(n[0] >= 0 && n[0] <= math.MaxInt32) {
			return nil, x.fail("a sparse matrix with dimension %g", n[0])
		}
		dims[i] = int(n[0])
	}
	return dims, nil
}

// index returns the places along an axis of n rows or columns. In the file they count from 1.
func (x *triples4) index(i, n int) (npy.Source, error) {
	src, err := x.column(i, 0, x.h.rows-1, dtype.Float64.WithByteOrder(dtype.LittleEndian))
	if err != nil {
		return nil, err
	}
	return npy.Computed(int32s, func(_ context.Context, dst []byte, src [][]byte, count int) error {
		for k := range count {
			place := math.Float64frombits(binary.LittleEndian.Uint64(src[0][8*k:]))
			if !(place >= 1 && place <= float64(n)) {
				return x.fail("an element in row or column %g of %d", place, n)
			}
			binary.LittleEndian.PutUint32(dst[4*k:], uint32(place)-1)
		}
		return nil
	}, src)
}

// values returns the elements as dtype t.
func (x *triples4) values(t dtype.Type) (npy.Source, error) {
	if t.Kind() != dtype.KindComplex {
		return x.column(2, 0, x.h.rows-1, t)
	}
	part := dtype.Float64.WithByteOrder(t.ByteOrder())
	re, err := x.column(2, 0, x.h.rows-1, part)
	if err != nil {
		return nil, err
	}
	im, err := x.column(3, 0, x.h.rows-1, part)
	if err != nil {
		return nil, err
	}
	return joinParts(t, re, im)
}

var int32s = dtype.Int32.WithByteOrder(dtype.LittleEndian)
