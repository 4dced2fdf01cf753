package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
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

var plotKinds = []string{linePlot, scatterPlot, histPlot, heatmapPlot, imagePlot}

const (
	linesMax  = 20   // lines in a chart
	imageSide = 4096 // pixels of an image that is written as it is
)

// A plotSource is an array that goes into a chart.
type plotSource struct {
	name string
	slicer
}

// kind chooses the chart for an array.
func (s plotSource) kind() string {
	switch shape := s.Shape(); {
	case s.DType().NumField() > 0, len(shape) == 2 && shape[1] == 2 && shape[0] > 2:
		return scatterPlot
	case len(shape) == 1:
		return linePlot
	}
	return heatmapPlot
}

// add puts an array into a chart.
func (c *chart) add(s plotSource, x plotting) error {
	kind := x.kind
	if kind == "" {
		kind = s.kind()
	}
	if c.name != "" && (kind != linePlot && kind != scatterPlot || len(c.series) == 0) {
		return fmt.Errorf("only lines and points share a chart with %s; plot the others alone, or give --kind", c.name)
	}
	first := c.name == ""
	if first {
		c.name = s.name
	}
	switch kind {
	case histPlot:
		return c.addHistogram(s, x)
	case heatmapPlot, imagePlot:
		return c.addDrawing(s, x, kind == imagePlot)
	}
	return c.addSeries(s, x, kind, first)
}

func (c *chart) addHistogram(s plotSource, x plotting) (err error) {
	if !isNumber(s.DType()) {
		return notNumbers(s.DType())
	}
	c.x, c.counts, err = histogram(s, x.bins, x.log.x, isTime(s.DType()))
	if err != nil {
		return err
	}
	c.x.title = c.x.timeTitle()
	most := float64(slices.Max(c.counts))
	if most == 0 {
		return errors.New("it has no finite numbers to count")
	}
	c.y = axis{low: 0, high: 1.05 * most, title: "count"}
	if x.log.y {
		c.y = axis{low: 0.5, high: 2 * most, title: "count", log: true}
	}
	return nil
}

// addDrawing makes a heatmap, or an image alone if that is asked for or the array has colours.
func (c *chart) addDrawing(s plotSource, x plotting, alone bool) error {
	p := picture{colors: c.colors, limits: x.limits, log: x.log.z, width: x.size.width, height: x.size.height}
	plane, err := choosePlane(s)
	if err != nil {
		return err
	}
	if (alone || plane.rgb) && !x.size.set {
		p.width, p.height = imageSide, imageSide
	}
	d, err := p.draw(s)
	if err != nil {
		return err
	}
	c.drawing, c.alone = &d, alone || d.rgb && x.kind == ""
	c.x = axis{low: -0.5, high: float64(d.columns) - 0.5}
	c.y = axis{low: -0.5, high: float64(d.rows) - 0.5, down: true}
	return nil
}

// A pair is the coordinates of a series: without x, the index is that.
type pair struct {
	x, y         *column
	xName, yName string
}

// addSeries makes lines or points.
func (c *chart) addSeries(s plotSource, x plotting, kind string, first bool) error {
	pairs, err := s.pairs(kind)
	if err != nil {
		return err
	}
	if len(c.series)+len(pairs) > linesMax {
		return fmt.Errorf("that makes %d lines, and more than %d nobody can tell apart; --kind heatmap shows them all, an index chooses some",
			len(c.series)+len(pairs), linesMax)
	}
	timeX, timeY := pairs[0].x != nil && isTime(pairs[0].x.of), isTime(pairs[0].y.of)
	if first {
		c.x, c.y = emptyAxis(x.log.x, timeX), emptyAxis(x.log.y, timeY)
		c.x.title, c.y.title = pairs[0].xName, pairs[0].yName
	}
	joined := kind == linePlot || x.kind == "" && (timeX || pairs[0].x == nil)
	for _, p := range pairs {
		if p.x != nil && isTime(p.x.of) != c.x.time || isTime(p.y.of) != c.y.time {
			return errors.New("times and other numbers have no axis in common; plot them alone")
		}
		if err := c.addPair(s, p, joined, len(pairs) > 1); err != nil {
			return err
		}
	}
	return nil
}

// addPair reads one series.
func (c *chart) addPair(s plotSource, p pair, joined, named bool) (err error) {
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
	case t.NumField() == 0 && !isNumber(t):
		return nil, notNumbers(t)
	case len(shape) == 0 || slices.Contains(shape, 0):
		return nil, fmt.Errorf("its shape is %s, which makes no line", format.ShapeString(shape))
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
	return nil, fmt.Errorf("its shape %s makes no lines or points; an index chooses a part that does, such as FILE[0, :]", format.ShapeString(shape))
}

// fieldPairs takes the first field for x if it is a time or there are two, and the index if not.
func (s plotSource) fieldPairs() ([]pair, error) {
	var pairs []pair
	for _, f := range s.DType().Fields() {
		if isNumber(f.DType) {
			pairs = append(pairs, pair{y: s.column(f.DType, []npy.Index{npy.Named(f.Name)}), yName: f.Name})
		}
	}
	if len(pairs) == 0 {
		return nil, errors.New("none of its fields are numbers; FILE['a']['b'] takes one of a nested record")
	}
	if x := pairs[0]; len(pairs) == 2 || len(pairs) > 2 && isTime(x.y.of) {
		pairs = pairs[1:]
		for i := range pairs {
			pairs[i].x, pairs[i].xName = x.y, x.yName
		}
	}
	return pairs, nil
}

// column returns what an index selects in each row.
func (s plotSource) column(of dtype.Type, rest []npy.Index) *column {
	return &column{slicer: s.slicer, rest: rest, of: of, length: s.Shape()[0]}
}

// oneSource puts the name of the only array above the chart, and takes it out of those of the series.
func (c *chart) oneSource() {
	if c.title == "" {
		c.title = c.name
	}
	for i := range c.series {
		c.series[i].name = strings.TrimPrefix(c.series[i].name, c.name+" ")
	}
}

// settle gives the axes of series their ends, once all are known.
func (c *chart) settle() {
	if len(c.series) == 0 {
		return
	}
	room := 0.03
	if c.series[0].joined {
		room = 0
	}
	c.x.settle(room)
	c.y.settle(0.04)
	if day := c.x.timeTitle(); day != "" {
		c.x.title = strings.TrimSpace(c.x.title + " " + day)
	}
}
