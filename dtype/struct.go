package dtype

import (
	"fmt"
	"slices"
	"sync"

	"github.com/npygo/npy/internal/diag"
)

// A Field is one named part of a struct.
type Field struct {
	Name   string // unique among the names and titles of the struct
	Title  string // a second name, by which NumPy also finds the field; "" for none
	DType  Type   // of the field in each element; a subarray has its own shape
	Offset int    // in bytes from the start of the element

	// titleText is the title as a Python literal if Title cannot express it: the title is empty or not a string.
	titleText string
}

// emptyTitle is the titleText of a title that is the empty string.
const emptyTitle = "''"

func (f Field) equal(g Field) bool {
	return f.Name == g.Name && f.Title == g.Title && f.titleText == g.titleText && f.Offset == g.Offset && f.DType.Equal(g.DType)
}

// Struct returns the struct of the given fields. Offsets must not decrease and fields must not overlap: NumPy cannot
// store other structs (dtype.descr). itemSize may include trailing padding; -1 means the end of the last field. An
// error names the field that does not fit.
func Struct(itemSize int, fields ...Field) (Type, error) {
	end := 0
	for _, f := range fields {
		switch {
		case !f.DType.IsValid():
			return Type{}, diag.Errorf("dtype", "field %q has no dtype", f.Name)
		case f.Offset < end:
			return Type{}, diag.Errorf("dtype", "field %q at offset %d overlaps the field before it, which ends at %d", f.Name, f.Offset, end)
		case f.Offset > MaxItemSize-f.DType.ItemSize():
			return Type{}, diag.Errorf("dtype", "field %q ends beyond the largest item size %d", f.Name, MaxItemSize)
		}
		end = f.Offset + f.DType.ItemSize()
	}
	if _, err := checkNames(fields); err != nil {
		return Type{}, diag.Wrap("dtype", err)
	}
	if itemSize == -1 {
		itemSize = end
	}
	if itemSize < end || itemSize > MaxItemSize {
		return Type{}, diag.Errorf("dtype", "item size %d does not hold fields that end at %d", itemSize, end)
	}
	return newStruct(itemSize, slices.Clone(fields)), nil
}

// Packed returns the struct of the given fields one after another, without padding: numpy.dtype of a list of fields. It sets
// their Offset. An error names the field that does not fit.
func Packed(fields ...Field) (Type, error) {
	packed, end := slices.Clone(fields), 0
	for i := range packed {
		packed[i].Offset = end
		end += min(packed[i].DType.ItemSize(), MaxItemSize-end) // Struct refuses a field that is cut here
	}
	return Struct(-1, packed...)
}

// checkNames checks that all names and titles are different. If a field repeats one, it returns the index of the field
// and an error.
func checkNames(fields []Field) (int, error) {
	used := make(map[string]bool, len(fields))
	for i, f := range fields {
		titled := f.Title != "" || f.titleText == emptyTitle
		switch {
		case used[f.Name]:
			return i, fmt.Errorf("name %s is already used as a name or title", quote(f.Name))
		case titled && (used[f.Title] || f.Title == f.Name):
			return i, fmt.Errorf("title %s is already used as a name or title", quote(f.Title))
		}
		used[f.Name] = true
		if titled {
			used[f.Title] = true
		}
	}
	return -1, nil
}

func newStruct(size int, fields []Field) Type {
	ext := &extension{isStruct: true, fields: fields}
	ext.object = slices.ContainsFunc(fields, func(f Field) bool { return f.DType.HasObject() })
	return Type{kind: KindVoid, order: NoByteOrder, size: int32(size), ext: ext}
}

// mapFields returns the struct t with every field replaced by change(field), which must keep its size and offset.
func (t Type) mapFields(change func(Field) Field) Type {
	fields := make([]Field, len(t.ext.fields))
	for i, f := range t.ext.fields {
		fields[i] = change(f)
	}
	return newStruct(int(t.size), fields)
}

