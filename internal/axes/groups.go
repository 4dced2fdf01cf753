// Package axes tells which result each element of an array belongs to where the array is reduced along some of its axes, and divides
// the results among goroutines. So each result belongs to one goroutine, which adds to it in the order of the elements, and none
// depends on the number of goroutines.
//
// Neighbouring axes that are all reduced or all kept count as one (groups.go). clips.go divides the results, and blocks.go gives the
// elements of each part as matrices.
package axes

// The axes of an array in C order form groups: all axes of a group are reduced, or none is. The elements of an array of the shape (2, 3, 4, 5) reduced along axes 1 and 2 have the groups 2, 12 and 5,
// and each of 2·5 results has 12 elements.

// A Group is consecutive axes taken as one. Sub-blocks are the parts of the array for one position of the group.
type Group struct {
	N    int // positions
	Unit int // elements of a sub-block
	Step int // results from one position to the next; 0 if the axes are reduced
}

// Groups are the groups of axes of an array, or of a sub-block. The position in the first changes most slowly.
type Groups []Group

// Of returns the groups of an array. reduced says which of its axes are. An array without axes has one group with one position.
func Of(shape []int, reduced []bool) Groups {
	var gs Groups
	for i, n := range shape {
		if n == 1 {
			continue
		}
		step := 1
		if reduced[i] {
			step = 0
		}
		if k := len(gs) - 1; k >= 0 && gs[k].Step == step {
			gs[k].N *= n
		} else {
			gs = append(gs, Group{N: n, Step: step})
		}
	}
	if len(gs) == 0 {
		gs = Groups{{N: 1}}
	}
	unit, results := 1, 1
	for k := len(gs) - 1; k >= 0; k-- {
		g := &gs[k]
		g.Unit, g.Step = unit, g.Step*results
		if unit *= g.N; g.Step > 0 {
			results *= g.N
		}
	}
	return gs
}

// Reach returns the number of results that have elements among the first n of a sub-block.
func (gs Groups) Reach(n int) int {
	if n == 0 || len(gs) == 0 {
		return min(n, 1)
	}
	g := gs[0]
	if g.Step == 0 {
		return gs[1:].Reach(min(n, g.Unit))
	}
	return n/g.Unit*g.Step + gs[1:].Reach(n%g.Unit)
}

// Runs calls do for the runs of elements from from to to of a sub-block: elements that differ in the last group alone.
// Their results are step apart. start is the element before the first of the sub-block.
func (gs Groups) Runs(start, cell, from, to int, do func(cell, step, from, to int)) {
	g := gs[0]
	if len(gs) == 1 {
		do(cell+from*g.Step, g.Step, start+from, start+to)
		return
	}
	for i := from / g.Unit; i*g.Unit < to; i++ {
		at := i * g.Unit
		gs[1:].Runs(start+at, cell+i*g.Step, max(from-at, 0), min(to-at, g.Unit), do)
	}
}

// Copies says how many of the elements from from to to of a sub-block each result has. The sub-block is there a number of times. do is
// called for results step apart, the first of which is cell; each of them has n elements.
func (gs Groups) Copies(cell, from, to int, times int64, do func(cell, step, cells int, n int64)) {
	g := gs[0]
	switch {
	case from >= to:
		return
	case len(gs) == 1 && g.Step == 0:
		do(cell, 0, 1, int64(to-from)*times)
		return
	case len(gs) == 1:
		do(cell+from*g.Step, g.Step, to-from, times)
		return
	}
	if i := from / g.Unit; from%g.Unit > 0 || to < (i+1)*g.Unit { // part of a sub-block
		end := min(to, (i+1)*g.Unit)
		gs[1:].Copies(cell+i*g.Step, from-i*g.Unit, end-i*g.Unit, times, do)
		from = end
	}
	first, last := from/g.Unit, to/g.Unit
	if g.Step == 0 && first < last {
		gs[1:].Copies(cell, 0, g.Unit, times*int64(last-first), do)
	}
	for i := first; g.Step > 0 && i < last; i++ {
		gs[1:].Copies(cell+i*g.Step, 0, g.Unit, times, do)
	}
	if last*g.Unit >= from && last*g.Unit < to {
		gs[1:].Copies(cell+last*g.Step, 0, to-last*g.Unit, times, do)
	}
}
