package pictures

import (
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/dtype"
)

// The colours of elements on a terminal.
const (
	nanColor  = "\x1b[35m"
	infColor  = "\x1b[33m"
	minColor  = "\x1b[34m"
	maxColor  = "\x1b[31m"
	plainText = "\x1b[0m"
)

// extremesMax is the largest number of elements whose extremes are marked. They are not noticed in a longer output.
const extremesMax = 1 << 20

// Highlights returns the colours for NaN, NaT, infinities, and the least and the greatest element of an array of
// numbers.
func Highlights(a *npy.Array) func(dtype.Type, []byte) (before, behind string) {
	low, high := math.NaN(), math.NaN()
	if numbers.Numeric(a.DType()) && a.DType().Kind() != dtype.KindBool && a.Size() <= extremesMax {
		values, _ := numbers.Of(a) // numbers give no error
		low, high = Limits{}.of(values, false, false)
	}
	readers := map[dtype.Type]func(*npy.Array) ([]float64, error){}
	return func(t dtype.Type, item []byte) (before, behind string) {
		read, ok := readers[t]
		if !ok {
			read = numbers.Reader(t)
			readers[t] = read
		}
		if read == nil {
			return "", ""
		}
		one, err := npy.FromBytes(t, item, []int{}...)
		if err != nil {
			return "", ""
		}
		values, err := read(one)
		if err != nil {
			return "", ""
		}
		if c := colorOf(values[0], low, high); c != "" {
			return c, plainText
		}
		return "", ""
	}
}

// colorOf returns the colour of a number, or "" for the colour of other text.
func colorOf(x, low, high float64) string {
	switch {
	case x != x:
		return nanColor
	case math.IsInf(x, 0):
		return infColor
	case low == high:
		return ""
	case x == low:
		return minColor
	case x == high:
		return maxColor
	}
	return ""
}
