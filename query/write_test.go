package query_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
)

// streamOf returns the array in data as a stream.
func streamOf(t *testing.T, data []byte) npy.Source {
	t.Helper()
	r := bytes.NewReader(data)
	s, err := npy.NewStream(must(format.ReadHeader(r)), r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// WriteFile writes the bytes of NumPy's save, and leaves a file as it was after an error.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.npy")
	numbers := make([]int32, 30_000)
	for i := range numbers {
		numbers[i] = int32(i * 7919 % 1000)
	}
	a := must(npy.FromSlice(numbers, 10_000, 3))
	c := must(query.Compile("x[:, 1] > 500", a.DType(), 3))
	var file, want bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		t.Fatal(err)
	}
	stream := streamOf(t, file.Bytes())
	n, err := c.WriteFile(t.Context(), path, stream)
	if err != nil {
		t.Fatal(err)
	}
	chosen := must(must(c.Filter(t.Context(), a)).ReadAll(t.Context()))
	if err := npy.Write(&want, chosen); err != nil {
		t.Fatal(err)
	}
	if got := must(os.ReadFile(path)); n != chosen.Len() || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d rows in %d bytes, want %d in %d", n, len(got), chosen.Len(), want.Len())
	}
	cut := streamOf(t, file.Bytes()[:file.Len()/2])
	if _, err := c.WriteFile(t.Context(), path, cut); err == nil {
		t.Error("a stream that was cut: no error")
	}
	if got := must(os.ReadFile(path)); !bytes.Equal(got, want.Bytes()) {
		t.Error("an error changed the file")
	}
}
