package objects

import (
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/pickle"
)

// A function is one of NumPy's functions that make values from pickles.
type function uint8

const (
	unknown        function = iota
	makeArray               // _reconstruct(class, shape, dtype)
	makeFromBuffer          // _frombuffer(buffer, dtype, shape, order)
	makeScalar              // scalar(dtype, bytes)
	makeDType               // dtype(text, align, copy)
	makeStringType          // _convert_to_stringdtype_kwargs(coerce, na_object)
	makeMasked              // _mareconstruct(class, baseclass, shape, dtype)
)

// functions maps the names of these functions in all versions of NumPy. Modules called numpy.core became numpy._core in
// NumPy 2.
var functions = map[string]function{
	"numpy.core.multiarray _reconstruct":                  makeArray,
	"numpy.core._internal _reconstruct":                   makeArray, // before 1.0
	"numpy.core.multiarray scalar":                        makeScalar,
	"numpy.core.numeric _frombuffer":                      makeFromBuffer,
	"numpy.core._internal _convert_to_stringdtype_kwargs": makeStringType,
	"numpy.ma.core _mareconstruct":                        makeMasked,
	"numpy dtype":                                         makeDType,
}

// arrayClasses holds the names of the subclasses of ndarray that have no state of their own.
var arrayClasses = []string{
	"numpy ndarray", "numpy matrix", "numpy memmap", "numpy recarray", "numpy chararray",
	"numpy.matrixlib.defmatrix matrix", "numpy.core.memmap memmap", "numpy.rec recarray", "numpy.core.records recarray",
	"numpy.char chararray", "numpy.core.defchararray chararray",
}

// nameOf returns a global as a key of the tables above.
func nameOf(g *pickle.Global) string {
	module := g.Module
	if rest, ok := strings.CutPrefix(module, "numpy._core."); ok {
		module = "numpy.core." + rest
	}
	return module + " " + g.Name
}

func functionOf(class any) function {
	g, ok := class.(*pickle.Global)
	if !ok {
		return unknown
	}
	return functions[nameOf(g)]
}

func isArrayClass(v any) bool {
	g, ok := v.(*pickle.Global)
	return ok && slices.Contains(arrayClasses, nameOf(g))
}

// ClassOf returns the class of an array that was read as an object, or of the array that it is a part of: numpy.ndarray
// or a subclass such as numpy.matrix. It is nil for arrays made in Go.
func ClassOf(a *npy.Array) *pickle.Global {
	if o, ok := a.Origin().(*origin); ok {
		return o.class
	}
	return nil
}

// The globals that are the same in all versions of NumPy.
var (
	ndarrayClass      = &pickle.Global{Module: "numpy", Name: "ndarray"}
	dtypeClass        = &pickle.Global{Module: "numpy", Name: "dtype"}
	maskedClass       = &pickle.Global{Module: "numpy.ma.core", Name: "MaskedArray"}
	maskedReconstruct = &pickle.Global{Module: "numpy.ma.core", Name: "_mareconstruct"}
)
