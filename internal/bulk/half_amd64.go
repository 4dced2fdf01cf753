//go:build !purego

package bulk

import "golang.org/x/sys/cpu"

// hasF16C reports whether the processor converts float16s and the operating system saves the registers that it uses.
// Package cpu knows F16C only from a version on that needs Go 1.26.
var hasF16C = cpu.X86.HasAVX && features()>>29&1 != 0

// features returns register ECX of CPUID leaf 1.
func features() uint32

// halfCall is the most numbers converted in one call, during which the goroutine cannot be preempted.
const halfCall = 1 << 14

func widenHalves(dst []float32, src []uint16) int {
	done := 0
	for hasF16C && done < len(src) {
		n := min(len(src)-done, halfCall)
		k := widenF16C(&dst[done], &src[done], n) // both slices have n elements from done on
		if done += k; k < n {
			break
		}
	}
	return done
}

func narrowHalves(dst []uint16, src []float32) int {
	done := 0
	for hasF16C && done < len(src) {
		n := min(len(src)-done, halfCall)
		k := narrowF16C(&dst[done], &src[done], n) // as in widenHalves
		if done += k; k < n {
			break
		}
	}
	return done
}

// widenF16C converts n numbers, sixteen at a time, as long as none is a NaN, and returns how many it has done.
//
//go:noescape
func widenF16C(dst *float32, src *uint16, n int) int

// narrowF16C is the reverse of widenF16C.
//
//go:noescape
func narrowF16C(dst *uint16, src *float32, n int) int
