package calc

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// An extreme is the smallest or the largest of values, or its position. NaN comes first, as in NumPy.
type extreme struct {
	reader
	largest bool
	where   bool
	has     []bool
	floats  []float64
	ints    []int64
	at      []int64
}

func extremes(largest bool) reduction {
	return func(t dtype.Type, _ float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &extreme{reader: newReader(t), largest: largest}
	}
}

func positions(largest bool) reduction {
	return func(t dtype.Type, _ float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &extreme{reader: newReader(t), largest: largest, where: true}
	}
}

func (e *extreme) passes() int   { return 1 }
func (e *extreme) next()         {}
func (e *extreme) empty() bool   { return false }
func (e *extreme) width(int) int { return 17 }

func (e *extreme) start(n, _ int) {
	e.has, e.at = make([]bool, n), make([]int64, n)
	if isReal(e.t) {
		e.floats = make([]float64, n)
	} else {
		e.ints = make([]int64, n)
	}
}

// better reports whether a float replaces another.
func (e *extreme) better(x, old float64) bool {
	if e.largest {
		return !(x <= old) && old == old
	}
	return !(x >= old) && old == old
}

func (e *extreme) betterInt(x, old int64) bool {
	if e.t.Kind() == dtype.KindUint {
		return e.largest && uint64(x) > uint64(old) || !e.largest && uint64(x) < uint64(old)
	}
	return e.largest && x > old || !e.largest && x < old
}

// set gives a cell its extreme of some values, which is number at of the cell.
func (e *extreme) set(cell int, x float64, at int) {
	if !e.has[cell] || e.better(x, e.floats[cell]) {
		e.has[cell], e.floats[cell], e.at[cell] = true, x, int64(at)
	}
}

func (e *extreme) setInt(cell int, x int64, at int) {
	if !e.has[cell] || e.betterInt(x, e.ints[cell]) {
		e.has[cell], e.ints[cell], e.at[cell] = true, x, int64(at)
	}
}

func (e *extreme) one(s *scratch, cell, at int, data []byte) {
	e.pieces(data, func(items []byte) {
		if e.ints != nil {
			xs := e.integers(s, items)
			best := 0
			for i, x := range xs {
				if e.betterInt(x, xs[best]) {
					best = i
				}
			}
			e.setInt(cell, xs[best], at+best)
			at += len(xs)
			return
		}
		xs := e.reals(&s.buffers[0], items)
		best := extremeOf(xs, e.largest)
		e.set(cell, xs[best], at+best)
		at += len(xs)
	})
}

// extremeOf returns the index of the first extreme, or of the first NaN.
func extremeOf(xs []float64, largest bool) int {
	best, value := 0, xs[0]
	if largest {
		for i, x := range xs {
			if !(x <= value) {
				if best, value = i, x; x != x {
					break
				}
			}
		}
		return best
	}
	for i, x := range xs {
		if !(x >= value) {
			if best, value = i, x; x != x {
				break
			}
		}
	}
	return best
}

func (e *extreme) rows(s *scratch, cell, at int, m matrix) {
	for r := range m.rows {
		if e.ints == nil {
			e.addRow(cell, at+r, e.reals(&s.buffers[0], m.row(r)))
			continue
		}
		for i, x := range e.integers(s, m.row(r)) {
			e.setInt(cell+i, x, at+r)
		}
	}
}

// addRow adds values to as many cells, all of which or none have values.
func (e *extreme) addRow(cell, at int, xs []float64) {
	n := len(xs)
	best, where := e.floats[cell:cell+n], e.at[cell:cell+n]
	switch {
	case !e.has[cell]:
		for i, x := range xs {
			e.has[cell+i], best[i], where[i] = true, x, int64(at)
		}
	case e.largest:
		for i, x := range xs {
			if b := best[i]; !(x <= b) && b == b {
				best[i], where[i] = x, int64(at)
			}
		}
	default:
		for i, x := range xs {
			if b := best[i]; !(x >= b) && b == b {
				best[i], where[i] = x, int64(at)
			}
		}
	}
}

func (e *extreme) part(int) cells {
	p := &extreme{reader: e.reader, largest: e.largest}
	p.start(1, 0)
	return p
}

func (e *extreme) merge(cell int, part cells) {
	if p := part.(*extreme); e.ints != nil {
		e.setInt(cell, p.ints[0], int(p.at[0]))
	} else {
		e.set(cell, p.floats[0], int(p.at[0]))
	}
}

func (e *extreme) array(_ context.Context, shape []int) (*npy.Array, error) {
	switch {
	case e.where:
		return intArray(dtype.Int64, e.at, shape)
	case e.ints != nil:
		return intArray(e.t.WithByteOrder(dtype.NativeEndian), e.ints, shape)
	}
	return floatArray(floatResult(e.t), e.floats, shape)
}

// An anyAll is whether one of the values is true, or each.
type anyAll struct {
	onePass
	reader
	anyOf bool
	out   []int64
}

func logical(anyOf bool) reduction {
	return func(t dtype.Type, _ float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &anyAll{reader: newReader(t), anyOf: anyOf}
	}
}

func (l *anyAll) width(int) int { return 8 }

func (l *anyAll) start(n, _ int) {
	l.out = make([]int64, n)
	for i := range l.out {
		if !l.anyOf {
			l.out[i] = 1
		}
	}
}

func (l *anyAll) set(cell int, x float64) {
	switch {
	case l.anyOf && x != 0:
		l.out[cell] = 1
	case !l.anyOf && x == 0:
		l.out[cell] = 0
	}
}

func (l *anyAll) one(s *scratch, cell, _ int, data []byte) {
	l.pieces(data, func(items []byte) {
		for _, x := range l.reals(&s.buffers[0], items) {
			l.set(cell, x)
		}
	})
}

func (l *anyAll) rows(s *scratch, cell, _ int, m matrix) {
	for r := range m.rows {
		for i, x := range l.reals(&s.buffers[0], m.row(r)) {
			l.set(cell+i, x)
		}
	}
}

func (l *anyAll) part(int) cells {
	p := &anyAll{reader: l.reader, anyOf: l.anyOf}
	p.start(1, 0)
	return p
}

func (l *anyAll) merge(cell int, part cells) { l.set(cell, float64(part.(*anyAll).out[0])) }

func (l *anyAll) array(_ context.Context, shape []int) (*npy.Array, error) {
	return intArray(dtype.Bool, l.out, shape)
}
