package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/record"
)

// A sample has fields of several kinds. Some need more than a copy.
type sample struct {
	Time  time.Time  `npy:"time,<M8[us]"`
	Place string     `npy:"place,<U8"`
	V     [2]float32 `npy:"v,<f4"`
	N     int16      `npy:"n,>i2"`
	OK    bool       `npy:"ok"`
}

func samples(n int) []sample {
	data := make([]sample, n)
	for i := range data {
		data[i] = sample{time.Unix(int64(i), 0).UTC(), fmt.Sprint("p", i), [2]float32{float32(i), -1}, int16(i % 1000), i%3 == 0}
	}
	return data
}

func TestRowReader(t *testing.T) {
	for _, n := range []int{0, 1, 7, 5000} {
		data := samples(n)
		var file bytes.Buffer
		for range 2 { // two consecutive arrays
			if err := record.SaveTo(&file, data); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range []io.Reader{bytes.NewReader(file.Bytes()), io.MultiReader(bytes.NewReader(file.Bytes()))} {
			first, err := record.NewRowReader[sample](r)
			if err != nil {
				t.Fatal(err)
			}
			var got []sample
			batch := make([]sample, 3)
			for {
				k, err := first.Next(batch)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, batch[:k]...)
			}
			if !slices.Equal(got, data) {
				t.Errorf("%d records: Next gives %d, or other ones", n, len(got))
			}
			second, err := record.NewFieldReader[[2]float32](r, "v")
			if err != nil {
				t.Fatal(err)
			}
			i := 0
			for v, err := range second.Records() {
				if err != nil || v != data[i].V {
					t.Fatalf("%d records: v of record %d is %v, error %v", n, i, v, err)
				}
				i++
			}
			if _, err := record.NewRowReader[sample](r); err != io.EOF || i != n {
				t.Errorf("%d records: %d in the column, and at the end error %v", n, i, err)
			}
		}
	}
}

func TestRowReaderErrors(t *testing.T) {
	var file bytes.Buffer
	if err := record.SaveTo(&file, samples(100)); err != nil {
		t.Fatal(err)
	}
	r, err := record.NewRowReader[sample](io.MultiReader(bytes.NewReader(file.Bytes()[:file.Len()-5])))
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Next(make([]sample, 100))
	var fe *format.Error
	if !errors.As(err, &fe) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("records that are cut off: %v", err)
	}
	type other struct {
		Missing int32 `npy:"missing,<i4"`
	}
	if _, err := record.NewRowReader[other](bytes.NewReader(file.Bytes())); err == nil {
		t.Error("a field that is not there is no error")
	}
	if _, err := record.NewFieldReader[int16](bytes.NewReader(file.Bytes()), "nope"); err == nil {
		t.Error("a column that is not there is no error")
	}
	a, err := record.FromSlice(samples(6), 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	file.Reset()
	if err := npy.Write(&file, a.Fortran()); err != nil {
		t.Fatal(err)
	}
	if _, err := record.NewRowReader[sample](&file); !errors.Is(err, npy.ErrFortranOrder) {
		t.Errorf("records in Fortran order: %v", err)
	}
}

// The error for a value that does not fit has its position in the array, whatever batch it is in.
func TestRowReaderNamesTheRecord(t *testing.T) {
	type letter struct {
		S string `npy:"s,<U1"`
	}
	d, err := record.DType[letter]()
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.FromBytes(d, []byte("a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00\x00\x00\x11\x00"), 5)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	r, err := record.NewRowReader[letter](&file)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if _, err := r.Next(make([]letter, 1)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Next(make([]letter, 1))
	var ve *record.ValueError
	if !errors.As(err, &ve) || ve.Record != 4 {
		t.Errorf("a character beyond the last: %v", err)
	}
}

func TestRowWriter(t *testing.T) {
	data := samples(1000)
	var want bytes.Buffer
	if err := record.SaveTo(&want, data); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows.npy")
	w, err := record.CreateRows[sample](path, npy.UnknownRows)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for part := range slices.Chunk(data, 33) {
		if err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("rows are written as other bytes than those of Write, error %v", err)
	}

	var stream bytes.Buffer
	promised, err := record.NewRowWriter[sample](&stream, 3)
	if err != nil {
		t.Fatal(err)
	}
	bad := samples(3)
	bad[2].Place = "a place with a long name"
	var ve *record.ValueError
	if err := promised.Write(bad); !errors.As(err, &ve) || ve.Record != 2 {
		t.Errorf("a string that does not fit: %v", err)
	}
	if err := promised.Close(); err == nil {
		t.Error("an array with an error in it is closed without one")
	}
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.npy")
	data := samples(10)
	if err := record.Save(path, data[:4]); err != nil {
		t.Fatal(err)
	}
	l, err := npy.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := record.AppendRows(l, data[4:]); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got, shape, err := record.Load[sample](path)
	if err != nil || !reflect.DeepEqual(got, data) || !slices.Equal(shape, []int{10}) {
		t.Errorf("after Append: %d records, shape %v, error %v", len(got), shape, err)
	}
}

// Batches are read into the caller's memory without further allocation.
func TestRowReaderAllocates(t *testing.T) {
	type plain struct {
		X float64 `npy:"x,<f8"`
		N int16   `npy:"n,<i2"`
	}
	const n, batch = 64_000, 640
	var file bytes.Buffer
	if err := record.SaveTo(&file, make([]plain, n)); err != nil {
		t.Fatal(err)
	}
	r, err := record.NewRowReader[plain](&file)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]plain, batch)
	if _, err := r.Next(dst); err != nil {
		t.Fatal(err)
	}
	if allocs := testing.AllocsPerRun(50, func() {
		if _, err := r.Next(dst); err != nil {
			t.Fatal(err)
		}
	}); allocs > batch/10 {
		t.Errorf("%v allocations for each batch of %d records", allocs, batch)
	}
}

