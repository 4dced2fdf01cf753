package pickle

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/pickle/internal/opcode"
)

// A hostile pickle is valid up to an opcode, and invalid from there on.
type hostile struct {
	name, why string
	good, bad string
	cause     error // an error that must be wrapped, or nil
}

const (
	times = "\xff\xff\xff\xff\xff\xff\xff\x7f" // 2**63-1
	huge  = "\x00\x00\x00\x00\x00\x00\x00\x10" // 2**60
)

// errKey stands for any *KeyError.
var errKey = errors.New("a *KeyError")

var hostiles = []hostile{
	// Truncated data.
	{"only a protocol", "no opcode follows", "\x80\x04", "", io.ErrUnexpectedEOF},
	{"no STOP", "a value alone is not a pickle", "N", "", io.ErrUnexpectedEOF},
	{"PROTO cut", "its argument is missing", "", "\x80", io.ErrUnexpectedEOF},
	{"BININT cut", "three of four bytes", "", "J\x00\x00\x00", io.ErrUnexpectedEOF},
	{"BINFLOAT cut", "seven of eight bytes", "", "G\x00\x00\x00\x00\x00\x00\x00", io.ErrUnexpectedEOF},
	{"SHORT_BINUNICODE cut", "two of three bytes", "\x80\x04", "\x8c\x03ab", io.ErrUnexpectedEOF},
	{"INT without newline", "the line has no end", "", "I12345", io.ErrUnexpectedEOF},
	{"UNICODE without newline", "the line has no end", "", "Vabc", io.ErrUnexpectedEOF},
	{"GLOBAL with one line", "the second has no end", "", "cos\nsystem", io.ErrUnexpectedEOF},
	{"GLOBAL without a line", "nothing at all follows", "N", "c", io.ErrUnexpectedEOF},
	{"GET without newline", "the line has no end", "", "g0", io.ErrUnexpectedEOF},

	// Lengths beyond the data.
	{"BINUNICODE of 2 GiB", "over MaxBytes", "", "X\x00\x00\x00\x80abc", ErrLimit},
	{"BINUNICODE of 1 GB", "below MaxBytes, but the data ends", "", "X\x00\x00\x00\x38abc", io.ErrUnexpectedEOF},
	{"BINBYTES of 4 GiB", "over MaxBytes", "", "B\xff\xff\xff\xffabc", ErrLimit},
	{"BINUNICODE8 of 2**60", "over MaxBytes", "\x80\x04", "\x8d" + huge + "abc", ErrLimit},
	{"BINBYTES8 of 2**60", "over MaxBytes", "\x80\x04", "\x8e" + huge + "abc", ErrLimit},
	{"BINBYTES8 of 2**63-1", "an offset would overflow", "\x80\x04", "\x8e" + times + "abc", ErrLimit},
	{"BINBYTES8 of 2**64-1", "negative as an int64", "\x80\x04", "\x8e" + strings.Repeat("\xff", 8), ErrLimit},
	{"BYTEARRAY8 of 2**60", "over MaxBytes", "\x80\x05", "\x96" + huge + "abc", ErrLimit},
	{"BINSTRING of -1", "its count is signed in Python", "", "T\xff\xff\xff\xffabc", ErrLimit},
	{"LONG4 of -1", "its count is signed in Python", "\x80\x02", "\x8b\xff\xff\xff\xff", ErrLimit},
	{"LONG4 of 1 GB", "the data ends", "\x80\x02", "\x8b\x00\x00\x00\x38\x01", io.ErrUnexpectedEOF},
	{"LONG1 cut", "five of eight bytes", "\x80\x02", "\x8a\x08\x01\x02\x03\x04\x05", io.ErrUnexpectedEOF},

	// False frames.
	{"FRAME of 2**60", "over MaxBytes", "\x80\x04", "\x95" + huge + "N.", ErrLimit},
	{"FRAME of 2**64-1", "negative as an int64", "\x80\x04", "\x95" + strings.Repeat("\xff", 8) + "N.", ErrLimit},
	{"FRAME longer than the data", "Python reads frames whole", "\x80\x04", "\x95\x03\x00\x00\x00\x00\x00\x00\x00N.", io.ErrUnexpectedEOF},
	{"FRAME goes on after STOP", "what follows a pickle is not its own", "\x80\x04\x95\x04\x00\x00\x00\x00\x00\x00\x00N", ".ab", nil},
	{"BINUNICODE across the end of a frame", "Python drops the rest of the frame or not, as it happened to read", "\x80\x04\x95\x09\x00\x00\x00\x00\x00\x00\x00", "X\x05\x00\x00\x00abcde.", nil},
	{"a count across the end of a frame", "the same", "\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00", "X\x01\x00\x00\x00a.", nil},
	{"BININT1 across the end of a frame", "the same", "\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00N", "K\x01.", nil},
	{"a line across the end of a frame", "the same", "\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00", "Vabcdef\n.", nil},
	{"GLOBAL across the end of a frame", "the same, in its second line", "\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00", "cos\nsystem\n.", nil},
	{"FRAME across the end of a frame", "the same", "\x80\x04\x95\x0a\x00\x00\x00\x00\x00\x00\x00NN", "\x95\x01\x00\x00\x00\x00\x00\x00\x00.", nil},
	{"a row of strings across the end of a frame", "strings are read in rows", "\x80\x04\x95\x1e\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\x8c\x01a\x94", 7), "\x8c\x01a\x94" + strings.Repeat("\x8c\x01a\x94", 7) + ".", nil},
	{"FRAME in a frame", "reading would be quadratic", "\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00", "\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", nil},

	// The stack and its marks.
	{"STOP on an empty stack", "there is no value", "", ".", nil},
	{"STOP with a value left", "a good pickle leaves one", "NN", ".", nil},
	{"STOP with a mark left", "it hides the value", "N(", ".", nil},
	{"STOP with a mark below", "the pickle was not finished", "(N", ".", nil},
	{"POP on an empty stack", "nothing to drop", "", "0", nil},
	{"DUP on an empty stack", "nothing to double", "", "2", nil},
	{"DUP after a mark", "marks cannot be doubled", "N(", "2", nil},
	{"POP_MARK without mark", "no end to drop to", "NN", "1", nil},
	{"TUPLE without mark", "no beginning", "N", "t", nil},
	{"LIST without mark", "no beginning", "N", "l", nil},
	{"DICT without mark", "no beginning", "NN", "d", nil},
	{"FROZENSET without mark", "no beginning", "\x80\x04N", "\x91", nil},
	{"ADDITEMS without mark", "no beginning", "\x80\x04\x8fN", "\x90", nil},
	{"APPENDS without mark", "no beginning", "]N", "e", nil},
	{"SETITEMS without mark", "no beginning", "}NN", "u", nil},
	{"APPENDS without list", "nothing before the mark", "(N", "e", nil},
	{"SETITEMS without dict", "nothing before the mark", "(NN", "u", nil},
	{"ADDITEMS without set", "nothing before the mark", "\x80\x04(N", "\x90", nil},
	{"APPENDS across a mark", "the list is below another mark", "](((N", "e", nil},
	{"APPEND across a mark", "the list is below the mark", "](N", "a", nil},
	{"APPEND of nothing", "only the list is there", "]", "a", nil},
	{"SETITEM of one value", "the key is missing", "}N", "s", nil},
	{"SETITEM across a mark", "the dict is below the mark", "}(NN", "s", nil},
	{"TUPLE1 of nothing", "one value is needed", "\x80\x02", "\x85", nil},
	{"TUPLE3 of two", "three values are needed", "\x80\x02NN", "\x87", nil},
	{"TUPLE2 across a mark", "one value is below the mark", "\x80\x02N(N", "\x86", nil},
	{"OBJ without class", "nothing after the mark", "(", "o", nil},
	{"REDUCE of one value", "the class is missing", ")", "R", nil},
	{"BUILD of one value", "the object is missing", "N", "b", nil},

	// Values of the wrong type.
	{"APPEND to a tuple", "tuples do not grow", ")N", "a", nil},
	{"APPEND to a dict", "dicts have keys", "}N", "a", nil},
	{"APPENDS to None", "no list", "N(N", "e", nil},
	{"SETITEM on a list", "Python would replace an item", "]K\x00K\x01", "s", nil},
	{"SETITEMS on None", "no dict", "N(NN", "u", nil},
	{"SETITEMS with a key alone", "an odd number of values", "}(NNN", "u", nil},
	{"SETITEMS with a key alone on an object", "an odd number of values", "ca\nb\n)R(NNN", "u", nil},
	{"DICT with a key alone", "an odd number of values", "(NNN", "d", nil},
	{"ADDITEMS to a list", "no set", "](N", "\x90", nil},
	{"BUILD on a list", "lists have no state", "]}", "b", nil},
	{"BUILD on None", "no object", "NN", "b", nil},
	{"BUILD on an int", "no object", "K\x01}", "b", nil},
	{"BUILD on a class", "would change the class for the whole program", "ca\nB\n}", "b", nil},
	{"BUILD twice", "one state would be lost", "ca\nB\n)R}b}", "b", nil},
	{"BUILD with a list on an OrderedDict", "attributes are a dict", "ccollections\nOrderedDict\n)R]", "b", nil},
	{"BUILD on a datetime", "it has no state of its own", "cdatetime\ndate\n(U\x04\x07\xe4\x01\x02tR}", "b", nil},
	{"BUILD of a UUID without int", "128 bits are needed", "\x80\x02cuuid\nUUID\n)\x81}", "b", nil},
	{"BUILD of a UUID beyond 128 bits", "128 bits are needed", "\x80\x02cuuid\nUUID\n)\x81}U\x03int\x8a\x11" + strings.Repeat("\x01", 17) + "s", "b", nil},
	{"state by a call", "POP drops what the call did", "ca\nB\n)Rq\x00cfunctions\nset_state\nh\x00}\x86R", "0", nil},
	{"UUID without BUILD", "it would be zeros", "\x80\x02cuuid\nUUID\n)\x81", ".", nil},
	{"REDUCE of an int", "ints cannot be called", "K\x01)", "R", nil},
	{"REDUCE of a str", "a name alone is not imported", "U\x09os.system)", "R", nil},
	{"REDUCE with a list", "arguments are a tuple", "cos\nsystem\n]", "R", nil},
	{"NEWOBJ with None", "arguments are a tuple", "\x80\x02ca\nB\nN", "\x81", nil},
	{"NEWOBJ of a list", "lists are no classes", "\x80\x02])", "\x81", nil},
	{"NEWOBJ_EX with a tuple for a dict", "named arguments are a dict", "\x80\x04ca\nB\n))", "\x92", nil},
	{"OBJ of a dict", "dicts are no classes", "(}N", "o", nil},
	{"STACK_GLOBAL of ints", "names are strings", "\x80\x04K\x01K\x02", "\x93", nil},
	{"STACK_GLOBAL of bytes", "names are strings", "\x80\x04C\x02osC\x06system", "\x93", nil},
	{"STACK_GLOBAL of one", "two names are needed", "\x80\x04\x8c\x02os", "\x93", nil},
	{"GLOBAL not UTF-8", "names are text", "", "c\xff\n\xfe\n", nil},
	{"READONLY_BUFFER of a list", "no buffer", "\x80\x05]", "\x98", nil},

	// Keys.
	{"list as key", "Python has no hash for it", "}]N", "s", errKey},
	{"dict as key", "Python has no hash for it", "}}N", "s", errKey},
	{"set as element", "Python has no hash for it", "\x80\x04\x8f(\x8f", "\x90", errKey},
	{"bytearray as key", "Python has no hash for it", "\x80\x05}\x96\x01\x00\x00\x00\x00\x00\x00\x00aN", "s", errKey},
	{"list in a tuple as key", "its hash needs that of the list", "}]\x85N", "s", errKey},
	{"cyclic tuple as key", "a tuple contains itself through a list only", "]q\x00h\x00\x85q\x01a0}h\x01N", "s", errKey},
	{"list in a frozenset", "Python has no hash for it", "\x80\x04(]", "\x91", errKey},
	{"OrderedDict as key", "Python has no hash for it", "}ccollections\nOrderedDict\n)RN", "s", errKey},
	{"doubling tuples as key", "2**60 parts", "K\x01" + strings.Repeat("2\x86", 60) + "q\x000}h\x00N", "s", ErrLimit},

	// Numbers in text.
	{"INT of letters", "no number", "", "Iabc\n", nil},
	{"INT empty", "no number", "", "I\n", nil},
	{"INT of a sign", "no number", "", "I-\n", nil},
	{"INT with two signs", "no number", "", "I--5\n", nil},
	{"INT with a zero before", "octal to CPython's C code, refused by its Python code", "", "I010\n", nil},
	{"INT of one after a space", "True to CPython's C code, 1 to its Python code", "", "I 1\n", nil},
	{"INT of zero after a sign", "False to CPython's C code, 0 to its Python code", "", "I-0\n", nil},
	{"INT before NUL", "CPython's C code stops there, its Python code refuses it", "", "I5\x00x\n", nil},
	{"INT of a prefix", "no digits follow", "", "I0x\n", nil},
	{"INT with two underscores", "Python allows one", "", "I1__0\n", nil},
	{"INT ending in an underscore", "no digit follows", "", "I1_\n", nil},
	{"INT with a sign after its prefix", "no digit", "", "I0x-1\n", nil},
	{"LONG with garbage", "no number", "", "L12z4L\n", nil},
	{"LONG with two L", "one is the end", "", "L5LL\n", nil},
	{"LONG of 3,000,000 digits", "the conversion is not linear", "", "L" + strings.Repeat("7", 3_000_000) + "L\n", ErrLimit},
	{"LONG4 of 200,000 bytes", "over MaxDigits", "\x80\x02", "\x8b\x40\x0d\x03\x00" + strings.Repeat("\x07", 200_000), ErrLimit},
	{"FLOAT of letters", "no number", "", "Fabc\n", nil},
	{"FLOAT beyond range", "Python refuses it too", "", "F1e400\n", nil},
	{"FLOAT hexadecimal", "Go reads it, Python does not", "", "F0x1p4\n", nil},
	{"FLOAT with underscore", "Go might read it", "", "F1_0.0\n", nil},

	// Text.
	{"invalid UTF-8", "no text", "\x80\x04", "\x8c\x01\xff", nil},
	{"overlong UTF-8", "a second form of the same character", "\x80\x04", "\x8c\x02\xc0\x80", nil},
	{"half a surrogate", "cut off", "\x80\x04", "\x8c\x02\xed\xa0", nil},
	{"beyond Unicode", "U+110000", "\x80\x04", "\x8c\x04\xf4\x90\x80\x80", nil},
	{"UNICODE with a short escape", "four digits are needed", "", "V\\u12\n", nil},
	{"UNICODE with a bad escape", "digits are hexadecimal", "", "V\\u12g4\n", nil},
	{"UNICODE beyond Unicode", "U+110000", "", "V\\U00110000\n", nil},
	{"STRING without quotes", "Python 2 wrote repr", "", "Sabc\n", nil},
	{"STRING with one quote", "Python 2 wrote repr", "", "S'\n", nil},
	{"STRING with different quotes", "Python 2 wrote repr", "", "S'abc\"\n", nil},
	{"STRING with a short escape", `\x needs two digits`, "", "S'\\x1'\n", nil},
	{"STRING ending in a backslash", "nothing is escaped", "", "S'\\'\n", nil},
	{"STRING not ASCII", "the encoding has to be chosen", "", "S'\\xe9'\n.", nil},
	{"SHORT_BINSTRING not ASCII", "the encoding has to be chosen", "", "U\x01\xe9.", nil},
	{"BINSTRING not ASCII in an object", "no hook used its bytes", "ca\nB\n(", "T\x01\x00\x00\x00\xe9tR.", nil},

	// The memo.
	{"GET of nothing", "nothing was memoised", "", "g0\n", nil},
	{"BINGET of nothing", "one value was memoised", "Nq\x00", "h\x01", nil},
	{"LONG_BINGET of 2**32-1", "nothing is there", "", "j\xff\xff\xff\xff", nil},
	{"LONG_BINGET of 2**32-2", "next to what is there", "Nr\xff\xff\xff\xff", "j\xfe\xff\xff\xff", nil},
	{"GET negative", "numbers count from 0", "Nq\x00", "g-1\n", nil},
	{"GET before NUL", "CPython's C code stops there, its Python code refuses it", "Nq\x00", "g0\x00\n", nil},
	{"GET hexadecimal", "numbers of the memo are decimal", "Nq\x01", "g0x1\n", nil},
	{"GET of letters", "no number", "", "gabc\n", nil},
	{"GET beyond 64 bits", "no number", "", "g18446744073709551616\n", nil},
	{"PUT negative", "numbers count from 0", "N", "p-1\n", nil},
	{"BINPUT on an empty stack", "nothing to memoise", "", "q\x00", nil},
	{"MEMOIZE on an empty stack", "nothing to memoise", "\x80\x04", "\x94", nil},
	{"BINPUT of a mark", "marks are no values", "N(", "q\x00", nil},

	// References to things outside of the pickle.
	{"PERSID", "no hook", "", "Pid\n.", nil},
	{"BINPERSID", "no hook", "K\x01", "Q", nil},
	{"BINPERSID on an empty stack", "the id is missing", "", "Q", nil},
	{"PERSID not ASCII", "protocol 0 has ASCII ids", "", "P\xe9\n.", nil},
	{"NEXT_BUFFER", "no hook", "\x80\x05", "\x97", nil},
	{"EXT1", "no registry", "\x80\x02", "\x82\x01", nil},
	{"EXT2", "no registry", "\x80\x02", "\x83\x01\x01", nil},
	{"EXT4", "no registry", "\x80\x02", "\x84\x01\x01\x01\x01", nil},

	// Data that is not a pickle.
	{"protocol 6", "does not exist", "", "\x80\x06N.", nil},
	{"protocol 255", "does not exist", "", "\x80\xff", nil},
	{"opcode 255", "does not exist", "N", "\xff", nil},
	{"opcode 0", "does not exist", "", "\x00\x00", nil},
	{"an npy file", "its first byte is not an opcode", "", "\x93NUMPY\x01\x00v\x00{'descr'", nil},
	{"a zip file", "P is PERSID", "", "PK\x03\x04\n", nil},
	{"text", "H is not an opcode", "", "Hello", nil},

	// Depth.
	{"10,001 nested lists", "code that walks values calls itself", strings.Repeat("]", 10_001) + strings.Repeat("a", 10_000), ".", ErrLimit},
	{"1,000,000 nested lists", "the same, in a megabyte or two", strings.Repeat("]", 1_000_000) + strings.Repeat("a", 999_999), ".", ErrLimit},
	{"1,000,000 nested tuples", "built from the inside", "N" + strings.Repeat("\x85", 1_000_000), ".", ErrLimit},
	{"1,000,000 lists built inside out", "the stack is never higher than two", "]q\x000" + strings.Repeat("]h\x00aq\x000", 1_000_000) + "h\x00", ".", ErrLimit},
	{"100,000 nested dicts", "as values", strings.Repeat("}N", 100_000) + "N" + strings.Repeat("s", 100_000), ".", ErrLimit},
	{"100,000 nested objects", "as states", strings.Repeat("ca\nB\n)R", 100_000) + "N" + strings.Repeat("b", 100_000), ".", ErrLimit},
	{"100,000 nested factories", "in defaultdicts", "N" + strings.Repeat("q\x000ccollections\ndefaultdict\nh\x00\x85R", 100_000), ".", ErrLimit},

	// Work out of proportion.
	{"a long key over and over", "a megabyte to hash for each four bytes",
		"X\x00\x00\x10\x00" + strings.Repeat("k", 1<<20) + "q\x000}" + strings.Repeat("h\x00Ns", 1025) + "h\x00N", "s", ErrLimit},
	{"a long name over and over", "a megabyte to look up for each five bytes",
		"\x80\x04X\x00\x00\x10\x00" + strings.Repeat("k", 1<<20) + "q\x00" + strings.Repeat("0h\x00h\x00\x93", 64) + "0h\x00h\x00", "\x93", ErrLimit},
	{"frozensets of frozensets", "to find one its hash is taken on each level again",
		"\x80\x04(K\x01\x91q\x000" + strings.Repeat("(h\x00K\x01\x91q\x000", 159) + "(h\x00K\x01", "\x91", ErrLimit},
	{"a long bytearray over and over", "a megabyte to copy for each few bytes",
		"c__builtin__\nbytearray\nq\x01C\x00B\x00\x00\x10\x00" + strings.Repeat("k", 1<<20) + "\x85q\x00" + strings.Repeat("0h\x01h\x00R", 128) + "0h\x01h\x00", "R", ErrLimit},
	{"a long list made a set over and over", "a megabyte to copy for each few bytes",
		"c__builtin__\nset\nq\x01](" + strings.Repeat("K\x01", 100_000) + "e\x85q\x00" + strings.Repeat("0h\x01h\x00R", 12) + "0h\x01h\x00", "R", ErrLimit},
}

