// Package raster makes pictures of arrays of any size: one value for each pixel.
//
// There are three ways. [Strided] takes one element for each pixel, which costs little, and misses the elements
// between. [Exact] reads all elements of a window. A [Level] holds the mean, the least and the largest element of each
// small cell of the whole array, and so makes exact pictures of large windows without reading them again.
//
// A Source has the axes y and x, in this order, and elements that are real numbers or bools. NaN is left out of the mean, the
// least and the largest unless there is nothing else.
package raster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/source"
)

// A How says which value a pixel has.
type How string

// The values of a pixel that has several elements.
const (
	Mean    How = "mean"
	Max     How = "max"
	Min     How = "min"
	Nearest How = "nearest" // the element in its middle
)

// A Window is a part of an array: the elements from (Y0, X0) up to, and without, (Y1, X1).
type Window struct{ Y0, Y1, X0, X1 int }

func (w Window) rows() int    { return w.Y1 - w.Y0 }
func (w Window) columns() int { return w.X1 - w.X0 }

// Elements returns the number of elements in the window, as a float because it may be larger than any int.
func (w Window) Elements() float64 { return float64(w.rows()) * float64(w.columns()) }

// A Picture has H rows of W values.
type Picture struct {
	Window // that the pixels cover
	H, W   int
	Values []float64
	Exact  bool // all elements of the window took part

	Low, High float64 // the least and the largest of these elements that is finite; NaN if there is none
}

// extend makes the range of the elements of a picture include a sum.
func (p *Picture) extend(low, high float64) {
	if low-low == 0 && !(p.Low <= low) { // it is finite
		p.Low = low
	}
	if high-high == 0 && !(p.High >= high) {
		p.High = high
	}
}

func newPicture(win Window, h, w int) *Picture {
	h, w = min(h, win.rows()), min(w, win.columns())
	return &Picture{Window: win, H: h, W: w, Values: make([]float64, h*w), Low: math.NaN(), High: math.NaN()}
}

// reals returns the reader of the elements of src.
func reals(src npy.Source) (codec.Reals, error) {
	read := codec.RealsOf(src.DType())
	if read == nil {
		return nil, fmt.Errorf("elements of dtype %s cannot be drawn: %w", src.DType().Name(), errors.ErrUnsupported)
	}
	if len(src.Shape()) != 2 {
		return nil, errors.New("a picture has two axes")
	}
	return read, nil
}

// bounds returns the pixels' edges along an axis: pixel i has the elements from i to i+1.
func bounds(low, n, pixels int) func(i int) int {
	return func(i int) int { return low + int(float64(n)*float64(i)/float64(pixels)) }
}

func step(n, pixels int) int { return (n + pixels - 1) / pixels }

// Strided takes the elements at equal distances, at most h rows of w. Its pixels are of equal size: the last ones may end behind
// the window, or before its end.
func Strided(ctx context.Context, src npy.Source, win Window, h, w int) (*Picture, error) {
	read, err := reals(src)
	if err != nil {
		return nil, err
	}
	stepY, stepX := step(win.rows(), h), step(win.columns(), w)
	part, err := src.Select(npy.Span(win.Y0+stepY/2, win.Y1).By(stepY), npy.Span(win.X0+stepX/2, win.X1).By(stepX))
	if err != nil {
		return nil, err
	}
	a, err := part.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	shape := a.Shape()
	p := &Picture{H: shape[0], W: shape[1], Exact: stepY == 1 && stepX == 1}
	p.Window = Window{win.Y0, win.Y0 + shape[0]*stepY, win.X0, win.X0 + shape[1]*stepX} // the last pixels may end behind the array
	var buf codec.Buffer
	xs := read(&buf, a.Contiguous().Bytes())
	p.Values, p.Low, p.High = slices.Clone(xs), math.NaN(), math.NaN()
	for _, x := range xs {
		p.extend(x, x)
	}
	return p, nil
}

// Quick is Strided with fewer pixels where that many would touch more than 64 MiB of a file, for a picture that a
// better one follows. Files are read by pages: elements that are close cost the bytes between them too. From a store,
// elements that are farther apart do so too, in lines of more than 4 KiB for each pixel.
func Quick(ctx context.Context, src npy.Source, win Window, h, w int) (*Picture, error) {
	const most, page = 64 << 20, 4096
	lines, elements, pixels := &h, win.columns(), w
	if _, reversed := npy.StoredOrder(src); reversed {
		lines, elements, pixels = &w, win.rows(), h
	}
	line := min(float64(elements)*float64(src.DType().ItemSize()), float64(pixels)*page) + page
	*lines = max(min(*lines, int(most/max(line, 1))), 1)
	return Strided(ctx, src, win, h, w)
}

// A sum summarises some elements.
type sum struct {
	total    float64
	n        int64   // numbers
	min, max float64 // NaN if there is no number
}

var noSum = sum{min: math.NaN(), max: math.NaN()}

