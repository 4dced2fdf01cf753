package convert_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// Inputs that try to make the reader panic, recurse or allocate are rejected, or read within bounds.
func TestHostile(t *testing.T) {
	const many = 200_000
	for _, tt := range []struct {
		name   string
		format convert.Format
		text   string
		want   string // part of the error; "" if it is read
	}{
		{"deep lists", "json", strings.Repeat("[", many), "more than 128"},
		{"deep objects", "json", strings.Repeat(`{"a":`, many), "more than 128"},
		{"65 dimensions", "json", strings.Repeat("[", 65) + strings.Repeat("]", 65), "65 dimensions"},
		{"65 dimensions in an object", "json", `{"a":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + "}", "65 dimensions, at most 64"},
		{"deep records", "json", strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100), ""},
		{"huge exponent", "json", "1e" + strings.Repeat("9", many), ""},
		{"tiny exponent", "json", "1e-" + strings.Repeat("9", many), ""},
		{"many digits", "json", "0." + strings.Repeat("7", many), ""},
		{"many digits in a cell", "csv", strings.Repeat("7", many), ""},
		{"never ending string", "json", `"` + strings.Repeat("a", many), "not closed"},
		{"never ending backslashes", "json", `"` + strings.Repeat(`\`, many), "not closed"},
		{"never closed quote", "csv", `"` + strings.Repeat("a\n", many), "line 1, column 1: the quote is not closed"},
		{"quotes alone", "csv", strings.Repeat(`""`, many), ""},
		{"commas alone", "csv", strings.Repeat(",", many), ""},
		{"quoted and mixed columns", "csv", strings.Repeat("1,a,", many/4) + "1", ""},
		{"line ends alone", "csv", strings.Repeat("\n\r", many), ""},
		{"NULs", "csv", strings.Repeat("\x00", many), "NumPy drops NULs"},
		{"NULs as JSON", "json", strings.Repeat("\x00", many), "where a value should be"},
		{"invalid UTF-8", "csv", strings.Repeat("\xff", many), "invalid UTF-8"},
		{"surrogates in UTF-8", "csv", "\xed\xa0\x80", "invalid UTF-8"},
		{"a cell of a megabyte", "csv", strings.Repeat("x", 1<<20), ""},
		{"a string of a megabyte", "json", `"` + strings.Repeat("x", 1<<20) + `"`, ""},
		{"one long cell among many", "csv", strings.Repeat("x", 1<<20) + strings.Repeat("\ny", many), "limit exceeded"},
		{"one long string among many", "json", `["` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat(`,"y"`, many) + "]", "limit exceeded"},
		{"one long line among many", "ndjson", `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("\n\"y\"", many), "limit exceeded"},
		{"many keys", "json", manyKeys(many / 10), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, convert.ReadOptions{})
			runtime.ReadMemStats(&after)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Read(%s): error %.200v, want %q", tt.format, err, tt.want)
			}
			if err != nil && len(err.Error()) > 600 {
				t.Errorf("Read(%s): error of %d bytes", tt.format, len(err.Error()))
			}
			if took, most := after.TotalAlloc-before.TotalAlloc, uint64(800*len(tt.text)+8<<20); took > most {
				t.Errorf("Read(%s) allocated %d bytes for %d of text, want at most %d", tt.format, took, len(tt.text), most)
			}
		})
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{`{"`, `,"`}[min(i, 1)])
		b.WriteString(strings.Repeat("k", 1+i%3))
		for x := i; x > 0; x /= 10 {
			b.WriteByte(byte('0' + x%10))
		}
		b.WriteString(`":1`)
	}
	return b.String() + "}"
}

// A short text must not make an array as large as its dtype allows.
func TestGivenLongItems(t *testing.T) {
	for _, text := range []string{"", "a\n"} {
		a, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, convert.ReadOptions{DType: dtype.Str(1000)})
		if err != nil || a.NBytes() > 4000 {
			t.Errorf("Read of %q as <U1000: %v, %v", text, a, err)
		}
	}
	wide := mustParse(t, "('|V0', (1073741824,))")
	d, err := dtype.Struct(-1, dtype.Field{Name: "x", DType: wide})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := convert.Read(context.Background(), strings.NewReader("1\n"), convert.CSV, convert.ReadOptions{DType: d}); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("Read as a struct of 2**30 values: error %v, want npy.ErrLimit", err)
	}
}

// One long cell in a field without a length makes that field as long in all records, and multiplies in a subarray.
func TestGivenWithoutLength(t *testing.T) {
	const many = 5000
	for _, tt := range []struct {
		format      convert.Format
		text, dtype string
	}{
		{convert.CSV, "a,b\n" + strings.Repeat("x", 1<<20) + ",1" + strings.Repeat("\ny,1", many), "[('a', 'U'), ('b', 'i4')]"},
		{convert.CSV, strings.Repeat("x", 1<<20) + strings.Repeat(",y", many), "[('a', 'S', (5001,))]"},
		{convert.JSON, `[{"a":"` + strings.Repeat("x", 1<<20) + `"}` + strings.Repeat(`,{"a":"y"}`, many) + "]", "[('a', 'U')]"},
	} {
		_, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, convert.ReadOptions{DType: mustParse(t, tt.dtype)})
		if err == nil || !errors.Is(err, npy.ErrLimit) && !strings.Contains(err.Error(), "subarray") {
			t.Errorf("Read(%s) of a long text as %s: error %v, want npy.ErrLimit", tt.format, tt.dtype, err)
		}
	}
}

// Endless rows, lines, columns and texts are rejected by the limits that the error names.
func TestTextLimits(t *testing.T) {
	const many = 20_000
	for _, tt := range []struct {
		format convert.Format
		text   string
		o      convert.ReadOptions
		want   string
	}{
		{convert.CSV, strings.Repeat("1,", 60_000), convert.ReadOptions{MaxRow: 100_000}, "line 1: a row of more than 100000 bytes is over MaxRow 100000"},
		{convert.CSV, strings.Repeat("x", 120_000), convert.ReadOptions{MaxRow: 100_000}, "MaxRow 100000"},
		{convert.CSV, "a\n\"" + strings.Repeat("x\n", 60_000), convert.ReadOptions{MaxRow: 100_000}, "line 2: a row of more than 100000 bytes"},
		{convert.NDJSON, "[" + strings.Repeat("1,", 60_000) + "1]", convert.ReadOptions{MaxRow: 100_000}, "MaxRow 100000"},
		{convert.CSV, strings.Repeat("1,", 60_000) + "1\n", convert.ReadOptions{MaxRow: 1}, "a row of more than 65535 bytes"},
		{convert.CSV, strings.Repeat("1,", 30_000) + "1\n", convert.ReadOptions{MaxRow: 1}, ""},
		{convert.CSV, strings.Repeat("1,", 60_000) + "1\n", convert.ReadOptions{MaxRow: -1}, ""},
		{convert.CSV, strings.Repeat("1,", many) + "1\n", convert.ReadOptions{MaxColumns: many}, "line 1, column 20001: a row of more than 20000 cells is over MaxColumns 20000"},
		{convert.CSV, strings.Repeat("1,", many) + "1\n", convert.ReadOptions{MaxColumns: many + 1}, ""},
		{convert.CSV, strings.Repeat(",", 1<<20) + "\n", convert.ReadOptions{}, "MaxColumns 1048576"},
		{convert.JSON, "[" + strings.Repeat("1,", many) + "1]", convert.ReadOptions{MaxBytes: many}, "text is over MaxBytes 20000"},
		{convert.JSON, "[" + strings.Repeat("1,", many) + "1]", convert.ReadOptions{MaxBytes: -1}, ""},
	} {
		_, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, tt.o)
		if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("Read(%s) of %.20q with %+v: error %v, want %q", tt.format, tt.text, tt.o, err, tt.want)
		}
	}
}

