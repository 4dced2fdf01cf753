package charts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
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
	linesMax  = 20   // series in a chart
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

// SetX makes the elements of an array of one dimension the places along x of all series. name is the name of the array.
func (c *Chart) SetX(name string, x npy.Source) error {
	shape := x.Shape()
	switch t := x.DType(); {
	case len(shape) != 1:
		return fmt.Errorf("its shape is %s, and --x takes one dimension; choose a part with an index", shapeText(x))
	case !isReal(t):
		return notOnX(t)
	}
	c.along, c.alongName, c.options.X = x, name, ""
	return nil
}

// Add adds an array called name to the chart. The notes name the part or sample that is shown, if not all, and the points
// that are left out.
func (c *Chart) Add(ctx context.Context, name string, array npy.Source) (notes []string, err error) {
	s := plotSource{name, array, ctx}
	o := c.options
	kind := o.Kind
	if kind == "" {
		kind = s.kind()
		if kind == heatmapPlot && (o.X != "" || o.Y != nil || o.Axis != NoAxis || c.along != nil) {
			kind = linePlot
		}
	}
	first := c.sources == 0
	if !first && (kind != linePlot && kind != scatterPlot || len(c.series) == 0) {
		return nil, fmt.Errorf("only lines and points share a chart with %s; plot the others alone, or give --kind", c.name)
	}
	if err := o.fit(kind); err != nil {
		return nil, err
	}
	if first {
		c.name = name
	}
	c.sources++
	switch kind {
	case histPlot:
		return c.addHistogram(s)
	case heatmapPlot, imagePlot:
		return c.addDrawing(s, kind == imagePlot)
	}
	return c.addSeries(s, kind, first)
}

// fit returns an error for options that a kind of chart has no use for.
func (o Options) fit(kind string) error {
	drawn := kind == heatmapPlot || kind == imagePlot
	switch {
	case drawn && (o.Log.X || o.Log.Y):
		return fmt.Errorf("--log x and y are for lines, points and histograms; the logarithm of the colours of a %s is z", kind)
	case !drawn && o.Log.Z:
		return fmt.Errorf("--log z is for the colours of a heatmap or an image, and this is a %s; the axes are x and y", kind)
	case drawn && (o.X != "" || o.Y != nil):
		return fmt.Errorf("--x and --y are for lines, points and histograms, not for a %s", kind)
	case (drawn || kind == histPlot) && o.Labels != nil:
		return errors.New("--label names lines and points; the title and the axes have --title, --xlabel and --ylabel")
	case (drawn || kind == histPlot) && o.Axis != NoAxis:
		return errors.New("--axis is for lines and points: the axis that they run along")
	case kind == imagePlot && (o.XLimits.text != "" || o.YLimits.text != "" || o.XLabel != "" || o.YLabel != ""):
		return errors.New("an image has no axes; --kind heatmap draws them")
	}
	return nil
}

// addDrawing makes a heatmap. It makes an image if alone is set or the array has colours.
func (c *Chart) addDrawing(s plotSource, alone bool) (notes []string, err error) {
	o := c.options
	p := pictures.Picture{Colors: o.Colors, Limits: o.Limits, Log: o.Log.Z, Width: o.Size.Width, Height: o.Size.Height}
	left, top, err := c.crop(&s)
	if err != nil {
		return nil, err
	}
	plane, err := pictures.ChoosePlane(s)
	if err != nil {
		return nil, err
	}
	if (alone || plane.RGB) && !o.Size.set {
		p.Width, p.Height = imageSide, imageSide
	}
	d, err := p.Draw(s.ctx, s)
	if err != nil {
		return nil, err
	}
	titled := o.Title+o.XLabel+o.YLabel != ""
	c.drawing, c.alone = &d, alone || d.RGB && o.Kind == "" && !titled
	c.x.low, c.x.high, c.x.whole = left-0.5, left+float64(d.Columns)-0.5, true
	c.y.low, c.y.high, c.y.whole, c.y.down = top-0.5, top+float64(d.Rows)-0.5, true, true
	if d.Leading != "" || d.Thinned {
		notes = append(notes, d.Caption(s))
	}
	if d.NotPositive == len(d.Pix)/4 && o.Log.Z {
		return nil, errors.New("none of its numbers is positive, and a log scale has no others; leave --log out")
	} else if d.NotPositive > 0 {
		notes = append(notes, fmt.Sprintf("of %d pixels, %s", len(d.Pix)/4,
			reason{d.NotPositive, "not positive", ""})+" and without a colour on a log scale")
	}
	return notes, nil
}

