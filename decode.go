package npy

import (
	"bytes"
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A decoder turns the bytes of elements into Go values: len(dst) elements from the start of src. An error names the
// element by its position in dst.
type decoder[T Element] func(dst []T, src []byte) error

// An elementError says which element of a decoder's work is at fault.
type elementError struct {
	index int
	err   error
}

func (e *elementError) Error() string { return fmt.Sprintf("npy: element %d: %v", e.index, e.err) }
func (e *elementError) Unwrap() error { return e.err }

// decoderFor returns the way from t to T, and false if T cannot hold every value of t.
func decoderFor[T Element](t dtype.Type) (decoder[T], bool) {
	var d any // a decoder of the very type T
	switch any(*new(T)).(type) {
	case bool:
		d = boolDecoder(t)
	case int8:
		d = realDecoder[int8](t)
	case int16:
		d = realDecoder[int16](t)
	case int32:
		d = realDecoder[int32](t)
	case int64:
		d = realDecoder[int64](t)
	case int:
		d = realDecoder[int](t)
	case uint8:
		d = realDecoder[uint8](t)
	case uint16:
		d = realDecoder[uint16](t)
	case uint32:
		d = realDecoder[uint32](t)
	case uint64:
		d = realDecoder[uint64](t)
	case uint:
		d = realDecoder[uint](t)
	case float32:
		d = realDecoder[float32](t)
	case float64:
		d = realDecoder[float64](t)
	case complex64:
		d = complexDecoder[complex64](t)
	case complex128:
		d = complexDecoder[complex128](t)
	case string:
		d = stringDecoder(t)
	case []byte:
		d = bytesDecoder(t)
	default:
		d = scalarDecoder[T](t)
	}
	dec := d.(decoder[T])
	return dec, dec != nil
}

func boolDecoder(t dtype.Type) decoder[bool] {
	if t.Kind() != dtype.KindBool {
		return nil
	}
	return func(dst []bool, src []byte) error { bulk.Bools(dst, src); return nil }
}

// precision returns how many bits of integer a number type holds exactly, and whether it has a sign.
func precision(t dtype.Type) (bits int, signed bool) {
	switch t.Kind() {
	case dtype.KindBool:
		return 1, false
	case dtype.KindUint:
		return 8 * t.ItemSize(), false
	case dtype.KindInt:
		return 8*t.ItemSize() - 1, true
	case dtype.KindFloat:
		return map[int]int{2: 11, 4: 24, 8: 53}[t.ItemSize()], true
	}
	if n, ok := elem.SmallIntOf(t); ok && n.Signed {
		return int(n.Bits) - 1, true
	} else if ok {
		return int(n.Bits), false
	}
	return 0, false
}

// holds reports whether every value of the real type t is a value of the real type d.
func holds(d, t dtype.Type) bool {
	if t.Kind() == dtype.KindFloat || elem.IsNamedFloat(t) {
		return d.Kind() == dtype.KindFloat && (t.ItemSize() <= d.ItemSize()) && t.ItemSize() <= 8
	}
	have, haveSign := precision(d)
	need, needSign := precision(t)
	return need > 0 && need <= have && (haveSign || !needSign)
}

func isBFloat16(t dtype.Type) bool { return t.Kind() == dtype.KindVoid && t.Name() == "bfloat16" }

// realDecoder covers all real numbers. Each case reads numbers as they are in the file and widens them.
func realDecoder[D bulk.Real](t dtype.Type) decoder[D] {
	if !holds(realType[D](), t) {
		return nil
	}
	swap := !t.IsNative()
	switch t.Kind() {
	case dtype.KindBool:
		return func(dst []D, src []byte) error {
			for i := range dst {
				dst[i] = 0
				if src[i] != 0 {
					dst[i] = 1
				}
			}
			return nil
		}
	case dtype.KindInt:
		switch t.ItemSize() {
		case 1:
			return widen[D, int8](swap)
		case 2:
			return widen[D, int16](swap)
		case 4:
			return widen[D, int32](swap)
		}
		return widen[D, int64](swap)
	case dtype.KindUint:
		switch t.ItemSize() {
		case 1:
			return widen[D, uint8](swap)
		case 2:
			return widen[D, uint16](swap)
		case 4:
			return widen[D, uint32](swap)
		}
		return widen[D, uint64](swap)
	}
	if n, ok := elem.SmallIntOf(t); ok {
		return byteNumbers(func(x uint8) D { return D(n.Value(x)) })
	}
	return floatDecoder[D](t, swap)
}

func floatDecoder[D bulk.Real](t dtype.Type, swap bool) decoder[D] {
	switch {
	case isBFloat16(t):
		return halves[D](swap, scalar.BFloat16sToFloat32s)
	case t.ItemSize() == 1:
		f, _ := elem.SmallFloatOf(t)
		return byteNumbers(func(x uint8) D { return D(f.Value(x)) })
	case t.ItemSize() == 2:
		return halves[D](swap, scalar.Float16sToFloat32s)
	case t.ItemSize() == 4:
		return widen[D, float32](swap)
	}
	return widen[D, float64](swap)
}

// halves converts floats of 16 bits by way of float32, which holds them all.
func halves[D bulk.Real, H scalar.Float16 | scalar.BFloat16](swap bool, widen func([]float32, []H)) decoder[D] {
	return func(dst []D, src []byte) error {
		half := make([]H, min(chunk, len(dst)))
		wide := make([]float32, len(half))
		direct, ok := any(dst).([]float32)
		for at := 0; at < len(dst); at += len(half) {
			half = half[:min(len(half), len(dst)-at)]
			bulk.DecodeHalves(half, src[2*at:], swap)
			if ok {
				widen(direct[at:], half)
				continue
			}
			widen(wide, half)
			bulk.Widen(dst[at:], wide[:len(half)])
		}
		return nil
	}
}

// byteNumbers converts numbers of one byte. Many of them are looked up among the 256 there are.
func byteNumbers[D bulk.Real](value func(uint8) D) decoder[D] {
	return func(dst []D, src []byte) error {
		if len(dst) < 1<<8 {
			for i := range dst {
				dst[i] = value(src[i])
			}
			return nil
		}
		var table [1 << 8]D
		for i := range table {
			table[i] = value(uint8(i))
		}
		for i := range dst {
			dst[i] = table[src[i]]
		}
		return nil
	}
}

// realType is DTypeOf for the real numbers alone.
func realType[D bulk.Real]() dtype.Type {
	var t dtype.Type
	switch any(*new(D)).(type) {
	case int8:
		t = dtype.Int8
	case int16:
		t = dtype.Int16
	case int32:
		t = dtype.Int32
	case int64:
		t = dtype.Int64
	case int:
		t = DTypeOf[int]()
	case uint8:
		t = dtype.Uint8
	case uint16:
		t = dtype.Uint16
	case uint32:
		t = dtype.Uint32
	case uint64:
		t = dtype.Uint64
	case uint:
		t = DTypeOf[uint]()
	case float32:
		t = dtype.Float32
	case float64:
		t = dtype.Float64
	}
	return t
}

// narrowingDecoder returns the ways in which values may change, which Decoder.Narrow asks for.
func narrowingDecoder[T Element](t dtype.Type) (decoder[T], bool) {
	var d any
	swap := !t.IsNative()
	switch any(*new(T)).(type) {
	case float32:
		if t.Kind() == dtype.KindFloat && t.ItemSize() == 8 {
			d = decoder[float32](small(swap, func(x float64) float32 { return float32(x) }))
		}
	case complex64:
		if t.Kind() == dtype.KindComplex && t.ItemSize() == 16 {
			d = decoder[complex64](small(swap, func(x complex128) complex64 { return complex64(x) }))
		}
	}
	dec, ok := d.(decoder[T])
	return dec, ok
}

// chunk is how many numbers are converted at a time through a buffer: few enough to stay in the first-level cache.
const chunk = 1024

// widen returns a decoder that reads numbers of type S. Where S is D it is a copy.
func widen[D, S bulk.Real](swap bool) decoder[D] {
	if same, ok := any(decoder[S](exact[S](swap))).(decoder[D]); ok {
		return same
	}
	return viaBuffer(swap, bulk.Widen[D, S])
}

func exact[S bulk.Number](swap bool) decoder[S] {
	return func(dst []S, src []byte) error { bulk.Decode(dst, src, swap); return nil }
}

// small returns a decoder that converts one by one from numbers of type S.
func small[D any, S bulk.Number](swap bool, convert func(S) D) func([]D, []byte) error {
	return viaBuffer(swap, func(dst []D, src []S) {
		for i, x := range src {
			dst[i] = convert(x)
		}
	})
}

func viaBuffer[D any, S bulk.Number](swap bool, convert func([]D, []S)) func([]D, []byte) error {
	return func(dst []D, src []byte) error {
		buf := make([]S, min(chunk, len(dst)))
		for len(dst) > 0 {
			n := min(len(buf), len(dst))
			size := len(src) / len(dst) * n
			bulk.Decode(buf[:n], src[:size], swap)
			convert(dst[:n], buf[:n])
			dst, src = dst[n:], src[size:]
		}
		return nil
	}
}

// complexDecoder takes complex numbers that are no wider, and reals that fit one component.
func complexDecoder[D complex64 | complex128](t dtype.Type) decoder[D] {
	wide := any(*new(D)) == any(complex128(0))
	swap := !t.IsNative()
	if t.Kind() == dtype.KindComplex {
		switch {
		case t.ItemSize() == 4:
			halves := decodeComplex32(swap)
			return func(dst []D, src []byte) error {
				buf := make([]scalar.Complex32, len(dst))
				if err := halves(buf, src); err != nil {
					return err
				}
				for i, c := range buf {
					dst[i] = D(c.Complex64())
				}
				return nil
			}
		case t.ItemSize() == 8 && wide:
			return viaBuffer(swap, func(dst []D, src []complex64) {
				for i, c := range src {
					dst[i] = D(c)
				}
			})
		case t.ItemSize() == 8 || t.ItemSize() == 16 && wide:
			return exact[D](swap)
		}
		return nil
	}
	if wide {
		return throughReal[D](realDecoder[float64](t))
	}
	return throughReal[D](realDecoder[float32](t))
}

func throughReal[D complex64 | complex128, S bulk.Real](inner decoder[S]) decoder[D] {
	if inner == nil {
		return nil
	}
	return func(dst []D, src []byte) error {
		reals := make([]S, len(dst))
		if err := inner(reals, src); err != nil {
			return err
		}
		bulk.WidenComplex(dst, reals)
		return nil
	}
}

// stringDecoder decodes UCS-4 to UTF-8. Bytes become the string of the same bytes. The strings of one call share memory.
func stringDecoder(t dtype.Type) decoder[string] {
	size := t.ItemSize()
	switch t.Kind() {
	case dtype.KindStr:
		big := t.ByteOrder() == dtype.BigEndian
		return func(dst []string, src []byte) error {
			var text []byte
			ends := make([]int, len(dst))
			for i := range dst {
				var err error
				if text, err = scalar.AppendUCS4(text, src[i*size:(i+1)*size], big); err != nil {
					return &elementError{i, err}
				}
				ends[i] = len(text)
			}
			cutStrings(dst, string(text), ends)
			return nil
		}
	case dtype.KindBytes:
		return func(dst []string, src []byte) error {
			all := string(src[:len(dst)*size])
			for i := range dst {
				dst[i] = trimNULs(all[i*size : (i+1)*size])
			}
			return nil
		}
	}
	return nil
}

func cutStrings(dst []string, all string, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = all[start:end]
		start = end
	}
}

