package hdf5

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/writing"
	"github.com/npygo/npy/internal/property"
)

// kept returns the dtype that is read after t was written: without titles, with text as objects, and structs with text
// packed.
func kept(t dtype.Type) dtype.Type {
	switch {
	case t.IsSubarray():
		elem, shape := kept(t.Elem()), t.SubShape()
		if elem.IsSubarray() { // arrays of arrays are read as arrays of more dimensions
			elem, shape = elem.Elem(), append(shape, elem.SubShape()...)
		}
		return must(dtype.Subarray(elem, shape...))
	case t.IsStruct() && t.NumField() > 0:
		size, changed := 0, false
		fields := t.Fields()
		for i, f := range fields {
			k := kept(f.DType)
			changed = changed || writing.HasKind(f.DType, dtype.KindStr) || writing.HasKind(f.DType, dtype.KindObject) || k.ItemSize() != f.DType.ItemSize()
			fields[i] = dtype.Field{Name: f.Name, DType: k, Offset: f.Offset}
		}
		size = t.ItemSize()
		if changed {
			size = 0
			for i := range fields {
				fields[i].Offset = size
				size += fields[i].DType.ItemSize()
			}
		}
		return must(dtype.Struct(size, fields...))
	case t.IsStruct(): // opaque bytes
		return dtype.Void(t.ItemSize())
	case t.Kind() == dtype.KindStr:
		return dtype.Object
	case t.Kind() == dtype.KindBytes && t.ItemSize() == 0:
		return dtype.Bytes(1)
	}
	return t
}

// Every dtype that is written is read again.
func FuzzWriteType(f *testing.F) {
	for _, descr := range sampleTypes {
		f.Add(descr)
	}
	for _, descr := range []string{"'<f1'", "'<c4'", "'>c4'", "'|S0'", "'|S2147483647'", "'<U536870911'", "[('a', '<U3', (1000, 1000))]", "[('a', '|V2', (1, 1000000000))]", "'|O'", "[('a', '|O'), ('b', '<U3')]"} {
		f.Add(descr)
	}
	for i := range 30 {
		f.Add(property.NewG("hdf5 types", int64(i)).DType(property.All).Descr())
	}
	f.Fuzz(func(t *testing.T, descr string) {
		typ, err := dtype.ParseDescr(descr)
		if err != nil || typ.IsSubarray() || len(descr) > 2000 || strings.Contains(descr, "f12") || strings.Contains(descr, "c24") {
			return // long doubles of 12 bytes are read as 16 bytes
		}
		if uint64(typ.ItemSize()) > storage.MaxInt/2 {
			return // more than a machine of 32 bits can address
		}
		var b seekBuffer
		w := must(NewWriter(&b))
		x, err := w.Begin(container.Entry{Path: "a", DType: typ, Shape: []int{0, 2}}, nil)
		if err != nil {
			if !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%s: %v", typ, err)
			}
			return
		}
		if err := errors.Join(x.Close(), w.Close()); err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		r, err := NewReader(bytes.NewReader(b.data), int64(len(b.data)))
		if err != nil {
			t.Fatal(err)
		}
		e, err := r.Entry("a")
		if err == nil {
			err = e.Err
		}
		if want := kept(typ); err != nil || !slices.Equal(e.Shape, []int{0, 2}) || !e.DType.Equal(want) {
			t.Errorf("%s is read as %s, want %s; error %v", typ, e.DType, want, err)
		}
	})
}

// The types of ml_dtypes are floats where HDF5 can say so, else opaque, and are read again.
func TestWriteSmallTypes(t *testing.T) {
	for _, name := range property.SmallNames {
		typ := must(dtype.Parse(name))
		data := []byte{0x00, 0x3f, 0x80, 0x3f, 0x01, 0x40, 0x03, 0x02}
		a := must(npy.FromBytes(typ, data[:8/typ.ItemSize()*typ.ItemSize()], 8/typ.ItemSize()))
		var b seekBuffer
		w := must(NewWriter(&b))
		if err := errors.Join(w.Add("a", a), w.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := must(NewReader(bytes.NewReader(b.data), int64(len(b.data))))
		e := must(r.Entry("a"))
		got, err := must(r.Source("a")).ReadAll(context.Background())
		if err != nil || !e.DType.Equal(typ) || !bytes.Equal(got.Bytes(), a.Bytes()) {
			t.Errorf("%s is read as %s, %v, error %v", name, e.DType.Name(), got, err)
		}
	}
}
