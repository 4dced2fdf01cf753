package format

import (
	"slices"
	"strings"
	"testing"
)

// Headers that parsePlain reads, and similar headers that it must not read.
var (
	plainHeaders = []string{
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }",
		"{'descr': '>f8', 'fortran_order': True, 'shape': (3, 4), }",
		"{'descr': '|u1', 'fortran_order': False, 'shape': (), }",
		"{'descr': '<U16', 'fortran_order': False, 'shape': (7,), }",
		"{'descr': '|b1', 'fortran_order': False, 'shape': (0, 1, 0), }",
		"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (" + strings.Repeat("1, ", 31) + "1), }",
		"{'descr': 'float64', 'fortran_order': False, 'shape': (3,), }",
	}
	otherHeaders = []string{
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3,4), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (03,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 9999), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999999999,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (" + strings.Repeat("1, ", 70) + "1), }",
		"{'descr': '<f8', 'fortran_order': false, 'shape': (3,), }",
		"{'descr': 'i4,f8', 'fortran_order': False, 'shape': (3,), }",
		"{'descr': '<f8\\x20', 'fortran_order': False, 'shape': (3,), }",
		"{'descr': '<f8\xe9', 'fortran_order': False, 'shape': (3,), }",
		"{'descr': '', 'fortran_order': False, 'shape': (3,), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } #",
		"{'descr': '<f8",
		"",
	}
)

// The fast path gives the same result as the parser, or none.
func FuzzPlain(f *testing.F) {
	for _, text := range slices.Concat(plainHeaders, otherHeaders) {
		f.Add([]byte(text + "     \n"))
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := parsePlain(text)
		if !ok {
			return
		}
		for _, v := range []Version{V1, V2, V3} {
			want, err := parseAny(v, text)
			if err != nil || !got.DType.Equal(want.DType) || !slices.Equal(got.Shape, want.Shape) || got.FortranOrder != want.FortranOrder {
				t.Errorf("%q: %v %v %v, want %v %v %v, %v", text, got.DType, got.Shape, got.FortranOrder, want.DType, want.Shape, want.FortranOrder, err)
			}
		}
	})
}

// The fast path reads headers that NumPy writes, and no others.
func TestPlainIsTaken(t *testing.T) {
	for _, text := range plainHeaders {
		if _, ok := parsePlain([]byte(text + "   \n")); !ok {
			t.Errorf("parsePlain(%q) reports false", text)
		}
	}
	for _, text := range otherHeaders {
		if _, ok := parsePlain([]byte(text + "   \n")); ok {
			t.Errorf("parsePlain(%q) reports true", text)
		}
	}
}
