package matlab

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf16"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/spool"
)

// A writer73 writes a MAT-file of version 7.3. Cells and sparse matrices are not made: their members are fields.
type writer73 struct {
	h      *hdf5.Writer
	o      container.WriteOptions
	groups map[string]bool // that have been written
	arrays map[string]bool
}

var _ container.FortranWriter = (*writer73)(nil)

// newWriter73 starts a MAT-file of version 7.3, at the start of w.
func newWriter73(w io.WriteSeeker, o container.WriteOptions) (*writer73, error) {
	block := make([]byte, 512)
	copy(block, "MATLAB 7.3 MAT-file, created by npy HDF5 schema 1.00 ."+strings.Repeat(" ", 116))
	copy(block[116:], "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02IM")
	clear(block[128:])
	h, err := hdf5.Encoder{UserBlock: block, Terminated: true, Store: o.Store, Level: o.Level, Workers: o.Workers}.NewWriter(w)
	if err != nil {
		return nil, err
	}
	return &writer73{h: h, o: o, groups: map[string]bool{"": true}, arrays: map[string]bool{}}, nil
}

// KeepsFortran implements [container.FortranWriter].
func (w *writer73) KeepsFortran() {}

// drop frees what the writer holds.
func (w *writer73) drop() { w.h.Abort() }

// Close completes the file.
func (w *writer73) Close() error { return w.h.Close() }

// classAttribute returns the attribute MATLAB_class.
func classAttribute(class string) (container.Attribute, error) {
	a, err := npy.FromBytes(dtype.Bytes(len(class)), []byte(class), []int{}...)
	return container.Attribute{Name: "MATLAB_class", Value: a}, err
}

// numberAttribute returns an attribute of one int32 or uint8.
func numberAttribute[T int32 | uint8](name string, n T) (container.Attribute, error) {
	a, err := npy.FromSlice([]T{n}, []int{}...)
	return container.Attribute{Name: name, Value: a}, err
}

// group writes the groups that lead to a path.
func (w *writer73) group(path string) error {
	if w.groups[path] {
		return nil
	}
	if w.arrays[path] {
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	}
	dir := ""
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir = path[:i]
	}
	if err := w.group(dir); err != nil {
		return err
	}
	class, err := classAttribute("struct")
	if err == nil {
		_, err = w.h.Begin(container.Entry{Path: path, Group: true}, []container.Attribute{class})
	}
	w.groups[path] = true
	return err
}

