package npy_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/npygo/npy"
)

// An index out of bounds is an IndexError in memory and in a file.
func TestIndexError(t *testing.T) {
	a := must(npy.FromSlice([]int8{1, 2, 3, 4, 5, 6}, 2, 3))
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	f := must(npy.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len())))
	want := npy.IndexError{Index: -4, Axis: 1, Size: 3}
	for name, slice := range map[string]func(...npy.Index) (*npy.Array, error){"Array": a.Slice, "File": f.Slice} {
		_, err := slice(npy.At(0), npy.At(-4))
		var outside *npy.IndexError
		if !errors.As(err, &outside) || *outside != want {
			t.Errorf("%s: error %v, want %v", name, err, &want)
		}
	}
}

// A limit reports its name, its value and the refused value, at every depth of calls.
func TestLimitError(t *testing.T) {
	var b bytes.Buffer
	if err := npy.Write(&b, must(npy.FromSlice(make([]int8, 100)))); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		d    npy.Decoder
		want npy.LimitError
	}{
		"header": {npy.Decoder{MaxHeader: 5}, npy.LimitError{Name: "MaxHeader", Limit: 5, Got: 118, What: "header of 118 bytes is over MaxHeader 5"}},
		"bytes":  {npy.Decoder{MaxBytes: 9}, npy.LimitError{Name: "MaxBytes", Limit: 9, Got: 100, What: "npy: 100 bytes of elements are over MaxBytes 9"}},
	} {
		_, err := test.d.Read(bytes.NewReader(b.Bytes()))
		var over *npy.LimitError
		if !errors.As(err, &over) || *over != test.want || !errors.Is(err, npy.ErrLimit) {
			t.Errorf("%s: error %v, want %v", name, err, &test.want)
		}
	}
}
