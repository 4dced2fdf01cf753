package query_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npygo/npy/convert"
)

// Durations and moments that are written as text stand beside times in operators, as numpy.timedelta64 and numpy.datetime64 do.
func TestDurations(t *testing.T) {
	rows, _, err := convert.Read(context.Background(), strings.NewReader("1970-01-01T02:00:00,5400,1970"), convert.CSV,
		convert.ReadOptions{DType: parseType(t, "[('t','M8[s]'),('d','m8[s]'),('y','M8[Y]')]")})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ expr, descr, json string }{
		{"d / '1 h'", "<f8", `1.5`},
		{"d // '1 h'", "<i8", `1`},
		{"d % '1 h'", "<m8[s]", `1800`},
		{"'3 h' / d", "<f8", `2.0`},
		{"d * 2 - '90 s'", "<m8[s]", `10710`},
		{"d + '1h 30min'", "<m8[s]", `10800`},
		{"d - '-1 s'", "<m8[s]", `5401`},
		{"t + '1 D'", "<M8[s]", `"1970-01-02T02:00:00"`},
		{"t - '1.5 h'", "<M8[s]", `"1970-01-01T00:30:00"`},
		{"t + '0.5 s'", "<M8[ms]", `"1970-01-01T02:00:00.500"`},
		{"'1 D' + t", "<M8[s]", `"1970-01-02T02:00:00"`},
		{"t - '1970-01-01'", "<m8[s]", `7200`},
		{"'1970-01-01T02:00:00.25' - t", "<m8[ms]", `250`},
		{"y + '13 month'", "<M8[M]", `"1971-02"`},
	} {
		got := computed(rows, "x = "+x.expr)
		if want := x.descr + " " + x.json; !strings.Contains(got, "('x', '"+x.descr+"')") || !strings.HasSuffix(got, `"x":`+x.json+"}] <nil>") {
			t.Errorf("%s is %s, want %s", x.expr, got, want)
		}
	}
	for _, x := range []struct{ expr, msg string }{
		{"t + '1 Y'", "no common unit"},
		{"t + '5 apples'", "is not a duration"},
		{"d + '99999999999999999999 D'", "does not fit in the 64 bits of a timedelta64"},
		{"t + ''", "an empty text is not a duration"},
		{"t - '1970-13-01'", "is not a time"},
		{"d + '1 Y 2 D'", "has no fixed length"},
	} {
		_, err := compute(rows, "x = "+x.expr)
		if err == nil || !strings.Contains(err.Error(), x.msg) {
			t.Errorf("%s: error %v, want %q", x.expr, err, x.msg)
		}
	}
}
