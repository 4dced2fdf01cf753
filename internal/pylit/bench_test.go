package pylit

import (
	"strings"
	"testing"
)

// sampleHeader is the header of a file with a plain array.
var sampleHeader = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }" + strings.Repeat(" ", 60) + "\n"

// recordHeader is the header of a file with records.
var recordHeader = "{'descr': [('time', '<M8[us]'), ('lat', '<f8'), ('lon', '<f8'), ('mag', '<f4'), " +
	"('wave', '<i2', (3, 100)), ('', '|V2')], 'fortran_order': False, 'shape': (1000,), }" + strings.Repeat(" ", 40) + "\n"

func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"header", sampleHeader},
		{"records", recordHeader},
		{"fields=1000", "[" + strings.Repeat("('temperature', '<f8'), ", 1000) + "]"},
		{"escapes", "['" + strings.Repeat(`\u00e9\n`, 1000) + "']"},
		{"nested", strings.Repeat("[", 200) + strings.Repeat("]", 200)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(bench.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRepr(b *testing.B) {
	v, err := Parse(recordHeader)
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name  string
		limit int
	}{{"whole", 0}, {"cut", 60}} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = v.Repr(bench.limit)
			}
		})
	}
}

// TestHeaderAllocations keeps the number of allocations of a header, which is the cost of opening a file.
func TestHeaderAllocations(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       float64
	}{
		{"plain", sampleHeader, 2},    // the dict, the shape
		{"records", recordHeader, 10}, // the dict, the shape, the list, six fields, one shape
	} {
		got := testing.AllocsPerRun(100, func() {
			if _, err := Parse(test.text); err != nil {
				t.Fatal(err)
			}
		})
		if got > test.want {
			t.Errorf("%s: Parse made %v allocations, want at most %v", test.name, got, test.want)
		}
	}
}
