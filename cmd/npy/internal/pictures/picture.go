// Package pictures turns arrays into images, and images into output for terminals.
//
// A [Picture] reduces an array to pixels and colours them. [WriteImage] prints the image as characters, or in the
// graphics protocol of kitty or of sixel terminals.
package pictures

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A Picture says how an array becomes an image. In an array with rows and columns each number has a colour. In an
// array with a last axis of three or four numbers of type uint8, uint16 or float from 0 to 1, the numbers are red,
// green, blue and opacity. The first index of leading axes is shown; an array of one dimension is one row.
//
// The image has at most Width by Height pixels. If an array of up to 64 MB has more elements, a pixel is the mean of
// its elements, without NaN and infinities. In a larger array a pixel is its middle element, and no other element is
// read.
type Picture struct {
	Colors        Colormap
	Limits        Limits
	Log           bool
	Width, Height int // the largest size in pixels
}

const (
	averagedMax = 64 << 20 // largest array in bytes whose pixels are means
	bandMax     = 4 << 20  // bytes that are read at a time
	longestSide = 20       // largest ratio of the sides at which an image keeps the proportions of the array
)

// A Drawing is the image of an array and its description.
type Drawing struct {
	*image.NRGBA
	index         []npy.Index // the part of the array that is shown
	Leading       string      // the same as text, "" if all of it is shown
	Rows, Columns int         // of this part
	RGB           bool
	Low, High     float64 // the numbers of the first and the last colour; NaN if no number is finite
	Thinned       bool    // only some of the elements were read
	NotPositive   int     // pixels of numbers that have no place on a logarithmic scale
}

// Draw makes the image.
func (p Picture) Draw(ctx context.Context, s npy.Source) (Drawing, error) {
	d, err := ChoosePlane(s)
	if err != nil {
		return d, err
	}
	depth := 1
	if d.RGB {
		depth = s.Shape()[len(s.Shape())-1]
	}
	values, err := p.sample(ctx, s, &d, depth)
	if err != nil {
		return d, err
	}
	if d.RGB && s.DType().Kind() == dtype.KindFloat && !areShares(values) { // a third axis like any other
		d, err = firstPlane(s, 2)
		if err != nil {
			return d, err
		}
		if values, err = p.sample(ctx, s, &d, 1); err != nil {
			return d, err
		}
	}
	if d.RGB {
		paint(d.NRGBA, values, depth, fullScale(s.DType()))
		return d, nil
	}
	p.color(&d, values, s.DType().Kind() == dtype.KindBool)
	return d, nil
}

// ChoosePlane finds the part of an array to show: its rows, columns and, if it looks like an image, colours.
func ChoosePlane(s npy.Source) (Drawing, error) {
	if !numbers.Numeric(s.DType()) {
		return Drawing{}, numbers.NotNumeric(s.DType())
	}
	shape := s.Shape()
	if n := len(shape); n >= 3 && (shape[n-1] == 3 || shape[n-1] == 4) && fullScale(s.DType()) > 0 {
		d, err := firstPlane(s, 3)
		d.RGB = true
		return d, err
	}
	return firstPlane(s, 2)
}

// fullScale returns the largest value of a colour of a dtype, or 0 for dtypes that are never colours.
func fullScale(t dtype.Type) float64 {
	switch {
	case t.Kind() == dtype.KindFloat:
		return 1
	case t.Kind() == dtype.KindUint && t.ItemSize() <= 2:
		return float64(uint(1)<<(8*t.ItemSize()) - 1)
	}
	return 0
}

// areShares reports whether there are numbers and all are from 0 to 1.
func areShares(values []float64) bool {
	found := false
	for _, x := range values {
		if x < 0 || x > 1 {
			return false
		}
		found = found || x == x
	}
	return found
}

// firstPlane selects the first index of all axes but the last ndim.
func firstPlane(s npy.Source, ndim int) (Drawing, error) {
	shape := s.Shape()
	if len(shape) == 0 {
		return Drawing{}, errors.New("a single number cannot be shown as a picture; 'npy show' prints it")
	}
	if slices.Contains(shape, 0) {
		return Drawing{}, fmt.Errorf("an array of shape %s has no elements to show", format.ShapeString(shape))
	}
	d := Drawing{Rows: 1}
	for range len(shape) - ndim {
		d.index = append(d.index, npy.At(0))
	}
	if len(d.index) > 0 {
		d.Leading = "[" + strings.Repeat("0, ", len(d.index)) + "...]"
	}
	shape = shape[len(d.index):]
	if len(shape) > 1 {
		d.Rows, shape = shape[0], shape[1:]
	}
	d.Columns = shape[0]
	return d, nil
}

// sample sets the size of the image and returns the numbers of its pixels, depth numbers for each pixel.
func (p Picture) sample(ctx context.Context, s npy.Source, d *Drawing, depth int) ([]float64, error) {
	down, across := d.steps(p.Width, p.Height)
	d.NRGBA = image.NewNRGBA(image.Rect(0, 0, DivideUp(d.Columns, across), DivideUp(d.Rows, down)))
	if row := d.Columns * depth * s.DType().ItemSize(); d.Rows <= averagedMax/row {
		return d.average(ctx, s, down, across, depth)
	}
	d.Thinned = down > 1 || across > 1
	a, err := numbers.Read(ctx, s, d.pixels(len(s.Shape()), npy.SpanFrom((down-1)/2).By(down), npy.SpanFrom((across-1)/2).By(across))...)
	if err != nil {
		return nil, err
	}
	return numbers.Of(a)
}

