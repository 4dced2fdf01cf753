package along

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/npygo/npy/stats/internal/exact"
	"github.com/npygo/npy/stats/internal/items"
	"github.com/npygo/npy/stats/internal/state"
)

func (c *intCells) appendTo(dst []byte, _ int64) []byte {
	for i := range c.missing.cells {
		dst = state.AppendCounts(dst, c.missing.of(i))
		if c.extremes.min != nil {
			dst = binary.AppendVarint(dst, c.extremes.min[i])
		}
		if c.extremes.max != nil {
			dst = binary.AppendVarint(dst, c.extremes.max[i])
		}
		if c.sums != nil {
			dst = state.AppendUints(dst, c.sums[i][:]...)
		}
		if c.squares != nil {
			dst = state.AppendUints(dst, c.squares[i][:]...)
		}
	}
	return dst
}

// parse checks sums as tally.Total.Parse does, with the extremes of 64 bits.
func (c *intCells) parse(r *state.Reader, n int64) {
	low, high := big.NewInt(math.MinInt64+1), new(big.Int).SetUint64(math.MaxUint64)
	if items.HasTicks(c.t) {
		high.SetInt64(math.MaxInt64)
	} else {
		low.SetInt64(math.MinInt64)
	}
	for i := range c.missing.cells {
		if c.missing.add(i, r.Count(n)); !items.HasTicks(c.t) {
			r.Check(c.missing.of(i) == 0)
		}
		if c.extremes.min != nil {
			c.extremes.min[i] = r.Int()
		}
		if c.extremes.max != nil {
			c.extremes.max[i] = r.Int()
		}
		n := n - c.missing.of(i)
		var sum *big.Int
		if c.sums != nil {
			r.Uints(c.sums[i][:])
			sum = exact.Big(c.sums[i][:], true)
			r.Check(exact.IsSum(sum, n, low, high))
		}
		if c.squares != nil {
			r.Uints(c.squares[i][:])
			squares := exact.Big(c.squares[i][:], false)
			r.Check(squares.BitLen() <= 190 && exact.AreSquares(squares, n, sum))
		}
		if r.Bad() {
			return
		}
	}
}
