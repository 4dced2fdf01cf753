package convert

import (
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
)

// eachItem calls do with the bytes of every element in C order. Errors of do get the index of the element.
func eachItem(c content, do func(item []byte) error) error {
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

// An elementError names the element that caused an error.
type elementError struct {
	index string
	err   error
}

func (e *elementError) Error() string { return "convert: element " + e.index + ": " + e.err.Error() }
func (e *elementError) Unwrap() error { return e.err }

// blame adds the index of an element to its error, unless the error is not about an element.
func blame(shape []int, at int, err error) error {
	if _, ok := err.(*writeError); ok {
		return err
	}
	return &elementError{indexString(shape, at), err}
}

// eachObjectItem is eachItem for elements that contain objects, which cannot be read in blocks.
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

// nextIndex advances to the next element in C order.
func nextIndex(index, shape []int) {
	for axis := len(index) - 1; axis >= 0; axis-- {
		if index[axis]++; index[axis] < shape[axis] {
			return
		}
		index[axis] = 0
	}
}

// A writeError is an error of the io.Writer, which no element caused.
type writeError struct{ error }

func (e *writeError) Unwrap() error { return e.error }

// indexString returns the index of element number at in C order: [3][1].
func indexString(shape []int, at int) string {
	s := ""
	for axis := len(shape) - 1; axis >= 0; axis-- {
		s = "[" + strconv.Itoa(at%shape[axis]) + "]" + s
		at /= shape[axis]
	}
	return s
}

// checkVolume rejects arrays whose text would be much longer than their bytes: a shape can have any number of rows if
// the rows are empty.
func checkVolume(c content) error {
	bytes := c.size() * c.dtype.ItemSize()
	if limit := elem.MaxVolume(bytes); elem.Volume(c.dtype, c.shape) > limit {
		return bounded.Over("", 0, 0, "convert: %d bytes of elements would become over %d values", bytes, limit)
	}
	return nil
}
