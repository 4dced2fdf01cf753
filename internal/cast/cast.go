// Package cast converts elements from one dtype to another as NumPy's astype does. [For] finds the conversion of two dtypes:
// the strictest casting that allows it, and a [Caster], which converts bytes to bytes.
//
//	cast.go     finds the conversion; void and byte orders
//	number.go   which numbers hold which, and numbers with the parts of complex ones
//	real.go     one real number to another, or to ticks
//	times.go    times of one unit to another
//	text.go     text of numbers, times and other text; parse.go reads it
//	struct.go   structs field by field, subarrays item by item
//	objects.go  Python objects, as far as they are numbers and text
//
// TestCastLive in package npy compares all of them with NumPy.
package cast

import (
	"context"
	"errors"
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/par"
)

// A Casting selects the conversions that are allowed, as casting= of astype does. Package npy documents it.
type Casting int

// The castings, from the strictest.
const (
	Safe Casting = iota
	SameKind
	Unsafe
)

// String returns NumPy's word.
func (c Casting) String() string {
	switch c {
	case Safe:
		return "safe"
	case SameKind:
		return "same_kind"
	case Unsafe:
		return "unsafe"
	}
	return fmt.Sprintf("Casting(%d)", int(c))
}

// Block is the number of elements that are converted at a time and stay in the cache. Cost is the work of converting a
// byte, in bytes moved, for [par.Split].
const (
	Block = 16 << 10
	Cost  = 4
)

// A Caster converts the n contiguous elements of src to n elements of dst, and writes every byte of dst. An element that
// cannot be converted is a [*codec.ElementError]. A Caster may be used by several goroutines.
type Caster func(dst, src []byte, n int) error

// Run converts many elements, a block at a time, on several goroutines.
func (c Caster) Run(dst, src []byte, n int) error {
	if n == 0 {
		return nil
	}
	to, from := len(dst)/n, len(src)/n
	return par.Split(context.Background(), n, Block, Cost*len(dst), func(low, high int) error {
		for ; low < high; low += Block {
			end := min(low+Block, high)
			if err := c(dst[low*to:end*to], src[low*from:end*from], end-low); err != nil {
				return codec.Count(err, low)
			}
		}
		return nil
	})
}

// A conversion from one dtype to another.
type conversion struct {
	needs  Casting                 // the strictest casting that allows it
	caster func(check bool) Caster // with check, values out of range are errors
}

// never is the result for a conversion that does not exist.
var never = conversion{needs: Unsafe + 1}

// For returns the Caster from one dtype to another, or an [*Error] that names the casting that would allow it.
func For(from, to dtype.Type, casting Casting) (Caster, error) {
	x := never
	if !from.HasObject() && !to.HasObject() {
		x = conversionOf(from, to)
	}
	if x.needs > casting {
		return nil, refuse(from, to, casting, x.needs)
	}
	return x.caster(casting != Unsafe), nil
}

// conversionOf returns the conversion between two dtypes without Python objects.
func conversionOf(from, to dtype.Type) conversion {
	switch {
	case from.Equal(to), renames(from, to):
		return conversion{Safe, always(func(dst, src []byte, _ int) error { copy(dst, src); return nil })}
	case from.IsStruct() || to.IsStruct():
		return structConversion(from, to)
	case from.IsSubarray() || to.IsSubarray():
		return subarrayConversion(from, to)
	case SwapWidth(from, to) > 1:
		width := SwapWidth(from, to)
		return conversion{Safe, always(func(dst, src []byte, _ int) error { bulk.Swap(dst, src, width); return nil })}
	case isPlainVoid(to):
		return voidConversion(from, to)
	case elem.KindOf(from) == dtype.KindVoid || elem.KindOf(to) == dtype.KindVoid:
		return never
	case elem.IsText(to):
		return textConversion(from, to)
	case elem.IsText(from):
		return parseConversion(from, to)
	case isTime(from) || isTime(to):
		return timeConversion(from, to)
	}
	return numberConversion(from, to)
}

// always returns a caster for which check makes no difference.
func always(c Caster) func(bool) Caster { return func(bool) Caster { return c } }

