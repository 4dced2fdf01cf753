// Package bounded limits memory and arithmetic for sizes from untrusted input: it multiplies with overflow checks, and
// reads with allocations that stay within a small multiple of the data that has arrived.
package bounded

import (
	"fmt"
	"io"
	"math"
	"math/bits"
)

// An integer is a number of bytes, elements or other things that are counted.
type integer interface{ ~int | ~int64 | ~uint64 }

// Over returns the [*Error] for a limit called name, of value most, that got went over. got is 0 if counting stopped at
// the limit. The text says which value went over it.
func Over[M, G integer](name string, most M, got G, format string, args ...any) error {
	return &Error{Name: name, Limit: int64(most), Got: int64(got), What: fmt.Sprintf(format, args...)}
}

// The values that data may expand to which is compressed.
const (
	freeValues   = 4 << 20 // however well it is compressed
	packedValues = 8       // for each compressed byte
)

// Values returns how many values may come from compressed bytes: some for each of them, many for a few of them, and at most most.
func Values(compressed int64, most int) int {
	return min(most, max(freeValues, int(min(compressed, int64(most)/packedValues))*packedValues))
}

// First is the most bytes to allocate before any data has arrived.
const First = 1 << 20

// Growth is the largest ratio of a new buffer to the data that has arrived. The next to last step copies an eighth of
// the data, so in total at most 1.15 times the data is copied, in 1.125 times the memory.
const Growth = 8

// Mul returns a*b for a and b that are not negative. It returns false if the product does not fit an int.
func Mul(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(a), uint(b))
	return int(lo), hi == 0 && lo <= math.MaxInt
}

// Count returns the number of elements of an array. It returns false if the array cannot exist: the product of the
// dimensions and the item size must fit an int. As in NumPy, a dimension of 0 counts as 1 in this check, so that
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

// Sizes returns the successive buffer sizes for n announced units: the first size is at most first, each further size
// is at most eight times its predecessor, and the last is n.
func Sizes(n, first int) []int {
	if n <= first {
		return []int{n}
	}
	return append(Sizes((n-1)/Growth+1, first), n) // rounded up without overflow
}

// ReadAll reads exactly n bytes. If the source ends early it returns the bytes read and io.ErrUnexpectedEOF, even after
// 0 bytes.
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
