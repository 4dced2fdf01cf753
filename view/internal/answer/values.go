package answer

import (
	"context"
	"math"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/arraytext"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
)

// isReal reports whether elements of t can be drawn: real numbers, bools and times.
func isReal(t dtype.Type) bool { return codec.RealsOf(t) != nil || isTime(t) }

// isNumber reports whether elements of t can be subtracted.
func isNumber(t dtype.Type) bool { return codec.RealsOf(t) != nil || t.Kind() == dtype.KindComplex }

func isTime(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta
}

// drawn returns src with elements that can be drawn. Times become float64: ticks, and NaN for NaT.
func drawn(src npy.Source) (npy.Source, error) {
	t := src.DType()
	if codec.RealsOf(t) != nil {
		return src, nil
	}
	if !isTime(t) {
		return nil, wrong("elements of dtype %s cannot be drawn", cut(t.Name(), 100))
	}
	ticks, err := npy.Cast(src, dtype.Int64, npy.UnsafeCasting)
	if err != nil {
		return nil, err
	}
	return npy.Computed(dtype.Float64, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		in, out := make([]int64, n), make([]float64, n)
		bulk.Decode(in, src[0], !dtype.Int64.IsNative())
		for i, x := range in {
			if out[i] = float64(x); x == math.MinInt64 {
				out[i] = math.NaN()
			}
		}
		bulk.Encode(dst, out, !dtype.Float64.IsNative())
		return nil
	}, ticks)
}

// Limits of texts, in bytes.
const (
	cellMax  = 200
	wholeMax = 1 << 20
)

// texts returns a function that gives the text of an element of a in C order, as NumPy prints it, and whether it was cut.
func texts(a *npy.Array, limit int) func(i int) (string, bool) {
	t := a.DType()
	a = a.Contiguous()
	cutText := func(s string) (string, bool) { return cut(s, limit), len(s) > limit }
	if !t.HasObject() && !t.IsStruct() {
		if data, ok := a.ViewBytes(); ok {
			format, err := (elem.Texts{}).Formatter(t)
			if err == nil && t.Kind() != dtype.KindComplex && t.Kind() != dtype.KindVoid && t.Kind() != dtype.KindBytes {
				size := t.ItemSize()
				if t.Kind() == dtype.KindBool {
					return func(i int) (string, bool) {
						if data[i] != 0 {
							return "True", false
						}
						return "False", false
					}
				}
				return func(i int) (string, bool) {
					text, err := format(nil, data[i*size:(i+1)*size])
					if err != nil {
						return err.Error(), false
					}
					return cutText(string(text))
				}
			}
		}
	}
	shape := a.Shape()
	return func(i int) (string, bool) {
		index := make([]npy.Index, len(shape))
		at := make([]int, len(shape))
		for k := len(shape) - 1; k >= 0; k-- {
			at[k] = i % shape[k]
			index[k] = npy.At(at[k])
			i /= shape[k]
		}
		if t.HasObject() && !t.IsStruct() {
			v := a.Object(at...)
			if s, ok := v.(string); ok {
				return cutText(s)
			}
			return cutText(string(arraytext.AppendObject(nil, v, limit+1)))
		}
		one, err := a.Slice(index...)
		if err != nil {
			return err.Error(), false
		}
		return cutText(npy.Printer{Precision: -1}.Str(one))
	}
}

// arrayText returns the text of an array for people.
func arrayText(a *npy.Array) string {
	if a.NDim() == 0 {
		text, _ := texts(a, cellMax*3)(0)
		return text
	}
	if a.Len() > 1000 {
		return npy.Printer{Threshold: 20}.Str(a)
	}
	return npy.Printer{}.Str(a)
}

// shifted returns src plus sign times by, as float64.
func shifted(src, by npy.Source, sign float64) (npy.Source, error) {
	left, right := codec.RealsOf(src.DType()), codec.RealsOf(by.DType())
	return npy.Computed(dtype.Float64, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		var b1, b2 codec.Buffer
		x, y := left(&b1, src[0]), right(&b2, src[1])
		out := make([]float64, n)
		for i := range out {
			out[i] = x[i] + sign*y[i]
		}
		bulk.Encode(dst, out, !dtype.Float64.IsNative())
		return nil
	}, src, by)
}
