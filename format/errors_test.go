package format_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/npygo/npy/format"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// with returns a file of version 1.0 in whose header one of the three values is replaced.
func with(key, value string) string {
	values := map[string]string{"descr": "'<f8'", "fortran_order": "False", "shape": "(3, 4)"}
	values[key] = value
	return framed(format.V1, fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", values["descr"], values["fortran_order"], values["shape"]))
}

// The offsets of the values in such a file.
const (
	atDescr = len("\x93NUMPY\x01\x00v\x00{'descr': ")
	atOrder = atDescr + len("'<f8', 'fortran_order': ")
	atShape = atOrder + len("False, 'shape': ")
)

// bad holds one file for each kind of malformed header. The messages are in testdata/errors.golden.
var bad = []struct {
	name   string
	why    string
	file   string
	offset int
	path   string
	is     error
}{
	// Magic, version and length.
	{"one byte of magic", "the file is cut", "\x93", 1, "", io.ErrUnexpectedEOF},
	{"magic only", "the file is cut", format.Magic, 6, "", io.ErrUnexpectedEOF},
	{"half a version", "the file is cut", format.Magic + "\x01", 7, "", io.ErrUnexpectedEOF},
	{"no length", "the file is cut", format.Magic + "\x02\x00", 8, "", io.ErrUnexpectedEOF},
	{"half a length of 1.0", "the file is cut", format.Magic + "\x01\x00v", 9, "", io.ErrUnexpectedEOF},
	{"half a length of 2.0", "the file is cut", format.Magic + "\x02\x00v\x00\x00", 11, "", io.ErrUnexpectedEOF},
	{"no header", "the file is cut", format.Magic + "\x01\x00v\x00", 10, "", io.ErrUnexpectedEOF},
	{"half a header", "the file is cut", format.Magic + "\x01\x00\xf4\x01" + simple, 10 + len(simple), "", io.ErrUnexpectedEOF},
	{"one byte", "NumPy's tests have it", "1", 0, "", format.ErrMagic},
	{"another first byte", "", "\x92NUMPY\x01\x00", 0, "", format.ErrMagic},
	{"NUL in front", "", "\x00NUMPY\x01\x00", 0, "", format.ErrMagic},
	{"lowercase", "", "\x93numpy\x01\x00", 0, "", format.ErrMagic},
	{"another last letter", "", "\x93NUMPX\x01\x00", 0, "", format.ErrMagic},
	{"another name", "", "\x93MATLB\x01\x00", 0, "", format.ErrMagic},
	{"UTF-8", "text tools turn 93 into two bytes", "\xc2\x93NUMPY\x01\x00", 0, "", format.ErrMagic},
	{"npz", "the wrong function for it", "PK\x03\x04\x14\x00\x00\x00", 0, "", format.ErrMagic},
	{"empty npz", "", "PK\x05\x06" + strings.Repeat("\x00", 18), 0, "", format.ErrMagic},
	{"gzip", "", "\x1f\x8b\x08\x00\x00\x00\x00\x00", 0, "", format.ErrMagic},
	{"pickle", "", "\x80\x04\x95\x0b\x00\x00\x00", 0, "", format.ErrMagic},
	{"HDF5", "", "\x89HDF\r\n\x1a\n", 0, "", format.ErrMagic},
	{"HTML", "a download that went wrong", "<!DOCTYPE html><html>", 0, "", format.ErrMagic},
	{"Git LFS", "a checkout that went wrong", "version https://git-lfs.github.com/spec/v1\noid", 0, "", format.ErrMagic},
	{"version 0.0", "", format.Magic + "\x00\x00v\x00" + simple, 6, "", nil},
	{"version 0.1", "", format.Magic + "\x00\x01v\x00" + simple, 6, "", nil},
	{"version 1.1", "", format.Magic + "\x01\x01v\x00" + simple, 6, "", nil},
	{"version 2.2", "", format.Magic + "\x02\x02v\x00\x00\x00" + simple, 6, "", nil},
	{"version 4.0", "", format.Magic + "\x04\x00v\x00\x00\x00" + simple, 6, "", nil},
	{"version 255.255", "", format.Magic + "\xff\xffv\x00" + simple, 6, "", nil},
	{"header over the limit", "before anything is allocated", format.Magic + "\x02\x00\x01\x00\x01\x00", 8, "", format.ErrLimit},
	{"header of 4 GiB", "before anything is allocated", format.Magic + "\x02\x00\xf0\xff\xff\xff" + simple, 8, "", format.ErrLimit},
	{"version 3.0 in Latin-1", "no UTF-8", framed(format.V3, "{'descr': [('\xe9', '<f8')], 'fortran_order': False, 'shape': (3,)}"), 12 + 13, "", nil},

	// The literal.
	{"empty header", "", framed(format.V1, ""), 10, "", nil},
	{"blank header", "", framed(format.V1, "   \n"), 14, "", nil},
	{"NUL padding", "", framed(format.V1, simple+"\x00\x00"), 10 + len(simple), "", nil},
	{"junk behind the dict", "", framed(format.V1, simple+" x"), 10 + len(simple) + 1, "", nil},
	{"two dicts", "", framed(format.V1, simple+"\n"+simple), 10 + len(simple) + 1, "", nil},
	{"not closed", "", framed(format.V1, simple[:len(simple)-1]), 10, "", nil},
	{"string not closed", "", with("descr", "'<f8"), atDescr + len("'<f8, '"), "", nil},
	{"octal of Python 2", "", with("shape", "(03,)"), atShape + 1, "", nil},
	{"JSON", "false is a name", framed(format.V1, `{"descr": "<f8", "fortran_order": false, "shape": [3, 4]}`), 10 + len(`{"descr": "<f8", "fortran_order": `), "", nil},
	{"numpy 2 integers", "gh-28334", with("shape", "(np.int64(2), 3)"), atShape + 1, "", nil},
	{"a call", "nothing is evaluated", with("descr", "__import__('os').system('true')"), atDescr, "", nil},
	{"a sum", "", with("shape", "(1+2,)"), atShape + 2, "", nil},
	{"a product", "", with("shape", "(1,)*3"), atShape + 4, "", nil},
	{"Python 2 long in version 3.0", "which Python 2 never wrote", framed(format.V3, "{'descr': '<f8', 'fortran_order': False, 'shape': (3L,)}"), 12 + 52, "", nil},
	{"byte order mark", "", framed(format.V3, "\ufeff"+simple), 12, "", nil},
	{"no-break space in Latin-1", "one byte, though two in UTF-8", framed(format.V1, "{'descr':\xa0'<f8'}"), 10 + 9, "", nil},
	{"behind Latin-1", "offsets count bytes of the file", framed(format.V1, "{'\xe9\xe9\xe9': x"), 10 + 8, "", nil},
	{"behind UTF-8", "offsets count bytes of the file", framed(format.V3, "{'ééé': x"), 12 + 11, "", nil},
	{"5,000 brackets", "no recursion without an end", framed(format.V1, strings.Repeat("[", 5000)), 10 + 200, "", nil},
	{"5,000 parentheses", "", with("shape", strings.Repeat("(", 5000)), atShape + 199, "", nil},
	{"5,000 digits", "", with("shape", "("+strings.Repeat("9", 5000)+",)"), atShape + 1, "", nil},

	// The dict.
	{"list", "", framed(format.V1, " [1, 2]"), 11, "", nil},
	{"number", "", framed(format.V1, "1"), 10, "", nil},
	{"tuple of the dict", "a comma too many", framed(format.V1, simple+","), 10, "", nil},
	{"empty dict", "", framed(format.V1, "{}"), 10, "descr", nil},
	{"no descr", "", framed(format.V1, "{'fortran_order': False, 'shape': (3,)}"), 10, "descr", nil},
	{"no order", "", framed(format.V1, "{'descr': '<f8', 'shape': (3,)}"), 10, "fortran_order", nil},
	{"no shape", "", framed(format.V1, "{'descr': '<f8', 'fortran_order': False}"), 10, "shape", nil},
	{"another key", "", framed(format.V1, "{'descr': '<f8', 'extrakey': 1, 'fortran_order': False, 'shape': (3,)}"), 10 + 17, "", nil},
	{"bytes as a key", "", framed(format.V1, "{b'descr': '<f8', 'fortran_order': False, 'shape': (3,)}"), 11, "", nil},
	{"list as a key", "", framed(format.V1, "{[]: 1}"), 11, "", nil},

	// fortran_order and shape.
	{"order 0", "", with("fortran_order", "0"), atOrder, "fortran_order", nil},
	{"order None", "", with("fortran_order", "None"), atOrder, "fortran_order", nil},
	{"order as text", "", with("fortran_order", "'False'"), atOrder, "fortran_order", nil},
	{"order 0.0", "", with("fortran_order", "0.0"), atOrder, "fortran_order", nil},
	{"shape without tuple", "", with("shape", "3"), atShape, "shape", nil},
	{"shape in parentheses", "no tuple either", with("shape", "(3)"), atShape, "shape", nil},
	{"shape as a list", "", with("shape", "[3]"), atShape, "shape", nil},
	{"shape as a set", "", with("shape", "{3}"), atShape, "shape", nil},
	{"dimension 3.0", "", with("shape", "(3.0,)"), atShape + 1, "shape[0]", nil},
	{"dimension None", "", with("shape", "(3, None)"), atShape + 4, "shape[1]", nil},
	{"dimension '3'", "", with("shape", "('3',)"), atShape + 1, "shape[0]", nil},
	{"dimension ...", "", with("shape", "(...,)"), atShape + 1, "shape[0]", nil},
	{"dimension 3j", "", with("shape", "(3j,)"), atShape + 1, "shape[0]", nil},
	{"dimension True", "NumPy notices when it reads the data", with("shape", "(True,)"), atShape + 1, "shape[0]", nil},
	{"dimension -1", "NumPy reads all of the file", with("shape", "(-1,)"), atShape + 1, "shape[0]", nil},
	{"dimension -3", "", with("shape", "(2, -3)"), atShape + 4, "shape[1]", nil},
	{"two negative dimensions", "their product is not", with("shape", "(-1, -3)"), atShape + 1, "shape[0]", nil},
	{"zero and a negative dimension", "", with("shape", "(0, -1)"), atShape + 4, "shape[1]", nil},
	{"10**23", "no int", with("shape", "(100000000000000000000000,)"), atShape + 1, "shape[0]", nil},
	{"-10**23", "", with("shape", "(-100000000000000000000000,)"), atShape + 1, "shape[0]", nil},
	{"2**63", "no int", with("shape", "(9223372036854775808,)"), atShape + 1, "shape[0]", nil},
	{"65 dimensions", "", with("shape", "("+strings.Repeat("1,", 65)+")"), atShape, "shape", nil},

	// The descr.
	{"descr None", "", with("descr", "None"), atDescr, "descr", nil},
	{"descr 8", "", with("descr", "8"), atDescr, "descr", nil},
	{"descr True", "", with("descr", "True"), atDescr, "descr", nil},
	{"descr as bytes", "", with("descr", "b'<f8'"), atDescr, "descr", nil},
	{"descr with fields in a dict", "NumPy takes them, and writes a struct", with("descr", "('<i4', {'a': ('<i2', 0)})"), atDescr + 8, "descr.shape", nil},
	{"code", "", with("descr", "'<f7'"), atDescr + 1, "descr", nil},
	{"order alone", "", with("descr", "'<'"), atDescr + 1, "descr", nil},
	{"empty code", "", with("descr", "''"), atDescr + 1, "descr", nil},
	{"size that wraps", "<U1000000000 of 4,000,000,000 bytes", with("descr", "'<U1000000000'"), atDescr + 1, "descr", nil},
	{"unit", "", with("descr", "'<M8[xs]'"), atDescr + 5, "descr", nil},
	{"zero divisor", "NumPy 1 dies of it", with("descr", "'<M8[ns/0]'"), atDescr + 8, "descr", nil},
	{"subarray", "NumPy reads such a header, and no data", with("descr", "('<i4', (2,))"), atDescr, "descr", nil},
	{"subarray as text", "", with("descr", "'2i4'"), atDescr, "descr", nil},
	{"pieces on lines", "the place is the start of the string", with("descr", "'<'\n'f7'"), atDescr, "descr", nil},
	{"tuple of one", "", with("descr", "('<f8',)"), atDescr, "descr", nil},
	{"field alone", "", with("descr", "[('a',)]"), atDescr + 1, "descr[0]", nil},
	{"field of four", "", with("descr", "[('a', '<f8', (2,), 4)]"), atDescr + 1, "descr[0]", nil},
	{"field as text", "", with("descr", "['<f8']"), atDescr + 1, "descr[0]", nil},
	{"dict as a descr", "", with("descr", "{'names': ['a'], 'formats': ['<f8']}"), atDescr, "descr", nil},
	{"name of bytes", "Python 2", with("descr", "[(b'a', '<f8')]"), atDescr + 2, "descr[0].name", nil},
	{"duplicate name", "", with("descr", "[('a', '<f8'), ('a', '<f8')]"), atDescr + 15, "descr[1]", nil},
	{"title is a name", "", with("descr", "[('a', '<f8'), (('a', 'b'), '<f8')]"), atDescr + 15, "descr[1]", nil},
	{"second field", "", with("descr", "[('a', '<f8'), ('b', '<f7')]"), atDescr + 22, "descr[1]", nil},
	{"nested field", "", with("descr", "[('a', '<f8'), ('b', [('c', '<f7')])]"), atDescr + 29, "descr[1][0]", nil},
	{"subarray of -1", "", with("descr", "[('a', '<f8'), ('b', '<f8', (2, -1))]"), atDescr + 32, "descr[1].shape", nil},
	{"subarray of 2.0", "", with("descr", "[('a', '<f8', 2.0)]"), atDescr + 14, "descr[0].shape", nil},
	{"subarray of 65 dimensions", "", with("descr", "[('a', '<f8', ("+strings.Repeat("1,", 65)+"))]"), atDescr + 14, "descr[0].shape", nil},
	{"subarray too large", "", with("descr", "[('a', '<f8', (65536, 65536))]"), atDescr + 14, "descr[0].shape", nil},
	{"struct too large", "", with("descr", "[('a', 'V2147483647'), ('', 'V1')]"), atDescr + 23, "descr[1]", nil},
	{"2,000 nested structs", "", with("descr", strings.Repeat("[('a', ", 2000)), atDescr + 99*7 + 1, "", nil},
}

func TestErrors(t *testing.T) {
	var golden bytes.Buffer
	golden.WriteString("Every message about a bad header, for a reader to judge. go test -run TestErrors -update writes this file.\n\n")
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			_, err := format.ParseHeader([]byte(tt.file))
			var e *format.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %T %v, want a *format.Error", err, err)
			}
			if e.Offset != int64(tt.offset) || e.Path != tt.path {
				t.Errorf("got byte %d, path %q, want byte %d, path %q: %v", e.Offset, e.Path, tt.offset, tt.path, err)
			}
			for _, is := range []error{io.ErrUnexpectedEOF, format.ErrLimit, format.ErrMagic} {
				if errors.Is(err, is) != (tt.is == is) {
					t.Errorf("errors.Is(err, %v) is %t: %v", is, errors.Is(err, is), err)
				}
			}
			if _, read := format.ReadHeader(strings.NewReader(tt.file)); fmt.Sprint(read) != err.Error() {
				t.Errorf("from a reader: %v\nfrom bytes: %v", read, err)
			}
			if len(err.Error()) > 300 || strings.ContainsAny(err.Error(), "\n\x00") || strings.Count(err.Error(), "npy:") != 1 {
				t.Errorf("text of %d bytes: %q", len(err.Error()), err)
			}
			fmt.Fprintf(&golden, "%s\n    %v\n", tt.name, err)
		})
	}
	if *update {
		if err := os.WriteFile("testdata/errors.golden", golden.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/errors.golden")
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(golden.String(), "\n"), strings.Split(string(want), "\n")
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, testdata/errors.golden has %d", len(gotLines), len(wantLines))
	}
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] && !strings.Contains(gotLines[i], " is over ") { // this text contains the largest int of the machine
			t.Errorf("got %s\nwant %s", gotLines[i], wantLines[i])
		}
	}
}

