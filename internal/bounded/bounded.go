// Package bounded holds what keeps memory and arithmetic in hand when numbers come from a stranger's file: checked
// multiplication, and reading that allocates only as much as a small multiple of what has arrived.
package bounded

import (
	"errors"
	"io"
	"math"
	"math/bits"
)

// ErrLimit is wrapped by every error of a guard that said stop.
var ErrLimit = errors.New("limit exceeded")

// First is the number of bytes to allocate at most before a single one has arrived.
const First = 1 << 20

// growth is how many times more than what has arrived may be allocated. The last step but one copies an eighth of
// the data, so the whole costs at most 1.15 copies and 1.125 times the memory.
const growth = 8

// Mul returns a*b for numbers that are not negative, and false if the product does not fit an int.
func Mul(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(a), uint(b))
	return int(lo), hi == 0 && lo <= math.MaxInt
}

// Count returns the number of elements of an array, and false if the array cannot exist: the product of the
// dimensions and the item size must fit an int. As in NumPy a dimension of 0 counts as 1 in that check, so that
// strides cannot overflow either.
func Count(shape []int, itemSize int) (int, bool) {
	size, count := max(itemSize, 1), 1
	for _, n := range shape {
		ok := true
		if size, ok = Mul(size, max(n, 1)); !ok {
			return 0, false
		}
		count *= n
	}
	return count, true
}

// Sizes returns the buffer sizes to go through when n units are announced and none has been seen: the first is at
// most first, each further one at most eight times its predecessor, the last is n.
func Sizes(n, first int) []int {
	if n <= first {
		return []int{n}
	}
	return append(Sizes((n-1)/growth+1, first), n) // rounded up without overflow
}

// ReadAll reads exactly n bytes. Where the source ends early it returns what there was and io.ErrUnexpectedEOF, even
// if there was nothing.
func ReadAll(r io.Reader, n int) ([]byte, error) {
	var data []byte
	have := 0
	for _, size := range Sizes(n, First) {
		grown := make([]byte, size)
		copy(grown, data[:have])
		data = grown
		m, err := ReadFull(r, data[have:])
		have += m
		if err == io.EOF && have < n {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && have < size {
			return data[:have], err
		}
	}
	return data, nil
}
