package keys

import (
	"math"

	"github.com/npygo/npy/stats/internal/items"
)

// OfFloat returns the key of a number that is not NaN.
func OfFloat(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits&items.TopBit != 0 {
		return ^bits
	}
	return bits | items.TopBit
}

// FloatOf returns the number of a key.
func FloatOf(key uint64) float64 {
	if key&items.TopBit != 0 {
		return math.Float64frombits(key &^ items.TopBit)
	}
	return math.Float64frombits(^key)
}

// between is NumPy's _lerp, exact at both ends.
func between(a, b, t float64) float64 {
	switch {
	case t == 0 || a == b:
		return a
	case t >= 0.5:
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}
