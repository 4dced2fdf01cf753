package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A gap is |a-b| of two arrays of one shape, worked out where somebody looks at it.
type gap struct{ a, b slicer }

// slice returns the differences in a part in C order: 0 where both are NaN, NaN where one is.
func (g gap) slice(index []npy.Index) ([]float64, error) {
	a, err := g.a.Slice(index...)
	if err != nil {
		return nil, err
	}
	b, err := g.b.Slice(index...)
	if err != nil {
		return nil, err
	}
	xs, err := complexNumbers(a)
	if err != nil {
		return nil, err
	}
	ys, err := complexNumbers(b)
	if err != nil {
		return nil, err
	}
	gaps := make([]float64, len(xs))
	for i, x := range xs {
		if y := ys[i]; x != y && !(cmplx.IsNaN(x) && cmplx.IsNaN(y)) {
			gaps[i] = cmplx.Abs(x - y)
		}
	}
	return gaps, nil
}

// each calls do for all differences behind an index, in C order and a few at a time. first is the number of the first.
func (g gap) each(index []npy.Index, shape []int, first int, do func(first int, gaps []float64)) error {
	size := 1
	for _, n := range shape {
		size *= n
	}
	const most = bandMax / 16 // of complex numbers
	if size <= most {
		return g.band(index, first, do)
	}
	inner := size / shape[0]
	step := max(most/inner, 1)
	for i := 0; i < shape[0]; i += step {
		var err error
		if step > 1 {
			err = g.band(append(slices.Clip(index), npy.Span(i, min(i+step, shape[0]))), first+i*inner, do)
		} else {
			err = g.each(append(slices.Clip(index), npy.At(i)), shape[1:], first+i*inner, do)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// band calls do for the differences of a part that is held in memory.
func (g gap) band(index []npy.Index, first int, do func(first int, gaps []float64)) error {
	gaps, err := g.slice(index)
	if err == nil {
		do(first, gaps)
	}
	return err
}

// draw makes a picture in which each pixel is the largest difference of all elements that it stands for, so that none is
// lost. Leading axes lie above each other: only the last two have places.
func (g gap) draw(p picture) (drawing, error) {
	shape := g.a.Shape()
	if len(shape) == 0 || slices.Contains(shape, 0) {
		return drawing{}, fmt.Errorf("no picture of an array of shape %s", format.ShapeString(shape))
	}
	d := drawing{rows: 1, columns: shape[len(shape)-1]}
	if len(shape) > 1 {
		d.rows = shape[len(shape)-2]
	}
	down, across := d.steps(p.width, p.height)
	width := over(d.columns, across)
	d.NRGBA = image.NewNRGBA(image.Rect(0, 0, width, over(d.rows, down)))
	peaks := make([]float64, len(d.Pix)/4)
	err := g.each(nil, shape, 0, func(first int, gaps []float64) {
		for i, x := range gaps {
			at := (first + i) % (d.rows * d.columns)
			peak := &peaks[at/d.columns/down*width+at%d.columns/across]
			*peak = max(*peak, x)
		}
	})
	if err == nil {
		p.color(&d, peaks, false)
	}
	return d, err
}

// complexNumbers returns the elements of an array in C order, real ones as complex numbers.
func complexNumbers(a *npy.Array) ([]complex128, error) {
	if a.DType().Kind() == dtype.KindComplex {
		v, err := npy.As[complex128](a)
		if err != nil {
			return nil, err
		}
		return v.ToSlice(), nil
	}
	xs, err := numbers(a)
	all := make([]complex128, len(xs))
	for i, x := range xs {
		if all[i] = complex(x, 0); math.IsNaN(x) {
			all[i] = cmplx.NaN()
		}
	}
	return all, err
}

// The room of a heatmap, in pixels.
const heatmapSide = 2048

// heatmap writes a picture of the differences of two arrays to a file.
func (d *differ) heatmap(a, b target) error {
	x, closeX, err := d.openSlicer(a, d.dec)
	if err != nil {
		return says(a.name(), err)
	}
	defer closeX()
	y, closeY, err := d.openSlicer(b, d.dec)
	if err != nil {
		return says(b.name(), err)
	}
	defer closeY()
	if p, q := x.Shape(), y.Shape(); !slices.Equal(p, q) {
		return says(d.image, fmt.Errorf("no picture of arrays of shapes %s and %s", format.ShapeString(p), format.ShapeString(q)))
	}
	for _, s := range []slicer{x, y} {
		if !isNumber(s.DType()) {
			return says(d.image, fmt.Errorf("no picture: %w", notNumbers(s.DType())))
		}
	}
	colors, _ := findColormap("") // the first
	drawn, err := gap{x, y}.draw(picture{colors: colors, width: heatmapSide, height: heatmapSide})
	if err != nil {
		return says(d.image, explain(err))
	}
	var data bytes.Buffer
	if err := png.Encode(&data, drawn.NRGBA); err != nil {
		return says(d.image, err)
	}
	return says(d.image, os.WriteFile(d.image, data.Bytes(), 0o666))
}

// checkImage says why there can be no picture.
func (d *differ) checkImage(argA, argB string, x, y opened) error {
	switch {
	case d.image == "":
		return nil
	case !strings.EqualFold(filepath.Ext(d.image), ".png"):
		return fmt.Errorf("--output %s: pictures are PNG; give a name that ends in .png", d.image)
	case x.isWhole() || y.isWhole():
		return errors.New("--output is a picture of one array; name a member of each archive")
	case argA == "-" || argB == "-":
		return errors.New("--output reads both again, and standard input can be read once; give files")
	case x.path == d.image || y.path == d.image:
		return errors.New("--output is one of the files that are compared; give another name")
	}
	return nil
}
