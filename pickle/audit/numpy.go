package audit

import (
	"errors"
	"fmt"
	"math"
)

// The effect of NumPy's functions for pickles is known for arguments that NumPy writes, and for few others. Others can
// do harm: memmap opens files, __setstate__ trusts flags and lengths, and a value with an attribute __array_interface__
// becomes a view of any memory. So all arguments and states must be as NumPy writes them (arraydescr_reduce,
// array_reduce, gentype_reduce of numpy 1.24 and 2.5, MaskedArray.__reduce__).

// addNumPy adds the callables of NumPy. Modules called numpy.core became numpy._core in NumPy 2.
func addNumPy(table map[string]*callable) {
	add := func(module, name string, class class, call maker) {
		addAll(table, &callable{call: call, class: class}, module, name)
	}
	for _, core := range []string{"numpy.core", "numpy._core"} {
		add(core+".multiarray", "_reconstruct", noClass, newArray)
		add(core+".multiarray", "scalar", noClass, newScalar)
		add(core+".numeric", "_frombuffer", noClass, fromBuffer)
		add(core+"._internal", "_convert_to_stringdtype_kwargs", noClass, newStringDType)
		add(core+".memmap", "memmap", subarray, nil)
		add(core+".records", "recarray", subarray, nil)
		add(core+".records", "record", recordScalar, nil)
		add(core+".defchararray", "chararray", subarray, nil)
	}
	add("numpy.core._internal", "_reconstruct", noClass, newArray) // before 1.0
	add("numpy", "dtype", noClass, newDType)
	add("numpy", "ndarray", ndarray, nil)
	add("numpy", "matrix", matrix, nil)
	add("numpy.matrixlib.defmatrix", "matrix", matrix, nil)
	for _, name := range []string{"chararray", "memmap", "recarray"} {
		add("numpy", name, subarray, nil)
	}
	add("numpy.char", "chararray", subarray, nil)
	add("numpy.rec", "recarray", subarray, nil)
	add("numpy", "record", recordScalar, nil)
	add("numpy.rec", "record", recordScalar, nil)
	add("numpy.ma.core", "_mareconstruct", noClass, newMasked)
	add("numpy.ma.core", "MaskedArray", maskedArray, nil)
	add("numpy.ma", "MaskedArray", maskedArray, nil)
	addAll(table, &callable{call: upTo(1, isLeaf)}, "numpy", "bool", "bool_", "bytes_", "clongdouble", "complex64", "complex128",
		"complex256", "float16", "float32", "float64", "float128", "int8", "int16", "int32", "int64", "intc", "intp",
		"longdouble", "longlong", "str_", "uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulonglong", "void")
	addAll(table, &callable{call: upTo(2, isLeaf)}, "numpy", "datetime64", "timedelta64")
}

// maxDims is the largest number of dimensions in NumPy 1, which did not always check it.
const maxDims = 32

// newArray makes an array that is empty until its state follows: _reconstruct(class, (0,), b'b').
func newArray(_ *tracer, args []any) (any, error) {
	if len(args) != 3 || !isEmptyShape(args[1]) || word(args[2]) != "b" {
		return nil, errArguments
	}
	switch c := classOf(args[0]); c {
	case ndarray, subarray, matrix:
		return &object{kind: arrayKind, exact: c == ndarray}, nil
	}
	return nil, errors.New("its class is not one of NumPy's arrays")
}

// isEmptyShape reports whether v is (0,).
func isEmptyShape(v any) bool {
	shape, ok := v.(*tuple)
	return ok && len(shape.items) == 1 && shape.items[0] == int64(0)
}

// shapeOf returns the number of elements of a shape.
func shapeOf(v any) (count int64, ok bool) {
	shape, ok := v.(*tuple)
	if !ok || len(shape.items) > maxDims {
		return 0, false
	}
	count = 1
	empty := false
	for _, dim := range shape.items {
		n, ok := dim.(int64)
		if !ok || n < 0 || n > 0 && count > math.MaxInt64/n {
			return 0, false
		}
		if n == 0 {
			empty = true
			continue
		}
		count *= n
	}
	if empty {
		count = 0
	}
	return count, true
}

// setArray checks the state of an array: (1, shape, dtype, fortran, elements), in old pickles without the 1.
func (t *tracer) setArray(o *object, state any) error {
	s, ok := state.(*tuple)
	if !ok || len(s.items) != 4 && len(s.items) != 5 {
		return errors.New("its state is not that of an array")
	}
	items := s.items
	if len(items) == 5 {
		if items[0] != int64(1) && items[0] != int64(0) {
			return errors.New("its state is of a version that is not known")
		}
		items = items[1:]
	}
	return t.elements(o, items)
}

// elements checks shape, dtype, order and elements.
func (t *tracer) elements(o *object, items []any) error {
	count, ok := shapeOf(items[0])
	if !ok {
		return errors.New("its shape is not a tuple of up to 32 dimensions")
	}
	d, err := use(items[1])
	switch {
	case err != nil:
		return err
	case d.base != nil:
		return errors.New("its dtype is a subarray")
	case !isInt(items[2]):
		return errors.New("its order is not a bool")
	}
	o.dtype, o.count = d, count
	if d.object {
		return t.listed(d, count, items[3])
	}
	return sized(d.size, count, items[3])
}

// sized checks that the bytes of the elements have the length that NumPy takes.
func sized(itemSize, count int64, v any) error {
	n := sizeOf(v)
	if itemSize > 0 && count > math.MaxInt64/itemSize || n != itemSize*count {
		return fmt.Errorf("%d bytes are not %d elements of %d bytes each", n, count, itemSize)
	}
	return nil
}

