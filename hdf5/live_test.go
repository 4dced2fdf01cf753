package hdf5_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/npz"
)

// An object is a group or dataset as h5py reads it; testdata/live/values.py writes them.
type object struct {
	Path, Kind string
	Value      *seen
	Attrs      map[string]seen
	Links      []string // of the root: the paths of all links
}

// seen is a dataset or attribute as h5py reads it.
type seen struct {
	Error string
	Empty bool
	Shape []int
	Array string // the member with the values, if they have no Python objects
	Items []any  // the values, if they have
}

// readSeen reads the values that values.py has written beside a file.
func readSeen(t *testing.T, path string) ([]object, *npz.Reader) {
	t.Helper()
	z, err := npz.Open(path + ".npz")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	text, err := z.Array("index")
	if err != nil {
		t.Fatal(err)
	}
	var objects []object
	if err := json.Unmarshal(text.Bytes(), &objects); err != nil {
		t.Fatal(err)
	}
	return objects, z
}

// refused are the reasons for which a file that h5py reads may be refused.
var refused = []string{"lzo", "blosc2", "virtual", "external"}

// checkBeside compares the contents of a file with h5py's view of it.
func checkBeside(t *testing.T, random *rand.Rand, path string) {
	t.Helper()
	r, err := hdf5.Open(path)
	if err != nil {
		t.Errorf("%s: %v", filepath.Base(path), err)
		return
	}
	defer r.Close()
	objects, z := readSeen(t, path)
	listed := map[string]container.Entry{}
	for e := range r.Entries() {
		listed[e.Path] = e
	}
	for _, link := range objects[0].Links {
		if _, ok := listed[link]; !ok {
			t.Errorf("%s: %q is not listed", filepath.Base(path), link)
		}
	}
	for _, o := range objects {
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s: %s %q: %s", filepath.Base(path), o.Kind, o.Path, fmt.Sprintf(format, args...))
		}
		if e, ok := listed[o.Path]; !ok && o.Path != "" && o.Kind != "Datatype" {
			fail("it is not listed")
		} else if e.Group != (o.Kind == "Group") && o.Path != "" && o.Kind != "Datatype" {
			fail("its entry is %+v", e)
		}
		if o.Value != nil {
			a, err := readAll(r, o.Path)
			if err := o.Value.check(z, a, err); err != nil {
				fail("%v", err)
			} else if a != nil {
				checkParts(t, random, r, o.Path, a)
			}
		}
		if o.Kind == "Datatype" {
			continue
		}
		attributes, err := r.Attributes(o.Path)
		if err != nil {
			fail("attributes: %v", err)
			continue
		}
		hidden := hiddenAttributes(listed[o.Path])
		for name := range o.Attrs {
			if isHidden := slices.Contains(hidden, name); isHidden == slices.ContainsFunc(attributes, func(a container.Attribute) bool { return a.Name == name }) {
				fail("attribute %q, which the fields of the entry have: %v", name, isHidden)
			}
		}
		for _, a := range attributes {
			want, ok := o.Attrs[a.Name]
			if !ok {
				fail("h5py has no attribute %q", a.Name)
			} else if err := want.check(z, a.Value, a.Err); err != nil {
				fail("attribute %q: %v", a.Name, err)
			}
		}
	}
}

// hiddenAttributes returns the attributes that the fields of an entry stand for.
func hiddenAttributes(e container.Entry) (names []string) {
	if e.IsScale {
		names = append(names, "CLASS", "NAME", "REFERENCE_LIST")
	}
	if e.Scales != nil {
		names = append(names, "DIMENSION_LIST")
	}
	if e.Labels != nil {
		names = append(names, "DIMENSION_LABELS")
	}
	return names
}

func readAll(r *hdf5.Reader, path string) (*npy.Array, error) {
	src, err := r.Source(path)
	if err != nil {
		return nil, err
	}
	return src.ReadAll(context.Background())
}

// check compares an array, or the error of reading it, with h5py's result.
func (s seen) check(z *npz.Reader, a *npy.Array, err error) error {
	switch {
	case s.Error != "":
		return nil // other programs may read more than h5py
	case s.Empty:
		if err == nil && a.Size() > 0 {
			return fmt.Errorf("shape %v for no array", a.Shape())
		}
		return nil
	case err != nil:
		for _, word := range refused {
			if errors.Is(err, errors.ErrUnsupported) && strings.Contains(err.Error(), word) {
				return nil
			}
		}
		return err
	case !slices.Equal(s.Shape, a.Shape()):
		return fmt.Errorf("shape %v, want %v", a.Shape(), s.Shape)
	case s.Array != "":
		want, err := z.Array(s.Array)
		if err != nil {
			return err
		}
		return sameArrays(a, want)
	}
	got, want := nested(a), s.Items
	if !reflect.DeepEqual(got, want) {
		for i := range want {
			if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
				return fmt.Errorf("item %d of %s is %.300v, want %.300v", i, a.DType(), got[min(i, len(got)-1)], want[i])
			}
		}
		return fmt.Errorf("items %.300v, want %.300v", got, want)
	}
	return nil
}

