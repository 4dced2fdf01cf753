package netcdf

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// features are the features of a netCDF-3 file, which it has to some extent.
const features = container.Attributes | container.DimNames | container.DimScales | container.MaxShapes | container.FillValues | container.TextDims

// groupLosses returns the losses of a group in a netCDF-3 file.
func groupLosses(e container.Entry, attributes []container.Attribute) []container.Loss {
	if e.Path == "" {
		return attributeLosses("", attributes, 0)
	}
	return container.LossesOf(e, attributes, features&^container.Attributes)
}

// attributeLosses returns the attributes that a netCDF-3 file does not hold, of a variable of type nc.
func attributeLosses(path string, attributes []container.Attribute, nc uint32) []container.Loss {
	var lost []container.Loss
	var names []string
	lose := func(what, detail string) { lost = append(lost, container.Loss{Path: path, What: what, Detail: detail}) }
	for _, a := range attributes {
		if a.Err != nil {
			continue
		}
		x, ok := encodeAttribute(a.Name, a.Value, nc)
		switch {
		case !ok || slices.Contains(names, x.name):
			lose("attribute "+a.Name, "")
		case a.Meaning.HasEnum():
			lose("the names of an enum, attribute "+a.Name, a.Meaning.String())
		case a.Meaning.Refers(container.ObjectReference) || a.Meaning.Refers(container.RegionReference):
			lose("the references, attribute "+a.Name, "the paths of their objects are written as text")
		}
		names = append(names, x.name)
	}
	return lost
}

func (a *arrayWriter) lose(what, format string, args ...any) {
	a.lost = append(a.lost, container.Loss{Path: a.e.Path, What: what, Detail: fmt.Sprintf(format, args...)})
}

// addAttributes takes the attributes of the variable, and its fill value.
func (a *arrayWriter) addAttributes(attributes []container.Attribute) {
	v, own := a.v, *a.v // which has one or two attributes
	a.lost = append(a.lost, attributeLosses(a.e.Path, attributes, v.typ)...)
	for _, x := range encodeAttributes(attributes, v.typ) {
		switch i := own.find(x.name); {
		case i < 0:
			v.attributes = append(v.attributes, x)
		case string(v.attributes[i].data) != string(x.data):
			a.lose("attribute "+x.name, "the elements need another one")
		}
	}
	if a.e.Fill == nil {
		return
	}
	fill, ok := a.fillAttribute()
	switch i := v.find(fill.name); {
	case !ok:
		a.lose("the fill value", "netCDF-3 has none for elements of dtype %s", a.e.DType.Name())
	case i >= 0 && string(v.attributes[i].data) != string(fill.data):
		a.lose("the fill value", "_FillValue is another one")
	case i < 0 && !isDefaultFill(v.typ, fill.data):
		v.attributes = append(v.attributes, fill)
	}
}

// find returns the index of an attribute, or -1.
func (v *output) find(name string) int {
	return slices.IndexFunc(v.attributes, func(x attribute) bool { return x.name == name })
}

// fillAttribute returns the fill value of the array as an attribute.
func (a *arrayWriter) fillAttribute() (attribute, bool) {
	x := attribute{name: "_FillValue", typ: a.v.typ, n: 1}
	fill := a.e.Fill
	k := a.e.DType.Kind()
	if fill.NDim() > 0 || fill.DType().HasObject() || k != fill.DType().Kind() {
		return x, false
	}
	if a.v.typ == ncChar {
		b := fill.Bytes()
		if len(b) == 0 || strings.Trim(string(b), string(b[:1])) != "" || k != dtype.KindBytes {
			return x, false
		}
		x.data = b[:1]
		return x, true
	}
	if k != dtype.KindInt && k != dtype.KindUint && k != dtype.KindFloat {
		return x, false
	}
	number, err := fill.Cast(a.stored, npy.UnsafeCasting)
	if err != nil {
		return x, false
	}
	x.data = number.Bytes()
	return x, true
}

// defaultFills are the values of elements that were never written, of variables without _FillValue: NC_FILL_BYTE and so on, as they
// are in a file.
var defaultFills = map[uint32]string{
	ncByte: "\x81", ncChar: "\x00", ncShort: "\x80\x01", ncInt: "\x80\x00\x00\x01", ncFloat: "\x7c\xf0\x00\x00", ncDouble: "\x47\x9e\x00\x00\x00\x00\x00\x00",
	ncUbyte: "\xff", ncUshort: "\xff\xff", ncUint: "\xff\xff\xff\xff", ncInt64: "\x80\x00\x00\x00\x00\x00\x00\x02", ncUint64: "\xff\xff\xff\xff\xff\xff\xff\xfe",
}

func isDefaultFill(nc uint32, data []byte) bool { return defaultFills[nc] == string(data) }

// losses returns the losses of an array whose dimensions are known.
func (a *arrayWriter) losses() []container.Loss {
	e, w := a.e, a.w
	a.lost = append(a.lost, container.LossesOf(e, nil, features)...)
	if a.v.name != e.Path {
		a.lose("the path", "it becomes the name %s", a.v.name)
	}
	for i := range e.Shape {
		if name, got := dimName(e, i), w.dims[a.v.dims[i]].name; name != "" && name != got {
			a.lose("the names of the dimensions", "%s becomes %s", name, got)
		}
	}
	if last := len(a.v.dims) - 1; e.TextDim != "" && (a.v.typ != ncChar || w.dims[a.v.dims[last]].name != e.TextDim) {
		a.lose("the name of the dimension of characters", "%s", e.TextDim)
	}
	if !a.keepsScales() {
		a.lose("the dimension scales", "")
	}
	if e.MaxShape != nil && !(a.v.record && slices.Equal(e.MaxShape[1:], e.Shape[1:]) && e.MaxShape[0] == container.Unlimited) {
		a.lose("the maximum shape", "netCDF-3 has one unlimited dimension, the first of an array")
	}
	switch t := e.DType; {
	case t.Kind() == dtype.KindBool:
		a.lose("that bool is not a number", "bytes are written, with the attribute dtype")
	case t.Kind() == dtype.KindFloat && t.ItemSize() == 2:
		a.lose("float16", "float32 is written")
	case t.Kind() == dtype.KindDatetime, t.Kind() == dtype.KindTimedelta:
		a.lose("that times are no numbers", "integers are written in place of %s, with units", t.Name())
	}
	return a.lost
}

// isScale reports whether the scale at a path of the source is the variable with the name of a dimension, or the dimension itself.
func (w *Writer) isScale(at string, dim int) bool {
	if i, ok := w.defined[at]; ok {
		return i == dim
	}
	name := w.dims[dim].name
	return validName(at) == name && path.Base(at) == name
}

// keepsScales reports whether the file keeps the dimension scales of the entry: in netCDF-3 they are the variables with the
// names of dimensions.
func (a *arrayWriter) keepsScales() bool {
	e := a.e
	if e.IsScale && (len(e.Shape) == 0 || a.w.dims[a.v.dims[0]].name != a.v.name || e.ScaleName != a.v.name) {
		return false
	}
	for i, scales := range e.Scales {
		if len(scales) > 1 || len(scales) == 1 && !a.w.isScale(scales[0], a.v.dims[i]) {
			return false
		}
	}
	return true
}
