package charts

import (
	"image"
	"image/color"
	"io"
)

// A canvas is a surface to draw a chart on: pixels, or a file of lines and text. Positions and lengths are in pixels
// of 1/96 inch, from the upper left corner.
type canvas interface {
	line(points []point, s stroke) // joins consecutive points, with round corners
	dots(points []point, m mark)
	fill(r box, c color.NRGBA)
	image(m *image.NRGBA, r box)
	text(at point, s string, align align, size float64) // at is on the baseline
	measure(s string, size float64) float64             // the length of a text
	grain() float64                                     // the side of the smallest area that can be seen
	encode(w io.Writer) error
}

// canvases holds the constructor of a canvas for each file ending.
var canvases = map[string]func(width, height int, fonts Fonts) canvas{".png": newPNG, ".svg": newSVG, ".pdf": newPDF}

type point struct{ x, y float64 }

// A box is the part of a canvas between two corners.
type box struct{ left, top, right, bottom float64 }

func (b box) width() float64  { return b.right - b.left }
func (b box) height() float64 { return b.bottom - b.top }

// An align is the part of a text that is to the left of its position.
type align float64

const (
	alignLeft   align = 0
	alignCenter align = 0.5
	alignRight  align = 1
)

// The colours of everything but data.
var (
	paper   = color.NRGBA{255, 255, 255, 255}
	ink     = color.NRGBA{51, 51, 51, 255}
	faint   = color.NRGBA{224, 224, 224, 255}
	fainter = color.NRGBA{241, 241, 241, 255}
)
