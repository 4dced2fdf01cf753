package charts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// The kinds of charts.
const (
	linePlot    = "line"
	scatterPlot = "scatter"
	histPlot    = "hist"
	heatmapPlot = "heatmap"
	imagePlot   = "image"
)

// Kinds lists the kinds of charts.
var Kinds = []string{linePlot, scatterPlot, histPlot, heatmapPlot, imagePlot}

const (
	linesMax  = 20   // lines in a chart
	imageSide = 4096 // largest side in pixels of an image that is written unchanged
)

// A plotSource is an array to add to a chart.
type plotSource struct {
	name string
	npy.Source
	ctx context.Context // of Chart.Add
}

// kind chooses the kind of chart for an array.
func (s plotSource) kind() string {
	switch shape := s.Shape(); {
	case s.DType().NumField() > 0, len(shape) == 2 && shape[1] == 2 && shape[0] > 2:
		return scatterPlot
	case len(shape) == 1:
		return linePlot
	}
	return heatmapPlot
}

// Add adds an array called name to the chart. note says which part or sample is shown, if not all.
func (c *Chart) Add(ctx context.Context, name string, array npy.Source) (note string, err error) {
	s := plotSource{name, array, ctx}
	kind := c.options.Kind
	if kind == "" {
		kind = s.kind()
	}
	first := c.sources == 0
	if !first && (kind != linePlot && kind != scatterPlot || len(c.series) == 0) {
		return "", fmt.Errorf("only lines and points share a chart with %s; plot the others alone, or give --kind", c.name)
	}
	if first {
		c.name = name
	}
	c.sources++
	switch kind {
	case histPlot:
		return "", c.addHistogram(s)
	case heatmapPlot, imagePlot:
		return c.addDrawing(s, kind == imagePlot)
	}
	return "", c.addSeries(s, kind, first)
}

func (c *Chart) addHistogram(s plotSource) (err error) {
	if !numbers.Numeric(s.DType()) {
		return numbers.NotNumeric(s.DType())
	}
	c.x, c.counts, err = histogram(s.ctx, s, c.options.Bins, c.options.Log.X, isTime(s.DType()))
	if err != nil {
		return err
	}
	c.x.title = c.x.timeTitle()
	most := float64(slices.Max(c.counts))
	if most == 0 {
		return errors.New("it has no finite numbers to count")
	}
	c.y = axis{low: 0, high: 1.05 * most, title: "count"}
	if c.options.Log.Y {
		c.y = axis{low: 0.5, high: 2 * most, title: "count", log: true}
	}
	return nil
}

// addDrawing makes a heatmap. It makes an image if alone is set or the array has colours.
func (c *Chart) addDrawing(s plotSource, alone bool) (note string, err error) {
	o := c.options
	p := pictures.Picture{Colors: o.Colors, Limits: o.Limits, Log: o.Log.Z, Width: o.Size.Width, Height: o.Size.Height}
	plane, err := pictures.ChoosePlane(s)
	if err != nil {
		return "", err
	}
	if (alone || plane.RGB) && !o.Size.set {
		p.Width, p.Height = imageSide, imageSide
	}
	d, err := p.Draw(s.ctx, s)
	if err != nil {
		return "", err
	}
	c.drawing, c.alone = &d, alone || d.RGB && o.Kind == ""
	c.x = axis{low: -0.5, high: float64(d.Columns) - 0.5}
	c.y = axis{low: -0.5, high: float64(d.Rows) - 0.5, down: true}
	if d.Leading != "" || d.Thinned {
		note = d.Caption(s)
	}
	return note, nil
}

// A pair is the coordinates of a series. Without x, the index takes its place.
type pair struct {
	x, y         *column
	xName, yName string
}

// addSeries adds lines or points.
func (c *Chart) addSeries(s plotSource, kind string, first bool) error {
	pairs, err := s.pairs(kind)
	if err != nil {
		return err
	}
	if len(c.series)+len(pairs) > linesMax {
		return fmt.Errorf("that is %d lines, more than %d; --kind heatmap shows them all, an index chooses some",
			len(c.series)+len(pairs), linesMax)
	}
	timeX, timeY := pairs[0].x != nil && isTime(pairs[0].x.of), isTime(pairs[0].y.of)
	if first {
		c.x, c.y = emptyAxis(c.options.Log.X, timeX), emptyAxis(c.options.Log.Y, timeY)
		c.x.title, c.y.title = pairs[0].xName, pairs[0].yName
	}
	joined := kind == linePlot || c.options.Kind == "" && (timeX || pairs[0].x == nil)
	for _, p := range pairs {
		if p.x != nil && isTime(p.x.of) != c.x.time || isTime(p.y.of) != c.y.time {
			return errors.New("times and other numbers cannot share an axis; plot them alone")
		}
		if err := c.addPair(s, p, joined, len(pairs) > 1); err != nil {
			return err
		}
	}
	return nil
}

