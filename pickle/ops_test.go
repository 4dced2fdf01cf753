package pickle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// listOps returns the instructions of a pickle, one per line, and the error.
func listOps(r io.Reader) (string, error) {
	var lines strings.Builder
	for op, err := range Ops(r) {
		if err != nil {
			return lines.String(), err
		}
		arg := op.Arg
		switch v := arg.(type) {
		case [2]string:
			arg = v[0] + " " + v[1]
		case []byte:
			if op.Name == "BYTEARRAY8" {
				arg = &ByteArray{v}
			}
		}
		fmt.Fprintf(&lines, "%d %s %s\n", op.Offset, op.Name, (&Printer{MaxBytes: -1}).Repr(arg))
	}
	return lines.String(), nil
}

// Ops returns the instructions of pickletools.genops.
func TestOpsAsPython(t *testing.T) {
	out := oracle.Python(t, randomValues+`
import pickletools
for seed in range(100):
    v = value(random.Random(seed))
    for protocol in range(6):
        try: data = pickle.dumps(v, protocol)
        except Exception: continue
        lines = ''.join('%d %s %r\n' % (pos, op.name, arg) for op, arg, pos in pickletools.genops(data))
        send(data)
        send(lines.encode('utf-8', 'surrogatepass'))
`, nil)
	all := pickles(t, out)
	if len(all) < 600 {
		t.Fatalf("only %d pickles", len(all)/2)
	}
	for i := 0; i < len(all); i += 2 {
		got, err := listOps(bytes.NewReader(all[i]))
		if got != string(all[i+1]) || err != nil {
			t.Fatalf("Ops(%q) =\n%s%v, want\n%s", all[i], got, err, all[i+1])
		}
	}
}

// An error comes last, with the place and the part of the instruction that was read.
func TestOpsErrors(t *testing.T) {
	for _, test := range []struct{ name, pickle, ops, op string }{
		{"cut short", "N", "0 NONE None\n", ""},
		{"no opcode", "N\xff", "0 NONE None\n", ""},
		{"a later protocol", "\x80\x06N.", "", "PROTO"},
		{"across the end of a frame", "\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00X\x01\x00\x00\x00a.", "0 PROTO 4\n2 FRAME 2\n", "BINUNICODE"},
		{"a frame that goes on", "\x80\x04\x95\x03\x00\x00\x00\x00\x00\x00\x00N.N", "0 PROTO 4\n2 FRAME 3\n11 NONE None\n", "STOP"},
		{"a name cut short", "cos\nsyst", "", "GLOBAL"},
		{"a memo number that is none", "g0x1\n", "", "GET"},
	} {
		got, err := listOps(strings.NewReader(test.pickle))
		var located *Error
		if !errors.As(err, &located) || located.Op != test.op || got != test.ops {
			t.Errorf("%s: %q, %v, want %q and an error in %q", test.name, got, err, test.ops, test.op)
		}
	}
	for op, err := range Ops(strings.NewReader("cos\nsyst")) {
		if err == nil || op.Arg != [2]string{"os", ""} {
			t.Errorf("of a name cut short there is %v, %v, want the module", op, err)
		}
	}
}

// Stopping early leaves the reader after the last instruction.
func TestOpsStopEarly(t *testing.T) {
	r := strings.NewReader("N0K\x01.rest")
	for op := range Ops(r) {
		if op.Name == "POP" {
			break
		}
	}
	if rest, _ := io.ReadAll(r); string(rest) != "K\x01.rest" {
		t.Errorf("%q is left after two instructions", rest)
	}
}
