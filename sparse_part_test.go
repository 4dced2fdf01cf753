package npy_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
)

// sparseIndices select few of many bytes, from the first to the last.
var sparseIndices = []string{":, 0", ":, -1", "::-1, ::-700", "::5000, ::300", "-7:, :", ":, 3:900"}

// Parts of a stream with many bytes between their elements are the same as of an array in memory, and take memory for the
// elements.
func TestSparseParts(t *testing.T) {
	const rows, columns = 40_000, 1000
	data := make([]byte, rows*columns)
	for i := range data {
		data[i] = byte(i*i>>9 ^ i)
	}
	for _, fortran := range []bool{false, true} {
		h := format.Header{DType: npy.DTypeOf[uint8](), Shape: []int{rows, columns}, FortranOrder: fortran}
		a, err := npy.FromHeader(h, data)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range sparseIndices {
			index, err := npy.ParseIndex(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := a.Slice(index...)
			if err != nil {
				t.Fatal(err)
			}
			checkSparse(t, h, data, text, index, want)
		}
	}
}

func checkSparse(t *testing.T, h format.Header, data []byte, text string, index []npy.Index, want *npy.Array) {
	open := func(r io.Reader) npy.Source {
		s, err := npy.NewStream(h, r)
		if err != nil {
			t.Fatal(err)
		}
		part, err := s.Select(index...)
		if err != nil {
			t.Fatal(err)
		}
		return part
	}
	var got *npy.Array
	var err error
	took := allocated(func() { got, err = open(iotest.HalfReader(bytes.NewReader(data))).ReadAll(t.Context()) })
	if err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("[%s], Fortran order %t: error %v, or other elements", text, h.FortranOrder, err)
	}
	if most := uint64(18<<20 + 4*want.NBytes()); took > most {
		t.Errorf("[%s], Fortran order %t: %d bytes allocated for %d", text, h.FortranOrder, took, want.NBytes())
	}
	part, err := npy.PartOf(h, index...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = open(bytes.NewReader(data[:part.End-1])).ReadAll(t.Context())
	var early *format.Error
	if !errors.As(err, &early) || !errors.Is(err, io.ErrUnexpectedEOF) || early.Offset != part.End-1 {
		t.Errorf("[%s], Fortran order %t: data that ends a byte early is %v", text, h.FortranOrder, err)
	}
	failed := errors.New("the connection is lost")
	_, err = open(io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(failed))).ReadAll(t.Context())
	if !errors.Is(err, failed) {
		t.Errorf("[%s], Fortran order %t: %v", text, h.FortranOrder, err)
	}
}
