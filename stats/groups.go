package stats

// Seen by the axes that are summarised, an array in C order has groups of axes: all axes of a group are summarised, or
// none is. The elements of an array of the shape (2, 3, 4, 5) summarised along axes 1 and 2 have the groups 2, 12 and 5,
// and each of 2·5 results has 12 elements.

// An axisGroup is consecutive axes taken as one. Sub-blocks are the parts of the array for one position of the group.
type axisGroup struct {
	n    int // positions
	unit int // elements of a sub-block
	step int // results from one position to the next; 0 if the axes are summarised
}

// groupsOf returns the groups of an array, the first of which varies slowest. An array without axes has one group of one
// position.
func groupsOf(shape []int, along []bool) []axisGroup {
	var gs []axisGroup
	for i, n := range shape {
		if n == 1 {
			continue
		}
		step := 1
		if along[i] {
			step = 0
		}
		if k := len(gs) - 1; k >= 0 && gs[k].step == step {
			gs[k].n *= n
		} else {
			gs = append(gs, axisGroup{n: n, step: step})
		}
	}
	if len(gs) == 0 {
		gs = []axisGroup{{n: 1}}
	}
	unit, results := 1, 1
	for k := len(gs) - 1; k >= 0; k-- {
		g := &gs[k]
		g.unit, g.step = unit, g.step*results
		if unit *= g.n; g.step > 0 {
			results *= g.n
		}
	}
	return gs
}

// reach returns the number of results that have elements among the first n of a sub-block.
func reach(gs []axisGroup, n int) int {
	if n == 0 || len(gs) == 0 {
		return min(n, 1)
	}
	g := gs[0]
	if g.step == 0 {
		return reach(gs[1:], min(n, g.unit))
	}
	return n/g.unit*g.step + reach(gs[1:], n%g.unit)
}

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

// runs calls do for the runs of elements from from to to of a sub-block: elements that differ in the last group alone.
// Their results are step apart. start is the element before the first of the sub-block.
func runs(gs []axisGroup, start, cell, from, to int, do func(cell, step, from, to int)) {
	g := gs[0]
	if len(gs) == 1 {
		do(cell+from*g.step, g.step, start+from, start+to)
		return
	}
	for i := from / g.unit; i*g.unit < to; i++ {
		at := i * g.unit
		runs(gs[1:], start+at, cell+i*g.step, max(from-at, 0), min(to-at, g.unit), do)
	}
}

// sharedMin is the smallest number of results in a row that are divided among goroutines, and tileCells the largest that one
// goroutine takes at a time, so that their cells stay in the cache for all rows.
const (
	sharedMin = 256
	tileCells = chunkItems
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
