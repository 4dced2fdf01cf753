// Package nd is the geometry of arrays: the places of the elements of an array in its bytes, and views as other
// strides over the same bytes. It does not know the meaning of elements.
//
//	array.go    an array of elements with strides, its order in memory, copies of it
//	index.go    integers, slices and an ellipsis; parse.go reads them
//	axes.go     transposes, parts along an axis, fields
//	reshape.go  other shapes
//	boxes.go    arrays cut into boxes, for copies through little memory
//	plan.go     few reads for the elements that an array has in a file
//	rows.go     few reads for rows by number, in any order
package nd

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
)

// An Array is a grid of elements in memory: element (i, j, …) begins in Data at Offset + i*Strides[0] + j*Strides[1] + ….
// Views share its Data. They may share its slices too, so these are replaced and never changed.
// An Array without Data says where in a file the elements are.
type Array struct {
	DType   dtype.Type
	Shape   []int
	Strides []int // in bytes
	Data    []byte
	Offset  int // in bytes
}

// New returns an array over data that is contiguous in C order or in Fortran order. It keeps shape.
func New(t dtype.Type, shape []int, fortran bool, data []byte) Array {
	return Array{DType: t, Shape: shape, Strides: Strides(shape, t.ItemSize(), fortran), Data: data}
}

// Over returns the array that h describes, over data. It keeps the shape of h.
func Over(h format.Header, data []byte) Array { return New(h.DType, h.Shape, h.FortranOrder, data) }

// Strided returns an array over data with the given strides, all of whose elements lie within data. h is valid.
func Strided(h format.Header, data []byte, offset int, strides []int) (Array, error) {
	if len(strides) != len(h.Shape) {
		return Array{}, diag.Errorf("npy", "%d strides given for %d dimensions", len(strides), len(h.Shape))
	}
	if offset < 0 || offset > len(data) {
		return Array{}, diag.Errorf("npy", "offset %d is outside the %d bytes of data", offset, len(data))
	}
	low, high := int64(offset), int64(offset)
	for i, n := range h.Shape {
		if n == 0 {
			return Over(h, nil), nil
		}
		hi, reach := bits.Mul64(uint64(max(int64(strides[i]), -int64(strides[i]))), uint64(n-1))
		if hi != 0 || reach > uint64(len(data)) {
			return Array{}, diag.Errorf("npy", "stride %d along axis %d leaves the %d bytes of data", strides[i], i, len(data))
		}
		if strides[i] < 0 {
			low -= int64(reach)
		} else {
			high += int64(reach)
		}
	}
	if high += int64(h.DType.ItemSize()); low < 0 || high > int64(len(data)) {
		return Array{}, diag.Errorf("npy", "elements from byte %d to %d leave the %d bytes of data", low, high, len(data))
	}
	return Array{DType: h.DType, Shape: h.Shape, Strides: strides, Data: data, Offset: offset}, nil
}

// Strides returns the strides of contiguous elements. The strides of an empty array are computed with 1 in place of
// 0, as in NumPy.
func Strides(shape []int, itemSize int, fortran bool) []int {
	strides := make([]int, len(shape))
	step := itemSize
	for i := range shape {
		axis := len(shape) - 1 - i
		if fortran {
			axis = i
		}
		strides[axis] = step
		step *= max(shape[axis], 1)
	}
	return strides
}

// Size returns the product of the dimensions.
func Size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Size returns the number of elements.
func (a *Array) Size() int { return Size(a.Shape) }

// NBytes returns the number of bytes of the elements.
func (a *Array) NBytes() int { return a.Size() * a.DType.ItemSize() }

// IsContiguous reports whether the elements follow each other in memory, in C order or in Fortran order. Axes of
// length 1 do not matter, and an empty array is always contiguous.
func (a *Array) IsContiguous(fortran bool) bool {
	return IsContiguous(a.Shape, a.Strides, a.DType.ItemSize(), fortran)
}

// IsContiguous reports whether items that have the given shape and strides are contiguous, as [Array.IsContiguous]
// does.
func IsContiguous(shape, strides []int, itemSize int, fortran bool) bool {
	if Size(shape) == 0 {
		return true
	}
	step := itemSize
	for i := range shape {
		axis := len(shape) - 1 - i
		if fortran {
			axis = i
		}
		if shape[axis] != 1 && strides[axis] != step {
			return false
		}
		step *= shape[axis]
	}
	return true
}

// Header returns the header of np.save for a: in Fortran order if a is contiguous in Fortran order and not in C order.
// It shares the shape of a.
func (a *Array) Header() format.Header {
	return format.Header{DType: a.DType, Shape: a.Shape, FortranOrder: !a.IsContiguous(false) && a.IsContiguous(true)}
}

