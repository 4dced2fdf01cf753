package answer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/stats"
)

// Limits of a profile.
const (
	profileMax = 1 << 16 // elements
	cornersMax = 4096    // of its path
	pieceMax   = 2 << 20 // bytes of a rectangle that is read for a part of the path
)

// A cell is the place of an element of a picture.
type cell struct{ y, x int }

// pathOf returns the elements along a path of corners "y,x;y,x;…" in a picture. Between two corners they are NumPy's
// rint(linspace(…, n)) of both places, where n is the larger distance and one more.
func pathOf(text string, ny, nx int) ([]cell, error) {
	words := strings.Split(cut(text, 32*cornersMax), ";")
	if len(words) > cornersMax {
		return nil, wrong("points has more than %d corners", cornersMax)
	}
	var path []cell
	for i, word := range words {
		first, second, _ := strings.Cut(word, ",")
		y, err := strconv.Atoi(first)
		x, err2 := strconv.Atoi(second)
		if err != nil || err2 != nil || y < 0 || x < 0 || y >= ny || x >= nx {
			return nil, wrong("corner %q has to be a row from 0 to %d, a comma and a column from 0 to %d", cut(word, 40), ny-1, nx-1)
		}
		if i == 0 {
			path = append(path, cell{y, x})
			continue
		}
		from := path[len(path)-1]
		n := max(y-from.y, from.y-y, x-from.x, from.x-x)
		if len(path)+n > profileMax {
			return nil, wrong("a profile has at most %d elements", profileMax)
		}
		stepY, stepX := float64(y-from.y)/float64(n), float64(x-from.x)/float64(n)
		for k := 1; k < n; k++ {
			path = append(path, cell{int(math.RoundToEven(float64(k)*stepY + float64(from.y))), int(math.RoundToEven(float64(k)*stepX + float64(from.x)))})
		}
		if n > 0 {
			path = append(path, cell{y, x})
		}
	}
	return path, nil
}

// along returns the elements of the selection along the path of the parameter points, and their places.
func (s *selection) along(ctx context.Context, q url.Values) (*npy.Array, []cell, error) {
	if s.y < 0 || s.x < 0 || len(s.src.Shape()) != 2 {
		return nil, nil, wrong("a profile is of a picture: at has to have y and x")
	}
	shape := s.src.Shape()
	path, err := pathOf(q.Get("points"), shape[s.y], shape[s.x])
	if err != nil {
		return nil, nil, err
	}
	t := s.src.DType()
	size := t.ItemSize()
	if t.HasObject() || size > (256<<20)/profileMax {
		return nil, nil, wrong("elements of dtype %s have no profile", cut(t.Name(), 100))
	}
	out := make([]byte, 0, len(path)*size)
	for rest := path; len(rest) > 0; {
		low, high, n := rest[0], rest[0], 0
		for _, p := range rest { // as many as a small rectangle has
			l, h := cell{min(low.y, p.y), min(low.x, p.x)}, cell{max(high.y, p.y), max(high.x, p.x)}
			if n > 0 && float64(h.y-l.y+1)*float64(h.x-l.x+1)*float64(size) > pieceMax {
				break
			}
			low, high, n = l, h, n+1
		}
		index := make([]npy.Index, 2)
		index[s.y], index[s.x] = npy.Span(low.y, high.y+1), npy.Span(low.x, high.x+1)
		part, err := s.src.Select(index...)
		if err != nil {
			return nil, nil, err
		}
		a, err := part.ReadAll(ctx)
		if err != nil {
			return nil, nil, err
		}
		if s.y > s.x {
			a = a.T()
		}
		data, _ := a.Contiguous().ViewBytes()
		width := high.x - low.x + 1
		for _, p := range rest[:n] {
			at := ((p.y-low.y)*width + p.x - low.x) * size
			out = append(out, data[at:at+size]...)
		}
		rest = rest[n:]
	}
	array, err := npy.FromBytes(t, out, len(path))
	return array, path, err
}

// linspace returns what NumPy writes after a picture for its elements along a line. A path of more corners has no
// expression.
func (s *selection) linspace(points string) (after func(text string) string, err error) {
	shape := s.src.Shape()
	if s.y < 0 || s.x < 0 || len(shape) != 2 {
		return nil, wrong("a profile is of a picture: at has to have y and x")
	}
	path, err := pathOf(points, shape[s.y], shape[s.x])
	if err != nil {
		return nil, err
	}
	if strings.Count(points, ";") != 1 {
		return func(string) string { return "" }, nil
	}
	first, last := path[0], path[len(path)-1]
	places := func(from, to int) string {
		return fmt.Sprintf("np.rint(np.linspace(%d, %d, %d)).astype(int)", from, to, len(path))
	}
	index := make([]string, 2)
	index[s.y], index[s.x] = places(first.y, last.y), places(first.x, last.x)
	return func(text string) string { return text + "[" + strings.Join(index, ", ") + "]" }, nil
}

