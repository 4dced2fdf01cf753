package axes

import "context"

// A Block is a matrix of elements. A column belongs to one result, and the next column to the next result. Where the last axis is
// reduced, a Block is one row instead, all of which belongs to one result.
type Block struct {
	First      int  // element
	Rows, Cols int  // at most 2048 columns, unless Along is set
	Stride     int  // elements from the beginning of a row to that of the next
	Result     int  // of the first column
	Position   int  // of the first element among those of its result; the next row has the next
	Along      bool // whether all elements belong to one result
}

// Blocks calls do for the blocks of the elements from from to to, on a number of goroutines, numbered from 0. Blocks at the same time
// have no result in common, and those of a result come in the order of the elements. It returns an error only if the context ends.
func (gs Groups) Blocks(ctx context.Context, from, to, workers int, do func(w int, b Block)) error {
	return gs.divide(ctx, from, to, workers, func(w int, c clip) {
		blocks(gs, c, Block{}, from, to, func(b Block) { do(w, b) })
	})
}

// blocks calls do for the blocks of a sub-block that the clip leaves. b has its first element, its first result, and its position.
func blocks(gs Groups, c clip, b Block, from, to int, do func(b Block)) {
	g := gs[0]
	low, high := 0, g.N
	if c.level == 0 {
		low, high = c.low, c.high
	}
	switch {
	case len(gs) == 1:
		if from, to = max(from, low), min(to, high); from < to {
			b.First, b.Rows, b.Cols, b.Along = b.First+from, 1, to-from, g.Step == 0
			if b.Along {
				b.Position += from
			} else {
				b.Result += from
			}
			do(b)
		}
		return
	case len(gs) == 2 && g.Step == 0 && from%g.Unit == 0 && to%g.Unit == 0:
		low, high = 0, g.Unit
		if c.level == 1 {
			low, high = c.low, c.high
		}
		if from < to && low < high {
			b.Rows, b.Cols, b.Stride = (to-from)/g.Unit, high-low, g.Unit
			b.First, b.Position, b.Result = b.First+from+low, b.Position+from/g.Unit, b.Result+low
			do(b)
		}
		return
	case len(gs) == 2 && g.Step == 0 && to-from > g.Unit: // parts of rows, and whole ones between them
		first, last := (from+g.Unit-1)/g.Unit*g.Unit, to/g.Unit*g.Unit
		for _, part := range [][2]int{{from, first}, {first, last}, {last, to}} {
			if part[0] < part[1] {
				blocks(gs, c, b, part[0], part[1], do)
			}
		}
		return
	}
	each := 1 // elements of a result for a position of the group
	for _, sub := range gs[1:] {
		if sub.Step == 0 {
			each *= sub.N
		}
	}
	c.level--
	for i := max(from/g.Unit, low); i*g.Unit < to && i < high; i++ {
		sub := b
		sub.First += i * g.Unit
		if sub.Result += i * g.Step; g.Step == 0 {
			sub.Position += i * each
		}
		blocks(gs[1:], c, sub, max(from-i*g.Unit, 0), min(to-i*g.Unit, g.Unit), do)
	}
}
