package netcdf

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/escape"
)

// validName returns the name of a variable for a path: netCDF-3 has no groups and no slashes.
func validName(path string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == '/':
			return '.'
		case unicode.IsControl(r) || r == unicode.ReplacementChar:
			return '_'
		}
		return r
	}, path)
	name = strings.TrimRight(name, " ")
	if name == "" || name[0] < 0x80 && name[0] != '_' && !unicode.IsLetter(rune(name[0])) && !unicode.IsDigit(rune(name[0])) {
		name = "_" + name
	}
	return name
}

// A stored says how elements are written.
type stored struct {
	typ        uint32
	t          dtype.Type // big-endian
	attributes []attribute
}

// timeUnits are the words of CF for units of time.
var timeUnits = map[dtype.Unit]string{
	dtype.Day: "days", dtype.Hour: "hours", dtype.Minute: "minutes", dtype.Second: "seconds",
	dtype.Millisecond: "milliseconds", dtype.Microsecond: "microseconds", dtype.Nanosecond: "nanoseconds",
}

// storedAs returns how numbers of a dtype are written.
func storedAs(t dtype.Type) (stored, error) {
	as := func(nc uint32, attributes ...attribute) (stored, error) {
		big, _ := typeOf(nc)
		return stored{nc, big, attributes}, nil
	}
	hint := "cast it to float64"
	switch {
	case t.IsStruct() || t.IsSubarray():
		hint = "write its fields as arrays"
	case t.Kind() == dtype.KindBool:
		return as(ncByte, textAttribute("dtype", "bool")) // as xarray has it
	case t.Kind() == dtype.KindFloat && t.ItemSize() == 2:
		return as(ncFloat)
	case t.Kind() == dtype.KindComplex:
		hint = "write its real and imaginary parts"
	case t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta:
		unit, ok := timeUnits[t.Step().Unit]
		if !ok || t.Step().Num != 1 {
			hint = "cast it to datetime64[ns] or timedelta64[ns]"
			break
		}
		fill := attribute{"_FillValue", ncInt64, 1, binary.BigEndian.AppendUint64(nil, 1<<63)} // NaT
		if t.Kind() == dtype.KindTimedelta {
			return as(ncInt64, textAttribute("units", unit), fill)
		}
		return as(ncInt64, textAttribute("units", unit+" since 1970-01-01"), textAttribute("calendar", "proleptic_gregorian"), fill)
	default:
		if nc, ok := numberOf(t); ok {
			return as(nc)
		}
	}
	return stored{}, diag.Wrap("netcdf", unsupported("dtype %s has no netCDF type; %s", t.Name(), hint))
}

func textAttribute(name, text string) attribute {
	return attribute{name, ncChar, int64(len(text)), []byte(text)}
}

// dimName returns the name of an axis of an entry, or "".
func dimName(e container.Entry, axis int) string {
	if len(e.Dims) != len(e.Shape) {
		return ""
	}
	return e.Dims[axis]
}

// encodeAttribute returns an attribute of a variable of type nc, 0 for one of the file. It reports false for a value
// that netCDF-3 cannot hold.
func encodeAttribute(name string, value *npy.Array, nc uint32) (attribute, bool) {
	t := value.DType()
	switch t.Kind() {
	case dtype.KindObject, dtype.KindStr, dtype.KindBytes:
		text, ok := textOf(value)
		if !ok || name == "_FillValue" && nc != 0 && (nc != ncChar || len(text) != 1) {
			return attribute{}, false
		}
		return textAttribute(validName(name), text), true
	}
	typ, ok := numberOf(t)
	if t.Kind() == dtype.KindBool {
		typ, ok = ncByte, true
	}
	if t.Kind() == dtype.KindFloat && t.ItemSize() == 2 {
		typ, ok = ncFloat, true
	}
	if !ok {
		return attribute{}, false
	}
	switch {
	case name == "_FillValue" && nc == ncChar:
		return attribute{}, false
	case name == "_FillValue" && nc != 0: // must have the type of the variable
		typ = nc
	case typ >= ncUbyte && fitsInt32(value): // so that CDF-2 holds it
		typ = ncInt
	}
	big, _ := typeOf(typ)
	numbers, err := value.Cast(big, npy.UnsafeCasting)
	if err != nil {
		return attribute{}, false
	}
	return attribute{validName(name), typ, int64(numbers.Size()), numbers.Bytes()}, true
}