// An endless JSON text is read up to its first byte that JSON cannot contain, or up to DefaultMaxText.
func TestEndlessJSON(t *testing.T) {
	r := &endless{text: "\x00"}
	if _, _, err := convert.Read(context.Background(), r, convert.JSON, convert.ReadOptions{}); err == nil || r.given > 1<<20 {
		t.Errorf("Read of NULs: %d bytes are read, error %v", r.given, err)
	}
	r = &endless{text: " "}
	if _, _, err := convert.Read(context.Background(), r, convert.JSON, convert.ReadOptions{}); !errors.Is(err, npy.ErrLimit) || r.given > convert.DefaultMaxText+1<<20 {
		t.Errorf("Read of spaces: %d bytes are read, error %v", r.given, err)
	}
}

// An endless reader repeats a text forever.
type endless struct {
	text  string
	given int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[(e.given+i)%len(e.text)]
	}
	e.given += len(b)
	return len(b), nil
}

// Readers may return their text in any pieces.
func TestReadPieces(t *testing.T) {
	const text = "\ufeffa,b\n1,\"x\"\"\ny\"\n2,é\n"
	want, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, convert.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := convert.Read(context.Background(), iotest.OneByteReader(strings.NewReader(text)), convert.CSV, convert.ReadOptions{})
	if err != nil || string(got.Bytes()) != string(want.Bytes()) {
		t.Errorf("Read byte by byte gave %v, %v", got, err)
	}
}
