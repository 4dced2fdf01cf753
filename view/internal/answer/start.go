package answer

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
)

// A start is how the page shows an array at first, where its address says nothing about it.
type start struct {
	View  string   `json:"view"` // "" leaves the choice to the page
	At    []string `json:"at"`   // of all axes
	Field string   `json:"field"`
	Xs    string   `json:"xs"` // the array of the x axis of lines, F.E or F.E.field
	Up    bool     `json:"up"` // the first row is at the bottom
}

// startTime is the time that looking at elements may take. Without an answer in this time the first position of each axis is shown.
const startTime = 1500 * time.Millisecond

// begin answers "start".
func (a *Answers) begin(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.target(ctx, q, false)
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	look, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return writeJSON(w, tag, a.startOf(look, s, a.axesOf(ctx, s)))
}

// Few rows are drawn as lines: at most seriesMax of at least seriesLong elements, seriesRatio times as long as many.
const (
	seriesMax   = 8
	seriesLong  = 50
	seriesRatio = 8
)

// startOf chooses a view by the shape, the coordinates and some elements of an array.
func (a *Answers) startOf(ctx context.Context, s *selection, axes []describedAxis) start {
	shape, t := s.src.Shape(), s.src.DType()
	if slices.Contains(shape, 0) || len(shape) == 0 {
		return start{At: []string{}}
	}
	if t.IsStruct() {
		return s.startOfRecords(ctx)
	}
	if !isReal(t) && t.Kind() != dtype.KindComplex {
		return start{At: []string{}}
	}
	at := make([]string, len(shape))
	var long []int // axes of more than one position
	for i, n := range shape {
		if n > 1 {
			long = append(long, i)
		}
	}
	xs := func(axis int) string {
		if axis < len(axes) {
			if c := axes[axis].usable(); c != nil {
				return fmt.Sprintf("%d.%d", c.F, c.E)
			}
		}
		return ""
	}
	st := start{At: at}
	if len(long) < 2 {
		x := len(shape) - 1
		if len(long) == 1 {
			x = long[0]
		}
		at[x], st.View, st.Xs = "x", "lines", xs(x)
		s.settle(ctx, at)
		return st
	}
	y, x := long[len(long)-2], long[len(long)-1]
	if c := s.coloursAxis(ctx, axes); c >= 0 {
		rest := slices.DeleteFunc(slices.Clone(long), func(i int) bool { return i == c })
		at[rest[len(rest)-2]], at[rest[len(rest)-1]], at[c], st.View = "y", "x", "c", "image"
		s.settle(ctx, at)
		return st
	}
	ny, nx := shape[y], shape[x]
	few := func(rows, n int) bool { return rows <= seriesMax && n >= seriesLong && n >= seriesRatio*rows }
	switch {
	case few(ny, nx) || few(nx, ny):
		if few(nx, ny) {
			y, x = x, y
		}
		at[y], at[x], st.View, st.Xs = "s", "x", "lines", xs(x)
	default:
		st.View = "heatmap"
		if y < len(axes) && x < len(axes) {
			v, h := axes[y].usable(), axes[x].usable()
			if v != nil && h != nil && isLongitude(v.Units) && isLatitude(h.Units) {
				y, x, v = x, y, h
			}
			st.Up = v != nil && v.Rises != (v.Positive == "down")
		}
		at[y], at[x] = "y", "x"
	}
	s.settle(ctx, at)
	return st
}

func isLatitude(units string) bool  { return isDegrees(units, "north") }
func isLongitude(units string) bool { return isDegrees(units, "east") }

// isDegrees reports whether units are CF's of a direction: degrees_north, degree_N, degreesN and the like.
func isDegrees(units, direction string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(units), "degree")
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "s"), "_")
	return ok && (rest == direction || rest == direction[:1])
}

// coloursNames are the names of dimensions that may be colours.
var coloursNames = map[string]bool{"": true, "c": true, "ch": true, "channel": true, "channels": true, "band": true, "bands": true, "rgb": true, "rgba": true, "color": true, "colour": true, "colors": true, "colours": true, "sample": true, "samples": true}

// coloursAxis returns the axis of 3 or 4 colours of an array of images, or -1: the last one, or the one before the two of an image.
// Bytes are taken for colours. Other numbers are if a sample of them lies in the range of colours.
func (s *selection) coloursAxis(ctx context.Context, axes []describedAxis) int {
	shape, t := s.src.Shape(), s.src.DType()
	n := len(shape)
	if n < 3 || codec.RealsOf(t) == nil || t.Kind() == dtype.KindBool {
		return -1
	}
	const least = 8 // positions of each axis of an image
	for _, c := range []int{n - 1, n - 3} {
		high, wide := shape[n-3], shape[n-2]
		if c == n-3 {
			high, wide = shape[n-2], shape[n-1]
		}
		if shape[c] != 3 && shape[c] != 4 || high < least || wide < least {
			continue
		}
		if c < len(axes) && (!coloursNames[strings.ToLower(axes[c].Name)] || axes[c].usable() != nil) {
			return -1
		}
		if t.Equal(dtype.Uint8) {
			return c
		}
		at := make([]string, n)
		at[n-1], at[n-2], at[n-3] = ":", ":", ":"
		low, top, ok := s.sample(ctx, at, 0.5)
		most := 1.0 // of floats
		if k := t.Kind(); k == dtype.KindInt || k == dtype.KindUint {
			if most = 255; t.ItemSize() > 1 {
				most = 65535
			}
		} else if top > 1.5 {
			most = 255
		}
		if ok && low >= 0 && top > low && top <= most && top > most/100 {
			return c
		}
		return -1
	}
	return -1
}