// textOf returns the only text of an array.
func textOf(a *npy.Array) (string, bool) {
	if a.Size() == 0 && a.NDim() == 1 {
		return "", true // of HDF5's null dataspace
	}
	if a.Size() != 1 {
		return "", false
	}
	if !a.DType().HasObject() {
		v, err := npy.As[string](a)
		if err != nil {
			return "", false
		}
		return v.ToSlice()[0], true
	}
	objects, err := a.Objects()
	if err != nil {
		return "", false
	}
	text, ok := objects[0].(string)
	return string(escape.Bytes(text)), ok
}

func fitsInt32(a *npy.Array) bool {
	wide, err := a.Cast(dtype.Int64, npy.SameKindCasting)
	if err != nil {
		return false
	}
	v, err := npy.As[int64](wide)
	if err != nil {
		return false
	}
	for _, x := range v.ToSlice() {
		if x < math.MinInt32 || x > math.MaxInt32 {
			return false
		}
	}
	return true
}

// texts returns the strings of an array as bytes, and the longest length. Null references are empty.
func texts(a *npy.Array, m *container.Meaning) (all [][]byte, longest int, err error) {
	references := m != nil && m.Reference != ""
	if a.DType().HasObject() {
		objects, err := a.Objects()
		if err != nil {
			return nil, 0, err
		}
		for _, x := range objects {
			text, ok := x.(string)
			if !ok && !(x == nil && references) {
				return nil, 0, unsupported("a Python object of type %T has no netCDF type", x)
			}
			all = append(all, escape.Bytes(text))
		}
	} else {
		v, err := npy.As[string](a)
		if err != nil {
			return nil, 0, err
		}
		for text := range v.Values() {
			all = append(all, []byte(text))
		}
	}
	for _, b := range all {
		longest = max(longest, len(b))
	}
	return all, longest, nil
}

// A head appends the parts of a header.
type head struct {
	b    []byte
	wide bool // CDF-5
}

func (h *head) uint32(n uint32) { h.b = binary.BigEndian.AppendUint32(h.b, n) }

func (h *head) count(n int64) {
	if h.wide {
		h.b = binary.BigEndian.AppendUint64(h.b, uint64(n))
		return
	}
	h.uint32(uint32(n))
}

func (h *head) padded(b []byte) {
	h.b = append(h.b, b...)
	h.b = append(h.b, make([]byte, -len(b)&3)...)
}

func (h *head) name(s string) {
	h.count(int64(len(s)))
	h.padded([]byte(s))
}

// list begins a list of n items.
func (h *head) list(tag uint32, n int) {
	if n == 0 {
		tag = 0
	}
	h.uint32(tag)
	h.count(int64(n))
}

func (h *head) attributes(all []attribute) {
	h.list(tagAttribute, len(all))
	for _, a := range all {
		h.name(a.name)
		h.uint32(a.typ)
		h.count(a.n)
		h.padded(a.data)
	}
}

var errMissing = fmt.Errorf("the array has ended before its last element")

// encodeAttributes returns the attributes that netCDF-3 can hold, of a variable of type nc or of the file.
func encodeAttributes(attributes []container.Attribute, nc uint32) []attribute {
	var all []attribute
	names := map[string]bool{}
	for _, a := range attributes {
		if a.Err != nil {
			continue
		}
		x, ok := encodeAttribute(a.Name, a.Value, nc)
		if ok && !names[x.name] {
			names[x.name] = true
			all = append(all, x)
		}
	}
	return all
}
