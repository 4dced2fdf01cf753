//go:build purego

package bulk

func copySteps[T any](dst []T, d int, src []T, s int, a axis) { copyStepsPlain(dst, d, src, s, a) }

func copyItems[T any](dst []T, d int, src []T, s int, a axis, n int) {
	copyItemsPlain(dst, d, src, s, a, n)
}