// settle sets the positions of the axes without a role, where there is something to see: the first of some positions whose elements,
// as far as they are sampled, are not all the same, or else the first with a number that is not zero.
func (s *selection) settle(ctx context.Context, at []string) {
	shape := s.src.Shape()
	set := func(share float64) []string {
		out := slices.Clone(at)
		for i, word := range out {
			if word == "" {
				out[i] = strconv.Itoa(int(share * float64(shape[i]-1)))
			}
		}
		return out
	}
	best, most := set(0), 0
	tried := map[string]bool{}
	for _, share := range []float64{0, 0.5, 0.25, 0.75, 1, 0.125, 0.375, 0.625, 0.875} {
		one := set(share)
		key := strings.Join(one, ",")
		if tried[key] || !slices.Contains(at, "") {
			continue
		}
		tried[key] = true
		low, high, ok := s.sample(ctx, one, 0)
		worth := 0
		switch {
		case ok && low < high:
			worth = 2
		case ok && low != 0:
			worth = 1
		}
		if worth > most {
			best, most = one, worth
		}
		if most == 2 || ctx.Err() != nil {
			break
		}
	}
	copy(at, best)
}

// sampleMax is the number of positions of each axis that are sampled, and sampleFar of those of compressed pieces.
const (
	sampleMax = 48
	sampleFar = 12
)

// sample returns the range of the finite elements of a sample. Words that are no position stand for a whole axis, and an empty word
// for the position at a share of the axis.
func (s *selection) sample(ctx context.Context, at []string, share float64) (low, high float64, ok bool) {
	shape := s.src.Shape()
	index := make([]npy.Index, len(shape))
	most := sampleMax
	if s.open.Entries[s.e].Chunks != nil {
		most = sampleFar
	}
	for i, word := range at {
		if k, err := strconv.Atoi(word); err == nil {
			index[i] = npy.At(k)
		} else if word == "" {
			index[i] = npy.At(int(share * float64(shape[i]-1)))
		} else {
			step := (shape[i] + most - 1) / most
			index[i] = npy.Span(step/2, shape[i]).By(step)
		}
	}
	values, err := s.reals(ctx, s.src, index...)
	if err != nil {
		return 0, 0, false
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v-v == 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high, low <= high
}

// reals reads a part of an array as numbers, of complex numbers the magnitudes.
func (s *selection) reals(ctx context.Context, src npy.Source, index ...npy.Index) ([]float64, error) {
	var err error
	if src.DType().Kind() == dtype.KindComplex {
		src, err = partOf(src, "abs")
	} else {
		src, err = drawn(src)
	}
	if err != nil {
		return nil, err
	}
	return floats(ctx, src, index...)
}

// timeNames are the names of fields that are the time of a record.
var timeNames = []string{"time", "timestamp", "datetime", "date", "utc", "t", "epoch"}

// startOfRecords chooses lines over the field of the time, if the records have one and follow each other in time.
func (s *selection) startOfRecords(ctx context.Context) start {
	none := start{At: []string{}}
	if len(s.src.Shape()) != 1 || s.src.Shape()[0] < 2 {
		return none
	}
	var clock, value string
	rank := len(timeNames) + 1 // of the clock; datetime64 has 0
	for _, f := range fieldsOf(nil, "", s.src.DType()) {
		if len(f.Shape) > 0 {
			continue
		}
		r := slices.Index(timeNames, strings.ToLower(f.Name)) + 1
		if f.Kind == "datetime" {
			r = 0
		} else if r == 0 || f.Kind != "int" && f.Kind != "uint" && f.Kind != "float" {
			continue
		}
		if r < rank {
			clock, rank = f.Name, r
		}
	}
	if clock == "" {
		return none
	}
	for _, kinds := range [][]string{{"float"}, {"int", "uint"}} {
		for _, f := range fieldsOf(nil, "", s.src.DType()) {
			if value == "" && len(f.Shape) == 0 && f.Name != clock && slices.Contains(kinds, f.Kind) {
				value = f.Name
			}
		}
	}
	times, err := fieldOf(s.src, clock)
	if err != nil || value == "" {
		return none
	}
	n := s.src.Shape()[0]
	values, err := s.reals(ctx, times, npy.Span(0, n).By((n+sampleMax-1)/sampleMax))
	if err != nil || !slices.IsSorted(values) || slices.ContainsFunc(values, func(v float64) bool { return v != v }) || values[0] == values[len(values)-1] {
		return none
	}
	return start{View: "lines", At: []string{"x"}, Field: value, Xs: fmt.Sprintf("%d.%d.%s", s.f, s.e, clock)}
}