// add adds a number of elements.
func (s *sum) add(xs []float64) {
	total, low, high, n := s.total, s.min, s.max, s.n
	for _, x := range xs {
		if x != x {
			continue
		}
		if !(x >= low) {
			low = x
		}
		if !(x <= high) {
			high = x
		}
		total += x
		n++
	}
	s.total, s.n, s.min, s.max = total, n, low, high
}

func (s *sum) merge(o *sum) {
	if o.n == 0 {
		return
	}
	if !(s.min <= o.min) {
		s.min = o.min
	}
	if !(s.max >= o.max) {
		s.max = o.max
	}
	s.total += o.total
	s.n += o.n
}

func (s *sum) value(how How) float64 {
	switch how {
	case Max:
		return s.max
	case Min:
		return s.min
	}
	return s.total / float64(s.n) // NaN for none
}

// ExactMax is the most elements that [Exact] reads.
const ExactMax = 48 << 20

// Exact reads all elements of a window, or for Nearest the one in the middle of each pixel, and gives at most h rows of w pixels.
func Exact(ctx context.Context, src npy.Source, win Window, h, w int, how How) (*Picture, error) {
	if how == Nearest {
		return Strided(ctx, src, win, h, w)
	}
	if win.Elements() > ExactMax {
		return nil, fmt.Errorf("a window of %.0f elements is too large", win.Elements())
	}
	part, err := src.Select(npy.Span(win.Y0, win.Y1), npy.Span(win.X0, win.X1))
	if err != nil {
		return nil, err
	}
	p := newPicture(win, h, w)
	p.Exact = true
	g := newGrid(win.rows(), win.columns(), p.H, p.W)
	if err := g.fill(ctx, part); err != nil {
		return nil, err
	}
	for i := range g.sums {
		p.Values[i] = g.sums[i].value(how)
		p.extend(g.sums[i].min, g.sums[i].max)
	}
	return p, nil
}

// A grid divides the elements of a Source into h rows of w cells.
type grid struct {
	rows, columns int // of elements
	h, w          int
	edgeY, edgeX  func(i int) int
	sums          []sum
}

func newGrid(rows, columns, h, w int) *grid {
	g := &grid{rows: rows, columns: columns, h: h, w: w, edgeY: bounds(0, rows, h), edgeX: bounds(0, columns, w), sums: make([]sum, h*w)}
	for i := range g.sums {
		g.sums[i] = noSum
	}
	return g
}

// transposed adds the elements of an array whose axes are x and y.
func (g *grid) transposed(ctx context.Context, src npy.Source) error {
	t := newGrid(g.columns, g.rows, g.w, g.h)
	t.edgeY, t.edgeX = g.edgeX, g.edgeY
	err := t.fill(ctx, src)
	for y := range g.h {
		for x := range g.w {
			g.sums[y*g.w+x] = t.sums[x*t.w+y]
		}
	}
	return err
}

// cellOf returns the cell of a position, the last whose edge is not behind it.
func cellOf(edge func(int) int, n, cells, at int) int {
	i := min(int(float64(at)*float64(cells)/float64(n)), cells-1)
	for i > 0 && edge(i) > at {
		i--
	}
	for i+1 < cells && edge(i+1) <= at {
		i++
	}
	return i
}

// fill adds all elements of src, read once. Elements that src knows to be equal are counted.
func (g *grid) fill(ctx context.Context, src npy.Source) error {
	if stored, reversed := npy.StoredOrder(src); reversed {
		return g.transposed(ctx, stored)
	}
	read, err := reals(src)
	if err != nil {
		return err
	}
	return source.EachRegion(ctx, src, func(r npy.Region, stored npy.Source) error {
		win := Window{r.Origin[0], r.Origin[0] + r.Shape[0], r.Origin[1], r.Origin[1] + r.Shape[1]}
		if stored != nil {
			return g.read(ctx, read, stored, win)
		}
		var buf codec.Buffer
		g.addEqual(win, read(&buf, r.Value.Bytes())[0])
		return nil
	})
}

// read adds the elements of a window, read from src.
func (g *grid) read(ctx context.Context, read codec.Reals, src npy.Source, win Window) error {
	size := src.DType().ItemSize()
	workers := min(par.Workers(), g.w)
	buffers := make([]codec.Buffer, workers)
	at := 0 // elements before the piece
	for a, err := range src.Blocks(ctx, 0) {
		if err != nil {
			return err
		}
		data, _ := a.ViewBytes()
		shape := a.Shape()
		x0, width := win.X0+at%win.columns(), shape[1]
		band := max((4<<20)/max(width*size, 1), 1) // rows between looks at the context
		for r := 0; r < shape[0]; r += band {
			n := min(band, shape[0]-r)
			part := data[r*width*size : (r+n)*width*size]
			err := par.Each(ctx, workers, workers, func(w, i int) error {
				g.columnsOf(&buffers[w], i, workers, read, part, size, win.Y0+at/win.columns(), x0, n, width)
				return nil
			})
			if err != nil {
				return err
			}
			at += n * width
		}
	}
	return nil
}

