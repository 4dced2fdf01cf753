package convert_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// A wildCase is a table of a shape that is found in the wild, and the array that it is read as.
type wildCase struct {
	name    string
	text    string
	options convert.TableOptions
	header  convert.Header
	pandas  string // the arguments of pandas.read_csv that should give the same; "-" if it reads something else
	dtype   string
	shape   []int
	json    string
}

var wildCases = []wildCase{
	{name: "the default of DataFrame.to_csv", text: ",a,b\n0,1,2.5\n1,3,4.5\n",
		dtype: "[('index', '<i8'), ('a', '<i8'), ('b', '<f8')]", shape: []int{2}, json: `[{"index":0,"a":1,"b":2.5}, {"index":1,"a":3,"b":4.5}]`},
	{name: "an index of text", text: ",x\nr1,1\nr2,2\n",
		dtype: "[('index', '<U2'), ('x', '<i8')]", shape: []int{2}, json: `[{"index":"r1","x":1}, {"index":"r2","x":2}]`},
	{name: "a frame without names", text: ",0,1\n0,1.5,2.5\n1,3.5,4.5\n",
		dtype: "[('index', '<i8'), ('0', '<f8'), ('1', '<f8')]", shape: []int{2}, json: `[{"index":0,"0":1.5,"1":2.5}, {"index":1,"0":3.5,"1":4.5}]`},
	{name: "a series", text: ",0\n0,5\n1,6\n",
		dtype: "[('index', '<i8'), ('0', '<i8')]", shape: []int{2}, json: `[{"index":0,"0":5}, {"index":1,"0":6}]`},
	{name: "a named index", text: "id,a\n10,1\n20,2\n",
		dtype: "[('id', '<i8'), ('a', '<i8')]", shape: []int{2}, json: `[{"id":10,"a":1}, {"id":20,"a":2}]`},
	{name: "two levels of an index", text: "k1,k2,v\na,1,0.5\na,2,0.25\n",
		dtype: "[('k1', '<U1'), ('k2', '<i8'), ('v', '<f8')]", shape: []int{2}, json: `[{"k1":"a","k2":1,"v":0.5}, {"k1":"a","k2":2,"v":0.25}]`},
	{name: "a header that R wrote", text: "x,y\n1,1.5,a\n2,2.5,b\n", pandas: `index_col=False, names=["Unnamed: 0","x","y"], skiprows=1`,
		dtype: "[('index', '<i8'), ('x', '<f8'), ('y', '<U1')]", shape: []int{2}, json: `[{"index":1,"x":1.5,"y":"a"}, {"index":2,"x":2.5,"y":"b"}]`},
	{name: "quoted row names that R wrote", text: "\"\",\"x\"\n\"1\",5\n\"2\",6\n",
		dtype: "[('index', '<i8'), ('x', '<i8')]", shape: []int{2}, json: `[{"index":1,"x":5}, {"index":2,"x":6}]`},
	{name: "names over text", text: "name,city\nAnn,Oslo\nBob,Rome\n",
		dtype: "[('name', '<U3'), ('city', '<U4')]", shape: []int{2}, json: `[{"name":"Ann","city":"Oslo"}, {"name":"Bob","city":"Rome"}]`},
	{name: "a name over one column of text", text: "name\nAnn\nBob\n",
		dtype: "[('name', '<U3')]", shape: []int{2}, json: `[{"name":"Ann"}, {"name":"Bob"}]`},
	{name: "text without names", text: "red,small\nblue,large\nred,large\n", pandas: "header=None",
		dtype: "<U5", shape: []int{3, 2}, json: `[["red","small"], ["blue","large"], ["red","large"]]`},
	{name: "numbers without names", text: "1,2\n3,4\n", pandas: "header=None",
		dtype: "<i8", shape: []int{2, 2}, json: `[[1,2], [3,4]]`},
	{name: "numbers and text without names", text: "1,a\n2,b\n", pandas: "header=None",
		dtype: "[('f0', '<i8'), ('f1', '<U1')]", shape: []int{2}, json: `[{"f0":1,"f1":"a"}, {"f0":2,"f1":"b"}]`},
	{name: "years as names", text: "country,2019,2020\nNorway,1.5,2.5\nPeru,3.5,4.5\n",
		dtype: "[('country', '<U6'), ('2019', '<f8'), ('2020', '<f8')]", shape: []int{2}, json: `[{"country":"Norway","2019":1.5,"2020":2.5}, {"country":"Peru","2019":3.5,"2020":4.5}]`},
	{name: "names that recur", text: "a,a,a\n1,2,3\n",
		dtype: "[('a', '<i8'), ('a_1', '<i8'), ('a_2', '<i8')]", shape: []int{1}, json: `[{"a":1,"a_1":2,"a_2":3}]`},
	{name: "a name that is taken", text: "a,a_1,a\n1,2,3\n", pandas: "-",
		dtype: "[('a', '<i8'), ('a_1', '<i8'), ('a_2', '<i8')]", shape: []int{1}, json: `[{"a":1,"a_1":2,"a_2":3}]`},
	{name: "a missing name", text: "a,,c\n1,2,3\n",
		dtype: "[('a', '<i8'), ('f1', '<i8'), ('c', '<i8')]", shape: []int{1}, json: `[{"a":1,"f1":2,"c":3}]`},
	{name: "missing names at the end", text: "a,b,,\n1,2,,\n3,4,,\n",
		dtype: "[('a', '<i8'), ('b', '<i8'), ('f2', '<f8'), ('f3', '<f8')]", shape: []int{2}, json: `[{"a":1,"b":2,"f2":"NaN","f3":"NaN"}, {"a":3,"b":4,"f2":"NaN","f3":"NaN"}]`},
	{name: "names with spaces", text: "first name, last name ,\"a,b\"\n1,2,3\n", pandas: `skipinitialspace=True, header=0, names=["first name","last name","a,b"]`,
		dtype: "[('first name', '<i8'), ('last name', '<i8'), ('a,b', '<i8')]", shape: []int{1}, json: `[{"first name":1,"last name":2,"a,b":3}]`},
	{name: "names with quotes and lines", text: "\"a\nb\",\"c\"\"d\"\n1,2\n",
		dtype: "[('a\\nb', '<i8'), ('c\"d', '<i8')]", shape: []int{1}, json: `[{"a\nb":1,"c\"d":2}]`},
	{name: "names in Unicode", text: "größe,名前\n1,x\n",
		dtype: "[('größe', '<i8'), ('名前', '<U1')]", shape: []int{1}, json: `[{"größe":1,"名前":"x"}]`},
	{name: "a name that is a missing value", text: "K,NA,Mg\n1,2,3\n",
		dtype: "[('K', '<i8'), ('NA', '<i8'), ('Mg', '<i8')]", shape: []int{1}, json: `[{"K":1,"NA":2,"Mg":3}]`},
	{name: "a delimiter after each row", text: "a,b\n1,2,\n3,4,\n", pandas: "index_col=False",
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":3,"b":4}]`},
	{name: "a delimiter after each line", text: "a,b,\n1,2,\n3,4,\n",
		dtype: "[('a', '<i8'), ('b', '<i8'), ('f2', '<f8')]", shape: []int{2}, json: `[{"a":1,"b":2,"f2":"NaN"}, {"a":3,"b":4,"f2":"NaN"}]`},
	{name: "missing numbers", text: "a,b\n1,\n,2.5\n",
		dtype: "[('a', '<f8'), ('b', '<f8')]", shape: []int{2}, json: `[{"a":1.0,"b":"NaN"}, {"a":"NaN","b":2.5}]`},
	{name: "words for missing", text: "a,b\nNA,1\nN/A,2\nnull,3\nNone,4\n1.5,5\n", pandas: `na_values=["None"]`,
		dtype: "[('a', '<f8'), ('b', '<i8')]", shape: []int{5}, json: `[{"a":"NaN","b":1}, {"a":"NaN","b":2}, {"a":"NaN","b":3}, {"a":"NaN","b":4}, {"a":1.5,"b":5}]`},
	{name: "words of spreadsheets for missing", text: "a\n#N/A\n2\n",
		dtype: "[('a', '<f8')]", shape: []int{2}, json: `[{"a":"NaN"}, {"a":2.0}]`},
	{name: "a hyphen for missing", text: "a,b\n-,1\n2,-\n", pandas: `na_values=["-"]`,
		dtype: "[('a', '<f8'), ('b', '<f8')]", shape: []int{2}, json: `[{"a":"NaN","b":1.0}, {"a":2.0,"b":"NaN"}]`},
	{name: "NULL among integers", text: "a\n1\nNULL\n3\n",
		dtype: "[('a', '<f8')]", shape: []int{3}, json: `[{"a":1.0}, {"a":"NaN"}, {"a":3.0}]`},
	{name: "nan among integers", text: "a\n1\nnan\n3\n",
		dtype: "[('a', '<f8')]", shape: []int{3}, json: `[{"a":1.0}, {"a":"NaN"}, {"a":3.0}]`},
	{name: "missing among words", text: "a,b\nNA,1\nOslo,2\n",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"NA","b":1}, {"a":"Oslo","b":2}]`},
	{name: "missing words are text", text: "a,b\nx,1\n,2\nNone,3\n",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{3}, json: `[{"a":"x","b":1}, {"a":"","b":2}, {"a":"None","b":3}]`},
	{name: "missing times", text: "t,v\n2024-01-02,1\n,2\nNaT,3\n",
		dtype: "[('t', '<M8[D]'), ('v', '<i8')]", shape: []int{3}, json: `[{"t":"2024-01-02","v":1}, {"t":"NaT","v":2}, {"t":"NaT","v":3}]`},
	{name: "missing bools", text: "a,b\nTrue,1\n,2\n", pandas: "-",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"True","b":1}, {"a":"","b":2}]`},
	{name: "all cells missing", text: "a,b\n,1\nNA,2\n",
		dtype: "[('a', '<f8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"NaN","b":1}, {"a":"NaN","b":2}]`},
	{name: "a number for missing", text: "a,b\n-999,1\n2,-999\n", options: convert.TableOptions{Missing: []string{"-999"}}, pandas: `na_values=["-999"]`,
		dtype: "[('a', '<f8'), ('b', '<f8')]", shape: []int{2}, json: `[{"a":"NaN","b":1.0}, {"a":2.0,"b":"NaN"}]`},
	{name: "no words for missing", text: "a\nNA\n1\n", options: convert.TableOptions{Missing: []string{}}, pandas: "keep_default_na=False",
		dtype: "[('a', '<U2')]", shape: []int{2}, json: `[{"a":"NA"}, {"a":"1"}]`},
	{name: "nothing but missing in a row", text: "a,b\n1,2\n,\n3,4\n",
		dtype: "[('a', '<f8'), ('b', '<f8')]", shape: []int{3}, json: `[{"a":1.0,"b":2.0}, {"a":"NaN","b":"NaN"}, {"a":3.0,"b":4.0}]`},
	{name: "semicolons", text: "a;b;c\n1;2.5;x\n3;4.5;y\n", pandas: `sep=";"`,
		dtype: "[('a', '<i8'), ('b', '<f8'), ('c', '<U1')]", shape: []int{2}, json: `[{"a":1,"b":2.5,"c":"x"}, {"a":3,"b":4.5,"c":"y"}]`},
	{name: "semicolons and decimal commas", text: "a;b\n1,5;2\n2,5;3\n", options: convert.TableOptions{Decimal: ','}, pandas: `sep=";", decimal=","`,
		dtype: "[('a', '<f8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1.5,"b":2}, {"a":2.5,"b":3}]`},
	{name: "semicolons and decimal commas without names", text: "1,5;2,5\n3,5;4,5\n", options: convert.TableOptions{Decimal: ','}, pandas: `sep=";", decimal=",", header=None`,
		dtype: "<f8", shape: []int{2, 2}, json: `[[1.5,2.5], [3.5,4.5]]`},
	{name: "decimal commas within quotes", text: "a,b\n\"1,5\",2\n\"2,5\",3\n", options: convert.TableOptions{Decimal: ','}, pandas: `decimal=","`,
		dtype: "[('a', '<f8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1.5,"b":2}, {"a":2.5,"b":3}]`},
	{name: "decimal commas and points between thousands", text: "a;b\n1.234,5;1\n12.345.678,9;2\n", options: convert.TableOptions{Decimal: ',', Thousands: '.'}, pandas: `sep=";", decimal=",", thousands="."`,
		dtype: "[('a', '<f8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1234.5,"b":1}, {"a":12345678.9,"b":2}]`},
	{name: "thousands within quotes", text: "a,b\n\"1,234\",x\n\"1,234,567\",y\n", options: convert.TableOptions{Thousands: ','}, pandas: `thousands=","`,
		dtype: "[('a', '<i8'), ('b', '<U1')]", shape: []int{2}, json: `[{"a":1234,"b":"x"}, {"a":1234567,"b":"y"}]`},
	{name: "thousands with apostrophes", text: "a;b\n1'000;1.5\n2'000'000;2.5\n", options: convert.TableOptions{Thousands: '\''}, pandas: `sep=";", thousands="'"`,
		dtype: "[('a', '<i8'), ('b', '<f8')]", shape: []int{2}, json: `[{"a":1000,"b":1.5}, {"a":2000000,"b":2.5}]`},
	{name: "thousands untold are text", text: "a,b\n\"1,234\",x\n\"5\",y\n",
		dtype: "[('a', '<U5'), ('b', '<U1')]", shape: []int{2}, json: `[{"a":"1,234","b":"x"}, {"a":"5","b":"y"}]`},
	{name: "vertical bars", text: "a|b\n1|x\n2|y\n", pandas: `sep="|"`,
		dtype: "[('a', '<i8'), ('b', '<U1')]", shape: []int{2}, json: `[{"a":1,"b":"x"}, {"a":2,"b":"y"}]`},
	{name: "tabs", text: "a\tb\n1\tx y\n2\tz\n", pandas: `sep="\t"`,
		dtype: "[('a', '<i8'), ('b', '<U3')]", shape: []int{2}, json: `[{"a":1,"b":"x y"}, {"a":2,"b":"z"}]`},
	{name: "tabs and commas", text: "1\tDoe, John\n2\tRoe, Jane\n", pandas: `sep="\t", header=None`,
		dtype: "[('f0', '<i8'), ('f1', '<U9')]", shape: []int{2}, json: `[{"f0":1,"f1":"Doe, John"}, {"f0":2,"f1":"Roe, Jane"}]`},
	{name: "aligned columns", text: "x     y\n1.5   2\n10.25 3\n", pandas: `sep=r"\s+"`,
		dtype: "[('x', '<f8'), ('y', '<i8')]", shape: []int{2}, json: `[{"x":1.5,"y":2}, {"x":10.25,"y":3}]`},
	{name: "commas with spaces", text: "a, b, c\n1, 2, 3\n4, 5, 6\n", pandas: "skipinitialspace=True",
		dtype: "[('a', '<i8'), ('b', '<i8'), ('c', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2,"c":3}, {"a":4,"b":5,"c":6}]`},
	{name: "commas within quotes", text: "name,n\n\"Doe, John\",1\n\"Roe, Jane\",2\n",
		dtype: "[('name', '<U9'), ('n', '<i8')]", shape: []int{2}, json: `[{"name":"Doe, John","n":1}, {"name":"Roe, Jane","n":2}]`},
	{name: "quotes within quotes", text: "a,b\n\"say \"\"hi\"\"\",1\n",
		dtype: "[('a', '<U8'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"say \"hi\"","b":1}]`},
	{name: "lines within quotes", text: "a,b\n\"x\ny\",1\n\"z\r\nw\",2\n", pandas: "-",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"x\ny","b":1}, {"a":"z\r\nw","b":2}]`},
	{name: "delimiters within quotes", text: "a;b\n\"1;2\";3\n\"4;5\";6\n", pandas: `sep=";"`,
		dtype: "[('a', '<U3'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"1;2","b":3}, {"a":"4;5","b":6}]`},
	{name: "quoted numbers", text: "\"a\",\"b\"\n\"1\",\"2.5\"\n\"3\",\"4.5\"\n",
		dtype: "[('a', '<i8'), ('b', '<f8')]", shape: []int{2}, json: `[{"a":1,"b":2.5}, {"a":3,"b":4.5}]`},
	{name: "quoted missing", text: "\"a\",\"b\"\n\"\",\"x\"\n\"1\",\"y\"\n",
		dtype: "[('a', '<f8'), ('b', '<U1')]", shape: []int{2}, json: `[{"a":"NaN","b":"x"}, {"a":1.0,"b":"y"}]`},
	{name: "an apostrophe", text: "a,b\nit's,1\n'x',2\n",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"it's","b":1}, {"a":"'x'","b":2}]`},
	{name: "ends of lines of Windows", text: "a,b\r\n1,2\r\n3,4\r\n",
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":3,"b":4}]`},
	{name: "ends of lines of old Macs", text: "a,b\r1,2\r3,4\r",
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":3,"b":4}]`},
	{name: "no end of the last line", text: "a,b\n1,2\n3,4",
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":3,"b":4}]`},
	{name: "blank lines", text: "\n\na,b\n\n1,2\n\n\n3,4\n\n",
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":3,"b":4}]`},
	{name: "a byte order mark", text: "\xef\xbb\xbfa,b\n1,2\n", pandas: `encoding="utf-8-sig"`,
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":1,"b":2}]`},
	{name: "a byte order mark and quotes", text: "\xef\xbb\xbf\"a\",\"b\"\n\"x\",2\n", pandas: `encoding="utf-8-sig"`,
		dtype: "[('a', '<U1'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"x","b":2}]`},
	{name: "UTF-16 of Excel", text: "\xff\xfea\x00\t\x00b\x00\n\x001\x00\t\x00\xe9\x00=\xd8\x00\xde\n\x002\x00\t\x00x\x00\n\x00", pandas: `encoding="utf-16", sep="\t"`,
		dtype: "[('a', '<i8'), ('b', '<U2')]", shape: []int{2}, json: `[{"a":1,"b":"é😀"}, {"a":2,"b":"x"}]`},
	{name: "UTF-16 big-endian", text: "\xfe\xff\x00a\x00,\x00b\x00\r\x00\n\x001\x00,\x00\xe9\x00\r\x00\n", pandas: `encoding="utf-16"`,
		dtype: "[('a', '<i8'), ('b', '<U1')]", shape: []int{1}, json: `[{"a":1,"b":"é"}]`},
	{name: "Latin-1", text: "a,b\ncaf\xe9,1\n", options: convert.TableOptions{Encoding: convert.Latin1}, pandas: `encoding="latin-1"`,
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"café","b":1}]`},
	{name: "Windows-1252", text: "a,b\n\x93x\x94 \x80,1\n", options: convert.TableOptions{Encoding: convert.Windows1252}, pandas: `encoding="cp1252"`,
		dtype: "[('a', '<U5'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"“x” €","b":1}]`},
	{name: "lines before the table", text: "Report of sales\n2024, first quarter, \"draft\n\na,b\n1,2\n", options: convert.TableOptions{Skip: 2}, pandas: "skiprows=2",
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":1,"b":2}]`},
	{name: "comment lines", text: "# made by x\na,b\n# more, with commas\n1,2\n", options: convert.TableOptions{Comment: '#'}, pandas: `comment="#"`,
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":1,"b":2}]`},
	{name: "comments after cells", text: "a,b\n1,2 # two\n3,4# four\n", options: convert.TableOptions{Comment: '#'}, pandas: `comment="#"`,
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":3,"b":4}]`},
	{name: "comments and quotes", text: "a,b\n\"x # y\",1\n% it's \"odd\n\"% z\",2\n", options: convert.TableOptions{Comment: '%'}, pandas: `comment="%"`,
		dtype: "[('a', '<U5'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"x # y","b":1}, {"a":"% z","b":2}]`},
	{name: "bools", text: "a,b\ntrue,TRUE\nfalse,False\n",
		dtype: "[('a', '|b1'), ('b', '|b1')]", shape: []int{2}, json: `[{"a":true,"b":true}, {"a":false,"b":false}]`},
	{name: "bools and numbers", text: "a\ntrue\n1\n", pandas: "dtype=str",
		dtype: "[('a', '<U4')]", shape: []int{2}, json: `[{"a":"true"}, {"a":"1"}]`},
	{name: "yes and no are text", text: "a,b\nyes,1\nno,2\n",
		dtype: "[('a', '<U3'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"yes","b":1}, {"a":"no","b":2}]`},
	{name: "dates", text: "d,v\n2024-02-29,1\n2023-12-31,2\n",
		dtype: "[('d', '<M8[D]'), ('v', '<i8')]", shape: []int{2}, json: `[{"d":"2024-02-29","v":1}, {"d":"2023-12-31","v":2}]`},
	{name: "times with T", text: "t\n2024-01-02T03:04:05\n2024-01-02T03:04:06.5\n",
		dtype: "[('t', '<M8[ms]')]", shape: []int{2}, json: `[{"t":"2024-01-02T03:04:05.000"}, {"t":"2024-01-02T03:04:06.500"}]`},
	{name: "times with a space", text: "t,v\n2024-01-02 03:04:05.123456,1\n2024-01-02 00:00:00.000001,2\n",
		dtype: "[('t', '<M8[us]'), ('v', '<i8')]", shape: []int{2}, json: `[{"t":"2024-01-02T03:04:05.123456","v":1}, {"t":"2024-01-02T00:00:00.000001","v":2}]`},
	{name: "nanoseconds", text: "t\n2024-01-02 03:04:05.123456789\n", header: convert.HeaderYes,
		dtype: "[('t', '<M8[ns]')]", shape: []int{1}, json: `[{"t":"2024-01-02T03:04:05.123456789"}]`},
	{name: "times in UTC", text: "t\n2024-01-02T03:04:05Z\n2024-06-02T03:04:05Z\n",
		dtype: "[('t', '<M8[s]')]", shape: []int{2}, json: `[{"t":"2024-01-02T03:04:05"}, {"t":"2024-06-02T03:04:05"}]`},
	{name: "times with offsets", text: "t\n2024-01-02T03:04:05+01:00\n2024-06-02T03:04:05-0530\n2024-06-02 03:04:05+02\n",
		dtype: "[('t', '<M8[s]')]", shape: []int{3}, json: `[{"t":"2024-01-02T02:04:05"}, {"t":"2024-06-02T08:34:05"}, {"t":"2024-06-02T01:04:05"}]`},
	{name: "times with and without a zone", text: "t\n2024-01-02T03:04:05\n2024-06-02T03:04:05Z\n",
		dtype: "[('t', '<U20')]", shape: []int{2}, json: `[{"t":"2024-01-02T03:04:05"}, {"t":"2024-06-02T03:04:05Z"}]`},
	{name: "dates and times", text: "t\n2024-01-02\n2024-01-02 03:04\n",
		dtype: "[('t', '<M8[m]')]", shape: []int{2}, json: `[{"t":"2024-01-02T00:00"}, {"t":"2024-01-02T03:04"}]`},
	{name: "dates of America", text: "d,v\n01/02/2024,1\n12/31/2024,2\n", pandas: `parse_dates=["d"]`,
		dtype: "[('d', '<M8[D]'), ('v', '<i8')]", shape: []int{2}, json: `[{"d":"2024-01-02","v":1}, {"d":"2024-12-31","v":2}]`},
	{name: "dates of Europe", text: "d,v\n1.2.2024 9:05,1\n31.12.2024 23:59,2\n", pandas: `parse_dates=["d"], dayfirst=True`,
		dtype: "[('d', '<M8[m]'), ('v', '<i8')]", shape: []int{2}, json: `[{"d":"2024-02-01T09:05","v":1}, {"d":"2024-12-31T23:59","v":2}]`},
	{name: "dates of two orders are text", text: "d\n13/01/2024\n01/13/2024\n",
		dtype: "[('d', '<U10')]", shape: []int{2}, json: `[{"d":"13/01/2024"}, {"d":"01/13/2024"}]`},
	{name: "dates of an unknown order are text", text: "d\n01/02/2024\n03/04/2024\n",
		dtype: "[('d', '<U10')]", shape: []int{2}, json: `[{"d":"01/02/2024"}, {"d":"03/04/2024"}]`},
	{name: "dates with the day first", text: "d\n01/02/2024\n03/04/2024\n", options: convert.TableOptions{Dates: convert.DayFirst}, pandas: `parse_dates=["d"], dayfirst=True`,
		dtype: "[('d', '<M8[D]')]", shape: []int{2}, json: `[{"d":"2024-02-01"}, {"d":"2024-04-03"}]`},
	{name: "dates with the month first, and their dtype", text: "d\n01/02/2024\n", options: convert.TableOptions{Dates: convert.MonthFirst, Columns: map[string]dtype.Type{"d": must(dtype.Parse("M8[s]"))}},
		pandas: `parse_dates=["d"]`, dtype: "[('d', '<M8[s]')]", shape: []int{1}, json: `[{"d":"2024-01-02T00:00:00"}]`},
	{name: "dates with the year first", text: "d\n2024/1/2\n2024-12-31\n",
		dtype: "[('d', '<M8[D]')]", shape: []int{2}, json: `[{"d":"2024-01-02"}, {"d":"2024-12-31"}]`},
	{name: "no date of the calendar", text: "d\n31/02/2024\n01/01/2024\n",
		dtype: "[('d', '<U10')]", shape: []int{2}, json: `[{"d":"31/02/2024"}, {"d":"01/01/2024"}]`},
	{name: "zones kept", text: "t\n2024-01-02T00:00+02:00\n2024-01-02T00:00Z\n", options: convert.TableOptions{KeepZones: true},
		dtype: "[('t', '<U22')]", shape: []int{2}, json: `[{"t":"2024-01-02T00:00+02:00"}, {"t":"2024-01-02T00:00Z"}]`},
	{name: "words of bools", text: "b,c\nyes,T\nNO,f\n", options: convert.TableOptions{True: []string{"yes", "t"}, False: []string{"no", "f"}},
		pandas: `true_values=["yes", "T"], false_values=["NO", "f"]`, dtype: "[('b', '|b1'), ('c', '|b1')]", shape: []int{2}, json: `[{"b":true,"c":true}, {"b":false,"c":false}]`},
	{name: "words of bools without their meaning", text: "b\nyes\nno\n",
		dtype: "[('b', '<U3')]", shape: []int{2}, json: `[{"b":"yes"}, {"b":"no"}]`},
	{name: "decimal commas of a spreadsheet", text: "a;b;c\n1,5;Smith, John;2\n2,25;x;3\n", pandas: `sep=";", decimal=","`,
		dtype: "[('a', '<f8'), ('b', '<U11'), ('c', '<i8')]", shape: []int{2}, json: `[{"a":1.5,"b":"Smith, John","c":2}, {"a":2.25,"b":"x","c":3}]`},
	{name: "commas that may separate thousands are text", text: "a;b\n1,500;2\n2,250;3\n", pandas: `sep=";"`,
		dtype: "[('a', '<U5'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"1,500","b":2}, {"a":"2,250","b":3}]`},
	{name: "numbers without names in records", text: "1,2.5\n3,4\n", options: convert.TableOptions{Records: true}, pandas: `header=None, names=["f0", "f1"]`,
		dtype: "[('f0', '<i8'), ('f1', '<f8')]", shape: []int{2}, json: `[{"f0":1,"f1":2.5}, {"f0":3,"f1":4.0}]`},
	{name: "a day that does not exist", text: "d,v\n2024-02-30,1\n",
		dtype: "[('d', '<U10'), ('v', '<i8')]", shape: []int{1}, json: `[{"d":"2024-02-30","v":1}]`},
	{name: "times of day are text", text: "t,v\n12:30,1\n",
		dtype: "[('t', '<U5'), ('v', '<i8')]", shape: []int{1}, json: `[{"t":"12:30","v":1}]`},
	{name: "large integers", text: "id\n9223372036854775807\n-9223372036854775808\n",
		dtype: "[('id', '<i8')]", shape: []int{2}, json: `[{"id":9223372036854775807}, {"id":-9223372036854775808}]`},
	{name: "unsigned integers", text: "id\n18446744073709551615\n0\n",
		dtype: "[('id', '<u8')]", shape: []int{2}, json: `[{"id":18446744073709551615}, {"id":0}]`},
	{name: "integers of any size", text: "id,v\n123456789012345678901234567890,1\n5,2\n", pandas: `dtype={"id":str}`,
		dtype: "[('id', '<U30'), ('v', '<i8')]", shape: []int{2}, json: `[{"id":"123456789012345678901234567890","v":1}, {"id":"5","v":2}]`},
	{name: "a large integer beside a float", text: "id\n9007199254740993\n1.5\n", pandas: "dtype=str",
		dtype: "[('id', '<U16')]", shape: []int{2}, json: `[{"id":"9007199254740993"}, {"id":"1.5"}]`},
	{name: "a large integer beside a missing one", text: "id,v\n9007199254740993,1\n,2\n", pandas: `dtype={"id":str}`,
		dtype: "[('id', '<U16'), ('v', '<i8')]", shape: []int{2}, json: `[{"id":"9007199254740993","v":1}, {"id":"","v":2}]`},
	{name: "an exact large integer beside a float", text: "v\n9007199254740992\n18014398509481984\n0.5\n",
		dtype: "[('v', '<f8')]", shape: []int{3}, json: `[{"v":9007199254740992.0}, {"v":1.8014398509481984e+16}, {"v":0.5}]`},
	{name: "leading zeros remain", text: "zip,v\n01234,1\n00501,2\n", pandas: `dtype={"zip":str}`,
		dtype: "[('zip', '<U5'), ('v', '<i8')]", shape: []int{2}, json: `[{"zip":"01234","v":1}, {"zip":"00501","v":2}]`},
	{name: "leading zeros among fractions", text: "x\n01\n0.5\n",
		dtype: "[('x', '<f8')]", shape: []int{2}, json: `[{"x":1.0}, {"x":0.5}]`},
	{name: "leading zeros kept", text: "zip,v\n01234,1\n", options: convert.TableOptions{Columns: map[string]dtype.Type{"zip": dtype.Str(5)}}, pandas: `dtype={"zip":str}`,
		dtype: "[('zip', '<U5'), ('v', '<i8')]", shape: []int{1}, json: `[{"zip":"01234","v":1}]`},
	{name: "some dtypes given", text: "a,b,c\n1,2,3\n", options: convert.TableOptions{Columns: map[string]dtype.Type{"b": dtype.Float32}}, pandas: `dtype={"b":"f4"}`,
		dtype: "[('a', '<i8'), ('b', '<f4'), ('c', '<i8')]", shape: []int{1}, json: `[{"a":1,"b":2.0,"c":3}]`},
	{name: "exponents and signs", text: "a,b\n1e3,+5\n-2.5E-3,-.5\n",
		dtype: "[('a', '<f8'), ('b', '<f8')]", shape: []int{2}, json: `[{"a":1000.0,"b":5.0}, {"a":-0.0025,"b":-0.5}]`},
	{name: "infinity", text: "a\ninf\n-inf\n1\n",
		dtype: "[('a', '<f8')]", shape: []int{3}, json: `[{"a":"Infinity"}, {"a":"-Infinity"}, {"a":1.0}]`},
	{name: "hexadecimal is text", text: "a,b\n0x1F,1\n",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"0x1F","b":1}]`},
	{name: "percents are text", text: "a,b\n50%,1\n",
		dtype: "[('a', '<U3'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"50%","b":1}]`},
	{name: "money is text", text: "a,b\n$5.00,1\n",
		dtype: "[('a', '<U5'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"$5.00","b":1}]`},
	{name: "numbers with units are text", text: "a,b\n5 kg,1\n",
		dtype: "[('a', '<U4'), ('b', '<i8')]", shape: []int{1}, json: `[{"a":"5 kg","b":1}]`},
	{name: "complex numbers", text: "z\n1+2j\n3-4j\n", pandas: "dtype=str",
		dtype: "[('z', '<c16')]", shape: []int{2}, json: `[{"z":"1+2j"}, {"z":"3-4j"}]`},
	{name: "short rows filled", text: "a,b,c\n1,2,3\n4\n5,6\n", options: convert.TableOptions{Ragged: convert.RaggedFill},
		dtype: "[('a', '<i8'), ('b', '<f8'), ('c', '<f8')]", shape: []int{3}, json: `[{"a":1,"b":2.0,"c":3.0}, {"a":4,"b":"NaN","c":"NaN"}, {"a":5,"b":6.0,"c":"NaN"}]`},
	{name: "long rows skipped", text: "a,b\n1,2\n3,4,5\n6,7\n", options: convert.TableOptions{Ragged: convert.RaggedSkip}, pandas: `on_bad_lines="skip"`,
		dtype: "[('a', '<i8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":1,"b":2}, {"a":6,"b":7}]`},
	{name: "JSON in cells", text: "id,doc\n1,\"{\"\"a\"\": [1, 2]}\"\n2,{}\n",
		dtype: "[('id', '<i8'), ('doc', '<U13')]", shape: []int{2}, json: `[{"id":1,"doc":"{\"a\": [1, 2]}"}, {"id":2,"doc":"{}"}]`},
	{name: "a cell of spaces", text: "a,b\n  ,1\n2,3\n", pandas: "skipinitialspace=True",
		dtype: "[('a', '<f8'), ('b', '<i8')]", shape: []int{2}, json: `[{"a":"NaN","b":1}, {"a":2.0,"b":3}]`},
	{name: "one column of numbers", text: "1.5\n2.5\n", pandas: "header=None",
		dtype: "<f8", shape: []int{2}, json: `[1.5,2.5]`},
	{name: "one row", text: "1,2,3\n", pandas: "header=None",
		dtype: "<i8", shape: []int{1, 3}, json: `[[1,2,3]]`},
	{name: "a header alone, told", text: "a,b\n", header: convert.HeaderYes,
		dtype: "[('a', '<f8'), ('b', '<f8')]", shape: []int{0}, json: `[]`},
	{name: "empty quotes alone", text: "a\n\"\"\nx\n", pandas: "skip_blank_lines=False",
		dtype: "[('a', '<U1')]", shape: []int{2}, json: `[{"a":""}, {"a":"x"}]`},
}

func (w wildCase) read() (*npy.Array, convert.Report, error) {
	return convert.Read(context.Background(), strings.NewReader(w.text), convert.CSV, convert.ReadOptions{Table: w.options, Header: w.header})
}

func TestWild(t *testing.T) {
	if len(wildCases) < 60 {
		t.Errorf("%d cases, want at least 60", len(wildCases))
	}
	for _, tt := range wildCases {
		t.Run(tt.name, func(t *testing.T) {
			a, _, err := tt.read()
			if err != nil {
				t.Fatalf("Read of %q: %v", tt.text, err)
			}
			if got := a.DType().Descr(); got != native(tt.dtype) || !equal(a.Shape(), tt.shape) {
				t.Errorf("Read of %q gave %s, shape %v, want %s, %v", tt.text, got, a.Shape(), native(tt.dtype), tt.shape)
			}
			got, err := write(convert.JSON, a, convert.WriteOptions{})
			if got = strings.ReplaceAll(strings.TrimSuffix(got, "\n"), ",\n ", ", "); err != nil || got != tt.json {
				t.Errorf("Read of %q\n got %s, %v\nwant %s", tt.text, got, err, tt.json)
			}
		})
	}
}

// pandas.read_csv reads the same names and values.
func TestWildPandas(t *testing.T) {
	type question struct{ Name, Text, Arguments, Path string }
	var questions []question
	dir := t.TempDir()
	for i, tt := range wildCases {
		if tt.pandas == "-" {
			continue
		}
		a, _, err := tt.read()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, strconv.Itoa(i)+".npy")
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		latin := make([]byte, 0, len(tt.text)) // bytes as characters, since JSON has only text
		for i := range len(tt.text) {
			latin = append(latin, string(rune(tt.text[i]))...)
		}
		questions = append(questions, question{tt.name, string(latin), tt.pandas, path})
	}
	if len(questions) < 50 {
		t.Errorf("%d cases to compare, want at least 50", len(questions))
	}
	asked, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	oracle.Module(t, "pandas", `
import io, json, re, sys
import numpy as np, pandas as pd
missing = {"", "NA", "N/A", "null", "NULL", "None", "nan", "NaN", "n/a", "<NA>", "#N/A"}
def name(i, s):
    s = str(s)
    if s.startswith("Unnamed: "): return "index" if i == 0 else "f%d" % i
    return re.sub(r"\.(\d+)$", r"_\1", s)
def column(what, a, p):
    if a.dtype.kind == "M":
        p = pd.to_datetime(p, utc=True).dt.tz_localize(None).to_numpy().astype(a.dtype)
        assert ((a == p) | np.isnat(a) & np.isnat(p)).all(), (what, a, p)
    elif a.dtype.kind == "f":
        np.testing.assert_array_equal(a, p.to_numpy(dtype=float), str(what))
    elif a.dtype.kind == "U":
        for x, y in zip(a, p):
            assert x.strip() == str(y).strip() or pd.isnull(y) and x in missing, (what, x, y)
    elif a.dtype.kind == "c":
        assert (a == p.astype(complex).to_numpy()).all(), (what, a, p)
    else:
        assert (a == p.to_numpy()).all(), (what, a, p)
def compare(q):
    a = np.load(q["Path"])
    text = io.BytesIO(q["Text"].encode("latin-1"))
    df = eval("pd.read_csv(text, %s)" % q["Arguments"])
    what = q["Name"]
    assert len(df) == len(a), (what, len(df), len(a))
    if a.dtype.names:
        names = tuple(name(i, c) for i, c in enumerate(df.columns)) if "header=None" not in q["Arguments"] else tuple("f%d" % i for i in range(len(df.columns)))
        assert names == a.dtype.names, (what, names, a.dtype.names)
        for i, n in enumerate(a.dtype.names): column((what, n), a[n], df.iloc[:, i])
    else:
        b = a.reshape(len(a), -1)
        assert b.shape[1] == len(df.columns), (what, b.shape, df.shape)
        for i in range(b.shape[1]): column((what, i), b[:, i], df.iloc[:, i])
failed = []
for q in json.loads(sys.argv[1]):
    try: compare(q)
    except Exception as e: failed.append((q["Name"], q["Arguments"], repr(e)))
assert not failed, "\n".join(map(str, failed))
`, string(asked))
}
