package pictures

import (
	"context"
	"fmt"
	"image"
	"math"
	"math/cmplx"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
)

// A Difference is |a-b| of two arrays of the same shape, computed in parts.
type Difference struct{ A, B npy.Source }

// slice returns the differences in a part, in C order: 0 where both elements are NaN, NaN where one is.
func (g Difference) slice(ctx context.Context, index []npy.Index) ([]float64, error) {
	a, err := numbers.Read(ctx, g.A, index...)
	if err != nil {
		return nil, err
	}
	b, err := numbers.Read(ctx, g.B, index...)
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
	differences := make([]float64, len(xs))
	for i, x := range xs {
		if y := ys[i]; x != y && !(cmplx.IsNaN(x) && cmplx.IsNaN(y)) {
			differences[i] = cmplx.Abs(x - y)
		}
	}
	return differences, nil
}

// each calls do with all differences that an index selects, in C order and a few at a time. The argument first of do
// is the position of the first difference.
func (g Difference) each(ctx context.Context, index []npy.Index, shape []int, first int, do func(first int, differences []float64)) error {
	size := 1
	for _, n := range shape {
		size *= n
	}
	const most = bandMax / 16 // for complex numbers
	if size <= most {
		return g.band(ctx, index, first, do)
	}
	inner := size / shape[0]
	step := max(most/inner, 1)
	for i := 0; i < shape[0]; i += step {
		var err error
		if step > 1 {
			err = g.band(ctx, append(slices.Clip(index), npy.Span(i, min(i+step, shape[0]))), first+i*inner, do)
		} else {
			err = g.each(ctx, append(slices.Clip(index), npy.At(i)), shape[1:], first+i*inner, do)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// band calls do with the differences in a part that is held in memory.
func (g Difference) band(ctx context.Context, index []npy.Index, first int, do func(first int, differences []float64)) error {
	differences, err := g.slice(ctx, index)
	if err == nil {
		do(first, differences)
	}
	return err
}

// Draw makes a picture in which each pixel is the largest difference of its elements, so that none is lost. Only the
// last two axes have positions in the picture; the planes of leading axes are combined.
func (g Difference) Draw(ctx context.Context, p Picture) (Drawing, error) {
	shape := g.A.Shape()
	if len(shape) == 0 || slices.Contains(shape, 0) {
		return Drawing{}, fmt.Errorf("an array of shape %s cannot be shown as a picture", format.ShapeString(shape))
	}
	d := Drawing{Rows: 1, Columns: shape[len(shape)-1]}
	if len(shape) > 1 {
		d.Rows = shape[len(shape)-2]
	}
	for _, src := range []npy.Source{g.A, g.B} {
		if err := source.CheckBytes(src, format.Header{DType: src.DType(), Shape: shape}.NBytes()); err != nil {
			return d, err
		}
	}
	down, across := d.steps(p.Width, p.Height)
	width := DivideUp(d.Columns, across)
	d.NRGBA = image.NewNRGBA(image.Rect(0, 0, width, DivideUp(d.Rows, down)))
	peaks := make([]float64, len(d.Pix)/4)
	err := g.each(ctx, nil, shape, 0, func(first int, differences []float64) {
		for i, x := range differences {
			at := (first + i) % (d.Rows * d.Columns)
			peak := &peaks[at/d.Columns/down*width+at%d.Columns/across]
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
	xs, err := numbers.Of(a)
	all := make([]complex128, len(xs))
	for i, x := range xs {
		if all[i] = complex(x, 0); math.IsNaN(x) {
			all[i] = cmplx.NaN()
		}
	}
	return all, err
}
