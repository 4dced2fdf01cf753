package calc

import (
	"context"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
)

// A deviation is the variance or the standard deviation: the means in a first pass, and the squares of the distances in a second.
type deviation struct {
	reader
	sums  compensated
	means []float64
	count int
	ddof  float64
	root  bool
}

func deviations(root bool) reduction {
	return func(t dtype.Type, ddof float64) cells {
		if !isReal(t) && !isCount(t) {
			return nil
		}
		return &deviation{reader: newReader(t), ddof: ddof, root: root}
	}
}

func (d *deviation) passes() int   { return 2 }
func (d *deviation) empty() bool   { return true }
func (d *deviation) width(int) int { return 24 }

func (d *deviation) start(n, each int) { d.sums, d.count = newCompensated(n), each }

func (d *deviation) next() {
	if d.means != nil {
		return
	}
	d.means = make([]float64, len(d.sums.sum))
	for i := range d.means {
		d.means[i] = d.sums.value(i) / float64(d.count)
	}
	d.sums = newCompensated(len(d.means))
}

func (d *deviation) one(s *scratch, cell, _ int, data []byte) {
	d.pieces(data, func(items []byte) {
		xs := d.reals(&s.buffers[0], items)
		if d.means != nil {
			xs = squares(s, xs, d.means[cell])
		}
		d.sums.addRow(cell, xs)
	})
}

// squares returns the squares of the distances from a mean.
func squares(s *scratch, xs []float64, mean float64) []float64 {
	out := codec.Grow(&s.floats, len(xs))
	for i, x := range xs {
		out[i] = float64((x - mean) * (x - mean))
	}
	return out
}

func (d *deviation) rows(s *scratch, cell, _ int, m matrix) {
	if d.means == nil {
		d.sums.addRows(s, &d.reader, cell, m, addColumns)
		return
	}
	means := d.means[cell : cell+m.cols]
	d.sums.addRows(s, &d.reader, cell, m, func(sums []float64, rows [][]float64) {
		for at := 0; at < len(sums); at += len(means) { // several rows may be one
			addSquares(sums[at:at+len(means)], means, rows, at)
		}
	})
}

// addSquares adds the squares of the distances from means to sums, of the columns of rows from one on.
func addSquares(sums, means []float64, rows [][]float64, at int) {
	n := len(sums)
	means = means[:n]
	for ; len(rows) >= 4; rows = rows[4:] {
		a, b, c, d := rows[0][at:][:n], rows[1][at:][:n], rows[2][at:][:n], rows[3][at:][:n]
		for i, mean := range means {
			p, q, r, s := a[i]-mean, b[i]-mean, c[i]-mean, d[i]-mean
			sums[i] += float64(p*p) + float64(q*q) + (float64(r*r) + float64(s*s)) // rounded one by one, on every machine
		}
	}
	for _, row := range rows {
		for i, x := range row[at:][:n] {
			sums[i] += float64((x - means[i]) * (x - means[i]))
		}
	}
}

func (d *deviation) part(cell int) cells {
	p := &deviation{reader: d.reader, sums: newCompensated(1)}
	if d.means != nil {
		p.means = d.means[cell : cell+1]
	}
	return p
}

func (d *deviation) merge(cell int, part cells) { d.sums.merge(cell, &part.(*deviation).sums) }

func (d *deviation) array(_ context.Context, shape []int) (*npy.Array, error) {
	out := make([]float64, len(d.sums.sum))
	for i := range out {
		if out[i] = d.sums.value(i) / max(float64(d.count)-d.ddof, 0); d.root {
			out[i] = math.Sqrt(out[i])
		}
	}
	return floatArray(floatResult(d.t), out, shape)
}
