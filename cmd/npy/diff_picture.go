package main

import (
	"bytes"
	"errors"
	"fmt"
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

// DType is what the differences are given as.
func (g gap) DType() dtype.Type { return dtype.Float64 }

// Shape is that of both arrays.
func (g gap) Shape() []int { return g.a.Shape() }

// Slice returns the differences in a part. It is 0 where both are NaN.
func (g gap) Slice(index ...npy.Index) (*npy.Array, error) {
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
	return npy.FromSlice(gaps, a.Shape()...)
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
	drawn, err := picture{colors: colors, width: heatmapSide, height: heatmapSide}.draw(gap{x, y})
	if err != nil {
		return says(d.image, explain(err))
	}
	var image bytes.Buffer
	if err := png.Encode(&image, drawn.NRGBA); err != nil {
		return says(d.image, err)
	}
	return says(d.image, os.WriteFile(d.image, image.Bytes(), 0o666))
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
