package diff

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A Result reports how two arrays differ.
type Result struct {
	// Changed lists the differences of dtype and shape that make the arrays unequal, regardless of their values.
	Changed []Change

	// Stored lists the differences that do not affect values: byte order, order, layout of records, and the version of the
	// header if both arrays are files.
	Stored []Change

	OnlyA, OnlyB []string // fields in only one array, dotted if nested
	Fields       []Field  // fields in both arrays, in the order of a; one Field without a name for arrays without fields; none if shapes differ
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

// A Change is a property that differs between the arrays.
type Change struct {
	What string // "shape", "dtype", "byte order", "order", "layout", "version"
	A, B string // in NumPy's spelling
}

// A Field reports how the values of one field differ, or the values of an array without fields.
type Field struct {
	Name string     // dotted if nested: "outer.inner"; "" for an array without fields
	A, B dtype.Type // of one item; subarrays are taken item by item

	// Incomparable is the reason why the values were not compared, or "" if they were.
	Incomparable string

	Count     int64 // items compared, including all that are counted below
	Different int64 // neither equal nor close; includes NaNs and NaTs
	Close     int64 // unequal, but within a tolerance
	NaNs      int64 // different because exactly one value is NaN or NaT

	First []Mismatch // the first in C order, at most Options.Max

	// The mismatches with the largest differences; the first in C order if several are equally large. nil if there is
	// no mismatch or the dtype has no such difference. NaN has no difference, and an infinite difference is the largest.
	WorstAbs, WorstRel, WorstULPs *Mismatch
}

// A Mismatch is one item that differs.
type Mismatch struct {
	Index []int    // of the element, followed by the index within the subarray of the field; empty for an array without dimensions
	A, B  string   // the values, in digits that read back exactly; hexadecimal digits for void
	Abs   Distance // |a-b|; invalid for NaN, text, void and objects
	Rel   float64  // |a-b|/|b|, infinite if b is 0; NaN if Abs is invalid, and for datetime64

	// ULPs is the number of steps between adjacent floats from one value to the other; for complex numbers, the larger
	// number of the two parts. Steps are counted in the narrower format, to which the wider value is rounded. ULPs is
	// -1 where steps are not counted: for infinities, floats of one byte, long doubles, and all values other than
	// floats.
	ULPs int64
}

// A Distance is the absolute value of a difference: an integer for integers, bools and times, a float64 for all other
// numbers. The zero Distance is invalid.
type Distance struct {
	kind   byte // 0, 'i' or 'f'
	hi, lo uint64
	float  float64
}

func floatDistance(d float64) Distance     { return Distance{kind: 'f', float: d} }
func wholeDistance(hi, lo uint64) Distance { return Distance{kind: 'i', hi: hi, lo: lo} }

// IsValid reports whether d holds a difference.
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

// String returns all digits of an integer, and the fewest digits that read back to the same float. It is empty for the
// zero Distance.
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

// newResult compares the headers.
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

// infinite reports whether x is an infinity.
func infinite(x float64) bool { return math.IsInf(x, 0) }

func orderName(fortran bool) string {
	if fortran {
		return "Fortran"
	}
	return "C"
}

func native(t dtype.Type) dtype.Type { return t.WithByteOrder(dtype.NativeEndian) }

// sameMeaning reports whether two types hold the same values under the same names, regardless of the offsets of fields.
// Both types must be in native byte order.
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
