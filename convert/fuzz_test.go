package convert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{"", "1,2\n3,4\n", "a,b\n1,x\n", "\ufeff\"a\"\"b\",\n", "1\r\n2\r3", "2020-01-01,NaT\n", "1+2j,nan\n", `\ud800,\x41`, "true,\n",
		"18446744073709551615\n", "\"a\nb\"\n", " 1 ,\t2\n", "a\x00b,c\n", "9999999999999999999999\n", "2020-01-01T00:00:00.000000000001\n", "\" \",\"\"\n"} {
		f.Add(s, false, uint8(0))
		f.Add(strings.ReplaceAll(s, ",", "\t"), true, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, tabs bool, header uint8) {
		format := convert.CSV
		if tabs {
			format = convert.TSV
		}
		fixedPoint(t, format, text, convert.ReadOptions{Header: convert.Header(header % 3)})
	})
}

func FuzzReadJSON(f *testing.F) {
	for _, s := range []string{"", "1", "[]", "[[1,2],[3,4]]", `[{"a":1,"b":[true]},{"b":[false],"a":2}]`, `[1.5,null,"NaN"]`, `["\ud83d\ude00","\\ud800"]`,
		"[[],[]]", `{"a":{}}`, "1\n2\n", "{\"x\":1}\n{\"x\":2}\n", "[1e400]", `["a",1]`, "\ufeff[1]", `{"a":[],"b":[[]]}`, "18446744073709551615"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, lines bool) {
		format := convert.JSON
		if lines {
			format = convert.NDJSON
		}
		fixedPoint(t, format, text, convert.ReadOptions{})
	})
}

// fixedPoint reads text. If the text is valid, it writes and reads the array in every format: the values must not
// change.
func fixedPoint(t *testing.T, f convert.Format, text string, o convert.ReadOptions) {
	a, _, err := convert.Read(context.Background(), strings.NewReader(text), f, o)
	if err != nil {
		if len(err.Error()) > 8000 {
			t.Errorf("Read(%s) of %q: error of %d bytes", f, text, len(err.Error()))
		}
		return
	}
	if a.Size() > 0 && a.DType().ItemSize() == 0 {
		return // objects without members, or with nothing but empty lists
	}
	for _, f := range formats {
		roundTrip(t, f, a)
	}
}

// Any pickle becomes JSON, or cells of a table, of bounded length, or an error.
func FuzzWriteObjects(f *testing.F) {
	paths, err := filepath.Glob("../testdata/numpy-*/object-*.npy")
	if err != nil || len(paths) == 0 {
		f.Fatal("no vectors", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[128:])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := objects.Decoder{Pickle: pickle.Decoder{MaxBytes: 1 << 16}}
		v, err := d.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		a, err := npy.FromObjects([]any{v})
		if err != nil {
			t.Fatal(err)
		}
		o := convert.WriteOptions{MaxShared: 1 << 16}
		var b bytes.Buffer
		if err := convert.Write(context.Background(), &b, convert.JSON, a, o); err == nil && !json.Valid(b.Bytes()) {
			t.Errorf("JSON of %s is %.500q", pickle.Repr(v), b.Bytes())
		}
		if most := 1<<17 + 4096*len(data); b.Len() > most {
			t.Errorf("%d bytes of pickle became %d of JSON, want at most %d", len(data), b.Len(), most)
		}
		b.Reset()
		if err := convert.Write(context.Background(), &b, convert.CSV, a, o); err == nil && b.Len() == 0 {
			t.Error("no cell")
		}
	})
}

// Options of tables never make a reader panic, nor take much more memory than the text.
func FuzzTableOptions(f *testing.F) {
	for _, tt := range wildCases {
		f.Add(tt.text, tt.options.Delimiter, tt.options.Comment, tt.options.Decimal, tt.options.Thousands, uint8(tt.options.Skip), uint8(tt.options.Ragged))
	}
	encodings := []convert.Encoding{"", convert.Latin1, convert.Windows1252, convert.UTF16, convert.UTF16BE}
	f.Fuzz(func(t *testing.T, text string, delimiter, comment, decimal, thousands, skip, how uint8) {
		o := convert.ReadOptions{Header: convert.Header(how / 3 % 3), Table: convert.TableOptions{
			Delimiter: delimiter, Comment: comment, Decimal: decimal, Thousands: thousands, Skip: int(skip % 8),
			Ragged: convert.Ragged(how % 3), Encoding: encodings[int(how/9)%len(encodings)],
		}}
		a, report, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, o)
		if err != nil {
			return
		}
		if !report.DType.Equal(a.DType()) || !equal(report.Shape, a.Shape()) {
			t.Fatalf("report %v of an array of dtype %s, shape %v", report, a.DType(), a.Shape())
		}
		// Another reader of the same text gets the same array.
		again, _, err := convert.Read(context.Background(), pipe{strings.NewReader(text)}, convert.CSV, o)
		if err != nil || again.String() != a.String() {
			t.Fatalf("read again: %v, %v, want %v", again, err, a)
		}
	})
}
