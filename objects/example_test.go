package objects_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// Objects are read as data; nothing in the file is executed.
func Example() {
	dec := npy.Decoder{Objects: objects.Decoder{}}
	a, err := dec.ReadFile("../testdata/numpy-2.3.5/object-0d.npy")
	if err != nil {
		panic(err)
	}
	config := a.Object().(*pickle.Dict)
	list, _ := config.Get("config")
	fmt.Println(a)
	fmt.Println(list)
	// Output:
	// {'config': [1, 2, {'deep': True}]}
	// [1, 2, {'deep': True}]
}

// Without a decoder for objects, object arrays are refused.
func Example_refused() {
	_, err := npy.ReadFile("../testdata/numpy-2.3.5/object-0d.npy")
	fmt.Println(errors.Is(err, npy.ErrObjects))
	// Output: true
}

// A column of strings, as saved by pandas.
func Example_strings() {
	folder, err := os.MkdirTemp("", "npy")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "names.npy")
	a, err := npy.FromObjects([]any{"Ada", "Grace", nil})
	if err != nil {
		panic(err)
	}
	if err := (npy.Encoder{Objects: objects.Encoder{}}).WriteFile(path, a); err != nil {
		panic(err)
	}

	a, err = npy.Decoder{Objects: objects.Decoder{}}.ReadFile(path)
	if err != nil {
		panic(err)
	}
	_, err = npy.As[string](a)
	fmt.Println(err)
	a.SetObject("Barbara", 2)
	names, err := npy.As[string](a)
	fmt.Println(names.ToSlice(), err)
	// Output:
	// npy: dtype |O and Go type string do not fit: element (2,) is None; Array.Objects gives all of them as they are
	// [Ada Grace Barbara] <nil>
}

// Arrays in an array: the result of np.array for ragged lists.
func ExampleEncoder() {
	a, err := npy.FromSlice([]int64{0, 1, 2})
	if err != nil {
		panic(err)
	}
	b, err := npy.FromSlice([]float64{0.5})
	if err != nil {
		panic(err)
	}
	ragged, err := npy.FromObjects([]any{a, b, &pickle.List{Items: []any{"x", int64(1)}}})
	if err != nil {
		panic(err)
	}
	fmt.Println(ragged)
	err = npy.Encoder{Objects: objects.Encoder{NumPy: 1}}.Write(&discard{}, ragged)
	fmt.Println(err)
	// Output:
	// [array([0, 1, 2]) array([0.5]) list(['x', 1])]
	// <nil>
}

// Strings of any length with missing values, as in NumPy 2.
func ExampleStringsOf() {
	missing := objects.StringType{NA: nil, HasNA: true}
	a, err := objects.StringsOf(missing, []any{"Ada", nil, "Grace"})
	if err != nil {
		panic(err)
	}
	fmt.Println(a.DType(), a.Object(1), objects.StringTypeOf(a).HasNA)
	// Output:
	// |O <nil> true
}

// discard is a writer that drops its input.
type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }

// How many elements a file lists for an array.
func ExampleListed() {
	a, err := npy.Decoder{Objects: objects.Decoder{}}.ReadFile("../testdata/numpy-2.3.5/object-0d.npy")
	if err != nil {
		panic(err)
	}
	fmt.Println(objects.Listed(a))
	// Output: 1 true
}

// The values of a compressed pickle are limited by its compressed bytes.
func ExampleDecoder_OfCompressed() {
	var packed int64 // that have been read
	dec := npy.Decoder{Objects: objects.Decoder{}.OfCompressed(func() int64 { return packed })}
	a, err := dec.ReadFile("../testdata/numpy-2.3.5/object-0d.npy")
	fmt.Println(a, err)
	// Output: {'config': [1, 2, {'deep': True}]} <nil>
}
