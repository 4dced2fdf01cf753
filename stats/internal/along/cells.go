package along

import (
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/state"
	"github.com/npygo/npy/stats/internal/tally"
)

// cells holds the summaries of the elements of each result. Several goroutines may add to cells, each to its own.
type cells interface {
	// grow makes cells, up to n of most.
	grow(n, most int)
	// read returns items as numbers, which are valid until the next call with the same memory.
	read(s *items.Scratch, data []byte) numbers
	// add adds numbers to the cells i, i+step, i+2·step and so on. A step of 0 adds all to one cell.
	add(i, step int, xs numbers)
	// tally adds the summary of some elements to a cell.
	tally(i int, t *tally.Tally)
	// merge adds other cells of the same kind. Each has n elements, and each of the others on.
	merge(other cells, n, on int64)
	// appendTo appends the cells, each of n elements, as bytes.
	appendTo(dst []byte, n int64) []byte
	// parse reads the bytes of appendTo into as many cells.
	parse(r *state.Reader, n int64)
	// axis returns the results, each of n elements.
	axis(shape []int, n int64) (Axis, error)
}

// numbers are elements: floats, or integers and times, the bits of uint64 among them.
type numbers struct {
	floats []float64
	ints   []int64
}

func (xs numbers) part(low, high int) numbers {
	if xs.floats != nil {
		return numbers{floats: xs.floats[low:high]}
	}
	return numbers{ints: xs.ints[low:high]}
}
