package answer

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/raster"
	"github.com/npygo/npy/stats"
)

const (
	pointsMax   = 5000 // pairs that are sent as they are
	hexagonsMax = 400  // in a row
)

// pairs answers "pairs": how the elements of two arrays of one shape, or of two fields, go together: their number in each
// hexagon of a grid, and the elements themselves if they are few. The parameters x and y name them, as F.E or F.E.field. The
// grid has hexes hexagons in a row from x0 to x1 and as many rows as matplotlib.hexbin has, from y0 to y1, which are values.
func (a *Answers) pairs(ctx context.Context, q url.Values, w Writer) error {
	var both [2]*selection
	for i, name := range []string{"x", "y"} {
		s, err := a.named(ctx, q, q.Get(name))
		if err != nil {
			return err
		}
		defer s.done()
		both[i] = s
	}
	tag, err := etag(q, append(slices.Clone(both[0].states), both[1].states...)...)
	if err != nil {
		return err
	}
	if !slices.Equal(both[0].src.Shape(), both[1].src.Shape()) {
		return wrong("arrays of shapes %v and %v have no pairs", both[0].src.Shape(), both[1].src.Shape())
	}
	g, err := gridOf(q)
	if err != nil {
		return err
	}
	xs, ys := both[0].src, both[1].src
	n := elements(xs.Shape())
	exact := q.Get("quick") != "1" || n <= sampledMin
	if !exact {
		if xs, err = strided(ctx, xs); err != nil {
			return err
		}
		if ys, err = strided(ctx, ys); err != nil {
			return err
		}
	}
	for i, src := range []npy.Source{xs, ys} {
		ends := &g.ends[i]
		if ends[0] == ends[0] && ends[1] == ends[1] {
			continue
		}
		src, err := counted(src, false)
		if err != nil {
			return err
		}
		e, err := stats.ExtentOf(ctx, src)
		if err != nil {
			return err
		}
		for k, end := range []float64{e.Low().Float64(), e.High().Float64()} {
			if ends[k] != ends[k] {
				ends[k] = end
			}
		}
		switch { // of one number, and of none
		case ends[0] >= ends[1]:
			ends[0], ends[1] = ends[0]-0.5, ends[0]+0.5
		case ends[0] != ends[0] || ends[1] != ends[1]:
			ends[0], ends[1] = 0, 1
		}
	}
	counts, err := g.count(ctx, xs, ys)
	if err != nil {
		return err
	}
	head := map[string]any{"exact": exact, "elements": n, "columns": g.columns, "rows": g.rows, "x": g.ends[0], "y": g.ends[1]}
	planes := []plane{{Name: "counts", data: counts}}
	if n <= pointsMax {
		for i, src := range []npy.Source{xs, ys} {
			array, err := src.ReadAll(ctx)
			if err != nil {
				return err
			}
			values := make([]float64, int(n))
			var buf codec.Buffer
			data, _ := array.Contiguous().ViewBytes()
			copy(values, codec.RealsOf(array.DType())(&buf, data))
			planes = append(planes, plane{Name: []string{"x", "y"}[i], data: values})
		}
	}
	return writeFrame(w, tag, head, planes...)
}

// named opens the array or field F.E.field at the positions of the question, with elements that can be drawn.
func (a *Answers) named(ctx context.Context, q url.Values, name string) (s *selection, err error) {
	f, rest, ok := strings.Cut(name, ".")
	if !ok {
		return nil, wrong("%q names no array: want F.E or F.E.field", cut(name, 100))
	}
	e, field, _ := strings.Cut(rest, ".")
	one := url.Values{"f": {f}, "e": {e}, "field": {field}, "raw": {q.Get("raw")}}
	if s, err = a.target(ctx, one, false); err != nil {
		return nil, err
	}
	if s.src.DType().Kind() == dtype.KindComplex {
		part := q.Get("part")
		if part == "" {
			part = "abs"
		}
		s.src, err = partOf(s.src, part)
	}
	if err == nil {
		err = a.place(ctx, s, q.Get("at"), "", "yxc")
	}
	if err == nil {
		s.src, err = drawn(s.src)
	}
	if err != nil {
		s.done()
		return nil, err
	}
	return s, nil
}

