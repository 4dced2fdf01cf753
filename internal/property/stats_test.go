package property_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/stats"
)

// Summaries equal exact arithmetic: of arrays, files, streams and the command.
func TestStatsBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "stats", Cases: 2500, Case: newStats}, differences)
}

// A statsCase is an array and the question about it.
type statsCase struct {
	A     *p.Array  `json:"a"`
	Index string    `json:"index"`
	Op    string    `json:"op"`
	Axis  int       `json:"axis"`
	Qs    []float64 `json:"qs"`
	Bins  int       `json:"bins"`

	most    int   // different values
	pieces  []int // the sizes of the pieces of a stream
	command bool
}

func newStats(g *p.G, e *p.Env) *p.Case {
	c := &statsCase{Op: p.Pick(g, "of", "of", "of", "axis", "quantiles", "histogram", "unique"), Bins: 10, Qs: []float64{}}
	k := map[string]p.Kinds{"of": p.Plain | p.Empty | p.Structs, "axis": p.Reals, "quantiles": p.Reals, "histogram": p.Reals, "unique": p.Ints | p.Bools}[c.Op]
	c.A = g.Array(k|p.Swapped, p.Pick(g, 10, 60, 300, 2500), p.NaNBits)
	if g.Chance(20) {
		c.Index = "[" + g.Index(c.A.Shape()) + "]"
	}
	switch c.Op {
	case "axis":
		n := len(c.A.Shape())
		c.Axis = g.Between(-n, max(n-1, 0))
	case "quantiles":
		for range g.Between(1, 4) {
			c.Qs = append(c.Qs, p.Pick(g, 0.5, 0, 1, 0.25, 0.1, 1.0/3, float64(g.Int(1000))/999))
		}
	case "histogram":
		c.Bins = p.Pick(g, 10, 1, 2, 3, 7, 50)
	case "unique":
		c.most = p.Pick(g, 20, 1, 5, 1000)
	}
	for range 3 {
		c.pieces = append(c.pieces, g.Between(1, 200))
	}
	c.command = g.Chance(10)
	return &p.Case{Ask: c, Facts: c, Check: c.check, Text: func() string {
		return fmt.Sprintf("%s of %s%s, axis %d, quantiles %v, %d bins", c.Op, c.A, c.Index, c.Axis, c.Qs, c.Bins)
	}}
}

func (c *statsCase) check(r *p.Report, a oracle.Answer) {
	path := r.Path("a.npy")
	if err := npy.WriteFile(path, c.A.Array); err != nil {
		panic(err)
	}
	var index []npy.Index
	part, err := c.A.Array, error(nil)
	if c.Index != "" {
		if index, err = npy.ParseIndex(c.Index); err == nil {
			part, err = part.Slice(index...)
		}
	}
	if err != nil { // in the index
		r.True("index", a.Error == "IndexError" || a.Error == "ValueError", err.Error(), a.Error+a.Message+string(a.Value))
		return
	}
	f := must(npy.Open(path))
	defer f.Close()
	switch c.Op {
	case "of":
		c.checkOf(r, a, part, f, index)
	case "axis":
		c.checkAxis(r, a, part, f, index)
	case "quantiles":
		c.checkQuantiles(r, a, part, f, index)
	case "histogram":
		c.checkHistogram(r, a, part, f, index)
	case "unique":
		c.checkUnique(r, a, part, f, index)
	}
}

// A leafStats is Python's summary of a field.
type leafStats struct {
	Field, Descr                                     string
	Count, NaN, Inf, NaT, Zeros, True, Empty         int64
	MinLen, MaxLen                                   int
	Min, Max, Sum, Mean, Im, Std, Scale, FSum, ImSum string
}

