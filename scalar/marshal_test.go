package scalar_test

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/npygo/npy/scalar"
)

// A marshaled is a type of this package with a value, its text and its JSON.
type marshaled struct {
	value      any
	text, json string
	fresh      func() any // a pointer to the zero value
	refused    []string   // JSON that is invalid for the type
}

func row[T any](value T, text, json string, refused ...string) marshaled {
	return marshaled{value, text, json, func() any { return new(T) }, refused}
}

func longDouble(t *testing.T, s string) scalar.LongDouble {
	t.Helper()
	x, err := scalar.ParseLongDouble(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func marshalRows(t *testing.T) []marshaled {
	quad, err := scalar.ParseFloat128("0.1")
	if err != nil {
		t.Fatal(err)
	}
	f16 := scalar.Float16FromFloat64
	long := longDouble(t, "0.1")
	return []marshaled{
		row(f16(1.5), "1.5", "1.5", `"x"`, "1e9", "true", "[]", "{}", `"nat"`, "", "1 2", "\"\\ud800\""),
		row(f16(math.Inf(1)), "inf", `"Infinity"`),
		row(f16(math.Inf(-1)), "-inf", `"-Infinity"`),
		row(f16(math.Copysign(0, -1)), "-0.0", "-0.0"),
		row(f16(65504), "6.55e+04", "6.55e+04"),
		row(scalar.BFloat16FromFloat64(1e30), "1e+30", "1e+30", "1e40"),
		row(scalar.Float8E5M2FromFloat64(0.25), "0.25", "0.25", "1e9"),
		row(scalar.Float8E3M4FromFloat64(0.25), "0.25", "0.25", "1e9"),
		row(scalar.Float8E4M3FromFloat64(0.25), "0.25", "0.25", "1e9"),
		row(scalar.Float8E4M3FNFromFloat64(0.25), "0.25", "0.25", `"Infinity"`),
		row(scalar.Float8E8M0FNUFromFloat64(0.5), "0.5", "0.5", "-1", "0"),
		row(scalar.Float8E4M3FNUZFromFloat64(0.25), "0.25", "0.25", `"Infinity"`),
		row(scalar.Float8E4M3B11FNUZFromFloat64(0.25), "0.25", "0.25", `"Infinity"`),
		row(scalar.Float8E5M2FNUZFromFloat64(0.25), "0.25", "0.25", `"Infinity"`),
		row(scalar.Float6E2M3FNFromFloat64(0.5), "0.5", "0.5", `"NaN"`, "100"),
		row(scalar.Float6E3M2FNFromFloat64(0.25), "0.25", "0.25", `"NaN"`, "100"),
		row(scalar.Float4E2M1FNFromFloat64(0.5), "0.5", "0.5", `"NaN"`, "100"),
		row(long, "0.1", "0.1", "1e5000"),
		row(longDouble(t, "1e4000"), "1e+4000", "1e+4000"),
		row(longDouble(t, "-inf"), "-inf", `"-Infinity"`),
		row(quad, "0.1", "0.1", "1e5000"),
		row(scalar.Complex32{Real: f16(1), Imag: f16(-2)}, "1-2j", `"1-2j"`, "1", `"x"`),
		row(scalar.LongComplex{Real: long, Imag: long}, "0.1+0.1j", `"0.1+0.1j"`, "1", `"x"`),
		row(scalar.Int4{Bits: 15}, "-1", "-1", "8", "-9", "1.0", "1e1", "99999999999999999999"),
		row(scalar.Uint4{Bits: 15}, "15", "15", "16", "-1"),
		row(scalar.Int2{Bits: 2}, "-2", "-2", "2", "-3"),
		row(scalar.Uint2{Bits: 3}, "3", "3", "4", "-1"),
		row(scalar.Datetime64{Ticks: -5}, "-5", "-5", "1.5", `"2024-01-01"`, "-9223372036854775808", "9223372036854775808"),
		row(scalar.Datetime64{Ticks: scalar.NaT}, "NaT", `"NaT"`),
		row(scalar.Timedelta64{Ticks: 5}, "5", "5", "1.5", "-9223372036854775808"),
		row(scalar.Timedelta64{Ticks: scalar.NaT}, "NaT", `"NaT"`),
	}
}

func TestMarshalTypes(t *testing.T) {
	for _, r := range marshalRows(t) {
		name := fmt.Sprintf("%T(%s)", r.value, r.text)
		if text, err := r.value.(encoding.TextMarshaler).MarshalText(); string(text) != r.text || err != nil {
			t.Errorf("%s.MarshalText() = %q, %v, want %q", name, text, err, r.text)
		}
		if data, err := json.Marshal(r.value); string(data) != r.json || err != nil {
			t.Errorf("json.Marshal(%s) = %s, %v, want %s", name, data, err, r.json)
		}
		fromText, fromJSON := r.fresh(), r.fresh()
		if err := fromText.(encoding.TextUnmarshaler).UnmarshalText([]byte(r.text)); err != nil || deref(fromText) != r.value {
			t.Errorf("%s.UnmarshalText gives %v, %v", name, deref(fromText), err)
		}
		if err := json.Unmarshal([]byte(r.json), fromJSON); err != nil || deref(fromJSON) != r.value {
			t.Errorf("json.Unmarshal(%s) to %s gives %v, %v", r.json, name, deref(fromJSON), err)
		}
		if err := json.Unmarshal([]byte("null"), fromJSON); err != nil || deref(fromJSON) != r.value {
			t.Errorf("null makes %v of %s, %v", deref(fromJSON), name, err)
		}
		for _, text := range r.refused {
			if err := unmarshal(fromJSON, text); err == nil || deref(fromJSON) != r.value {
				t.Errorf("%s to %s gives %v, %v, want an error and no change", text, name, deref(fromJSON), err)
			}
		}
		if err := fromText.(encoding.TextUnmarshaler).UnmarshalText([]byte("z")); !errors.Is(err, scalar.ErrSyntax) {
			t.Errorf("%s.UnmarshalText(z) gives %v, want ErrSyntax", name, err)
		}
	}
}

// unmarshal calls UnmarshalJSON directly if there is one, for text that package json would reject first.
func unmarshal(to any, text string) error {
	if u, ok := to.(json.Unmarshaler); ok {
		return u.UnmarshalJSON([]byte(text))
	}
	return json.Unmarshal([]byte(text), to)
}

// deref returns the value at p.
func deref(p any) any { return reflect.ValueOf(p).Elem().Interface() }

// NaN is not equal to itself, so its rows are tested separately.
func TestMarshalNaN(t *testing.T) {
	nan := math.NaN()
	check := func(x interface {
		json.Marshaler
		IsNaN() bool
	}, back interface {
		json.Unmarshaler
		IsNaN() bool
	}) {
		data, err := json.Marshal(x)
		if string(data) != `"NaN"` || err != nil {
			t.Errorf("json.Marshal(%T NaN) = %s, %v", x, data, err)
		}
		if err := json.Unmarshal(data, back); err != nil || !back.IsNaN() {
			t.Errorf("json.Unmarshal(%s) to %T = %v, %v", data, back, back, err)
		}
	}
	check(scalar.Float16FromFloat64(nan), new(scalar.Float16))
	check(scalar.BFloat16FromFloat64(nan), new(scalar.BFloat16))
	check(scalar.Float8E5M2FromFloat64(nan), new(scalar.Float8E5M2))
	check(scalar.Float8E4M3FNFromFloat64(nan), new(scalar.Float8E4M3FN))
	check(scalar.Float8E8M0FNUFromFloat64(nan), new(scalar.Float8E8M0FNU))
	check(scalar.Float8E4M3FNUZFromFloat64(nan), new(scalar.Float8E4M3FNUZ))
	check(longDouble(t, "nan"), new(scalar.LongDouble))
	check(scalar.Float128{Hi: 0x7fff8 << 44}, new(scalar.Float128))
}

// All values of 16 bits, as numbers and as the keys of a map.
func TestMarshalEveryFloat16(t *testing.T) {
	for i := range 1 << 16 {
		x := scalar.Float16{Bits: uint16(i)}
		data, err := json.Marshal(map[scalar.Float16]scalar.Float16{x: x})
		if err != nil {
			t.Fatal(err)
		}
		var back map[scalar.Float16]scalar.Float16
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		for k, v := range back {
			if v != k && !x.IsNaN() || !x.IsNaN() && v != x || x.IsNaN() != v.IsNaN() {
				t.Fatalf("%#04x becomes %s and %#04x", i, data, v.Bits)
			}
		}
	}
}
