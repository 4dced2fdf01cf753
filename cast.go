package npy

import (
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
)

// A Casting says which conversions of dtypes are allowed, as casting= of numpy's astype does.
type Casting int

// The castings, with NumPy's words for them. With the first two a number that does not fit is an error here.
const (
	SafeCasting     Casting = iota // "safe": every value can be held, as for [Array.AsType]
	SameKindCasting                // "same_kind": also fewer bits of the same kind, integers as floats, reals as complex numbers
	UnsafeCasting                  // "unsafe": all numbers
)

// String returns NumPy's word.
func (c Casting) String() string {
	switch c {
	case SafeCasting:
		return "safe"
	case SameKindCasting:
		return "same_kind"
	case UnsafeCasting:
		return "unsafe"
	}
	return fmt.Sprintf("Casting(%d)", int(c))
}

// ParseCasting returns the Casting of one of NumPy's words.
func ParseCasting(word string) (Casting, error) {
	for c := SafeCasting; c <= UnsafeCasting; c++ {
		if word == c.String() {
			return c, nil
		}
	}
	return 0, fmt.Errorf("npy: casting %q, want safe, same_kind or unsafe", word)
}

// Cast returns a copy of a with another dtype, ndarray.astype(t, casting=casting), in the order that [Array.AsType] gives. What
// AsType converts, it converts; with the other castings bools, integers, floats of 16, 32 and 64 bits and their complex
// numbers become each other, rounded to the nearest.
//
// SameKindCasting holds values to the range of t: an integer that does not fit and a finite float that would be an
// infinity are errors, which say the value. UnsafeCasting takes the low bits of integers, cuts the fractions of floats off and
// drops imaginary parts, as NumPy does. Floats beyond the integers, for which NumPy gives what the processor makes of
// them, become the nearest integer of t on every machine, and NaN becomes 0.
//
// Objects that are all str are converted as NumPy's StringDType is: missing values, None or NaN, become their text, and
// UnsafeCasting cuts what is too long.
func (a *Array) Cast(t dtype.Type, casting Casting) (*Array, error) {
	objects := a.dtype.HasObject() && !a.dtype.Equal(t)
	if casting == SafeCasting || !objects && isSafe(a.dtype, t) {
		return a.AsType(t)
	}
	if a.header().FortranOrder {
		b, err := a.T().Cast(t, casting)
		if err != nil {
			return nil, err
		}
		return b.T(), nil
	}
	if objects {
		return a.castText(t, casting)
	}
	if casting == SameKindCasting && kindRank(a.dtype) > kindRank(t) && isNumber(t) {
		return nil, fmt.Errorf("npy: dtype %s does not become %s by same_kind casting; unsafe casting does it", a.dtype, t)
	}
	cast := casterFor(a.dtype, t, casting != UnsafeCasting)
	if cast == nil {
		return a.AsType(t)
	}
	b, err := New(t, a.shape...)
	if err != nil {
		return nil, err
	}
	src, _ := a.Contiguous().ViewBytes()
	return b, cast(b.data, src)
}

// isSafe reports whether AsType takes every value.
func isSafe(from, to dtype.Type) bool {
	_, err := newArray(format.Header{DType: from, Shape: []int{0}}, nil).AsType(to)
	return err == nil
}

// kindRank orders the kinds of numbers: each becomes those behind it by a casting of the same kind. It is 0 for what are no
// numbers.
func kindRank(t dtype.Type) int {
	kinds := []dtype.Kind{dtype.KindBool, dtype.KindUint, dtype.KindInt, dtype.KindFloat, dtype.KindComplex}
	return slices.Index(kinds, t.Kind()) + 1
}

func isNumber(t dtype.Type) bool { return kindRank(t) > 0 }

// A caster converts elements from src to dst, which have as many.
type caster func(dst, src []byte) error

