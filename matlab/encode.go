package matlab

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// A class says how arrays of a dtype are written.
type class struct {
	class, flags byte
	typ          uint32     // of the stored numbers
	part         dtype.Type // their dtype
}

// classOf returns the class for a dtype of numbers.
func classOf(t dtype.Type) (class, error) {
	little := func(t dtype.Type) dtype.Type { return t.WithByteOrder(dtype.LittleEndian) }
	switch size := t.ItemSize(); {
	case t.IsStruct() || t.IsSubarray():
	case t.Kind() == dtype.KindBool:
		return class{classUint8, flagLogical, miUint8, dtype.Uint8}, nil
	case t.Kind() == dtype.KindInt || t.Kind() == dtype.KindUint || t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta:
		ints := map[int]class{1: {classInt8, 0, miInt8, dtype.Int8}, 2: {classInt16, 0, miInt16, dtype.Int16}, 4: {classInt32, 0, miInt32, dtype.Int32}, 8: {classInt64, 0, miInt64, dtype.Int64}}
		if t.Kind() == dtype.KindUint {
			ints = map[int]class{1: {classUint8, 0, miUint8, dtype.Uint8}, 2: {classUint16, 0, miUint16, dtype.Uint16}, 4: {classUint32, 0, miUint32, dtype.Uint32}, 8: {classUint64, 0, miUint64, dtype.Uint64}}
		}
		if c, ok := ints[size]; ok {
			c.part = little(c.part)
			return c, nil
		}
	case t.Kind() == dtype.KindFloat && size <= 4:
		return class{classSingle, 0, miSingle, little(dtype.Float32)}, nil
	case t.Kind() == dtype.KindFloat && size == 8:
		return class{classDouble, 0, miDouble, little(dtype.Float64)}, nil
	case t.Kind() == dtype.KindComplex && size == 8:
		return class{classSingle, flagComplex, miSingle, little(dtype.Float32)}, nil
	case t.Kind() == dtype.KindComplex && size == 16:
		return class{classDouble, flagComplex, miDouble, little(dtype.Float64)}, nil
	}
	hint := "cast it to float64"
	if t.IsStruct() {
		hint = "write its fields as arrays"
	}
	return class{}, diag.Wrap("matlab", unsupported("dtype %s has no MATLAB class; %s", t.Name(), hint))
}

// dimsOf returns the shape of an array in MATLAB, which has at least two dimensions: a vector is a row, as with
// oned_as='row' of scipy.io.savemat.
func dimsOf(shape []int) []int {
	switch len(shape) {
	case 0:
		return []int{1, 1}
	case 1:
		return []int{1, shape[0]}
	}
	return append([]int{}, shape...)
}

// maxBytes is the size from which MATLAB needs version 7.3.
const maxBytes = 1<<31 - 1

// checkSize returns an error if an array is too large for the format.
func checkSize(dims []int, size int) error {
	n, ok := bounded.Count(dims, size)
	if !ok || int64(n)*int64(size) > maxBytes {
		return diag.Wrap("matlab", bounded.Over("", int64(maxBytes), 0, "an array of shape %s and %d bytes for each element is over 2 GiB, which only version 7.3 (HDF5) holds", format.ShapeString(dims), size))
	}
	for i, n := range dims {
		if int64(n) > math.MaxInt32 {
			return diag.Wrap("matlab", bounded.Over("", int64(math.MaxInt32), int64(n), "dimension %d is %d; MAT-files have at most 2147483647", i, n))
		}
	}
	return nil
}

// padded returns the bytes of an element with its tag and padding.
func padded(n int64) int64 {
	if n <= 4 {
		return 8
	}
	return 8 + (n+7)&^7
}

// appendTag appends the tag of an element of n bytes, and reports whether the data follows in the tag itself.
func appendTag(dst []byte, typ uint32, n int64) []byte {
	if n <= 4 {
		return binary.LittleEndian.AppendUint32(dst, typ|uint32(n)<<16)
	}
	dst = binary.LittleEndian.AppendUint32(dst, typ)
	return binary.LittleEndian.AppendUint32(dst, uint32(n))
}

// padding returns the bytes after the data of an element.
func padding(n int64) []byte {
	if n <= 4 {
		return make([]byte, 4-n)
	}
	return make([]byte, -n&7)
}

func appendElement(dst []byte, typ uint32, data []byte) []byte {
	dst = append(appendTag(dst, typ, int64(len(data))), data...)
	return append(dst, padding(int64(len(data)))...)
}

