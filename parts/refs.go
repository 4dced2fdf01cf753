package parts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// A Stored is an array whose elements are in a file as they are in an .npy file.
type Stored struct {
	URL    string        // of the file, or its path
	Header format.Header // DataOffset is where the elements begin in the file
}

// References are the references of kerchunk, version 1: JSON that says which bytes of other files are the chunks of Zarr
// arrays. Zarr readers in Python then read the arrays where they are:
//
//	zarr.open(fsspec.get_mapper("reference://", fo="refs.json"))
//
// The chunks of an array in Zarr have one shape. Along the axis whose elements are farthest apart in memory, which is the first
// in C order and the last in Fortran order, parts of any lengths are cut to chunks that divide them all. Along other axes all
// parts must be of one length.
type References struct {
	arrays []reference
}

// A reference is an array whose chunks follow each other along an axis.
type reference struct {
	name   string
	header format.Header // of the whole array
	chunk  []int         // the shape of a chunk
	axis   int
	files  []Stored
}

// maxChunks limits the chunks of an array: readers keep all references in memory.
const maxChunks = 1 << 20

// Add adds an array whose parts follow each other along an axis. A name becomes a path in a group; "" is for the only array. The dtype,
// the order and the shapes, except along the axis, must be equal.
func (r *References) Add(name string, axis int, files ...Stored) error {
	if len(files) == 0 {
		return diag.New("parts", "no files to refer to")
	}
	if len(r.arrays) > 0 && (name == "" || r.arrays[0].name == "") {
		return diag.New("parts", "an array without a name is the only one")
	}
	if !utf8.ValidString(name) || !utf8.ValidString(files[0].Header.DType.Descr()) {
		return diag.Errorf("parts", "a name in %q is not UTF-8, which JSON needs", name)
	}
	a := reference{name: name, header: files[0].Header, axis: axis}
	a.header.Shape = slices.Clone(a.header.Shape)
	ndim := len(a.header.Shape)
	if ndim > 0 || len(files) > 1 {
		if axis < -ndim || axis >= ndim {
			return diag.Errorf("parts", "axis %d is out of bounds for arrays of %d dimensions", axis, ndim)
		}
		a.axis = (axis + ndim) % ndim
	}
	if _, err := zarrType(a.header.DType); err != nil {
		return err
	}
	if err := a.join(files); err != nil {
		return err
	}
	r.arrays = append(r.arrays, a)
	return nil
}

// join sets the files, the shape of the whole and the shape of the chunks.
func (a *reference) join(files []Stored) error {
	m := Manifest{DType: a.header.DType, Shape: a.header.Shape, Axis: a.axis}
	for _, f := range files {
		if !utf8.ValidString(f.URL) {
			return &PartError{f.URL, errors.New("its name is not UTF-8, which JSON needs")}
		}
	}
	decided, step, total, same := false, 0, 0, true
	for _, f := range files {
		h := f.Header
		if len(files) > 1 {
			if err := m.checkJoin(h.DType, h.Shape); err != nil {
				return &PartError{f.URL, err}
			}
		}
		if h.Size() == 0 {
			continue
		}
		a.files = append(a.files, f)
		switch {
		case inBothOrders(h.Shape):
		case !decided:
			a.header.FortranOrder, decided = h.FortranOrder, true
		case h.FortranOrder != a.header.FortranOrder:
			return &PartError{f.URL, errors.New("it has another order in memory, C or Fortran, than the parts before it; 'npy convert --order' writes the same for all")}
		}
		if len(h.Shape) == 0 {
			continue
		}
		n := h.Shape[a.axis]
		if total > math.MaxInt-n {
			return diag.New("parts", "the axis is too long")
		}
		same = same && (step == 0 || n == step)
		step, total = gcd(step, n), total+n
	}
	if a.chunk = slices.Clone(a.header.Shape); len(a.chunk) == 0 {
		return nil
	}
	a.header.Shape[a.axis], a.chunk[a.axis] = total, max(step, 1)
	outer := 0
	if a.header.FortranOrder {
		outer = len(a.chunk) - 1
	}
	if !same && a.axis != outer && !alone(a.chunk, a.axis) {
		return diag.Errorf("parts", "the parts have different lengths along axis %d; Zarr needs equal ones there, but not along axis %d", a.axis, outer)
	}
	if step > 0 && total/step > maxChunks {
		return diag.Wrap("parts", bounded.Over("", maxChunks, total/step, "the lengths of the parts have so small a common divisor, %d, that there are %d chunks, and at most %d are written", step, total/step, maxChunks))
	}
	for i, n := range a.chunk {
		a.chunk[i] = max(n, 1)
	}
	return nil
}

