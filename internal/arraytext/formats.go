package arraytext

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// An itemFormat turns elements of one dtype into words, as the classes FloatingFormat, IntegerFormat and others of NumPy do. The
// word of an element depends on all elements that are printed: the format measures them first.
type itemFormat interface {
	// next begins a round and reports whether all elements are to be measured in it. The last call returns false.
	next() bool
	measure(item []byte)
	append(dst, item []byte) []byte
}

// An elementFormat is the itemFormat of whole elements.
type elementFormat struct {
	itemFormat
	*budget
}

// A budget limits the items of subarrays that are printed in one element.
type budget struct{ limit, left int }

// itemsMax is the largest number of items of subarrays that are printed. NumPy never summarises subarrays, but a
// short header can claim any number of items of 0 bytes.
const itemsMax = 1 << 20

// newFormat returns the format for an array, and the number of its elements that are printed.
func (p Printer) newFormat(a Array, printed, textMax int) *elementFormat {
	b := &budget{limit: itemsMax}
	if !p.full() {
		b.limit = max(itemsMax/printed, 1)
	}
	if textMax == 0 {
		textMax = p.textMax(printed)
	}
	f := formats{precision: p.Precision, float128: p.Float128, numpy1: p.NumPy == 1, budget: b, separator: ", ", alone: len(a.Shape) == 0, objects: a.Objects, textMax: textMax, printed: p.Text}
	return &elementFormat{f.of(a.DType), b}
}

// settle measures the elements that are printed.
func (f *elementFormat) settle(g *grid) {
	for f.next() {
		g.each(f.measure)
	}
}

func (f *elementFormat) measure(item []byte) {
	f.left = f.limit
	f.itemFormat.measure(item)
}

func (f *elementFormat) append(dst, item []byte) []byte {
	f.left = f.limit
	return f.itemFormat.append(dst, item)
}

// formats chooses the format of a dtype. Its fields are the differences between arrays and tables.
type formats struct {
	precision int
	float128  bool
	numpy1    bool
	budget    *budget
	separator string // between the items of a subarray
	bare      bool   // no quotes around times
	alone     bool   // the array has no dimensions
	cut       int    // the longest text in code points, 0 for any
	objects   Objects
	textMax   int // bytes of the text of one object
	printed   *Budget
}

func (f formats) of(t dtype.Type) itemFormat {
	switch {
	case t.IsStruct():
		return newStructFormat(f, t)
	case t.IsSubarray():
		return newSubarrayFormat(f, t)
	}
	if read, size := floatReaderFor(t, f.float128); read != nil {
		format := floatFormat{read: read, precision: f.precision, numpy1: f.numpy1}
		if t.Kind() == dtype.KindComplex {
			return newComplexFormat(format, size)
		}
		return &format
	}
	if text := integerText(t); text != nil {
		return &paddedFormat{text: text}
	}
	switch t.Kind() {
	case dtype.KindDatetime, dtype.KindTimedelta:
		return &paddedFormat{text: f.timeText(t)}
	case dtype.KindBool:
		if f.alone {
			return textFormat(appendOneBool)
		}
		return textFormat(appendBool)
	case dtype.KindBytes:
		return f.text(appendBytesItem, 1)
	case dtype.KindStr:
		return f.text(strText(t), 4)
	case dtype.KindObject:
		return f.text(f.objectText(), 1)
	}
	return f.text(appendHex, 1)
}

// A textFunc appends the text of one element.
type textFunc func(dst, item []byte) []byte

// A textFormat prints elements that do not depend on each other.
type textFormat textFunc

func (f textFormat) next() bool                     { return false }
func (f textFormat) measure([]byte)                 {}
func (f textFormat) append(dst, item []byte) []byte { return f(dst, item) }

// text returns the format for elements of any length, made of characters of the given number of bytes.
func (f formats) text(text textFunc, size int) itemFormat {
	if f.cut == 0 {
		return textFormat(text)
	}
	return textFormat(func(dst, item []byte) []byte {
		// Each character takes at least one column, so later characters would be cut.
		item = item[:min(len(item), (f.cut+1)*size)]
		start := len(dst)
		return cutText(text(dst, item), start, f.cut)
	})
}

// cutText cuts the text from start on to n code points, dots at the end included.
func cutText(dst []byte, start, n int) []byte {
	if utf8.RuneCount(dst[start:]) <= n {
		return dst
	}
	end := start
	for range n - len("...") {
		_, size := utf8.DecodeRune(dst[end:])
		end += size
	}
	return append(dst[:end], "..."...)
}

