package cast

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// numberConversion converts numbers, including the types of ml_dtypes.
func numberConversion(from, to dtype.Type) conversion {
	rankFrom, rankTo := kindRank(from), kindRank(to)
	needs := Unsafe
	switch {
	case rankFrom == 0 || rankTo == 0:
		return never
	case holdsNumbers(to, from):
		needs = Safe
	case rankFrom <= rankTo:
		needs = SameKind
	}
	return conversion{needs, func(check bool) Caster {
		if c := directCaster(from, to); c != nil {
			return c
		}
		return numberCaster(from, to, check)
	}}
}

// directCaster converts numbers that the Go type of the target holds, without another type in between. It is nil if
// there is no such conversion.
func directCaster(from, to dtype.Type) Caster {
	switch size := to.ItemSize(); to.Kind() {
	case dtype.KindInt:
		switch size {
		case 2:
			return direct(codec.Real[int16](from), from, to)
		case 4:
			return direct(codec.Real[int32](from), from, to)
		case 8:
			return direct(codec.Real[int64](from), from, to)
		}
	case dtype.KindUint:
		switch size {
		case 2:
			return direct(codec.Real[uint16](from), from, to)
		case 4:
			return direct(codec.Real[uint32](from), from, to)
		case 8:
			return direct(codec.Real[uint64](from), from, to)
		}
	case dtype.KindFloat:
		switch size {
		case 4:
			return direct(codec.Real[float32](from), from, to)
		case 8:
			return direct(codec.Real[float64](from), from, to)
		}
	case dtype.KindComplex:
		switch size {
		case 8:
			return direct(codec.Complex[complex64](from), from, to)
		case 16:
			return direct(codec.Complex[complex128](from), from, to)
		}
	}
	return nil
}

func direct[D bulk.Number](decode codec.Decoder[D], from, to dtype.Type) Caster {
	if decode == nil {
		return nil
	}
	encode := codec.Put[D](!to.IsNative())
	return func(dst, src []byte, n int) error {
		if all, ok := bulk.View[D](dst); ok && to.IsNative() {
			return decode(all, src)
		}
		xs := make([]D, min(codec.Chunk, n))
		for at := 0; at < n; at += len(xs) {
			xs = xs[:min(len(xs), n-at)]
			if err := decode(xs, src[at*from.ItemSize():(at+len(xs))*from.ItemSize()]); err != nil {
				return err
			}
			if err := encode(dst[at*to.ItemSize():(at+len(xs))*to.ItemSize()], xs); err != nil {
				return err
			}
		}
		return nil
	}
}

// kindRank orders the kinds of numbers. The same_kind casting converts a number to its own kind and to later kinds.
// The rank is 0 for dtypes that are not numbers.
func kindRank(t dtype.Type) int {
	kind := elem.KindOf(t)
	if n, ok := elem.SmallIntOf(t); ok && !n.Signed {
		kind = dtype.KindUint
	}
	kinds := []dtype.Kind{dtype.KindBool, dtype.KindUint, dtype.KindInt, dtype.KindFloat, dtype.KindComplex}
	return slices.Index(kinds, kind) + 1
}

// holdsNumbers reports whether every number of from is a number of to.
func holdsNumbers(to, from dtype.Type) bool {
	isComplex := to.Kind() == dtype.KindComplex
	if isComplex {
		to = partType(to)
	}
	if from.Kind() == dtype.KindComplex {
		return isComplex && holdsNumbers(to, partType(from))
	}
	if elem.KindOf(from) == dtype.KindFloat {
		return elem.KindOf(to) == dtype.KindFloat && holdsFloats(to, from)
	}
	if elem.KindOf(to) != dtype.KindFloat {
		return codec.Holds(to, from)
	}
	bits, signed := codec.Precision(from)
	if small, ok := elem.SmallFloatOf(to); ok {
		return bits <= 8 && holdsIntegers(small, bits, signed)
	}
	return bits <= floatPrecision(to)
}

// holdsIntegers reports whether a small format has all integers of bits bits.
func holdsIntegers(f elem.SmallFloat, bits int, signed bool) bool {
	low := 0
	if signed {
		low = -1 << bits
	}
	for i := low; i < 1<<bits; i++ {
		if float64(f.Value(f.Nearest(float64(i)))) != float64(i) {
			return false
		}
	}
	return true
}

