package format_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/pylit"
)

// A vector is a file that NumPy wrote, and its entry in the manifest.
type vector struct {
	path     string
	Descr    json.RawMessage
	Shape    []int
	Order    bool `json:"fortran_order"`
	NBytes   int64
	ItemSize int
	MLDType  string `json:"ml_dtype"` // a type that NumPy stores as void, with a byte order
}

func vectors(t testing.TB) []vector {
	t.Helper()
	var all []vector
	for _, dir := range []string{"../testdata/numpy-1.24.2", "../testdata/numpy-2.3.5", "../testdata/numpy-2.5.2"} {
		data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct{ Files map[string]vector }
		if err := json.Unmarshal(data, &manifest); err != nil {
			t.Fatal(err)
		}
		n := 0
		for name, v := range manifest.Files {
			if strings.HasSuffix(name, ".npy") {
				v.path = filepath.Join(dir, name)
				all = append(all, v)
				n++
			}
		}
		if n < 80 {
			t.Fatalf("%s has %d vectors", dir, n)
		}
	}
	slices.SortFunc(all, func(a, b vector) int { return strings.Compare(a.path, b.path) })
	return all
}

// pythonDescr turns a descr from JSON, which has no tuples, into the literal that NumPy writes.
func pythonDescr(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return string(appendDescr(nil, v))
}

func appendDescr(dst []byte, v any) []byte {
	list, ok := v.([]any)
	if !ok {
		return pylit.AppendRepr(dst, v.(string))
	}
	if len(list) == 2 && isShape(list[1]) {
		return append(appendShape(append(appendDescr(append(dst, '('), list[0]), ", "...), list[1]), ')')
	}
	dst = append(dst, '[')
	for i, item := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		field := item.([]any)
		dst = append(dst, '(')
		if title, ok := field[0].([]any); ok {
			dst = pylit.AppendRepr(append(dst, '('), title[0].(string))
			dst = append(pylit.AppendRepr(append(dst, ", "...), title[1].(string)), ')')
		} else {
			dst = pylit.AppendRepr(dst, field[0].(string))
		}
		dst = appendDescr(append(dst, ", "...), field[1])
		if len(field) == 3 {
			dst = appendShape(append(dst, ", "...), field[2])
		}
		dst = append(dst, ')')
	}
	return append(dst, ']')
}

func isShape(v any) bool {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	_, ok = list[0].(float64)
	return ok
}

func appendShape(dst []byte, v any) []byte {
	var shape []int
	for _, n := range v.([]any) {
		shape = append(shape, int(n.(float64)))
	}
	return append(dst, format.ShapeString(shape)...)
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(strings.TrimPrefix(v.path, "../testdata/"), func(t *testing.T) {
			file, err := os.ReadFile(v.path)
			if err != nil {
				t.Fatal(err)
			}
			h, err := format.ParseHeader(file)
			if err != nil {
				t.Fatal(err)
			}
			if v.MLDType != "" && h.DType.Kind() == dtype.KindVoid {
				if strings.Trim(h.DType.Descr(), "'") != strings.Replace(strings.Trim(pythonDescr(t, v.Descr), "'"), "<", "|", 1) {
					t.Errorf("dtype %s of %s", h.DType, v.Descr)
				}
			} else if want := pythonDescr(t, v.Descr); strings.Trim(h.DType.Descr(), "'") != strings.Trim(want, "'") || !h.DType.Equal(typeOf(t, want)) {
				t.Errorf("dtype %s, want %s", h.DType, want)
			}
			inMemory := h.DType.HasObject() // the manifest has the sizes of the array in memory, which differ for StringDType
			if !slices.Equal(h.Shape, v.Shape) || h.FortranOrder != v.Order || !inMemory && (h.DType.ItemSize() != v.ItemSize || h.NBytes() != v.NBytes) {
				t.Errorf("got %v, order %t, %d bytes, want %v, %t, %d", h.Shape, h.FortranOrder, h.NBytes(), v.Shape, v.Order, v.NBytes)
			}
			if !h.DType.HasObject() && h.DataOffset+h.NBytes() != int64(len(file)) {
				t.Errorf("data of %d bytes at %d in a file of %d", h.NBytes(), h.DataOffset, len(file))
			}
			checkReaders(t, file, h)
			if v.MLDType != "" {
				h.DType = typeOf(t, "'"+v.MLDType+"'").WithByteOrder(dtype.LittleEndian)
			}
			checkRewrite(t, file, h)
		})
	}
}

// checkRewrite writes the header again, in the version of the file and in the version that NumPy would choose.
func checkRewrite(t *testing.T, file []byte, h format.Header) {
	t.Helper()
	want := string(file[:h.DataOffset])
	if got := mustAppend(t, h); string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	chosen := h
	chosen.Version = format.Version{}
	got := mustAppend(t, chosen)
	forced := strings.Contains(want[:8], "\x02\x00") || strings.Contains(want[:8], "\x03\x00") && !strings.ContainsRune(want[12:], '整')
	if string(got) != want && !forced {
		t.Errorf("NumPy's choice: got %q, want %q", got, want)
	}
	written := h
	if hasNoCode(h.DType) {
		written.DType = stored(h.DType)
	}
	if again, err := format.ParseHeader(got); err != nil || !again.Equal(written) {
		t.Errorf("NumPy's choice: %v", err)
	}
}
