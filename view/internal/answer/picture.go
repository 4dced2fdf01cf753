package answer

import (
	"context"
	"fmt"
	"math"
	"net/url"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/raster"
)

const pixelsMax = 500_000 // of an answer, 2 or 4 MB

// picture answers "picture": one value for each pixel of a window.
func (a *Answers) picture(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "yx", "c")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	var win raster.Window
	if win.Y0, win.Y1, err = s.span(q, "y", s.y); err != nil {
		return err
	}
	if win.X0, win.X1, err = s.span(q, "x", s.x); err != nil {
		return err
	}
	if win.Y0 == win.Y1 || win.X0 == win.X1 {
		return wrong("the window has no elements")
	}
	height, err := number(q, "h", 1, 1<<16, 256)
	if err != nil {
		return err
	}
	width, err := number(q, "w", 1, 1<<16, 256)
	if err != nil {
		return err
	}
	height, width = within(height, width, pixelsMax)
	how := raster.How(q.Get("how"))
	switch how {
	case "":
		how = raster.Mean
	case raster.Mean, raster.Max, raster.Min, raster.Nearest:
	default:
		return wrong("how is %q, and has to be mean, max, min or nearest", cut(string(how), 40))
	}
	if s.c >= 0 {
		return a.colours(ctx, s, w, tag, win, height, width, how, q.Get("quick") == "1")
	}
	src, err := drawn(s.src)
	if err != nil {
		return err
	}
	if s.y > s.x {
		src = npy.Transposed(src)
	}
	p, err := a.draw(ctx, s, src, s.key, win, height, width, how, q.Get("quick") == "1")
	if err != nil {
		return err
	}
	low, high, nans := math.Inf(1), math.Inf(-1), 0
	for _, x := range p.Values {
		switch {
		case x != x:
			nans++
		case !math.IsInf(x, 0):
			low, high = min(low, x), max(high, x)
		}
	}
	head := map[string]any{"h": p.H, "w": p.W, "y0": p.Y0, "y1": p.Y1, "x0": p.X0, "x1": p.X1, "exact": p.Exact, "how": how, "nan": nans}
	if p.Low <= p.High {
		head["min"], head["max"] = p.Low, p.High
	}
	return writeFrame(w, tag, head, plane{Name: "values", data: narrowed(p.Values, low, high)})
}

// narrowed returns values from low to high as float32, where it tells them apart: where its rounding is less than a 4096th of their
// range. Other values, large beside their range, stay float64.
func narrowed(values []float64, low, high float64) any {
	largest := max(math.Abs(low), math.Abs(high))
	if low <= high && (largest*0x1p-24 > (high-low)*0x1p-12 || largest > math.MaxFloat32 || largest < 0x1p-100 && largest > 0) {
		return values
	}
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out
}

// within makes the height and width of a picture smaller until it has at most a number of pixels.
func within(height, width int, most float64) (h, w int) {
	n := float64(height) * float64(width)
	if n <= most {
		return height, width
	}
	shrink := math.Sqrt(most / n)
	return max(int(float64(height)*shrink), 1), max(int(float64(width)*shrink), 1)
}

// draw makes a picture in the way that costs least.
func (a *Answers) draw(ctx context.Context, s *selection, src npy.Source, key string, win raster.Window, h, w int, how raster.How, quick bool) (*raster.Picture, error) {
	shape := src.Shape()
	const small = 1 << 20 // elements that are read at once
	level := key + " level"
	if quick && how != raster.Nearest && win.Elements() > small && raster.Fits(shape[0], shape[1], win, h, w) {
		if v, ok := a.kept.peek(level); ok {
			return v.(*raster.Level).Picture(win, h, w, how), nil
		}
	}
	if how == raster.Nearest {
		return raster.Strided(ctx, src, win, h, w)
	}
	if quick && win.Elements() > small {
		return raster.Quick(ctx, src, win, h, w)
	}
	if win.Elements() <= raster.ExactMax && (win.Elements() <= 4*small || !raster.Fits(shape[0], shape[1], win, h, w)) {
		return raster.Exact(ctx, src, win, h, w, how)
	}
	v, err := a.kept.get(ctx, level, s.hold, func(ctx context.Context) (any, int64, error) {
		l, err := raster.NewLevel(ctx, working(ctx, src, 1))
		if err != nil {
			return nil, 0, err
		}
		return l, l.Bytes(), nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*raster.Level).Picture(win, h, w, how), nil
}

// colours answers for an array with an axis of colours: 3 or 4 values for each pixel. Bytes stay bytes.
func (a *Answers) colours(ctx context.Context, s *selection, w Writer, tag string, win raster.Window, height, width int, how raster.How, quick bool) error {
	n := s.src.Shape()[s.c]
	if n != 3 && n != 4 {
		return wrong("an axis of colours has 3 or 4 positions, not %d", n)
	}
	bytes := s.src.DType().Equal(dtype.Uint8)
	if !bytes {
		height, width = within(height, width, float64(pixelsMax/n))
	}
	var values []float32
	var p *raster.Picture
	for c := range n {
		index := []npy.Index{npy.All(), npy.All(), npy.All()}
		index[s.c] = npy.At(c)
		src, err := s.src.Select(index...)
		if err == nil {
			src, err = drawn(src)
		}
		if err != nil {
			return err
		}
		if s.y > s.x {
			src = npy.Transposed(src)
		}
		if p, err = a.draw(ctx, s, src, fmt.Sprint(s.key, " colour ", c), win, height, width, how, quick); err != nil {
			return err
		}
		if values == nil {
			values = make([]float32, n*len(p.Values))
		}
		for i, v := range p.Values {
			values[n*i+c] = float32(v)
		}
	}
	head := map[string]any{"h": p.H, "w": p.W, "channels": n, "y0": p.Y0, "y1": p.Y1, "x0": p.X0, "x1": p.X1, "exact": p.Exact, "how": how}
	if !bytes {
		return writeFrame(w, tag, head, plane{Name: "values", data: values})
	}
	out := make([]byte, len(values))
	for i, v := range values {
		out[i] = byte(v + 0.5)
	}
	return writeFrame(w, tag, head, plane{Name: "values", data: out})
}
