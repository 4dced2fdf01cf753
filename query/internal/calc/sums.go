package calc

import (
	"context"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
)

// onePass are cells that are complete after one pass.
type onePass struct{}

func (onePass) passes() int { return 1 }
func (onePass) next()       {}
func (onePass) empty() bool { return true }

// A compensated is sums, each with the error that its additions have made so far, as Neumaier's. Some dozens of values are first added
// without compensation.
type compensated struct{ sum, rest []float64 }

func newCompensated(n int) compensated { return compensated{make([]float64, n), make([]float64, n)} }

func (c *compensated) add(i int, x float64) {
	s := c.sum[i]
	t := s + x
	switch {
	case math.IsInf(t, 0) || t != t:
	case math.Abs(s) >= math.Abs(x):
		c.rest[i] += s - t + x
	default:
		c.rest[i] += x - t + s
	}
	c.sum[i] = t
}

func (c *compensated) value(i int) float64 { return c.sum[i] + c.rest[i] }

func (c *compensated) merge(i int, part *compensated) {
	c.add(i, part.sum[0])
	c.rest[i] += part.rest[0]
}

// Without compensation are added: the values of a sumBlock in a row, and of as many as sumRows rows. Rows of a few values are taken as
// one of up to wideRow values.
const (
	sumBlock = 256
	sumRows  = 64
	wideRow  = 64
)

// addRow adds values to one cell.
func (c *compensated) addRow(cell int, xs []float64) {
	for len(xs) > 0 {
		n := min(len(xs), sumBlock)
		c.add(cell, blockSum(xs[:n]))
		xs = xs[n:]
	}
}

// blockSum returns the sum of some values in eight lanes.
func blockSum(xs []float64) float64 {
	var a, b, c, d, e, f, g, h float64
	for ; len(xs) >= 8; xs = xs[8:] {
		x := xs[:8:8]
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
		e, f, g, h = e+x[4], f+x[5], g+x[6], h+x[7]
	}
	out := (a + b + (c + d)) + (e + f + (g + h))
	for _, x := range xs {
		out += x
	}
	return out
}

// addRows adds the columns of a matrix to as many cells. add adds some rows, at most 8, to sums.
func (c *compensated) addRows(s *scratch, r *reader, cell int, m matrix, add func(sums []float64, rows [][]float64)) {
	if k := wideRow / m.cols; k > 1 && m.stride == m.cols*m.item && m.rows >= k {
		wide := matrix{m.data, m.rows / k, m.cols * k, m.stride * k, m.item}
		c.addWide(s, r, cell, m.cols, wide, add)
		m.data, m.rows = m.data[wide.rows*wide.stride:], m.rows%k
	}
	c.addWide(s, r, cell, m.cols, m, add)
}

// addWide adds the columns of a matrix to cells, which follow each other and then come again.
func (c *compensated) addWide(s *scratch, r *reader, cell, cells int, m matrix, add func(sums []float64, rows [][]float64)) {
	var rows [8][]float64
	sums := codec.Grow(&s.sums, m.cols)
	for at := 0; at < m.rows; {
		clear(sums)
		for end := min(at+sumRows, m.rows); at < end; {
			n := min(len(rows), end-at)
			for i := range n {
				rows[i] = r.reals(&s.buffers[i], m.row(at+i))
			}
			add(sums, rows[:n])
			at += n
		}
		for low := 0; low < m.cols; low += cells {
			for i, x := range sums[low : low+cells] {
				c.add(cell+i, x)
			}
		}
	}
}

// addColumns adds rows to sums, column by column.
func addColumns(sums []float64, rows [][]float64) {
	n := len(sums)
	if len(rows) == 8 {
		a, b, c, d := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
		e, f, g, h := rows[4][:n], rows[5][:n], rows[6][:n], rows[7][:n]
		for i := range sums {
			sums[i] += (a[i] + b[i] + (c[i] + d[i])) + (e[i] + f[i] + (g[i] + h[i]))
		}
		return
	}
	for _, row := range rows {
		row = row[:n]
		for i := range sums {
			sums[i] += row[i]
		}
	}
}

// A floatSum is the sum or the mean of floats, or the mean of integers.
type floatSum struct {
	onePass
	reader
	compensated
	mean  bool
	count int
}

func sums(t dtype.Type, _ float64) cells {
	switch {
	case isReal(t):
		return &floatSum{reader: newReader(t)}
	case isCount(t):
		return &intSum{reader: newReader(t)}
	}
	return nil
}

func means(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &floatSum{reader: newReader(t), mean: true}
}

func (f *floatSum) start(n, each int) { f.compensated, f.count = newCompensated(n), each }
func (f *floatSum) width(int) int     { return 16 }

func (f *floatSum) one(s *scratch, cell, _ int, data []byte) {
	f.pieces(data, func(items []byte) { f.addRow(cell, f.reals(&s.buffers[0], items)) })
}

func (f *floatSum) rows(s *scratch, cell, _ int, m matrix) {
	f.addRows(s, &f.reader, cell, m, addColumns)
}

