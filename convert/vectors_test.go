package convert_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

var formats = []convert.Format{convert.CSV, convert.TSV, convert.JSON, convert.NDJSON}

// vectors calls do with every array without objects in testdata that NumPy wrote.
func vectors(t *testing.T, do func(t *testing.T, a *npy.Array)) {
	t.Helper()
	paths, err := filepath.Glob("../testdata/numpy-*/*.npy")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors in testdata: %v", err)
	}
	for _, path := range paths {
		base := filepath.Base(path)
		if strings.HasPrefix(base, "object") || base == "stringdtype.npy" {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+base, func(t *testing.T) {
			a, err := npy.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			do(t, a)
		})
	}
}

func TestVectorsRoundTrip(t *testing.T) {
	vectors(t, func(t *testing.T, a *npy.Array) {
		for _, f := range formats {
			roundTrip(t, f, a)
			if a.NDim() == 3 && a.Size() > 0 {
				part, err := a.Slice(npy.At(0))
				if err != nil {
					t.Fatal(err)
				}
				roundTrip(t, f, part)
			}
		}
	})
}

// roundTrip writes a, reads it back with its own dtype, and compares bytes and shape, as far as the format keeps them.
func roundTrip(t *testing.T, f convert.Format, a *npy.Array) {
	t.Helper()
	text, err := write(f, a, convert.WriteOptions{})
	if table := f == convert.CSV || f == convert.TSV; table && !fits(a) {
		if err == nil {
			t.Errorf("Write(%s) of shape %v, dtype %s: no error, want one", f, a.Shape(), a.DType())
		}
		return
	}
	if err != nil {
		t.Errorf("Write(%s) of shape %v, dtype %s: %v", f, a.Shape(), a.DType(), err)
		return
	}
	b, report, err := convert.Read(context.Background(), strings.NewReader(text), f, convert.ReadOptions{DType: a.DType()})
	if err != nil {
		t.Errorf("Read(%s) of %.200q as %s: %v", f, text, a.DType(), err)
		return
	}
	if report.Inferred || !b.DType().Equal(a.DType()) {
		t.Errorf("Read(%s) gave dtype %s, report %+v, want %s", f, b.DType(), report, a.DType())
	}
	if a.Size() > 0 {
		want := wantShape(f, a)
		if got := b.Shape(); !equal(got, want) {
			t.Errorf("Read(%s) of %.200q gave shape %v, want %v", f, text, got, want)
		}
		if got, want := payload(b), payload(a); !bytes.Equal(got, want) {
			t.Errorf("Read(%s) of %.300q as %s\n got % x\nwant % x", f, text, a.DType(), got, want)
		}
	}
	again, err := write(f, b, convert.WriteOptions{})
	if err != nil || a.Size() > 0 && again != text {
		t.Errorf("Write(%s) of what was read: %q, %v, want %q", f, again, err, text)
	}
}

func write(f convert.Format, a *npy.Array, o convert.WriteOptions) (string, error) {
	var b strings.Builder
	err := convert.Write(context.Background(), &b, f, a, o)
	return b.String(), err
}

// fits reports whether a fits into a table.
func fits(a *npy.Array) bool {
	if a.DType().IsStruct() {
		return a.NDim() < 2 && a.DType().NumField() > 0
	}
	return a.NDim() <= 2
}

// wantShape returns the shape that a format keeps.
func wantShape(f convert.Format, a *npy.Array) []int {
	shape := a.Shape()
	switch {
	case f != convert.JSON && len(shape) == 0:
		return []int{1}
	case (f == convert.CSV || f == convert.TSV) && len(shape) == 2 && shape[1] == 1:
		return shape[:1]
	}
	return shape
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// payload returns the bytes of a that carry values: without padding, and with a single representation of NaN and of
// true.
func payload(a *npy.Array) []byte {
	var out []byte
	data := a.Bytes()
	size := a.DType().ItemSize()
	for i := range a.Size() {
		out = appendPayload(out, a.DType(), data[i*size:(i+1)*size])
	}
	return out
}

func appendPayload(out []byte, t dtype.Type, item []byte) []byte {
	switch {
	case t.IsSubarray():
		size := t.Elem().ItemSize()
		for i := 0; i+size <= len(item) && size > 0; i += size {
			out = appendPayload(out, t.Elem(), item[i:i+size])
		}
		return out
	case t.IsStruct():
		for _, f := range t.Fields() {
			out = appendPayload(out, f.DType, item[f.Offset:f.Offset+f.DType.ItemSize()])
		}
		return out
	case t.Kind() == dtype.KindComplex:
		half := len(item) / 2
		return appendFloat(appendFloat(out, t, item[:half]), t, item[half:])
	case t.Kind() == dtype.KindFloat:
		return appendFloat(out, t, item)
	case t.Kind() == dtype.KindBool && item[0] != 0:
		return append(out, 1)
	}
	return append(out, item...)
}

// appendFloat replaces every NaN by one word and drops the padding of long doubles.
func appendFloat(out []byte, t dtype.Type, item []byte) []byte {
	b := bytes.Clone(item)
	if t.ByteOrder() == dtype.BigEndian {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	fraction := map[int]int{1: 2, 2: 10, 4: 23, 8: 52, 12: 63, 16: 63}[len(b)]
	b = b[:min(len(b), 10)]
	exponent, rest := true, false
	for bit := range 8*len(b) - 1 {
		set := b[bit/8]>>(bit%8)&1 == 1
		if bit < fraction {
			rest = rest || set
		} else {
			exponent = exponent && set
		}
	}
	if exponent && rest {
		return append(out, "NaN"...)
	}
	return append(out, b...)
}
