package audit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy/internal/oracle"
)

// npy returns the header of an .npy file.
func npy(dict string) string {
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(dict)+1))) + dict + "\n"
}

var (
	plainArray  = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "abc"
	objectArray = npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }") + string(assemble(arrayOf(shape(1), objects(), lst(none()))))
)

// parts lists the reports of a file: the kind, offset, protocol and verdict of each, and the error of the last one.
func parts(data string) string {
	var all []string
	for r := range File(strings.NewReader(data)) {
		text := fmt.Sprintf("%s at %d: %v", [...]string{"pickle", "array", "unexplained"}[r.Kind], r.Offset, r.Verdict)
		if r.Err != nil {
			text += ": " + r.Err.Error()
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// The reports cover every byte of a file.
func TestFile(t *testing.T) {
	const evil = "cos\nsystem\n(S'id'\ntR."
	a, o := len(plainArray), len(objectArray)
	pickleAt := strings.IndexByte(objectArray, '\n') + 1
	for _, test := range []struct{ name, data, want string }{
		{"an array", plainArray, "array at 0: NoCodeKnown"},
		{"an array of objects", objectArray, fmt.Sprintf("pickle at %d: NoCodeKnown", pickleAt)},
		{"a pickle", "N.", "pickle at 0: NoCodeKnown"},
		{"two pickles", "N." + evil, "pickle at 0: NoCodeKnown; pickle at 2: RunsCode"},
		{"two arrays", plainArray + objectArray, fmt.Sprintf("array at 0: NoCodeKnown; pickle at %d: NoCodeKnown", a+pickleAt)},
		{"a pickle after an array", plainArray + evil, fmt.Sprintf("array at 0: NoCodeKnown; pickle at %d: RunsCode", a)},
		{"a pickle after an array of objects", objectArray + evil, fmt.Sprintf("pickle at %d: NoCodeKnown; pickle at %d: RunsCode", pickleAt, o)},
		{"an array after a pickle", "N." + plainArray, "pickle at 0: NoCodeKnown; array at 2: NoCodeKnown"},
		{"a pickle that only some read", "N.]p+0\n0" + evil, "pickle at 0: NoCodeKnown; pickle at 2: RunsCode"},
		{"a pickle that no reader takes", "N.]px\n0" + evil, "pickle at 0: NoCodeKnown; unexplained at 2: Unknown: the bytes from here on are neither an array nor a pickle: pickle: byte 3 (PUT): \"x\" is not a memo number"},
		{"zeros after an array", plainArray + "\x00\x00", fmt.Sprintf("array at 0: NoCodeKnown; unexplained at %d: Unknown: the bytes from here on are neither an array nor a pickle: pickle: byte %d: 0x00 is not an opcode: this is not a pickle, or it is damaged", a, a)},
		{"a newline after a pickle", "N.\n", "pickle at 0: NoCodeKnown; unexplained at 2: Unknown: the bytes from here on are neither an array nor a pickle: pickle: byte 2: 0x0a is not an opcode: this is not a pickle, or it is damaged"},
		{"a later pickle that names something and breaks", "N.cmath\npi\n\xff", "pickle at 0: NoCodeKnown; pickle at 2: Unknown: pickle: byte 11: 0xff is not an opcode: this is not a pickle, or it is damaged"},
		{"nothing", "", "unexplained at 0: Unknown: the file is empty: unexpected EOF"},
		{"text", "Hello", "pickle at 0: Unknown: pickle: byte 0: 0x48 is not an opcode: this is not a pickle, or it is damaged"},
		{"an archive", "PK\x03\x04abc", "unexplained at 0: Unknown: this is a ZIP archive, whose members are files of their own"},
		{"an empty archive", "PK\x05\x06" + strings.Repeat("\x00", 18), "unexplained at 0: Unknown: this is a ZIP archive, whose members are files of their own"},
		{"an array cut short", plainArray[:a-1], fmt.Sprintf("array at 0: Unknown: npy: invalid format at byte %d: the data ends after 2 of 3 bytes: unexpected EOF", a-1)},
		{"a header cut short", plainArray[:30], "unexplained at 0: Unknown: npy: invalid format at byte 30: the header ends after 30 of 68 bytes: unexpected EOF"},
		{"an array of objects cut short", objectArray[:o-1], fmt.Sprintf("pickle at %d: Unknown: pickle: byte %d: unexpected EOF", pickleAt, o-1)},
		{"a version that is not known", "\x93NUMPY\x09\x00", "unexplained at 0: Unknown: npy: invalid format at byte 6: version 9.0 is not known, want 1.0, 2.0 or 3.0"},
		{"the rest of a frame", "\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00N.abc", "pickle at 0: Unknown: pickle: byte 12 (STOP): the frame goes on to byte 16"},
	} {
		if got := parts(test.data); got != test.want {
			t.Errorf("%s: File(%q) gives\n%s, want\n%s", test.name, test.data, got, test.want)
		}
	}
}

// Offsets in a later pickle count from the start of the file.
func TestFileOffsets(t *testing.T) {
	for r := range File(strings.NewReader(plainArray + "\x80\x02cos\nsystem\n\xff")) {
		if r.Kind != Pickle {
			continue
		}
		at := int64(len(plainArray))
		if r.Offset != at || r.Protocol != 2 || len(r.Imports) != 1 || r.Imports[0].Offset != at+2 || !strings.Contains(r.Err.Error(), fmt.Sprintf("byte %d:", at+13)) {
			t.Errorf("%+v", r)
		}
	}
}

// A file that cannot be read must not pass as a file without code.
func TestFileErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, start := range []string{"", "N", "N.", plainArray, plainArray[:60], plainArray[:len(plainArray)-1], objectArray[:100]} {
		var last *Report
		for r := range File(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken))) {
			last = r
		}
		if last == nil || last.Verdict != Unknown || !errors.Is(last.Err, broken) {
			t.Errorf("after %q: %+v, want the error of reading", start, last)
		}
	}
}