func (f *floatSum) part(int) cells {
	return &floatSum{reader: f.reader, compensated: newCompensated(1)}
}

func (f *floatSum) merge(cell int, part cells) {
	f.compensated.merge(cell, &part.(*floatSum).compensated)
}

func (f *floatSum) array(_ context.Context, shape []int) (*npy.Array, error) {
	out := make([]float64, len(f.sum))
	for i := range out {
		if out[i] = f.value(i); f.mean {
			out[i] /= float64(f.count)
		}
	}
	return floatArray(floatResult(f.t), out, shape)
}

// An intSum is the sum of integers or bools, or the count of values that are not zero.
type intSum struct {
	onePass
	reader
	sum     []int64
	nonzero bool
}

func counts(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &intSum{reader: newReader(t), nonzero: true}
}

func (n *intSum) start(cells, _ int) { n.sum = make([]int64, cells) }
func (n *intSum) width(int) int      { return 8 }

// values returns integers, or for each value whether it is not zero.
func (n *intSum) values(s *scratch, items []byte) []int64 {
	if !n.nonzero {
		return n.integers(s, items)
	}
	xs := n.reals(&s.buffers[0], items)
	out := codec.Grow(&s.ints, len(xs))
	for i, x := range xs {
		if out[i] = 0; x != 0 {
			out[i] = 1
		}
	}
	return out
}

func (n *intSum) one(s *scratch, cell, _ int, data []byte) {
	n.pieces(data, func(items []byte) {
		var sum int64
		for _, x := range n.values(s, items) {
			sum += x
		}
		n.sum[cell] += sum
	})
}

func (n *intSum) rows(s *scratch, cell, _ int, m matrix) {
	sum := n.sum[cell : cell+m.cols]
	for r := range m.rows {
		for i, x := range n.values(s, m.row(r)) {
			sum[i] += x
		}
	}
}

func (n *intSum) part(int) cells {
	return &intSum{reader: n.reader, nonzero: n.nonzero, sum: make([]int64, 1)}
}

func (n *intSum) merge(cell int, part cells) { n.sum[cell] += part.(*intSum).sum[0] }

func (n *intSum) array(_ context.Context, shape []int) (*npy.Array, error) {
	if n.nonzero {
		return intArray(dtype.Int64, n.sum, shape)
	}
	return intArray(sumResult(n.t), n.sum, shape)
}

// sumResult returns the dtype of a sum or a product of integers of t.
func sumResult(t dtype.Type) dtype.Type {
	if t.Kind() == dtype.KindUint {
		return dtype.Uint64
	}
	return dtype.Int64
}

// A factors is the product of floats, or of integers, which wraps around.
type factors struct {
	onePass
	reader
	floats []float64
	ints   []int64
}

func products(t dtype.Type, _ float64) cells {
	if !isReal(t) && !isCount(t) {
		return nil
	}
	return &factors{reader: newReader(t)}
}

func (p *factors) width(int) int { return 8 }

func (p *factors) start(n, _ int) {
	if isReal(p.t) {
		p.floats = make([]float64, n)
		for i := range p.floats {
			p.floats[i] = 1
		}
		return
	}
	p.ints = make([]int64, n)
	for i := range p.ints {
		p.ints[i] = 1
	}
}

func (p *factors) one(s *scratch, cell, _ int, data []byte) {
	p.pieces(data, func(items []byte) {
		if p.ints != nil {
			for _, x := range p.integers(s, items) {
				p.ints[cell] *= x
			}
			return
		}
		p.floats[cell] *= blockProduct(p.reals(&s.buffers[0], items))
	})
}

// blockProduct returns the product of some values in four lanes.
func blockProduct(xs []float64) float64 {
	a, b, c, d := 1.0, 1.0, 1.0, 1.0
	for ; len(xs) >= 4; xs = xs[4:] {
		x := xs[:4:4]
		a, b, c, d = a*x[0], b*x[1], c*x[2], d*x[3]
	}
	for _, x := range xs {
		a *= x
	}
	return a * b * (c * d)
}

func (p *factors) rows(s *scratch, cell, _ int, m matrix) {
	for r := range m.rows {
		if p.ints != nil {
			for i, x := range p.integers(s, m.row(r)) {
				p.ints[cell+i] *= x
			}
			continue
		}
		for i, x := range p.reals(&s.buffers[0], m.row(r)) {
			p.floats[cell+i] *= x
		}
	}
}

func (p *factors) part(int) cells {
	one := &factors{reader: p.reader}
	one.start(1, 0)
	return one
}

func (p *factors) merge(cell int, part cells) {
	if one := part.(*factors); p.ints != nil {
		p.ints[cell] *= one.ints[0]
	} else {
		p.floats[cell] *= one.floats[0]
	}
}

func (p *factors) array(_ context.Context, shape []int) (*npy.Array, error) {
	if p.ints != nil {
		return intArray(sumResult(p.t), p.ints, shape)
	}
	return floatArray(floatResult(p.t), p.floats, shape)
}
