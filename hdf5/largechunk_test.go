package hdf5

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// writeChunks writes an array of one dimension in chunks, compressed with deflate.
func writeChunks(t *testing.T, a *npy.Array, chunk int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.h5")
	err := Format(Decoder{}, Encoder{}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
		return container.Put(context.Background(), w, container.Entry{Path: "a", Chunks: []int{chunk}}, nil, a)
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A chunk that is larger than MaxChunk and highly compressed is refused by every kind of read, and only then.
func TestMaxChunk(t *testing.T) {
	const size = 4 << 20
	data := make([]uint8, 2*size)
	data[0], data[size] = 1, 1 // a chunk of zeros is not written
	a, err := npy.FromSlice(data)
	if err != nil {
		t.Fatal(err)
	}
	path := writeChunks(t, a, size)
	for _, x := range []struct {
		limit int64
		fits  bool
	}{{0, true}, {size, true}, {size - 1, false}, {-1, true}} {
		r, err := Decoder{MaxChunk: x.limit}.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		src, err := r.Source("a")
		if err != nil {
			t.Fatal(err)
		}
		part, err := src.Select(npy.Span(5, 8))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []npy.Source{src, part} {
			_, err := s.ReadAll(t.Context())
			if over := new(npy.LimitError); (err == nil) != x.fits || err != nil && (!errors.As(err, &over) || over.Name != "MaxChunk") {
				t.Errorf("MaxChunk %d, shape %v: %v", x.limit, s.Shape(), err)
			}
		}
	}
}

// Blocks and parts of large chunks have the elements of the whole.
func TestLargeChunkElements(t *testing.T) {
	const n = 12 << 20
	values := make([]byte, 2*n)
	for i := range values {
		values[i] = byte(i * i >> 7)
	}
	a, err := npy.FromBytes(dtype.Uint8, values, 2*n)
	if err != nil {
		t.Fatal(err)
	}
	path := writeChunks(t, a, n)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	src, err := r.Source("a")
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for block, err := range src.Blocks(t.Context(), 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, block.Bytes()...)
	}
	if !bytes.Equal(got, values) {
		t.Errorf("the blocks have %d bytes that are not those of the array", len(got))
	}
	part, err := src.Select(npy.Span(n-5, n+7).By(3))
	if err != nil {
		t.Fatal(err)
	}
	b, err := part.ReadAll(t.Context())
	if err != nil || !bytes.Equal(b.Bytes(), []byte{values[n-5], values[n-2], values[n+1], values[n+4]}) {
		t.Errorf("%v, %v", b, err)
	}
}
