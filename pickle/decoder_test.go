package pickle

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/pickle/internal/machine"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// TestVectors reads the pickles in files written by NumPy: an ndarray whose state holds the list of its elements.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/*/object-*.npy")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := bytes.NewReader(data)
		h, err := format.ReadHeader(r)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Decoder{}.Decode(r)
		if err != nil || r.Len() != 0 {
			t.Errorf("%s: %d bytes are left, error %v", file, r.Len(), err)
			continue
		}
		array, ok := v.(*Object)
		if !ok || !array.HasState || !strings.HasSuffix(describe(array.Class), "multiarray._reconstruct") {
			t.Errorf("%s: a %T", file, v)
			continue
		}
		state := array.State.(*Tuple).Items
		n := 1
		for i, size := range state[1].(*Tuple).Items {
			if size != int64(h.Shape[i]) {
				t.Errorf("%s: dimension %d is %v, in the header %d", file, i, size, h.Shape[i])
			}
			n *= h.Shape[i]
		}
		if items := state[4].(*List).Items; len(items) != n {
			t.Errorf("%s: %d elements, want %d", file, len(items), n)
		}
	}
}

// TestKnown calls known classes with arguments that they take, and with others. A call with other arguments stays a
// call.
func TestKnown(t *testing.T) {
	const call = "call of "
	for _, tt := range []struct{ name, data, want string }{
		{"set", "c__builtin__\nset\n(](K\x01K\x02etR", "set(int:1 int:2)"},
		{"set of a tuple", "cbuiltins\nset\n(K\x01\x85tR", "set(int:1)"},
		{"set of nothing", "cbuiltins\nset\n)R", "set()"},
		{"set of a set", "cbuiltins\nset\ncbuiltins\nset\n)R\x85R", call + "builtins.set"},
		{"list", "cbuiltins\nlist\n(](K\x01K\x02etR", "list(int:1 int:2 )"},
		{"list of two", "cbuiltins\nlist\n]]\x86R", call + "builtins.list"},
		{"dict", "cbuiltins\ndict\n)R", "dict()"},
		{"dict of pairs", "cbuiltins\ndict\n]\x85R", call + "builtins.dict"},
		{"complex", "cbuiltins\ncomplex\nF1.0\nF2.0\n\x86R", "complex:3ff0000000000000,4000000000000000"},
		{"complex of ints", "cbuiltins\ncomplex\nK\x01K\x02\x86R", call + "builtins.complex"},
		{"complex of text", "cbuiltins\ncomplex\nU\x021j\x85R", call + "builtins.complex"},
		{"bytes", "c__builtin__\nbytes\n)R", "bytes:"},
		{"bytes of a size", "cbuiltins\nbytes\nJ\x00\x00\x00\x7f\x85R", call + "builtins.bytes"},
		{"bytearray", "cbuiltins\nbytearray\n)R", "bytearray:"},
		{"bytearray of bytes", "cbuiltins\nbytearray\nC\x01a\x85R", "bytearray:61"},
		{"bytearray of text", "cbuiltins\nbytearray\nV\xe9\nVlatin-1\n\x86R", "bytearray:e9"},
		{"bytearray of Python 2", "c__builtin__\nbytearray\nU\x01\xe9\x85R", "bytearray:e9"},
		{"bytearray in UTF-8", "cbuiltins\nbytearray\nV\xe9\nVutf-8\n\x86R", call + "builtins.bytearray"},
		{"bytearray of a size", "cbuiltins\nbytearray\nJ\x00\x00\x00\x7f\x85R", call + "builtins.bytearray"},
		{"encode", "c_codecs\nencode\nV\xe9\nVlatin1\n\x86R", "bytes:e9"},
		{"encode of other letters", "c_codecs\nencode\nV\\u0100\nVlatin1\n\x86R", call + "_codecs.encode"},
		{"encode rot13", "c_codecs\nencode\nVa\nVrot13\n\x86R", call + "_codecs.encode"},
		{"slice", "cbuiltins\nslice\nNK\x05N\x87R", "slice(None int:5 None )"},
		{"slice of lists", "cbuiltins\nslice\nN]N\x87R", call + "builtins.slice"},
		{"range", "c__builtin__\nxrange\nK\x00K\x05K\x01\x87R", "range(int:0 int:5 int:1 )"},
		{"range of step 0", "cbuiltins\nrange\nK\x00K\x05K\x00\x87R", call + "builtins.range"},
		{"range of one", "cbuiltins\nrange\nK\x05\x85R", call + "builtins.range"},
		{"OrderedDict of Python 2", "ccollections\nOrderedDict\n(](](K\x01K\x02e](K\x03K\x04eetR", "OrderedDict(int:1=int:2 int:3=int:4 )"},
		{"OrderedDict of a triple", "ccollections\nOrderedDict\n(](](K\x01K\x02K\x03eetR", call + "collections.OrderedDict"},
		{"OrderedDict of ints", "ccollections\nOrderedDict\n(](K\x01etR", call + "collections.OrderedDict"},
		{"defaultdict", "ccollections\ndefaultdict\n)R", "Nonedefaultdict()"},
		{"defaultdict of a dict", "ccollections\ndefaultdict\n(N}tR", call + "collections.defaultdict"},
		{"Counter", "ccollections\nCounter\n)R", "Counter()"},
		{"Counter of text", "ccollections\nCounter\nVab\n\x85R", call + "collections.Counter"},
		{"datetime", "cdatetime\ndatetime\nU\n\x07\xe4\x02\x1d\x17\x3b\x3b\x0f\x42\x3f\x85R", "datetime:2020,2,29,23,59,59,999999,0,None"},
		{"datetime in Latin-1", "cdatetime\ndatetime\nV\x07\xe4\x02\x1d\x17\x3b\x3b\x0f\x42\x3f\n\x85R", "datetime:2020,2,29,23,59,59,999999,0,None"},
		{"datetime on 30 February", "cdatetime\ndatetime\nC\n\x07\xe4\x02\x1e\x17\x3b\x3b\x0f\x42\x3f\x85R", call + "datetime.datetime"},
		{"datetime in 24 hours", "cdatetime\ndatetime\nC\n\x07\xe4\x02\x1d\x18\x00\x00\x00\x00\x00\x85R", call + "datetime.datetime"},
		{"datetime of ints", "cdatetime\ndatetime\nM\xe4\x07K\x01K\x01\x87R", call + "datetime.datetime"},
		{"datetime with a name for a zone", "cdatetime\ndatetime\nC\n\x07\xe4\x02\x1d\x17\x3b\x3b\x0f\x42\x3fVUTC\n\x86R", call + "datetime.datetime"},
		{"datetime with a foreign zone", "cdatetime\ndatetime\nC\n\x07\xe4\x02\x1d\x17\x3b\x3b\x0f\x42\x3fcpytz\n_UTC\n)R\x86R",
			"datetime:2020,2,29,23,59,59,999999,0,global:pytz._UTCmade()items()"},
		{"date", "cdatetime\ndate\nC\x04\x07\xe4\x0c\x1f\x85R", "date:2020,12,31"},
		{"date on 29 February 1900", "cdatetime\ndate\nC\x04\x07\x6c\x02\x1d\x85R", call + "datetime.date"},
		{"date in month 0", "cdatetime\ndate\nC\x04\x07\x6c\x00\x1d\x85R", call + "datetime.date"},
		{"date in year 0", "cdatetime\ndate\nC\x04\x00\x00\x01\x01\x85R", call + "datetime.date"},
		{"time", "cdatetime\ntime\nC\x06\x97\x00\x00\x00\x00\x01\x85R", "time:23,0,0,1,1,None"},
		{"time of too many microseconds", "cdatetime\ntime\nC\x06\x17\x00\x00\x0f\x42\x40\x85R", call + "datetime.time"},
		{"timedelta", "cdatetime\ntimedelta\nJ\xff\xff\xff\xffK\x01K\x02\x87R", "timedelta:-1,1,2"},
		{"timedelta of a day of seconds", "cdatetime\ntimedelta\nK\x00J\x80\x51\x01\x00K\x02\x87R", call + "datetime.timedelta"},
		{"timedelta of too many days", "cdatetime\ntimedelta\nJ\x00\xca\x9a\x3bK\x00K\x00\x87R", call + "datetime.timedelta"},
		{"timezone of a day", "cdatetime\ntimezone\ncdatetime\ntimedelta\nK\x01K\x00K\x00\x87R\x85R", call + "datetime.timezone"},
		{"timezone of minus a day", "cdatetime\ntimezone\ncdatetime\ntimedelta\nJ\xff\xff\xff\xffK\x00K\x00\x87R\x85R", call + "datetime.timezone"},
		{"timezone named by an int", "cdatetime\ntimezone\ncdatetime\ntimedelta\nK\x00K\x00K\x00\x87RK\x01\x86R", call + "datetime.timezone"},
		{"Decimal", "cdecimal\nDecimal\nV-1.50E-7\n\x85R", "Decimal:-1.50E-7"},
		{"Decimal of letters", "cdecimal\nDecimal\nVabc\n\x85R", call + "decimal.Decimal"},
		{"Decimal with two signs", "cdecimal\nDecimal\nV1E+-5\n\x85R", call + "decimal.Decimal"},
		{"Decimal without exponent", "cdecimal\nDecimal\nV1E\n\x85R", call + "decimal.Decimal"},
		{"Decimal of an infinite number of digits", "cdecimal\nDecimal\nVInfinity5\n\x85R", call + "decimal.Decimal"},
		{"Decimal of an int", "cdecimal\nDecimal\nK\x01\x85R", call + "decimal.Decimal"},
		{"Fraction of text", "cfractions\nFraction\nV-1/3\n\x85R", "Fraction:-1/3"},
		{"Fraction of a whole", "cfractions\nFraction\nV5\n\x85R", "Fraction:5/1"},
		{"Fraction of ints", "cfractions\nFraction\nK\x01K\x03\x86R", "Fraction:1/3"},
		{"Fraction of 0", "cfractions\nFraction\nK\x01K\x00\x86R", call + "fractions.Fraction"},
		{"Fraction of text and 0", "cfractions\nFraction\nV1/0\n\x85R", call + "fractions.Fraction"},
		{"Fraction of a float", "cfractions\nFraction\nF0.5\n\x85R", call + "fractions.Fraction"},
		{"UUID of protocol 1", "ccopy_reg\n_reconstructor\n(cuuid\nUUID\nc__builtin__\nobject\nNtR}U\x03intK\x05sb", "UUID:00000000000000000000000000000005"},
		{"another class of protocol 1", "ccopy_reg\n_reconstructor\n(cuuid\nX\nc__builtin__\nobject\nNtR", call + "copyreg._reconstructor"},
		{"UUID by a call", "cuuid\nUUID\nV00000000-0000-0000-0000-000000000001\n\x85R", call + "uuid.UUID"},
		{"os.system", "cos\nsystem\nVrm -rf /\n\x85R", call + "os.system"},
		{"os.system of Python 2", "cposix\nsystem\n(S'ls'\ntR", call + "posix.system"},
		{"os.system by INST", "(S'ls'\nios\nsystem\n", call + "os.system"},
		{"os.system by OBJ", "(cos\nsystem\nS'ls'\no", call + "os.system"},
		{"subprocess of Python 2", "ccommands\ngetoutput\n(S'ls'\ntR", call + "subprocess.getoutput"},
		{"getattr", "c__builtin__\ngetattr\n(cm\nE\nVA\ntR", call + "builtins.getattr"},
		{"Ellipsis", "c__builtin__\nEllipsis\n", "Ellipsis"},
		{"INT of False and True", "(I00\nI01\nI0\nI1\nt", "tuple(bool:false bool:true int:0 int:1 )"},
		{"INT of other bases", "(I0x1F\nI-0o17\nI0b101\nI0xfffffffffffffffff\nt", "tuple(int:31 int:-15 int:5 int:295147905179352825855 )"},
		{"INT with signs, spaces and underscores", "(I+5\nI \t5 \r\nI1_000\nI0x_1f\nI1 \nI-1\nI000\nt", "tuple(int:5 int:5 int:1000 int:31 int:1 int:-1 int:0 )"},
		{"LONG of other forms", "(L0x10L\nL 5 L\nL+1_0L\nL00L\nt", "tuple(int:16 int:5 int:10 int:0 )"},
		{"memo numbers of other forms", "]p+0\n0g 0\np1_0\n0g010\np 0_2 \n0g2\n", "list()"},
		{"FLOAT with signs", "(F+nan\nF-NaN\nF+inf\nF-infinity\nF+1.5\nF.5\nF5.\nt", "tuple(float:7ff8000000000000 float:fff8000000000000 float:7ff0000000000000 float:fff0000000000000 float:3ff8000000000000 float:3fe0000000000000 float:4014000000000000 )"},
		{"LONG", "(L5\nL-5L\nL+7L\nL18446744073709551616L\nt", "tuple(int:5 int:-5 int:7 int:18446744073709551616 )"},
		{"LONG1 longer than need be", "(\x8a\x00\x8a\x01\xff\x8a\x0a\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00t", "tuple(int:0 int:-1 int:5 )"},
		{"FLOAT", "(Fnan\nFinf\nF-inf\nF1e-400\nt", "tuple(float:7ff8000000000000 float:7ff0000000000000 float:fff0000000000000 float:0000000000000000 )"},
		{"STRING", `S'a\'\\\n\x41\101\0\8\q"'` + "\n", "str:61275c0a4141005c385c7122"},
		{"STRING over a line", "S\"a\\x0ab\"\n", "str:610a62"},
		{"UNICODE", `V\u00e9\\u0041\U0001f600\` + "\xe9\n", "str:c3a95c5c7530303431f09f98805cc3a9"},
		{"memo far apart", "Nr\xff\xff\xff\xff0K\x01q\x050h\x05j\xff\xff\xff\xff\x86", "tuple(int:1 None )"},
		{"memo overwritten", "K\x01q\x000K\x02q\x000h\x00", "int:2"},
		{"memo far then near", "K\x05q\x010K\x00q\x000K\x01q\x010h\x01h\x00\x86", "tuple(int:1 int:0 )"},
		{"MEMOIZE counts what is there", "K\x05q\x020K\x06\x940h\x02", "int:5"},
		{"POP of a mark", "N(0", "None"},
		{"DUP", "]2\x86", "tuple(list() @1 )"},
		{"frames one after the other", "\x80\x04\x95\x01\x00\x00\x00\x00\x00\x00\x00N\x95\x02\x00\x00\x00\x00\x00\x00\x000N", "None"},
		{"an argument up to the end of a frame", "\x80\x04\x95\x03\x00\x00\x00\x00\x00\x00\x00M\x01\x02", "int:513"},
		{"a frame of nothing", "\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00K\x01", "int:1"},
		{"FRAME as the last opcode of a frame", "\x80\x04\x95\x0a\x00\x00\x00\x00\x00\x00\x00N\x95\x03\x00\x00\x00\x00\x00\x00\x000N", "None"},
	} {
		data := tt.data + "."
		v, err := Decode([]byte(data))
		if err != nil {
			t.Errorf("%s: Decode(%q): %v", tt.name, data, err)
			continue
		}
		if name, ok := strings.CutPrefix(tt.want, call); ok {
			o, isObject := v.(*Object)
			if !isObject || describe(o.Class) != "global:"+name {
				t.Errorf("%s: Decode(%q) = %s, want the call of %s", tt.name, data, describe(v), name)
			}
			continue
		}
		if got := describe(v); got != tt.want {
			t.Errorf("%s: Decode(%q) = %s, want %s", tt.name, data, got, tt.want)
		}
	}
}

// TestEncoding reads a str of Python 2 that is not ASCII in each way.
func TestEncoding(t *testing.T) {
	const text = "(U\x03ab\xe9S'\\xe9'\nT\x02\x00\x00\x00okt."
	for _, tt := range []struct {
		encoding Encoding
		want     string
	}{
		{Latin1, "tuple(str:6162c3a9 str:c3a9 str:6f6b )"},
		{Bytes, "tuple(bytes:6162e9 bytes:e9 bytes:6f6b )"},
	} {
		v, err := Decoder{Encoding: tt.encoding}.Decode(strings.NewReader(text))
		if err != nil || describe(v) != tt.want {
			t.Errorf("encoding %d: %s, error %v, want %s", tt.encoding, describe(v), err, tt.want)
		}
	}
	const want = `pickle: byte 1 (SHORT_BINSTRING): a str of Python 2 is not ASCII: "ab\xe9": choose the Decoder's Encoding, Latin1 for text of its single bytes or Bytes`
	if _, err := Decode([]byte(text)); err == nil || err.Error() != want {
		t.Errorf("encoding ASCII: error %v, want %s", err, want)
	}
}

// A state keeps the arguments that TestConstruct's hooks receive.
type state struct {
	class string
	args  *Tuple
	raw   []byte
	err   error
}

func (s *state) SetState(v any) error {
	s.raw, _ = RawBytes(v)
	return s.err
}

func newState(o *Object) (any, bool, error) {
	g := o.Class.(*Global)
	switch {
	case g.Name == "Refused":
		return nil, false, errRefused
	case g.Module != "mine":
		return nil, false, nil
	case g.Name == "Broken":
		return &state{err: errRefused}, true, nil
	case g.Name == "Number":
		return 1.5, true, nil
	case g.Name == "Looking":
		_, _ = RawBytes(o.Args.Items[0])
		return nil, false, nil
	}
	return &state{class: g.Name, args: o.Args}, true, nil
}

var errRefused = errors.New("refused")

// TestConstruct has classes that a hook makes, with states, and classes that it does not take or cannot make.
func TestConstruct(t *testing.T) {
	d := Decoder{Construct: newState}
	for _, class := range []string{"cmine\nA\n)R", "cmine\nA\n)\x81", "(imine\nA\n", "(cmine\nA\no", "cmine\nA\n)}\x92"} {
		v, _, err := d.DecodeBytes([]byte(class + "U\x02\xff\xfeb."))
		s, ok := v.(*state)
		if !ok || err != nil || s.class != "A" || s.args == nil || string(s.raw) != "\xff\xfe" {
			t.Errorf("%q: %+v, error %v, want a *state with the bytes of the Python 2 str", class, v, err)
		}
	}
	for _, tt := range []struct {
		name, data string
		op         string
		wraps      error
	}{
		{"hook refuses", "ca\nRefused\n)R.", "REDUCE", errRefused},
		{"SetState refuses", "cmine\nBroken\n)RNb.", "BUILD", errRefused},
		{"no SetState", "cmine\nNumber\n)RNb.", "BUILD", nil},
		{"str of Python 2 in an object the hook did not want", "cyours\nA\n(U\x01\xffU\x01\xfetR.", "SHORT_BINSTRING", nil},
		{"str of Python 2 that the hook looked at but did not use", "cmine\nLooking\n(U\x01\xfftR.", "SHORT_BINSTRING", nil},
		{"str of Python 2 that the hook did not look at", "cmine\nA\n(U\x01\xfftR.", "SHORT_BINSTRING", nil},
		{"str of Python 2 used by a hook and elsewhere", "cmine\nA\n)RU\x01\xffq\x00bh\x00\x86.", "SHORT_BINSTRING", nil},
		{"deep in what the hook made", strings.Repeat("cmine\nA\n", 20_000) + ")" + strings.Repeat("R\x85", 20_000) + ".", "STOP", ErrLimit},
		{"deep in states", strings.Repeat("cmine\nA\n)R", 20_000) + "N" + strings.Repeat("b", 20_000) + ".", "STOP", ErrLimit},
	} {
		_, _, err := d.DecodeBytes([]byte(tt.data))
		var e *Error
		if !errors.As(err, &e) || e.Op != tt.op || tt.wraps != nil && !errors.Is(err, tt.wraps) {
			t.Errorf("%s: error %v, want one at %s that wraps %v", tt.name, err, tt.op, tt.wraps)
		}
	}
	v, _, err := d.DecodeBytes([]byte("cmine\nA\n)R(cdatetime\ndate\nU\x04\x07\xe4\x01\x02\x85RU\x01\xfft0."))
	if _, ok := v.(*state); ok || err == nil {
		t.Errorf("a str that was dropped, %v: want an error", v)
	}
}

// TestPersistent has values from outside of the pickle.
func TestPersistent(t *testing.T) {
	buffers := [][]byte{[]byte("one"), []byte("two")}
	d := Decoder{
		PersistentLoad: func(id any) (any, error) {
			if id == "bad" {
				return nil, errRefused
			}
			return &Tuple{Items: []any{"loaded", id}}, nil
		},
		NextBuffer: func() ([]byte, error) {
			if len(buffers) == 0 {
				return nil, errRefused
			}
			b := buffers[0]
			buffers = buffers[1:]
			return b, nil
		},
	}
	v, _, err := d.DecodeBytes([]byte("\x80\x05(Pid\nK\x07Q\x97\x97\x98C\x01a\x98t."))
	const want = "tuple(tuple(str:6c6f61646564 str:6964 ) tuple(str:6c6f61646564 int:7 ) bytearray:6f6e65 bytes:74776f bytes:61 )"
	if err != nil || describe(v) != want {
		t.Errorf("%s, error %v, want %s", describe(v), err, want)
	}
	for _, data := range []string{"Pbad\n.", "U\x03badQ.", "\x97."} {
		if _, _, err := d.DecodeBytes([]byte(data)); !errors.Is(err, errRefused) {
			t.Errorf("%q: error %v, want the hook's", data, err)
		}
	}
}

// TestLimits reaches each limit, exceeds it, and removes it.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		field    string
		d, none  Decoder
		fit, not string
	}{
		{"MaxBytes", Decoder{MaxBytes: 5}, Decoder{MaxBytes: -1}, "NNN\x87.", "NNNN\x87\x86."},
		{"MaxNodes", Decoder{MaxNodes: 3}, Decoder{MaxNodes: -1}, "NN\x86.", "NN2\x87."},
		{"MaxNodes", Decoder{MaxNodes: 3}, Decoder{MaxNodes: -1}, "Nq\x00h\x00\x86.", "Nq\x00h\x00h\x00\x87."},
		{"MaxNodes", Decoder{MaxNodes: 3}, Decoder{MaxNodes: -1}, "(N1N.", "((N11N."},
		{"MaxMemo", Decoder{MaxMemo: 2}, Decoder{MaxMemo: -1}, "Nq\x00q\x01q\x01.", "Nq\x00q\x01q\x02."},
		{"MaxMemo", Decoder{MaxMemo: 2}, Decoder{MaxMemo: -1}, "Nq\x08q\x09q\x09.", "Nq\x08q\x09q\x0a."},
		{"MaxDepth", Decoder{MaxDepth: 3}, Decoder{MaxDepth: -1}, "]]]aa.", "]]]]aaa."},
		{"MaxDepth", Decoder{MaxDepth: 3}, Decoder{MaxDepth: -1}, "]q\x00]h\x00\x85aa.", "]q\x00]]h\x00\x85aaa."},
		{"MaxDepth", Decoder{MaxDepth: 2}, Decoder{MaxDepth: -1}, "](]]]]e.", "](]]]]N\x85ae."},
		{"MaxDepth", Decoder{MaxDepth: 2}, Decoder{MaxDepth: -1}, "}K\x01]s.", "}K\x01]]as."},
		{"MaxDepth", Decoder{MaxDepth: 2}, Decoder{MaxDepth: -1}, "}N\x85Ns.", "}N\x85\x85Ns."},
		{"MaxDepth", Decoder{MaxDepth: 2}, Decoder{MaxDepth: -1}, "\x8f(N\x85\x90.", "\x8f(N\x85\x85\x90."},
		{"MaxDepth", Decoder{MaxDepth: 2}, Decoder{MaxDepth: -1}, "ca\nb\n)R.", "ca\nb\n]\x85R."},
		{"MaxDepth", Decoder{MaxDepth: 1}, Decoder{MaxDepth: -1}, "ccollections\nOrderedDict\n)R.", "ccollections\nOrderedDict\n)R}b."},
		{"MaxDepth", Decoder{MaxDepth: 2}, Decoder{MaxDepth: -1}, "cdatetime\ntime\nC\x06\x00\x00\x00\x00\x00\x00ca\nb\n)R\x86R.", "cdatetime\ntime\nC\x06\x00\x00\x00\x00\x00\x00ca\nb\n])\x86\x85R\x86R."},
		{"MaxDigits", Decoder{MaxDigits: 30}, Decoder{MaxDigits: -1}, "L123456789012345678901234567890L\n.", "L1234567890123456789012345678901L\n."},
		{"MaxDigits", Decoder{MaxDigits: 3}, Decoder{MaxDigits: -1}, "\x8a\x03abc.", "\x8a\x04abcd."},
	} {
		if _, _, err := tt.d.DecodeBytes([]byte(tt.fit)); err != nil {
			t.Errorf("%s: Decode(%q): %v, want no error", tt.field, tt.fit, err)
		}
		_, _, err := tt.d.DecodeBytes([]byte(tt.not))
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), tt.field) {
			t.Errorf("%s: Decode(%q): %v, want an ErrLimit with the field's name", tt.field, tt.not, err)
		}
		if _, _, err := tt.none.DecodeBytes([]byte(tt.not)); err != nil {
			t.Errorf("no %s: Decode(%q): %v, want no error", tt.field, tt.not, err)
		}
	}
}

