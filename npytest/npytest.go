// Package npytest checks readers and writers of arrays against files that NumPy wrote. The module's own packages use it
// for their tests. Converters to other formats can use it too: an array must come back from them as NumPy wrote it.
//
//	vectors, err := npytest.Vectors("testdata/numpy-2.3.5")
//	for _, v := range vectors {
//		a, err := npy.ReadFile(v.Path)
//		if err := v.Check(a); err != nil { … }
//	}
package npytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A Vector is one file of a folder that testdata/gen.py made, and its contents according to NumPy.
type Vector struct {
	Path  string // of the file
	NumPy string // the version that wrote it

	DType        dtype.Type // of the elements as the file has them
	Shape        []int      // empty for an array without dimensions; not to be changed
	FortranOrder bool       // as the header says: both orders fit arrays of one dimension
	Size         int64      // of the file in bytes
	SHA256       string     // of the file, in hexadecimal

	// MLDType is the type of ml_dtypes that was written, such as bfloat16, and invalid for all others. The file does
	// not name it: DType is void.
	MLDType dtype.Type

	values  []any // elements in C order in the neutral form of gen.py; nil if the manifest leaves them out
	numbers []any // the elements as floats, if MLDType is valid
}

// entry is a vector in manifest.json.
type entry struct {
	Descr        json.RawMessage
	Shape        []int
	FortranOrder bool `json:"fortran_order"`
	Size         int64
	SHA256       string
	Values       []any
	MLDType      string `json:"ml_dtype"`
	Numbers      []any
	Members      map[string]entry // of an archive
}

// An Archive is one .npz file of a folder that testdata/gen.py made.
type Archive struct {
	Path    string            // of the file
	NumPy   string            // the version that wrote it
	Members map[string]Vector // by their names in NumPy, without .npy; their Path is "archive:name"
}

// manifest is manifest.json.
type manifest struct {
	NumPy string
	Files map[string]entry
}

func readManifest(dir string) (m manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return m, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // 64-bit integers are among the values
	return m, d.Decode(&m)
}

// vector makes a Vector from an entry.
func (m manifest) vector(path string, e entry) (Vector, error) {
	t, err := parseDescr(e.Descr)
	if err != nil {
		return Vector{}, fmt.Errorf("%s: %w", path, err)
	}
	var ml dtype.Type
	if e.MLDType != "" {
		if ml, err = dtype.Parse(e.MLDType); err != nil {
			return Vector{}, fmt.Errorf("%s: %w", path, err)
		}
		ml = ml.WithByteOrder(dtype.LittleEndian) // in the byte order of the machine that wrote it
	}
	return Vector{
		Path: path, NumPy: m.NumPy, DType: t, Shape: e.Shape, FortranOrder: e.FortranOrder, Size: e.Size, SHA256: e.SHA256,
		MLDType: ml, values: e.Values, numbers: e.Numbers,
	}, nil
}

// Vectors reads the manifest of a folder and returns its .npy files, sorted by name.
func Vectors(dir string) ([]Vector, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	var vectors []Vector
	for name, e := range m.Files {
		if e.Members != nil {
			continue
		}
		v, err := m.vector(filepath.Join(dir, name), e)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, v)
	}
	slices.SortFunc(vectors, func(a, b Vector) int { return strings.Compare(a.Path, b.Path) })
	return vectors, nil
}

// Archives reads the manifest of a folder and returns its .npz files, sorted by name.
func Archives(dir string) ([]Archive, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	var archives []Archive
	for name, e := range m.Files {
		if e.Members == nil {
			continue
		}
		a := Archive{filepath.Join(dir, name), m.NumPy, map[string]Vector{}}
		for member, e := range e.Members {
			if a.Members[member], err = m.vector(a.Path+":"+member, e); err != nil {
				return nil, err
			}
		}
		archives = append(archives, a)
	}
	slices.SortFunc(archives, func(a, b Archive) int { return strings.Compare(a.Path, b.Path) })
	return archives, nil
}

// parseDescr reads a descr from JSON, which has lists for its tuples.
func parseDescr(raw json.RawMessage) (dtype.Type, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return dtype.Type{}, err
	}
	return dtype.ParseDescr(descrLiteral(v))
}

// descrLiteral writes a descr as Python: a string, a list of fields, or a tuple of a descr and a shape.
func descrLiteral(v any) string {
	list, ok := v.([]any)
	if !ok {
		return jsonText(v)
	}
	if len(list) == 2 && isShape(list[1]) {
		return "(" + descrLiteral(list[0]) + ", " + jsonText(list[1]) + ")"
	}
	text := "["
	for _, field := range list {
		parts := field.([]any)
		name := jsonText(parts[0])
		if _, titled := parts[0].([]any); titled {
			name = "(" + name[1:len(name)-1] + ")"
		}
		text += "(" + name + ", " + descrLiteral(parts[1])
		if len(parts) > 2 {
			text += ", " + jsonText(parts[2])
		}
		text += "), "
	}
	return text + "]"
}

// isShape reports whether v is a list of numbers.
func isShape(v any) bool {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	_, ok = list[0].(float64)
	return ok
}

// jsonText returns strings, numbers and lists of them as JSON, which are Python literals too.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// HasObject reports whether the file holds Python objects.
func (v Vector) HasObject() bool { return v.DType.HasObject() }

// Check compares an array with NumPy's contents of the file: dtype, shape, and the value of every element. The error
// names the first difference.
func (v Vector) Check(a *npy.Array) error {
	if !a.DType().Equal(v.DType) {
		return fmt.Errorf("%s: dtype is %s, NumPy has %s", v.Path, a.DType(), v.DType)
	}
	if !slices.Equal(a.Shape(), v.Shape) {
		return fmt.Errorf("%s: shape is %v, NumPy has %v", v.Path, a.Shape(), v.Shape)
	}
	if a.Size() != len(v.values) {
		return fmt.Errorf("%s: %d elements, NumPy has %d", v.Path, a.Size(), len(v.values))
	}
	i := 0
	for index := range indices(a.Shape()) {
		if err := checkItem(a.DType(), a.Item(index...), v.values[i]); err != nil {
			return fmt.Errorf("%s: element %v: %w", v.Path, index, err)
		}
		if v.MLDType.IsValid() {
			if err := checkItem(v.MLDType, a.Item(index...), v.numbers[i]); err != nil {
				return fmt.Errorf("%s: element %v as %s: %w", v.Path, index, v.MLDType.Name(), err)
			}
		}
		i++
	}
	return nil
}

// indices yields the indices of a shape in C order. The slice is reused.
func indices(shape []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		if slices.Contains(shape, 0) {
			return
		}
		index := make([]int, len(shape))
		for {
			if !yield(index) {
				return
			}
			axis := len(shape) - 1
			for ; axis >= 0; axis-- {
				if index[axis]++; index[axis] < shape[axis] {
					break
				}
				index[axis] = 0
			}
			if axis < 0 {
				return
			}
		}
	}
}