// Where NumPy finds objects in a header, and so unpickles the data, the audit must not find an array of other data.
func TestHeadersAsNumPy(t *testing.T) {
	descrs := strings.Split(strings.TrimSpace(`
'<f8', 'descr': '|O'
'|O', 'descr': '<f8'
'f8,O'
'object'
'O8'
'>O'
'O4'
'object_'
'O,f8'
'Object0'
'OO'
'(2,)O'
('O', (2,))
('<f8', ('O',))
('O', {'x': 1})
('V8', [('a', 'O')])
[('a', 'f8'), ('b', [('c', 'O')])]
[('a', 'O', (2,))]
[('', 'O')]
[(('t', 'a'), 'O')]
[('a', 'V8'), ('b', '<f8')]
{'names': ['a'], 'formats': ['O']}
{'a': ('O', 0)}
'T'
'|T16'
'StringDType()'
''
None
'V8'
'p'
'P'
'|O\x00'
b'O'
'O' 'bject'
`), "\n")
	out := oracle.NumPy(t, `
from numpy.lib import format
import io
for line in sys.stdin:
    text = "{'descr': " + line.rstrip('\n') + ", 'fortran_order': False, 'shape': (1,), }\n"
    f = io.BytesIO(len(text).to_bytes(2, 'little') + text.encode())
    try: print(format.read_array_header_1_0(f)[2].hasobject)
    except Exception: print('error')
`, []byte(strings.Join(descrs, "\n")))
	answers := strings.Fields(string(out))
	if len(answers) != len(descrs) {
		t.Fatalf("%d answers to %d headers", len(answers), len(descrs))
	}
	objects := 0
	for i, descr := range descrs {
		data := npy("{'descr': "+descr+", 'fortran_order': False, 'shape': (1,), }") + strings.Repeat("\x00", 64)
		for r := range File(strings.NewReader(data)) {
			if r.Kind == Array && answers[i] == "True" {
				t.Errorf("descr %s: NumPy sees objects, the audit an array of %s", descr, r.Header.DType)
			}
			break
		}
		if answers[i] == "True" {
			objects++
		}
	}
	if objects < 10 {
		t.Errorf("NumPy sees objects in %d headers only", objects)
	}
}

// FuzzFile checks for any input that nothing panics, that the reports follow each other to the end of the file, and
// that each verdict is at least as bad as the verdict on its worst import.
func FuzzFile(f *testing.F) {
	for _, data := range []string{"", "N.", plainArray, objectArray, plainArray + objectArray + "N."} {
		f.Add([]byte(data))
	}
	for _, a := range attacks {
		f.Add(assemble(a.make()))
	}
	for _, make := range templates {
		f.Add(assemble(make()))
	}
	if script, err := os.ReadFile("testdata/driver.py"); err == nil {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		end, n := int64(0), 0
		for r := range File(bytes.NewReader(data)) {
			n++
			if r.Offset < end || r.Offset > int64(len(data)) {
				t.Fatalf("a part at %d, after byte %d of %d", r.Offset, end, len(data))
			}
			end = r.Offset
			worst := NoCodeKnown
			for _, i := range r.Imports {
				worst = max(worst, i.Verdict)
			}
			if r.Err != nil {
				worst = max(worst, Unknown)
			}
			if r.Verdict != worst {
				t.Fatalf("the verdict is %v, that of its imports %v", r.Verdict, worst)
			}
		}
		if n == 0 {
			t.Fatal("no report")
		}
	})
}
