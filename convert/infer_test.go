package convert_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
)

// native spells dtypes for this machine: "<" stands for its own byte order and ">" for the other.
func native(descr string) string {
	if dtype.NativeEndian == dtype.BigEndian {
		return strings.NewReplacer("<", ">", ">", "<").Replace(descr)
	}
	return descr
}

func TestInfer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format convert.Format
		text   string
		header convert.Header
		dtype  string
		shape  []int
		json   string // the values
	}{
		{"nothing", "csv", "", 0, "<f8", []int{0}, "[]"},
		{"byte order mark alone", "csv", "\ufeff", 0, "<f8", []int{0}, "[]"},
		{"blank lines alone", "csv", "\n\r\n", 0, "<f8", []int{0}, "[]"},
		{"bools", "csv", "true,False\nTRUE,false\n", 0, "|b1", []int{2, 2}, "[[true,false], [true,false]]"},
		{"0 and 1 are numbers", "csv", "0\n1\n", 0, "<i8", []int{2}, "[0,1]"},
		{"bool and 1 are text", "csv", "true\n1\n", 0, "<U4", []int{2}, `["true","1"]`},
		{"bool and nothing are text", "csv", "true,1\n,2\n", 0, "[('f0', '<U4'), ('f1', '<i8')]", []int{2}, `[{"f0":"true","f1":1}, {"f0":"","f1":2}]`},
		{"int64", "csv", "-9223372036854775808\n+5\n9223372036854775807\n", 0, "<i8", []int{3}, "[-9223372036854775808,5,9223372036854775807]"},
		{"uint64", "csv", "1\n18446744073709551615\n", 0, "<u8", []int{2}, "[1,18446744073709551615]"},
		{"float64", "csv", "1\n2.5\n", 0, "<f8", []int{2}, "[1.0,2.5]"},
		{"floats in all spellings", "csv", "nan,inf\n.5,-Infinity\n1e3,5.\n", 0, "<f8", []int{3, 2}, `[["NaN","Infinity"], [0.5,"-Infinity"], [1000.0,5.0]]`},
		{"big integers among floats are floats", "csv", "1.5\n18446744073709551616\n", 0, "<f8", []int{2}, "[1.5,1.8446744073709552e+19]"},
		{"missing integers are NaN", "csv", "1,2\n,4\n", 0, "<f8", []int{2, 2}, `[[1.0,2.0], ["NaN",4.0]]`},
		{"missing alone", "csv", ",\n,\n", 0, "<f8", []int{2, 2}, `[["NaN","NaN"], ["NaN","NaN"]]`},
		{"complex", "csv", "1\n2.5j\n1-2j\n(3+4j)\n", 0, "<c16", []int{4}, `["1+0j","2.5j","1-2j","3+4j"]`},
		{"j is text", "csv", "j\n", 0, "<U1", []int{1}, `["j"]`},
		{"dates", "csv", "2020-01-02\nNaT\n2020-03-04\n", 0, "<M8[D]", []int{3}, `["2020-01-02","NaT","2020-03-04"]`},
		{"finest unit", "csv", "2020-01-02\n2020-01-02T03:04:05.123\n", 0, "<M8[ms]", []int{2}, `["2020-01-02T00:00:00.000","2020-01-02T03:04:05.123"]`},
		{"space and Z", "csv", "2020-01-02 03:04Z\n", 0, "<M8[m]", []int{1}, `["2020-01-02T03:04"]`},
		{"years are integers", "csv", "2020\n1999\n", 0, "<i8", []int{2}, "[2020,1999]"},
		{"months", "csv", "2020-01\n", 0, "<M8[M]", []int{1}, `["2020-01"]`},
		{"no such day", "csv", "2020-02-30\n", 0, "<U10", []int{1}, `["2020-02-30"]`},
		{"years far away", "csv", "99999-01-01T00:00:00.5\n", 0, "<M8[ms]", []int{1}, `["99999-01-01T00:00:00.500"]`},
		{"NaT alone", "csv", "NaT\n", 0, "<M8", []int{1}, `["NaT"]`},
		{"missing times", "csv", "2020-01-02,1\n,2\n", 0, "[('f0', '<M8[D]'), ('f1', '<i8')]", []int{2}, `[{"f0":"2020-01-02","f1":1}, {"f0":"NaT","f1":2}]`},
		{"text", "csv", "a\nb c\n\"\"\n", convert.HeaderNo, "<U3", []int{3}, `["a","b c",""]`},
		{"texts of any length have one dtype", "csv", "a,bcd\ne,f\n", convert.HeaderNo, "<U3", []int{2, 2}, `[["a","bcd"], ["e","f"]]`},
		{"spaces around numbers", "csv", " 1, 2.5 \n3 ,\t4\n", 0, "<f8", []int{2, 2}, `[[1.0,2.5], [3.0,4.0]]`},
		{"spaces around text count", "csv", " a,b \n", convert.HeaderNo, "<U2", []int{1, 2}, `[[" a","b "]]`},
		{"quotes", "csv", "\"a,\"\"b\"\"\",\"1\"\n\"c\r\nd\",2\n", 0, "[('f0', '<U5'), ('f1', '<i8')]", []int{2}, `[{"f0":"a,\"b\"","f1":1}, {"f0":"c\r\nd","f1":2}]`},
		{"line ends", "csv", "1\r\n2\r3\n4", 0, "<i8", []int{4}, "[1,2,3,4]"},
		{"one row", "csv", "1,2,3", 0, "<i8", []int{1, 3}, "[[1,2,3]]"},
		{"byte order mark", "csv", "\ufeff1,2\n", 0, "<i8", []int{1, 2}, "[[1,2]]"},
		{"NUL", "csv", "a\x00b\n", 0, "<U3", []int{1}, `["a\u0000b"]`},
		{"surrogate escape", "csv", "\\ud800\n", 0, "<U1", []int{1}, `["\\ud800"]`},
		{"tabs", "tsv", "1\t2\n3\t4\n", 0, "<i8", []int{2, 2}, "[[1,2], [3,4]]"},
		{"commas in tabs", "tsv", "1,5\ta\n", 0, "<U3", []int{1, 2}, `[["1,5","a"]]`},

		{"header", "csv", "a,b\n1,2\n", 0, "[('a', '<i8'), ('b', '<i8')]", []int{1}, `[{"a":1,"b":2}]`},
		{"header of one column", "csv", "x\n1.5\n", 0, "[('x', '<f8')]", []int{1}, `[{"x":1.5}]`},
		{"spaces around names", "csv", "a, b ,\" c\"\n1,2,3\n", 0, "[('a', '<i8'), ('b', '<i8'), (' c', '<i8')]", []int{1}, `[{"a":1,"b":2," c":3}]`},
		{"names alone", "csv", "a,b\n", 0, "[('a', '<f8'), ('b', '<f8')]", []int{0}, "[]"},
		{"a word alone is data", "csv", "a\n", 0, "<U1", []int{1}, `["a"]`},
		{"something like a number is no name", "csv", "1.2.3,b\n", 0, "<U5", []int{1, 2}, `[["1.2.3","b"]]`},
		{"names above text", "csv", "a,b\nc,d\n", 0, "[('a', '<U1'), ('b', '<U1')]", []int{1}, `[{"a":"c","b":"d"}]`},
		{"a name that recurs is data", "csv", "a,b\nc,d\na,e\n", 0, "<U1", []int{3, 2}, `[["a","b"], ["c","d"], ["a","e"]]`},
		{"names wanted", "csv", "a,b\nc,d\n", convert.HeaderYes, "[('a', '<U1'), ('b', '<U1')]", []int{1}, `[{"a":"c","b":"d"}]`},
		{"names wanted, no rows", "csv", "a,b\n", convert.HeaderYes, "[('a', '<f8'), ('b', '<f8')]", []int{0}, "[]"},
		{"numbers as names", "csv", "1,2\n3,4\n", convert.HeaderYes, "[('1', '<i8'), ('2', '<i8')]", []int{1}, `[{"1":3,"2":4}]`},
		{"empty name", "csv", ",b\n1,2\n", convert.HeaderYes, "[('index', '<i8'), ('b', '<i8')]", []int{1}, `[{"index":1,"b":2}]`},
		{"no names wanted", "csv", "a,b\n1,2\n", convert.HeaderNo, "<U1", []int{2, 2}, `[["a","b"], ["1","2"]]`},
		{"an empty name", "csv", "a,\n1,2\n", 0, "[('a', '<i8'), ('f1', '<i8')]", []int{1}, `[{"a":1,"f1":2}]`},
		{"an empty cell among text", "csv", "a,,c\nd,e,f\n", 0, "<U1", []int{2, 3}, `[["a","","c"], ["d","e","f"]]`},

		{"number", "json", "1", 0, "<i8", []int{}, "1"},
		{"list", "json", "[1, 2,\n3]", 0, "<i8", []int{3}, "[1,2,3]"},
		{"lists", "json", "[[[1],[2]]]", 0, "<i8", []int{1, 2, 1}, "[[[1], [2]]]"},
		{"no items", "json", "[]", 0, "<f8", []int{0}, "[]"},
		{"lists of no items", "json", "[[],[]]", 0, "<f8", []int{2, 0}, "[[], []]"},
		{"JSON bools", "json", "[true,false]", 0, "|b1", []int{2}, "[true,false]"},
		{"JSON uint64", "json", "[0,18446744073709551615]", 0, "<u8", []int{2}, "[0,18446744073709551615]"},
		{"JSON float64", "json", `[1,2.5,-0.0,1e2]`, 0, "<f8", []int{4}, "[1.0,2.5,-0.0,100.0]"},
		{"null and words among numbers", "json", `[1,null,"NaN","Infinity","-Infinity"]`, 0, "<f8", []int{5}, `[1.0,"NaN","NaN","Infinity","-Infinity"]`},
		{"words alone", "json", `["NaN","Infinity"]`, 0, "<f8", []int{2}, `["NaN","Infinity"]`},
		{"words among text", "json", `["NaN","Infinity","x"]`, 0, "<U8", []int{3}, `["NaN","Infinity","x"]`},
		{"nulls alone", "json", `[null]`, 0, "<f8", []int{1}, `["NaN"]`},
		{"JSON text", "json", `["\u00e9\n\"\\\/\ud83d\ude00","b"]`, 0, "<U6", []int{2}, `["é\n\"\\/😀","b"]`},
		{"objects", "json", `[{"a":1,"b":"x"},{"b":"yz","a":2.5}]`, 0, "[('a', '<f8'), ('b', '<U2')]", []int{2}, `[{"a":1.0,"b":"x"}, {"a":2.5,"b":"yz"}]`},
		{"object", "json", `{"a":{"b":[[1,2]],"c":[{"d":true}]}}`, 0, "[('a', [('b', '<i8', (1, 2)), ('c', [('d', '|b1')], (1,))])]", []int{}, `{"a":{"b":[[1,2]],"c":[{"d":true}]}}`},
		{"object of nothing", "json", `[{},{}]`, 0, "[]", []int{2}, `[{}, {}]`},
		{"lines", "ndjson", "1\n\n2.5\r\n", 0, "<f8", []int{2}, "[1.0,2.5]"},
		{"lines of lists", "ndjson", "[1,2]\n[3,4]", 0, "<i8", []int{2, 2}, "[[1,2], [3,4]]"},
		{"lines of objects", "ndjson", "{\"a\":1}\n{\"a\":2}\n", 0, "[('a', '<i8')]", []int{2}, `[{"a":1}, {"a":2}]`},
		{"words of Python", "json", `[1, NaN, Infinity, -Infinity, -2]`, 0, "<f8", []int{5}, `[1.0,"NaN","Infinity","-Infinity",-2.0]`},
		{"JSON dates", "json", `["2024-01-02", "2024-03-04T05:06:07.5Z", null, "NaT"]`, 0, "<M8[ms]", []int{4}, `["2024-01-02T00:00:00.000","2024-03-04T05:06:07.500","NaT","NaT"]`},
		{"JSON dates and words", "json", `["2024-01-02", "x"]`, 0, "<U10", []int{2}, `["2024-01-02","x"]`},
		{"JSON times with and without a zone", "json", `["2024-01-02T03", "2024-01-02T03Z"]`, 0, "<U14", []int{2}, `["2024-01-02T03","2024-01-02T03Z"]`},
		{"JSON times with offsets", "json", `["2024-01-02T03+01:00"]`, 0, "<M8[h]", []int{1}, `["2024-01-02T02"]`},
		{"keys that differ", "ndjson", "{\"a\":1,\"t\":\"2024-01-02\"}\n{\"b\":2.5,\"a\":3}\n{\"s\":\"x\"}\n", 0, "[('a', '<f8'), ('t', '<M8[D]'), ('b', '<f8'), ('s', '<U1')]", []int{3}, `[{"a":1.0,"t":"2024-01-02","b":"NaN","s":""}, {"a":3.0,"t":"NaT","b":2.5,"s":""}, {"a":"NaN","t":"NaT","b":"NaN","s":"x"}]`},
		{"keys that differ in objects", "json", `[{"a":{"x":1}},{"a":{"y":2}}]`, 0, "[('a', [('x', '<f8'), ('y', '<f8')])]", []int{2}, `[{"a":{"x":1.0,"y":"NaN"}}, {"a":{"x":"NaN","y":2.0}}]`},
		{"no lines", "ndjson", "\n", 0, "<f8", []int{0}, "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, report, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, convert.ReadOptions{Header: tt.header})
			if err != nil {
				t.Fatalf("Read(%s) of %q: %v", tt.format, tt.text, err)
			}
			if got := a.DType().Descr(); got != native(tt.dtype) || !equal(a.Shape(), tt.shape) {
				t.Errorf("Read(%s) of %q gave %s, shape %v, want %s, %v", tt.format, tt.text, got, a.Shape(), native(tt.dtype), tt.shape)
			}
			got, err := write(convert.JSON, a, convert.WriteOptions{})
			want := strings.NewReplacer("], [", "],\n [", "}, {", "},\n {").Replace(tt.json) + "\n"
			if len(tt.shape) == 3 {
				want = strings.ReplaceAll(want, "],\n [", "],\n  [")
			}
			if err != nil || got != want {
				t.Errorf("Read(%s) of %q\n got %s, %v\nwant %s", tt.format, tt.text, got, err, want)
			}
			if !report.Inferred || !report.DType.Equal(a.DType()) || !equal(report.Shape, tt.shape) {
				t.Errorf("Read(%s) of %q: report %+v", tt.format, tt.text, report)
			}
		})
	}
}

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		format     convert.Format
		text, want string
		given      string
	}{
		{"csv", "a,b\n1,2\n,3\n", "inferred dtype [('a', '<f8'), ('b', '<i8')], shape (2,), first line taken for names, missing values: 1", ""},
		{"csv", "1,2\n", "inferred dtype <i8, shape (1, 2)", ""},
		{"csv", "1,\n", "dtype <f4, shape (1, 2), missing values: 1", "<f4"},
		{"json", "[1,null]", "inferred dtype <f8, shape (2,), missing values: 1", ""},
	} {
		_, report, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, convert.ReadOptions{DType: mustParse(t, native(tt.given))})
		if err != nil || report.String() != native(tt.want) {
			t.Errorf("Read(%s) of %q: report %q, %v, want %q", tt.format, tt.text, report, err, native(tt.want))
		}
	}
}