// A paddedFormat prints elements right-aligned (IntegerFormat, _TimelikeFormat).
type paddedFormat struct {
	text   textFunc
	shown  bool
	width  int
	buffer []byte
}

func (f *paddedFormat) next() bool {
	first := !f.shown
	f.shown = true
	return first
}

func (f *paddedFormat) measure(item []byte) {
	f.buffer = f.text(f.buffer[:0], item)
	f.width = max(f.width, len(f.buffer))
}

func (f *paddedFormat) append(dst, item []byte) []byte {
	f.buffer = f.text(f.buffer[:0], item)
	return append(appendSpaces(dst, f.width-len(f.buffer)), f.buffer...)
}

func appendSpaces(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// appendBool pads True to the length of False (BoolFormat).
func appendBool(dst, item []byte) []byte {
	if item[0] != 0 {
		return append(dst, " True"...)
	}
	return append(dst, "False"...)
}

// appendOneBool is appendBool for an array without dimensions.
func appendOneBool(dst, item []byte) []byte {
	return append(dst, bytes.TrimLeft(appendBool(nil, item), " ")...)
}

func signedInteger(item []byte, big bool) int64 {
	unused := 64 - 8*len(item)
	return int64(bulk.Uint(item, big)<<unused) >> unused
}

func isBig(t dtype.Type) bool { return t.ByteOrder() == dtype.BigEndian }

// integerText returns the function that appends integers, and nil if t has no integers.
func integerText(t dtype.Type) textFunc {
	big := isBig(t)
	switch t.Kind() {
	case dtype.KindUint:
		return func(dst, item []byte) []byte { return strconv.AppendUint(dst, bulk.Uint(item, big), 10) }
	case dtype.KindInt:
		return func(dst, item []byte) []byte { return strconv.AppendInt(dst, signedInteger(item, big), 10) }
	}
	if n, ok := elem.SmallIntOf(t); ok {
		return func(dst, item []byte) []byte { return strconv.AppendInt(dst, int64(n.Value(item[0])), 10) }
	}
	return nil
}

// timeText returns the function that appends datetime64 in quotes and timedelta64 as a number. NaT is in quotes for both
// (DatetimeFormat, TimedeltaFormat).
func (f formats) timeText(t dtype.Type) textFunc {
	big, step := isBig(t), t.Step()
	quoted := func(dst []byte, quotes bool, text textFunc, item []byte) []byte {
		if !quotes || f.bare {
			return text(dst, item)
		}
		return append(text(append(dst, '\''), item), '\'')
	}
	if t.Kind() == dtype.KindTimedelta {
		text := func(dst, item []byte) []byte {
			return scalar.Timedelta64{Ticks: signedInteger(item, big)}.AppendCount(dst)
		}
		return func(dst, item []byte) []byte {
			return quoted(dst, signedInteger(item, big) == scalar.NaT, text, item)
		}
	}
	text := func(dst, item []byte) []byte {
		return scalar.Datetime64{Ticks: signedInteger(item, big)}.Append(dst, step)
	}
	return func(dst, item []byte) []byte { return quoted(dst, true, text, item) }
}

// appendScalar appends the element of an array without dimensions as str prints a NumPy scalar: with all digits of floats and
// without quotes.
func (p Printer) appendScalar(dst []byte, a Array) []byte {
	t, item := a.DType, a.ItemAt(a.Offset)
	if read, size := floatReaderFor(t, p.Float128); read != nil {
		if t.Kind() == dtype.KindComplex {
			return appendComplexScalar(dst, t, read(item[:size]), read(item[size:]), item, p.NumPy == 1)
		}
		if p.NumPy == 1 {
			return read(item).appendNumPy1(dst, true)
		}
		return read(item).Append(dst)
	}
	if text := integerText(t); text != nil {
		return text(dst, item)
	}
	switch t.Kind() {
	case dtype.KindDatetime:
		return scalar.Datetime64{Ticks: signedInteger(item, isBig(t))}.Append(dst, t.Step())
	case dtype.KindTimedelta:
		return scalar.Timedelta64{Ticks: signedInteger(item, isBig(t))}.Append(dst, t.Step())
	case dtype.KindBool:
		return appendOneBool(dst, item)
	case dtype.KindBytes:
		return appendBytesItem(dst, item)
	case dtype.KindStr:
		return appendEscaped(dst, codePoints(item, isBig(t)), 0)
	case dtype.KindObject:
		return appendAlone(dst, a, p.textMax(1))
	}
	return appendHex(dst, item)
}