// floatPrecision returns the bits of the mantissa of a float of more than one byte.
func floatPrecision(t dtype.Type) int {
	if elem.IsBFloat16(t) {
		return 8
	}
	return map[int]int{2: 11, 4: 24, 8: 53, 12: 64, 16: 64}[t.ItemSize()]
}

// holdsFloats is holdsNumbers for floats. Long doubles of 12 and of 16 bytes have the same values.
func holdsFloats(to, from dtype.Type) bool {
	small, isSmall := elem.SmallFloatOf(from)
	switch {
	case isSmall && to.ItemSize() < 4:
		isExact := exactIn(to)
		for code := range 1 << 8 {
			if !isExact(float64(small.Value(uint8(code)))) {
				return false
			}
		}
		return true
	case isSmall:
		return true
	case elem.IsBFloat16(from):
		return elem.IsBFloat16(to) || to.ItemSize() > 2
	}
	return !elem.IsBFloat16(to) && to.ItemSize() > 1 && floatPrecision(from) <= floatPrecision(to)
}

// exactIn returns a function that reports whether a float dtype of one or two bytes has a number.
func exactIn(t dtype.Type) func(x float64) bool {
	var nearest func(x float64) float64
	switch small, ok := elem.SmallFloatOf(t); {
	case ok:
		nearest = func(x float64) float64 { return float64(small.Value(small.Nearest(x))) }
	case elem.IsBFloat16(t):
		nearest = func(x float64) float64 { return scalar.BFloat16FromFloat64(x).Float64() }
	default:
		nearest = func(x float64) float64 { return scalar.Float16FromFloat64(x).Float64() }
	}
	return func(x float64) bool { y := nearest(x); return x == y || x != x && y != y }
}

// partType returns the dtype of one part of a complex number.
func partType(t dtype.Type) dtype.Type {
	part, err := dtype.Parse(fmt.Sprintf("f%d", t.ItemSize()/2))
	if err != nil {
		panic(err)
	}
	return part.WithByteOrder(t.ByteOrder())
}

func numberCaster(from, to dtype.Type, check bool) Caster {
	fromParts, toParts := from.Kind() == dtype.KindComplex, to.Kind() == dtype.KindComplex
	switch {
	case fromParts && toParts:
		part := realCaster(partType(from), partType(to), to, check)
		return func(dst, src []byte, n int) error { return perItem(part(dst, src, 2*n), 2) }
	case fromParts && to.Kind() == dtype.KindBool:
		return eitherPart(realCaster(partType(from), to, to, check))
	case fromParts:
		return realParts(partType(from).ItemSize(), realCaster(partType(from), to, to, check))
	case toParts:
		return toReal(partType(to).ItemSize(), realCaster(from, partType(to), to, check))
	}
	return realCaster(from, to, to, check)
}

// perItem changes the index of a part in an error to the index of the item, which has several parts.
func perItem(err error, parts int) error {
	if e, ok := err.(*codec.ElementError); ok {
		e.Index /= parts
	}
	return err
}

// eitherPart converts complex numbers to bool: true if either part is.
func eitherPart(part Caster) Caster {
	return func(dst, src []byte, n int) error {
		parts := make([]byte, 2*n)
		err := part(parts, src, 2*n)
		for i := range dst {
			dst[i] = parts[2*i] | parts[2*i+1]
		}
		return err
	}
}

// realParts converts the first parts of complex numbers.
func realParts(size int, part Caster) Caster {
	return func(dst, src []byte, n int) error {
		parts := make([]byte, n*size)
		bulk.CopyBytes(parts, 0, []int{size}, src, 0, []int{2 * size}, []int{n}, size)
		return part(dst, parts, n)
	}
}

// toReal converts real numbers to the first parts of complex numbers and sets the second parts to zero.
func toReal(size int, part Caster) Caster {
	return func(dst, src []byte, n int) error {
		parts := make([]byte, n*size)
		err := part(parts, src, n)
		clear(dst)
		bulk.CopyBytes(dst, 0, []int{2 * size}, parts, 0, []int{size}, []int{n}, size)
		return err
	}
}
