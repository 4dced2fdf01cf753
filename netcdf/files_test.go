package netcdf_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/netcdf"
)

// An expected is the output of testdata/values.py for a variable.
type expected struct {
	Kind       string
	Size       int
	Shape      []int
	Dims       []string
	Attributes map[string]any
	Sum        string
}

// must returns v.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func fixtures(t testing.TB) map[string]map[string]expected {
	text, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string]expected
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	return files
}

func TestFiles(t *testing.T) {
	for name, want := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			f, err := netcdf.Open(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			sameValues(t, f, want)
		})
	}
}

// sameValues compares a file with netCDF4's values.
func sameValues(t *testing.T, f container.Container, want map[string]expected) {
	t.Helper()
	seen := map[string]bool{"": true}
	sameAttributes(t, f, "", want[""])
	for e := range f.Entries() {
		if e.Group {
			seen[e.Path] = true
			sameAttributes(t, f, e.Path, want[e.Path])
			continue
		}
		x, ok := want[e.Path]
		seen[e.Path] = true
		if !ok || e.Err != nil {
			t.Errorf("%s: error %v; netCDF4 has it: %t", e.Path, e.Err, ok)
			continue
		}
		if !slices.Equal(e.Dims, x.Dims) {
			t.Errorf("%s: dimensions %q, want %q", e.Path, e.Dims, x.Dims)
		}
		src, err := f.Source(e.Path)
		if err == nil {
			err = sameElements(src, x)
		}
		if err == nil && (!src.DType().Equal(e.DType) || !slices.Equal(src.Shape(), e.Shape)) {
			err = fmt.Errorf("the source has dtype %s and shape %v, the entry %s and %v", src.DType(), src.Shape(), e.DType, e.Shape)
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
		}
		sameAttributes(t, f, e.Path, x)
	}
	for path := range want {
		if !seen[path] {
			t.Errorf("%s is missing", path)
		}
	}
}

func sameElements(src npy.Source, x expected) error {
	kind := map[dtype.Kind]string{dtype.KindObject: "O", dtype.KindInt: "i", dtype.KindUint: "u", dtype.KindFloat: "f", dtype.KindBytes: "S"}[src.DType().Kind()]
	if kind != x.Kind || src.DType().ItemSize() != x.Size || !slices.Equal(src.Shape(), x.Shape) {
		return fmt.Errorf("dtype %s and shape %v, want %s%d and %v", src.DType(), src.Shape(), x.Kind, x.Size, x.Shape)
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return err
	}
	if a.DType().HasObject() {
		return sameTexts(a, x)
	}
	if a, err = a.AsType(a.DType().WithByteOrder(dtype.LittleEndian)); err != nil {
		return err
	}
	sum := sha256.Sum256(a.Bytes())
	if hex.EncodeToString(sum[:]) != x.Sum {
		return fmt.Errorf("other elements than netCDF4: %v", a)
	}
	return nil
}

func sameAttributes(t *testing.T, f container.Container, path string, x expected) {
	t.Helper()
	all, err := f.Attributes(path)
	if err != nil || len(all) != len(x.Attributes) {
		t.Errorf("%q: %d attributes, error %v, want %d", path, len(all), err, len(x.Attributes))
	}
	for _, a := range all {
		var got any
		if a.Err == nil && a.Value.DType().HasObject() {
			got = a.Value.Object()
		} else if a.Err == nil {
			text := must(json.Marshal(must(npy.As[float64](must(a.Value.Cast(dtype.Float64, npy.UnsafeCasting))))))
			if err := json.Unmarshal(text, &got); err != nil {
				t.Error(err)
			}
		}
		if want := x.Attributes[a.Name]; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: attribute %s is %v (error %v), want %v", path, a.Name, got, a.Err, want)
		}
	}
}

func sameTexts(a *npy.Array, x expected) error {
	var texts []string
	for _, text := range must(a.Objects()) {
		texts = append(texts, text.(string))
	}
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	if hex.EncodeToString(sum[:]) != x.Sum {
		return fmt.Errorf("other texts than netCDF4: %q", texts)
	}
	return nil
}
