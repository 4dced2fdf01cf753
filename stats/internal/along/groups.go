package along

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

// copiesIn calls do for the results of the elements from from to to of a sub-block that is there so many times: for cells from
// cell on, step apart, each of which has n of them.
func copiesIn(gs []axisGroup, cell, from, to int, times int64, do func(cell, step, cells int, n int64)) {
	g := gs[0]
	switch {
	case from >= to:
		return
	case len(gs) == 1 && g.step == 0:
		do(cell, 0, 1, int64(to-from)*times)
		return
	case len(gs) == 1:
		do(cell+from*g.step, g.step, to-from, times)
		return
	}
	if i := from / g.unit; from%g.unit > 0 || to < (i+1)*g.unit { // part of a sub-block
		end := min(to, (i+1)*g.unit)
		copiesIn(gs[1:], cell+i*g.step, from-i*g.unit, end-i*g.unit, times, do)
		from = end
	}
	first, last := from/g.unit, to/g.unit
	if g.step == 0 && first < last {
		copiesIn(gs[1:], cell, 0, g.unit, times*int64(last-first), do)
	}
	for i := first; g.step > 0 && i < last; i++ {
		copiesIn(gs[1:], cell+i*g.step, 0, g.unit, times, do)
	}
	if last*g.unit >= from && last*g.unit < to {
		copiesIn(gs[1:], cell+last*g.step, 0, to-last*g.unit, times, do)
	}
}