func (c *statsCase) checkOf(r *p.Report, a oracle.Answer, part *npy.Array, f *npy.File, index []npy.Index) {
	if a.Error != "" {
		r.Equal("of", "no error", a.Error+a.Message)
		return
	}
	want := p.Decode[[]leafStats](a)
	all, err := stats.Of(context.Background(), part)
	if err != nil || len(all) != len(want) {
		r.Equal("stats.Of", fmt.Sprintf("%d fields, %v", len(all), err), fmt.Sprintf("%d fields", len(want)))
		return
	}
	for i, w := range want {
		c.leaf(r, all[i], w)
	}
	ofFile, err := stats.Of(context.Background(), must(f.Select(index...)))
	if c.Index != "" && err == nil && len(ofFile) == len(want) { // taken in another order, with other rounding
		for i, w := range want {
			c.leaf(r, ofFile[i], w)
		}
	}
	if c.Index == "" {
		r.Equal("stats.OfFile", fmt.Sprint(ofFile, err), fmt.Sprint(all, nil))
		streamed, err := c.stream(f)
		r.Equal("stats.Accumulator", fmt.Sprint(withoutPositions(streamed), err), fmt.Sprint(withoutPositions(all), nil))
	}
	if c.command {
		c.commandOf(r, f, all)
	}
}

// withoutPositions leaves out the positions of extremes, which need the shape.
func withoutPositions(all []stats.Stats) []stats.Stats {
	all = slices.Clone(all)
	for i := range all {
		all[i].ArgMin, all[i].ArgMax = nil, nil
	}
	return all
}

// stored returns the bytes of the elements as they lie in the file.
func stored(f *npy.File) io.Reader {
	src, _ := npy.StoredOrder(f)
	data, ok := npy.DataOf(src)
	if !ok {
		panic("a file without bytes")
	}
	return data
}

// stream adds the elements in pieces.
func (c *statsCase) stream(f *npy.File) ([]stats.Stats, error) {
	acc, err := stats.New(f.DType())
	if err != nil {
		return nil, err
	}
	data := must(io.ReadAll(stored(f)))
	for i := 0; len(data) > 0; i++ {
		n := min(c.pieces[i%len(c.pieces)], len(data))
		acc.Add(data[:n])
		data = data[n:]
	}
	if f.DType().ItemSize() == 0 {
		acc.AddEmpty(int64(p.Size(f.Shape())))
	}
	return acc.Result()
}

// leaf compares the summary of a field.
func (c *statsCase) leaf(r *p.Report, got stats.Stats, want leafStats) {
	counts := func(s ...int64) string { return fmt.Sprint(s) }
	r.Equal("field", got.Field, want.Field)
	r.Equal("counts", counts(got.Count, got.NaNs, got.Infs, got.NaTs, got.Zeros, got.Trues, got.Empty, int64(got.MinLen), int64(got.MaxLen)),
		counts(want.Count, want.NaN, want.Inf, want.NaT, want.Zeros, want.True, want.Empty, int64(want.MinLen), int64(want.MaxLen)))
	kind := got.DType.Kind()
	switch kind {
	case dtype.KindDatetime, dtype.KindTimedelta:
		if got.DType.Step().Unit != dtype.Generic {
			r.Equal("min", got.Min.String(), want.Min)
			r.Equal("max", got.Max.String(), want.Max)
		}
		return
	case dtype.KindBool, dtype.KindInt, dtype.KindUint:
		if kind != dtype.KindBool {
			r.Equal("min", got.Min.String(), want.Min)
			r.Equal("max", got.Max.String(), want.Max)
		}
		r.Equal("sum", got.Sum.String(), orZero(want.Sum, got.Sum.IsValid()))
		r.Equal("mean of integers", floatText(got.Mean), want.Mean)
		r.Equal("std of integers", floatText(got.Std), want.Std)
		return
	case dtype.KindFloat:
		r.Equal("min", floatText(got.Min), plusZero(want.Min))
		r.Equal("max", floatText(got.Max), plusZero(want.Max))
		near(r, "sum", got.Sum.Float64(), want.FSum, want.Scale, float64(got.Count))
		near(r, "mean", got.Mean.Float64(), want.Mean, want.Scale, 1)
		nearStd(r, "std", got.Std.Float64(), want.Std, want.Scale)
	case dtype.KindComplex:
		if want.Mean == "" { // NumPy divides complex infinities as complex numbers
			return
		}
		mean, sum := got.Mean.Complex128(), got.Sum.Complex128()
		near(r, "mean", real(mean), want.Mean, want.Scale, 1)
		near(r, "mean, imaginary", imag(mean), want.Im, want.Scale, 1)
		near(r, "sum", real(sum), want.FSum, want.Scale, float64(got.Count))
		near(r, "sum, imaginary", imag(sum), want.ImSum, want.Scale, float64(got.Count))
		nearStd(r, "std", got.Std.Float64(), want.Std, want.Scale)
	}
}

