package expression

import (
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// loader returns the load of items of t.
func loader(t dtype.Type) load {
	swap := !t.IsNative()
	switch typ := typeOf(t); typ.class {
	case boolValue:
		return func(e *Env, _ *columnState, items []byte, _ int) vec {
			out := e.takeMask(len(items))
			for i, x := range items {
				out[i] = b2u(x != 0)
			}
			return vec{mask: out, owned: true}
		}
	case intValue, uintValue:
		return intLoader(t)
	case floatValue:
		read := codec.RealsOf(t)
		return func(_ *Env, s *columnState, items []byte, n int) vec { return vec{floats: read(&s.reader, items)} }
	case complexValue:
		read := codec.FloatsOf(t, t.ItemSize()/2)
		return func(e *Env, s *columnState, items []byte, n int) vec {
			parts := read(&s.reader, items)
			out := e.takeComplexes(len(parts) / 2)
			for i := range out {
				out[i] = complex(parts[2*i], parts[2*i+1])
			}
			return vec{complexes: out, owned: true}
		}
	case datetimeValue, timedeltaValue:
		return func(_ *Env, s *columnState, items []byte, n int) vec {
			return vec{ints: codec.View[int64](&s.reader, items, swap)}
		}
	case strValue:
		return strLoader(t)
	}
	size := t.ItemSize()
	return func(e *Env, s *columnState, items []byte, n int) vec {
		out := e.takeTexts(n)
		for i := range out {
			out[i] = trimNULs(items[i*size : (i+1)*size])
		}
		return vec{texts: out, owned: true}
	}
}

// trimNULs returns an item without the NULs at its end.
func trimNULs(b []byte) []byte {
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return b[:n]
}

func intLoader(t dtype.Type) load {
	swap, unsigned := !t.IsNative(), t.Kind() == dtype.KindUint
	if small, ok := elem.SmallIntOf(t); ok {
		return func(e *Env, _ *columnState, items []byte, n int) vec {
			out := e.takeInts(len(items))
			for i, x := range items {
				out[i] = int64(small.Value(x))
			}
			return vec{ints: out, owned: true}
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
	return func(_ *Env, s *columnState, items []byte, n int) vec {
		return vec{ints: codec.View[int64](&s.reader, items, swap)}
	}
}

func widening[T int8 | uint8 | int16 | uint16 | int32 | uint32](swap bool) load {
	return func(e *Env, s *columnState, items []byte, n int) vec {
		xs := codec.View[T](&s.reader, items, swap)
		out := e.takeInts(len(xs))
		for i, x := range xs {
			out[i] = int64(x)
		}
		return vec{ints: out, owned: true}
	}
}

// strLoader reads U items as UTF-8, with lone surrogates in three bytes, so that bytes have the order of the code points.
func strLoader(t dtype.Type) load {
	size, big := t.ItemSize(), t.ByteOrder() == dtype.BigEndian
	return func(e *Env, s *columnState, items []byte, n int) vec {
		out := e.takeTexts(n)
		a := s.arena[:0]
		for i := range out {
			start := len(a)
			var err error
			if a, err = scalar.AppendUCS4(a, items[i*size:(i+1)*size], big); err != nil {
				e.fail(i/max(len(out)/max(e.n, 1), 1), "%s: %v", t, err)
			}
			out[i] = a[start:len(a):len(a)]
		}
		s.arena = a
		return vec{texts: out, owned: true}
	}
}
