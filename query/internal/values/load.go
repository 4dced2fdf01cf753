package values

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// loader returns the load of items of t.
func loader(t dtype.Type) load {
	swap := !t.IsNative()
	switch typ := typeOf(t); typ.Class {
	case Bool:
		return func(e *Env, _ *columnState, items []byte, _ int) Vec {
			out := e.TakeMask(len(items))
			for i, x := range items {
				out[i] = Bit(x != 0)
			}
			return Vec{Mask: out, Owned: true}
		}
	case Int, Uint:
		return intLoader(t)
	case Float:
		read := codec.RealsOf(t)
		return func(_ *Env, s *columnState, items []byte, n int) Vec { return Vec{Floats: read(&s.reader, items)} }
	case Complex:
		read := codec.FloatsOf(t, t.ItemSize()/2)
		return func(e *Env, s *columnState, items []byte, n int) Vec {
			parts := read(&s.reader, items)
			out := e.TakeComplexes(len(parts) / 2)
			for i := range out {
				out[i] = complex(parts[2*i], parts[2*i+1])
			}
			return Vec{Complexes: out, Owned: true}
		}
	case Datetime, Timedelta:
		return func(_ *Env, s *columnState, items []byte, n int) Vec {
			return Vec{Ints: codec.View[int64](&s.reader, items, swap)}
		}
	case Str:
		return strLoader(t)
	}
	size := t.ItemSize()
	return func(e *Env, s *columnState, items []byte, n int) Vec {
		out := e.TakeTexts(n)
		for i := range out {
			out[i] = TrimNULs(items[i*size : (i+1)*size])
		}
		return Vec{Texts: out, Owned: true}
	}
}

// TrimNULs returns an item without the NULs at its end.
func TrimNULs(b []byte) []byte {
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return b[:n]
}

func intLoader(t dtype.Type) load {
	swap, unsigned := !t.IsNative(), t.Kind() == dtype.KindUint
	if small, ok := elem.SmallIntOf(t); ok {
		return func(e *Env, _ *columnState, items []byte, n int) Vec {
			out := e.TakeInts(len(items))
			for i, x := range items {
				out[i] = int64(small.Value(x))
			}
			return Vec{Ints: out, Owned: true}
		}
	}
	switch size := t.ItemSize(); {
	case size == 1 && unsigned:
		return widening[uint8](swap)
	case size == 1:
		return widening[int8](swap)
	case size == 2 && unsigned:
		return widening[uint16](swap)
	case size == 2:
		return widening[int16](swap)
	case size == 4 && unsigned:
		return widening[uint32](swap)
	case size == 4:
		return widening[int32](swap)
	}
	return func(_ *Env, s *columnState, items []byte, n int) Vec {
		return Vec{Ints: codec.View[int64](&s.reader, items, swap)}
	}
}

func widening[T int8 | uint8 | int16 | uint16 | int32 | uint32](swap bool) load {
	return func(e *Env, s *columnState, items []byte, n int) Vec {
		xs := codec.View[T](&s.reader, items, swap)
		out := e.TakeInts(len(xs))
		for i, x := range xs {
			out[i] = int64(x)
		}
		return Vec{Ints: out, Owned: true}
	}
}

// strLoader reads U items as UTF-8, with lone surrogates in three bytes, so that bytes have the order of the code points.
func strLoader(t dtype.Type) load {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	return func(e *Env, s *columnState, items []byte, n int) Vec {
		out := e.TakeTexts(n)
		a := s.arena[:0]
		for i := range out {
			start := len(a)
			var err error
			if a, err = scalar.AppendUCS4(a, items[i*size:(i+1)*size], big); err != nil {
				e.Fail(i/max(len(out)/max(e.N, 1), 1), "%s: %v", t, err)
			}
			out[i] = a[start:len(a):len(a)]
		}
		s.arena = a
		return Vec{Texts: out, Owned: true}
	}
}
