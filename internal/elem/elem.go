// Package elem converts one array element to text and back, by its dtype. Tables, JSON and all other text formats share
// it.
//
//	bool            true, false; True, TRUE, 1 and so on are read too
//	integers        decimal digits
//	floats          the fewest digits that read back exactly, in the style of Python's repr: 1.0, 1e-07, nan, inf, -inf
//	complex         1.5-2j
//	str             the text itself, as encoded by package escape
//	bytes           likewise
//	void            hexadecimal digits, two for each byte; so are named types without a Go type, such as int1
//	datetime64      ISO 8601 or NaT; without a unit the number of ticks
//	timedelta64     the number of ticks or NaT; with the unit, 90 seconds, it is read too
//
// # Missing values
//
// The empty text is NaN for floats and complex numbers, NaT for times and the empty text for str and bytes. Integers
// and bools have no such value: there it is an error.
//
// Functions returned by this package may be used by several goroutines.
package elem

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/dtype"
)

// A FormatFunc appends the text of one element to dst. Only str can fail, with a [*scalar.CodePointError]; dst is then
// returned unchanged.
type FormatFunc func(dst, item []byte) ([]byte, error)

// A ParseFunc reads text into the bytes of one element and sets all of them. Floats are rounded to the nearest; all
// other values must be exact. Errors are of type [*Error], and item is then undefined.
type ParseFunc func(item []byte, text string) error

// Texts configures choices that the dtype leaves open. The zero value is right for files from x86.
type Texts struct {
	Float128 bool // <f16 is binary128, and <c32 two of them, instead of x87 extended precision
	Decimals bool // integers and bools may be written as decimal numbers with a whole value: 1.50e+01
	Units    bool // durations are written with their unit: 90 seconds
	Infinite bool // numbers too large for a float of 16 bits or more are infinite, as in Python: 1e309
}

// Formatter returns the function that writes elements of t. Structs, subarrays and objects are not single values: the
// error wraps errors.ErrUnsupported.
func (x Texts) Formatter(t dtype.Type) (FormatFunc, error) {
	c, err := x.codecFor(t)
	return c.format, err
}

// Parser returns the function that reads elements of t, the reverse of [Texts.Formatter] and with the same errors.
func (x Texts) Parser(t dtype.Type) (ParseFunc, error) {
	c, err := x.codecFor(t)
	if x.HasDecimals(t) {
		return wholeParser(t, c.parse), err
	}
	return c.parse, err
}

// HasDecimals reports whether elements of t may be written as decimal numbers although they are integers or bools.
func (x Texts) HasDecimals(t dtype.Type) bool {
	k := KindOf(t)
	return x.Decimals && (k == dtype.KindInt || k == dtype.KindUint || k == dtype.KindBool)
}

// A codec holds both directions for one dtype.
type codec struct {
	format FormatFunc
	parse  ParseFunc
}

func (x Texts) codecFor(t dtype.Type) (codec, error) {
	switch t.Kind() {
	case dtype.KindBool:
		return boolCodec(t), nil
	case dtype.KindInt:
		return intCodec(t), nil
	case dtype.KindUint:
		return uintCodec(t), nil
	case dtype.KindFloat:
		return x.infinite(x.partOf(t, t.ItemSize())).codec(t), nil
	case dtype.KindComplex:
		return x.complexCodec(t), nil
	case dtype.KindBytes:
		return bytesCodec(t), nil
	case dtype.KindStr:
		return strCodec(t), nil
	case dtype.KindDatetime:
		return datetimeCodec(t), nil
	case dtype.KindTimedelta:
		return x.timedeltaCodec(t), nil
	case dtype.KindVoid:
		return x.voidCodec(t)
	}
	return codec{}, unsupported(t)
}

func unsupported(t dtype.Type) error {
	return fmt.Errorf("an element of dtype %s has no text of its own: %w", t, errors.ErrUnsupported)
}

// IsMissing reports whether t has a missing value, NaN or NaT.
func IsMissing(t dtype.Type) bool {
	switch t.Kind() {
	case dtype.KindFloat, dtype.KindComplex, dtype.KindDatetime, dtype.KindTimedelta:
		return true
	}
	f, ok := SmallFloatOf(t)
	return IsBFloat16(t) || ok && f.hasNaN()
}

// IsText reports whether elements of t can be any text, so that spaces around it are significant.
func IsText(t dtype.Type) bool { return t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes }

// IsBFloat16 reports whether t is the bfloat16 of ml_dtypes.
func IsBFloat16(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && t.ItemSize() == 2 && !t.IsStruct() && !t.IsSubarray() && t.Name() == "bfloat16"
}

func isBig(t dtype.Type) bool { return t.ByteOrder() == dtype.BigEndian }
