package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// longTable returns a table of several blocks, with quotes and line breaks in cells at irregular places.
func longTable(rows int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, 1))
	b.WriteString("id,value,note\r\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%v,\"%s\"\r\n", i, r.NormFloat64(), strings.Repeat("a\r\n\"\"b,", r.IntN(30)))
	}
	return b.String()
}

// A pipe hides the Seek method of its reader.
type pipe struct{ io.Reader }

// Every way to read a long text gives the same array: at once, by bytes, from a pipe held in memory or in a file.
func TestReadLongText(t *testing.T) {
	text := longTable(3000)
	want, report, err := convert.Read(context.Background(), strings.NewReader(text), convert.CSV, convert.ReadOptions{})
	if err != nil || !equal(want.Shape(), []int{3000}) || !report.Header {
		t.Fatalf("Read = %v, %v, %v", want.Shape(), report, err)
	}
	small := convert.ReadOptions{Memory: 1000}
	given := convert.ReadOptions{DType: want.DType()}
	for name, tt := range map[string]struct {
		r io.Reader
		o convert.ReadOptions
	}{
		"a pipe":                 {pipe{strings.NewReader(text)}, convert.ReadOptions{}},
		"a pipe of bytes":        {iotest.OneByteReader(strings.NewReader(text)), convert.ReadOptions{}},
		"in little memory":       {pipe{strings.NewReader(text)}, small},
		"with the dtype":         {pipe{strings.NewReader(text)}, given},
		"errors with data":       {iotest.DataErrReader(pipe{strings.NewReader(text)}), convert.ReadOptions{}},
		"with lengths to be had": {pipe{strings.NewReader(text)}, convert.ReadOptions{DType: mustParse(t, "[('id','i8'),('value','f8'),('note','U')]")}},
	} {
		got, _, err := convert.Read(context.Background(), tt.r, convert.CSV, tt.o)
		if err != nil || !got.DType().Equal(want.DType()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: another array, %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "a.npy")
		if _, err := convert.CopyFileFrom(context.Background(), path, strings.NewReader(text), convert.CSV, tt.o); err != nil {
			t.Fatal(err)
		}
		if got, err = npy.ReadFile(path); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: another file, %v", name, err)
		}
	}
	var plain bytes.Buffer
	if err := npy.Write(&plain, want); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := convert.CopyFrom(context.Background(), &b, strings.NewReader(text), convert.CSV, convert.ReadOptions{}); err != nil || !bytes.Equal(b.Bytes(), plain.Bytes()) {
		t.Errorf("CopyFrom gives other bytes than Write, %v", err)
	}
	if _, err := convert.CopyFrom(context.Background(), &b, strings.NewReader(text), convert.CSV, given); err == nil || !strings.Contains(err.Error(), "cannot seek") {
		t.Errorf("CopyFrom with a dtype, to what cannot seek: error %v", err)
	}
}

// Errors far into a text have the right line, whichever block it is in, and leave no file.
func TestErrorInLongText(t *testing.T) {
	text := strings.Repeat("1,2\n", 200_000)
	for _, tt := range []struct{ name, text, want string }{
		{"ragged", text + "3\n" + text, "line 200001: 1 cell, want 2 as in line 1"},
		{"no number", text + "\n3,x\n" + text, `line 200002, column 2: "x" is not a float64`},
		{"quote", text + "3,a\"b\n" + text, "line 200001, column 2: quote within a cell"},
		{"open quote", text + "3,\"b\n" + text, "line 200001, column 2: the quote is not closed"},
	} {
		for _, o := range []convert.ReadOptions{{}, {DType: dtype.Float64}} {
			if tt.name == "no number" && !o.DType.IsValid() {
				continue
			}
			path := filepath.Join(t.TempDir(), "a.npy")
			_, err := convert.CopyFileFrom(context.Background(), path, strings.NewReader(tt.text), convert.CSV, o)
			var e *convert.Error
			if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%s, dtype %v: error %v, want %q", tt.name, o.DType, err, tt.want)
			}
			if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
				t.Errorf("%s: left %v", tt.name, left)
			}
		}
	}
}

