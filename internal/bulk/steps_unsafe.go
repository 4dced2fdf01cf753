//go:build !purego

package bulk

import "unsafe"

// copySteps copies elements along an axis. The caller has checked that they lie within both slices.
func copySteps[T any](dst []T, d int, src []T, s int, a axis) {
	size := int(unsafe.Sizeof(*new(T)))
	moveAs[T](unsafe.Pointer(&dst[d]), unsafe.Pointer(&src[s]), a.n, a.dst*size, a.src*size)
}

// copyItems is copySteps for runs of 2, 4, 8 or 16 elements.
func copyItems[T any](dst []T, d int, src []T, s int, a axis, n int) {
	size := int(unsafe.Sizeof(*new(T)))
	to, from, dx, sx := unsafe.Pointer(&dst[d]), unsafe.Pointer(&src[s]), a.dst*size, a.src*size
	switch n {
	case 2:
		moveAs[[2]T](to, from, a.n, dx, sx)
	case 4:
		moveAs[[4]T](to, from, a.n, dx, sx)
	case 8:
		moveAs[[8]T](to, from, a.n, dx, sx)
	case 16:
		moveAs[[16]T](to, from, a.n, dx, sx)
	}
}