// appendHead appends the start of an array: its tag, flags, dimensions and name. rest is the number of bytes after it.
func appendHead(dst []byte, name string, c class, nzmax int, dims []int, rest int64) ([]byte, error) {
	flags := binary.LittleEndian.AppendUint32(nil, uint32(c.class)|uint32(c.flags)<<8)
	body := appendElement(nil, miUint32, binary.LittleEndian.AppendUint32(flags, uint32(nzmax)))
	var shape []byte
	for _, n := range dims {
		shape = binary.LittleEndian.AppendUint32(shape, uint32(n))
	}
	body = appendElement(body, miInt32, shape)
	body = appendElement(body, miInt8, []byte(name))
	n := int64(len(body)) + rest
	if n > math.MaxUint32 {
		return nil, diag.At("matlab", name, bounded.Over("", int64(math.MaxUint32), n, "a variable of %d bytes; only version 7.3 (HDF5) holds more than 4 GiB", n))
	}
	dst = binary.LittleEndian.AppendUint32(dst, miMatrix)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	return append(dst, body...), nil
}

// partsOf returns the parts of numbers of an array: one, or two of complex numbers.
func partsOf(src npy.Source, c class) ([]npy.Source, error) {
	if c.flags&flagComplex == 0 {
		s, err := npy.Cast(src, c.part, npy.UnsafeCasting)
		return []npy.Source{s}, err
	}
	t := dtype.Complex128
	size := c.part.ItemSize()
	if size == 4 {
		t = dtype.Complex64
	}
	src, err := npy.Cast(src, t.WithByteOrder(dtype.LittleEndian), npy.UnsafeCasting)
	if err != nil {
		return nil, err
	}
	half := func(at int) (npy.Source, error) {
		return npy.Computed(c.part, func(_ context.Context, dst []byte, src [][]byte, n int) error {
			for i := range n {
				copy(dst[i*size:(i+1)*size], src[0][2*i*size+at:])
			}
			return nil
		}, src)
	}
	re, err := half(0)
	if err != nil {
		return nil, err
	}
	im, err := half(size)
	return []npy.Source{re, im}, err
}

// numericSize returns the bytes of the parts of an array, with their tags.
func numericSize(c class, count int) int64 {
	n := padded(int64(count) * int64(c.part.ItemSize()))
	if c.flags&flagComplex != 0 {
		n *= 2
	}
	return n
}

// writeNumbers writes an array of numbers in Fortran order.
func writeNumbers(ctx context.Context, w io.Writer, name string, c class, dims []int, src npy.Source) error {
	count, _ := bounded.Count(dims, 1) // checkSize has checked it
	head, err := appendHead(nil, name, c, 0, dims, numericSize(c, count))
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	return writeParts(ctx, w, c, count, src)
}

// writeParts writes the parts of count numbers.
func writeParts(ctx context.Context, w io.Writer, c class, count int, src npy.Source) error {
	parts, err := partsOf(src, c)
	if err != nil {
		return err
	}
	for _, p := range parts {
		n := int64(count) * int64(c.part.ItemSize())
		if _, err := w.Write(appendTag(nil, c.typ, n)); err != nil {
			return err
		}
		if err := (npy.Copier{Order: npy.FortranOrder}).WriteData(ctx, w, p); err != nil {
			return err
		}
		if _, err := w.Write(padding(n)); err != nil {
			return err
		}
	}
	return nil
}

var errMissing = errors.New("the array has ended before its last element")

// maxNameLength is MATLAB's namelengthmax.
const maxNameLength = 63

// validName returns the name that MATLAB allows for a variable or field, matlab.lang.makeValidName.
func validName(name string) string {
	valid := strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if valid == "" || valid[0] == '_' || '0' <= valid[0] && valid[0] <= '9' {
		valid = "x" + valid
	}
	return valid[:min(len(valid), maxNameLength)]
}

// objectTexts returns the elements of an array of Python objects, which must be texts. Null references are empty texts.
func objectTexts(a *npy.Array, m *container.Meaning) ([]string, error) {
	objects, err := a.Objects()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, o := range objects {
		text, ok := o.(string)
		if !ok && !(o == nil && m != nil && m.Reference != "") {
			return nil, unsupported("a Python object of type %T has no MATLAB class", o)
		}
		all = append(all, text)
	}
	return all, nil
}

// onlyTexts returns an array of Python objects with texts in place of null references, or the error of the first object that is
// no text.
func onlyTexts(a *npy.Array, m *container.Meaning) (*npy.Array, error) {
	all, err := objectTexts(a, m)
	if err != nil {
		return nil, err
	}
	objects := make([]any, len(all))
	for i, text := range all {
		objects[i] = text
	}
	return npy.FromObjects(objects, a.Shape()...)
}

// pathError adds the path of an entry to an error.
func pathError(path string, err error) error {
	if err == nil {
		return nil
	}
	return diag.At("matlab", path, err)
}
