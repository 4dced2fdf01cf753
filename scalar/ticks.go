package scalar

import (
	"cmp"

	"github.com/npygo/npy/internal/bulk"
)

// Times are counts, which these functions give and take as int64.

// A Tick is a type that counts ticks.
type Tick interface {
	Datetime64 | Timedelta64
	IsNaT() bool
}

// count is the memory of every Tick, to which they convert.
type count = struct{ Ticks int64 }

// Ticks returns the counts of times, for computing with them. The result shares the memory of times, unless the program
// is built with the tag purego, which makes it a copy. [NaT] is a count like others.
func Ticks[T Tick](times []T) []int64 {
	if ticks, ok := bulk.Recast[int64](times); ok {
		return ticks
	}
	ticks := make([]int64, len(times))
	for i, t := range times {
		ticks[i] = count(t).Ticks
	}
	return ticks
}

// Datetime64s returns times with these counts, the reverse of [Ticks]. The times of a slice, as in
// Datetime64s(ticks...), share its memory unless the program is built with the tag purego.
func Datetime64s(ticks ...int64) []Datetime64 { return fromTicks[Datetime64](ticks) }

// Timedelta64s is [Datetime64s] for durations.
func Timedelta64s(ticks ...int64) []Timedelta64 { return fromTicks[Timedelta64](ticks) }

func fromTicks[T Tick](ticks []int64) []T {
	if times, ok := bulk.Recast[T](ticks); ok {
		return times
	}
	times := make([]T, len(ticks))
	for i, n := range ticks {
		times[i] = T(count{n})
	}
	return times
}

// Compare returns -1 if t is before u, 1 if it is after u, and 0 if they are equal. Both must count the same step. NaT
// is after all other times and equal to itself, as in numpy.sort.
func (t Datetime64) Compare(u Datetime64) int { return compareTicks(t.Ticks, u.Ticks) }

// Compare returns -1 if d is less than e, 1 if it is greater, and 0 if they are equal. Both must count the same step.
// NaT is greater than all other durations and equal to itself, as in numpy.sort.
func (d Timedelta64) Compare(e Timedelta64) int { return compareTicks(d.Ticks, e.Ticks) }

// compareTicks makes the count of NaT, the smallest, the largest: one less than it is the largest number.
func compareTicks(x, y int64) int { return cmp.Compare(uint64(x-NaT-1), uint64(y-NaT-1)) }

// String returns the number of ticks, or NaT. The length of a tick is part of the dtype; [Datetime64.Format] includes
// the unit.
func (t Datetime64) String() string { return string(appendCount(nil, t.Ticks)) }

// String returns the number of ticks, or NaT. The length of a tick is part of the dtype; [Timedelta64.Format] includes
// the unit.
func (d Timedelta64) String() string { return string(appendCount(nil, d.Ticks)) }
