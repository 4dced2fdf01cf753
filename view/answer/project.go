package answer

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/computed"
	"github.com/npygo/npy/stats"
)

const (
	exactMax        = 16 << 20 // bytes of an array that package stats summarises, which takes some 100 bytes for each result
	exactResults    = 1 << 20  // of integers and times of 8 bytes, which float64 does not hold
	projectedBlocks = 4 << 20  // bytes of a larger one that are read at a time
)

// projected returns the mean, the largest or the smallest element along an axis. NaN does not count, as in numpy.nanmean.
func projected(ctx context.Context, src npy.Source, axis int, how string) (npy.Source, error) {
	t := src.DType()
	size := (format.Header{DType: t, Shape: src.Shape()}).NBytes()
	if size > exactMax && codec.RealsOf(t) != nil && (how == "mean" || t.ItemSize() < 8 || t.Kind() == dtype.KindFloat) {
		return folded(ctx, src, axis, how)
	}
	if n := size / int64(max(src.Shape()[axis], 1)) / int64(max(t.ItemSize(), 1)); size > exactMax && n > exactResults {
		return nil, wrong("the %s of %d-byte elements has at most %d results: take a position along another axis", how, t.ItemSize(), exactResults)
	}
	all, err := stats.AxisOf(ctx, src, axis)
	if err != nil {
		return nil, err
	}
	return map[string]*npy.Array{"mean": all.Mean, "max": all.Max, "min": all.Min}[how], nil
}

// folded is projected for large arrays, as float64: a mean takes 24 bytes for each result.
func folded(ctx context.Context, src npy.Source, axis int, how string) (npy.Source, error) {
	values, err := computed.Cast(dtype.Float64, src)
	if err != nil {
		return nil, err
	}
	shape := src.Shape()
	length, inner, n := shape[axis], 1, 1
	for i, d := range shape {
		if i > axis {
			inner *= d
		}
		if i != axis {
			n *= d
		}
	}
	f := newFold(n, how)
	row, at, along := 0, 0, 0 // the first result of the row, the place in it, and the position on the axis
	for block, err := range values.Blocks(ctx, projectedBlocks) {
		if err != nil {
			return nil, err
		}
		data, ok := block.ViewBytes()
		if !ok {
			data = block.Bytes()
		}
		for len(data) > 0 {
			run := min(inner-at, len(data)/8)
			f.add(row+at, data[:8*run])
			data = data[8*run:]
			if at += run; at < inner {
				break
			}
			if at, along = 0, along+1; along == length {
				along, row = 0, row+inner
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	shape = append(shape[:axis:axis], shape[axis+1:]...)
	a, err := npy.FromSlice(f.result(), append([]int{}, shape...)...)
	if err != nil || how == "mean" || kindOf(src.DType()) == "float" {
		return a, err
	}
	return computed.Cast(src.DType(), a)
}

// A fold is the results along an axis, as far as it was read.
type fold struct {
	how   string
	value []float64 // NaN where there is none yet; of means the sum
	lost  []float64 // what rounding took from the sums
	count []int64
}

func newFold(n int, how string) *fold {
	f := &fold{how: how, value: make([]float64, n)}
	if how == "mean" {
		f.lost, f.count = make([]float64, n), make([]int64, n)
		return f
	}
	for i := range f.value {
		f.value[i] = math.NaN()
	}
	return f
}

// add adds native float64 to the results from number i on.
func (f *fold) add(i int, data []byte) {
	for ; len(data) >= 8; i, data = i+1, data[8:] {
		x := math.Float64frombits(binary.NativeEndian.Uint64(data))
		if math.IsNaN(x) {
			continue
		}
		old := f.value[i]
		switch {
		case f.how == "mean":
			sum := old + x
			if math.Abs(old) >= math.Abs(x) { // Neumaier
				f.lost[i] += (old - sum) + x
			} else {
				f.lost[i] += (x - sum) + old
			}
			f.value[i] = sum
			f.count[i]++
		case math.IsNaN(old), f.how == "max" && x > old, f.how == "min" && x < old:
			f.value[i] = x
		}
	}
}

// result returns the results.
func (f *fold) result() []float64 {
	for i, n := range f.count {
		if !math.IsInf(f.value[i], 0) && !math.IsNaN(f.value[i]) {
			f.value[i] += f.lost[i]
		}
		f.value[i] /= float64(n) // NaN without elements
	}
	return f.value
}
