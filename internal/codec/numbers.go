package codec

import (
	"reflect"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// Bools returns the decoder of bools. Every byte but 0 is true.
func Bools(t dtype.Type) Decoder[bool] {
	if t.Kind() != dtype.KindBool {
		return nil
	}
	return func(dst []bool, src []byte) error { bulk.Bools(dst, src); return nil }
}

// Precision returns the number of bits of integers that a real dtype holds exactly, and whether it has a sign. The
// number is 0 for other dtypes, and for floats without an integer type of their precision.
func Precision(t dtype.Type) (bits int, signed bool) {
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

// Holds reports whether every value of the real dtype t is a value of the real dtype d, which has a Go type.
func Holds(d, t dtype.Type) bool {
	if t.Kind() == dtype.KindFloat || elem.IsNamedFloat(t) {
		return d.Kind() == dtype.KindFloat && (t.ItemSize() <= d.ItemSize()) && t.ItemSize() <= 8
	}
	have, haveSign := Precision(d)
	need, needSign := Precision(t)
	return need > 0 && need <= have && (haveSign || !needSign)
}

// realType returns the dtype of D.
func realType[D bulk.Real]() dtype.Type {
	return [...]dtype.Type{
		reflect.Int: intType, reflect.Int8: dtype.Int8, reflect.Int16: dtype.Int16, reflect.Int32: dtype.Int32, reflect.Int64: dtype.Int64,
		reflect.Uint: uintType, reflect.Uint8: dtype.Uint8, reflect.Uint16: dtype.Uint16, reflect.Uint32: dtype.Uint32, reflect.Uint64: dtype.Uint64,
		reflect.Float32: dtype.Float32, reflect.Float64: dtype.Float64,
	}[reflect.TypeFor[D]().Kind()]
}

// Real returns the decoder of real numbers. It reads them as they are stored and widens them.
func Real[D bulk.Real](t dtype.Type) Decoder[D] {
	if !Holds(realType[D](), t) {
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
	return floats[D](t, swap)
}

func floats[D bulk.Real](t dtype.Type, swap bool) Decoder[D] {
	switch {
	case elem.IsBFloat16(t):
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

// widen returns a decoder that reads numbers of type S. Where S is D it is a copy.
func widen[D, S bulk.Real](swap bool) Decoder[D] {
	if same, ok := any(Exact[S](swap)).(Decoder[D]); ok {
		return same
	}
	return viaBuffer(swap, bulk.Widen[D, S])
}

// halves converts floats of 16 bits through float32, which holds all of their values.
func halves[D bulk.Real, H scalar.Float16 | scalar.BFloat16](swap bool, widen func([]float32, []H)) Decoder[D] {
	read := words(swap, fromHalf[H])
	return func(dst []D, src []byte) error {
		half := make([]H, min(Chunk, len(dst)))
		wide := make([]float32, len(half))
		direct, ok := any(dst).([]float32)
		for at := 0; at < len(dst); at += len(half) {
			half = half[:min(len(half), len(dst)-at)]
			if err := read(half, src[2*at:2*(at+len(half))]); err != nil {
				return err
			}
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

// byteNumbers converts numbers of one byte. For many elements it uses a table of all 256 values.
func byteNumbers[D bulk.Real](value func(uint8) D) Decoder[D] {
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
