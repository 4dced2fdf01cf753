package elem_test

import (
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A time with an offset is the same moment in UTC, or an error.
func TestOffsets(t *testing.T) {
	for _, tt := range []struct{ text, dtype, want string }{
		{"2024-01-02T03:04:05+01:00", "M8[s]", "2024-01-02T02:04:05"},
		{"2024-01-02T03:04:05-0530", "M8[ns]", "2024-01-02T08:34:05.000000000"},
		{"2024-01-01 00:30+01", "M8[m]", "2023-12-31T23:30"},
		{"2024-01-01T05+05", "M8[D]", "2024-01-01"},
		{"2024-01-01T00+00", "M8[D]", "2024-01-01"},
		{"2024-01-01T00:00+00:30", "M8[h]", ""},
		{"2024-01-01T00:00+01:00", "M8[25s]", "2023-12-31T23:00:00"},
		{"1970-01-01T00:00:01+00:01", "M8[fs]", "1969-12-31T23:59:01.000000000000000"},
		{"1970-01-01T00:00:01+23:00", "M8[as]", ""},
		{"2024-01-01T00:00+24:00", "M8[s]", ""},
		{"2024-01-01+01:00", "M8[s]", ""},
		{"2024-01-01T00:00+1:00", "M8[s]", ""},
		{"2024-01-01T00:00+0:100", "M8[s]", ""},
		{"2024-01-01T00:00+01:00", "M8[M]", ""},
	} {
		d, err := dtype.Parse(tt.dtype)
		if err != nil {
			t.Fatal(err)
		}
		parse, err := elem.Texts{}.Parser(d)
		if err != nil {
			t.Fatal(err)
		}
		format, _ := elem.Texts{}.Formatter(d)
		item := make([]byte, 8)
		err = parse(item, tt.text)
		if tt.want == "" {
			if err == nil {
				got, _ := format(nil, item)
				t.Errorf("%q as %s is %s, want an error", tt.text, tt.dtype, got)
			}
			continue
		}
		if got, _ := format(nil, item); err != nil || string(got) != tt.want {
			t.Errorf("%q as %s is %s, %v, want %s", tt.text, tt.dtype, got, err, tt.want)
		}
	}
}