func orZero(text string, valid bool) string {
	if text == "" && valid {
		return "0"
	}
	return text
}

// floatText is a value as Python's float.hex writes it, with 0 for -0; "" for a missing value.
func floatText(v stats.Value) string {
	if !v.IsValid() {
		return ""
	}
	return hexText(v.Float64())
}

func hexText(x float64) string {
	if math.IsNaN(x) {
		return "nan"
	}
	if math.IsInf(x, 0) {
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+"))
	}
	if x == 0 {
		return "0x0.0p+0"
	}
	m := strconv.FormatFloat(x, 'x', 13, 64)
	mantissa, exponent, _ := strings.Cut(m, "p")
	e := must(strconv.Atoi(exponent))
	if math.Abs(x) < 0x1p-1022 { // Python writes denormals with a leading 0
		mantissa = strings.Replace(strconv.FormatFloat(math.Copysign(1, x)+x*0x1p1022, 'x', 13, 64), "0x1.", "0x0.", 1)
		mantissa, _, _ = strings.Cut(mantissa, "p")
		e = -1022
	}
	return fmt.Sprintf("%sp%+d", mantissa, e)
}

// near compares a float with the exact result. It may differ by two units in the last place and by a small part of the
// size of the terms.
func near(r *p.Report, what string, got float64, want, scale string, n float64) {
	if want == "" { // nothing to summarise
		r.True(what, math.IsNaN(got) || got == 0, fmt.Sprint(got), "nothing")
		return
	}
	exact, size := parseHex(want), parseHex(scale)
	ok := got == exact || math.IsNaN(got) && math.IsNaN(exact) || math.Abs(got-exact) <= 0x1p-51*math.Abs(exact)+0x1p-95*size*n+0x1p-1073
	r.True(what, ok, hexText(got), want)
}

// nearStd is near for standard deviations, of which rounding counts more.
func nearStd(r *p.Report, what string, got float64, want, scale string) {
	if exact := parseHex(want); math.Abs(got-exact) < 0x1p-45*exact {
		want = hexText(got)
	}
	near(r, what, got, want, scale, 1)
}

func parseHex(text string) float64 {
	if text == "" {
		return 0
	}
	return must(strconv.ParseFloat(text, 64))
}

// commandOf compares the output of the command.
func (c *statsCase) commandOf(r *p.Report, f *npy.File, all []stats.Stats) {
	path := r.Path("command.npy")
	if err := (npy.Copier{}).WriteFile(context.Background(), path, f); err != nil {
		panic(err)
	}
	x := p.Npy("", "stats", "--json", path+c.Index)
	if x.Code != 0 {
		r.Equal("npy stats", x.Stderr, "")
		return
	}
	d := json.NewDecoder(strings.NewReader(x.Stdout))
	for _, s := range all {
		var got struct {
			Field               *string
			Count               int64
			Min, Max, Mean, Sum json.RawMessage
		}
		if err := d.Decode(&got); err != nil {
			r.Equal("npy stats", err.Error(), "")
			return
		}
		want := []string{text(s.Min), text(s.Max), text(s.Mean), text(s.Sum)}
		r.Equal("npy stats", fmt.Sprintf("%d %s", got.Count, []string{string(got.Min), string(got.Max), string(got.Mean), string(got.Sum)}), fmt.Sprintf("%d %s", s.Count, want))
	}
}

