package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

type point struct {
	X float32    `npy:"x"`
	Y [2]float64 `npy:"y"`
}

type track struct {
	ID     int32          `npy:"id"`
	Points [3]point       `npy:"points"`
	At     time.Time      `npy:"at,M8[s]"`
	Name   string         `npy:"name,U3"`
	Dotted scalar.Float16 `npy:"points.x"`
	Good   bool           `npy:"good"`
}

func tracks(n int) []track {
	rows := make([]track, n)
	for i := range rows {
		rows[i] = track{ID: int32(i), At: time.Unix(int64(i), 0).UTC(), Name: fmt.Sprint(i % 999), Dotted: scalar.Float16{Bits: uint16(i)}, Good: i%2 == 0}
		for k := range rows[i].Points {
			rows[i].Points[k] = point{float32(i), [2]float64{float64(k), float64(i * k)}}
		}
	}
	return rows
}

// column loads a field and compares it with the values in the structs.
func column[T any](t *testing.T, path, field string, rows []track, of func(track) T) {
	t.Helper()
	got, shape, err := record.LoadField[T](path, field)
	if err != nil || !reflect.DeepEqual(shape, []int{len(rows) / 5, 5}) || len(got) != len(rows) {
		t.Errorf("%s as %T: %d values, shape %v, %v", field, got, len(got), shape, err)
		return
	}
	for i, row := range rows {
		if want := of(row); !reflect.DeepEqual(got[i], want) {
			t.Fatalf("%s as %T: record %d is %v, want %v", field, got, i, got[i], want)
		}
	}
}

func TestLoadColumn(t *testing.T) {
	rows := tracks(100_000)
	a, err := record.FromSlice(rows, 20_000, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*npy.Array{a, a.Fortran()} {
		path, _ := write(t, a)
		column(t, path, "id", rows, func(r track) int32 { return r.ID })
		column(t, path, "id", rows, func(r track) float64 { return float64(r.ID) })
		column(t, path, "at", rows, func(r track) time.Time { return r.At })
		column(t, path, "at", rows, func(r track) scalar.Datetime64 { return scalar.Datetime64{Ticks: r.At.Unix()} })
		column(t, path, "name", rows, func(r track) string { return r.Name })
		column(t, path, "good", rows, func(r track) bool { return r.Good })
		column(t, path, "points", rows, func(r track) [3]point { return r.Points })
		column(t, path, "points.x", rows, func(r track) scalar.Float16 { return r.Dotted })
		column(t, path, "points.y", rows, func(r track) [3][2]float64 {
			return [3][2]float64{r.Points[0].Y, r.Points[1].Y, r.Points[2].Y}
		})
	}
}

// A field that covers the whole record is read in one piece.
func TestLoadColumnOfTheWholeRecord(t *testing.T) {
	want := []struct{ A float64 }{{1}, {2}}
	a, err := record.FromSlice(want)
	if err != nil {
		t.Fatal(err)
	}
	path, _ := write(t, a)
	if got, _, err := record.LoadField[float64](path, "A"); err != nil || !reflect.DeepEqual(got, []float64{1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, _, err := record.LoadField[complex128](path, "A"); err != nil || !reflect.DeepEqual(got, []complex128{1, 2}) {
		t.Errorf("as complex numbers: got %v, %v", got, err)
	}
}

func TestLoadColumnErrors(t *testing.T) {
	rows := tracks(10)
	a, err := record.FromSlice(rows)
	if err != nil {
		t.Fatal(err)
	}
	path, _ := write(t, a)
	load := func(_ any, _ []int, err error) error { return err }
	for _, c := range []struct {
		name, path, text string
		err              error
	}{
		{"narrow", "id", "values could change in the Go type; it can be int32 or int64 or int or float64 or complex128, or allow the change with Casting: npy.SameKindCasting", load(record.LoadField[int16](path, "id"))},
		{"dimensions on the way", "points", "the Go type needs arrays of the dimensions [3]", load(record.LoadField[[2]float64](path, "points.y"))},
		{"dimensions of the field", "points.y", "the Go type needs arrays of the dimensions [2]", load(record.LoadField[[3]float64](path, "points.y"))},
		{"a struct", "id", "the Go type is a struct, the field is not", load(record.LoadField[point](path, "id"))},
		{"no struct", "points", "the Go type needs arrays of the dimensions [3]", load(record.LoadField[float64](path, "points"))},
		{"a slice", "id", "the Go type: the length of a slice is not part of its type: use an array", load(record.LoadField[[]int32](path, "id"))},
	} {
		var te *npy.TypeError
		if !errors.As(c.err, &te) || te.Path != c.path || te.Hint != c.text {
			t.Errorf("%s: got %v, want path %s and %s", c.name, c.err, c.path, c.text)
		}
	}
	for _, c := range []struct{ path, text string }{
		{"none", `npy: no field "none", want one of ["id" "points" "at" "name" "points.x" "good"]`},
		{"points.z", `npy: no field "points.z", want one of ["x" "y"]`},
		{"id.x", `npy: no field "id.x": dtype <i4 has no fields`},
		{"id.", `npy: no field "id.": dtype <i4 has no fields`},
	} {
		err := load(record.LoadField[[3]int32](path, c.path))
		var fe *npy.FieldError
		if !errors.As(err, &fe) || fe.Error() != inNativeOrder(c.text) {
			t.Errorf("%s: got %v, want %s", c.path, err, c.text)
		}
	}
	plain := filepath.Join(t.TempDir(), "plain.npy")
	if err := npy.Save(plain, []float64{1}); err != nil {
		t.Fatal(err)
	}
	var fe *npy.FieldError
	if _, _, err := record.LoadField[float64](plain, "x"); !errors.As(err, &fe) {
		t.Errorf("an array without fields: got %v", err)
	}
	if _, _, err := record.LoadField[float64](plain+"x", "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: got %v", err)
	}
	type raw struct {
		T scalar.Datetime64 `npy:"t,M8[s]"`
	}
	nat, err := record.FromSlice([]raw{{scalar.Datetime64{Ticks: 1}}, {scalar.Datetime64{Ticks: 2}}, {scalar.Datetime64{Ticks: scalar.NaT}}})
	if err != nil {
		t.Fatal(err)
	}
	path, data := write(t, nat)
	var ve *record.ValueError
	if _, _, err := record.LoadField[time.Time](path, "t"); !errors.As(err, &ve) || ve.Record != 2 || ve.Path != "t" {
		t.Errorf("NaT in record 2: got %v", err)
	} else if want := "and the Go type (time.Time): "; !strings.Contains(err.Error(), want) {
		t.Errorf("NaT: got %v, want %q in it", err, want)
	}
	objects := filepath.Join(t.TempDir(), "objects.npy")
	if err := os.WriteFile(objects, bytes.Replace(data, []byte(inNativeOrder("[('t', '<M8[s]')]")), []byte("[('t', '|O')]    "), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := record.LoadField[time.Time](objects, "t"); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: got %v", err)
	}
}