func ExampleNewRowReader() {
	f, err := os.Open("../testdata/numpy-2.3.5/seed-nested.npy")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	r, err := record.NewRowReader[Outer](f)
	if err != nil {
		panic(err)
	}
	for o, err := range r.Records() { // works for a file of any size
		fmt.Println(o.Outer, o.Outer2.Inner2, err)
	}
	// Output:
	// [1 2 3] 3.14 <nil>
	// [4 5 6] 6.28 <nil>
}

func ExampleCreateRows() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	type reading struct {
		At    int64   `npy:"at,<i8"`
		Value float32 `npy:"value,<f4"`
	}
	w, err := record.CreateRows[reading](filepath.Join(dir, "log.npy"), npy.UnknownRows)
	if err != nil {
		panic(err)
	}
	defer w.Abort() // does nothing once Close has returned
	for i := range 3 {
		if err := w.Write([]reading{{int64(i), float32(i) / 2}}); err != nil {
			panic(err)
		}
	}
	fmt.Println(w.Close())
	a, err := npy.ReadFile(filepath.Join(dir, "log.npy"))
	fmt.Println(a.Shape(), a.DType(), err)
	// Output:
	// <nil>
	// [3] [('at', '<i8'), ('value', '<f4')] <nil>
}

// For any mixture of Next, Records and Blocks, and wherever the loops end, all records come once and in order.
func TestRowReaderMixed(t *testing.T) {
	for _, shape := range [][]int{{5000}, {1700, 3}, {2, 2500}} {
		data := samples(shape[0] * max(1, shape[len(shape)-1]*(len(shape)-1)))
		var file bytes.Buffer
		a, err := record.FromSlice(data, shape...)
		if err == nil {
			err = npy.Write(&file, a)
		}
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			random := rand.New(rand.NewPCG(seed, 5))
			r, err := record.NewRowReader[sample](io.MultiReader(bytes.NewReader(file.Bytes())))
			if err != nil {
				t.Fatal(err)
			}
			got, err := mixed(random, r)
			if err != io.EOF || !slices.Equal(got, data) {
				t.Fatalf("shape %v, seed %d: %d records of %d, or others, error %v", shape, seed, len(got), len(data), err)
			}
		}
	}
}

// mixed reads all records by calls in random order. Its loops end at random places.
func mixed(random *rand.Rand, r *record.RowReader[sample]) (all []sample, err error) {
	for {
		left := random.IntN(4 * r.RowLen())
		inside := len(all)%r.RowLen() != 0
		switch random.IntN(3) {
		case 0:
			dst := make([]sample, (1+random.IntN(500))*r.RowLen())
			n, err := r.Next(dst)
			if inside && (n != 0 || err == nil) {
				return all, fmt.Errorf("Next gives %d rows inside a row", n)
			} else if err != nil && !inside {
				return all, err
			}
			all = append(all, dst[:n*r.RowLen()]...)
		case 1:
			for x, err := range r.Records() {
				if err != nil {
					return all, err
				}
				all = append(all, x)
				if left--; left < 0 {
					break
				}
			}
		case 2:
			for block, err := range r.Blocks(1 + random.IntN(500)) {
				if inside && err == nil {
					return all, fmt.Errorf("Blocks gives %d records inside a row", len(block))
				} else if err != nil && !inside {
					return all, err
				}
				all = append(all, block...)
				break
			}
		}
	}
}