// text is the JSON of a value.
func text(v stats.Value) string { return string(must(json.Marshal(v))) }

func (c *statsCase) checkAxis(r *p.Report, a oracle.Answer, part *npy.Array, f *npy.File, index []npy.Index) {
	along, err := stats.AxisOf(context.Background(), part, c.Axis)
	mean, std, low, high := along.Mean, along.Std, along.Min, along.Max
	if a.Error != "" || err != nil {
		r.True("stats.Axis: error", a.Error != "" && err != nil, fmt.Sprint(err), a.Error+a.Message)
		return
	}
	want := p.Decode[struct {
		Shape   []int
		Results [][5]string
	}](a)
	r.Equal("stats.Axis: shape", fmt.Sprint(mean.Shape()), fmt.Sprint(want.Shape))
	all := [4][]float64{floats(mean), floats(std), floats(low), floats(high)}
	for i, w := range want.Results {
		for k, what := range []string{"mean along an axis", "std along an axis", "min along an axis", "max along an axis"} {
			switch got := all[k][i]; what {
			case "std along an axis": // cells are added to one by one
				if exact := parseHex(w[k]); math.Abs(got-exact) < 0x1p-44*exact {
					w[k] = hexText(got)
				}
				nearStd(r, what, got, w[k], w[4])
			case "mean along an axis":
				near(r, what, got, w[k], w[4], 1)
			default:
				near(r, what, got, w[k], w[4], 1)
			}
		}
	}
	along, err = stats.AxisOf(context.Background(), must(f.Select(index...)), c.Axis)
	mean2, std2, low2, high2 := along.Mean, along.Std, along.Min, along.Max
	if err != nil {
		r.Equal("stats.AxisOf: file", err.Error(), "")
		return
	}
	for k, x := range []*npy.Array{mean2, std2, low2, high2} {
		r.True("stats.AxisOf: file", slices.EqualFunc(floats(x), all[k], sameFloat), fmt.Sprint(floats(x)), fmt.Sprint(all[k]))
	}
	if c.command && c.Index == "" {
		c.commandAxis(r, f, mean)
	}
}

func sameFloat(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }

func floats(a *npy.Array) []float64 {
	return must(npy.As[float64](must(a.Cast(dtype.Float64, npy.SameKindCasting)))).ToSlice()
}

func (c *statsCase) commandAxis(r *p.Report, f *npy.File, mean *npy.Array) {
	path := r.Path("command.npy")
	if err := (npy.Copier{}).WriteFile(context.Background(), path, f); err != nil {
		panic(err)
	}
	x := p.Npy("", "stats", "--json", "--axis", strconv.Itoa(c.Axis), path)
	var got struct {
		Axis int
		Mean json.RawMessage
	}
	if err := json.Unmarshal([]byte(x.Stdout), &got); err != nil {
		r.Equal("npy stats --axis", x.Stdout+x.Stderr, "JSON")
		return
	}
	numbers := bytes.FieldsFunc(got.Mean, func(r rune) bool { return strings.ContainsRune("[], \n", r) })
	all := floats(mean)
	r.Equal("npy stats --axis", strconv.Itoa(len(numbers)), strconv.Itoa(len(all)))
	for i, n := range numbers {
		x, err := strconv.ParseFloat(strings.Trim(string(n), `"`), 64)
		r.True("npy stats --axis", err == nil && sameFloat(x, all[i]), string(n), fmt.Sprint(all[i]))
	}
}

