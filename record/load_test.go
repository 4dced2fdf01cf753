package record_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

// An event has every property that decides how records are read: numbers, a text, padding and a skipped field.
type event struct {
	ID    int32  `npy:"id"`
	Name  string `npy:"name,U2"`
	OK    bool   `npy:"ok"`
	Skip  int64  `npy:"-"`
	Value float64
}

// A spot has no pointers, so its memory is not cleared when it is allocated.
type spot struct {
	OK    bool
	_     [3]uint8
	Skip  int64 `npy:"-"`
	Value float64
}

func events(n int) []event {
	rows := make([]event, n)
	for i := range rows {
		rows[i] = event{ID: int32(i), Name: string(rune('a' + i%26)), OK: i%3 == 0, Value: float64(i) / 3}
	}
	return rows
}

func write(t *testing.T, a *npy.Array) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "records.npy")
	if err := npy.WriteFile(path, a); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

// sameEverywhere reads a file in every way and checks that the records are the same.
func sameEverywhere[T comparable](t *testing.T, a *npy.Array, want []T) {
	t.Helper()
	path, data := write(t, a)
	for name, read := range map[string]func() ([]T, []int, error){
		"Load":         func() ([]T, []int, error) { return record.Load[T](path) },
		"known length": func() ([]T, []int, error) { return record.LoadFrom[T](bytes.NewReader(data)) },
		"stream": func() ([]T, []int, error) {
			return record.LoadFrom[T](iotest.HalfReader(bytes.NewReader(data)))
		},
		"Of": func() ([]T, []int, error) { got, err := record.ToSlice[T](a); return got, a.Shape(), err },
	} {
		got, shape, err := read()
		if err != nil || !slices.Equal(shape, a.Shape()) || !slices.Equal(got, want) {
			t.Errorf("%s of shape %v: %d records, shape %v, %v", name, a.Shape(), len(got), shape, err)
		}
	}
}

// The data is large enough for several goroutines, blocks and growing streams, in both orders.
func TestLoadLarge(t *testing.T) {
	want := events(420_000)
	a, err := record.FromSlice(want, 700, 600)
	if err != nil {
		t.Fatal(err)
	}
	spots, rows := make([]spot, len(want)), make([]row, len(want))
	for i, e := range want {
		spots[i] = spot{OK: e.OK, Value: e.Value}
		rows[i] = row{ID: e.ID, Value: e.Value, N: int16(i)}
	}
	packed, err := record.FromSlice(rows, 700, 600)
	if err != nil {
		t.Fatal(err)
	}
	aligned, err := record.AlignedDType[row]()
	if err != nil {
		t.Fatal(err)
	}
	same, err := record.FromSliceAs(aligned, rows, 700, 600)
	if err != nil {
		t.Fatal(err)
	}
	sameEverywhere(t, a, want)
	sameEverywhere(t, a.Fortran(), want)
	for range 2 { // the second time, reused memory is not zero
		sameEverywhere(t, a, spots)
		sameEverywhere(t, a.Fortran(), spots)
		sameEverywhere(t, packed, rows)
		sameEverywhere(t, same, rows)
		sameEverywhere(t, same.Fortran(), rows)
	}
}

func TestLoadShapes(t *testing.T) {
	for _, shape := range [][]int{{}, {1}, {0}, {3, 0}, {1, 5, 1}, {2, 3, 4}} {
		n := format.Header{DType: parse(t, "u1"), Shape: shape}.Size()
		want := events(n)
		a, err := record.FromSlice(want, shape...)
		if err != nil {
			t.Fatal(err)
		}
		sameEverywhere(t, a, want)
		sameEverywhere(t, a.Fortran(), want)
	}
}

// The error for a bad value has its position in C order, whatever goroutine finds it and whatever the order of the
// file.
func TestLoadNamesTheRecord(t *testing.T) {
	type raw struct {
		T scalar.Datetime64 `npy:"t,M8[s]"`
		S [2]float64
	}
	type when struct{ T time.Time }
	rows := make([]raw, 700*601)
	for _, at := range []int{0, 17, 155_555, 700*601 - 1} {
		rows[at].T = scalar.Datetime64{Ticks: scalar.NaT}
		a, err := record.FromSlice(rows, 700, 601)
		if err != nil {
			t.Fatal(err)
		}
		for order, a := range map[string]*npy.Array{"C": a, "Fortran": a.Fortran()} {
			path, data := write(t, a)
			_, _, loadErr := record.Load[when](path)
			_, _, readErr := record.LoadFrom[when](iotest.HalfReader(bytes.NewReader(data)))
			for name, err := range map[string]error{"Load": loadErr, "Read": readErr} {
				var ve *record.ValueError
				if !errors.As(err, &ve) || ve.Record != at || ve.Path != "t" {
					t.Errorf("%s, %s order, NaT in record %d: got %v", name, order, at, err)
				}
			}
		}
		rows[at].T = scalar.Datetime64{}
	}
}

// The test measures the cost of a lying header: all memory that reading allocates, freed or not.
func TestMemoryFollowsTheRecords(t *testing.T) {
	for _, fortran := range []bool{false, true} {
		h := format.Header{DType: parse(t, "[('id', '<i4'), ('name', '<U2'), ('ok', '?'), ('Value', '<f8')]"), Shape: []int{1 << 10, 1 << 15}, FortranOrder: fortran}
		data, err := h.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, make([]byte, 100)...)
		path := filepath.Join(t.TempDir(), "lie.npy")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for name, read := range map[string]func() error{
			"Load":  func() error { _, _, err := record.Load[event](path); return err },
			"bytes": func() error { _, _, err := record.LoadFrom[event](bytes.NewReader(data)); return err },
			"stream": func() error {
				_, _, err := record.LoadFrom[event](struct{ io.Reader }{bytes.NewReader(data)})
				return err
			},
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read()
			runtime.ReadMemStats(&after)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: got %v, want io.ErrUnexpectedEOF", name, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
				t.Errorf("%s: %d bytes allocated for a file of %d", name, used, len(data))
			}
		}
	}
}

func TestReadLimits(t *testing.T) {
	a, err := record.FromSlice(make([]row, 100))
	if err != nil {
		t.Fatal(err)
	}
	_, data := write(t, a)
	for limit, want := range map[int64]error{1399: npy.ErrLimit, 1400: nil, 0: nil} {
		_, _, err := record.Loader[row]{Array: npy.Decoder{MaxBytes: limit}}.LoadFrom(bytes.NewReader(data))
		if !errors.Is(err, want) {
			t.Errorf("1400 bytes with MaxBytes %d: got %v, want %v", limit, err, want)
		}
	}
	_, _, err = record.Loader[row]{Array: npy.Decoder{MaxHeader: 20}}.LoadFrom(bytes.NewReader(data))
	if !errors.Is(err, npy.ErrLimit) {
		t.Errorf("MaxHeader 20: got %v", err)
	}
	if _, _, err := record.Load[struct{}](filepath.Join(t.TempDir(), "none.npy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such file: got %v", err)
	}
}
