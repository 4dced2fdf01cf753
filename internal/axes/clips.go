package axes

import (
	"context"

	"github.com/npygo/npy/internal/par"
)

// Each calls do for the elements from from to to, on a number of goroutines, numbered from 0. They are given as consecutive elements
// with the sub-block that they are in: its groups, the element that it begins with, and its first result. Each returns an error only
// if the context ends.
func (gs Groups) Each(ctx context.Context, from, to, workers int, do func(w int, gs Groups, start, cell, from, to int)) error {
	return gs.divide(ctx, from, to, workers, func(w int, c clip) {
		spans(gs, c, from, to, func(gs Groups, start, cell, from, to int) { do(w, gs, start, cell, from, to) })
	})
}

// divide calls do for parts of the elements from from to to that have no result in common, on a number of goroutines.
func (gs Groups) divide(ctx context.Context, from, to, workers int, do func(w int, c clip)) error {
	parts := clips(gs, from, to, workers)
	return par.Each(ctx, len(parts), workers, func(w, i int) error {
		do(w, parts[i])
		return nil
	})
}

// A clip restricts a walk to some positions of one group.
type clip struct {
	level     int // of the group
	low, high int
}

// spans calls do for the consecutive elements from from to to that the clip leaves. They are given with the sub-block
// that they are in: its groups, which begin with the group of the clip, the element that it begins with, and its first
// result.
func spans(gs Groups, c clip, from, to int, do func(gs Groups, start, cell, from, to int)) {
	spansIn(gs, c, 0, 0, from, to, do)
}

func spansIn(gs Groups, c clip, start, cell, from, to int, do func(gs Groups, start, cell, from, to int)) {
	unit := gs[0].Unit
	if c.level == 0 {
		if from, to = max(from, c.low*unit), min(to, c.high*unit); from < to {
			do(gs, start, cell, from, to)
		}
		return
	}
	c.level--
	for i := from / unit; i*unit < to; i++ {
		spansIn(gs[1:], c, start+i*unit, cell+i*gs[0].Step, max(from-i*unit, 0), min(to-i*unit, unit), do)
	}
}

// sharedMin is the smallest number of results in a row that are divided among goroutines, and tileCells the largest that one
// goroutine takes at a time, so that their cells stay in the cache for all rows.
const (
	sharedMin = 256
	tileCells = 2048
)

// clips divides the elements from from to to into parts without common results, for a number of goroutines.
func clips(gs Groups, from, to, workers int) []clip {
	level := dividedGroup(gs, workers)
	g := gs[level]
	low, high := 0, g.N
	if level == 0 {
		low, high = from/g.Unit, (to+g.Unit-1)/g.Unit
	}
	part := max(high-low, 1)
	if g.Step > 0 {
		part = max((high-low+workers-1)/workers, 1)
	}
	if level == len(gs)-1 && g.Step > 0 {
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
func dividedGroup(gs Groups, workers int) int {
	best := 0
	for k, g := range gs {
		last := k == len(gs)-1
		switch {
		case g.Step == 0 || last && g.N < sharedMin:
		case last && g.N > tileCells, gs[best].Step == 0, g.N > gs[best].N && gs[best].N < workers:
			best = k
		}
	}
	return best
}