// TestBrokenReader has a reader that fails, and an empty one.
func TestBrokenReader(t *testing.T) {
	data := pickledStrings(100)
	for n := range len(data) {
		r := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(errRefused))
		if _, err := (Decoder{}).Decode(r); !errors.Is(err, errRefused) {
			t.Fatalf("a reader that fails after %d bytes: error %v", n, err)
		}
		_, err := Decoder{}.Decode(bytes.NewReader(data[:n]))
		if n > 0 && !errors.Is(err, io.ErrUnexpectedEOF) || n == 0 && err != io.EOF {
			t.Fatalf("a reader that ends after %d bytes: error %v", n, err)
		}
	}
	if _, err := Decode(nil); err != io.EOF {
		t.Errorf("no bytes at all: error %v, want io.EOF", err)
	}
}

// TestNoMemoryShared overwrites the pickle after decoding it.
func TestNoMemoryShared(t *testing.T) {
	data := []byte("\x80\x05(C\x02ab\x96\x02\x00\x00\x00\x00\x00\x00\x00cd\x8c\x02efcg\nh\nU\x01\xfft.")
	v, _, err := Decoder{Encoding: Bytes}.DecodeBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	want := describe(v)
	clear(data)
	if got := describe(v); got != want {
		t.Errorf("with the pickle gone the value is %s, before %s", got, want)
	}
}

