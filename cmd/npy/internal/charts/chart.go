// Package charts draws arrays between axes: lines, points, histograms and heatmaps.
//
// A [Chart] takes arrays with Add, which reads only as much of each array as the chart can show, in bounded memory.
// It draws itself on a canvas: pixels, SVG, PDF or characters. The canvases are part of this package because plotting
// packages, gonum/plot above all, take longer to initialise than 'npy info' takes to read a header. A chart needs six
// operations of a canvas; PDF packages bring fonts, forms and encryption.
package charts

import (
	"bufio"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// A Chart shows arrays between two axes: series of points, the bars of a histogram, or a drawing. Add adds arrays,
// Finish completes the chart, and Encode or Show draws it.
type Chart struct {
	options Options
	name    string // of the first array
	sources int    // arrays added
	title   string
	x, y    axis
	series  []series
	counts  []int // of bins of the same width along x
	drawing *pictures.Drawing
	alone   bool // draw no axes around the drawing
}

// New returns a chart without arrays.
func New(o Options) *Chart { return &Chart{options: o, title: o.Title} }

// Encode writes the chart in the format of a file ending. A PNG of a single image has the image's pixels, one for
// one.
func (c *Chart) Encode(w io.Writer, ending string) error {
	if c.alone && ending == ".png" {
		return png.Encode(w, c.drawing.NRGBA)
	}
	width, height := c.options.Size.Width, c.options.Size.Height
	if c.alone && !c.options.Size.set {
		width, height = c.drawing.Rect.Dx(), c.drawing.Rect.Dy()
	}
	to := canvases[ending](width, height)
	if c.alone {
		to.image(c.drawing.NRGBA, box{0, 0, float64(width), float64(height)})
	} else {
		c.draw(to, width, height)
	}
	return to.encode(w)
}

// Show draws the chart on a terminal: as an image if the terminal has graphics, else as lines of text.
func (c *Chart) Show(w io.Writer, columns, lines int, graphics string, colors pictures.CharColors) error {
	if graphics == pictures.BlocksGraphics {
		to := newText(columns, lines, colors)
		c.draw(to, columns*pictures.CharWidth, lines*pictures.CharHeight)
		return to.encode(w)
	}
	width, height := c.options.Size.Width, c.options.Size.Height
	to := newPNG(width, height).(*pngCanvas)
	c.draw(to, width, height)
	buffered := bufio.NewWriter(w)
	if graphics == pictures.KittyGraphics {
		return pictures.WriteKitty(buffered, to.pixels, min(pictures.DivideUp(width, pictures.CharWidth), columns))
	}
	return pictures.WriteSixel(buffered, to.pixels)
}

// seriesColors are the colours of Okabe and Ito, which people with any colour vision can tell apart, the darkest first.
var seriesColors = []uint32{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x333333}

const (
	fontSize, titleSize  = 12, 15
	margin, gapToText    = 16, 6
	colorBar, colorSteps = 14, 256 // width of the colour bar, and its number of colours
)

// draw draws the chart on a canvas of a size in pixels.
func (c *Chart) draw(to canvas, width, height int) {
	area := box{margin, margin, float64(width) - margin, float64(height) - margin}
	if c.title != "" {
		area.top += titleSize + gapToText
		to.text(point{float64(width) / 2, margin + titleSize - 3}, c.title, alignCenter, titleSize)
	}
	area.bottom -= fontSize + gapToText
	if c.x.title != "" {
		area.bottom -= fontSize + gapToText
		to.text(point{(area.left + area.right) / 2, float64(height) - margin}, c.x.title, alignCenter, fontSize)
	}
	ticks := c.y.ticks(max(int(area.height()/60), 2))
	area.left += widest(to, ticks) + gapToText
	if c.y.title != "" {
		area.top += fontSize + gapToText
		to.text(point{margin, area.top - gapToText - 2}, c.y.title, alignLeft, fontSize)
	}
	if c.drawing != nil && !c.drawing.RGB && c.drawing.Low == c.drawing.Low {
		area.right = c.drawColorBar(to, area)
	}
	if area.width() < 1 || area.height() < 1 {
		return // the canvas is too small
	}
	c.drawGrid(to, area, ticks)
	c.drawData(to, area)
	frame := []point{{area.left, area.top}, {area.right, area.top}, {area.right, area.bottom}, {area.left, area.bottom}, {area.left, area.top}}
	to.line(frame, 1, ink)
	c.drawLegend(to, area)
}

func widest(to canvas, ticks []tick) float64 {
	width := 0.0
	for _, t := range ticks {
		width = max(width, to.measure(t.label, fontSize))
	}
	return width
}

// drawGrid draws lines at the ticks and their labels. Labels of x that would touch the previous label are left out.
func (c *Chart) drawGrid(to canvas, area box, ticks []tick) {
	place := c.y.place()
	for _, t := range ticks {
		y := area.bottom - place(t.at)*area.height()
		to.line([]point{{area.left, y}, {area.right, y}}, 1, faint)
		to.text(point{area.left - gapToText, y + fontSize/3}, t.label, alignRight, fontSize)
	}
	place = c.x.place()
	end := math.Inf(-1)
	for _, t := range c.x.ticks(max(int(area.width()/90), 2)) {
		x := area.left + place(t.at)*area.width()
		to.line([]point{{x, area.top}, {x, area.bottom}}, 1, faint)
		if half := to.measure(t.label, fontSize) / 2; x-half > end+gapToText {
			to.text(point{x, area.bottom + fontSize + gapToText/2}, t.label, alignCenter, fontSize)
			end = x + half
		}
	}
}

func (c *Chart) drawData(to canvas, area box) {
	if c.drawing != nil {
		to.image(c.drawing.NRGBA, area)
		return
	}
	c.drawBars(to, area)
	placeX, placeY := c.x.place(), c.y.place()
	for i, s := range c.series {
		points := make([]point, len(s.x))
		for k := range s.x {
			points[k] = point{area.left + placeX(s.x[k])*area.width(), area.bottom - placeY(s.y[k])*area.height()}
		}
		paint := pictures.RGB(seriesColors[i%len(seriesColors)])
		if !s.joined {
			paint.A = 200
			to.dots(slices.Concat(runs(points)...), 1.5, paint)
			continue
		}
		for _, run := range runs(points) {
			if len(run) == 1 {
				to.dots(run, 1.5, paint)
				continue
			}
			to.line(run, 1.5, paint)
		}
	}
}

// runs splits points at points without a position.
func runs(points []point) [][]point {
	var all [][]point
	start := 0
	for i := 0; i <= len(points); i++ {
		if i < len(points) && !math.IsNaN(points[i].x+points[i].y) && !math.IsInf(points[i].x+points[i].y, 0) {
			continue
		}
		if i > start {
			all = append(all, points[start:i])
		}
		start = i + 1
	}
	return all
}

func (c *Chart) drawBars(to canvas, area box) {
	place := c.y.place()
	n := float64(len(c.counts))
	for i, count := range c.counts {
		top := place(float64(count))
		if count == 0 || !(top > 0) {
			continue
		}
		left, right := area.left+float64(i)/n*area.width(), area.left+float64(i+1)/n*area.width()
		if right-left > 3 {
			right--
		}
		to.fill(box{left, area.bottom - top*area.height(), right, area.bottom}, pictures.RGB(seriesColors[0]))
	}
}

// drawColorBar draws the colours and their numbers at the right of an area, and returns the right end of the rest.
func (c *Chart) drawColorBar(to canvas, area box) float64 {
	z := axis{low: c.drawing.Low, high: c.drawing.High, log: c.options.Log.Z}
	if z.low == z.high {
		z.settle(0)
	}
	ticks := z.ticks(max(int(area.height()/60), 2))
	bar := image.NewNRGBA(image.Rect(0, 0, 1, colorSteps))
	for i := range colorSteps {
		bar.SetNRGBA(0, i, c.options.Colors.At(1-float64(i)/(colorSteps-1)))
	}
	right := area.right - widest(to, ticks) - gapToText
	to.image(bar, box{right - colorBar, area.top, right, area.bottom})
	place := z.place()
	for _, t := range ticks {
		y := area.bottom - place(t.at)*area.height()
		to.line([]point{{right, y}, {right + gapToText/2, y}}, 1, ink)
		to.text(point{right + gapToText, y + fontSize/3}, t.label, alignLeft, fontSize)
	}
	return right - colorBar - margin
}

// drawLegend names the series in the upper right corner, if there are several.
func (c *Chart) drawLegend(to canvas, area box) {
	if len(c.series) < 2 {
		return
	}
	const line, sample = fontSize + 4, 20
	width := 0.0
	for _, s := range c.series {
		width = max(width, to.measure(s.name, fontSize))
	}
	left := area.right - width - sample - 3*gapToText
	top := area.top + gapToText
	to.fill(box{left, top, area.right - gapToText, top + line*float64(len(c.series)) + gapToText}, color.NRGBA{255, 255, 255, 216})
	for i, s := range c.series {
		y := top + line*float64(i+1)
		paint := pictures.RGB(seriesColors[i%len(seriesColors)])
		to.line([]point{{left + gapToText, y - 4}, {left + sample, y - 4}}, 3, paint)
		to.text(point{left + sample + gapToText, y}, strings.TrimSpace(s.name), alignLeft, fontSize)
	}
}