// casterFor returns the way from one dtype of numbers to another, nil if there is none here. With check, values out of range
// are errors.
func casterFor(from, to dtype.Type, check bool) caster {
	if !isNumber(to) {
		return nil
	}
	switch from.Kind() {
	case dtype.KindBool: // all other ways are safe
		decode, _ := decoderFor[bool](from)
		return through(decode, to, check, func(x bool) (scalar.Float16, bool) {
			if x {
				return half(1)
			}
			return half(0)
		})
	case dtype.KindUint:
		decode, _ := decoderFor[uint64](from)
		return fromIntegers(decode, to, check)
	case dtype.KindInt:
		decode, _ := decoderFor[int64](from)
		return fromIntegers(decode, to, check)
	case dtype.KindFloat:
		if decode, ok := decoderFor[float64](from); ok {
			return fromFloats(decode, to, check)
		}
	case dtype.KindComplex:
		if decode, ok := decoderFor[complex128](from); ok {
			return fromComplex(decode, to, check)
		}
	}
	return nil
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func fromIntegers[S int64 | uint64](decode decoder[S], to dtype.Type, check bool) caster {
	switch to.Kind() {
	case dtype.KindBool:
		return through(decode, to, check, func(x S) (bool, bool) { return x != 0, true })
	case dtype.KindFloat:
		switch to.ItemSize() {
		case 2: // NumPy's way is by float32, too
			return through(decode, to, check, func(x S) (scalar.Float16, bool) { return half(float64(float32(x))) })
		case 4:
			return through(decode, to, check, func(x S) (float32, bool) { return float32(x), true })
		case 8:
			return through(decode, to, check, func(x S) (float64, bool) { return float64(x), true })
		}
	case dtype.KindComplex:
		switch to.ItemSize() {
		case 8:
			return through(decode, to, check, func(x S) (complex64, bool) { return complex(float32(x), 0), true })
		case 16:
			return through(decode, to, check, func(x S) (complex128, bool) { return complex(float64(x), 0), true })
		}
	case dtype.KindInt:
		switch to.ItemSize() {
		case 1:
			return through(decode, to, check, lowBits[int8, S])
		case 2:
			return through(decode, to, check, lowBits[int16, S])
		case 4:
			return through(decode, to, check, lowBits[int32, S])
		}
		return through(decode, to, check, lowBits[int64, S])
	case dtype.KindUint:
		switch to.ItemSize() {
		case 1:
			return through(decode, to, check, lowBits[uint8, S])
		case 2:
			return through(decode, to, check, lowBits[uint16, S])
		case 4:
			return through(decode, to, check, lowBits[uint32, S])
		}
		return through(decode, to, check, lowBits[uint64, S])
	}
	return nil
}

func fromFloats(decode decoder[float64], to dtype.Type, check bool) caster {
	switch to.Kind() {
	case dtype.KindBool:
		return through(decode, to, check, func(x float64) (bool, bool) { return x != 0, true })
	case dtype.KindFloat:
		switch to.ItemSize() {
		case 2:
			return through(decode, to, check, half)
		case 4:
			return through(decode, to, check, single)
		}
	case dtype.KindComplex:
		if to.ItemSize() == 8 {
			return through(decode, to, check, func(x float64) (complex64, bool) {
				y, ok := single(x)
				return complex(y, 0), ok
			})
		}
	case dtype.KindInt:
		switch to.ItemSize() {
		case 1:
			return through(decode, to, check, nearest[int8]())
		case 2:
			return through(decode, to, check, nearest[int16]())
		case 4:
			return through(decode, to, check, nearest[int32]())
		}
		return through(decode, to, check, nearest[int64]())
	case dtype.KindUint:
		switch to.ItemSize() {
		case 1:
			return through(decode, to, check, nearest[uint8]())
		case 2:
			return through(decode, to, check, nearest[uint16]())
		case 4:
			return through(decode, to, check, nearest[uint32]())
		}
		return through(decode, to, check, nearest[uint64]())
	}
	return nil
}

func fromComplex(decode decoder[complex128], to dtype.Type, check bool) caster {
	switch to.Kind() {
	case dtype.KindBool:
		return through(decode, to, check, func(x complex128) (bool, bool) { return x != 0, true })
	case dtype.KindComplex:
		if to.ItemSize() != 8 {
			return nil
		}
		return through(decode, to, check, func(x complex128) (complex64, bool) {
			re, ok := single(real(x))
			im, ok2 := single(imag(x))
			return complex(re, im), ok && ok2
		})
	}
	reals := func(dst []float64, src []byte) error {
		all := make([]complex128, len(dst))
		err := decode(all, src)
		for i, x := range all {
			dst[i] = real(x)
		}
		return err
	}
	if to.Kind() == dtype.KindFloat && to.ItemSize() == 8 {
		return through(reals, to, check, func(x float64) (float64, bool) { return x, true })
	}
	return fromFloats(reals, to, check)
}

// through converts a chunk of elements at a time; convert also says whether the value was in range.
func through[S, D Element](decode decoder[S], to dtype.Type, check bool, convert func(S) (D, bool)) caster {
	encode, ok := encoderFor[D](to)
	if !ok {
		return nil
	}
	return func(dst, src []byte) error {
		size := to.ItemSize()
		left := len(dst) / size
		from := len(src) / max(left, 1)
		xs, ys := make([]S, min(chunk, left)), make([]D, min(chunk, left))
		for ; left > 0; left -= len(xs) {
			xs, ys = xs[:min(len(xs), left)], ys[:min(len(ys), left)]
			if err := decode(xs, src[:len(xs)*from]); err != nil {
				return err
			}
			for i, x := range xs {
				y, ok := convert(x)
				if !ok && check {
					return fmt.Errorf("npy: %v is out of the range of dtype %s; unsafe casting takes it all the same", x, to)
				}
				ys[i] = y
			}
			if err := encode(dst[:len(ys)*size], ys); err != nil {
				return err
			}
			src, dst = src[len(xs)*from:], dst[len(ys)*size:]
		}
		return nil
	}
}

// lowBits converts as C does.
func lowBits[D integer, S int64 | uint64](x S) (D, bool) {
	y := D(x)
	return y, S(y) == x && (y < 0) == (x < 0)
}

// nearest returns what cuts the fraction off. What is beyond D becomes its smallest or largest number, NaN 0.
func nearest[D integer]() func(float64) (D, bool) {
	highest := ^D(0)
	if highest < 0 { // all bits but that of the sign
		for highest = 1; highest<<1 > highest; highest = highest<<1 | 1 {
		}
	}
	lowest, end := ^highest, 2*float64(highest/2+1)
	return func(x float64) (D, bool) {
		switch x = math.Trunc(x); {
		case x != x:
			return 0, false
		case x < float64(lowest):
			return lowest, false
		case x >= end:
			return highest, false
		}
		return D(x), true
	}
}

// single rounds to the nearest; what becomes an infinity is out of range.
func single(x float64) (float32, bool) {
	y := float32(x)
	return y, !math.IsInf(float64(y), 0) || math.IsInf(x, 0)
}

func half(x float64) (scalar.Float16, bool) {
	y := scalar.Float16FromFloat64(x)
	return y, !math.IsInf(y.Float64(), 0) || math.IsInf(x, 0)
}
