package npytest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// checkItem compares the bytes of one element with the neutral form of gen.py: numbers and strings are themselves,
// every other value is {"t": type, "v": value}.
func checkItem(t dtype.Type, item []byte, want any) error {
	switch {
	case t.IsStruct():
		return checkRecord(t, item, tagged(want))
	case t.IsSubarray():
		return checkSubarray(t, item, tagged(want))
	}
	got, err := value(t, item)
	if err != nil {
		return err
	}
	if !same(got, want) {
		return fmt.Errorf("value is %v, NumPy has %v", got, want)
	}
	return nil
}

// tagged returns the list under "v".
func tagged(want any) []any {
	m, _ := want.(map[string]any)
	list, _ := m["v"].([]any)
	return list
}

func checkRecord(t dtype.Type, item []byte, want []any) error {
	if t.NumField() != len(want) {
		return fmt.Errorf("%d fields, NumPy has %d", t.NumField(), len(want))
	}
	for i, f := range t.Fields() {
		if err := checkItem(f.DType, item[f.Offset:f.Offset+f.DType.ItemSize()], want[i]); err != nil {
			return fmt.Errorf("field %q: %w", f.Name, err)
		}
	}
	return nil
}

func checkSubarray(t dtype.Type, item []byte, want []any) error {
	elem := t.Elem()
	for elem.IsSubarray() {
		elem = elem.Elem()
	}
	size := elem.ItemSize()
	if len(want)*size != len(item) {
		return fmt.Errorf("subarray of %d bytes, NumPy has %d elements of %d", len(item), len(want), size)
	}
	for i, w := range want {
		if err := checkItem(elem, item[i*size:(i+1)*size], w); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// value decodes a plain element through the public API.
func value(t dtype.Type, item []byte) (any, error) {
	a, err := npy.FromBytes(t, item)
	if err != nil {
		return nil, err
	}
	if t.Kind() == dtype.KindVoid && t.ByteOrder() != dtype.NoByteOrder { // a number that is written by name
		return one[float64](a)
	}
	switch t.Kind() {
	case dtype.KindBool:
		return one[bool](a)
	case dtype.KindInt:
		return one[int64](a)
	case dtype.KindUint:
		return one[uint64](a)
	case dtype.KindFloat:
		if t.ItemSize() > 8 {
			return one[scalar.LongDouble](a)
		}
		return one[float64](a)
	case dtype.KindComplex:
		if t.ItemSize() > 16 {
			return one[scalar.LongComplex](a)
		}
		return one[complex128](a)
	case dtype.KindStr:
		return one[string](a)
	case dtype.KindBytes, dtype.KindVoid:
		return one[[]byte](a)
	case dtype.KindDatetime:
		v, err := one[scalar.Datetime64](a)
		return tick{v.Ticks, v.Format(t.Step()), t.Step()}, err
	case dtype.KindTimedelta:
		v, err := one[scalar.Timedelta64](a)
		return tick{v.Ticks, string(v.Append(nil, t.Step())), t.Step()}, err
	}
	return nil, fmt.Errorf("no way to compare dtype %s", t)
}

func one[T npy.Element](a *npy.Array) (T, error) {
	v, err := npy.As[T](a)
	if err != nil {
		return *new(T), err
	}
	return v.At(), nil
}

// A tick is a time and its text in NumPy.
type tick struct {
	n    int64
	text string
	step dtype.Step
}

// same compares a Go value with the neutral form.
func same(got, want any) bool {
	m, _ := want.(map[string]any)
	switch got := got.(type) {
	case bool, string:
		return got == want
	case int64:
		return strconv.FormatInt(got, 10) == integer(want)
	case uint64:
		return strconv.FormatUint(got, 10) == integer(want)
	case float64:
		return sameFloat(got, want)
	case complex128:
		parts, _ := m["v"].([]any)
		return len(parts) == 2 && sameFloat(real(got), parts[0]) && sameFloat(imag(got), parts[1])
	case []byte:
		text, _ := m["v"].(string)
		b, err := hex.DecodeString(text)
		return err == nil && bytes.Equal(got, b)
	case scalar.LongDouble:
		return sameLong(got, want)
	case scalar.LongComplex:
		parts, _ := m["v"].([]any)
		return len(parts) == 2 && sameLong(got.Real, parts[0]) && sameLong(got.Imag, parts[1])
	case tick:
		return sameTick(got, m)
	}
	return false
}

// integer returns the digits of a number that is written as itself or, if it is large, as {"t": "int", "v": "…"}.
func integer(want any) string {
	switch want := want.(type) {
	case json.Number:
		return want.String()
	case map[string]any:
		s, _ := want["v"].(string)
		return s
	}
	return ""
}

// sameFloat compares with a hexadecimal float, "nan" or "inf". All NaNs are equal; zeros have signs.
func sameFloat(got float64, want any) bool {
	m, _ := want.(map[string]any)
	text, _ := m["v"].(string)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	return math.IsNaN(got) && math.IsNaN(f) || math.Float64bits(got) == math.Float64bits(f)
}

// sameLong compares the 21 digits that NumPy prints, and the number as a float64.
func sameLong(got scalar.LongDouble, want any) bool {
	m, _ := want.(map[string]any)
	text, _ := m["v"].(string)
	f, _ := got.Float64()
	return strings.TrimPrefix(got.Scientific(21), "+") == strings.TrimPrefix(text, "+") && sameFloat(f, m["f8"])
}

func sameTick(got tick, want map[string]any) bool {
	iso, _ := want["iso"].(string)
	unit, _ := want["unit"].(string)
	step, err := dtype.ParseStep(integer(want["step"]) + unit)
	return err == nil && strconv.FormatInt(got.n, 10) == integer(want["v"]) && got.text == iso && got.step == step
}
