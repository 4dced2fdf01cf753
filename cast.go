package npy

import (
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/cast"
	"github.com/npygo/npy/internal/diag"
)

// A Casting selects the conversions of dtypes that are allowed, as casting= of numpy's astype does.
type Casting int

// The castings, with NumPy's words for them. A value out of range is an error under the first two, unlike in NumPy.
const (
	SafeCasting     Casting = iota // "safe": every value can be held, as for [Array.AsType]
	SameKindCasting                // "same_kind": also fewer bits of the same kind, integers as floats, reals as complex numbers, coarser times, numbers as text that may be too short
	UnsafeCasting                  // "unsafe": every conversion of astype
)

// String returns NumPy's word.
func (c Casting) String() string {
	return cast.Casting(c).String()
}

// GoString returns the name of the constant, "npy.SameKindCasting", for %#v and for errors that recommend a casting.
func (c Casting) GoString() string {
	switch c {
	case SafeCasting:
		return "npy.SafeCasting"
	case SameKindCasting:
		return "npy.SameKindCasting"
	case UnsafeCasting:
		return "npy.UnsafeCasting"
	}
	return fmt.Sprintf("npy.Casting(%d)", int(c))
}

// ParseCasting returns the Casting for one of NumPy's words.
func ParseCasting(word string) (Casting, error) {
	for c := SafeCasting; c <= UnsafeCasting; c++ {
		if word == c.String() {
			return c, nil
		}
	}
	return 0, diag.Errorf("npy", "casting %q, want safe, same_kind or unsafe", word)
}

