package matlab_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/matlab"
)

// An expected is the output of testdata/values.py for a path: a word, or kind, item size, shape and SHA-256.
type expected struct {
	word  string
	kind  string
	size  int
	shape []int
	sum   string
}

// UnmarshalJSON reads one of the two forms.
func (e *expected) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &e.word)
	}
	return json.Unmarshal(b, &[]any{&e.kind, &e.size, &e.shape, &e.sum})
}

// sameValues compares a file with SciPy's values.
func sameValues(t *testing.T, m *matlab.Reader, want map[string]expected) {
	t.Helper()
	seen := map[string]bool{}
	for e := range m.Entries() {
		seen[e.Path] = true
		x, ok := want[e.Path]
		switch {
		case !ok:
			t.Errorf("%s is not there in SciPy (error %v)", e.Path, e.Err)
		case x.word == "refused":
			if e.Err == nil {
				t.Errorf("%s has no error", e.Path)
			}
		case e.Err != nil:
			t.Errorf("%s: %v", e.Path, e.Err)
		case e.Group != (x.word == "group"):
			t.Errorf("%s is a group: %t", e.Path, e.Group)
		case !e.Group:
			src, err := m.Source(e.Path)
			if err != nil {
				t.Errorf("%s: %v", e.Path, err)
				continue
			}
			if !src.DType().Equal(e.DType) || !slices.Equal(src.Shape(), e.Shape) || npy.HeaderOf(src).FortranOrder != e.FortranOrder {
				t.Errorf("%s: the source has %v, the entry dtype %s, shape %v, Fortran order %t", e.Path, npy.HeaderOf(src), e.DType, e.Shape, e.FortranOrder)
			}
			if err := sameElements(src, x); err != nil {
				t.Errorf("%s: %v", e.Path, err)
			}
		}
	}
	for path := range want {
		if !seen[path] {
			t.Errorf("%s is missing", path)
		}
	}
}

func sameElements(src npy.Source, x expected) error {
	kind := map[dtype.Kind]string{dtype.KindBool: "b", dtype.KindInt: "i", dtype.KindUint: "u", dtype.KindFloat: "f", dtype.KindComplex: "c", dtype.KindStr: "U", dtype.KindBytes: "S"}[src.DType().Kind()]
	if kind != x.kind || src.DType().ItemSize() != x.size || !slices.Equal(src.Shape(), x.shape) {
		return fmt.Errorf("dtype %s and shape %v, want %s%d and %v", src.DType(), src.Shape(), x.kind, x.size, x.shape)
	}
	a, err := src.ReadAll(context.Background())
	if err != nil {
		return err
	}
	if a, err = a.AsType(a.DType().WithByteOrder(dtype.LittleEndian)); err != nil {
		return err
	}
	sum := sha256.Sum256(a.Bytes())
	if hex.EncodeToString(sum[:]) != x.sum {
		return fmt.Errorf("other elements than SciPy: %v", a)
	}
	return nil
}