// Position returns Offset plus the steps to the element at index. It panics as a slice does.
func Position(index, shape, strides []int, offset int) int {
	if len(index) != len(shape) {
		panic(fmt.Sprintf("npy: %d indices for %d dimensions", len(index), len(shape)))
	}
	for axis, i := range index {
		if uint(i) >= uint(shape[axis]) {
			panic(fmt.Sprintf("npy: index %d is out of range for axis %d of length %d", i, axis, shape[axis]))
		}
		offset += i * strides[axis]
	}
	return offset
}

// Unravel returns the index of the i-th element in C order, numpy.unravel_index.
func Unravel(i int64, shape []int) []int {
	index := make([]int, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		index[axis] = int(i % int64(shape[axis]))
		i /= int64(shape[axis])
	}
	return index
}

// Item returns the bytes of the element at index, as [Array.ItemAt] does. It panics as a slice does.
func (a *Array) Item(index []int) []byte {
	return a.ItemAt(Position(index, a.Shape, a.Strides, a.Offset))
}

// ItemAt returns the bytes of the element that begins at a byte of Data. Their capacity is their length.
func (a *Array) ItemAt(at int) []byte {
	end := at + a.DType.ItemSize()
	return a.Data[at:end:end]
}

// Items visits the elements in C order. The bytes share the memory of a.
func (a *Array) Items(yield func(item []byte) bool) {
	if a.Size() > 0 {
		a.items(0, a.Offset, yield)
	}
}

func (a *Array) items(axis, at int, yield func([]byte) bool) bool {
	if axis == len(a.Shape) {
		return yield(a.Data[at : at+a.DType.ItemSize()])
	}
	for i := range a.Shape[axis] {
		if !a.items(axis+1, at+i*a.Strides[axis], yield) {
			return false
		}
	}
	return true
}

// Bytes returns the elements as they are in memory, and false if they are not contiguous in C order.
func (a *Array) Bytes() ([]byte, bool) {
	if !a.IsContiguous(false) {
		return nil, false
	}
	n := a.NBytes()
	if n == 0 {
		return nil, true
	}
	return a.Data[a.Offset : a.Offset+n : a.Offset+n], true
}

// Gather returns a copy of the elements in C order or in Fortran order.
func (a *Array) Gather(fortran bool) []byte {
	out := bulk.MakeFill[byte](a.NBytes())
	a.CopyTo(out, Strides(a.Shape, a.DType.ItemSize(), fortran))
	return out
}

// CopyTo copies the elements to the start of dst, with the given strides.
func (a *Array) CopyTo(dst []byte, strides []int) {
	if a.Size() > 0 {
		bulk.CopyBytes(dst, 0, strides, a.Data, a.Offset, a.Strides, a.Shape, a.DType.ItemSize())
	}
}

// Fill copies the elements of b, which has the same shape and dtype, to the elements of a.
func (a *Array) Fill(b *Array) {
	if a.Size() > 0 {
		bulk.CopyBytes(a.Data, a.Offset, a.Strides, b.Data, b.Offset, b.Strides, a.Shape, a.DType.ItemSize())
	}
}

// Extent returns the range of bytes from the first to the last element in memory. It is empty if there are no elements.
func (a *Array) Extent() (low, high int) {
	if a.NBytes() == 0 {
		return 0, 0
	}
	low, high = a.Offset, a.Offset+a.DType.ItemSize()
	for i, n := range a.Shape {
		reach := (n - 1) * a.Strides[i]
		low, high = low+min(reach, 0), high+max(reach, 0)
	}
	return low, high
}

// Compact returns an array over data with the shape of a. Its elements are contiguous, in the order in memory of the
// elements of a. The dtype may differ.
func (a *Array) Compact(t dtype.Type, data []byte) Array {
	b := Array{DType: t, Shape: a.Shape, Strides: make([]int, len(a.Shape)), Data: data}
	step := t.ItemSize()
	for _, axis := range slices.Backward(a.SlowestFirst()) {
		n := b.Shape[axis]
		if b.Strides[axis] = step; a.Strides[axis] < 0 {
			b.Strides[axis] = -step
			b.Offset += max(n-1, 0) * step
		}
		step *= max(n, 1)
	}
	if b.Size() == 0 {
		b.Offset = 0
	}
	return b
}

// SlowestFirst returns the axes by the size of their strides, the largest first.
func (a *Array) SlowestFirst() []int {
	axes := make([]int, len(a.Shape))
	for i := range axes {
		axes[i] = i
	}
	step := func(axis int) int { return max(a.Strides[axis], -a.Strides[axis]) }
	slices.SortStableFunc(axes, func(i, j int) int { return step(j) - step(i) })
	return axes
}