// Subarray returns the type whose elements are C-ordered arrays of base, as in the field "('<i4', (2, 3))". An empty
// shape returns base. No dimension may be negative, there may be at most [MaxDims] dimensions, and the size must not
// exceed [MaxItemSize].
func Subarray(base Type, shape ...int) (Type, error) {
	t, err := subarray(base, shape)
	if err != nil {
		return t, diag.Wrap("dtype", err)
	}
	return t, nil
}

func subarray(base Type, shape []int) (Type, error) {
	if len(shape) == 0 {
		return base, nil
	}
	if len(shape) > MaxDims {
		return Type{}, fmt.Errorf("subarray has %d dimensions, at most %d are possible", len(shape), MaxDims)
	}
	size, err := subarraySize(int64(base.size), shape)
	if err != nil {
		return Type{}, err
	}
	ext := &extension{base: base, shape: slices.Clone(shape), object: base.HasObject()}
	return Type{kind: KindVoid, order: NoByteOrder, size: int32(size), ext: ext}, nil
}

// subarraySize multiplies with a check at each step: each factor is at most MaxInt32, so the product cannot overflow an
// int64. Like NumPy it also limits the product of the dimensions when a dimension or the item size is 0.
func subarraySize(itemSize int64, shape []int) (int64, error) {
	count, size := int64(1), itemSize
	for _, n := range shape {
		switch {
		case n < 0:
			return 0, fmt.Errorf("negative dimension %d in a subarray", n)
		case n > MaxItemSize:
			return 0, fmt.Errorf("dimension %d in a subarray is over %d", n, MaxItemSize)
		}
		count *= int64(n)
		size *= int64(n)
		if count > MaxItemSize || size > MaxItemSize {
			return 0, fmt.Errorf("subarray is larger than %d bytes", MaxItemSize)
		}
	}
	return size, nil
}

// IsStruct reports whether t has fields, NumPy's "dtype.names is not None". It is also true for the struct without
// fields.
func (t Type) IsStruct() bool { return t.ext != nil && t.ext.isStruct }

// IsSubarray reports whether t is an array within the element, NumPy's "dtype.subdtype is not None".
func (t Type) IsSubarray() bool { return t.ext != nil && t.ext.base.IsValid() }

// NumField returns the number of fields of a struct, 0 for other types.
func (t Type) NumField() int {
	if t.ext == nil {
		return 0
	}
	return len(t.ext.fields)
}

// Field returns the i-th field of a struct. It panics if i is out of range.
func (t Type) Field(i int) Field { return t.ext.fields[i] }

// Fields returns a copy of the fields of a struct in the order of their offsets, nil for other types.
func (t Type) Fields() []Field {
	if t.ext == nil {
		return nil
	}
	return slices.Clone(t.ext.fields)
}

// FieldByName returns the field with this name, or with this title, as NumPy looks fields up. The time of a call does not
// grow with the number of fields.
func (t Type) FieldByName(name string) (Field, bool) {
	if t.ext == nil {
		return Field{}, false
	}
	i, ok := t.ext.index.find(t.ext.fields, name)
	if !ok {
		return Field{}, false
	}
	return t.ext.fields[i], true
}

// fewFields is the most fields that are compared one by one.
const fewFields = 8

// A fieldIndex finds the fields of a struct by their names and titles, which all differ. It is made when it is first needed.
type fieldIndex struct {
	once    sync.Once
	numbers map[string]int
}

func (x *fieldIndex) find(fields []Field, name string) (int, bool) {
	if len(fields) <= fewFields {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name || f.Title != "" && f.Title == name })
		return i, i >= 0
	}
	x.once.Do(func() {
		x.numbers = make(map[string]int, len(fields))
		for i, f := range fields {
			x.numbers[f.Name] = i
			if f.Title != "" {
				x.numbers[f.Title] = i
			}
		}
	})
	i, ok := x.numbers[name]
	return i, ok
}

// Elem returns the element type of a subarray, and t itself for every other type.
func (t Type) Elem() Type {
	if t.IsSubarray() {
		return t.ext.base
	}
	return t
}

// SubShape returns a copy of the shape of a subarray, nil for every other type.
func (t Type) SubShape() []int {
	if t.ext == nil {
		return nil
	}
	return slices.Clone(t.ext.shape)
}