// sameArrays compares bytes of plain elements, and values of others.
func sameArrays(a, want *npy.Array) error {
	if a.DType().Descr() == want.DType().Descr() && len(a.DType().Fields()) == 0 && !strings.Contains(want.DType().Descr(), "f16") && !strings.Contains(want.DType().Descr(), "c32") {
		if !bytes.Equal(a.Contiguous().Bytes(), want.Contiguous().Bytes()) {
			return fmt.Errorf("values %.200s, want %.200s", a, want)
		}
		return nil
	}
	if !same(a.DType(), want.DType()) {
		return fmt.Errorf("dtype %s, want %s", a.DType(), want.DType())
	}
	res, err := diff.Compare(context.Background(), a, want, diff.Options{})
	if err != nil {
		return err
	}
	if !res.Equal() {
		return fmt.Errorf("values %.200s, want %.200s", a, want)
	}
	return nil
}

// same reports whether two dtypes have the same fields of the same types, wherever these are.
func same(a, b dtype.Type) bool {
	if len(a.Fields()) != len(b.Fields()) {
		return false
	}
	for i, f := range a.Fields() {
		if g := b.Fields()[i]; f.Name != g.Name || !same(f.DType, g.DType) {
			return false
		}
	}
	if len(a.Fields()) > 0 {
		return true
	}
	return a.Equal(b)
}

// nested returns the elements of an array with Python objects as values.py writes them.
func nested(a *npy.Array) []any {
	items := []any{}
	for i := range a.Size() {
		index := nd.Unravel(int64(i), a.Shape())
		items = append(items, item(a, index))
	}
	return items
}

func item(a *npy.Array, index []int) any {
	t := a.DType()
	if fields := t.Fields(); len(fields) > 0 {
		values := []any{}
		for _, f := range fields {
			column, err := a.Field(f.Name)
			if err != nil {
				return err.Error()
			}
			if len(column.Shape()) > len(index) && (f.DType.HasObject()) {
				values = append(values, err)
				continue
			}
			if n := len(column.Shape()) - len(index); n > 0 {
				part := append([]npy.Index(nil), at(index)...)
				sub, err := column.Slice(part...)
				if err != nil {
					return err.Error()
				}
				values = append(values, plainItem(sub.DType(), sub.Contiguous().Bytes()))
				continue
			}
			values = append(values, item(column, index))
		}
		return map[string]any{"fields": values}
	}
	if !t.HasObject() {
		return plainItem(t, a.Item(index...))
	}
	return asObject(a.Object(index...))
}

// at returns an index of single positions.
func at(index []int) []npy.Index {
	var list []npy.Index
	for _, i := range index {
		list = append(list, npy.At(i))
	}
	return list
}

// plainItem leaves out the byte order: h5py takes sequences of the other order for native ones.
func plainItem(t dtype.Type, b []byte) any {
	return map[string]any{"dtype": strings.Trim(t.Descr(), "'<>|"), "hex": hex.EncodeToString(b)}
}

// asObject returns an element of dtype |O.
func asObject(v any) any {
	switch v := v.(type) {
	case *npy.Array:
		if v.DType().HasObject() || len(v.DType().Fields()) > 0 {
			return nested(v)
		}
		return plainItem(v.DType(), v.Contiguous().Bytes())
	case []byte:
		return map[string]any{"bytes": hex.EncodeToString(v)}
	}
	return v
}

// checkParts compares random parts of a dataset, as a whole and by blocks, with parts of the whole.
func checkParts(t *testing.T, random *rand.Rand, r *hdf5.Reader, path string, whole *npy.Array) {
	t.Helper()
	if whole.NDim() == 0 || whole.Size() == 0 {
		return
	}
	src, err := r.Source(path)
	if err != nil {
		t.Error(err)
		return
	}
	for range 3 {
		text := randomIndex(random, whole.Shape())
		index, err := npy.ParseIndex(text)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := whole.Slice(index...)
		part, err := src.Select(index...)
		if wantErr != nil {
			if err == nil {
				t.Errorf("%s[%s]: no error, want %v", path, text, wantErr)
			}
			continue
		}
		var got *npy.Array
		if err == nil {
			got, err = part.ReadAll(context.Background())
		}
		if err == nil {
			err = sameParts(got, want)
		}
		if err == nil {
			err = sameBlocks(part, want, int64(1+random.IntN(3000)))
		}
		if err != nil {
			t.Errorf("%s[%s]: %v", path, text, err)
		}
	}
}

