package convert_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy/convert"
)

// doc/formats.md describes formats in the words of the converters, which the command prints.
func TestFormatsPage(t *testing.T) {
	page, err := os.ReadFile("../doc/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range convert.Standard() {
		var lost []string
		for _, l := range c.Lost {
			lost = append(lost, l.What)
		}
		ways := map[bool]string{true: "both ways", false: "only written"}[c.Read != nil]
		row := fmt.Sprintf("| `%s` | %s | %s | %s |\n", strings.Join(c.Endings, "`, `"), ways, c.Kept, strings.Join(lost, "; "))
		if !strings.Contains(string(page), row) {
			t.Errorf("doc/formats.md has no row\n%s", row)
		}
	}
	if got, want := strings.Count(string(page), "\n| `."), len(convert.Standard()); got != want {
		t.Errorf("doc/formats.md has %d rows of formats, want %d", got, want)
	}
}

// Every listed loss is a real loss, and an array without losses reads back unchanged.
func TestLosses(t *testing.T) {
	for _, tt := range []struct {
		format convert.Format
		descr  string
		shape  []int
		want   string
	}{
		{convert.CSV, "<f8", []int{2, 3}, ""},
		{convert.CSV, "<f4", []int{2, 3}, "the dtype, unless it is given again when reading"},
		{convert.CSV, "<f8", []int{2, 1}, "an axis of length 1 at the end, and that there is none"},
		{convert.CSV, "<f8", []int{}, "an axis of length 1 at the end, and that there is none"},
		{convert.CSV, "<f8", []int{0, 3}, "the axes after an axis of length 0"},
		{convert.CSV, "[('a','<i8'),('b','<f8')]", []int{2}, ""},
		{convert.CSV, "[('a','<i8'),('b','<f8',(2,))]", []int{2}, "the dtype, unless it is given again when reading"},
		{convert.JSON, "<i8", []int{2, 1, 3}, ""},
		{convert.JSON, ">i8", []int{2}, "the dtype, unless it is given again when reading"},
		{convert.JSON, "<M8[s]", []int{2}, "the dtype, unless it is given again when reading"},
		{convert.NDJSON, "<i8", []int{}, "that there is no axis"},
		{convert.TXT, "<c16", []int{2, 3}, ""},
		{convert.TXT, "[('a','<f8'),('b','<f8')]", []int{2}, "the dtype, unless it is given again when reading: numbers are float64 or complex128; the names of fields"},
		{convert.PNG, "u1", []int{2, 3}, ""},
		{convert.PNG, ">u2", []int{2, 3, 1}, "an axis of one channel; the byte order"},
		{convert.MD, "u1", []int{2, 3}, "the array: the table is for people and cannot be read back"},
	} {
		tt.descr = native(tt.descr)
		d := mustParse(t, tt.descr)
		if got := strings.Join(convert.Standard().Losses(tt.format, d, tt.shape), "; "); got != tt.want {
			t.Errorf("Losses(%s, %s, %v) = %q, want %q", tt.format, tt.descr, tt.shape, got, tt.want)
		}
		if tt.want == "" {
			roundTripAll(t, tt.format, tt.descr, tt.shape)
		}
	}
}

// roundTripAll writes an array and reads it back without any options.
func roundTripAll(t *testing.T, f convert.Format, descr string, shape []int) {
	t.Helper()
	a := imageArray(t, descr, shape...)
	text, err := write(f, a, convert.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := convert.Read(context.Background(), strings.NewReader(text), f, convert.ReadOptions{})
	if err != nil || !got.DType().Equal(a.DType()) || !equal(got.Shape(), shape) || string(got.Bytes()) != string(a.Bytes()) {
		t.Errorf("%s of %s %v came back as %v, %v", f, descr, shape, got, err)
	}
}