// TestIdentity checks that values from the memo share their memory and other values do not. Encoders rely on it, for
// strings too.
func TestIdentity(t *testing.T) {
	v, err := Decode([]byte("\x80\x04(\x8c\x03abc\x94h\x00\x8c\x03abcC\x03abc\x94h\x01C\x03abct."))
	if err != nil {
		t.Fatal(err)
	}
	items := v.(*Tuple).Items
	pointer := func(i int) uintptr { return reflect.ValueOf(items[i]).Pointer() }
	for i := 0; i < len(items); i += 3 {
		at := [3]uintptr{pointer(i), pointer(i + 1), pointer(i + 2)}
		if at[0] != at[1] || at[0] == at[2] {
			t.Errorf("values %d to %d of %q are at %x: want the first two in one place and the third in another", i, i+2, items, at)
		}
	}
}

// TestManyInts reads runs of ints of all sizes, which take a path of their own, from memory and from small buffers.
func TestManyInts(t *testing.T) {
	const n = 70_000
	data := pickledInts(n)
	for name, r := range map[string]io.Reader{
		"memory":       bytes.NewBuffer(data),
		"small buffer": bufio.NewReaderSize(bytes.NewReader(data), 16),
		"buffer":       bufio.NewReaderSize(bytes.NewReader(data), 1000),
	} {
		v, err := Decoder{}.Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		items := v.(*List).Items
		if len(items) != n {
			t.Fatalf("%s: %d ints, want %d", name, len(items), n)
		}
		for i, v := range items {
			if v != int64(i) {
				t.Fatalf("%s: int %d is %v", name, i, v)
			}
		}
	}
	row := []byte("(")
	want := []any{}
	for i := range 300 {
		row = binary.LittleEndian.AppendUint32(append(row, opcode.BinInt), uint32(-i))
		row = binary.LittleEndian.AppendUint16(append(row, opcode.BinInt2), uint16(65535-i))
		want = append(want, int64(-i), int64(65535-i))
	}
	row = append(row, opcode.Tuple, opcode.Stop)
	for _, limit := range []int{599, 600, 601} {
		v, _, err := Decoder{MaxNodes: limit + 1}.DecodeBytes(row) // 1 for the mark
		if limit == 601 {
			if err != nil || !reflect.DeepEqual(v.(*Tuple).Items, want) {
				t.Errorf("a mixed row: %s, error %v", describe(v), err)
			}
		} else if e := new(Error); !errors.As(err, &e) || !errors.Is(err, ErrLimit) || int(e.Offset) != 1+limit/2*8+limit%2*5 {
			t.Errorf("601 values with MaxNodes %d: error %v, want ErrLimit at value %d", limit, err, limit)
		}
	}
}

