package charts

import (
	"image"
	"image/color"
	"slices"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

const (
	scatterMax  = 10_000  // most points that are drawn unchanged
	densityMin  = 100_000 // fewest points that are drawn as a density
	densityCell = 3       // side of a cell of a density in pixels
	scatterSide = 800     // cells along each side; at most one point of each cell is drawn
)

// A grid counts the points in cells between two axes. On a log axis the cells have the same ratio.
type grid struct {
	x, y          axis
	columns, rows int
	counts        []int // by rows, from the smallest y
}

// most returns the largest count.
func (g *grid) most() int { return slices.Max(g.counts) }

// cells calls do with the cell of each point that has one.
func (g *grid) cells(xs, ys []float64, do func(i, cell int)) {
	placeX, placeY := g.x.place(), g.y.place()
	for i, v := range xs {
		a, b := placeX(v), placeY(ys[i])
		if a >= 0 && a <= 1 && b >= 0 && b <= 1 {
			do(i, min(int(b*float64(g.rows)), g.rows-1)*g.columns+min(int(a*float64(g.columns)), g.columns-1))
		}
	}
}

// image draws the cells, by the logarithm of their count. Empty cells are transparent.
func (g *grid) image(paint func(part float64) color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, g.columns, g.rows))
	place := pictures.Scale(1, float64(g.most()), true)
	for i, n := range g.counts {
		if n > 0 {
			m.SetNRGBA(i%g.columns, g.rows-1-i/g.columns, paint(place(float64(n))))
		}
	}
	return m
}

// mirrored returns an image with its left and right, or its top and bottom, exchanged.
func mirrored(m *image.NRGBA, across, down bool) *image.NRGBA {
	out := image.NewNRGBA(m.Rect)
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			toX, toY := x, y
			if across {
				toX = m.Rect.Dx() - 1 - x
			}
			if down {
				toY = m.Rect.Dy() - 1 - y
			}
			out.SetNRGBA(toX, toY, m.NRGBAAt(x, y))
		}
	}
	return out
}

// scatter reads points that are not joined. More than scatterMax are put into a grid as fine as pixels and one is kept
// of each cell; of densityMin and more, each cell is drawn as their number. This takes two passes over the columns and
// little memory.
func (p pair) scatter(x, y *axis, size Size) (s series, t tally, err error) {
	if p.y.length <= scatterMax {
		if s.x, s.y, err = p.part(0, p.y.length); err == nil {
			t.sift(x, y, s.x, s.y, false)
		}
		return s, t, err
	}
	if err := p.check(); err != nil {
		return s, t, err
	}
	g := grid{x: emptyAxis(x.log, x.time), y: emptyAxis(y.log, y.time), columns: scatterSide, rows: scatterSide}
	for both, err := range p.blocks() {
		if err != nil {
			return s, t, err
		}
		t.sift(x, y, both[0], both[1], false)
		g.x.include(both[0]...)
		g.y.include(both[1]...)
	}
	g.x.settle(0)
	g.y.settle(0)
	if p.y.length >= densityMin {
		g.columns, g.rows = max(size.Width/densityCell, 1), max(size.Height/densityCell, 1)
		s.grid = &g
		s.x, s.y = []float64{g.x.low, g.x.high}, []float64{g.y.low, g.y.high}
	}
	g.counts = make([]int, g.columns*g.rows)
	for both, err := range p.blocks() {
		if err != nil {
			return s, t, err
		}
		new(tally).sift(x, y, both[0], both[1], false)
		g.cells(both[0], both[1], func(i, cell int) {
			if g.counts[cell]++; s.grid == nil && g.counts[cell] == 1 {
				s.x, s.y = append(s.x, both[0][i]), append(s.y, both[1][i])
			}
		})
	}
	return s, t, nil
}
