package npy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A part that is read from its own bytes only equals Slice of the whole array.
func TestPartOfIsSlice(t *testing.T) {
	indices := []string{"", "...", "1", "-1", "0:2", "::-1", "1, 1", "..., 0", ":, 1:2", "::2, ::-1", "5:", "1:1", "'a'", "0, 'b'", "'z', ..., 0"}
	tried := 0
	for _, v := range vectors(t) {
		if v.HasObject() {
			continue
		}
		file, err := os.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		h, err := format.ParseHeader(file)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := npy.FromHeader(h, file[h.DataOffset:])
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check(whole); err != nil {
			t.Error(err)
		}
		for _, text := range indices {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, wantErr := whole.Slice(index...)
			p, err := npy.PartOf(h, index...)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s[%s]: PartOf says %v, Slice %v", v.Path, text, err, wantErr)
			}
			if err != nil {
				continue
			}
			got, err := p.Array(bytes.Clone(file[h.DataOffset+p.Start : h.DataOffset+p.End]))
			if err != nil {
				t.Fatal(err)
			}
			if !got.DType().Equal(want.DType()) || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s[%s]: the part is another array than the slice", v.Path, text)
			}
			tried++
		}
	}
	if tried < 500 {
		t.Errorf("only %d indices fitted an array", tried)
	}
}

func TestPartErrors(t *testing.T) {
	h := format.Header{DType: dtype.Int32, Shape: []int{4}, DataOffset: 128}
	if _, err := npy.FromHeader(h, make([]byte, 15)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("15 bytes for 4 int32: %v", err)
	}
	if a, err := npy.FromHeader(h, make([]byte, 17)); err != nil || a.NBytes() != 16 {
		t.Errorf("17 bytes for 4 int32: %v", err)
	}
	p, err := npy.PartOf(h, npy.At(2))
	if err != nil || p.Start != 8 || p.End != 12 {
		t.Errorf("PartOf(2) is %d to %d, %v", p.Start, p.End, err)
	}
	if _, err := p.Slice(npy.At(0)); err == nil {
		t.Error("no error for an index into a part without dimensions")
	}
	if _, err := p.Array(make([]byte, 5)); err == nil {
		t.Error("no error for a part of another length")
	}
	h.DType = dtype.Object
	if _, err := npy.PartOf(h); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("a part of objects: %v", err)
	}
	if _, err := npy.FromHeader(h, nil); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: %v", err)
	}
	h.Shape = []int{-1}
	if _, err := npy.FromHeader(h, nil); err == nil {
		t.Error("no error for a negative dimension")
	}
}

// A few rows of a large file, wherever it lies, need only their own bytes.
func ExamplePartOf() {
	h := format.Header{DType: dtype.Float32, Shape: []int{1_000_000, 512}, DataOffset: 128}
	p, err := npy.PartOf(h, npy.Span(1000, 1010))
	if err != nil {
		panic(err)
	}
	fmt.Printf("bytes %d to %d of the file\n", h.DataOffset+p.Start, h.DataOffset+p.End)
	// Output:
	// bytes 2048128 to 2068608 of the file
}

// A part of a part is the result of both indices, one after the other, and only its bytes are read.
func ExampleFile_Select() {
	path := filepath.Join(os.TempDir(), "npy-example-select.npy")
	defer os.Remove(path)
	if err := npy.Save(path, []int16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4); err != nil {
		panic(err)
	}
	f, err := npy.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()

	rows, err := f.Select(npy.SpanFrom(1))
	if err != nil {
		panic(err)
	}
	corners, err := rows.Select(npy.All(), npy.All().By(rows.Shape()[1]-1))
	if err != nil {
		panic(err)
	}
	a, err := corners.ReadAll(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
	// Output:
	// [[ 4  7]
	//  [ 8 11]]
}
