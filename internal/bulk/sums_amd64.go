//go:build !purego

package bulk

import "golang.org/x/sys/cpu"

// sumCall is the most numbers added in one call, during which the goroutine cannot be preempted.
const sumCall = 1 << 14

func (s *Sums) addQuick(xs []float64) int {
	done := 0
	for cpu.X86.HasAVX2 && len(xs)-done >= 4 {
		n := min(len(xs)-done, sumCall) &^ 3
		sumAVX2(s, &xs[done], n)
		done += n
	}
	return done
}

func (d *Deviations) addQuick(xs []float64, mean float64) int {
	done := 0
	for cpu.X86.HasAVX2 && len(xs)-done >= 4 {
		n := min(len(xs)-done, sumCall) &^ 3
		deviateAVX2(d, &xs[done], n, mean)
		done += n
	}
	return done
}

// sumAVX2 adds n numbers, a multiple of four and not none.
//
//go:noescape
func sumAVX2(s *Sums, xs *float64, n int)

// deviateAVX2 adds the deviations of n numbers, a multiple of four and not none.
//
//go:noescape
func deviateAVX2(d *Deviations, xs *float64, n int, mean float64)