// TestManyFloats reads a run of floats with other values between them, and reaches a limit within it.
func TestManyFloats(t *testing.T) {
	row := []byte("(")
	var want []any
	for i := range 300 {
		switch i % 40 {
		case 20:
			row, want = append(row, opcode.None), append(want, nil)
		case 21:
			row, want = append(row, opcode.NewFalse), append(want, false)
		default:
			row = binary.BigEndian.AppendUint64(append(row, opcode.BinFloat), math.Float64bits(float64(i)/8))
			want = append(want, float64(i)/8)
		}
	}
	row = append(row, opcode.Tuple, opcode.Stop)
	for name, r := range map[string]io.Reader{
		"memory":       bytes.NewBuffer(row),
		"small buffer": bufio.NewReaderSize(bytes.NewReader(row), 16),
	} {
		if v, err := (Decoder{}).Decode(r); err != nil || !reflect.DeepEqual(v.(*Tuple).Items, want) {
			t.Errorf("%s: %s, error %v", name, describe(v), err)
		}
	}
	_, _, err := Decoder{MaxNodes: 1 + 10}.DecodeBytes(row)
	if e := new(Error); !errors.As(err, &e) || !errors.Is(err, ErrLimit) || e.Offset != 1+10*9 {
		t.Errorf("MaxNodes 10: error %v, want ErrLimit at value 10", err)
	}
}

