package cast

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// textLength returns the length that astype gives a text without one: enough for every element of the dtype, except for
// timedelta64, whose text NumPy cuts to 21 characters.
func textLength(t dtype.Type) int {
	integers := map[dtype.Kind]map[int]int{
		dtype.KindInt:  {1: 4, 2: 6, 4: 11, 8: 21},
		dtype.KindUint: {1: 3, 2: 5, 4: 10, 8: 20},
	}
	switch kind := t.Kind(); kind {
	case dtype.KindBool:
		return 5
	case dtype.KindInt, dtype.KindUint:
		return integers[kind][t.ItemSize()]
	case dtype.KindFloat, dtype.KindComplex:
		n := 32
		if part := t.ItemSize(); kind == dtype.KindFloat && part > 8 || part > 16 {
			n = 48
		}
		if kind == dtype.KindComplex {
			n *= 2
		}
		return n
	case dtype.KindDatetime:
		return datetimeLength(t.Step().Unit)
	case dtype.KindTimedelta:
		return 21
	case dtype.KindStr:
		return t.Chars()
	case dtype.KindBytes:
		return t.ItemSize()
	}
	if elem.IsNamedNumber(t) {
		return 32
	}
	return 0
}

// datetimeLength returns the length of a datetime64 as text, get_datetime_iso_8601_strlen in NumPy, which counts a final NUL.
func datetimeLength(u dtype.Unit) int {
	switch {
	case u == dtype.Generic:
		return 4
	case u <= dtype.Month:
		return 21 + 1 + 3*int(u-dtype.Year)
	case u <= dtype.Day:
		return 28
	}
	n := 28 + 1 + 3*int(u-dtype.Day) // with Z
	if u > dtype.Second {
		n++ // the point
	}
	return n
}

// textConversion converts numbers, times and other text to text.
func textConversion(from, to dtype.Type) conversion {
	switch {
	case from.Kind() == to.Kind():
		return conversion{Safe, func(check bool) Caster { return resizeText(to, !from.IsNative(), check) }}
	case from.Kind() == dtype.KindBytes:
		return conversion{Safe, func(check bool) Caster { return textFrom(from, to, check, putUTF8) }}
	case from.Kind() == dtype.KindStr:
		return conversion{Unsafe, func(check bool) Caster { return textFrom(from, to, check, putASCII) }}
	case isTime(from):
		return conversion{Unsafe, func(check bool) Caster { return formatCaster(from, to, check || from.Kind() == dtype.KindDatetime) }}
	}
	needs := SameKind
	if textLength(to) >= textLength(from) && !elem.IsNamedNumber(from) {
		needs = Safe // the text of every number fits
	}
	return conversion{needs, func(check bool) Caster { return formatCaster(from, to, check) }}
}

// resizeText copies text of one kind to items of another length or byte order.
func resizeText(to dtype.Type, swapped, check bool) Caster {
	unit := 1
	if to.Kind() == dtype.KindStr {
		unit = 4
	}
	swap := unit == 4 && swapped == to.IsNative()
	return func(dst, src []byte, n int) error {
		if n == 0 {
			return nil
		}
		size, width := len(src)/n, len(dst)/n
		for i := range n {
			if tail := src[min(i*size+width, (i+1)*size) : (i+1)*size]; check && !bulk.IsZero(tail) {
				return &codec.ElementError{Index: i, Err: tooLong(lengthOf(src[i*size:(i+1)*size], unit), to)}
			}
		}
		copyItems(dst, src, n)
		if swap {
			bulk.Swap(dst, dst, unit)
		}
		return nil
	}
}

// lengthOf returns the number of characters of an item without the NULs that pad it.
func lengthOf(item []byte, unit int) int {
	n := len(item) / unit
	for n > 0 && bulk.IsZero(item[(n-1)*unit:n*unit]) {
		n--
	}
	return n
}

// tooLong returns the error for a text that is too long for a dtype.
func tooLong(length int, to dtype.Type) error {
	if to.Kind() == dtype.KindStr {
		return fmt.Errorf("%w; unsafe casting cuts it", &scalar.LengthError{Length: length, Room: to.Chars()})
	}
	return fmt.Errorf("%d bytes are too long for dtype %s; unsafe casting cuts them", length, to)
}

// textFrom converts text of the other kind. put writes as much of it as fits into an item and returns its full length.
func textFrom(from, to dtype.Type, check bool, put func(item []byte, text string, big bool) (int, error)) Caster {
	read, big := codec.Strings(from), to.ByteOrder() == dtype.BigEndian
	unit := 1
	if to.Kind() == dtype.KindStr {
		unit = 4
	}
	return overStrings(read, func(item []byte, text string) error {
		clear(item)
		length, err := put(item, text, big)
		if err == nil && check && length > len(item)/unit {
			err = tooLong(length, to)
		}
		return err
	})
}

// overStrings returns a caster that calls do with each item of dst and the text for it.
func overStrings(read codec.Decoder[string], do func(item []byte, text string) error) Caster {
	return func(dst, src []byte, n int) error {
		if n == 0 {
			return nil
		}
		to, from := len(dst)/n, len(src)/n
		texts := make([]string, min(codec.Chunk, n))
		for at := 0; at < n; at += len(texts) {
			texts = texts[:min(len(texts), n-at)]
			if err := read(texts, src[at*from:(at+len(texts))*from]); err != nil {
				return codec.Count(err, at)
			}
			for i, text := range texts {
				if err := do(dst[(at+i)*to:(at+i+1)*to], text); err != nil {
					return &codec.ElementError{Index: at + i, Err: err}
				}
			}
		}
		return nil
	}
}