// addPair reads one series.
func (c *Chart) addPair(s plotSource, p pair, joined, named bool) (err error) {
	one := series{name: s.name, joined: joined}
	if named {
		one.name = strings.TrimSpace(s.name + " " + p.yName)
	}
	if p.yName != c.y.title {
		c.y.title = ""
	}
	if joined || p.x == nil {
		one.x, one.y, err = p.y.line(p.x)
	} else {
		one.x, one.y, err = scatter(*p.x, *p.y, c.x.log, c.y.log)
	}
	c.x.include(one.x)
	c.y.include(one.y)
	c.series = append(c.series, one)
	return err
}

// pairs finds the coordinates in an array: the fields of records, the columns of a table, or the elements.
func (s plotSource) pairs(kind string) ([]pair, error) {
	shape := s.Shape()
	t := s.DType()
	switch {
	case t.NumField() == 0 && !numbers.Numeric(t):
		return nil, numbers.NotNumeric(t)
	case len(shape) == 0 || slices.Contains(shape, 0):
		return nil, fmt.Errorf("an array of shape %s cannot be drawn as a line", format.ShapeString(shape))
	case t.NumField() > 0 && len(shape) == 1:
		return s.fieldPairs()
	case t.NumField() == 0 && len(shape) == 1:
		return []pair{{y: s.column(t, nil)}}, nil
	case t.NumField() == 0 && len(shape) == 2 && kind == scatterPlot && shape[1] == 2:
		return []pair{{x: s.column(t, []npy.Index{npy.At(0)}), y: s.column(t, []npy.Index{npy.At(1)})}}, nil
	case t.NumField() == 0 && len(shape) == 2 && kind == linePlot && shape[1] <= linesMax:
		var pairs []pair
		for i := range shape[1] {
			pairs = append(pairs, pair{y: s.column(t, []npy.Index{npy.At(i)}), yName: "[:, " + strconv.Itoa(i) + "]"})
		}
		return pairs, nil
	}
	return nil, fmt.Errorf("an array of shape %s cannot be drawn as lines or points; choose a part with an index, such as FILE[0, :]", format.ShapeString(shape))
}

// fieldPairs uses the first field as x if it is a time or there are exactly two fields, and the index otherwise.
func (s plotSource) fieldPairs() ([]pair, error) {
	var pairs []pair
	for _, f := range s.DType().Fields() {
		if numbers.Numeric(f.DType) {
			pairs = append(pairs, pair{y: s.column(f.DType, []npy.Index{npy.Named(f.Name)}), yName: f.Name})
		}
	}
	if len(pairs) == 0 {
		return nil, errors.New("none of its fields are numbers; FILE['a']['b'] takes a field of a nested record")
	}
	if x := pairs[0]; len(pairs) == 2 || len(pairs) > 2 && isTime(x.y.of) {
		pairs = pairs[1:]
		for i := range pairs {
			pairs[i].x, pairs[i].xName = x.y, x.yName
		}
	}
	return pairs, nil
}

// column returns the elements that an index selects in each row.
func (s plotSource) column(of dtype.Type, rest []npy.Index) *column {
	return &column{Source: s.Source, ctx: s.ctx, rest: rest, of: of, length: s.Shape()[0]}
}

// Finish completes the chart; no arrays can be added afterwards. A single array gives the chart its name, and the
// axes of series get their ends.
func (c *Chart) Finish() {
	if c.sources == 1 {
		c.nameAfterSource()
	}
	if len(c.series) == 0 {
		return
	}
	margin := 0.03
	if c.series[0].joined {
		margin = 0
	}
	c.x.settle(margin)
	c.y.settle(0.04)
	if day := c.x.timeTitle(); day != "" {
		c.x.title = strings.TrimSpace(c.x.title + " " + day)
	}
}

// nameAfterSource moves the name of the only array from its series to the title.
func (c *Chart) nameAfterSource() {
	if c.title == "" {
		c.title = c.name
	}
	for i := range c.series {
		c.series[i].name = strings.TrimPrefix(c.series[i].name, c.name+" ")
	}
}
