package diff

import (
	"bytes"
	"fmt"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/elem"
)

// kernelFor returns the kernel for items of two types, or the reason why they cannot be compared.
func kernelFor(a, b dtype.Type) (kernel, string) {
	ka, kb := elem.KindOf(a), elem.KindOf(b)
	switch {
	case isInteger(ka) && isInteger(kb):
		return ints(a, b), ""
	case isNumber(ka) && isNumber(kb):
		return numberKernel(a, b), ""
	case ka != kb:
	case ka == dtype.KindBytes, ka == dtype.KindStr:
		return text(a, b), ""
	case ka == dtype.KindVoid && a.ItemSize() == b.ItemSize() && a.IsStruct() == b.IsStruct():
		return void(a.ItemSize()), ""
	case ka == dtype.KindDatetime, ka == dtype.KindTimedelta:
		if k, ok := times(a, b); ok {
			return k, ""
		}
	}
	return nil, fmt.Sprintf("%s and %s have no values in common", a, b)
}

// numberKernel returns the kernel for numbers of two types, at least one of them not an integer type.
func numberKernel(a, b dtype.Type) kernel {
	switch ka, kb := elem.KindOf(a), elem.KindOf(b); {
	case !fitsFloat(a) || !fitsFloat(b):
		return exact(a, b)
	case ka == dtype.KindComplex || kb == dtype.KindComplex:
		return complexes(a, b)
	}
	return floats(a, b)
}

// fitsFloat reports whether float64 represents all numbers of t, or all of their parts.
func fitsFloat(t dtype.Type) bool {
	switch size := t.ItemSize(); elem.KindOf(t) {
	case dtype.KindInt, dtype.KindUint:
		return size < 8
	case dtype.KindComplex:
		return size <= 16
	default:
		return size <= 8
	}
}

// ints compares integers and bools, exactly.
func ints(a, b dtype.Type) kernel {
	readA, readB := intsOf(a), intsOf(b)
	ua, ub := a.Kind() == dtype.KindUint, b.Kind() == dtype.KindUint
	return func(s *scratch, j *judge, a, b []byte, n int) {
		xs, ys := readA(&s.a, a), readB(&s.b, b)[:n]
		for i, y := range ys {
			x := xs[i]
			if x == y && (ua == ub || x >= 0) {
				continue
			}
			j.apart(i, between(wide(x, ua), wide(y, ub)), magnitude(y, ub), -1)
		}
	}
}

// floats compares real numbers that are exact in float64.
func floats(a, b dtype.Type) kernel {
	readA, readB, order := codec.RealsOf(a), codec.RealsOf(b), orderOf(a, b)
	return func(s *scratch, j *judge, a, b []byte, n int) {
		xs, ys := readA(&s.a.numbers, a), readB(&s.b.numbers, b)[:n]
		for i, y := range ys {
			switch x := xs[i]; {
			case x == y:
			case x != x || y != y:
				j.nan(i, x != x, y != y)
			case infinite(x) || infinite(y):
				j.infinite(i)
			default:
				j.apart(i, floatDistance(math.Abs(x-y)), math.Abs(y), steps(order, x, y))
			}
		}
	}
}

// complexes compares complex numbers with complex or real ones. The difference is the absolute value of a complex
// number.
func complexes(a, b dtype.Type) kernel {
	readA, readB, order := complexesOf(a), complexesOf(b), orderOf(a, b)
	return func(s *scratch, j *judge, a, b []byte, n int) {
		xs, ys := readA(&s.a, a), readB(&s.b, b)[:2*n]
		for i := 0; i < 2*n; i += 2 {
			x, y, u, v := xs[i], xs[i+1], ys[i], ys[i+1]
			switch nanA, nanB := x != x || y != y, u != u || v != v; {
			case x == u && y == v:
			case nanA || nanB:
				j.nan(i/2, nanA, nanB)
			case infinite(x) || infinite(y) || infinite(u) || infinite(v):
				j.infinite(i / 2)
			default:
				ulps := max(steps(order, x, u), steps(order, y, v))
				j.apart(i/2, floatDistance(hypot(x-u, y-v)), hypot(u, v), ulps)
			}
		}
	}
}

// text compares bytes or code points, without the NULs that pad them.
func text(a, b dtype.Type) kernel {
	sizeA, sizeB := a.ItemSize(), b.ItemSize()
	swapA, swapB := !a.IsNative(), !b.IsNative()
	return func(s *scratch, j *judge, a, b []byte, n int) {
		a, b = characters(&s.a, a, swapA), characters(&s.b, b, swapB)
		for i := range n {
			x, y := a[i*sizeA:(i+1)*sizeA], b[i*sizeB:(i+1)*sizeB]
			m := min(sizeA, sizeB)
			if !bytes.Equal(x[:m], y[:m]) || !isPadding(x[m:]) || !isPadding(y[m:]) {
				j.differ(i)
			}
		}
	}
}

// characters returns text in native byte order.
func characters(m *memory, items []byte, swap bool) []byte {
	if !swap {
		return items
	}
	out := codec.Grow(&m.text, len(items))
	bulk.Swap(out, items, 4)
	return out
}

func isPadding(tail []byte) bool {
	for _, c := range tail {
		if c != 0 {
			return false
		}
	}
	return true
}

// void compares bytes without an interpretation.
func void(size int) kernel {
	return func(_ *scratch, j *judge, a, b []byte, n int) {
		for i := range n {
			if !bytes.Equal(a[i*size:(i+1)*size], b[i*size:(i+1)*size]) {
				j.differ(i)
			}
		}
	}
}