// TestHostile checks the error of each: its type, opcode and offset, in one line, from memory and from streams, with
// memory in proportion to the pickle.
func TestHostile(t *testing.T) {
	for _, h := range hostiles {
		data := []byte(h.good + h.bad)
		var v any
		var err error
		took := allocated(func() { v, _, err = Decoder{}.DecodeBytes(data) })
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: Decode(%.60q) = %T, error %v, want an *Error: %s", h.name, data, v, err, h.why)
			continue
		}
		op := ""
		if h.bad != "" {
			op = opcode.Name(h.bad[0])
		}
		if e.Offset != int64(len(h.good)) || e.Op != op {
			t.Errorf("%s: Decode(%.60q): %v, want an error at byte %d (%s)", h.name, data, err, len(h.good), op)
		}
		if h.cause != nil && !errors.Is(err, h.cause) && !(h.cause == errKey && errors.As(err, new(*KeyError))) {
			t.Errorf("%s: Decode(%.60q): %v, want it to wrap: %v", h.name, data, err, h.cause)
		}
		if text := err.Error(); strings.Contains(text, "\n") || len(text) > 250 || strings.HasSuffix(text, ".") {
			t.Errorf("%s: the error is not one short line: %q", h.name, text)
		}
		limit := memoryLimit(len(data))
		if strings.Contains(err.Error(), "MaxShared") {
			limit += 64 << 20 // the work that charge allows for every pickle
		}
		if took > limit {
			t.Errorf("%s: Decode of %d bytes allocated %d, want at most %d", h.name, len(data), took, limit)
		}
		if len(data) > 100_000 {
			continue
		}
		for name, r := range map[string]io.Reader{
			"reader":       io.MultiReader(strings.NewReader(string(data))),
			"bufio.Reader": bufio.NewReaderSize(strings.NewReader(string(data)), 16),
		} {
			_, again := Decoder{}.Decode(r)
			if fmt.Sprint(again) != fmt.Sprint(err) {
				t.Errorf("%s: from a %s the error is %v, want %v", h.name, name, again, err)
			}
		}
	}
	if len(hostiles) < 80 {
		t.Errorf("only %d hostile pickles", len(hostiles))
	}
}

// memoryLimit returns the bytes that the decoder may allocate for a pickle of n bytes. Every allocation counts, also
// the memory that growing slices leave. The constant allows for one key of maxKeyParts parts, which is charged when it
// is complete.
func memoryLimit(n int) uint64 { return 256*uint64(n) + 192*maxKeyParts }

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
