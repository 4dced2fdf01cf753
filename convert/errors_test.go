package convert_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

func mustParse(t testing.TB, text string) dtype.Type {
	t.Helper()
	if text == "" {
		return dtype.Type{}
	}
	d, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestReadErrors(t *testing.T) {
	const record = "[('a', '<i4'), ('b', '<f8')]"
	for _, tt := range []struct {
		format convert.Format
		text   string
		dtype  string
		header convert.Header
		want   string
	}{
		{"csv", "1,2\n3,4\n5,abc\n", "f8", 0, `line 3, column 2: "abc" is not a float64`},
		{"csv", "1\n\n\n300\n", "i1", 0, `line 4, column 1: "300" is not an int8: value out of range`},
		{"csv", "-1\n", "u1", 0, `line 1, column 1: "-1" is not a uint8: value out of range`},
		{"csv", "1.5\n", "i8", 0, `line 1, column 1: "1.5" is not an int64: it is not a whole number`},
		{"csv", "1,NA\n", "i8", 0, `line 1, column 2: "NA" is a missing value, which only dtypes of floats, complex numbers and times have`},
		{"csv", "1,\n", "i8", 0, `line 1, column 2: missing value, want an int64`},
		{"csv", "0x10\n", "f8", 0, `line 1, column 1: "0x10" is not a float64`},
		{"csv", "1_000\n", "f8", 0, `line 1, column 1: "1_000" is not a float64`},
		{"csv", "1\nyes\n", "?", 0, `line 2, column 1: "yes" is not a bool`},
		{"csv", "abcd\n", "<U3", 0, `line 1, column 1: "abcd" is not a <U3: 4 characters are too long for 3`},
		{"csv", "é\n", "S1", 0, `line 1, column 1: "é" is not a |S1: 2 bytes are too long for 1`},
		{"csv", "a\x00\n", "S3", 0, `line 1, column 1: "a\x00" is not a |S3: NumPy drops NULs at the end of str and bytes, so the value would change`},
		{"csv", "\xff\n", "<U3", 0, `line 1, column 1: "\xff" is not a <U3: invalid UTF-8; give an encoding such as latin-1 or windows-1252`},
		{"csv", "\xff\n", "", 0, `line 1, column 1: "\xff" is not a <U1: invalid UTF-8; give an encoding such as latin-1 or windows-1252`},
		{"csv", "abc\n", "V2", 0, `line 1, column 1: "abc" is not a |V2: 3 characters given, want 4 hexadecimal digits`},
		{"csv", "abcg\n", "V2", 0, `line 1, column 1: "abcg" is not a |V2`},
		{"csv", "2020-01-02\n", "M8[M]", 0, `line 1, column 1: "2020-01-02" is not a datetime64[M]: value is not a whole number of ticks`},
		{"csv", "-9223372036854775808\n", "m8[s]", 0, `line 1, column 1: "-9223372036854775808" is not a timedelta64[s]: value out of range`},
		{"csv", strings.Repeat("x", 50), "i2", 2, `line 1, column 1: "` + strings.Repeat("x", 40) + `"... is not an int16`},
		{"csv", "1,2\n3,4,5\n", "", 0, `line 2: 3 cells, want 2 as in line 1; RaggedSkip drops such rows`},
		{"csv", "\n1,2\n3\n", "f8", 0, `line 3: 1 cell, want 2 as in line 2; RaggedFill fills such rows with missing values, RaggedSkip drops them`},
		{"csv", "\"a\nb\",2\n3\n", "", 0, `line 3: 1 cell, want 2 as in line 1; RaggedFill fills such rows with missing values, RaggedSkip drops them`},
		{"csv", "1\n2,\"abc\n\n", "", 0, `line 2, column 2: the quote is not closed`},
		{"csv", "1,a\"b\n", "", 0, `line 1, column 2: quote within a cell without quotes: put the cell in quotes and write "" for each in it`},
		{"csv", "1,\"a\"b\n", "", 0, `line 1, column 2: text follows the closing quote of a cell`},
		{"csv", "\xff,a\n1,2\n", "", 1, `line 1, column 1: name "\xff" is not UTF-8; give an encoding such as latin-1 or windows-1252`},
		{"csv", "a,b\n1,x\n", record, 0, `line 2, column 2: "x" is not a float64`},
		{"csv", "a,c\n1,2\n", record, 0, `line 1, column 1: "a" is not an int32 (no header: that would be the names "a", …)`},
		{"csv", "a,c\n1,2\n", record, 1, `line 1, column 2: "c" is not the name of exactly one field of the dtype`},
		{"csv", "a,a\n1,2\n", record, 1, `line 1, column 2: "a" is not the name of exactly one field of the dtype`},
		{"csv", "1,2,3\n", record, 0, `line 1: 3 cells, want 2: the dtype has as many values`},
		{"tsv", "1\t2\n3\tx\n", "f4", 0, `line 2, column 2: "x" is not a float32`},
		{"json", "", "", 0, `line 1: text ends where a value should be`},
		{"json", "[1,2", "", 0, `line 1, byte 4: text ends where ',' or ']' should be`},
		{"json", "[1,]", "", 0, `line 1, byte 3 ([1]): "]" where a value should be`},
		{"json", "[1 2]", "", 0, `line 1, byte 3: "2" where ',' or ']' should be`},
		{"json", "[[1],[2,3]]", "", 0, `line 1, byte 5 ([1]): list of 2 items, want 1: all lists of an axis have the same length`},
		{"json", "[[[1],[2]],\n[[1],[]]]", "", 0, `line 2, byte 17 ([1][1]): list of 0 items, want 1: all lists of an axis have the same length`},
		{"json", "[[1],2]", "", 0, `line 1, byte 5 ([1]): 2 where a list should be`},
		{"json", "[1,[2]]", "", 0, `line 1, byte 3 ([1]): list where a single value should be`},
		{"json", "[1,{}]", "", 0, `line 1, byte 3 ([1]): object where a single value should be`},
		{"json", `[{"a":1},3]`, "", 0, `line 1, byte 9 ([1]): 3 where an object should be`},
		{"json", `[{"a":[1]},{"b":1}]`, "", 0, `byte 0 (.a): the key is not in every object, and a list cannot be missing`},
		{"json", `[{"a":1,"b":true},{"a":1}]`, "", 0, `byte 0 (.b): the key is not in every object, and bools cannot be missing`},
		{"json", `{"a":1,"a":2}`, "", 0, `line 1, byte 7: key "a" is there twice`},
		{"json", `{"":1}`, "", 0, `line 1, byte 1: key "" is no name for a field`},
		{"json", `{a:1}`, "", 0, `line 1, byte 1: "a" where a key in quotes should be`},
		{"json", `{"a" 1}`, "", 0, `line 1, byte 5: "1" where ':' after the key should be`},
		{"json", `[{"a b":{"x":[1,"y"]}}]`, "", 0, `line 1, byte 16 ([0]["a b"].x[1]): "y" cannot be in one array with the strings or numbers before it`},
		{"json", `[true,1]`, "", 0, `line 1, byte 6 ([1]): 1 cannot be in one array with the bools or other values before it`},
		{"json", `["a",null]`, "", 0, `line 1, byte 5 ([1]): null cannot be in one array with the strings or numbers before it`},
		{"json", `[1,18446744073709551616]`, "", 0, `line 1, byte 3: 18446744073709551616: integer fits neither int64 nor uint64; give a dtype`},
		{"json", `[9007199254740993,null]`, "", 0, `line 1, byte 1: 9007199254740993: integer is beyond 2**53, and with values missing it would be rounded to float64; give a dtype`},
		{"json", `[1] 2`, "", 0, `line 1, byte 4: text after the value; several values, one on each line, are .ndjson`},
		{"json", `[nan]`, "", 0, `line 1, byte 1 ([0]): nan is not JSON: put it in quotes`},
		{"json", `[1.5, 9007199254740993]`, "", 0, `line 1, byte 6: 9007199254740993: integer is beyond 2**53, and among floats it would be rounded to float64; give a dtype`},
		{"json", `[01]`, "", 0, `line 1, byte 1 ([0]): "01]" is not a JSON number`},
		{"json", `[1.]`, "", 0, `line 1, byte 1 ([0]): "1.]" is not a JSON number`},
		{"json", "[\"a\nb\"]", "", 0, `line 1, byte 3 ([0]): byte 0x0a in a string: write it as \u000a`},
		{"json", "[\"\\x41\"]", "", 0, `line 1, byte 2 ([0]): escape \x is not JSON`},
		{"json", "[\"\\u12\"]", "", 0, `line 1, byte 2 ([0]): escape \u without four hexadecimal digits`},
		{"json", `["\ud800x"]`, "", 0, `line 1, byte 2 ([0]): lone surrogate \ud800: write it as \\ud800`},
		{"json", "[\"\xff\"]", "", 0, `line 1, byte 1 ([0]): string "\xff" is not UTF-8`},
		{"json", `["abc`, "", 0, `line 1, byte 1 ([0]): string is not closed`},
		{"json", `["abc\`, "", 0, `line 1, byte 1 ([0]): string is not closed`},
		{"json", "[1,\x002]", "", 0, `line 1, byte 3 ([1]): "\x00" where a value should be`},
		{"json", `[1,"2"]`, "i4", 0, `line 1, byte 3 ([1]): "2" is not an int32: it is a JSON string`},
		{"json", `[1,null]`, "i4", 0, `line 1, byte 3 ([1]): "null" is not an int32: it is a JSON null`},
		{"json", `[1,true]`, "f4", 0, `line 1, byte 3 ([1]): "true" is not a float32: it is a JSON bool`},
		{"json", `[1.5]`, "i4", 0, `line 1, byte 1 ([0]): "1.5" is not an int32: it is not a whole number`},
		{"json", `[1]`, "U3", 0, `line 1, byte 1 ([0]): "1" is not a <U3: it is a JSON number`},
		{"json", `[{"a":1,"c":2}]`, record, 0, `line 1, byte 8 ([0]): key "c" is no field of the dtype`},
		{"json", `[{"a":1}]`, record, 0, `line 1, byte 1 ([0]): key "b" is missing`},
		{"json", `[[1,2]]`, record, 0, `line 1, byte 2 ([0][0]): 1 where an object should be`},
		{"json", `{"x":[1,2]}`, "[('x', '<i4', (3,))]", 0, `line 1, byte 5 (.x): list of 2 items, want 3: all lists of an axis have the same length`},
		{"ndjson", "1\n2 3\n", "", 0, `line 2, byte 4 ([1]): more than one value on a line`},
		{"ndjson", "[1]\n\n[2,\n3]\n", "", 0, `line 3, byte 8 ([1][1]): line ends where a value should be`},
		{"ndjson", "{\"a\":1}\n{\"a\":1,\"a\":2}\n", "", 0, `line 2, byte 15 ([1]): key "a" is there twice`},
	} {
		_, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, convert.ReadOptions{DType: mustParse(t, tt.dtype), Header: tt.header})
		want := tt.want
		if !strings.Contains(tt.dtype, "<") { // the message has the byte order of the machine
			want = native(want)
		}
		if err == nil || err.Error() != want {
			t.Errorf("Read(%s) of %q as %q:\n got %v\nwant %s", tt.format, tt.text, tt.dtype, err, want)
		}
		if e := new(convert.Error); err != nil && !errors.As(err, &e) {
			t.Errorf("Read(%s) of %q: error is %T, want *convert.Error", tt.format, tt.text, err)
		}
	}
}

func TestReadErrorWraps(t *testing.T) {
	_, _, err := convert.Read(context.Background(), strings.NewReader("300"), convert.CSV, convert.ReadOptions{DType: dtype.Int8})
	if !errors.Is(err, scalar.ErrRange) {
		t.Errorf("error %v does not wrap scalar.ErrRange", err)
	}
	_, _, err = convert.Read(context.Background(), strings.NewReader("1,2,3"), convert.CSV, convert.ReadOptions{MaxBytes: 4})
	if !errors.Is(err, npy.ErrLimit) {
		t.Errorf("error %v for a text over MaxBytes does not wrap npy.ErrLimit", err)
	}
	_, _, err = convert.Read(context.Background(), iotest.ErrReader(io.ErrClosedPipe), convert.CSV, convert.ReadOptions{})
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v does not wrap that of the reader", err)
	}
	_, _, err = convert.Read(context.Background(), strings.NewReader(""), "xml", convert.ReadOptions{})
	if err == nil || err.Error() != `convert: unknown format "xml", want one of csv, tsv, json, ndjson, txt, png, md, tex` {
		t.Errorf("error for an unknown format: %v", err)
	}
	for _, bad := range []dtype.Type{dtype.Object, mustParse(t, "2i1")} {
		if _, _, err := convert.Read(context.Background(), strings.NewReader(""), convert.CSV, convert.ReadOptions{DType: bad}); err == nil {
			t.Errorf("Read as %s: no error", bad)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	empty := mustParse(t, "[('x', '|V0', (100000,)), ('n', '|i1')]")
	none, err := dtype.Struct(0)
	if err != nil {
		t.Fatal(err)
	}
	odd, err := dtype.Struct(-1, dtype.Field{Name: "a\xff", DType: dtype.Int8})
	if err != nil {
		t.Fatal(err)
	}
	point := dtype.Str(2).WithByteOrder(dtype.LittleEndian)
	item := []byte{'a', 0, 0, 0, 0, 0, 0x11, 0}
	for _, tt := range []struct {
		name    string
		formats []convert.Format
		array   func() (*npy.Array, error)
		want    string
		limit   bool
	}{
		{"three dimensions", formats[:2], func() (*npy.Array, error) { return npy.New(dtype.Int8, 2, 3, 4) },
			"convert: a table can have 2 dimensions of values, the array has 3: select a part, reshape it, or write .json", false},
		{"records of two dimensions", formats[:2], func() (*npy.Array, error) { return npy.New(empty, 2, 3) },
			"convert: a table can have 1 dimension of records, the array has 2: select a part, reshape it, or write .json", false},
		{"no columns", formats[:2], func() (*npy.Array, error) { return npy.New(none, 3) },
			"convert: dtype [] has no values for the columns of a table; write .json", false},
		{"odd name", formats, func() (*npy.Array, error) { return npy.New(odd, 1) },
			`convert: field name "a\xff" is not Unicode text; rename it`, false},
		{"rows without end", formats, func() (*npy.Array, error) { return npy.New(dtype.Int8, 1<<30, 0) },
			"convert: 0 bytes of elements would become over 1048576 values: limit exceeded", true},
		{"elements without bytes", formats, func() (*npy.Array, error) { return npy.New(dtype.Bytes(0), 1<<30) },
			"convert: 0 bytes of elements would become over 1048576 values: limit exceeded", true},
		{"fields without bytes", formats, func() (*npy.Array, error) { return npy.New(empty, 100) },
			"convert: 100 bytes of elements would become over 1150976 values: limit exceeded", true},
		{"no code point", formats, func() (*npy.Array, error) { return npy.FromBytes(point, append(make([]byte, 8), item...), 2, 1) },
			"convert: element [1][0]: scalar: character 1 is 0x110000, above the last code point 0x10ffff", false},
	} {
		a, err := tt.array()
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		for _, f := range tt.formats {
			text, err := write(f, a, convert.WriteOptions{})
			if err == nil || err.Error() != tt.want || errors.Is(err, npy.ErrLimit) != tt.limit {
				t.Errorf("%s: Write(%s) gave %v, want %s", tt.name, f, err, tt.want)
			}
			if text != "" {
				t.Errorf("%s: Write(%s) wrote %q before its error", tt.name, f, text)
			}
		}
	}
}

// The error of a failing writer does not name an element.
func TestWriterError(t *testing.T) {
	a, err := npy.New(dtype.Float64, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		err := convert.Write(context.Background(), failing{}, f, a, convert.WriteOptions{})
		if !errors.Is(err, io.ErrShortWrite) || strings.Contains(err.Error(), "element") {
			t.Errorf("Write(%s) to a failing writer: %v, want %v", f, err, io.ErrShortWrite)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
