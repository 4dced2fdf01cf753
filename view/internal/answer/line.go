package answer

import (
	"context"
	"math"
	"net/url"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/curve"
)

const columnsMax = 8192 // of a line

// line answers "line": the elements of a window along one axis, or a summary for each column of pixels.
func (a *Answers) line(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "x", "")
	if err != nil {
		return err
	}
	defer s.done()
	states := s.states
	var others [2]npy.Source // positions on the x axis, and errors
	for i, name := range []string{"xs", "err"} {
		if q.Get(name) == "" {
			continue
		}
		o, err := a.beside(ctx, s, q.Get(name))
		if err != nil {
			return err
		}
		defer o.done()
		others[i] = o.src
		states = append(states, o.states...)
	}
	tag, err := etag(q, states...)
	if err != nil {
		return err
	}
	low, high, err := s.span(q, "x", s.x)
	if err != nil {
		return err
	}
	width, err := number(q, "w", 1, columnsMax, 1000)
	if err != nil {
		return err
	}
	src, err := drawn(s.src)
	if err != nil {
		return err
	}
	head := map[string]any{"x0": low, "x1": high, "exact": true}
	n := high - low
	if n <= 4*width || others[0] != nil && n <= 4*columnsMax {
		head["mode"], head["n"] = "raw", n
		planes, err := points(ctx, src, others, npy.Span(low, high))
		if err != nil {
			return err
		}
		return writeFrame(w, tag, head, planes...)
	}
	if others[0] != nil { // elements at equal distances
		step := (n + 4*columnsMax - 1) / (4 * columnsMax)
		planes, err := points(ctx, src, others, npy.Span(low, high).By(step))
		if err != nil {
			return err
		}
		head["mode"], head["n"], head["step"], head["start"], head["exact"] = "raw", (n+step-1)/step, step, low, false
		return writeFrame(w, tag, head, planes...)
	}
	if _, ok := a.kept.peek(s.key + " line"); q.Get("quick") == "1" && n > 1<<20 && !(ok && fromLevel(src, low, high, width)) {
		step := (n + 4*width - 1) / (4 * width)
		values, err := floats(ctx, src, npy.Span(low+step/2, high).By(step))
		if err != nil {
			return err
		}
		head["mode"], head["n"], head["step"], head["start"], head["exact"] = "raw", len(values), step, low+step/2, false
		return writeFrame(w, tag, head, plane{Name: "y", data: values})
	}
	columns, err := a.columns(ctx, s, src, low, high, width)
	if err != nil {
		return err
	}
	planes := columnPlanes(columns, "first", "min", "max", "last")
	head["mode"], head["n"], head["x0"], head["x1"] = "m4", len(columns.Columns), columns.Low, columns.High
	edges := make([]float64, len(columns.Columns)+1)
	for i := range edges {
		edges[i] = float64(columns.Edge(i))
	}
	planes = append(planes, plane{Name: "edges", data: edges})
	if others[1] != nil {
		var band [2]*curve.Columns
		for i, sign := range []float64{-1, 1} {
			var edge npy.Source
			if edge, err = shifted(src, others[1], sign); err == nil {
				band[i], err = columns.Like(ctx, edge)
			}
			if err != nil {
				return err
			}
		}
		planes = append(planes, columnPlanes(band[0], "", "low", "", "")...)
		planes = append(planes, columnPlanes(band[1], "", "", "high", "")...)
	}
	return writeFrame(w, tag, head, planes...)
}

// points reads a part of a line, and of the arrays that go with it: positions on the x axis, and errors.
func points(ctx context.Context, src npy.Source, others [2]npy.Source, index npy.Index) (planes []plane, err error) {
	for i, from := range []npy.Source{src, others[0], others[1]} {
		if from == nil {
			continue
		}
		values, err := floats(ctx, from, index)
		if err != nil {
			return nil, err
		}
		planes = append(planes, plane{Name: []string{"y", "x", "err"}[i], data: values})
	}
	return planes, nil
}

// fromLevel reports whether the columns of a window are cut from the columns of the whole line.
func fromLevel(src npy.Source, low, high, width int) bool {
	few := (high-low)/width < 4*curve.Each(src.Shape()[0]) // columns of the whole line in one of the window
	return high-low > 4<<20 && (!few || high-low > 64<<20)
}

// columns reads the columns of a window, or cuts them from the columns of the whole line.
func (a *Answers) columns(ctx context.Context, s *selection, src npy.Source, low, high, width int) (*curve.Columns, error) {
	if !fromLevel(src, low, high, width) {
		return curve.Of(ctx, src, low, high, width)
	}
	v, err := a.kept.get(ctx, s.key+" line", s.hold, func(ctx context.Context) (any, int64, error) {
		l, err := curve.Level(ctx, working(ctx, src, 1))
		if err != nil {
			return nil, 0, err
		}
		return l, l.Bytes(), nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*curve.Columns).Cut(low, high, width), nil
}

// columnPlanes returns the parts of columns that have a name.
func columnPlanes(c *curve.Columns, names ...string) []plane {
	out := []plane{}
	for k, name := range names {
		if name == "" {
			continue
		}
		values := make([]float64, len(c.Columns))
		for i, x := range c.Columns {
			values[i] = [4]float64{x.First, x.Min, x.Max, x.Last}[k]
		}
		out = append(out, plane{Name: name, data: values})
	}
	return out
}

// beside opens an array that goes with the line, F.E or F.E.field: of one axis and the same length, or of the shape of the
// array of the line, and then at the same positions.
func (a *Answers) beside(ctx context.Context, s *selection, name string) (*selection, error) {
	f, rest, _ := strings.Cut(name, ".")
	e, field, _ := strings.Cut(rest, ".")
	o, err := a.target(ctx, s.beside(f, e, field), false)
	if err != nil {
		return nil, err
	}
	at := "x"
	if len(o.src.Shape()) > 1 {
		at = strings.Join(s.at, ",")
	}
	if err = a.place(ctx, o, at, "x", ""); err == nil {
		o.src, err = drawn(o.src)
	}
	if err == nil && o.src.Shape()[0] != s.src.Shape()[0] {
		err = wrong("an array of %d elements does not go with a line of %d", o.src.Shape()[0], s.src.Shape()[0])
	}
	if err != nil {
		o.done()
		return nil, err
	}
	return o, nil
}

// floats reads a part of an array, with NaN for infinities.
func floats(ctx context.Context, src npy.Source, index ...npy.Index) ([]float64, error) {
	part, err := src.Select(index...)
	if err != nil {
		return nil, err
	}
	a, err := part.ReadAll(ctx)
	if err != nil {
		return nil, err
	}
	read := codec.RealsOf(a.DType())
	if read == nil {
		return nil, wrong("elements of dtype %s cannot be drawn", a.DType().Name())
	}
	var buf codec.Buffer
	out := append([]float64{}, read(&buf, a.Contiguous().Bytes())...)
	for i, x := range out {
		if math.IsInf(x, 0) {
			out[i] = math.NaN()
		}
	}
	return out, nil
}
