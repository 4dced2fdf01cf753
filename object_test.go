package npy_test

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// sixObjects returns a (2, 3) array of six objects.
func sixObjects() *npy.Array {
	return must(npy.FromObjects([]any{int64(1), "a", nil, 2.5, true, []byte("b")}, 2, 3))
}

// Views share the objects. Copies have numbers of their own for the same objects.
func TestObjectViews(t *testing.T) {
	a := sixObjects()
	column := must(a.Slice(npy.All(), npy.At(1)))
	if got := must(column.Objects()); !slices.Equal(got, []any{"a", true}) {
		t.Errorf("a[:, 1] is %v", got)
	}
	for name, c := range map[string]*npy.Array{
		"Clone": column.Clone(), "Fortran": a.Fortran(), "Reshape": must(a.T().Reshape(6)), "AsType": must(a.AsType(dtype.Object)),
	} {
		before := must(a.Objects())
		first := make([]int, c.NDim())
		c.SetObject("changed", first...)
		if after := must(a.Objects()); after[0] != before[0] || after[1] != before[1] || c.Object(first...) != "changed" {
			t.Errorf("%s shares its elements: %v", name, after)
		}
	}
	a.T().SetObject("new", 1, 1)
	column.SetObject(nil, 0)
	if a.Object(1, 1) != "new" || a.Object(0, 1) != nil {
		t.Errorf("views do not share: %v", must(a.Objects()))
	}
}

func TestObjectFields(t *testing.T) {
	a := must(npy.NewObjects(parse("[('i','<i4'),('o','O'),('s',[('p','O',(2,))])]"), 2))
	must(a.Field("o")).SetObject("x", 1)
	must(must(a.Field("s")).Field("p")).SetObject("y", 1, 0)
	c := a.Clone()
	must(c.Field("o")).SetObject("z", 1)
	if got := must(must(a.Field("o")).Objects()); !slices.Equal(got, []any{nil, "x"}) {
		t.Errorf("field o is %v", got)
	}
	if got := must(must(must(c.Field("s")).Field("p")).Objects()); !slices.Equal(got, []any{nil, nil, "y", nil}) {
		t.Errorf("subarray of the copy is %v", got)
	}
	want := "i     o  s.p\n0  None  [None None]\n0   'x'  ['y' None]"
	if got := a.String(); got != want {
		t.Errorf("printed as\n%s\nwant\n%s", got, want)
	}
}

// The numbers of elements are never visible as bytes.
func TestObjectsAreNoBytes(t *testing.T) {
	a := sixObjects()
	if b, ok := a.ViewBytes(); ok {
		t.Errorf("ViewBytes gives % x", b)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Bytes gives some")
			}
		}()
		a.Bytes()
	}()
	var buf bytes.Buffer
	if err := npy.Write(&buf, a); !errors.Is(err, npy.ErrObjects) || buf.Len() > 0 {
		t.Errorf("Write writes %d bytes, %v", buf.Len(), err)
	}
	if err := npy.WriteFile(filepath.Join(t.TempDir(), "a.npy"), a); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("WriteFile: %v", err)
	}
	if _, err := a.AsType(dtype.Float64); err == nil {
		t.Error("AsType makes numbers of them")
	}
}

func TestObjectsAs(t *testing.T) {
	ints := must(npy.FromObjects([]any{int64(1), big.NewInt(2), uint8(3)}))
	if v, err := npy.As[int8](ints); err != nil || !slices.Equal(v.ToSlice(), []int8{1, 2, 3}) {
		t.Errorf("As[int8] gives %v, %v", v, err)
	}
	if v, err := npy.As[float64](ints); err != nil || !slices.Equal(v.ToSlice(), []float64{1, 2, 3}) {
		t.Errorf("As[float64] gives %v, %v", v, err)
	}
	if v, err := npy.As[complex128](ints); err != nil || v.At(2) != 3 {
		t.Errorf("As[complex128] gives %v, %v", v, err)
	}
	one := func(v any) *npy.Array { return must(npy.FromObjects([]any{int64(0), v}, 1, 2)) }
	for _, tt := range []struct {
		name string
		as   func() error
		want string
	}{
		{"too large", func() error { _, err := npy.As[int8](one(int64(128))); return err }, "element (0, 1) is 128"},
		{"negative", func() error { _, err := npy.As[uint64](one(int64(-1))); return err }, "is -1"},
		{"inexact", func() error { _, err := npy.As[float64](one(int64(1<<53 + 1))); return err }, "is 9007199254740993"},
		{"huge", func() error { _, err := npy.As[float64](one(new(big.Int).Lsh(big.NewInt(1), 70))); return err }, "is 1180591620717411303424"},
		{"float for an int", func() error { _, err := npy.As[int64](one(2.0)); return err }, "is 2.0"},
		{"bool for an int", func() error { _, err := npy.As[int64](one(true)); return err }, "is True"},
		{"inexact float32", func() error { _, err := npy.As[float32](one(0.1)); return err }, "is 0.1"},
		{"text", func() error { _, err := npy.As[int64](one("5")); return err }, "is a string"},
		{"None", func() error { _, err := npy.As[int64](one(nil)); return err }, "is None"},
	} {
		var e *npy.TypeError
		if err := tt.as(); !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestObjectErrors(t *testing.T) {
	for name, err := range map[string]error{
		"2 elements given for shape (3,), which has 3": errorOf(npy.FromObjects([]any{1, 2}, 3)),
		"negative dimension":                           errorOf(npy.FromObjects(nil, -1)),
		"has no objects: use New":                      errorOf(npy.NewObjects(dtype.Int8, 1)),
		"larger than memory":                           errorOf(npy.NewObjects(dtype.Object, 1<<30, 1<<30, 1<<30)),
		"are no objects":                               errorOf(must(npy.New(dtype.Int8, 1)).Objects()),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want %s", err, name)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// lineDecoder reads a line as the text of all elements.
type lineDecoder struct{}

func (lineDecoder) DecodeObjects(r io.Reader, h format.Header) (*npy.Array, error) {
	var line []byte
	for b := make([]byte, 1); ; line = append(line, b[0]) {
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		if b[0] == '\n' {
			break
		}
	}
	values := make([]any, h.Size())
	for i := range values {
		values[i] = string(line)
	}
	return must(npy.FromObjects(values, h.Shape...)).WithOrigin("a line"), nil
}

// An origin belongs to the array, not to arrays made from it. Load and LoadFrom take objects of one type.
func TestObjectDecoder(t *testing.T) {
	file := string(must(format.Header{DType: dtype.Object, Shape: []int{2}}.Append(nil))) + "text\nrest"
	d := npy.Decoder{Objects: lineDecoder{}}
	r := strings.NewReader(file)
	a := must(d.Read(r))
	if a.Origin() != "a line" || a.T().Origin() != nil || a.Clone().Origin() != nil || must(a.Slice()).Origin() != nil {
		t.Errorf("origins are %v, %v, %v", a.Origin(), a.T().Origin(), a.Clone().Origin())
	}
	if r.Len() != len("rest") {
		t.Errorf("%d bytes are left", r.Len())
	}
	data, shape, err := npy.Loader[string](d).LoadFrom(strings.NewReader(file))
	if err != nil || !slices.Equal(data, []string{"text", "text"}) || !slices.Equal(shape, []int{2}) {
		t.Errorf("LoadFrom gives %q, %v, %v", data, shape, err)
	}
	d.MaxBytes = 4
	if _, err := d.Read(strings.NewReader(file)); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("over MaxBytes: %v", err)
	}
}