// inBothOrders reports whether C and Fortran order are the same for a shape.
func inBothOrders(shape []int) bool {
	long := 0
	for _, n := range shape {
		if n > 1 {
			long++
		}
	}
	return long <= 1
}

// alone reports whether all other dimensions than the axis are 1.
func alone(shape []int, axis int) bool {
	for i, n := range shape {
		if i != axis && n > 1 {
			return false
		}
	}
	return true
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// MarshalJSON returns the references as JSON.
func (r References) MarshalJSON() ([]byte, error) { return r.Append(nil) }

// Append appends the references as JSON, with a line for each, to dst.
func (r References) Append(dst []byte) ([]byte, error) {
	if len(r.arrays) == 0 {
		return dst, diag.New("parts", "no arrays to refer to")
	}
	dst = append(dst, "{\n\"version\": 1,\n\"refs\": {"...)
	if r.arrays[0].name != "" {
		dst = append(dst, "\n\".zgroup\": \"{\\\"zarr_format\\\": 2}\","...)
	}
	for i, a := range r.arrays {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = a.append(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, "\n}\n}\n"...), nil
}

// append appends the metadata of the array and its chunks.
func (a reference) append(dst []byte) ([]byte, error) {
	dtype, err := zarrType(a.header.DType)
	if err != nil {
		return dst, err
	}
	order := "C"
	if a.header.FortranOrder {
		order = "F"
	}
	meta := append([]byte(`{"zarr_format": 2, "shape": `), appendShape(nil, a.header.Shape)...)
	meta = append(append(meta, `, "chunks": `...), appendShape(nil, a.chunk)...)
	meta = fmt.Appendf(meta, `, "dtype": %s, "order": %q, "compressor": null, "filters": null, "fill_value": null}`, dtype, order)
	prefix := ""
	if a.name != "" {
		prefix = a.name + "/"
	}
	dst = append(dst, '\n')
	dst = appendText(dst, prefix+".zarray")
	dst = append(dst, ": "...)
	dst = appendText(dst, string(meta))
	at := 0 // of the next chunk
	size := format.Header{DType: a.header.DType, Shape: a.chunk}.NBytes()
	for _, f := range a.files {
		n := 1
		if len(a.chunk) > 0 {
			n = f.Header.Shape[a.axis] / a.chunk[a.axis]
		}
		for i := range n {
			dst = append(dst, ",\n"...)
			dst = appendText(dst, prefix+a.key(at))
			dst = append(dst, ": ["...)
			dst = appendText(dst, f.URL)
			dst = fmt.Appendf(dst, ", %d, %d]", f.Header.DataOffset+int64(i)*size, size)
			at++
		}
	}
	return dst, nil
}

// key returns the name of chunk i along the axis: "0.3.0".
func (a reference) key(i int) string {
	if len(a.chunk) == 0 {
		return "0"
	}
	numbers := slices.Repeat([]string{"0"}, len(a.chunk))
	numbers[a.axis] = strconv.Itoa(i)
	return strings.Join(numbers, ".")
}

// zarrType returns a dtype as the JSON of Zarr, version 2.
func zarrType(t dtype.Type) (string, error) {
	switch {
	case t.HasObject():
		return "", diag.Errorf("parts", "dtype %s holds Python objects, which a file has as a pickle and Zarr cannot refer to", t)
	case !t.IsStruct():
		return string(appendText(nil, t.Descr())), nil
	}
	var fields []string
	end := 0
	for _, f := range t.Fields() {
		if f.Offset != end {
			return "", diag.Errorf("parts", "dtype %s has a gap before field %q, which Zarr cannot express; 'npy fields' writes it without", t, f.Name)
		}
		end += f.DType.ItemSize()
		elem, shape := f.DType, []int(nil)
		for elem.IsSubarray() {
			shape = append(shape, elem.SubShape()...)
			elem = elem.Elem()
		}
		text, err := zarrType(elem)
		if err != nil {
			return "", err
		}
		field := append(appendText([]byte("["), f.Name), ", "+text...)
		if shape != nil {
			field = append(append(field, ", "...), appendShape(nil, shape)...)
		}
		fields = append(fields, string(field)+"]")
	}
	if end != t.ItemSize() {
		return "", diag.Errorf("parts", "dtype %s has a gap after its fields, which Zarr cannot express; 'npy fields' writes it without", t)
	}
	return "[" + strings.Join(fields, ", ") + "]", nil
}
