package answer

import (
	"context"
	"fmt"
	"math"
	"net/url"
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
	edgesMax   = 1025     // of the bins of a question
	sampledMin = 1 << 20  // elements from which on a quick answer is of a sample
	sampleEdge = 512      // rows and columns of the sample
	quickBytes = 64 << 20 // that a quick answer keeps of the sample at most
)

// spread answers "spread": how the finite elements of a window are spread. With cut, it has the percentiles cut and 100-cut of
// them; with edges, the number of elements in each bin between these edges. With positive=1 only elements above 0 count.
// The answer to quick=1 is of a sample if there are many elements, and says so.
func (a *Answers) spread(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "", "yxc")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	percent := math.NaN()
	if text := q.Get("cut"); text != "" {
		if percent, err = strconv.ParseFloat(text, 64); err != nil || !(percent >= 0 && percent < 50) {
			return wrong("cut is %q, and has to be a number of percent from 0 to less than 50", cut(text, 40))
		}
	}
	edges, err := edgesOf(q.Get("edges"))
	if err != nil {
		return err
	}
	src, _, err := s.window(q)
	if err == nil {
		src, err = drawn(src)
	}
	if err != nil {
		return err
	}
	exact := true
	if n := elements(src.Shape()); q.Get("quick") == "1" && n > sampledMin {
		exact = false
		if src, err = sampled(ctx, src, s.c); err != nil {
			return err
		}
	}
	positive := q.Get("positive") == "1"
	if positive || src.DType().Kind() == dtype.KindFloat {
		if src, err = counted(src, positive); err != nil {
			return err
		}
	}
	out := map[string]any{"exact": exact, "elements": elements(src.Shape())}
	if percent == percent {
		key := fmt.Sprint(s.key, " spread ", percent, positive, exact, q.Get("y0"), " ", q.Get("y1"), " ", q.Get("x0"), " ", q.Get("x1"))
		v, err := a.kept.get(ctx, key, s.hold, func(ctx context.Context) (any, int64, error) {
			ends, err := percentiles(ctx, src, percent)
			return ends, 64, err
		})
		if err != nil {
			return err
		}
		if ends := v.([2]float64); ends[0] <= ends[1] {
			out["low"], out["high"] = ends[0], ends[1]
		}
	}
	if edges != nil {
		h, err := stats.HistogramIn(ctx, src, edges)
		if err != nil {
			return err
		}
		out["counts"] = h.Counts
	}
	return writeJSON(w, tag, out)
}

// edgesOf reads the edges of bins.
func edgesOf(text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	if strings.Count(text, ",") >= edgesMax {
		return nil, wrong("edges has more than %d numbers", edgesMax)
	}
	var edges []float64
	for i, word := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || x-x != 0 || i > 0 && x < edges[i-1] {
			return nil, wrong("edge %q has to be a finite number, and not less than the one before it", cut(word, 40))
		}
		edges = append(edges, x)
	}
	if len(edges) < 2 {
		return nil, wrong("edges %q has to be two numbers at least", cut(text, 40))
	}
	return edges, nil
}

// percentiles returns the percentiles at percent and 100-percent. They are NaN if there is no number.
func percentiles(ctx context.Context, src npy.Source, percent float64) (ends [2]float64, err error) {
	if percent == 0 {
		e, err := stats.ExtentOf(ctx, src)
		return [2]float64{e.Low().Float64(), e.High().Float64()}, err
	}
	all, err := stats.QuantilesOf(ctx, src, percent/100, 1-percent/100)
	if err != nil || len(all) == 0 {
		return [2]float64{math.NaN(), math.NaN()}, err
	}
	return [2]float64{all[0].Values[0].Float64(), all[0].Values[1].Float64()}, nil
}

// counted returns src as float64 with NaN for elements that do not count: infinite ones, and with positive those up to 0.
func counted(src npy.Source, positive bool) (npy.Source, error) {
	read := codec.RealsOf(src.DType())
	return npy.Computed(dtype.Float64, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		var buf codec.Buffer
		out := make([]float64, n)
		for i, x := range read(&buf, src[0]) {
			if out[i] = x; x-x != 0 || positive && !(x > 0) {
				out[i] = math.NaN()
			}
		}
		bulk.Encode(dst, out, !dtype.Float64.IsNative())
		return nil
	}, src)
}

// sampled returns elements of src at equal distances, in memory. c is its axis of colours, -1 for none.
func sampled(ctx context.Context, src npy.Source, c int) (npy.Source, error) {
	colours := []npy.Source{src}
	if c >= 0 {
		n := src.Shape()[c]
		if n > quickBytes/(8*sampleEdge*sampleEdge) {
			return nil, wrong("an axis of colours has 3 or 4 positions, not %d", n)
		}
		colours = make([]npy.Source, n)
		for i := range colours {
			index := make([]npy.Index, len(src.Shape()))
			for k := range index {
				index[k] = npy.All()
			}
			index[c] = npy.At(i)
			var err error
			if colours[i], err = src.Select(index...); err != nil {
				return nil, err
			}
		}
	}
	var values []float64
	for _, one := range colours {
		switch shape := one.Shape(); len(shape) {
		case 1:
			step := shape[0]/(sampleEdge*sampleEdge) + 1
			part, err := floats(ctx, one, npy.Span(step/2, shape[0]).By(step))
			if err != nil {
				return nil, err
			}
			values = append(values, part...)
		default:
			p, err := raster.Quick(ctx, one, raster.Window{Y1: shape[0], X1: shape[1]}, sampleEdge, sampleEdge)
			if err != nil {
				return nil, err
			}
			values = append(values, p.Values...)
		}
	}
	return npy.FromSlice(values, len(values))
}