// steps returns the number of rows and of columns in a pixel. Both are the same, to keep the proportions, unless one
// side is so much longer that little would be left of the other.
func (d Drawing) steps(width, height int) (down, across int) {
	down, across = DivideUp(d.Rows, height), DivideUp(d.Columns, width)
	if long, short := max(d.Rows, d.Columns), min(d.Rows, d.Columns); d.RGB || long/short <= longestSide {
		down = max(down, across)
		return down, down
	}
	return down, across
}

// DivideUp divides and rounds up.
func DivideUp(n, by int) int { return (n-1)/by + 1 }

// pixels returns the index of some rows and columns in the part that is shown.
func (d Drawing) pixels(ndim int, rows, columns npy.Index) []npy.Index {
	index := slices.Clone(d.index)
	if ndim > 1 {
		index = append(index, rows)
	}
	return append(index, columns)
}

// average reads the shown part, some rows at a time, and returns the means.
func (d Drawing) average(ctx context.Context, s npy.Source, down, across, depth int) ([]float64, error) {
	width, height := d.Rect.Dx(), d.Rect.Dy()
	band := max(bandMax/(down*d.Columns*depth*s.DType().ItemSize()), 1) // rows of pixels
	means := make([]float64, 0, width*height*depth)
	for y := 0; y < height; y += band {
		end := min((y+band)*down, d.Rows)
		a, err := numbers.Read(ctx, s, d.pixels(len(s.Shape()), npy.Span(y*down, end), npy.All())...)
		if err != nil {
			return nil, err
		}
		values, err := numbers.Of(a)
		if err != nil {
			return nil, err
		}
		for from := y * down; from < end; from += down {
			rows := values[(from-y*down)*d.Columns*depth : (min(from+down, end)-y*down)*d.Columns*depth]
			means = appendMeans(means, rows, d.Columns, across, depth)
		}
	}
	return means, nil
}

// appendMeans appends the means of one row of pixels; rows holds all rows of numbers in it.
func appendMeans(means, rows []float64, columns, across, depth int) []float64 {
	for from := 0; from < columns; from += across {
		to := min(from+across, columns)
		for channel := range depth {
			var m mean
			for row := 0; row < len(rows); row += columns * depth {
				for i := from; i < to; i++ {
					m.add(rows[row+i*depth+channel])
				}
			}
			means = append(means, m.value())
		}
	}
	return means
}

// A mean is the mean of finite numbers, or the last number if none is finite.
type mean struct {
	sum, other float64
	count      int
}

func (m *mean) add(x float64) {
	if math.IsInf(x, 0) || x != x {
		m.other = x
		return
	}
	m.sum += x
	m.count++
}

func (m *mean) value() float64 {
	if m.count == 0 {
		return m.other
	}
	return m.sum / float64(m.count)
}

// paint sets the pixels of an image to red, green, blue and opacity.
func paint(m *image.NRGBA, values []float64, depth int, full float64) {
	for i := range len(values) / depth {
		c, pixel := NaNColor, values[i*depth:(i+1)*depth]
		if !slices.ContainsFunc(pixel, math.IsNaN) {
			c = color.NRGBA{Blend(0, 255, pixel[0]/full), Blend(0, 255, pixel[1]/full), Blend(0, 255, pixel[2]/full), 255}
			if depth == 4 {
				c.A = Blend(0, 255, pixel[3]/full)
			}
		}
		m.SetNRGBA(i%m.Rect.Dx(), i/m.Rect.Dx(), c)
	}
}

// color sets the pixels of an image to the colours of numbers.
func (p Picture) color(d *Drawing, values []float64, isBool bool) {
	d.Low, d.High = 0, 1
	if !isBool || p.Limits.set {
		d.Low, d.High = p.Limits.of(values, p.Log, p.Colors.diverging)
	}
	scale := Scale(d.Low, d.High, p.Log)
	for i, x := range values {
		if p.Log && x <= 0 {
			d.NotPositive++
		}
		d.SetNRGBA(i%d.Rect.Dx(), i/d.Rect.Dx(), p.Colors.At(scale(x)))
	}
}

// Scale returns a function that maps low to high onto 0 to 1. A number without a logarithm becomes NaN.
func Scale(low, high float64, log bool) func(float64) float64 {
	of := func(x float64) float64 { return x }
	if log {
		of = func(x float64) float64 {
			if x <= 0 {
				return math.NaN()
			}
			return math.Log(x)
		}
	}
	from := of(low)
	half := of(high)/2 - from/2 // halved, because the difference may overflow a float64
	return func(x float64) float64 {
		x = of(x)
		if half == 0 && x == from {
			return 0.5
		}
		return (x/2 - from/2) / half
	}
}
