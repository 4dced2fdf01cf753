package tablewrite

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync/atomic"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/convert/internal/values"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/scalar"
)

// WriteSavetxt writes the output of numpy.savetxt without options: numbers as %.18e, separated by spaces.
func WriteSavetxt(ctx context.Context, w io.Writer, src npy.Source, o options.Write) error {
	return output.WriteText(ctx, w, src, o, savetxt)
}

func savetxt(out *output.Output, c output.Content, o options.Write) error {
	l, err := layoutOf(c, values.NewObjects(c.Context(), o))
	if err != nil {
		return err
	}
	var rounded atomic.Int64
	for i := range l.columns {
		column := &l.columns[i]
		if column.format, err = scientific(column.DType, o.Float128, &rounded); err != nil {
			return err
		}
	}
	if l.perLine == 0 {
		for range c.Shape[0] {
			out.Buf = append(out.Buf, '\n')
		}
		return nil
	}
	if err := output.WriteItems(out, c, l.numbers); err != nil {
		return err
	}
	if n := rounded.Load(); n > 0 && o.Note != nil {
		o.Note(fmt.Sprintf("the last digits of %d %s: .txt rounds integers beyond 2**53 to float64, as numpy.savetxt does; .csv has all digits", n, fault.Plural(int(min(n, 2)), "integer")))
	}
	return nil
}

// numbers appends the numbers of element at.
func (l *layout) numbers(dst, item []byte, at int) (_ []byte, err error) {
	inLine := at % l.perLine
	for i := range l.columns {
		if inLine > 0 || i > 0 {
			dst = append(dst, ' ')
		}
		if dst, err = l.columns[i].append(dst, item); err != nil {
			return dst, err
		}
	}
	if inLine == l.perLine-1 {
		dst = append(dst, '\n')
	}
	return dst, nil
}

// scientific returns the function that writes numbers of t as %.18e, and counts the integers that it rounds. Complex
// numbers are written as by savetxt: a space, and (re+imj).
func scientific(t dtype.Type, float128 bool, rounded *atomic.Int64) (func(dst, item []byte) ([]byte, error), error) {
	size := t.ItemSize()
	if t.Kind() == dtype.KindComplex {
		half, ok := toFloat64(dtype.KindFloat, size/2, t.ByteOrder() == dtype.BigEndian, float128)
		if ok {
			return func(dst, item []byte) ([]byte, error) {
				return appendPair(dst, half(item[:size/2]), half(item[size/2:])), nil
			}, nil
		}
	}
	value, ok := toFloat64(t.Kind(), size, t.ByteOrder() == dtype.BigEndian, float128)
	if !ok {
		return nil, diag.Errorf("convert", "a .txt file, as savetxt writes it, has numbers only, the array has dtype %s; write .csv", t)
	}
	if size == 8 && (t.Kind() == dtype.KindInt || t.Kind() == dtype.KindUint) {
		return exactly(value, t, rounded), nil
	}
	return func(dst, item []byte) ([]byte, error) { return appendScientific(dst, value(item)), nil }, nil
}

// exactly returns the function that writes 64-bit integers by their float64, and counts the integers that have none.
func exactly(value func(item []byte) float64, t dtype.Type, rounded *atomic.Int64) func(dst, item []byte) ([]byte, error) {
	big, signed := t.ByteOrder() == dtype.BigEndian, t.Kind() == dtype.KindInt
	return func(dst, item []byte) ([]byte, error) {
		x := value(item)
		if math.Abs(x) >= 1<<53 && !isInt64(x, bulk.Uint(item[:8], big), signed) {
			rounded.Add(1)
		}
		return appendScientific(dst, x), nil
	}
}

// isInt64 reports whether x is the integer with these bits.
func isInt64(x float64, bits uint64, signed bool) bool {
	if signed {
		return x < 1<<63 && int64(x) == int64(bits)
	}
	return x < 1<<64 && uint64(x) == bits
}

func appendPair(dst []byte, re, im float64) []byte {
	dst = appendScientific(append(dst, " ("...), re)
	if !math.Signbit(im) || math.IsNaN(im) {
		dst = append(dst, '+')
	}
	return append(appendScientific(dst, im), "j)"...)
}

func appendScientific(dst []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "nan"...)
	case math.IsInf(x, 1):
		return append(dst, "inf"...)
	case math.IsInf(x, -1):
		return append(dst, "-inf"...)
	}
	return strconv.AppendFloat(dst, x, 'e', 18, 64)
}

// toFloat64 returns the conversion of numbers of a kind that Python's float makes, and false for other kinds.
func toFloat64(kind dtype.Kind, size int, big, float128 bool) (func(item []byte) float64, bool) {
	uint := func(item []byte) uint64 { return bulk.Uint(item[:size], big) }
	shift := 64 - 8*size
	switch {
	case kind == dtype.KindBool || kind == dtype.KindUint:
		return func(item []byte) float64 { return float64(uint(item)) }, true
	case kind == dtype.KindInt:
		return func(item []byte) float64 { return float64(int64(uint(item)<<shift) >> shift) }, true
	case kind != dtype.KindFloat:
		return nil, false
	case size == 8:
		return func(item []byte) float64 { return math.Float64frombits(uint(item)) }, true
	case size == 4:
		return func(item []byte) float64 { return float64(math.Float32frombits(uint32(uint(item)))) }, true
	case size == 2:
		return func(item []byte) float64 { return scalar.Float16{Bits: uint16(uint(item))}.Float64() }, true
	case size >= 12 && !float128:
		return func(item []byte) float64 {
			x, _ := scalar.LongDoubleFromBytes(item[:size], big) // the size is valid
			f, _ := x.Float64()
			return f
		}, true
	}
	return nil, false
}
