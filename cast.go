package npy

import (
	"context"
	"errors"
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/par"
)

// Cast and AsType find a conversion for two dtypes, which says the least casting that allows it and gives a caster, a function
// that converts elements from bytes to bytes. castnumber.go, casttime.go, casttext.go and caststruct.go have a function each
// that knows some of the conversions; TestCastLive in cast_live_test.go compares all of them with NumPy.

// A Casting says which conversions of dtypes are allowed, as casting= of numpy's astype does.
type Casting int

// The castings, with NumPy's words for them. With the first two a value that does not fit is an error here.
const (
	SafeCasting     Casting = iota // "safe": every value can be held, as for [Array.AsType]
	SameKindCasting                // "same_kind": also fewer bits of the same kind, integers as floats, reals as complex numbers, coarser times, numbers as text that may be too short
	UnsafeCasting                  // "unsafe": all that astype converts
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

// AsType returns a copy of a with another dtype that holds every value of the old one, ndarray.astype(t,
// casting='safe'): a wider number, another byte order, a longer string, times in a finer unit, numbers as text long
// enough for any of them, records whose fields are all of these. It refuses int64 as float64, which NumPy calls safe.
// The copy is in Fortran order if a is, else in C order. The error says that values could change, or names the element
// that does not fit: a string may become shorter if it has the room, and times in a finer unit must fit in 64 bits.
func (a *Array) AsType(t dtype.Type) (*Array, error) { return a.Cast(t, SafeCasting) }

// Cast returns a copy of a with another dtype, ndarray.astype(t, casting=casting), in the order that [Array.AsType] gives. A
// text dtype without a length ("U", "S"), a void without a size and a time without a unit get that of astype: the length of
// the longest text that elements of the old dtype can have, the old size, the old unit.
//
//   - Numbers become each other: rounded to the nearest, ties to even. The types of ml_dtypes are rounded by way of float32,
//     as that package does.
//   - Times become times of another unit, rounded down; numbers, which are their ticks; and text.
//   - Numbers become the text that str gives for them in NumPy 2.5, and text is read as Python's int, float and complex read
//     it, as ISO 8601 for datetime64, and as False for bool where it is empty.
//   - Records become records field by field, by their place and not by their name. A record of one field becomes that field.
//     Anything else becomes records, each field of which gets the value.
//   - All but records becomes void, which is the bytes, cut or with zeros after them.
//
// SameKindCasting holds values to the range of t: an integer that does not fit, a finite float that would be an infinity and
// a text that would be cut are errors, which name the element. UnsafeCasting takes the low bits of integers, cuts the
// fractions of floats off, drops imaginary parts and cuts text, as NumPy does. It differs from NumPy in what NumPy leaves to
// the processor or gets wrong: floats beyond the integers of t become the nearest of them, and NaN becomes 0 (of times NaT,
// for both); times that 64 bits do not hold in the new unit are an error, and so are texts of numbers out of range.
//
// Objects that are all str are converted as NumPy's StringDType is: missing values, None or NaN, become their text, and
// UnsafeCasting cuts what is too long. Other Python objects have no conversion.
func (a *Array) Cast(t dtype.Type, casting Casting) (*Array, error) {
	t = castTarget(a.dtype, t)
	if a.header().FortranOrder {
		b, err := a.T().Cast(t, casting)
		if err != nil {
			return nil, err
		}
		return b.T(), nil
	}
	switch {
	case a.dtype.Equal(t):
		return a.Clone(), nil
	case a.dtype.HasObject():
		return a.castText(t, casting)
	}
	convert, err := casterFor(a.dtype, t, casting)
	if err != nil {
		return nil, err
	}
	h := format.Header{DType: t, Shape: a.shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if err := checkEmptyItems(a.Size(), a.dtype.ItemSize()); err != nil {
		return nil, err
	}
	b := newArray(h, bulk.MakeFill[byte](int(h.NBytes())))
	src, _ := a.Contiguous().ViewBytes()
	if err := convert.run(b.data, src, a.Size()); err != nil {
		return nil, err
	}
	return b, nil
}

// A caster converts n elements of src, one after the other, to n of dst, all of whose bytes it writes. An error that one
// element is to blame for is an *elementError. A caster may be used by several goroutines.
type caster func(dst, src []byte, n int) error

// run converts many elements, a block at a time and by several goroutines.
func (c caster) run(dst, src []byte, n int) error {
	if n == 0 {
		return nil
	}
	to, from := len(dst)/n, len(src)/n
	return par.Split(context.Background(), n, convertBlock, convertCost*len(dst), func(low, high int) error {
		for ; low < high; low += convertBlock {
			end := min(low+convertBlock, high)
			if err := c(dst[low*to:end*to], src[low*from:end*from], end-low); err != nil {
				return countedFrom(err, low)
			}
		}
		return nil
	})
}

// countedFrom adds what comes before the elements that err counts.
func countedFrom(err error, before int) error {
	if e, ok := err.(*elementError); ok {
		e.index += before
	}
	return err
}

// A conversion is the way from one dtype to another.
type conversion struct {
	needs  Casting                 // the least that allows it
	caster func(check bool) caster // with check, values out of range are errors
}

// never is a conversion that there is not.
var never = conversion{needs: UnsafeCasting + 1}

// casterFor returns the caster from one dtype to another, and the error if casting does not allow it.
func casterFor(from, to dtype.Type, casting Casting) (caster, error) {
	x := never
	if !from.HasObject() && !to.HasObject() {
		x = conversionOf(from, to)
	}
	a, b := nameOf(from), nameOf(to)
	switch {
	case from.HasObject():
		return nil, fmt.Errorf("npy: no conversion from dtype %s to %s; As gives objects of one type as Go values", a, b)
	case x.needs > UnsafeCasting:
		return nil, fmt.Errorf("npy: no conversion from dtype %s to %s%s", a, b, castHint(from, to))
	case x.needs > casting && casting == SafeCasting:
		return nil, fmt.Errorf("npy: no conversion from dtype %s to %s keeps every value; %s casting allows it", a, b, x.needs)
	case x.needs > casting:
		return nil, fmt.Errorf("npy: dtype %s does not become %s by %s casting; %s casting allows it", a, b, casting, x.needs)
	}
	return x.caster(casting != UnsafeCasting), nil
}

// nameOf is what errors call a dtype: its descr, or its name where the descr is that of void.
func nameOf(t dtype.Type) string {
	if isNamed(t) {
		return t.Name()
	}
	return t.String()
}

// castHint says more about some conversions that there are not.
func castHint(from, to dtype.Type) string {
	switch {
	case isPlainVoid(from) && from.ItemSize() <= 2:
		return "; if it is of ml_dtypes, whose types NumPy writes as void, Decoder.As or AsType says which"
	case isStepless(to) && elem.IsText(from):
		return "; say the unit, such as " + to.Descr() + "[s]"
	case from.IsStruct() && to.IsStruct() && from.NumField() != to.NumField():
		return fmt.Sprintf(", which has %d fields and not %d", to.NumField(), from.NumField())
	}
	return ""
}

// conversionOf returns the way from one dtype without Python objects to another.
func conversionOf(from, to dtype.Type) conversion {
	switch {
	case from.Equal(to), renames(from, to):
		return conversion{SafeCasting, always(func(dst, src []byte, _ int) error { copy(dst, src); return nil })}
	case from.IsStruct() || to.IsStruct():
		return structConversion(from, to)
	case from.IsSubarray() || to.IsSubarray():
		return subarrayConversion(from, to)
	case swapped(from, to) > 1:
		width := swapped(from, to)
		return conversion{SafeCasting, always(func(dst, src []byte, _ int) error { bulk.Swap(dst, src, width); return nil })}
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

// always is a caster to which checks make no difference.
func always(c caster) func(bool) caster { return func(bool) caster { return c } }

func isPlainVoid(t dtype.Type) bool { return t.Equal(dtype.Void(t.ItemSize())) }

// renames reports whether two dtypes have the same bytes and one only says more of them: void and a type of ml_dtypes.
func renames(from, to dtype.Type) bool {
	if from.ItemSize() != to.ItemSize() || swapped(from, to) > 1 {
		return false
	}
	return isPlainVoid(from) && isNamed(to) || isNamed(from) && isPlainVoid(to)
}

// voidConversion keeps the bytes of the elements, in native byte order.
func voidConversion(from, to dtype.Type) conversion {
	needs := SameKindCasting
	if to.ItemSize() < from.ItemSize() {
		needs = UnsafeCasting
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

// copyItems copies n items to items of another size: cut, or with zeros after them.
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

// castTarget returns the dtype that astype makes of t, which need not say everything. What it adds comes in native byte
// order.
func castTarget(from, t dtype.Type) dtype.Type {
	if from.NumField() == 1 && t.Kind() != dtype.KindVoid {
		from, _ = itemsOf(from.Field(0).DType)
		return castTarget(from, t)
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
	case isStepless(t) && t.Kind() == from.Kind():
		return from
	case isStepless(t) && isTime(from) && t.Kind() == dtype.KindDatetime:
		return dtype.Datetime64(from.Step())
	case isStepless(t) && isTime(from):
		return dtype.Timedelta64(from.Step())
	case isStepless(t):
		return t.WithByteOrder(dtype.NativeEndian)
	}
	return t
}

// errOutOfRange says of a value that to does not hold it.
func errOutOfRange(value any, to dtype.Type) error {
	return fmt.Errorf("%v is out of the range of dtype %s; unsafe casting allows it", value, nameOf(to))
}

var errNotASCII = errors.New("text of bytes is ASCII, and this is not")
