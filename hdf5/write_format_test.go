package hdf5

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/writing"
)

// Format reads its own files: values, attributes, names of dimensions and chunks.
func TestFormatBothWays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	formats := container.Formats{Format(Decoder{}, Encoder{})}
	arrays := map[string]*npy.Array{}
	for _, o := range []container.WriteOptions{{}, {Store: true}, {Zstd: true, Level: 19}, {Level: 9, Workers: 1}} {
		err := formats.Create(path, o, func(w container.Writer) error {
			for i, descr := range sampleTypes {
				for j, shape := range [][]int{{}, {0, 2}, {70, 90}} {
					e := container.Entry{Path: strings.Repeat("g/", j) + string(rune('A'+i)), Dims: []string{"x", "y"}[:len(shape)]}
					arrays[e.Path] = sample(descr, shape...)
					if err := container.Put(context.Background(), w, e, []container.Attribute{attribute("a", sample(descr, 3))}, arrays[e.Path]); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		f := must(formats.Open(path))
		count := 0
		for e := range f.Entries() {
			if e.Group {
				continue
			}
			count++
			a := arrays[e.Path]
			if e.Err != nil {
				t.Errorf("%s: %v", e.Path, e.Err)
				continue
			}
			got := must(must(f.Source(e.Path)).ReadAll(context.Background()))
			wantEqual(t, e.Path, got, a)
			attributes := must(f.Attributes(e.Path))
			if want := []string{"x", "y"}[:a.NDim()]; len(attributes) != 1 || !slices.Equal(e.Dims, want) || !slices.Equal(e.Labels, want) {
				t.Errorf("%s: %d attributes, dimensions %q, labels %q", e.Path, len(attributes), e.Dims, e.Labels)
				continue
			}
			wantEqual(t, e.Path+" attribute", attributes[0].Value, sample(sampleTypes[strings.TrimLeft(e.Path, "g/")[0]-'A'], 3))
		}
		if count != len(arrays) {
			t.Errorf("%d arrays, want %d", count, len(arrays))
		}
		f.Close()
	}
}

// wantEqual compares a written array with the array read back. Text in UCS-4 becomes objects.
func wantEqual(t *testing.T, what string, got, want *npy.Array) {
	t.Helper()
	if got == nil || !slices.Equal(got.Shape(), want.Shape()) {
		t.Errorf("%s: got %v, want %v", what, got, want)
		return
	}
	if writing.HasKind(want.DType(), dtype.KindStr) {
		if got.String() != want.String() && want.NDim() == 0 {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
		return
	}
	if !got.DType().Equal(want.DType()) || string(got.Bytes()) != string(want.Bytes()) {
		t.Errorf("%s: dtype %s, want %s, or other values: got %.200s, want %.200s", what, got.DType(), want.DType(), got, want)
	}
}
