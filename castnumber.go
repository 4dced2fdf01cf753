package npy

import (
	"fmt"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// numberConversion converts numbers, those of ml_dtypes among them.
func numberConversion(from, to dtype.Type) conversion {
	rankFrom, rankTo := kindRank(from), kindRank(to)
	needs := UnsafeCasting
	switch {
	case rankFrom == 0 || rankTo == 0:
		return never
	case holdsNumbers(to, from):
		needs = SafeCasting
	case rankFrom <= rankTo:
		needs = SameKindCasting
	}
	return conversion{needs, func(check bool) caster {
		if c := directCaster(from, to); c != nil {
			return c
		}
		return numberCaster(from, to, check)
	}}
}

// directCaster converts numbers that can be read as the Go type of the target, without another type between; nil if there is
// none.
func directCaster(from, to dtype.Type) caster {
	switch size := to.ItemSize(); to.Kind() {
	case dtype.KindInt:
		switch size {
		case 2:
			return direct[int16](from, to)
		case 4:
			return direct[int32](from, to)
		case 8:
			return direct[int64](from, to)
		}
	case dtype.KindUint:
		switch size {
		case 2:
			return direct[uint16](from, to)
		case 4:
			return direct[uint32](from, to)
		case 8:
			return direct[uint64](from, to)
		}
	case dtype.KindFloat:
		switch size {
		case 4:
			return direct[float32](from, to)
		case 8:
			return direct[float64](from, to)
		}
	case dtype.KindComplex:
		switch size {
		case 8:
			return direct[complex64](from, to)
		case 16:
			return direct[complex128](from, to)
		}
	}
	return nil
}

func direct[D Element](from, to dtype.Type) caster {
	decode, ok := decoderFor[D](from)
	if !ok {
		return nil
	}
	encode, _ := encoderFor[D](to)
	return func(dst, src []byte, n int) error {
		if all, ok := bulk.View[D](dst); ok && to.IsNative() {
			return decode(all, src)
		}
		xs := make([]D, min(chunk, n))
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

// kindRank orders the kinds of numbers: same_kind casting goes from one to itself and to later ones. It is 0 for what are no
// numbers.
func kindRank(t dtype.Type) int {
	kind := elem.KindOf(t)
	if n, ok := elem.SmallIntOf(t); ok && !n.Signed {
		kind = dtype.KindUint
	}
	kinds := []dtype.Kind{dtype.KindBool, dtype.KindUint, dtype.KindInt, dtype.KindFloat, dtype.KindComplex}
	return slices.Index(kinds, kind) + 1
}

// holdsNumbers reports whether every number of from is one of to.
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
		return holds(to, from)
	}
	bits, signed := precision(from)
	if small, ok := elem.SmallFloatOf(to); ok {
		return bits <= 8 && holdsIntegers(small, bits, signed)
	}
	return bits <= floatPrecision(to)
}

// holdsIntegers reports whether all integers of some bits are numbers of a small format.
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
	if isBFloat16(t) {
		return 8
	}
	return map[int]int{2: 11, 4: 24, 8: 53, 12: 64, 16: 64}[t.ItemSize()]
}

// holdsFloats is holdsNumbers for floats. Long doubles of 12 and 16 bytes are the same.
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
	case isBFloat16(from):
		return isBFloat16(to) || to.ItemSize() > 2
	}
	return !isBFloat16(to) && to.ItemSize() > 1 && floatPrecision(from) <= floatPrecision(to)
}

// exactIn returns a function that reports whether a number is one of a float type of one or two bytes.
func exactIn(t dtype.Type) func(x float64) bool {
	var nearest func(x float64) float64
	switch small, ok := elem.SmallFloatOf(t); {
	case ok:
		nearest = func(x float64) float64 { return float64(small.Value(small.Nearest(x))) }
	case isBFloat16(t):
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

func numberCaster(from, to dtype.Type, check bool) caster {
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

// perItem makes an error about one of several parts one about the item.
func perItem(err error, parts int) error {
	if e, ok := err.(*elementError); ok {
		e.index /= parts
	}
	return err
}

// eitherPart makes bools of complex numbers: whether either part is true.
func eitherPart(part caster) caster {
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
func realParts(size int, part caster) caster {
	return func(dst, src []byte, n int) error {
		parts := make([]byte, n*size)
		bulk.CopyBytes(parts, 0, []int{size}, src, 0, []int{2 * size}, []int{n}, size)
		return part(dst, parts, n)
	}
}

// toReal converts to the first parts of complex numbers, and makes the others zero.
func toReal(size int, part caster) caster {
	return func(dst, src []byte, n int) error {
		parts := make([]byte, n*size)
		err := part(parts, src, n)
		clear(dst)
		bulk.CopyBytes(dst, 0, []int{2 * size}, parts, 0, []int{size}, []int{n}, size)
		return err
	}
}
