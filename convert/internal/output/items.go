package output

import (
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

// EachItem calls do with the bytes of every element in C order. Errors of do get the index of the element.
func EachItem(c Content, do func(item []byte) error) error {
	if c.DType.HasObject() {
		return eachObjectItem(c.Array, do)
	}
	size, at := c.DType.ItemSize(), 0
	return c.Blocks(func(block []byte, n int) error {
		for range n {
			if err := do(block[:size:size]); err != nil {
				return blame(c.Shape, at, err)
			}
			block = block[size:]
			at++
		}
		return nil
	})
}

// An ElementError names the element that caused an error.
type ElementError struct {
	index string
	Err   error
}

// Error returns one line with the index.
func (e *ElementError) Error() string { return "convert: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *ElementError) Fault(_ string) string { return "element " + e.index + ": " + e.Err.Error() }

// Unwrap returns the error without the index.
func (e *ElementError) Unwrap() error { return e.Err }

// blame adds the index of an element to its error, unless the error is not about an element.
func blame(shape []int, at int, err error) error {
	if _, ok := err.(*writeError); ok {
		return err
	}
	return &ElementError{indexString(shape, at), err}
}

// eachObjectItem is EachItem for elements that contain objects, which cannot be read in blocks.
func eachObjectItem(a *npy.Array, do func(item []byte) error) error {
	shape := a.Shape()
	index := make([]int, len(shape))
	for at := range a.Size() {
		if err := do(a.Item(index...)); err != nil {
			return blame(shape, at, err)
		}
		plain.NextIndex(index, shape)
	}
	return nil
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
func checkVolume(c Content) error {
	bytes := c.Size() * c.DType.ItemSize()
	if limit := elem.MaxVolume(bytes); elem.Volume(c.DType, c.Shape) > limit {
		return diag.Wrap("convert", bounded.Over("", 0, 0, "%d bytes of elements would become over %d values", bytes, limit))
	}
	return nil
}
