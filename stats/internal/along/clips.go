package along

import "github.com/npygo/npy/stats/internal/items"

// A clip restricts a walk to some positions of one group.
type clip struct {
	level     int // of the group
	low, high int
}

// spans calls do for the consecutive elements from from to to that the clip leaves. They are given with the sub-block
// that they are in: its groups, which begin with the group of the clip, the element that it begins with, and its first
// result.
func spans(gs []axisGroup, c clip, from, to int, do func(gs []axisGroup, start, cell, from, to int)) {
	spansIn(gs, c, 0, 0, from, to, do)
}

func spansIn(gs []axisGroup, c clip, start, cell, from, to int, do func(gs []axisGroup, start, cell, from, to int)) {
	unit := gs[0].unit
	if c.level == 0 {
		if from, to = max(from, c.low*unit), min(to, c.high*unit); from < to {
			do(gs, start, cell, from, to)
		}
		return
	}
	c.level--
	for i := from / unit; i*unit < to; i++ {
		spansIn(gs[1:], c, start+i*unit, cell+i*gs[0].step, max(from-i*unit, 0), min(to-i*unit, unit), do)
	}
}

// sharedMin is the smallest number of results in a row that are divided among goroutines, and tileCells the largest that one
// goroutine takes at a time, so that their cells stay in the cache for all rows.
const (
	sharedMin = 256
	tileCells = items.Chunk
)

// clips divides the elements from from to to into parts without common results, for a number of goroutines.
func clips(gs []axisGroup, from, to, workers int) []clip {
	level := dividedGroup(gs, workers)
	g := gs[level]
	low, high := 0, g.n
	if level == 0 {
		low, high = from/g.unit, (to+g.unit-1)/g.unit
	}
	part := max(high-low, 1)
	if g.step > 0 {
		part = max((high-low+workers-1)/workers, 1)
	}
	if level == len(gs)-1 && g.step > 0 {
		part = min(part, tileCells)
	}
	var cs []clip
	for ; low < high; low += part {
		cs = append(cs, clip{level, low, min(low+part, high)})
	}
	return cs
}

// dividedGroup returns the group whose positions are divided among goroutines: the first with enough of them, else the
// longest, or the first group if none that has results is long enough.
func dividedGroup(gs []axisGroup, workers int) int {
	best := 0
	for k, g := range gs {
		last := k == len(gs)-1
		switch {
		case g.step == 0 || last && g.n < sharedMin:
		case last && g.n > tileCells, gs[best].step == 0, g.n > gs[best].n && gs[best].n < workers:
			best = k
		}
	}
	return best
}
