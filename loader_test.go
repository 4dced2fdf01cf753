package npy_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// Every way to Go values obeys the Casting of a Decoder: it gives the values of Array.Cast, or fails as Cast does.
func TestLoaderCasting(t *testing.T) {
	t.Parallel()
	arrays := map[string]*npy.Array{
		"floats":    must(npy.FromSlice([]float64{0.1, -1.5, 3, 1e-50})),
		"too large": must(npy.FromSliceAs(parse(">f8"), []float64{1, 1e300})),
		"integers":  must(npy.FromSliceAs(parse(">i4"), []int32{0, -1, 127, 128, 1 << 30})),
		"unsigned":  must(npy.FromSlice([]uint64{0, 1, 1 << 63})),
		"bools":     must(npy.FromSlice([]bool{true, false})),
		"complex":   must(npy.FromSlice([]complex128{1 + 2i, 3})),
		"text":      must(npy.FromSlice([]string{"1", "-2"})),
		"no number": must(npy.FromSlice([]string{"x"})),
		"times":     must(npy.FromSliceAs(parse("<M8[s]"), scalar.Datetime64s(1, scalar.NaT))),
		"halves":    must(npy.FromSlice([]scalar.Float16{{Bits: 0x3c00}, {Bits: 0x7c00}})),
		"bfloat16":  must(npy.FromSliceAs(parse("bfloat16"), []scalar.BFloat16{{Bits: 0x3f80}})),
	}
	for name, a := range arrays {
		for casting := npy.SafeCasting; casting <= npy.UnsafeCasting; casting++ {
			t.Run(fmt.Sprintf("%s %s", name, casting), func(t *testing.T) {
				t.Parallel()
				casts[float32](t, a, casting)
				casts[int8](t, a, casting)
				casts[uint16](t, a, casting)
				casts[bool](t, a, casting)
				casts[complex64](t, a, casting)
				casts[string](t, a, casting)
				casts[scalar.Float16](t, a, casting)
				casts[scalar.BFloat16](t, a, casting)
				casts[scalar.LongDouble](t, a, casting)
			})
		}
	}
}

// casts loads a as T in every way.
func casts[T npy.Element](t *testing.T, a *npy.Array, casting npy.Casting) {
	t.Helper()
	var want []T
	v, wantErr := npy.As[T](a) // values that T holds need no casting
	if wantErr != nil && casting > npy.SafeCasting {
		b, err := a.Cast(npy.DTypeOf[T](), casting)
		if err == nil {
			v, err = npy.As[T](b)
		}
		wantErr = err
	}
	if wantErr == nil {
		want = v.ToSlice()
	}
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, archive := filepath.Join(dir, "a.npy"), filepath.Join(dir, "a.npz")
	if err := errors.Join(npy.WriteFile(path, a), npz.Save(archive, npz.Member{Name: "a", Array: a})); err != nil {
		t.Fatal(err)
	}
	d := npy.Decoder{Casting: casting}
	if a.DType().Name() == "bfloat16" {
		d.VoidAs = a.DType()
	}
	l := npy.Loader[T](d)
	for way, load := range map[string]func() ([]T, error){
		"As":       func() ([]T, error) { v, err := l.As(a); return sliceOf(v, err) },
		"Load":     func() ([]T, error) { x, _, err := l.Load(path); return x, err },
		"LoadInto": func() ([]T, error) { x, _, err := l.LoadInto(make([]T, 9), path); return x, err },
		"LoadFrom": func() ([]T, error) { x, _, err := l.LoadFrom(bytes.NewReader(file.Bytes())); return x, err },
		"rows": func() ([]T, error) {
			r, err := l.NewRowReader(bytes.NewReader(file.Bytes()))
			if err != nil {
				return nil, err
			}
			x := make([]T, a.Len())
			_, err = r.Next(x)
			return x, err
		},
		"npz.Load": func() ([]T, error) {
			z := must(npz.Decoder{Array: d}.Open(archive))
			defer z.Close()
			x, _, err := npz.Load[T](z, "a")
			return x, err
		},
		"mmap.Load": func() ([]T, error) {
			f := must(mmap.Options{Array: d}.Open(path))
			defer f.Close()
			x, _, err := mmap.Load[T](f)
			return x, err
		},
		"record.LoadFrom": func() ([]T, error) { return throughRecord[T](a, d) },
	} {
		got, err := load()
		switch {
		case way == "record.LoadFrom" && npy.DTypeOf[T]().ItemSize() == 0 && wantErr != nil: // text has another length there
		case (err == nil) != (wantErr == nil):
			t.Errorf("%s as %T with %s: %v, want %v", way, *new(T), casting, err, wantErr)
		case err == nil && fmt.Sprint(got) != fmt.Sprint(want):
			t.Errorf("%s as %T with %s: %v, want %v", way, *new(T), casting, got, want)
		}
	}
}

func sliceOf[T npy.Element](v npy.View[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return v.ToSlice(), nil
}

// throughRecord reads the elements of a as the only field of records.
func throughRecord[T npy.Element](a *npy.Array, d npy.Decoder) ([]T, error) {
	type one struct{ X T }
	records := must(npy.FromBytes(must(dtype.Struct(a.DType().ItemSize(), dtype.Field{Name: "X", DType: a.DType()})), a.Bytes(), a.Len()))
	x, err := record.Loader[one]{Array: d}.ToSlice(records)
	out := make([]T, len(x))
	for i := range x {
		out[i] = x[i].X
	}
	return out, err
}

// The error for a conversion that is not allowed names the strictest casting that allows it.
func TestErrorsNameTheCasting(t *testing.T) {
	t.Parallel()
	floats := must(npy.FromSlice([]float64{1}))
	_, sameKind := npy.As[float32](floats)
	_, unsafe := npy.As[int32](floats)
	_, still := npy.Loader[int32]{Casting: npy.SameKindCasting}.As(floats)
	_, _, inRecords := record.LoadFrom[struct {
		F float32 `npy:"f"`
	}](bytes.NewReader(must(structBytes(floats))))
	for _, c := range []struct {
		err  error
		want string
	}{{sameKind, "Casting: npy.SameKindCasting"}, {unsafe, "Casting: npy.UnsafeCasting"}, {still, "Casting: npy.UnsafeCasting"}, {inRecords, "Casting: npy.SameKindCasting"}} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one that names %s", c.err, c.want)
		}
	}
}

// structBytes returns a file of records with the elements of a as their field f.
func structBytes(a *npy.Array) ([]byte, error) {
	r, err := npy.FromBytes(must(dtype.Struct(a.DType().ItemSize(), dtype.Field{Name: "f", DType: a.DType()})), a.Bytes(), a.Len())
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = npy.Write(&b, r)
	return b.Bytes(), err
}

func ExampleLoader() {
	var file bytes.Buffer
	if err := npy.SaveTo(&file, []float64{0.5, 1.25}); err != nil {
		panic(err)
	}
	weights, _, err := npy.Loader[float32]{MaxBytes: 1 << 20, Casting: npy.SameKindCasting}.LoadFrom(&file)
	fmt.Println(weights, err)
	// Output:
	// [0.5 1.25] <nil>
}

func ExampleSaver() {
	var file bytes.Buffer
	bigEndian := npy.Saver[int16]{DType: dtype.Int16.WithByteOrder(dtype.BigEndian)}
	if err := bigEndian.SaveTo(&file, []int16{1, 2}); err != nil {
		panic(err)
	}
	a, err := npy.Read(&file)
	fmt.Println(a.DType(), a.Bytes(), err)
	// Output:
	// >i2 [0 1 0 2] <nil>
}