// An error far into NDJSON has the right line.
func TestErrorInLongNDJSON(t *testing.T) {
	text := strings.Repeat("{\"a\": 1}\n", 50_000)
	for _, tt := range []struct{ text, want string }{
		{text + "{\"a\": [1]}\n", "line 50001, byte 450006 ([50000].a): list where a single value should be"},
		{text + "\n{\"a\": 99999999999999999999}\n" + text, "line 50002, byte 450007: 99999999999999999999: integer fits neither"},
		{text + "{\"a\": 1} 2\n", "line 50001, byte 450009 ([50000]): more than one value on a line"},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.text), pipe{strings.NewReader(tt.text)}} {
			_, _, err := convert.Read(context.Background(), r, convert.NDJSON, convert.ReadOptions{Memory: 1000})
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		}
	}
	a, _, err := convert.Read(context.Background(), pipe{iotest.HalfReader(strings.NewReader(text))}, convert.NDJSON, convert.ReadOptions{})
	if err != nil || a.Len() != 50_000 {
		t.Errorf("a pipe is read as %v, %v", a, err)
	}
}

// A changing is a text that differs on the second read.
type changing struct {
	*strings.Reader
	next string
}

func (c *changing) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		c.Reader = strings.NewReader(c.next)
	}
	return c.Reader.Seek(offset, whence)
}

func TestTextChanges(t *testing.T) {
	for _, next := range []string{"", "1\n", "1\n2\n3\n4\n", "5\n6\n7\n", "x\n", "[1]\n2\n3\n"} {
		for _, f := range []convert.Format{convert.CSV, convert.TXT, convert.NDJSON} {
			if _, _, err := convert.Read(context.Background(), &changing{strings.NewReader("1\n2\n3\n"), next}, f, convert.ReadOptions{}); err == nil {
				t.Errorf("%s: a text that becomes %q has no error", f, next)
			}
		}
	}
}

// When the chosen cells have been kept, the text is not read again. A cell that has no value is the exception: the error needs its line.
func TestTextChangesAfterKept(t *testing.T) {
	fields := func([]string) []string { return []string{"a"} }
	for _, next := range []string{"", "a,b\n1,1\n", "a,b\n1,2\n3,4\n5,6\n", "x\n"} {
		read := func(text string, memory int64) (*npy.Array, error) {
			a, _, err := convert.Read(context.Background(), &changing{strings.NewReader(text), next}, convert.CSV, convert.ReadOptions{Fields: fields, Memory: memory})
			return a, err
		}
		a, err := read("a,b\n7,2\n8,4\n", 0)
		if err != nil || strings.Join(strings.Fields(a.String()), " ") != "a 7 8" {
			t.Errorf("becomes %q: %v, %v", next, a, err)
		}
		if _, err := read("a,b\n7,2\n8,4\n", 1); err == nil {
			t.Errorf("a text without kept cells that becomes %q has no error", next)
		}
		if _, err := read("a,b\nx,1\n\xff,2\n", 0); err == nil {
			t.Errorf("a text with a wrong cell that becomes %q has no error", next)
		}
	}
}

// A generator is a long text that takes no memory. It records the largest heap size seen.
type generator struct {
	line string
	left int
	rest string
	peak uint64
}

func (g *generator) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if g.rest == "" {
			if g.left == 0 {
				break
			}
			if g.left--; g.left%100_000 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				g.peak = max(g.peak, m.HeapAlloc)
			}
			g.rest = g.line
		}
		k := copy(p[n:], g.rest)
		g.rest, n = g.rest[k:], n+k
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Memory does not grow with the text, whether it is read once or twice.
func TestCopyFromMemory(t *testing.T) {
	const rows = 1_500_000 // 30 MB of text, 48 MB of array; neither may be held in memory
	for _, tt := range []struct {
		name   string
		format convert.Format
		line   string
		o      convert.ReadOptions
	}{
		{"a table of a dtype", convert.CSV, "1.25,2.5,-3.75,1e10\n", convert.ReadOptions{DType: dtype.Float64}},
		{"a table", convert.CSV, "1.25,2.5,-3.75,1e10\n", convert.ReadOptions{Memory: 1 << 20}},
		{"NDJSON", convert.NDJSON, "[1.25,2.5,-3.7,1e8]\n", convert.ReadOptions{Memory: 1 << 20}},
	} {
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		g := &generator{line: tt.line, left: rows}
		report, err := convert.CopyFileFrom(context.Background(), filepath.Join(t.TempDir(), "a.npy"), g, tt.format, tt.o)
		if err != nil || !equal(report.Shape, []int{rows, 4}) {
			t.Fatalf("%s: %v, %v", tt.name, report, err)
		}
		if took := int64(g.peak) - int64(before.HeapAlloc); took > 40<<20 {
			t.Errorf("%s: %d bytes of memory for a text of 30 MB", tt.name, took)
		}
	}
}

