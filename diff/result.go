package diff

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A Result says how two arrays differ.
type Result struct {
	// Changed are the differences of dtype and shape that make the arrays unequal, whatever their values.
	Changed []Change

	// Stored are the differences that values do not depend on: byte order, order, layout of records, and the version of
	// the header if both are files.
	Stored []Change

	OnlyA, OnlyB []string // fields that one side has alone, dotted if nested
	Fields       []Field  // those of both, in the order of a; one without a name for arrays without fields; none if shapes differ
}

// Equal reports whether the arrays have the same shape, dtype and values, up to the tolerances. Byte order and the
// other differences in Stored do not count.
func (r *Result) Equal() bool {
	if len(r.Changed) > 0 {
		return false
	}
	for _, f := range r.Fields {
		if f.Different > 0 || f.Incomparable != "" {
			return false
		}
	}
	return true
}

// A Change is a property of both sides that is not the same.
type Change struct {
	What string // "shape", "dtype", "byte order", "order", "layout", "version"
	A, B string // as NumPy spells them
}

// A Field is how the values of one field differ, or those of an array without fields.
type Field struct {
	Name string     // dotted if nested: "outer.inner"; "" for an array without fields
	A, B dtype.Type // of one item; subarrays are taken item by item

	// Incomparable says why the values were not compared, "" if they were.
	Incomparable string

	Count     int64 // items compared, all of those below included
	Different int64 // not the same and not close, NaNs and NaTs included
	Close     int64 // not the same, but within a tolerance
	NaNs      int64 // different because one side alone is NaN or NaT

	First []Mismatch // the first in C order, at most Options.Max

	// The mismatches with the largest differences, the first of them in C order; nil where there is none or the dtype has
	// no such difference. A NaN has none, and an infinite difference is the largest.
	WorstAbs, WorstRel, WorstULPs *Mismatch
}

// A Mismatch is one item that differs.
type Mismatch struct {
	Index []int    // of the element, then within the subarray of the field; empty for an array without dimensions
	A, B  string   // the values, in digits that read back exactly; hexadecimal digits for void
	Abs   Distance // |a-b|; invalid for NaN, text, void and objects
	Rel   float64  // |a-b|/|b|, infinite if b is 0; NaN if Abs is invalid, and for datetime64

	// ULPs is how many steps from one float to the next lie between the values; of complex numbers for the part where it
	// is more. Steps are those of the narrower format, to which the wider value is rounded. It is -1 where they are not
	// counted: for infinities, floats of one byte, long doubles, and all that is no float.
	ULPs int64
}

// A Distance is the absolute value of a difference: an integer for integers, bools and times, a float64 for all other
// numbers. The zero Distance is none.
type Distance struct {
	kind   byte // 0, 'i' or 'f'
	hi, lo uint64
	float  float64
}

func floatDistance(d float64) Distance     { return Distance{kind: 'f', float: d} }
func wholeDistance(hi, lo uint64) Distance { return Distance{kind: 'i', hi: hi, lo: lo} }

// IsValid reports whether there is a difference that can be measured.
func (d Distance) IsValid() bool { return d.kind != 0 }

// Float64 returns the difference, rounded if it is an integer over 2**53. It is 0 for the zero Distance.
func (d Distance) Float64() float64 {
	if d.kind == 'i' {
		return float64(d.hi)*0x1p64 + float64(d.lo)
	}
	return d.float
}

func (d Distance) less(e Distance) bool {
	if d.kind == 'i' && e.kind == 'i' {
		return d.hi < e.hi || d.hi == e.hi && d.lo < e.lo
	}
	return d.Float64() < e.Float64()
}

// String returns all digits of an integer, and the fewest of a float that read back the same. It is empty for the zero
// Distance.
func (d Distance) String() string {
	switch d.kind {
	case 'i':
		x := new(big.Int).SetUint64(d.hi)
		return x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(d.lo)).String()
	case 'f':
		return floatText(d.float)
	}
	return ""
}

// MarshalJSON writes a number with all its digits, "Infinity" for an infinite difference and null for the zero Distance.
func (d Distance) MarshalJSON() ([]byte, error) {
	switch {
	case d.kind == 0:
		return []byte("null"), nil
	case d.kind == 'i':
		return []byte(d.String()), nil
	case infinite(d.float):
		return []byte(`"Infinity"`), nil
	}
	return json.Marshal(d.float)
}

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// newResult compares what the headers say.
func newResult(a, b format.Header) *Result {
	r := &Result{}
	if x, y := a.DType, b.DType; !x.Equal(y) {
		x, y := native(x), native(y)
		switch {
		case !sameMeaning(x, y):
			r.Changed = append(r.Changed, Change{"dtype", a.DType.Descr(), b.DType.Descr()})
		case !x.Equal(y):
			r.Stored = append(r.Stored, Change{"layout", a.DType.Descr(), b.DType.Descr()})
		default:
			r.Stored = append(r.Stored, Change{"byte order", a.DType.Descr(), b.DType.Descr()})
		}
	}
	if x, y := format.ShapeString(a.Shape), format.ShapeString(b.Shape); x != y {
		r.Changed = append(r.Changed, Change{"shape", x, y})
	}
	if a.FortranOrder != b.FortranOrder {
		r.Stored = append(r.Stored, Change{"order", orderName(a.FortranOrder), orderName(b.FortranOrder)})
	}
	if none := (format.Version{}); a.Version != b.Version && a.Version != none && b.Version != none {
		r.Stored = append(r.Stored, Change{"version", a.Version.String(), b.Version.String()})
	}
	return r
}

func orderName(fortran bool) string {
	if fortran {
		return "Fortran"
	}
	return "C"
}

func native(t dtype.Type) dtype.Type { return t.WithByteOrder(dtype.NativeEndian) }

// sameMeaning reports whether two types hold the same values under the same names, wherever fields lie. Both are native.
func sameMeaning(a, b dtype.Type) bool {
	switch {
	case a.IsSubarray() && b.IsSubarray():
		return format.ShapeString(a.SubShape()) == format.ShapeString(b.SubShape()) && sameMeaning(a.Elem(), b.Elem())
	case !a.IsStruct() || !b.IsStruct():
		return a.Equal(b)
	case a.NumField() != b.NumField():
		return false
	}
	for i := range a.NumField() {
		f, g := a.Field(i), b.Field(i)
		if f.Name != g.Name || f.Title != g.Title || !sameMeaning(f.DType, g.DType) {
			return false
		}
	}
	return true
}