// profile answers "profile": the elements along a path through a picture, with their statistics and histogram.
func (a *Answers) profile(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "yx", "")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	b, err := binsOf(q)
	if err != nil {
		return err
	}
	array, path, err := s.along(ctx, q)
	if err != nil {
		return err
	}
	all, err := stats.Of(ctx, array)
	if err != nil {
		return err
	}
	head := map[string]any{"fields": summaries(all, nil)}
	src, err := drawn(array)
	if err != nil {
		return err
	}
	if head["histogram"], err = b.histogram(ctx, array); err != nil {
		return err
	}
	values, err := floats(ctx, src, npy.All())
	if err != nil {
		return err
	}
	rows, columns := make([]float64, len(path)), make([]float64, len(path))
	for i, p := range path {
		rows[i], columns[i] = float64(p.y), float64(p.x)
	}
	return writeFrame(w, tag, head, plane{Name: "y", data: values}, plane{Name: "rows", data: rows}, plane{Name: "columns", data: columns})
}

// A bins says how a histogram is counted.
type bins struct {
	n         int
	low, high float64 // NaN: the smallest and the largest element
}

const binsMax = 4096

// binsOf reads the parameters bins, low and high.
func binsOf(q url.Values) (b bins, err error) {
	if b.n, err = number(q, "bins", 1, binsMax, 64); err != nil {
		return b, err
	}
	for i, end := range []*float64{&b.low, &b.high} {
		name := []string{"low", "high"}[i]
		*end = math.NaN()
		if text := q.Get(name); text != "" {
			if *end, err = strconv.ParseFloat(text, 64); err != nil || *end-*end != 0 {
				return b, wrong("%s is %q, and has to be a finite number", name, cut(text, 40))
			}
		}
	}
	if b.low >= b.high {
		return b, wrong("low is %v and high is %v: the range of a histogram has to begin before its end", b.low, b.high)
	}
	return b, nil
}

// histogramCode returns what NumPy writes around elements of dtype t for their histogram.
func histogramCode(q url.Values, t dtype.Type) (after func(text string) string, err error) {
	b, err := binsOf(q)
	if err != nil {
		return nil, err
	}
	return func(text string) string {
		switch {
		case b.low == b.low && b.high == b.high:
			return fmt.Sprintf("np.histogram(%s, bins=%d, range=(%v, %v))", text, b.n, b.low, b.high)
		case b.low == b.low || b.high == b.high || isTime(t):
			return ""
		case t.Kind() == dtype.KindFloat:
			return fmt.Sprintf("np.histogram((x := %s)[np.isfinite(x)], bins=%d)", text, b.n)
		}
		return fmt.Sprintf("np.histogram(%s, bins=%d)", text, b.n)
	}, nil
}

// histogram counts the elements of src, as numpy.histogram does.
func (b bins) histogram(ctx context.Context, src npy.Source) (map[string]any, error) {
	t := src.DType()
	var h stats.Histogram
	var err error
	if b.low != b.low && b.high != b.high {
		h, err = stats.HistogramOf(ctx, src, b.n)
	} else {
		h, err = b.between(ctx, src)
		t = dtype.Float64
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return nil, err
	}
	edges := make([]float64, len(h.Edges))
	for i, e := range h.Edges {
		edges[i] = edge(e, t)
	}
	counts := h.Counts
	if counts == nil {
		counts = []int64{}
	}
	return map[string]any{"edges": edges, "counts": counts}, nil
}

// between counts the elements of src between two ends. One that is not given is that of the elements.
func (b bins) between(ctx context.Context, src npy.Source) (h stats.Histogram, err error) {
	if src, err = drawn(src); err != nil {
		return h, err
	}
	if b.low != b.low || b.high != b.high {
		e, err := stats.ExtentOf(ctx, src)
		if err != nil {
			return h, err
		}
		if b.low != b.low {
			b.low = min(e.Low().Float64(), b.high)
		}
		if b.high != b.high {
			b.high = max(e.High().Float64(), b.low)
		}
		if b.low != b.low || b.high != b.high {
			return h, nil // there are no numbers
		}
	}
	edges, err := stats.BinEdges(b.low, b.high, b.n)
	if err != nil {
		return h, &Error{400, err}
	}
	return stats.HistogramIn(ctx, src, edges)
}