// TestSizeHint reads lists with right and wrong hints: the values are the same, and memory is bounded.
func TestSizeHint(t *testing.T) {
	const n = 5000
	for name, data := range map[string][]byte{"ints": pickledInts(n), "strings": pickledStrings(n)} {
		want, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, hint := range []int{-1, 1, machine.Few, machine.Few + 1, n - 1, n, n + 1, math.MaxInt} {
			d := Decoder{SizeHint: hint, MaxNodes: 2 * n}
			var got any
			took := allocated(func() { got, _, err = d.DecodeBytes(data) })
			if err != nil || !reflect.DeepEqual(got.(*List).Items, want.(*List).Items) {
				t.Fatalf("%s, hint %d: other values, or error %v", name, hint, err)
			}
			if capacity := cap(got.(*List).Items); hint == n && capacity != n {
				t.Errorf("%s, hint %d: the list has capacity %d", name, hint, capacity)
			}
			if took > memoryLimit(len(data)) {
				t.Errorf("%s, hint %d: %d bytes allocated for %d", name, hint, took, len(data))
			}
		}
	}
	inner := "](" + strings.Repeat("N", machine.Few+1) + "e"
	nested := "](" + strings.Repeat(inner, n/10) + "e."
	v, _, err := Decoder{SizeHint: n / 10}.DecodeBytes([]byte(nested))
	if err != nil {
		t.Fatal(err)
	}
	if capacity := cap(v.(*List).Items[0].(*List).Items); capacity >= n/10 {
		t.Errorf("a list in a list has capacity %d", capacity)
	}
}