// Shapes whose size does not fit an int, because of the product or of one dimension. Which of the two depends on the
// machine.
func TestHugeShapes(t *testing.T) {
	for _, shape := range []string{
		"(2305843009213693952,)", "(4611686018427387904,)", "(4294967296, 4294967296)", "(6148914691236517206, 3)", "(2147483647, 2147483647, 2147483647)",
		"(9223372036854775807, 0)", "(0, 9223372036854775807)", "(4294967296, 4294967296, 0)", "(9223372036854775807,)", "(18446744073709551616,)",
	} {
		_, err := format.ParseHeader([]byte(with("shape", shape)))
		var e *format.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Path, "shape") || e.Offset < int64(atShape) {
			t.Errorf("%s: %v", shape, err)
		}
	}
	// An empty array may have large dimensions as long as its strides fit an int.
	for _, shape := range []string{"(1000000, 0)", "(0, 268435455)", "(0, 0, 0)"} {
		if h, err := format.ParseHeader([]byte(with("shape", shape))); err != nil || h.Size() != 0 || h.NBytes() != 0 {
			t.Errorf("%s: %+v, %v", shape, h, err)
		}
	}
}

// The part of the input that an error repeats is shortened, wherever the cut falls.
func TestEcho(t *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic: %v", p)
		}
	}()
	for n := range 80 {
		for _, tail := range []string{"", "b", "bb", "bbb", "bbbb", "é", "整", "\xff", "'", "\\"} {
			for _, text := range []string{"['%s', '%s']", "['%s', b'%s']", "{'%s': '%s'}", "[[['%s'], ('%s',)]]", "[1.5, '%s', {'%s'}, -2]"} {
				tail = strings.ReplaceAll(strings.ReplaceAll(tail, "\\", "\\\\"), "'", "\\'")
				_, err := format.ParseHeader([]byte(framed(format.V1, fmt.Sprintf(text, strings.Repeat("a", n), tail))))
				if err == nil || len(err.Error()) > 200 {
					t.Errorf("%d, %q: %v", n, tail, err)
				}
			}
		}
	}
}
