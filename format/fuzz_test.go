package format_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

func FuzzHeader(f *testing.F) {
	for _, v := range vectors(f) {
		file, err := os.ReadFile(v.path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file[:min(len(file), 512)])
	}
	for _, tt := range odd {
		for _, v := range []format.Version{format.V1, format.V3} {
			if len(tt.text) < 1000 {
				f.Add([]byte(framed(v, tt.text)))
			}
		}
	}
	for _, tt := range bad {
		if len(tt.file) < 1000 {
			f.Add([]byte(tt.file))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		h, err := format.ParseHeader(file)
		read, readErr := format.ReadHeader(bytes.NewReader(file))
		if err != nil {
			checkError(t, file, err, readErr)
			return
		}
		if readErr != nil || !read.Equal(h) || read.DataOffset != h.DataOffset || read.Version != h.Version {
			t.Fatalf("from bytes %+v, from a reader %+v, %v", h, read, readErr)
		}
		if err := h.Validate(); err != nil || h.DataOffset < 10 || h.DataOffset > int64(len(file)) {
			t.Fatalf("%+v: %v", h, err)
		}
		checkFixedPoint(t, h)
	})
}

func checkError(t *testing.T, file []byte, err, readErr error) {
	t.Helper()
	if readErr == nil || readErr.Error() != err.Error() {
		t.Fatalf("from bytes %v, from a reader %v", err, readErr)
	}
	if err == io.EOF && len(file) == 0 {
		return
	}
	var e *format.Error
	if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(file)) || len(err.Error()) > 2000 {
		t.Fatalf("got %#v: %v", err, err)
	}
}

// checkFixedPoint writes a header twice: what is written is read as the same and written as the same.
func checkFixedPoint(t *testing.T, h format.Header) {
	t.Helper()
	h.Version = format.Version{}
	first, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := format.Decoder{MaxHeader: -1}.ParseHeader(first)
	if err != nil {
		t.Fatalf("%q: %v", first, err)
	}
	again.Version = format.Version{}
	second, err := again.Append(nil)
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("first %q, then %q, %v", first, second, err)
	}
	if !again.Equal(h) && !hasCustom(h.DType) {
		t.Fatalf("first %+v, then %+v", h, again)
	}
}

// hasCustom reports whether t is or holds a type such as bfloat16, which has no name in a file: it comes back as the
// bytes that NumPy takes it for.
func hasCustom(t dtype.Type) bool {
	if t.IsSubarray() {
		return hasCustom(t.Elem())
	}
	for _, f := range t.Fields() {
		if hasCustom(f.DType) {
			return true
		}
	}
	return t.Kind() == dtype.KindVoid && !t.IsStruct() && t.ByteOrder() != dtype.NoByteOrder
}