func trimNULs(s string) string {
	n := len(s)
	for n > 0 && s[n-1] == 0 {
		n--
	}
	return s[:n]
}

// bytesDecoder gives bytes without the NULs that pad them, and void as it is. The slices of one call share memory, and
// each has no room to grow into the next.
func bytesDecoder(t dtype.Type) decoder[[]byte] {
	if t.Kind() != dtype.KindBytes && (t.Kind() != dtype.KindVoid || t.IsStruct() || t.IsSubarray()) {
		return nil
	}
	size := t.ItemSize()
	return func(dst [][]byte, src []byte) error {
		all := bytes.Clone(src[:len(dst)*size])
		for i := range dst {
			b := all[i*size : (i+1)*size]
			if t.Kind() == dtype.KindBytes {
				b = bytes.TrimRight(b, "\x00")
			}
			dst[i] = b[:len(b):len(b)]
		}
		return nil
	}
}

// scalarDecoder covers the types of package scalar, each for its own dtype only. Long doubles of 12 bytes and those of
// 16 are the same numbers.
func scalarDecoder[T Element](t dtype.Type) any {
	swap := !t.IsNative()
	is := func(k dtype.Kind, sizes ...int) bool {
		for _, n := range sizes {
			if t.Kind() == k && t.ItemSize() == n {
				return true
			}
		}
		return false
	}
	var none decoder[T]
	switch any(*new(T)).(type) {
	case scalar.Float16:
		if is(dtype.KindFloat, 2) {
			return decoder[scalar.Float16](small(swap, func(x uint16) scalar.Float16 { return scalar.Float16(x) }))
		}
	case scalar.BFloat16:
		if onRequest[T](t) { // written by a little-endian machine, as all of them are
			swap = dtype.NativeEndian == dtype.BigEndian
		}
		if isBFloat16(t) || onRequest[T](t) {
			return decoder[scalar.BFloat16](small(swap, func(x uint16) scalar.BFloat16 { return scalar.BFloat16(x) }))
		}
	case scalar.Float8E5M2:
		if is(dtype.KindFloat, 1) {
			return decoder[scalar.Float8E5M2](small(false, func(x uint8) scalar.Float8E5M2 { return scalar.Float8E5M2(x) }))
		}
	case scalar.Complex32:
		if is(dtype.KindComplex, 4) {
			return decoder[scalar.Complex32](decodeComplex32(swap))
		}
	case scalar.LongDouble:
		if is(dtype.KindFloat, 12, 16) {
			return decoder[scalar.LongDouble](decodeLong(t))
		}
	case scalar.Float128:
		if onRequest[T](t) {
			return decoder[scalar.Float128](decodeQuad(t))
		}
	case scalar.LongComplex:
		if is(dtype.KindComplex, 24, 32) {
			return decoder[scalar.LongComplex](decodeLongComplex(t))
		}
	case scalar.Datetime64:
		if is(dtype.KindDatetime, 8) {
			return decoder[scalar.Datetime64](small(swap, func(x int64) scalar.Datetime64 { return scalar.Datetime64(x) }))
		}
	case scalar.Timedelta64:
		if is(dtype.KindTimedelta, 8) {
			return decoder[scalar.Timedelta64](small(swap, func(x int64) scalar.Timedelta64 { return scalar.Timedelta64(x) }))
		}
	case scalar.Float8E3M4:
		return codesOf[scalar.Float8E3M4](t)
	case scalar.Float8E4M3:
		return codesOf[scalar.Float8E4M3](t)
	case scalar.Float8E4M3FN:
		return codesOf[scalar.Float8E4M3FN](t)
	case scalar.Float8E4M3FNUZ:
		return codesOf[scalar.Float8E4M3FNUZ](t)
	case scalar.Float8E4M3B11FNUZ:
		return codesOf[scalar.Float8E4M3B11FNUZ](t)
	case scalar.Float8E5M2FNUZ:
		return codesOf[scalar.Float8E5M2FNUZ](t)
	case scalar.Float8E8M0FNU:
		return codesOf[scalar.Float8E8M0FNU](t)
	case scalar.Float6E2M3FN:
		return codesOf[scalar.Float6E2M3FN](t)
	case scalar.Float6E3M2FN:
		return codesOf[scalar.Float6E3M2FN](t)
	case scalar.Float4E2M1FN:
		return codesOf[scalar.Float4E2M1FN](t)
	case scalar.Int4:
		return codesOf[scalar.Int4](t)
	case scalar.Uint4:
		return codesOf[scalar.Uint4](t)
	case scalar.Int2:
		return codesOf[scalar.Int2](t)
	case scalar.Uint2:
		return codesOf[scalar.Uint2](t)
	}
	return none
}