// TestManyTexts reads runs of strings, which take a path of their own, with other values among them, and takes each
// string from the memo again.
func TestManyTexts(t *testing.T) {
	const n = 300
	row := []byte("(")
	var want []any
	for i := range n {
		s := fmt.Sprint("item ", i)
		switch i % 50 {
		case 20:
			s = ""
		case 40:
			s = "\xed\xa0\x80" // a surrogate
		}
		row = append(append(append(row, opcode.ShortBinUnicode, byte(len(s))), s...), opcode.Memoize)
		want = append(want, s)
	}
	rowEnd := len(row)
	for i := range n {
		row = binary.LittleEndian.AppendUint32(append(row, opcode.LongBinGet), uint32(i))
	}
	row = append(row, opcode.Tuple, opcode.Stop)
	for name, r := range map[string]io.Reader{
		"memory":       bytes.NewBuffer(row),
		"small buffer": bufio.NewReaderSize(bytes.NewReader(row), 16),
		"buffer":       bufio.NewReaderSize(bytes.NewReader(row), 1000),
	} {
		v, err := Decoder{}.Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		items := v.(*Tuple).Items
		if !reflect.DeepEqual(items[:n], want) || !reflect.DeepEqual(items[n:], want) {
			t.Errorf("%s: the strings are %q", name, items)
		}
		seen := map[uintptr]bool{}
		for i, s := range items[:n] {
			at := reflect.ValueOf(s).Pointer()
			if s != "" && (seen[at] || at != reflect.ValueOf(items[n+i]).Pointer()) {
				t.Errorf("%s: string %d is in one place with another, or not with itself from the memo", name, i)
			}
			seen[at] = true
		}
	}
	for name, d := range map[string]Decoder{"MaxNodes": {MaxNodes: 1 + 100}, "MaxMemo": {MaxMemo: 100}} {
		_, _, err := d.DecodeBytes(row)
		at := bytes.Index(row, []byte("item 100")) - 2
		if name == "MaxMemo" {
			at += 2 + len("item 100") // its MEMOIZE
		}
		if e := new(Error); !errors.As(err, &e) || !errors.Is(err, ErrLimit) || int(e.Offset) != at {
			t.Errorf("%s 100: error %v, want ErrLimit at byte %d", name, err, at)
		}
	}
	bad := bytes.Replace(row[:rowEnd], []byte("item 150"), []byte("item \xff50"), 1)
	_, _, err := Decoder{}.DecodeBytes(bad)
	if e := new(Error); !errors.As(err, &e) || int(e.Offset) != bytes.Index(row, []byte("item 150"))-2 {
		t.Errorf("invalid UTF-8 in a row: error %v, want it at byte %d", err, bytes.Index(row, []byte("item 150"))-2)
	}
}

// TestManySurrogates reads strings that cannot be in a run, after strings that can. It would take minutes if each of
// them made the others be read again.
func TestManySurrogates(t *testing.T) {
	const n, text, surrogate = 200_000, "abc", "\xed\xa0\x80"
	row := "(" + strings.Repeat("\x8c\x03"+text+"\x94", n) + strings.Repeat("\x8c\x03"+surrogate+"\x94", n) + "t."
	v, err := Decode([]byte(row))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range v.(*Tuple).Items {
		if want := [2]any{text, surrogate}[i/n]; s != want {
			t.Fatalf("string %d is %q, want %q", i, s, want)
		}
	}
}