// One long row, then short ones; one row that never ends; elements much longer than their texts.
func TestHostileRows(t *testing.T) {
	for name, tt := range map[string]struct {
		text, dtype, want string
	}{
		"a million commas":             {strings.Repeat(",", 1_000_000) + strings.Repeat("\n1", 1000), "", "line 2: 1 cell, want 1000001 as in line 1"},
		"a million commas, later":      {"1,2\n" + strings.Repeat(",", 1_000_000), "", "line 2: 1000001 cells, want 2"},
		"a million cells as given":     {strings.Repeat("1,", 1_000_000) + "\n1\n", "i4", "line 1, column 1000001: missing value"},
		"long elements, short texts":   {strings.Repeat("a\n", 3000), "U10000", ""},
		"a table of spaces and hashes": {strings.Repeat(" #\n", 300_000), "", ""},
	} {
		o := convert.ReadOptions{}
		if tt.dtype != "" {
			o.DType = mustParse(t, tt.dtype)
		}
		f := convert.CSV
		if strings.Contains(tt.text, "#") {
			f = convert.TXT
		}
		_, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), f, o)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
	if _, _, err := convert.Read(context.Background(), strings.NewReader("1\n2\n"), convert.CSV, convert.ReadOptions{MaxBytes: 3}); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("MaxBytes: error %v", err)
	}
}

func FuzzReadTXT(f *testing.F) {
	for _, s := range []string{"", "1 2\n3 4\n", "# a\n(1+2j) 3\n", "a b\n1 nan\n", "\v1\f#", "1\r2\r\n", "true 1e400\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, _, err := convert.Read(context.Background(), strings.NewReader(text), convert.TXT, convert.ReadOptions{})
		if err != nil {
			return
		}
		out, err := write(convert.TXT, a, convert.WriteOptions{})
		if err != nil {
			return // text
		}
		back, _, err := convert.Read(context.Background(), strings.NewReader(out), convert.TXT, convert.ReadOptions{})
		if err != nil || a.Size() > 0 && back.Size() != a.Size()*max(a.DType().NumField(), 1) {
			t.Errorf("%q is written as %q and read as %v, %v", text, out, back, err)
		}
	})
}

// Every block size gives the same table. Reading by bytes and reading at once cut the text at different places.
func FuzzBlocks(f *testing.F) {
	f.Add("a,b\n1,\"x\"\"\r\ny\"\n", uint16(3))
	f.Add("1\r\r\n2", uint16(1))
	f.Add("\"", uint16(9))
	f.Fuzz(func(t *testing.T, text string, n uint16) {
		long := strings.Repeat(text, 1+int(n)%5000)
		if len(long) > 1<<18 {
			return
		}
		a, _, err := convert.Read(context.Background(), strings.NewReader(long), convert.CSV, convert.ReadOptions{})
		b, _, again := convert.Read(context.Background(), pipe{iotest.HalfReader(strings.NewReader(long))}, convert.CSV, convert.ReadOptions{Memory: 10})
		if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Fatalf("error %v, and %v in pieces", err, again)
		}
		if err == nil && (!a.DType().Equal(b.DType()) || !bytes.Equal(a.Bytes(), b.Bytes())) {
			t.Errorf("%v, and %v in pieces", a, b)
		}
	})
}
