package answer

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/stats"
)

// numbers answers "numbers": lines of JSON, the last with the statistics and the histogram of a window, or of the whole array.
func (a *Answers) numbers(ctx context.Context, q url.Values, w Writer) error {
	var s *selection
	var err error
	whole := q.Get("all") == "1"
	if whole {
		s, err = a.target(ctx, q, false)
		if err == nil && q.Get("minus") != "" {
			err = a.subtract(ctx, s, q.Get("minus"))
		}
		if err == nil && q.Get("part") != "" {
			s.src, err = partOf(s.src, q.Get("part"))
		}
		if err != nil && s != nil {
			s.done()
		}
	} else {
		s, err = a.selection(ctx, q, "", "yxc")
	}
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	bins, err := binsOf(q)
	if err != nil {
		return err
	}
	src := s.src
	origin := make([]int, len(src.Shape())) // the first position along each axis
	if !whole {
		if src, origin, err = s.window(q); err != nil {
			return err
		}
	}
	histogram := isReal(src.DType())
	passes := 1
	if histogram {
		passes = 3 // HistogramOf has two
	}
	began := false
	begin := func() {
		if !began {
			began = true
			w.Head(Head{Type: "application/x-ndjson", ETag: tag})
		}
	}
	last := time.Now()
	p := tracked(src, passes, func(part float64) {
		if time.Since(last) < 300*time.Millisecond {
			return
		}
		last = time.Now()
		begin()
		fmt.Fprintf(w, "{\"done\":%.3f}\n", part)
		w.Flush()
	})
	all, err := stats.Of(ctx, p)
	if err != nil {
		return err
	}
	out := map[string]any{"fields": summaries(all, origin)}
	if histogram {
		if out["histogram"], err = bins.histogram(ctx, p); err != nil {
			return err
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	begin()
	_, err = w.Write(append(text, '\n'))
	return err
}

// edge returns the edge of a bin as a number: of times the ticks, as in the other answers.
func edge(v stats.Value, t dtype.Type) float64 {
	if t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta {
		parse, err := elem.Texts{}.Parser(t.WithByteOrder(dtype.LittleEndian))
		var item [8]byte
		if err == nil && parse(item[:], v.String()) == nil {
			return float64(int64(binary.LittleEndian.Uint64(item[:])))
		}
	}
	return v.Float64()
}

// window returns the window of a question and its first positions.
func (s *selection) window(q url.Values) (npy.Source, []int, error) {
	shape := s.src.Shape()
	index, origin := make([]npy.Index, len(shape)), make([]int, len(shape))
	for i := range shape {
		index[i] = npy.All()
		name := map[int]string{s.y: "y", s.x: "x"}[i]
		if name == "" {
			continue
		}
		low, high, err := s.span(q, name, i)
		if err != nil {
			return nil, nil, err
		}
		index[i], origin[i] = npy.Span(low, high), low
	}
	src, err := s.src.Select(index...)
	return src, origin, err
}

// A summary has statistics for the page, with the keys of [stats.Report]: texts, as NumPy prints them, for JavaScript has no
// int64. NaN counts NaT too.
type summary struct {
	Field  string `json:"field,omitempty"`
	Count  int64  `json:"count"`
	Finite int64  `json:"finite"`
	NaN    int64  `json:"nan"`
	Inf    int64  `json:"inf"`
	Zeros  int64  `json:"zeros"`
	Min    string `json:"min,omitempty"`
	Max    string `json:"max,omitempty"`
	Mean   string `json:"mean,omitempty"`
	Std    string `json:"std,omitempty"`
	Sum    string `json:"sum,omitempty"`
	ArgMin []int  `json:"argmin,omitempty"`
	ArgMax []int  `json:"argmax,omitempty"`
	MinLen int    `json:"min_length,omitempty"`
	MaxLen int    `json:"max_length,omitempty"`
}

func summaries(all []stats.Stats, origin []int) []summary {
	out := make([]summary, 0, len(all))
	moved := func(index []int) []int {
		if len(index) != len(origin) {
			return index
		}
		to := make([]int, len(index))
		for i := range index {
			to[i] = index[i] + origin[i]
		}
		return to
	}
	for i, s := range all {
		if i == fieldsMax {
			break
		}
		out = append(out, summary{cut(s.Field, 200), s.Count, s.Count - s.NaNs - s.Infs - s.NaTs, s.NaNs + s.NaTs, s.Infs, s.Zeros,
			extreme(s.Min, s.DType), extreme(s.Max, s.DType), s.Mean.String(), s.Std.String(), s.Sum.String(), moved(s.ArgMin), moved(s.ArgMax), s.MinLen, s.MaxLen})
	}
	return out
}

// extreme returns the text of an element that is the least or the largest, of dtype t: statistics have floats as float64.
func extreme(v stats.Value, t dtype.Type) string {
	if t.Kind() != dtype.KindFloat || t.ItemSize() > 4 || v.String() == "" {
		return v.String()
	}
	one, err := npy.FromSlice([]float64{v.Float64()}, []int{}...)
	if err == nil {
		one, err = one.Cast(t, npy.UnsafeCasting)
	}
	if err != nil {
		return v.String()
	}
	return npy.Printer{Precision: -1}.Str(one)
}
