package record

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/scalar"
)

// A field is an exported field of a Go struct, or of a struct embedded in it.
type field struct {
	tag
	goName string
	at     bulk.Place
}

// A typeInfo describes one Go struct, without a dtype.
type typeInfo struct {
	fields []field
	gaps   bool // no field covers some of the memory: padding, blank fields
	others bool // there are fields that are skipped or not exported
	hidden bool // some are not exported
}

// fieldsOf lists the fields of the struct at a place in the order of declaration. path is the path of the struct, for
// errors.
func fieldsOf(at bulk.Place, path string) (typeInfo, error) {
	var info typeInfo
	if err := info.collect(at, path, ""); err != nil {
		return info, err
	}
	if len(info.fields) == 0 && info.hidden {
		return info, refuse(at.Type(), dtype.Type{}, path, "none of its fields is exported")
	}
	seen := make(map[string]string)
	for _, f := range info.fields {
		for _, name := range []string{f.name, f.title} {
			if first, ok := seen[name]; ok && name != "" {
				return info, refuse(at.Type(), dtype.Type{}, join(path, name), "Go fields "+first+" and "+f.goName+" have the same name")
			}
			seen[name] = f.goName
		}
	}
	return info, nil
}

func (info *typeInfo) collect(at bulk.Place, path, goPrefix string) error {
	t, covered := at.Type(), 0
	for i := range t.NumField() {
		f := t.Field(i)
		goName := goPrefix + f.Name
		covered += int(f.Type.Size())
		if f.Name == "_" { // padding, unless its type must not overlay the memory of a file
			info.gaps = true
			info.others = info.others || f.Type.Kind() != reflect.Array || !isNumber(f.Type.Elem())
			continue
		}
		text, tagged := f.Tag.Lookup("npy")
		g, err := parseTag(text)
		embeds := f.Anonymous && g.name == "" && f.Type.Kind() == reflect.Struct && !isLeaf(f.Type)
		switch {
		case err != nil:
			return refuse(f.Type, dtype.Type{}, join(path, f.Name), fmt.Sprintf("tag of Go field %s: %v", goName, err))
		case g.skip:
			info.others = true
		case embeds:
			if err := info.collect(at.Field(i), path, goName+"."); err != nil {
				return err
			}
		case !f.IsExported() && tagged:
			return refuse(f.Type, dtype.Type{}, join(path, g.name), "Go field "+goName+" has a tag and is not exported")
		case !f.IsExported():
			info.others, info.hidden = true, true
		default:
			if g.name == "" {
				g.name = f.Name
			}
			info.fields = append(info.fields, field{g, goName, at.Field(i)})
		}
	}
	info.gaps = info.gaps || covered != int(t.Size())
	return nil
}

// find returns the index of the field of t that matches f: by name or title, or else the only field whose name
// differs from it just in case.
func (f field) find(t dtype.Type) (int, bool) {
	fields := t.Fields()
	for _, is := range []func(dtype.Field) bool{
		func(g dtype.Field) bool { return g.Name == f.name },
		func(g dtype.Field) bool { return g.Title != "" && g.Title == f.name },
		func(g dtype.Field) bool { return f.title != "" && (g.Title == f.title || g.Name == f.title) },
	} {
		for i, g := range fields {
			if is(g) {
				return i, true
			}
		}
	}
	found, n := -1, 0
	for i, g := range fields {
		if strings.EqualFold(g.Name, f.name) {
			found, n = i, n+1
		}
	}
	return found, n == 1
}

// tagIn returns the dtype in the tag of f, or else in the tag of the struct around it.
func (f field) tagIn(around dtype.Type) dtype.Type {
	if i, ok := f.find(around); ok && !f.dtype.IsValid() {
		return around.Field(i).DType
	}
	return f.dtype
}

var (
	timeType      = reflect.TypeFor[time.Time]()
	durationType  = reflect.TypeFor[time.Duration]()
	datetimeType  = reflect.TypeFor[scalar.Datetime64]()
	timedeltaType = reflect.TypeFor[scalar.Timedelta64]()
)

// isLeaf reports whether values of t are single elements of an array, not made of others.
func isLeaf(t reflect.Type) bool {
	_, ok := columnFor(t, dtype.Type{}, dtype.Type{})
	return ok
}

// columnFor returns the column for the Go type t. For times it depends on the dtype d in the file and on the dtype in
// the tag, which is invalid if the tag has none.
func columnFor(t reflect.Type, d, tagged dtype.Type) (column, bool) {
	switch t {
	case timeType:
		return times{}, true
	case datetimeType:
		if tagged.IsValid() && !sameTicks(d, tagged) {
			return ticks[scalar.Datetime64]{tagged: tagged}, true
		}
	case timedeltaType:
		if tagged.IsValid() && !sameTicks(d, tagged) {
			return ticks[scalar.Timedelta64]{tagged: tagged}, true
		}
	case durationType:
		if !isInteger(tagged) || d.Kind() == dtype.KindTimedelta {
			return durations{}, true
		}
		return columns[reflect.TypeFor[int64]()], true
	}
	c, ok := columns[codec.Base(t)]
	return c, ok
}

// columns holds the column of each element type. Package codec knows them all, and the base types of named types.
var columns = columnsOf(
	values[bool]{}, values[int]{}, values[int8]{}, values[int16]{}, values[int32]{}, values[int64]{},
	values[uint]{}, values[uint8]{}, values[uint16]{}, values[uint32]{}, values[uint64]{},
	values[float32]{}, values[float64]{}, values[complex64]{}, values[complex128]{}, values[string]{}, values[[]byte]{},
	values[scalar.Float16]{}, values[scalar.BFloat16]{}, values[scalar.Complex32]{},
	values[scalar.LongDouble]{}, values[scalar.Float128]{}, values[scalar.LongComplex]{},
	values[scalar.Datetime64]{}, values[scalar.Timedelta64]{},
	values[scalar.Float8E3M4]{}, values[scalar.Float8E4M3]{}, values[scalar.Float8E4M3FN]{}, values[scalar.Float8E4M3FNUZ]{},
	values[scalar.Float8E4M3B11FNUZ]{}, values[scalar.Float8E5M2]{}, values[scalar.Float8E5M2FNUZ]{}, values[scalar.Float8E8M0FNU]{},
	values[scalar.Float6E2M3FN]{}, values[scalar.Float6E3M2FN]{}, values[scalar.Float4E2M1FN]{},
	values[scalar.Int4]{}, values[scalar.Uint4]{}, values[scalar.Int2]{}, values[scalar.Uint2]{},
)

func columnsOf(columns ...interface {
	column
	goType() reflect.Type
}) map[reflect.Type]column {
	byType := make(map[reflect.Type]column, len(columns))
	for _, c := range columns {
		byType[c.goType()] = c
	}
	return byType
}

// refuse is the error for a Go type and a dtype that cannot be converted to each other.
func refuse(t reflect.Type, d dtype.Type, path, hint string) error {
	return &npy.TypeError{DType: d, GoType: t, Path: path, Hint: hint}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// unfit returns why no dtype can hold a Go type.
func unfit(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "the length of a slice is not part of its type: use an array"
	case reflect.Pointer:
		return "a pointer is not data: use a value"
	}
	return t.Kind().String() + " is not data of a fixed size"
}