// strided returns elements of src at equal distances, in memory: at the same places of every array of its shape.
func strided(ctx context.Context, src npy.Source) (npy.Source, error) {
	shape := src.Shape()
	if len(shape) != 2 {
		return sampled(ctx, src, -1)
	}
	p, err := raster.Strided(ctx, src, raster.Window{Y1: shape[0], X1: shape[1]}, sampleEdge, sampleEdge)
	if err != nil {
		return nil, err
	}
	return npy.FromSlice(p.Values, len(p.Values))
}

// A grid is one of hexagons: a lattice of columns+1 times rows+1 middles, and one of columns times rows between them.
type grid struct {
	columns, rows int
	ends          [2][2]float64 // of x and y; NaN for the elements' own
}

// gridOf reads the parameters of a grid.
func gridOf(q url.Values) (g grid, err error) {
	if g.columns, err = number(q, "hexes", 1, hexagonsMax, 40); err != nil {
		return g, err
	}
	if g.rows, err = number(q, "hexrows", 1, hexagonsMax, max(int(float64(g.columns)/math.Sqrt(3)), 1)); err != nil {
		return g, err
	}
	for i, axis := range []string{"x", "y"} {
		for k := range 2 {
			g.ends[i][k] = math.NaN()
			name := fmt.Sprint(axis, k)
			if text := q.Get(name); text != "" {
				if v, err := strconv.ParseFloat(text, 64); err != nil || !(math.Abs(v) <= math.MaxFloat64/4) {
					return g, wrong("%s is %q, and has to be a finite number", name, cut(text, 40))
				} else {
					g.ends[i][k] = v
				}
			}
		}
		if g.ends[i][0] >= g.ends[i][1] {
			return g, wrong("%s0 is %v and %s1 is %v: the range has to begin before its end", axis, g.ends[i][0], axis, g.ends[i][1])
		}
	}
	return g, nil
}

// middles returns the number of hexagons.
func (g grid) middles() int { return (g.columns+1)*(g.rows+1) + g.columns*g.rows }

// hexagon returns the number of the hexagon of a pair, as matplotlib.hexbin finds it: of the nearest middle. It is -1 outside of the
// range.
func (g grid) hexagon(x, y float64) int {
	ix := (x - g.ends[0][0]) / (g.ends[0][1] - g.ends[0][0]) * float64(g.columns)
	iy := (y - g.ends[1][0]) / (g.ends[1][1] - g.ends[1][0]) * float64(g.rows)
	if !(ix >= 0 && ix <= float64(g.columns) && iy >= 0 && iy <= float64(g.rows)) { // NaN is in none
		return -1
	}
	x1, y1 := math.RoundToEven(ix), math.RoundToEven(iy)
	x2, y2 := min(math.Floor(ix), float64(g.columns-1)), min(math.Floor(iy), float64(g.rows-1))
	first := (ix-x1)*(ix-x1) + 3*(iy-y1)*(iy-y1)
	second := (ix-x2-0.5)*(ix-x2-0.5) + 3*(iy-y2-0.5)*(iy-y2-0.5)
	if first < second {
		return int(x1)*(g.rows+1) + int(y1)
	}
	return (g.columns+1)*(g.rows+1) + int(x2)*g.rows + int(y2)
}

// count returns the number of pairs in each hexagon.
func (g grid) count(ctx context.Context, xs, ys npy.Source) ([]float64, error) {
	left, right := codec.RealsOf(xs.DType()), codec.RealsOf(ys.DType())
	numbers, err := npy.Computed(dtype.Float64, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		var b1, b2 codec.Buffer
		x, y, out := left(&b1, src[0]), right(&b2, src[1]), make([]float64, n)
		for i := range out {
			out[i] = float64(g.hexagon(x[i], y[i]))
		}
		bulk.Encode(dst, out, !dtype.Float64.IsNative())
		return nil
	}, xs, ys)
	if err != nil {
		return nil, err
	}
	edges := make([]float64, g.middles()+1)
	for i := range edges {
		edges[i] = float64(i)
	}
	h, err := stats.HistogramIn(ctx, numbers, edges)
	if err != nil {
		return nil, err
	}
	counts := make([]float64, len(h.Counts))
	for i, n := range h.Counts {
		counts[i] = float64(n)
	}
	return counts, nil
}
