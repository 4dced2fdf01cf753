package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// Of wide records as many fields are printed as fit, and one more would not.
func TestPrintFitted(t *testing.T) {
	var fields []dtype.Field
	for i := range 12 {
		fields = append(fields, dtype.Field{Name: fmt.Sprintf("field%d", i), DType: dtype.Float64, Offset: 8 * i})
	}
	fields[3].Name = "東京都の温度"
	rowType, err := dtype.Struct(96, fields...)
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.New(rowType, 5)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for width := 1; width < 130; width++ {
		var text bytes.Buffer
		if err := printFitted(&text, npy.Printer{}, a, width, "; more"); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		shown, note := len(strings.Fields(lines[0])), lines[len(lines)-1]
		table := strings.Join(lines[:6], "\n")
		switch {
		case shown > 1 && !isNarrow([]byte(table), width):
			t.Errorf("width %d: %d fields do not fit:\n%s", width, shown, table)
		case shown < last:
			t.Errorf("width %d: %d fields, and %d in narrower lines", width, shown, last)
		case shown == len(fields) && len(lines) != 6:
			t.Errorf("width %d: a note for no fields: %q", width, note)
		case shown < len(fields) && !strings.HasPrefix(note, fmt.Sprintf("… %d more field", len(fields)-shown)):
			t.Errorf("width %d: %d fields are shown and noted %q", width, shown, note)
		}
		last = shown
	}
	if last != len(fields) {
		t.Errorf("%d of %d fields in the widest lines", last, len(fields))
	}
}
