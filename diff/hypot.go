package diff

import "math"

// hypot returns the square root of x*x + y*y. The result is the nearest float64, except that 6 in 1,000 results are
// adjacent to it. math.Hypot is off by one for 350 in 1,000. With math.Hypot, the largest of several nearly equal
// differences would not be the one that NumPy finds. The correction is from Borges, "An Improved Algorithm for
// hypot(a,b)", which glibc has had since 2.35. The conversions keep the compiler from fusing operations, which would
// make the result depend on the machine.
func hypot(x, y float64) float64 {
	const (
		scale = 0x1p-600
		large = 0x1p+511
		tiny  = 0x1p-459
		eps   = 0x1p-54
	)
	big, small := math.Abs(x), math.Abs(y)
	if big < small {
		big, small = small, big
	}
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	case math.IsNaN(x) || math.IsNaN(y):
		return math.NaN()
	case small <= big*eps:
		return big + small
	case big > large:
		return corrected(big*scale, small*scale) / scale
	case small < tiny:
		return corrected(big/scale, small/scale) * scale
	}
	return corrected(big, small)
}

// corrected is hypot for two positive numbers, larger first, whose squares are normal numbers.
func corrected(big, small float64) float64 {
	h := math.Sqrt(float64(big*big) + float64(small*small))
	var t1, t2 float64
	if h <= 2*small {
		delta := h - small
		t1 = float64(big * (2*delta - big))
		t2 = float64((delta - 2*(big-small)) * delta)
	} else {
		delta := h - big
		t1 = float64(2 * delta * (big - 2*small))
		t2 = float64(float64((4*delta-small)*small) + float64(delta*delta))
	}
	return h - (t1+t2)/(2*h)
}