func sameParts(got, want *npy.Array) error {
	if !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Errorf("shape %v, want %v", got.Shape(), want.Shape())
	}
	if want.DType().HasObject() {
		if g, w := nested(got), nested(want); !reflect.DeepEqual(g, w) {
			return fmt.Errorf("%.200v, want %.200v", g, w)
		}
		return nil
	}
	if !bytes.Equal(got.Contiguous().Bytes(), want.Contiguous().Bytes()) {
		return fmt.Errorf("values %.200s, want %.200s", got, want)
	}
	return nil
}

// sameBlocks compares the concatenated blocks of a Source, of at most some bytes each.
func sameBlocks(src npy.Source, want *npy.Array, most int64) error {
	var got []byte
	var objects []any
	for block, err := range src.Blocks(context.Background(), most) {
		if err != nil {
			return err
		}
		if want.DType().HasObject() {
			objects = append(objects, nested(block)...)
		} else {
			got = append(got, block.Contiguous().Bytes()...)
		}
	}
	if want.DType().HasObject() {
		if w := nested(want); len(w)+len(objects) > 0 && !reflect.DeepEqual(objects, w) {
			return fmt.Errorf("blocks of %.200v, want %.200v", objects, w)
		}
		return nil
	}
	if !bytes.Equal(got, want.Contiguous().Bytes()) {
		return fmt.Errorf("blocks with other values than %.200s", want)
	}
	return nil
}

// randomIndex returns an index in NumPy's words for an array of a shape.
func randomIndex(random *rand.Rand, shape []int) string {
	var parts []string
	for _, n := range shape[:random.IntN(len(shape)+1)] {
		a, b := random.IntN(n+1), random.IntN(n+2)
		switch random.IntN(6) {
		case 0:
			parts = append(parts, fmt.Sprint(random.IntN(n)))
		case 1:
			parts = append(parts, ":")
		case 2:
			parts = append(parts, fmt.Sprintf("%d:%d:%d", min(a, b), max(a, b), 1+random.IntN(4)))
		case 3:
			parts = append(parts, fmt.Sprintf("%d:%d:-%d", max(a, b), min(a, b), 1+random.IntN(3)))
		case 4:
			parts = append(parts, fmt.Sprintf("-%d:", 1+random.IntN(n)))
		default:
			parts = append(parts, fmt.Sprintf("%d:%d", min(a, b), max(a, b)))
		}
	}
	if len(parts) == 0 {
		return "..."
	}
	return strings.Join(parts, ", ")
}

// script returns a program of testdata/live, with the folder that it imports others from.
func script(t testing.TB, name string) string {
	t.Helper()
	folder, err := filepath.Abs("testdata/live")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(filepath.Join(folder, name))
	return fmt.Sprintf("sys.argv[0] = %s\n%s", quoted, text)
}

// Random files of h5py read as h5py reads them.
func TestRandomFiles(t *testing.T) {
	dir := t.TempDir()
	oracle.Module(t, "h5py, tables", script(t, "random_files.py"), dir, fmt.Sprint(oracle.Seed(t)), fmt.Sprint(oracle.Cases(t, 40)))
	checkAll(t, dir)
}

// Files of PyTables, netCDF4, pandas, the programs of HDF5 and h5wasm read as h5py reads them.
func TestOtherWriters(t *testing.T) {
	if os.Getenv("NPY_H5WASM") == "" && os.Getenv("CI") != "" {
		t.Error("NPY_H5WASM is not set: the first lines of testdata/live/h5wasm.mjs say how to make it")
	}
	dir := t.TempDir()
	oracle.Module(t, "h5py, tables, netCDF4, pandas", script(t, "others.py"), dir)
	checkAll(t, dir)
	checkFilters(t, dir)
}

// The files that testdata/live/others.py has written are read as h5py reads them, also where there is no h5py.
func TestOtherFiles(t *testing.T) {
	checkAll(t, "testdata/others")
	checkFilters(t, "testdata/others")
}

// checkFilters checks the files of filters that h5py may lack, whose values are known.
func checkFilters(t *testing.T, dir string) {
	t.Helper()
	for _, path := range glob(t, filepath.Join(dir, "h5wasm_*.h5")) {
		r, err := hdf5.Open(path)
		if err != nil {
			t.Error(err)
			continue
		}
		defer r.Close()
		a, err := readAll(r, "a")
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		got, err := npy.As[int32](a)
		if err != nil || a.Size() != 1003 {
			t.Errorf("%s: %d elements, error %v", filepath.Base(path), a.Size(), err)
			continue
		}
		for i := range 1003 {
			if got.At(i) != int32(i*i%1000) {
				t.Errorf("%s: element %d is %d", filepath.Base(path), i, got.At(i))
				break
			}
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// checkAll compares all files of a folder.
func checkAll(t *testing.T, dir string) {
	t.Helper()
	paths := glob(t, filepath.Join(dir, "*.npz"))
	if len(paths) < 10 {
		t.Fatalf("only %d files", len(paths))
	}
	random := oracle.Rand(t)
	for _, path := range paths {
		checkBeside(t, random, strings.TrimSuffix(path, ".npz"))
	}
}
