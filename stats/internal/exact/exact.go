package exact

import (
	"math/big"
	"math/bits"

	"github.com/npygo/npy/dtype"
)

const topBit = 1 << 63

// Big returns the number that words represent, low word first.
func Big(words []uint64, signed bool) *big.Int {
	x := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(words[i]))
	}
	if signed && words[len(words)-1]&topBit != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(64*len(words))))
	}
	return x
}

// Extreme returns the smallest or largest of some integers. The top bit of uint64 is flipped in x, so that they compare as int64 do.
func Extreme(t dtype.Type, x int64) *big.Int {
	if t.Kind() == dtype.KindUint && t.ItemSize() == 8 {
		return new(big.Int).SetUint64(uint64(x) ^ topBit)
	}
	return big.NewInt(x)
}

// IsSum reports whether n numbers between two can have a sum.
func IsSum(sum *big.Int, n int64, low, high *big.Int) bool {
	times := big.NewInt(n)
	return sum.Cmp(new(big.Int).Mul(low, times)) >= 0 && sum.Cmp(new(big.Int).Mul(high, times)) <= 0
}

// AreSquares reports whether the squares of n numbers with a sum can have a sum of squares: the variance is not negative.
func AreSquares(squares *big.Int, n int64, sum *big.Int) bool {
	return new(big.Int).Mul(squares, big.NewInt(n)).Cmp(new(big.Int).Mul(sum, sum)) >= 0
}

// MeanTicks returns sum/n, as numpy.mean rounds it: of timedelta64 towards zero, of datetime64 down.
func MeanTicks(t dtype.Type, sum [2]uint64, n int64) int64 {
	negative := sum[1]&topBit != 0
	if negative {
		var borrow uint64
		sum[0], borrow = bits.Sub64(0, sum[0], 0)
		sum[1], _ = bits.Sub64(0, sum[1], borrow)
	}
	q, rest := bits.Div64(sum[1], sum[0], uint64(n)) // the mean fits, since every term does
	if !negative {
		return int64(q)
	}
	if rest > 0 && t.Kind() == dtype.KindDatetime {
		q++
	}
	return -int64(q)
}

// MeanStd returns sum/n and √(n·Σx² - (Σx)²) / n, rounded once.
func MeanStd(sum, squares *big.Int, n int64) (mean, std float64) {
	times := big.NewInt(n)
	mean, _ = new(big.Rat).SetFrac(sum, times).Float64()
	v := new(big.Int).Mul(times, squares)
	return mean, rootOver(v.Sub(v, new(big.Int).Mul(sum, sum)), times)
}

// rootOver returns the float64 nearest to √v / n. v must not be negative, n must be positive. Taking the square root of
// a rounded quotient would round twice.
func rootOver(v, n *big.Int) float64 {
	const bits = 64                                       // of the quotient at least: the 53 of a float64, and more to decide ties
	shift := uint(max(0, bits+n.BitLen()-v.BitLen()/2+1)) // of the square root
	scaled := new(big.Int).Lsh(v, 2*shift)
	q := new(big.Int).Sqrt(scaled)
	q.Quo(q, n) // rounded down, as if the square root had not been rounded
	back := new(big.Int).Mul(q, n)
	q.Lsh(q, 1)
	if back.Mul(back, back).Cmp(scaled) != 0 {
		q.SetBit(q, 0, 1) // the exact result is above
	}
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(q), -int(shift)-1).Float64()
	return f
}