func (c *statsCase) checkQuantiles(r *p.Report, a oracle.Answer, part *npy.Array, f *npy.File, index []npy.Index) {
	got, err := stats.QuantilesOf(context.Background(), part, c.Qs...)
	if a.Error != "" || err != nil {
		r.Equal("stats.Quantiles: error", fmt.Sprint(err), a.Error+a.Message)
		return
	}
	want := p.Decode[[]string](a)
	for i, x := range got[0].Values {
		got := x.Float64()
		if w := parseHex(want[i]); part.DType().ItemSize() == 8 && part.DType().Kind() != dtype.KindFloat && math.Abs(w) > 1<<53 && math.Abs(got-w) <= 0x1p-52*math.Abs(w) {
			want[i] = hexText(got) // NumPy was asked for the array as float64, and this is the exact quantile, rounded once
		}
		r.Equal("stats.Quantiles", hexText(got), plusZero(want[i]))
	}
	ofFile, err := stats.QuantilesOf(context.Background(), must(f.Select(index...)), c.Qs...)
	r.True("stats.QuantilesOfFile", err == nil && fmt.Sprint(ofFile) == fmt.Sprint(got), fmt.Sprint(ofFile, err), fmt.Sprint(got))
}

// plusZero is Python's text of a float, with 0 for -0.
func plusZero(text string) string {
	if text == "-0x0.0p+0" {
		return text[1:]
	}
	return text
}

func (c *statsCase) checkHistogram(r *p.Report, a oracle.Answer, part *npy.Array, f *npy.File, index []npy.Index) {
	got, err := stats.HistogramOf(context.Background(), part, c.Bins)
	if a.Error != "" || err != nil {
		r.True("stats.HistogramOf: error", a.Error != "" && err != nil, fmt.Sprint(err, got), a.Error+a.Message)
		return
	}
	want := p.Decode[struct {
		Counts []int64
		Edges  []string
	}](a)
	if want.Counts == nil {
		r.True("stats.HistogramOf", got.Edges == nil, fmt.Sprint(got), "nothing")
		return
	}
	r.Equal("stats.HistogramOf: counts", fmt.Sprint(got.Counts), fmt.Sprint(want.Counts))
	edges := make([]string, len(got.Edges))
	for i, e := range got.Edges {
		edges[i] = hexText(e.Float64())
	}
	for i, e := range want.Edges {
		want.Edges[i] = plusZero(e)
	}
	r.Equal("stats.HistogramOf: edges", fmt.Sprint(edges), fmt.Sprint(want.Edges))
	ofFile, err := stats.HistogramOf(context.Background(), must(f.Select(index...)), c.Bins)
	r.Equal("stats.HistogramOfFile", fmt.Sprint(ofFile, err), fmt.Sprint(got, nil))
}

func (c *statsCase) checkUnique(r *p.Report, a oracle.Answer, part *npy.Array, f *npy.File, index []npy.Index) {
	got, all, err := uniquesOf(part, c.most)
	if a.Error != "" || err != nil {
		r.Equal("query.Unique: error", fmt.Sprint(err), a.Error+a.Message)
		return
	}
	values := p.Decode[[][2]any](a)
	want := ""
	for _, v := range values {
		want += fmt.Sprintf("%v:%v ", v[0], v[1])
	}
	if len(values) > c.most {
		want = ""
	}
	r.Equal("query.Unique", fmt.Sprint(got, all), fmt.Sprint(want, len(values) <= c.most))
	ofFile, allOfFile, err := uniquesOf(must(f.Select(index...)), c.most)
	r.Equal("query.Unique of a file", fmt.Sprint(ofFile, allOfFile, err), fmt.Sprint(got, all, nil))
}

// uniquesOf returns the distinct values of src with their counts, bools as 0 and 1, unless there are more than most.
func uniquesOf(src npy.Source, most int) (text string, all bool, err error) {
	found, err := query.Unique{Max: most}.Of(context.Background(), src)
	if errors.As(err, new(*npy.LimitError)) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	var values []json.RawMessage
	if err := json.Unmarshal(must(json.Marshal(must(found.Field("value")))), &values); err != nil {
		return "", false, err
	}
	counts := must(npy.As[int64](must(found.Field("count")))).ToSlice()
	for i, v := range values {
		switch string(v) {
		case "true":
			v = json.RawMessage("1")
		case "false":
			v = json.RawMessage("0")
		}
		text += fmt.Sprintf("%s:%d ", v, counts[i])
	}
	return text, true, nil
}
