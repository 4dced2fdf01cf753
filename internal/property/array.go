package property

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/npygo/npy"
)

// An Array is an array on both sides: ours, and what Python makes it from.
type Array struct {
	*npy.Array
	DType DType
	recipe
}

// A recipe of an array is what Python is told.
type recipe struct {
	Make  string   `json:"dtype"` // the expression of the dtype
	Base  []int    `json:"shape"` // of the array that the elements of Data are
	Data  []byte   `json:"data"`  // in C order; of many elements the first, which repeat
	Views []viewed `json:"views"` // what is done with it, one after the other
}

// MarshalJSON returns what Python is told.
func (a *Array) MarshalJSON() ([]byte, error) { return json.Marshal(a.recipe) }

// A viewed is one way to look at an array: one of its fields is set.
type viewed struct {
	Fortran bool   `json:"fortran,omitempty"`
	Axes    []int  `json:"axes,omitempty"`
	Index   string `json:"index,omitempty"` // in brackets
}

// Array returns an array of at most most elements.
func (g *G) Array(k Kinds, most int, v Values) *Array {
	return g.ArrayOf(g.DType(k), g.Shape(most), v)
}

// ArrayOf returns an array of a dtype: of a shape if it is in C or Fortran order, else a view of such an array.
func (g *G) ArrayOf(t DType, shape []int, v Values) *Array {
	a := NewArray(t, g.Elements(t.Type, Size(shape), v), shape)
	if t.ItemSize() == 0 { // NumPy's strides of nothing say one order or the other
		return a
	}
	switch g.Int(8) {
	case 4:
		a.view(viewed{Fortran: true})
	case 5:
		a.view(viewed{Axes: g.Shuffle(len(shape))})
	case 6:
		a.view(viewed{Index: g.step(shape)})
	case 7:
		a.view(viewed{Axes: g.Shuffle(len(shape))})
		a.view(viewed{Index: g.step(a.Shape())})
	}
	return a
}

// step returns an index of slices with steps that all fit.
func (g *G) step(shape []int) string {
	entries := make([]string, len(shape))
	for i := range entries {
		entries[i] = Pick(g, ":", "::-1", "::2", "1:", ":-1", "::-3")
	}
	if len(entries) == 0 {
		return "[...]"
	}
	return "[" + strings.Join(entries, ", ") + "]"
}

// NewArray returns an array in C order.
func NewArray(t DType, data []byte, shape []int) *Array {
	a, err := npy.FromBytes(t.Type, data, shape...)
	if err != nil {
		panic(fmt.Sprintf("%s %v: %v", t.Python, shape, err))
	}
	return &Array{Array: a, DType: t, recipe: recipe{Make: t.Python, Base: shape, Data: data[:min(len(data), unit*t.ItemSize())], Views: []viewed{}}}
}

// IsSmall reports whether a type of ml_dtypes is in the dtype, whose name a file does not have.
func (a *Array) IsSmall() bool { return strings.Contains(a.Make, "ml(") }

// InFortran puts the array into Fortran order.
func (a *Array) InFortran() { a.view(viewed{Fortran: true}) }

// view looks at the array in another way, on both sides.
func (a *Array) view(v viewed) {
	a.Views = append(a.Views, v)
	var err error
	switch {
	case v.Fortran:
		a.Array = a.Fortran()
	case v.Index != "":
		var index []npy.Index
		if index, err = npy.ParseIndex(v.Index); err == nil {
			a.Array, err = a.Slice(index...)
		}
	default:
		a.Array, err = a.Transpose(v.Axes...)
	}
	if err != nil {
		panic(err)
	}
}

// String returns the array as an expression of Python, short where the elements are many.
func (a *Array) String() string {
	data := fmt.Sprintf("bytes.fromhex('%x')", a.Data)
	if len(a.Data) > 200 {
		data = fmt.Sprintf("bytes.fromhex('%x…%d bytes')", a.Data[:100], len(a.Data))
	}
	text := fmt.Sprintf("np.ndarray(%s, %s, %s)", PythonShape(a.Base), a.Make, data)
	for _, v := range a.Views {
		switch {
		case v.Fortran:
			text = "np.asfortranarray(" + text + ")"
		case v.Index != "":
			text += v.Index
		default:
			text += ".transpose(" + PythonShape(v.Axes) + ")"
		}
	}
	return text
}