// putUTF8 writes bytes, which are UTF-8, as code points.
func putUTF8(item []byte, text string, big bool) (int, error) {
	points := make([]byte, 4*scalar.UCS4Len(text))
	err := scalar.PutUCS4(points, text, big)
	copy(item, points)
	return len(points) / 4, err
}

// putASCII writes ASCII text as bytes.
func putASCII(item []byte, text string, _ bool) (int, error) {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return 0, fmt.Errorf("%s: %w", elem.Quote(text), errNotASCII)
		}
	}
	copy(item, text)
	return len(text), nil
}

// formatCaster writes numbers and times as str formats them. With check it does not cut the text.
func formatCaster(from, to dtype.Type, check bool) Caster {
	format := strOf(from)
	wide, big := to.Kind() == dtype.KindStr, to.ByteOrder() == dtype.BigEndian
	return func(dst, src []byte, n int) error {
		size, width := from.ItemSize(), to.ItemSize()
		var text []byte
		for i := range n {
			text = format(text[:0], src[i*size:(i+1)*size])
			item := dst[i*width : (i+1)*width]
			clear(item)
			switch chars := width / textUnit(wide); {
			case check && len(text) > chars:
				return &codec.ElementError{Index: i, Err: fmt.Errorf("%s is too long for dtype %s%s", text, to, cuts(from))}
			case !wide:
				copy(item, text)
			default:
				for k, c := range text[:min(len(text), chars)] {
					if big {
						binary.BigEndian.PutUint32(item[4*k:], uint32(c))
					} else {
						binary.LittleEndian.PutUint32(item[4*k:], uint32(c))
					}
				}
			}
		}
		return nil
	}
}

func textUnit(wide bool) int {
	if wide {
		return 4
	}
	return 1
}

// cuts returns a hint for text that is too long. NumPy does not cut dates.
func cuts(from dtype.Type) string {
	if from.Kind() == dtype.KindDatetime {
		return ""
	}
	return "; unsafe casting cuts it"
}

// strOf returns the function that appends str(x) of an element, as NumPy 2.5 formats it: with an exponent for float16 from
// 1e3, for float32 from 1e6 and for float64 from 1e16.
func strOf(t dtype.Type) func(dst, item []byte) []byte {
	big := t.ByteOrder() == dtype.BigEndian
	switch kind := t.Kind(); {
	case kind == dtype.KindBool:
		return func(dst, item []byte) []byte {
			if item[0] != 0 {
				return append(dst, "True"...)
			}
			return append(dst, "False"...)
		}
	case kind == dtype.KindTimedelta:
		return func(dst, item []byte) []byte {
			return scalar.Timedelta64{Ticks: int64(bulk.Uint(item, big))}.Append(dst, t.Step())
		}
	case kind == dtype.KindFloat && t.ItemSize() == 2:
		return func(dst, item []byte) []byte {
			x := scalar.Float16{Bits: uint16(bulk.Uint(item, big))}
			return withExponent(dst, x.Append(nil), math.Abs(x.Float64()) >= 1e3)
		}
	case kind == dtype.KindFloat && t.ItemSize() == 4:
		return func(dst, item []byte) []byte {
			x := math.Float32frombits(uint32(bulk.Uint(item, big)))
			return withExponent(dst, scalar.AppendFloat32(nil, x), x >= 1e6 || x <= -1e6)
		}
	case kind == dtype.KindComplex:
		return complexStrOf(t)
	}
	format, _ := elem.Texts{}.Formatter(t) // numbers and times always have one
	return func(dst, item []byte) []byte {
		dst, _ = format(dst, item)
		return dst
	}
}

// complexStrOf returns strOf for complex numbers: (1+2j), or 2j if the real part is 0.
func complexStrOf(t dtype.Type) func(dst, item []byte) []byte {
	half := t.ItemSize() / 2
	part := strOf(partType(t))
	return func(dst, item []byte) []byte {
		re, im := bytes.TrimSuffix(part(nil, item[:half]), []byte(".0")), bytes.TrimSuffix(part(nil, item[half:]), []byte(".0"))
		if string(re) == "0" {
			return append(append(dst, im...), 'j')
		}
		dst = append(append(dst, '('), re...)
		if im[0] != '-' {
			dst = append(dst, '+')
		}
		return append(append(dst, im...), "j)"...)
	}
}

// withExponent appends the text of a float, with an exponent if asked is true: 1e+03 for 1000.0.
func withExponent(dst, text []byte, asked bool) []byte {
	if !asked || bytes.ContainsAny(text, "enf") {
		return append(dst, text...)
	}
	text, negative := bytes.CutPrefix(text, []byte("-"))
	if negative {
		dst = append(dst, '-')
	}
	whole, _, _ := bytes.Cut(text, []byte("."))
	exponent := len(whole) - 1
	digits := bytes.TrimRight(slices.Concat(whole, text[len(whole)+1:]), "0")
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	return fmt.Appendf(dst, "e+%02d", exponent)
}
