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
	for _, descr := range []string{"'bfloat16'", "'float8_e4m3fn'", "'float8_e5m2'", "'int4'", "'complex32'", "('bfloat16', (2,))",
		"[('a', 'bfloat16'), ('', 'int4'), ('b', [('c', 'float8_e4m3fn', (2, 3))])]"} {
		f.Add([]byte(framed(format.V1, "{'descr': "+descr+", 'fortran_order': False, 'shape': (3,), }")))
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

// checkFixedPoint writes a header twice. The first text reads back as the stored header, which is then written as the
// same text.
func checkFixedPoint(t *testing.T, h format.Header) {
	t.Helper()
	h.Version = format.Version{}
	first := rewritten(t, &h)
	h.DType = stored(h.DType)
	second := rewritten(t, &h)
	if third := rewritten(t, &h); !bytes.Equal(second, third) {
		t.Fatalf("first %q, then %q, then %q", first, second, third)
	}
}

// rewritten writes a header, and compares the header that is read back with the types that are stored.
func rewritten(t *testing.T, h *format.Header) []byte {
	t.Helper()
	text, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := format.Decoder{MaxHeader: -1}.ParseHeader(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	want := *h
	want.DType, again.Version = stored(h.DType), h.Version
	if !again.Equal(want) {
		t.Fatalf("%+v is written as %q and read as %+v", want, text, again)
	}
	return text
}

// stored returns the type that t is after it has been written to a file and read back. Types such as bfloat16, whose
// names are not in the descr, become raw bytes; without a field name they become padding.
func stored(t dtype.Type) dtype.Type {
	switch {
	case t.IsSubarray():
		sub, err := dtype.Subarray(stored(t.Elem()), t.SubShape()...)
		if err != nil {
			panic(err)
		}
		return sub
	case t.IsStruct():
		var fields []dtype.Field
		for _, f := range t.Fields() {
			if f.Name == "" && f.Title == "" && hasNoCode(f.DType) {
				continue
			}
			f.DType = stored(f.DType)
			fields = append(fields, f)
		}
		record, err := dtype.Struct(t.ItemSize(), fields...)
		if err != nil {
			panic(err)
		}
		return record
	case hasNoCode(t):
		return dtype.Void(t.ItemSize())
	}
	return t
}

// hasNoCode reports whether t is a type such as bfloat16: raw bytes to NumPy, but with a byte order.
func hasNoCode(t dtype.Type) bool {
	return t.Kind() == dtype.KindVoid && !t.IsStruct() && !t.IsSubarray() && t.ByteOrder() != dtype.NoByteOrder
}
