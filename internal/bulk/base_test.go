package bulk

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
)

type (
	named32   float32
	namedText string
)

// changed calls asBase with a function that reverses the elements, and returns what it saw and what s holds afterwards.
func changed[T, B any](s []T, write bool, as func(s []T, base reflect.Type, write bool, do func(any) error) error) (seen []B, after []T, err error) {
	after = slices.Clone(s)
	err = as(after, reflect.TypeFor[B](), write, func(base any) error {
		seen = slices.Clone(base.([]B))
		if write {
			slices.Reverse(base.([]B))
		}
		return errors.New("its error")
	})
	return seen, after, err
}

// asBaseBoth runs AsBase beside the plain one.
func asBaseBoth[T, B any](t *testing.T, s []T, bits func(T) uint32, baseBits func(B) uint32) {
	t.Helper()
	all := func(s []T) (b []uint32) {
		for _, x := range s {
			b = append(b, bits(x))
		}
		return b
	}
	for _, write := range []bool{false, true} {
		seen, after, err := changed[T, B](s, write, AsBase[T])
		seenPlain, afterPlain, _ := changed[T, B](s, write, asBasePlain[T])
		if err == nil || err.Error() != "its error" {
			t.Fatalf("AsBase returned %v", err)
		}
		for i := range s {
			if baseBits(seen[i]) != bits(s[i]) || baseBits(seenPlain[i]) != bits(s[i]) {
				t.Fatalf("element %d of %v: AsBase gives %v, plain %v", i, s, seen[i], seenPlain[i])
			}
		}
		if !slices.Equal(all(after), all(afterPlain)) {
			t.Fatalf("write %v to %v: AsBase leaves %v, plain %v", write, s, after, afterPlain)
		}
		want := slices.Clone(s)
		if write {
			slices.Reverse(want)
		}
		if !slices.Equal(all(after), all(want)) {
			t.Fatalf("write %v to %v: AsBase leaves %v", write, s, after)
		}
	}
}

// Elements keep every bit, also of signaling NaNs.
func FuzzAsBase(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{1, 0, 0x80, 0x7f, 1, 0, 0x80, 0xff, 0, 0, 0x80, 0x3f})
	f.Fuzz(func(t *testing.T, raw []byte) {
		floats := make([]float32, len(raw)/4)
		Decode(floats, raw[:4*len(floats)], false)
		named := make([]named32, len(floats))
		for i := range floats {
			scatterPlain(reflect.ValueOf(named), i, 1, PlaceIn(reflect.TypeFor[named32]()), floats[i:i+1])
		}
		asBaseBoth(t, named, func(x named32) uint32 { return math.Float32bits(float32(x)) }, math.Float32bits)
		texts := make([]namedText, len(raw))
		for i := range texts {
			texts[i] = namedText(raw[i : i+1])
		}
		asBaseBoth(t, texts, func(x namedText) uint32 { return uint32(x[0]) }, func(x string) uint32 { return uint32(x[0]) })
	})
}

// A type with another layout is a bug of the caller.
func TestAsBaseChecksTypes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("float32 as int32: want a panic")
		}
	}()
	_ = AsBase([]named32{1}, reflect.TypeFor[int32](), false, func(any) error { return nil })
}