func isPlainVoid(t dtype.Type) bool { return t.Equal(dtype.Void(t.ItemSize())) }

// renames reports whether one of two dtypes is void and the other a type of ml_dtypes with the same bytes.
func renames(from, to dtype.Type) bool {
	if from.ItemSize() != to.ItemSize() || SwapWidth(from, to) > 1 {
		return false
	}
	return isPlainVoid(from) && elem.IsNamed(to) || elem.IsNamed(from) && isPlainVoid(to)
}

// voidConversion keeps the bytes of the elements, in native byte order.
func voidConversion(from, to dtype.Type) conversion {
	needs := SameKind
	if to.ItemSize() < from.ItemSize() {
		needs = Unsafe
	}
	native := conversionOf(from, from.WithByteOrder(dtype.NativeEndian)).caster(false)
	return conversion{needs, always(func(dst, src []byte, n int) error {
		if !from.IsNative() {
			items := make([]byte, len(src))
			if err := native(items, src, n); err != nil {
				return err
			}
			src = items
		}
		copyItems(dst, src, n)
		return nil
	})}
}

// copyItems copies n items to items of another size: cut, or followed by zeros.
func copyItems(dst, src []byte, n int) {
	to, from := len(dst)/n, len(src)/n
	size := min(to, from)
	if to > size {
		clear(dst)
	}
	if size > 0 {
		bulk.CopyBytes(dst, 0, []int{to}, src, 0, []int{from}, []int{n}, size)
	}
}

// Target returns the dtype that astype makes of t: a text without a length, a void without a size and a time without
// a unit get the length, size or unit of from, in native byte order.
func Target(from, t dtype.Type) dtype.Type {
	if from.NumField() == 1 && t.Kind() != dtype.KindVoid {
		from, _ = itemsOf(from.Field(0).DType)
		return Target(from, t)
	}
	switch {
	case !t.IsValid() || t.IsStruct() || t.IsSubarray():
	case t.Kind() == dtype.KindStr && t.ItemSize() == 0 && from.Kind() == dtype.KindStr:
		return from
	case t.Kind() == dtype.KindStr && t.ItemSize() == 0:
		return dtype.Str(textLength(from))
	case t.Kind() == dtype.KindBytes && t.ItemSize() == 0:
		return dtype.Bytes(textLength(from))
	case t.Kind() == dtype.KindVoid && t.ItemSize() == 0 && from.IsStruct():
		return from
	case t.Kind() == dtype.KindVoid && t.ItemSize() == 0:
		return dtype.Void(from.ItemSize())
	case IsGeneric(t) && t.Kind() == from.Kind():
		return from
	case IsGeneric(t) && isTime(from) && t.Kind() == dtype.KindDatetime:
		return dtype.Datetime64(from.Step())
	case IsGeneric(t) && isTime(from):
		return dtype.Timedelta64(from.Step())
	case IsGeneric(t):
		return t.WithByteOrder(dtype.NativeEndian)
	}
	return t
}

// errOutOfRange returns the error for a value that a dtype does not hold.
func errOutOfRange(value any, to dtype.Type) error {
	return fmt.Errorf("%v is out of the range of dtype %s; unsafe casting allows it", value, nameOf(to))
}

var errNotASCII = errors.New("text of bytes is ASCII, and this is not")

// SwapWidth returns the number of bytes to reverse to convert elements of one dtype to the other: the size of a
// number, or of a part of a complex number. It is 1 if the conversion takes more than a byte swap.
func SwapWidth(from, to dtype.Type) int {
	switch elem.KindOf(from) {
	case dtype.KindInt, dtype.KindUint, dtype.KindFloat, dtype.KindComplex, dtype.KindDatetime, dtype.KindTimedelta:
	default:
		return 1
	}
	switch {
	case from.Equal(to) || !from.WithByteOrder(to.ByteOrder()).Equal(to):
		return 1
	case from.Kind() == dtype.KindComplex:
		return from.ItemSize() / 2
	}
	return from.ItemSize()
}