// MarshalText returns NumPy's word for the casting. A value that is none of the constants is an error.
func (c Casting) MarshalText() ([]byte, error) {
	if _, err := ParseCasting(c.String()); err != nil {
		return nil, diag.Errorf("npy", "%d is not a casting", int(c))
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads the same words as [ParseCasting]. An error leaves c unchanged.
func (c *Casting) UnmarshalText(text []byte) error {
	parsed, err := ParseCasting(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

// A CastError reports that a [Casting] does not allow a conversion from one dtype to another.
type CastError struct {
	From, To dtype.Type // of the elements, and the one asked for
	Casting  Casting    // of the call
	Needs    Casting    // the strictest that allows the conversion, or Casting if none does
	Reason   string     // without the way out
	Hint     string     // another way out, "" for none
}

// Error returns one line with the reason and the way out, which is often the Casting that is needed.
func (e *CastError) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *CastError) Fault(_ string) string {
	return cast.Refusal(e.Reason, cast.Casting(e.Casting), cast.Casting(e.Needs), e.Hint)
}

// AsType returns a copy of a with another dtype that holds every value of the old one, as ndarray.astype(t,
// casting='safe'). It may be a wider number, another byte order, a longer string, times in a finer unit, numbers as
// text long enough for any number of the dtype, records whose fields all convert in this way, by their position. A time
// without a unit takes the unit of t and keeps its number. AsType refuses int64 as float64, which NumPy calls safe. The
// copy is in Fortran order if a is, else in C order. The error reports that values could change, or names the element
// that is out of range: a string may become shorter if all its characters fit, and times in a finer unit must fit in 64
// bits.
func (a *Array) AsType(t dtype.Type) (*Array, error) { return a.Cast(t, SafeCasting) }

// Cast returns a copy of a with another dtype, ndarray.astype(t, casting=casting), in the same order as
// [Array.AsType]. A text dtype without a length ("U", "S"), a void without a size and a time without a unit get the
// length, size or unit that astype gives them: the length of the longest text that elements of the old dtype can
// have, the old size, the old unit.
//
//   - Numbers become other numbers: rounded to the nearest, ties to even. The types of ml_dtypes are rounded through float32,
//     as ml_dtypes does.
//   - Times become times of another unit, rounded down; numbers, which are their ticks; and text.
//   - Numbers become the text that str gives for them in NumPy 2.5. Text is read as Python's int, float and complex read it,
//     as ISO 8601 for datetime64, and as False for bool if it is empty.
//   - Records become records field by field, by the position of the fields and not by their name. A record of one field
//     becomes that field. Any other value becomes a record with the value in each field.
//   - Everything except records becomes void: the bytes, cut or padded with zeros.
//
// SameKindCasting keeps values within the range of t: an integer out of range, a finite float that would become an
// infinity and a text that would be cut are errors, which name the element. UnsafeCasting takes the low bits of
// integers, cuts off the fractions of floats, drops imaginary parts and cuts text, as NumPy does. It differs from
// NumPy where NumPy leaves the result to the processor or is wrong. Floats beyond the integers of t become the
// nearest integer of t, and NaN becomes 0. If t is a time, both become NaT. Times that do not fit in 64 bits
// in the new unit are an error, and so are texts of numbers out of range.
//
// Objects that are all str are converted as NumPy's StringDType is: missing values, None or NaN, become their text,
// and UnsafeCasting cuts text that is too long. Other Python objects have no conversion.
func (a *Array) Cast(t dtype.Type, casting Casting) (*Array, error) {
	t = cast.Target(a.nd.DType, t)
	if a.header().FortranOrder {
		b, err := a.T().Cast(t, casting)
		if err != nil {
			return nil, err
		}
		return b.T(), nil
	}
	switch {
	case a.nd.DType.Equal(t):
		return a.Clone(), nil
	case a.nd.DType.HasObject():
		return a.castText(t, casting)
	}
	convert, err := casterFor(a.nd.DType, t, casting)
	if err != nil {
		return nil, err
	}
	h := format.Header{DType: t, Shape: a.nd.Shape}
	if err := check(h); err != nil {
		return nil, err
	}
	if err := checkEmptyItems(a.Size(), a.nd.DType.ItemSize()); err != nil {
		return nil, err
	}
	b := newArray(h, bulk.MakeFill[byte](int(h.NBytes())))
	src, _ := a.Contiguous().ViewBytes()
	if err := convert.Run(b.nd.Data, src, a.Size()); err != nil {
		return nil, err
	}
	return b, nil
}

// casterFor returns the conversion between two dtypes, or a [*CastError].
func casterFor(from, to dtype.Type, casting Casting) (cast.Caster, error) {
	convert, err := cast.For(from, to, cast.Casting(casting))
	if e, ok := err.(*cast.Error); ok {
		return nil, &CastError{From: e.From, To: e.To, Casting: casting, Needs: Casting(e.Needs), Reason: e.Reason, Hint: e.Hint}
	}
	return convert, err
}

// castText converts an array of objects, all of them str, to another dtype, as NumPy 2 converts StringDType. With
// SafeCasting a missing value, None or NaN, is an error; other castings take its text. UnsafeCasting cuts text that
// is too long, and converts text to other dtypes.
func (a *Array) castText(t dtype.Type, casting Casting) (*Array, error) {
	if a.nd.DType.Kind() != dtype.KindObject {
		return nil, errNoText
	}
	texts := make([]string, 0, a.Size())
	for item := range a.nd.Items {
		v := a.objects.get(item)
		s, ok := v.(string)
		if !ok && casting != SafeCasting {
			s, ok = cast.MissingText(v)
		}
		if !ok {
			return nil, diag.Errorf("npy", "element %s is %s, where dtype %s takes a str",
				indexText(len(texts), a.nd.Shape), describeObject(v), t)
		}
		texts = append(texts, s)
	}
	shape := append([]int{}, a.nd.Shape...) // never nil, which would mean one dimension
	switch kind := t.Kind(); {
	case kind == dtype.KindStr:
		if t.ItemSize() == 0 {
			t = dtype.Str(max(cast.Longest(texts), 1)).WithByteOrder(t.ByteOrder())
		} else if casting == UnsafeCasting {
			cast.Truncate(texts, t.ItemSize()/4)
		}
		return FromSliceAs(t, texts, shape...)
	case kind == dtype.KindBytes:
		return bytesOf(t, texts, shape, casting == UnsafeCasting)
	case casting != UnsafeCasting:
		return nil, diag.Errorf("npy", "str can be cast to dtype %s only with unsafe casting", t)
	}
	b, err := FromSliceAs(dtype.Str(max(cast.Longest(texts), 1)), texts, shape...)
	if err != nil {
		return nil, err
	}
	return b.Cast(t, casting)
}

var errNoText = diag.New("npy", "structs with objects cannot be cast; select one field")

// bytesOf returns ASCII texts as an array of bytes.
func bytesOf(t dtype.Type, texts []string, shape []int, cut bool) (*Array, error) {
	if n := cast.Longest(texts); t.ItemSize() == 0 {
		t = dtype.Bytes(max(n, 1))
	} else if cut {
		cast.Truncate(texts, t.ItemSize())
	}
	data := make([][]byte, len(texts))
	for i, s := range texts {
		for _, c := range []byte(s) {
			if c >= utf8.RuneSelf {
				return nil, diag.Errorf("npy", "element %s is %q, which is not ASCII, for dtype %s", indexText(i, shape), s, t)
			}
		}
		data[i] = []byte(s)
	}
	return FromSliceAs(t, data, shape...)
}
