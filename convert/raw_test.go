package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

func TestRaw(t *testing.T) {
	data := []byte("skipped0\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00")
	for _, test := range []struct {
		descr   string
		shape   []int
		offset  int64
		fortran bool
		want    string // the array, or the error
	}{
		{"<i2", nil, 8, false, "[1 2 3 4 5 6]"},
		{"<i2", []int{-1, 3}, 8, false, "[[1 2 3]\n [4 5 6]]"},
		{"<i2", []int{2, -1}, 8, true, "[[1 3 5]\n [2 4 6]]"},
		{">i2", []int{2}, 8, false, "[256 512]"},
		{"<i2", []int{}, 12, false, "3"},
		{"<i2", []int{0, 5}, 8, false, "[]"},
		{"|S8", []int{1}, 0, false, "[b'skipped0']"},
		{"<i2", []int{-1, 4}, 8, false, "12 bytes are 1 rows of 8 bytes, with 4 bytes left over"},
		{"<f8", nil, 8, false, "12 bytes are 1 rows of 8 bytes, with 4 bytes left over"},
		{"<i2", []int{7}, 8, false, "the data ends after 12 of 14 bytes"},
		{"<i2", []int{math.MaxInt, -1, math.MaxInt}, 8, false, "12 bytes are 0 rows of 13 bytes, with 12 bytes left over"},
		{"<i2", []int{-1, -1}, 8, false, "only one dimension may be -1"},
		{"<i2", []int{-2}, 8, false, "only one dimension may be -1"},
		{"<i2", []int{-1, 0}, 8, false, "-1 could be any length"},
		{"<i2", nil, 21, false, "offset 21 is outside of the data, which has 20 bytes"},
		{"<i2", nil, -1, false, "offset -1 is outside"},
		{"|O", nil, 0, false, "raw bytes cannot be Python objects"},
	} {
		d, err := dtype.Parse(test.descr)
		if err != nil {
			t.Fatal(err)
		}
		o := convert.RawOptions{DType: d, Shape: test.shape, Offset: test.offset, Fortran: test.fortran}
		got := ""
		f, err := convert.OpenRaw(bytes.NewReader(data), int64(len(data)), o)
		if err == nil {
			var a *npy.Array
			if a, err = f.ReadAll(context.Background()); err == nil {
				got = a.String()
			}
		}
		if err != nil {
			got = err.Error()
		}
		if err != nil && !strings.Contains(got, test.want) || err == nil && got != test.want {
			t.Errorf("%s of shape %v at %d: %s, want %s", test.descr, test.shape, test.offset, got, test.want)
		}
	}
}

// The length of an axis of -1 is exact, or an error if an int cannot hold it.
func TestRawLong(t *testing.T) {
	const size = 1<<32 + 5
	d, err := dtype.Parse("|u1")
	if err != nil {
		t.Fatal(err)
	}
	f, err := convert.OpenRaw(bytes.NewReader(nil), size, convert.RawOptions{DType: d})
	if strconv.IntSize == 32 {
		if !errors.Is(err, npy.ErrLimit) {
			t.Fatalf("error %v, want ErrLimit", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Shape()[0]; int64(n) != size {
		t.Errorf("length %d, want %d", n, int64(size))
	}
}

// Raw output reads back, whatever the order of the file.
func TestCopyRaw(t *testing.T) {
	values := make([]float64, 6*5*4)
	for i := range values {
		values[i] = float64(i)
	}
	a, err := npy.FromSlice(values, 6, 5, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, array := range []*npy.Array{a, a.Fortran()} {
		var file, raw bytes.Buffer
		if err := npy.Write(&file, array); err != nil {
			t.Fatal(err)
		}
		f, err := npy.OpenReaderAt(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if err := convert.WriteRaw(context.Background(), &raw, f, npy.Copier{}); err != nil || !bytes.Equal(raw.Bytes(), a.Bytes()) {
			t.Errorf("CopyRaw gives other bytes than the array has, error %v", err)
		}
		raw.Reset()
		part, err := a.Slice(npy.At(1), npy.All(), npy.Span(0, 2))
		if err != nil {
			t.Fatal(err)
		}
		if err := convert.WriteRaw(context.Background(), &raw, must(f.Select(npy.At(1), npy.All(), npy.Span(0, 2))), npy.Copier{DType: dtype.Complex128}); err != nil {
			t.Fatal(err)
		}
		if part, err = part.AsType(dtype.Complex128); err != nil || !bytes.Equal(raw.Bytes(), part.Bytes()) {
			t.Errorf("CopyRaw of a part gives other bytes than it has, error %v", err)
		}
		if err := convert.WriteRaw(context.Background(), closedPipe{}, f, npy.Copier{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("CopyRaw to a closed pipe: %v", err)
		}
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func ExampleOpenRaw() {
	file := "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40" // of array.tofile, or an instrument
	o := convert.RawOptions{DType: dtype.Float32.WithByteOrder(dtype.LittleEndian), Shape: []int{-1, 2}}
	f, err := convert.OpenRaw(strings.NewReader(file), int64(len(file)), o)
	if err != nil {
		panic(err)
	}
	a, err := f.Slice(npy.At(-1))
	fmt.Println(f.Shape(), a, err)
	// Output: [2 2] [3. 4.] <nil>
}
