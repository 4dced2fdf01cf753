package convert

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// gatherPiece is the size of the pieces in which arrays that are not in C order are gathered.
const gatherPiece = 1 << 20

// A Content is an array that is to be written: in memory, or in a file of which it is read block by block. It is what a
// [Converter] writes.
type Content struct {
	dtype  dtype.Type
	shape  []int
	array  *npy.Array                                     // nil if it is in a file, which has no objects then
	blocks func(do func(block []byte, n int) error) error // calls do with runs of n elements in C order
}

// MarshalJSON returns an error: a Content may be a file of any size. Its [Converter] writes it.
func (c Content) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("convert: a Content is not data and has no JSON; write it with the Converter of JSON: %w", errors.ErrUnsupported)
}

func contentOf(a *npy.Array) Content {
	return Content{a.DType(), a.Shape(), a, func(do func(block []byte, n int) error) error { return eachBlock(a, do) }}
}

// DType returns the dtype of the elements.
func (c Content) DType() dtype.Type { return c.dtype }

// Shape returns the shape, a copy.
func (c Content) Shape() []int { return slices.Clone(c.shape) }

// Array returns the array if it is in memory, and false if it is in a file.
func (c Content) Array() (*npy.Array, bool) { return c.array, c.array != nil }

// Blocks calls do with all elements in C order, a block of n of them after the other, in the byte order of the dtype. A
// block may share the memory of the array; it is not to be changed, nor used afterwards. An error of do ends it. Python
// objects have no bytes: their blocks hold nothing, see Array.
func (c Content) Blocks(do func(block []byte, n int) error) error { return c.blocks(do) }

// size returns the number of elements.
func (c Content) size() int {
	n := 1
	for _, k := range c.shape {
		n *= k
	}
	return n
}

// eachItem calls do with the bytes of every element in C order. An error of do gets the index of the element.
func eachItem(c Content, do func(item []byte) error) error {
	if c.dtype.HasObject() {
		return eachObjectItem(c.array, do)
	}
	size, at := c.dtype.ItemSize(), 0
	return c.blocks(func(block []byte, n int) error {
		for range n {
			if err := do(block[:size:size]); err != nil {
				return blame(c.shape, at, err)
			}
			block = block[size:]
			at++
		}
		return nil
	})
}

// An elementError says which element is to blame.
type elementError struct {
	index string
	err   error
}

func (e *elementError) Error() string { return "convert: element " + e.index + ": " + e.err.Error() }
func (e *elementError) Unwrap() error { return e.err }

// blame says that an element is to blame for an error, unless none is.
func blame(shape []int, at int, err error) error {
	if _, ok := err.(*writeError); ok {
		return err
	}
	return &elementError{indexString(shape, at), err}
}

// eachObjectItem is eachItem for elements with objects in them, which do not go in blocks.
func eachObjectItem(a *npy.Array, do func(item []byte) error) error {
	shape := a.Shape()
	index := make([]int, len(shape))
	for at := range a.Size() {
		if err := do(a.Item(index...)); err != nil {
			return blame(shape, at, err)
		}
		nextIndex(index, shape)
	}
	return nil
}

// nextIndex steps to the next element in C order.
func nextIndex(index, shape []int) {
	for axis := len(index) - 1; axis >= 0; axis-- {
		if index[axis]++; index[axis] < shape[axis] {
			return
		}
		index[axis] = 0
	}
}

// A writeError is one of the io.Writer, which no element is to blame for.
type writeError struct{ error }

func (e *writeError) Unwrap() error { return e.error }

// eachBlock calls do with runs of elements in C order, sharing the memory of a where it is in that order.
func eachBlock(a *npy.Array, do func(block []byte, n int) error) error {
	if a.Size() == 0 {
		return nil
	}
	if block, ok := a.ViewBytes(); ok {
		return do(block, a.Size())
	}
	row := a.NBytes() / a.Len()
	if row > gatherPiece && a.NDim() > 1 {
		for i := range a.Len() {
			part, err := a.Slice(npy.At(i))
			if err == nil {
				err = eachBlock(part, do)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	step := max(gatherPiece/row, 1) // without bytes it would be in C order
	for i := 0; i < a.Len(); i += step {
		part, err := a.Slice(npy.Span(i, min(i+step, a.Len())))
		if err == nil {
			err = do(part.Bytes(), part.Size())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// indexString returns the index of element number at in C order: [3][1].
func indexString(shape []int, at int) string {
	s := ""
	for axis := len(shape) - 1; axis >= 0; axis-- {
		s = "[" + strconv.Itoa(at%shape[axis]) + "]" + s
		at /= shape[axis]
	}
	return s
}

// checkVolume refuses arrays that claim much more text than there are bytes behind it: a shape can have any number of
// rows if the rows are empty.
func checkVolume(c Content) error {
	bytes := c.size() * c.dtype.ItemSize()
	if limit := elem.MaxVolume(bytes); elem.Volume(c.dtype, c.shape) > limit {
		return fmt.Errorf("convert: %d bytes of elements would become over %d values: %w", bytes, limit, npy.ErrLimit)
	}
	return nil
}
