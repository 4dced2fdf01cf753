package query

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/rowsource"
)

// A Sample chooses rows at random, without replacement. Every set of rows is as likely as every other. The rows depend on
// the Seed and the numbers of rows alone: they are the same on every machine and for every kind of source.
type Sample struct {
	// N is the number of rows. If there are fewer, all are chosen. It must be 0 if Fraction is set.
	N int

	// Fraction is the part of the rows to choose, from 0 to 1. Their number is rounded to the nearest.
	Fraction float64

	// Seed chooses the rows. The generator is [rand.PCG] with this seed and 0.
	Seed uint64
}

// Rows returns the positions of the chosen rows of n, in order: [npy.Take] reads them.
func (s Sample) Rows(n int) ([]int, error) {
	k := s.N
	switch {
	case n < 0:
		return nil, diag.Errorf("query", "%d rows: want 0 or more", n)
	case s.N < 0:
		return nil, diag.Errorf("query", "a sample of %d rows: want 0 or more", s.N)
	case s.N > 0 && s.Fraction != 0:
		return nil, diag.New("query", "a sample has a number of rows or a fraction, not both")
	case !(s.Fraction >= 0 && s.Fraction <= 1):
		return nil, diag.Errorf("query", "a fraction of %v: want 0 to 1", s.Fraction)
	case s.Fraction > 0:
		k = int(math.RoundToEven(s.Fraction * float64(n)))
	}
	k = min(k, n)
	pcg := rand.NewPCG(s.Seed, 0)
	if k < n/16 {
		return sparse(pcg, n, k), nil
	}
	return dense(pcg, n, k), nil
}

// below returns a random number less than n, as Lemire does. Unlike [rand.Rand.Uint64N] it is the same on 32 bits.
func below(pcg *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(pcg.Uint64(), n)
	for low < n {
		if low >= -n%n {
			break
		}
		high, low = bits.Mul64(pcg.Uint64(), n)
	}
	return high
}

// sparse chooses k of n by Floyd's algorithm.
func sparse(pcg *rand.PCG, n, k int) []int {
	chosen := make(map[int]bool, k)
	rows := make([]int, 0, k)
	for i := n - k; i < n; i++ {
		x := int(below(pcg, uint64(i)+1))
		if chosen[x] {
			x = i
		}
		chosen[x] = true
		rows = append(rows, x)
	}
	slices.Sort(rows)
	return rows
}

// dense chooses k of n by going through all, Knuth's algorithm S.
func dense(pcg *rand.PCG, n, k int) []int {
	rows := make([]int, 0, k)
	for i := 0; len(rows) < k; i++ {
		if below(pcg, uint64(n-i)) < uint64(k-len(rows)) {
			rows = append(rows, i)
		}
	}
	return rows
}

// Of returns the chosen rows of src, in their order. Of a file only they are read; a source that can be read once is read
// to its end.
func (s Sample) Of(ctx context.Context, src npy.Source) (*npy.Array, error) {
	shape := src.Shape()
	if len(shape) == 0 {
		return nil, diag.New("query", "an array without dimensions has no rows")
	}
	rows, err := s.Rows(shape[0])
	if err != nil {
		return nil, err
	}
	if !npy.IsOnePass(src) || src.DType().HasObject() {
		return npy.Take(ctx, src, rows)
	}
	_, size, err := rowsource.Shape(src)
	if err != nil {
		return nil, err
	}
	var data []byte
	first, next := 0, 0 // the first row of the block, and the next of rows
	for block, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if size == 0 {
			break
		}
		bytes, _ := block.ViewBytes() // blocks are in C order
		n := len(bytes) / size
		for ; next < len(rows) && rows[next] < first+n; next++ {
			at := (rows[next] - first) * size
			data = append(data, bytes[at:at+size]...)
		}
		first += n
	}
	shape[0] = len(rows)
	return npy.FromBytes(src.DType(), data, shape...)
}
