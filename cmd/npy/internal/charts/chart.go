// Package charts draws arrays between axes: lines, points, histograms and heatmaps.
//
// A [Chart] takes arrays with Add, which reads only as much of each array as the chart can show, in bounded memory.
// It draws itself on a canvas: pixels, SVG, PDF or characters. The canvases are part of this package because plotting
// packages, gonum/plot above all, take longer to initialise than 'npy info' takes to read a header. A chart needs six
// operations of a canvas; PDF packages bring fonts, forms and encryption.
package charts

import (
	"bufio"
	"image/png"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// A Chart shows arrays between two axes: series of points, the bars of a histogram, or a drawing. Add adds arrays,
// Finish completes the chart, and Encode or Show draws it.
type Chart struct {
	options   Options
	name      string // of the first array
	sources   int    // arrays added
	title     string
	along     npy.Source // of SetX; nil without it
	alongName string
	x, y      axis
	series    []series
	hist      *histogram
	drawing   *pictures.Drawing
	alone     bool // draw no axes around the drawing
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
	to := canvases[ending](width, height, c.options.Fonts)
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
	to := newPNG(width, height, c.options.Fonts).(*pngCanvas)
	c.draw(to, width, height)
	buffered := bufio.NewWriter(w)
	if graphics == pictures.KittyGraphics {
		return pictures.WriteKitty(buffered, to.pixels, min(pictures.DivideUp(width, pictures.CharWidth), columns))
	}
	return pictures.WriteSixel(buffered, to.pixels)
}

// Unwritable returns the characters of the chart's texts that no font has a glyph for, in a file with an ending. SVG has
// the fonts of its viewer.
func (c *Chart) Unwritable(ending string) string {
	if c.alone || ending != ".png" && ending != ".pdf" {
		return ""
	}
	texts := []string{c.title, c.x.title, c.y.title}
	if len(c.series) > 1 {
		for _, s := range c.series {
			texts = append(texts, s.name)
		}
	}
	return c.options.Fonts.missing(texts...)
}

const (
	fontSize, titleSize = 12, 15
	margin, gapToText   = 16, 6
	colorBar            = 14  // width of the colour bar
	colorSteps          = 256 // its number of colours
)

// draw draws the chart on a canvas of a size in pixels.
func (c *Chart) draw(to canvas, width, height int) {
	area := box{margin, margin, float64(width) - margin, float64(height) - margin}
	if c.title != "" {
		area.top += titleSize + gapToText
		to.text(point{float64(width) / 2, margin + titleSize - 3}, shortened(to, c.title, titleSize, float64(width)-2*margin), alignCenter, titleSize)
	}
	area.bottom -= fontSize + gapToText
	if c.x.title != "" {
		area.bottom -= fontSize + gapToText
	}
	scale, hasScale := c.colorScale()
	if c.y.title != "" || scale.title != "" {
		area.top += fontSize + gapToText
	}
	yTicks := c.y.upright(area)
	area.left += widest(to, yTicks) + gapToText
	if hasScale {
		area.right = c.drawColorBar(to, area, scale)
	}
	names := c.legend(to, area)
	if names != nil && names.outside {
		area.right -= names.width() + gapToText
	}
	if area.width() < 1 || area.height() < 1 {
		return // the canvas is too small
	}
	if c.y.title != "" {
		to.text(point{margin, area.top - gapToText - 2}, shortened(to, c.y.title, fontSize, area.right-margin), alignLeft, fontSize)
	}
	if c.x.title != "" {
		text := shortened(to, c.x.title, fontSize, area.width())
		to.text(point{(area.left + area.right) / 2, float64(height) - margin}, text, alignCenter, fontSize)
	}
	c.drawGrid(to, area, yTicks)
	c.drawData(to, area)
	to.line(area.corners(), stroke{width: 1, color: ink})
	c.drawTicks(to, area, yTicks)
	if names != nil {
		names.draw(to, area)
	}
}

func widest(to canvas, ticks []tick) float64 {
	width := 0.0
	for _, t := range ticks {
		width = max(width, to.measure(t.label, fontSize))
	}
	return width
}

// shortened replaces the middle of a text that is wider than most by dots. A text can be the name of a member, of 64 KB:
// no more of it is measured than could fit.
func shortened(to canvas, s string, size, most float64) string {
	letters := []rune(s)
	if n := int(2 * most); len(letters) <= n && to.measure(s, size) <= most {
		return s
	}
	cut := func(n int) string { return string(letters[:n/2]) + "…" + string(letters[len(letters)-(n-1)/2:]) }
	tooWide := sort.Search(min(len(letters), max(int(2*most), 0)), func(n int) bool { return to.measure(cut(n+1), size) > most })
	return cut(max(tooWide, 1))
}

// xTicks returns the ticks of x: at most one for 75 pixels, or 95 where the labels are dates.
func (c *Chart) xTicks(area box) []tick {
	distance := 75.0
	if c.x.time {
		distance = 95
	}
	return c.x.ticks(max(int(area.width()/distance), 2))
}

// upright returns the ticks of an axis that is upright.
func (a axis) upright(area box) []tick { return a.ticks(max(int(area.height()/48), 2)) }

// drawGrid draws faint lines at the ticks.
func (c *Chart) drawGrid(to canvas, area box, yTicks []tick) {
	place := c.y.place()
	for _, t := range yTicks {
		y := area.bottom - place(t.at)*area.height()
		to.line([]point{{area.left, y}, {area.right, y}}, gridLine(t))
	}
	place = c.x.place()
	for _, t := range c.xTicks(area) {
		x := area.left + place(t.at)*area.width()
		to.line([]point{{x, area.top}, {x, area.bottom}}, gridLine(t))
	}
}

// gridLine is fainter for a tick without a label.
func gridLine(t tick) stroke {
	if t.label == "" {
		return stroke{width: 1, color: fainter}
	}
	return stroke{width: 1, color: faint}
}

// drawTicks draws the labels of ticks. Labels of x that would touch the previous label, or be cut, are left out.
func (c *Chart) drawTicks(to canvas, area box, yTicks []tick) {
	place := c.y.place()
	for _, t := range yTicks {
		y := area.bottom - place(t.at)*area.height()
		to.text(point{area.left - gapToText, y + fontSize/3}, t.label, alignRight, fontSize)
	}
	place = c.x.place()
	end, gap := math.Inf(-1), to.measure("  ", fontSize)
	ticks := c.xTicks(area)
	if c.x.down {
		slices.Reverse(ticks)
	}
	for _, t := range ticks {
		if t.label == "" {
			continue
		}
		x := area.left + place(t.at)*area.width()
		half := to.measure(t.label, fontSize) / 2
		right := area.right + margin + gapToText
		if x-half <= end+gap || x-half < 0 || x+half > right {
			continue
		}
		to.text(point{x, area.bottom + fontSize + gapToText/2}, t.label, alignCenter, fontSize)
		end = x + half
	}
}