// listed checks that a list has all elements that NumPy reads, because NumPy does not check its length. The elements of a
// struct must be values that NumPy can put into it without calling their methods.
func (t *tracer) listed(d *dtype, count int64, v any) error {
	l, ok := v.(*list)
	if !ok || int64(len(l.items)) < count {
		return fmt.Errorf("its list is shorter than %d elements, and NumPy would read beyond its end", count)
	}
	if d.code == 'O' {
		return nil
	}
	for _, item := range l.items[:count] {
		if err := t.fits(d, item); err != nil {
			return err
		}
	}
	return nil
}

var errElement = errors.New("it has an element that does not fit its dtype")

// fits checks a value that becomes an element.
func (t *tracer) fits(d *dtype, v any) error {
	if err := t.charge(1); err != nil {
		return err
	}
	switch {
	case d.code == 'O':
		return nil
	case d.fields != nil:
		tup, ok := v.(*tuple)
		if !ok || len(tup.items) != len(d.fields) {
			return errElement
		}
		for i, f := range d.fields {
			if err := t.fits(f, tup.items[i]); err != nil {
				return err
			}
		}
		return nil
	case d.base != nil:
		if o, ok := v.(*object); !ok || o.kind != arrayKind || !o.stated || !t.alike(o.dtype, d.base) {
			return errElement
		}
		return nil
	}
	if o, ok := v.(*object); isLeaf(v) || ok && (o.kind == data || o.kind == delta) {
		return nil
	}
	return errElement
}

// newScalar makes a scalar from its bytes, or from an array without dimensions if it is a struct with objects.
func newScalar(t *tracer, args []any) (any, error) {
	if len(args) != 2 {
		return nil, errArguments
	}
	d, err := use(args[0])
	if err != nil {
		return nil, err
	}
	switch {
	case d.base != nil || d.code == 'T' || d.code == 'O':
		return nil, errors.New("NumPy has no scalars of its dtype, or returns what it is given")
	case d.object:
		a, ok := args[1].(*object)
		if !ok || a.kind != arrayKind || !a.stated || !a.exact || a.count < 1 || !t.alike(a.dtype, d) {
			return nil, errArguments
		}
		return &object{kind: holder}, nil
	case sizeOf(args[1]) < d.size:
		return nil, errArguments
	}
	return &object{kind: data}, nil
}

// fromBuffer makes an array of a buffer: _frombuffer(buffer, dtype, shape, order), and the order of the axes if order
// is K.
func fromBuffer(_ *tracer, args []any) (any, error) {
	if len(args) != 4 && len(args) != 5 {
		return nil, errArguments
	}
	d, err := use(args[1])
	if err != nil {
		return nil, err
	}
	count, ok := shapeOf(args[2])
	if !ok || d.base != nil || d.object {
		return nil, errArguments
	}
	if order := word(args[3]); order != "C" && order != "F" && order != "K" {
		return nil, errArguments
	}
	if len(args) == 5 && args[4] != nil {
		if _, ok := shapeOf(args[4]); !ok {
			return nil, errArguments
		}
	}
	made := &object{kind: arrayKind, exact: true, stated: true, dtype: d, count: count}
	switch b := args[0].(type) {
	case *buffer:
		if b.n < 0 { // the buffer is not in the pickle
			return made, nil
		}
		return made, sized(d.size, count, blob{n: b.n})
	case blob:
		return made, sized(d.size, count, b)
	}
	return nil, errArguments
}

// newStringDType makes a StringDType: coerce and, optionally, the value for missing elements.
func newStringDType(_ *tracer, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 || !isInt(args[0]) || len(args) == 2 && !isLeaf(args[1]) {
		return nil, errArguments
	}
	return &object{kind: dtypeKind, stated: true, dtype: &dtype{code: 'T', size: 16, object: true}}, nil
}

// newMasked makes a masked array that is empty until its state follows: _mareconstruct(class, baseclass, (0,), 'b').
func newMasked(_ *tracer, args []any) (any, error) {
	if len(args) != 4 || !isEmptyShape(args[2]) || word(args[3]) != "b" {
		return nil, errArguments
	}
	base := classOf(args[1])
	if classOf(args[0]) != maskedArray || base != ndarray && base != matrix {
		return nil, errors.New("its class is not one of NumPy's masked arrays, or not of plain data")
	}
	return &object{kind: masked}, nil
}

// setMasked checks the state of a masked array: the state of an array, the bytes of the mask, and the fill value.
func (t *tracer) setMasked(o *object, state any) error {
	s, ok := state.(*tuple)
	if !ok || len(s.items) != 7 {
		return errors.New("its state is not that of a masked array")
	}
	if err := t.elements(o, s.items[1:5]); err != nil {
		return err
	}
	if o.dtype.code == 'T' {
		return errors.New("its dtype is not known in masked arrays")
	}
	if err := sized(o.dtype.maskSize, o.count, s.items[5]); err != nil {
		return err
	}
	fill := s.items[6]
	f, ok := fill.(*object)
	switch {
	case isLeaf(fill) || isData(fill):
		return nil
	case !ok || f.kind != arrayKind || !f.stated || !t.alike(f.dtype, o.dtype):
		return errors.New("its fill value is not known")
	case f.dtype.object: // NumPy converts it, and where it cannot, its error contains the text of the objects
		t.asked = append(t.asked, f)
	}
	return nil
}