// addEqual adds the elements of a window, which all are x.
func (g *grid) addEqual(win Window, x float64) {
	if x != x {
		return
	}
	for y := cellOf(g.edgeY, g.rows, g.h, win.Y0); y < g.h && g.edgeY(y) < win.Y1; y++ {
		rows := min(g.edgeY(y+1), win.Y1) - max(g.edgeY(y), win.Y0)
		for c := cellOf(g.edgeX, g.columns, g.w, win.X0); c < g.w && g.edgeX(c) < win.X1; c++ {
			n := rows * (min(g.edgeX(c+1), win.X1) - max(g.edgeX(c), win.X0))
			g.sums[y*g.w+c].merge(&sum{x * float64(n), int64(n), x, x})
		}
	}
}

// columnsOf adds a share of a piece of an array: the cells of some columns, share w of workers.
func (g *grid) columnsOf(buf *codec.Buffer, w, workers int, read codec.Reals, data []byte, size, y0, x0, height, width int) {
	c0, c1 := g.w*w/workers, g.w*(w+1)/workers
	low, high := max(g.edgeX(c0), x0)-x0, min(g.edgeX(c1), x0+width)-x0
	if low >= high {
		return
	}
	first := cellOf(g.edgeX, g.columns, g.w, x0+low)
	y := cellOf(g.edgeY, g.rows, g.h, y0)
	for r := range height {
		for y+1 < g.h && g.edgeY(y+1) <= y0+r {
			y++
		}
		sums := g.sums[y*g.w : (y+1)*g.w]
		for c, from := first, low; from < high; {
			to := min(from+chunk, high)
			xs := read(buf, data[(r*width+from)*size:(r*width+to)*size])
			for done := 0; done < len(xs); {
				end := min(g.edgeX(c+1)-x0-from, len(xs))
				sums[c].add(xs[done:end])
				if done = end; g.edgeX(c+1) <= x0+from+done {
					c++
				}
			}
			from = to
		}
	}
}

const chunk = 16 << 10 // elements that are converted at a time

// A Level holds the sums of the cells of an array.
type Level struct {
	rows, columns int
	by, bx        int // elements of a cell along each axis
	g             *grid
}

const levelCells = 9 << 18 // at most: 72 MiB

// NewLevel reads all elements of an array.
func NewLevel(ctx context.Context, src npy.Source) (*Level, error) {
	if _, err := reals(src); err != nil {
		return nil, err
	}
	shape := src.Shape()
	l := &Level{rows: shape[0], columns: shape[1]}
	l.by, l.bx = cellSize(shape[0], shape[1])
	l.g = newGrid(l.rows, l.columns, (l.rows+l.by-1)/l.by, (l.columns+l.bx-1)/l.bx)
	l.g.edgeY = func(i int) int { return min(i*l.by, l.rows) }
	l.g.edgeX = func(i int) int { return min(i*l.bx, l.columns) }
	return l, l.g.fill(ctx, src)
}

// cellSize returns the size of the cells of a Level for an array.
func cellSize(rows, columns int) (by, bx int) {
	by, bx = 1, 1
	for {
		h, w := (rows+by-1)/by, (columns+bx-1)/bx
		switch {
		case h <= levelCells && w <= levelCells && h*w <= levelCells:
			return by, bx
		case h >= w:
			by *= 2
		default:
			bx *= 2
		}
	}
}

// Bytes returns the size of the Level in memory.
func (l *Level) Bytes() int64 { return int64(len(l.g.sums)) * 32 }

// Fits reports whether the pixels of a picture are at least as large as the cells of the Level of an array.
func Fits(rows, columns int, win Window, h, w int) bool {
	by, bx := cellSize(rows, columns)
	return win.rows() >= h*by && win.columns() >= w*bx || by == 1 && bx == 1
}

// Picture makes a picture whose pixels have equal size and consist of whole cells. It extends the window of the question to the
// edges of the pixels, which may lie beyond the end of the array.
func (l *Level) Picture(win Window, h, w int, how How) *Picture {
	y0, y1 := win.Y0/l.by, (win.Y1+l.by-1)/l.by
	x0, x1 := win.X0/l.bx, (win.X1+l.bx-1)/l.bx
	sy, sx := step(y1-y0, h), step(x1-x0, w) // cells of a pixel
	h, w = (y1-y0+sy-1)/sy, (x1-x0+sx-1)/sx
	p := &Picture{H: h, W: w, Values: make([]float64, h*w), Exact: true, Low: math.NaN(), High: math.NaN()}
	p.Window = Window{y0 * l.by, (y0 + h*sy) * l.by, x0 * l.bx, (x0 + w*sx) * l.bx}
	line := make([]sum, w)
	for i := range h {
		for j := range line {
			line[j] = noSum
		}
		for y := y0 + i*sy; y < min(y0+(i+1)*sy, l.g.h); y++ {
			cells := l.g.sums[y*l.g.w:]
			for j := range w {
				for x := x0 + j*sx; x < min(x0+(j+1)*sx, l.g.w); x++ {
					line[j].merge(&cells[x])
				}
			}
		}
		for j := range line {
			p.Values[i*w+j] = line[j].value(how)
			p.extend(line[j].min, line[j].max)
		}
	}
	return p
}