// A given dtype decides about names and columns.
func TestReadGiven(t *testing.T) {
	const nested = "[('x', '<f4', (2,)), ('in', [('n', '<i4')])]"
	for _, tt := range []struct {
		name   string
		text   string
		dtype  string
		header convert.Header
		json   string
	}{
		{"by name", "in.n,x[1],x[0]\n1,2,3\n", nested, 0, `[{"x":[3.0,2.0],"in":{"n":1}}]`},
		{"by position", "1,2,3\n", nested, 0, `[{"x":[1.0,2.0],"in":{"n":3}}]`},
		{"names that repeat, in order", "a.b,a.b\n1,2\n", "[('a.b', '<i4'), ('a', [('b', '<i4')])]", 0, `[{"a.b":1,"a":{"b":2}}]`},
		{"names are data where told", "a\nb\n", "[('a', '<U1')]", convert.HeaderNo, `[{"a":"a"},` + "\n" + ` {"a":"b"}]`},
		{"names above plain numbers", "a,b\n1,2\n", "<f4", 0, `[[1.0,2.0]]`},
		{"names above text are data", "a\n1\n", "<U1", 0, `["a","1"]`},
		{"names above text, where told", "a\n1\n", "<U1", convert.HeaderYes, `["1"]`},
		{"length of the longest", "a\nbcd\n", "<U0", 0, `["a","bcd"]`},
		{"bytes of the longest", "a\né\\xff\n", "S", 0, `["a","é\\xff"]`},
		{"no rows of records", "x[0],x[1],in.n\n", nested, 0, "[]"},
		{"ticks", "5\nNaT\n", "<m8[s]", 0, `[5,"NaT"]`},
	} {
		a, report, err := convert.Read(context.Background(), strings.NewReader(tt.text), convert.CSV, convert.ReadOptions{DType: mustParse(t, tt.dtype), Header: tt.header})
		if err != nil || report.Inferred {
			t.Errorf("%s: Read of %q as %s: %v, report %+v", tt.name, tt.text, tt.dtype, err, report)
			continue
		}
		if got, err := write(convert.JSON, a, convert.WriteOptions{}); err != nil || got != tt.json+"\n" {
			t.Errorf("%s: Read of %q as %s gave %s, %v, want %s", tt.name, tt.text, tt.dtype, got, err, tt.json)
		}
	}
	for _, tt := range []struct {
		name   string
		format convert.Format
		text   string
		dtype  string
		header convert.Header
		descr  string
	}{
		{"fields", convert.CSV, "t,name,code\n5,żó,a\n6,x,bcd\n", "[('name', '<U'), ('t', '<i4'), ('code', 'S')]", 0, "[('name', '<U2'), ('t', '<i4'), ('code', '|S3')]"},
		{"names are no texts", convert.TSV, "long\tb\nx\t1\n", "[('long', '>U0'), ('b', '<i8')]", 0, "[('long', '>U1'), ('b', '<i8')]"},
		{"by position", convert.CSV, "long,1\nx,1\n", "[('a', '<U'), ('b', '<i8')]", convert.HeaderNo, "[('a', '<U4'), ('b', '<i8')]"},
		{"items of a subarray", convert.CSV, "x[0],x[1],in.s,in.n\na,bcd,é,1\n", "[('x', '<U', (2,)), ('in', [('s', 'S'), ('n', '<u2')])]", 0, "[('x', '<U3', (2,)), ('in', [('s', '|S2'), ('n', '<u2')])]"},
		{"padding stays", convert.CSV, "abc,1\n", "[('', '|V4'), ('a', '|S0'), ('', '|V4'), ('b', '<i4'), ('', '|V4')]", 0, "[('', '|V4'), ('a', '|S3'), ('', '|V4'), ('b', '<i4'), ('', '|V4')]"},
		{"no text in any cell", convert.CSV, "a,b\n,1\n", "[('a', '<U'), ('b', '<i8')]", 0, "[('a', '<U0'), ('b', '<i8')]"},
		{"no rows", convert.CSV, "a,b\n", "[('a', '<U'), ('b', '<i8')]", 0, "[('a', '<U0'), ('b', '<i8')]"},
		{"nothing", convert.CSV, "", "[('a', '<U'), ('b', '<i8')]", 0, "[('a', '<U0'), ('b', '<i8')]"},
		{"JSON", convert.JSON, `[{"b":1,"a":["x","yz"]},{"a":["",""],"b":2}]`, "[('a', '<U', (2,)), ('b', '<i8')]", 0, "[('a', '<U2', (2,)), ('b', '<i8')]"},
		{"NDJSON", convert.NDJSON, "{\"a\":\"é\"}\n{\"a\":\"\"}\n", "[('a', 'S')]", 0, "[('a', '|S2')]"},
		{"JSON of nothing", convert.JSON, "[]", "[('a', 'S')]", 0, "[('a', '|S0')]"},
	} {
		a, _, err := convert.Read(context.Background(), strings.NewReader(tt.text), tt.format, convert.ReadOptions{DType: mustParse(t, tt.dtype), Header: tt.header})
		if err != nil || a.DType().Descr() != tt.descr {
			t.Errorf("%s: Read of %q as %s: %v, %v, want %s", tt.name, tt.text, tt.dtype, a, err, tt.descr)
		}
	}
	a, _, err := convert.Read(context.Background(), strings.NewReader(`["a","béc"]`), convert.JSON, convert.ReadOptions{DType: mustParse(t, ">U0")})
	if err != nil || a.DType().Descr() != ">U3" {
		t.Errorf("Read of two texts as >U0 gave %v, %v, want >U3", a, err)
	}
}
