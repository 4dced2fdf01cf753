package expression

import (
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// The quick way to the parts of a time gives what package scalar gives.
func TestQuickCalendar(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	for unit := dtype.Year; unit <= dtype.Attosecond; unit++ {
		step := dtype.Step{Num: 1, Unit: unit}
		perDay := ticksOfDay(step)
		if perDay == 0 {
			continue
		}
		ticks := []int64{0, -1, 1, perDay, -perDay, perDay - 1, -perDay - 1, quickTicks - 1, 1 - quickTicks}
		for range 3000 {
			ticks = append(ticks, int64(r.Uint64())>>r.IntN(63))
		}
		for _, n := range ticks {
			if n <= -quickTicks || n >= quickTicks {
				continue
			}
			civil, ok := scalar.Datetime64{Ticks: n}.Civil(step)
			for name, part := range calendarParts {
				if got, want := part.quick(splitDay(n, perDay)), part.of(civil); !ok || got != want {
					t.Fatalf("%s of %d %s is %v, want %v", name, n, unit, got, want)
				}
			}
		}
	}
	for _, step := range []dtype.Step{{Num: 2, Unit: dtype.Day}, {Num: 1, Unit: dtype.Week}, {Num: 1, Unit: dtype.Picosecond}} {
		if ticksOfDay(step) != 0 {
			t.Errorf("%v has the quick way", step)
		}
	}
}