// codesOf returns a decoder of a number of one byte that NumPy writes as void.
func codesOf[T scalar.Float8 | scalar.SmallInt](t dtype.Type) decoder[T] {
	if !sameBits[T](t) && !onRequest[T](t) {
		return nil
	}
	return small(false, func(x uint8) T { return T(x) })
}

func decodeQuad(t dtype.Type) func([]scalar.Float128, []byte) error {
	big := t.ByteOrder() == dtype.BigEndian
	return func(dst []scalar.Float128, src []byte) error {
		for i := range dst {
			dst[i], _ = scalar.Float128FromBytes(src[16*i:16*(i+1)], big) // the size is right
		}
		return nil
	}
}

func decodeComplex32(swap bool) func([]scalar.Complex32, []byte) error {
	return func(dst []scalar.Complex32, src []byte) error {
		halves := make([]uint16, 2*len(dst))
		bulk.Decode(halves, src, swap)
		for i := range dst {
			dst[i] = scalar.Complex32{Real: scalar.Float16(halves[2*i]), Imag: scalar.Float16(halves[2*i+1])}
		}
		return nil
	}
}

func decodeLong(t dtype.Type) func([]scalar.LongDouble, []byte) error {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	return func(dst []scalar.LongDouble, src []byte) error {
		for i := range dst {
			x, err := scalar.LongDoubleFromBytes(src[i*size:(i+1)*size], big)
			if err != nil {
				return &elementError{i, err}
			}
			dst[i] = x
		}
		return nil
	}
}

func decodeLongComplex(t dtype.Type) func([]scalar.LongComplex, []byte) error {
	half, big := t.ItemSize()/2, t.ByteOrder() == dtype.BigEndian
	return func(dst []scalar.LongComplex, src []byte) error {
		for i := range dst {
			re, err := scalar.LongDoubleFromBytes(src[2*i*half:(2*i+1)*half], big)
			if err != nil {
				return &elementError{i, err}
			}
			im, err := scalar.LongDoubleFromBytes(src[(2*i+1)*half:(2*i+2)*half], big)
			if err != nil {
				return &elementError{i, err}
			}
			dst[i] = scalar.LongComplex{Real: re, Imag: im}
		}
		return nil
	}
}