// crop replaces an array of two dimensions by the part within --xlim and --ylim, and returns the place of its first
// column and row.
func (c *Chart) crop(s *plotSource) (left, top float64, err error) {
	c.x, c.y = emptyAxis(false, false), emptyAxis(false, false)
	if err := errors.Join(c.x.limit("--xlim", c.options.XLimits), c.y.limit("--ylim", c.options.YLimits)); err != nil {
		return 0, 0, err
	}
	if !c.x.limited() && !c.y.limited() {
		return 0, 0, nil
	}
	shape := s.Shape()
	if len(shape) != 2 {
		return 0, 0, fmt.Errorf("--xlim and --ylim of a heatmap need two dimensions, and its shape is %s; choose a part with an index", shapeText(s))
	}
	columns, rows := c.x.span(shape[1]), c.y.span(shape[0])
	if columns[0] >= columns[1] || rows[0] >= rows[1] {
		return 0, 0, fmt.Errorf("nothing of its shape %s is within --xlim and --ylim", shapeText(s))
	}
	s.Source, err = s.Select(npy.Span(rows[0], rows[1]), npy.Span(columns[0], columns[1]))
	c.x.from, c.x.to, c.y.from, c.y.to = bound{}, bound{}, bound{}, bound{}
	return float64(columns[0]), float64(rows[0]), err
}

// span returns the range of the n indices that are within the limits of an axis.
func (a axis) span(n int) [2]int {
	start, stop := 0.0, float64(n)
	if a.from.set {
		start = min(max(math.Ceil(a.from.at), 0), stop)
	}
	if a.to.set {
		stop = max(min(math.Floor(a.to.at)+1, stop), 0)
	}
	return [2]int{int(start), int(stop)}
}

// addSeries adds lines or points.
func (c *Chart) addSeries(s plotSource, kind string, first bool) (notes []string, err error) {
	pairs, err := c.pairs(s, kind)
	if err != nil {
		return nil, err
	}
	if n := len(c.series) + len(pairs); n > linesMax {
		return nil, fmt.Errorf("that is %d lines, more than %d; --kind heatmap shows them all, --y or an index chooses some", n, linesMax)
	}
	timeX, timeY := pairs[0].x != nil && isTime(pairs[0].x.of), isTime(pairs[0].y.of)
	if first {
		if err := c.begin(pairs[0], timeX, timeY); err != nil {
			return nil, err
		}
	}
	joined := kind == linePlot
	if c.options.Kind == "" {
		if joined, err = c.rises(pairs[0]); err != nil {
			return nil, err
		}
	}
	var whole tally
	if joined && pairs[0].x != nil && isTime(pairs[0].x.of) && s.DType().NumField() > 0 && c.along == nil {
		var note string
		if s.Source, note, err = c.inOrder(s, pairs[0]); err != nil {
			return nil, err
		}
		if note != "" {
			notes = append(notes, note)
		} else if pairs, err = c.pairs(s, kind); err != nil {
			return nil, err
		}
	}
	for _, p := range pairs {
		if p.x != nil && isTime(p.x.of) != c.x.time || p.x == nil && c.x.time || isTime(p.y.of) != c.y.time {
			return nil, errors.New("times and other numbers cannot share an axis; plot them alone")
		}
		t, err := c.addPair(s, p, joined, len(pairs) > 1)
		if err != nil {
			return nil, err
		}
		whole.add(t)
	}
	if whole.left() == 0 {
		return nil, whole.nothing()
	}
	return append(notes, whole.words()...), nil
}

// sortedBytes are the most bytes of records that are sorted for a line along their times.
const sortedBytes = 256 << 20