// Begin implements [container.Writer]. Attributes are not written.
func (w *writer73) Begin(e container.Entry, attributes []container.Attribute) (container.ArrayWriter, error) {
	lost := losses(e, attributes, features, false)
	if e.Path == "" {
		w.o.Lose(lost...)
		return nil, nil
	}
	parts := strings.Split(e.Path, "/")
	for i, p := range parts {
		parts[i] = validName(p)
	}
	path := strings.Join(parts, "/")
	if e.Group {
		err := w.group(path)
		if err == nil {
			w.o.Lose(lost...)
		}
		return nil, err
	}
	if err := (format.Header{DType: e.DType, Shape: e.Shape}).Validate(); err != nil {
		return nil, err
	}
	a := &arrayWriter73{w: w, e: e, path: path, dims: dimsOf(e.Shape), n: format.Header{DType: e.DType, Shape: e.Shape}.NBytes()}
	if err := a.prepare(); err != nil {
		return nil, err
	}
	if w.groups[path] || w.arrays[path] {
		return nil, &fs.PathError{Op: "write", Path: e.Path, Err: fmt.Errorf("the name %s is taken: %w", path, fs.ErrExist)}
	}
	if err := w.group(strings.Join(parts[:len(parts)-1], "/")); err != nil {
		return nil, err
	}
	w.arrays[path] = true
	if a.lost = lost; !e.DType.HasObject() {
		w.o.Lose(lost...)
	}
	if a.direct = !a.text && h(a.dims).Size() > 0 && (e.FortranOrder || isLine(a.dims)); a.direct {
		var err error
		if a.to, err = w.h.Begin(container.Entry{Path: path, DType: a.t, Shape: reversed(a.dims)}, a.attributes); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// An arrayWriter73 takes the elements of one array.
type arrayWriter73 struct {
	w          *writer73
	e          container.Entry
	path       string
	dims       []int      // in MATLAB
	t          dtype.Type // as it is written
	attributes []container.Attribute
	text       bool
	direct     bool // in Fortran order already
	to         container.ArrayWriter
	kept       spool.Spool
	texts      []string
	lost       []container.Loss
	unfit      bool // Write has found elements that a MAT-file cannot hold
	n          int64
}

// prepare finds the class.
func (a *arrayWriter73) prepare() error {
	t := a.e.DType
	name := "char"
	switch k := t.Kind(); {
	case t.IsStruct() || t.IsSubarray():
		_, err := classOf(t)
		return err
	case k == dtype.KindStr || k == dtype.KindBytes || k == dtype.KindObject:
		a.text, a.t = true, dtype.Uint16.WithByteOrder(dtype.LittleEndian)
	default:
		c, err := classOf(t)
		if err != nil {
			return err
		}
		a.t = c.part
		name = map[byte]string{classDouble: "double", classSingle: "single"}[c.class]
		switch {
		case c.flags&flagLogical != 0:
			name = "logical"
		case name == "":
			name = c.part.Name()
		}
		if c.flags&flagComplex != 0 {
			size := c.part.ItemSize()
			if a.t, err = dtype.Struct(2*size, dtype.Field{Name: "real", DType: c.part}, dtype.Field{Name: "imag", DType: c.part, Offset: size}); err != nil {
				return err
			}
		}
	}
	class, err := classAttribute(name)
	a.attributes = []container.Attribute{class}
	decode := map[string]int32{"logical": 1, "char": 2}[name]
	if err == nil && decode != 0 {
		var x container.Attribute
		x, err = numberAttribute("MATLAB_int_decode", decode)
		a.attributes = append(a.attributes, x)
	}
	return err
}

func (a *arrayWriter73) fail(err error) error { return pathError(a.e.Path, err) }

// Write implements [container.ArrayWriter].
func (a *arrayWriter73) Write(block *npy.Array) error {
	if !block.DType().Equal(a.e.DType) {
		return a.fail(fmt.Errorf("a block of dtype %s in an array of %s", block.DType(), a.e.DType))
	}
	if a.n -= int64(block.NBytes()); a.n < 0 {
		return a.fail(fmt.Errorf("more elements than the shape has"))
	}
	switch {
	case a.text && block.DType().HasObject():
		all, err := objectTexts(block, a.e.Meaning)
		if err != nil {
			delete(a.w.arrays, a.path)
			a.unfit = true
			return &container.UnfitError{Err: a.fail(err)}
		}
		a.w.o.Lose(a.lost...)
		a.texts = all
		return nil
	case a.text:
		all, err := textsOf(block.T()) // in C order
		a.texts = append(a.texts, all...)
		return a.fail(err)
	case !a.direct:
		_, err := a.kept.Write(block.Bytes())
		return err
	}
	shape := block.Shape()
	if !a.e.FortranOrder { // a line: the block has the axis of the line
		shape = make([]int, len(a.dims))
		for i, n := range reversed(a.dims) {
			if shape[i] = n; n > 1 {
				shape[i] = block.Size()
			}
		}
	}
	stored, err := a.stored(block.Bytes(), shape)
	if err != nil {
		return a.fail(err)
	}
	return a.to.Write(stored)
}

// stored returns elements in C order as they are written.
func (a *arrayWriter73) stored(data []byte, shape []int) (*npy.Array, error) {
	block, err := npy.FromBytes(a.e.DType, data, shape...)
	if err != nil {
		return nil, err
	}
	if a.t.IsStruct() { // complex numbers have the bytes of their parts
		t := dtype.Complex128
		if a.t.ItemSize() == 8 {
			t = dtype.Complex64
		}
		if block, err = block.Cast(t.WithByteOrder(dtype.LittleEndian), npy.UnsafeCasting); err != nil {
			return nil, err
		}
		return npy.FromBytes(a.t, block.Bytes(), shape...)
	}
	return block.Cast(a.t, npy.UnsafeCasting)
}

// Close implements [container.ArrayWriter].
func (a *arrayWriter73) Close() error {
	defer a.kept.Close()
	switch {
	case a.unfit:
		return nil
	case a.n > 0:
		return a.fail(errMissing)
	case a.direct:
		return a.to.Close()
	case a.text:
		return a.fail(a.writeText())
	case h(a.dims).Size() == 0:
		return a.fail(a.writeEmpty(a.dims))
	}
	kept, err := npy.FileOf(format.Header{DType: a.e.DType, Shape: a.e.Shape, FortranOrder: a.e.FortranOrder}, &a.kept, a.kept.Size())
	if err != nil {
		return err
	}
	to, err := a.w.h.Begin(container.Entry{Path: a.path, DType: a.t, Shape: reversed(a.dims)}, a.attributes)
	if err != nil {
		return err
	}
	for block, err := range npy.Transposed(kept).Blocks(context.Background(), 16<<20) {
		if err == nil {
			block, err = a.stored(block.Bytes(), block.Shape())
		}
		if err == nil {
			err = to.Write(block)
		}
		if err != nil {
			return a.fail(err)
		}
	}
	return to.Close()
}

// put writes an array in memory.
func (a *arrayWriter73) put(x *npy.Array, attributes []container.Attribute) error {
	return container.Put(context.Background(), a.w.h, container.Entry{Path: a.path}, attributes, x)
}

// writeEmpty writes an array without elements, whose elements are its dimensions.
func (a *arrayWriter73) writeEmpty(dims []int) error {
	shape := make([]uint64, len(dims))
	for i, n := range dims {
		shape[i] = uint64(n)
	}
	x, err := npy.FromSlice(shape)
	if err != nil {
		return err
	}
	empty, err := numberAttribute("MATLAB_empty", uint8(1))
	if err != nil {
		return err
	}
	return a.put(x, append(a.attributes, empty))
}

// writeText writes strings, which are in C order, as a character array, padded with spaces.
func (a *arrayWriter73) writeText() error {
	longest := 0
	rows := make([][]uint16, len(a.texts))
	for i, text := range a.texts {
		rows[i] = utf16.Encode([]rune(text))
		longest = max(longest, len(rows[i]))
	}
	shape := a.e.Shape
	if len(shape) == 0 {
		shape = []int{1}
	}
	dims := append(append([]int{}, shape...), longest)
	if h(dims).Size() == 0 {
		return a.writeEmpty([]int{0, 0})
	}
	var data []byte
	for _, row := range rows {
		for j := range longest {
			unit := uint16(' ')
			if j < len(row) {
				unit = row[j]
			}
			data = binary.LittleEndian.AppendUint16(data, unit)
		}
	}
	x, err := npy.FromBytes(a.t, data, dims...)
	if err != nil {
		return err
	}
	return a.put(x.T().Contiguous(), a.attributes)
}
