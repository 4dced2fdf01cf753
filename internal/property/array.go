package property

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/npygo/npy"
)

// An Array is an array in Go and the Python expression that makes it.
type Array struct {
	*npy.Array
	DType DType
	recipe
}

// A recipe is the data from which Python makes an array.
type recipe struct {
	Make  string   `json:"dtype"` // the expression of the dtype
	Base  []int    `json:"shape"` // of the array with the elements of Data
	Data  []byte   `json:"data"`  // in C order; for many elements the first ones, which repeat
	Views []viewed `json:"views"` // the operations on it, in order
}

// MarshalJSON returns the question to Python.
func (a *Array) MarshalJSON() ([]byte, error) { return json.Marshal(a.recipe) }

// A viewed is one operation on an array: one of its fields is set.
type viewed struct {
	Fortran bool   `json:"fortran,omitempty"`
	Axes    []int  `json:"axes,omitempty"`
	Index   string `json:"index,omitempty"` // in brackets
}

// Array returns an array of up to most elements.
func (g *G) Array(k Kinds, most int, v Values) *Array {
	return g.ArrayOf(g.DType(k), g.Shape(most), v)
}

// ArrayOf returns an array of a dtype: if shape has C or Fortran order an array of that shape, else a view.
func (g *G) ArrayOf(t DType, shape []int, v Values) *Array {
	a := NewArray(t, g.Elements(t.Type, Size(shape), v), shape)
	if t.ItemSize() == 0 { // NumPy's strides of empty arrays may say either order
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

// IsSmall reports whether the dtype contains a type of ml_dtypes, whose name a file does not hold.
func (a *Array) IsSmall() bool { return strings.Contains(a.Make, "ml(") }

// InFortran puts the array into Fortran order.
func (a *Array) InFortran() { a.view(viewed{Fortran: true}) }

// view applies an operation to the array, in Go and in Python.
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

// String returns the array as a Python expression, shortened if it has many elements.
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