// inOrder returns records in the order of their times, so that a line along them does not run to and fro. Records that are too many to
// be sorted stay as they are, with a note if their first times are not in order.
func (c *Chart) inOrder(s plotSource, p pair) (_ npy.Source, note string, err error) {
	n := p.x.length
	most := sortedBytes / max(s.DType().ItemSize(), 1)
	looked := n
	if n > most {
		looked = min(n, scatterMax)
	}
	times, err := p.x.part(0, looked)
	if err != nil || !falls(times) {
		return s.Source, "", err
	}
	if n > most {
		return s.Source, fmt.Sprintf("the times of %s are not in order, so the line runs to and fro; sort them by 'npy sort --by %s'", p.xName, p.xName), nil
	}
	sorted, err := query.Sort{By: []query.Key{{Field: p.xName}}}.Array(s.ctx, s.Source)
	return sorted, "", err
}

// falls reports whether a number is less than one before it. NaN is left out.
func falls(xs []float64) bool {
	last := math.Inf(-1)
	for _, v := range xs {
		if v < last {
			return true
		}
		if v == v {
			last = v
		}
	}
	return false
}

// begin chooses the axes for the first series.
func (c *Chart) begin(p pair, timeX, timeY bool) error {
	c.x, c.y = emptyAxis(c.options.Log.X, timeX), emptyAxis(c.options.Log.Y, timeY)
	c.x.title, c.y.title = p.xName, p.yName
	c.x.whole = p.x == nil || isWhole(p.x.of)
	for _, a := range []*axis{&c.x, &c.y} {
		if a.time && a.log {
			return errors.New("an axis of times cannot be logarithmic; leave --log out")
		}
	}
	return errors.Join(c.x.limit("--xlim", c.options.XLimits), c.y.limit("--ylim", c.options.YLimits))
}

// rises reports whether points are joined by default. They are along their index, along times, and along --x if its first
// numbers never fall.
func (c *Chart) rises(p pair) (bool, error) {
	switch {
	case p.x == nil, isTime(p.x.of):
		return true, nil
	case c.options.X == "" && c.along == nil:
		return false, nil
	}
	xs, err := p.x.part(0, min(p.x.length, scatterMax))
	return len(xs) > 1 && !falls(xs), err
}

// addPair reads one series.
func (c *Chart) addPair(s plotSource, p pair, joined, named bool) (t tally, err error) {
	var one series
	if joined {
		one, t, err = p.line(&c.x, &c.y, c.options.Size.Width)
	} else {
		one, t, err = p.scatter(&c.x, &c.y, c.options.Size)
	}
	one.name = s.name
	if named {
		one.name = strings.TrimSpace(s.name + " " + p.yName)
	}
	if p.yName != c.y.title {
		c.y.title = ""
	}
	if p.x == nil && joined && !c.x.limited() {
		c.x.include(0, float64(p.y.length-1))
	}
	for i, v := range one.x {
		if c.x.within(v) && c.y.within(one.y[i]) && v == v && one.y[i] == one.y[i] {
			c.x.include(v)
			c.y.include(one.y[i])
		}
	}
	c.series = append(c.series, one)
	return t, err
}

// Finish completes the chart; no arrays can be added afterwards. A single array gives the chart its name, and the
// axes of series get their ends.
func (c *Chart) Finish() error {
	if c.sources == 1 {
		c.nameAfterSource()
	}
	if c.options.Labels != nil && len(c.options.Labels) != len(c.series) {
		return fmt.Errorf("--label names %d series, and the chart has %d", len(c.options.Labels), len(c.series))
	}
	for i, label := range c.options.Labels {
		c.series[i].name = label
	}
	if len(c.series) > 0 {
		margin := 0.03
		if c.series[0].joined {
			margin = 0
		}
		c.x.settle(margin)
		c.y.settle(0.04)
	}
	if day := c.x.timeTitle(); day != "" {
		c.x.title = strings.TrimSpace(c.x.title + " (" + day + ")")
	}
	if c.options.XLabel != "" {
		c.x.title = c.options.XLabel
	}
	if c.options.YLabel != "" {
		c.y.title = c.options.YLabel
	}
	return nil
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

// isReal reports whether numbers of a dtype have one place on an axis.
func isReal(t dtype.Type) bool { return numeric(t) && t.Kind() != dtype.KindComplex }
