package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle"
)

// brief returns imports as text: names with verdicts and uses.
func brief(imports []Import) string {
	var lines []string
	for _, m := range imports {
		line := fmt.Sprintf("%d %s.%s %v", m.Offset, m.Module, m.Name, m.Verdict)
		if m.Uses != 0 {
			line += " (" + m.Uses.String() + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestOne(t *testing.T) {
	const od = "ccollections\nOrderedDict\n)R"
	for _, test := range []struct{ name, pickle, want string }{
		{"nothing", "\x80\x04]\x94.", ""},
		{"called, protocol 0", "cos\nsystem\n(S'id'\ntR.", "0 os.system RunsCode (called)"},
		{"called, protocol 4", "\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02id\x85R.", "14 os.system RunsCode (called)"},
		{"posix", "cposix\nsystem\n(S'id'\ntR.", "0 posix.system RunsCode (called)"},
		{"INST", "(S'id'\nios\nsystem\n.", "7 os.system RunsCode (called)"},
		{"OBJ", "(cos\nsystem\nS'id'\no.", "1 os.system RunsCode (called)"},
		{"NEWOBJ", "csubprocess\nPopen\n(S'id'\nt\x81.", "0 subprocess.Popen RunsCode (created)"},
		{"NEWOBJ_EX", "\x80\x04csubprocess\nPopen\n)}\x92.", "2 subprocess.Popen RunsCode (created)"},
		{"Python 2's name", "c__builtin__\neval\n(S'1'\ntR.", "0 builtins.eval RunsCode (called)"},
		{"Python 2's module", "ccommands\ngetoutput\n(S'id'\ntR.", "0 subprocess.getoutput RunsCode (called)"},
		{"a name of Python 2 is none in protocol 4", "\x80\x04ccommands\ngetoutput\n.", "2 commands.getoutput ImportsOnly"},
		{"builtins", "cbuiltins\nexec\n(Vimport os\ntR.", "0 builtins.exec RunsCode (called)"},
		{"names from the memo", "\x80\x04\x8c\x02os\x94\x8c\x06system\x940" + "0h\x00h\x01\x93\x8c\x02id\x85R.", "22 os.system RunsCode (called)"},
		{"names from BINPUT", "Vos\nq\x050Vsystem\nq\x060h\x05h\x06\x93)R.", "22 os.system RunsCode (called)"},
		{"a memo number used again", "Vmath\nq\x000Vos\nq\x000Vsystem\nq\x010h\x00h\x01\x93)R.", "31 os.system RunsCode (called)"},
		{"a far memo number", "Vos\nr\xff\xff\xff\xff0j\xff\xff\xff\xffVsystem\n\x93)R.", "23 os.system RunsCode (called)"},
		{"the module by DUP", "\x8c\x04code2\x93)R.", "7 code.code RunsCode (called)"},
		{"the function from the memo", "cos\nsystem\nq\x000N0h\x00(S'id'\ntR.", "0 os.system RunsCode (called)"},
		{"the function below a MARK", "cos\nsystem\n(S'id'\n(K\x011tR.", "0 os.system RunsCode (called)"},
		{"the function through POP", "cos\nsystem\nN0(N0S'id'\ntR.", "0 os.system RunsCode (called)"},
		{"names computed", "\x8c\x02os\x8c\x01.cbuiltins\ngetattr\n(NNtR\x93)R.", "7 builtins.getattr RunsCode (called); 30 ?.? RunsCode (called)"},
		{"name no string", "\x8c\x02osK\x01\x93)R.", "6 ?.? RunsCode (called)"},
		{"Python 2 strings are names", "U\x02osU\x06system\x93)R.", "12 os.system RunsCode (called)"},
		{"getattr", "cbuiltins\ngetattr\n(cos\npath\nVsystem\ntR(S'id'\ntR.", "0 builtins.getattr RunsCode (called); 19 os.path RunsCode (passed)"},
		{"a dotted name", "\x80\x04\x8c\x08builtins\x8c\x0elist.__class__\x93.", "28 builtins.list.__class__ RunsCode"},
		{"a dotted name called", "\x80\x04\x8c\x04math\x8c\x12os.__class__.mro.x\x93)R.", "28 math.os.__class__.mro.x RunsCode (called)"},
		{"passed to map", "cbuiltins\nmap\n(cos\nsystem\n(S'id'\nltR.", "0 builtins.map RunsCode (called); 15 os.system RunsCode (passed)"},
		{"passed in a list filled later", "cbuiltins\nmap\n]q\x00\x85Rh\x00cos\nsystem\na0.", "0 builtins.map RunsCode (called); 21 os.system RunsCode (passed)"},
		{"passed to partial", "cfunctools\npartial\n(cos\nsystem\nS'id'\ntR.", "0 functools.partial RunsCode (called); 20 os.system RunsCode (passed)"},
		{"made by a trusted class that keeps it", "ccollections\ndefaultdict\n(cos\nsystem\ntR.", "0 collections.defaultdict RunsCode (called); 26 os.system RunsCode (passed)"},
		{"made of a class by a trusted function", "ccopyreg\n_reconstructor\n(cmod\nEvil\ncbuiltins\nobject\nNtRN" + "b.", "0 copyreg._reconstructor RunsCode (called, built); 25 mod.Evil RunsCode (passed); 35 builtins.object NoCodeKnown (passed)"},
		{"given back by NumPy", "cnumpy.core.multiarray\nscalar\n(Ncos\nsystem\ntR(S'id'\ntR.", "0 numpy.core.multiarray.scalar RunsCode (called); 32 os.system RunsCode (passed)"},
		{"the subclass of an array", "cnumpy.core.multiarray\n_reconstruct\n(cmod\nEvil\n(K\x00tC\x01btR.", "0 numpy.core.multiarray._reconstruct RunsCode (called); 37 mod.Evil RunsCode (passed)"},
		{"an attribute that is called as a method", od + "}Vappend\ncos\nsystem\nsbS'id'\na.", "0 collections.OrderedDict RunsCode (called, built, modified); 36 os.system RunsCode (passed)"},
		{"a __setstate__ of the pickle", od + "}V__setstate__\ncos\nsystem\nsbS'id'\nb.", "0 collections.OrderedDict RunsCode (called, built); 42 os.system RunsCode (passed)"},
		{"a class given attributes", "ccollections\nOrderedDict\nN}V__len__\ncos\nsystem\ns\x86b.", "0 collections.OrderedDict RunsCode (built); 36 os.system RunsCode (passed)"},
		{"a module's dict changed without any call", "csys\nmodules\nS'os'\nNs.", "0 sys.modules RunsCode (modified)"},
		{"a module's list changed", "csys\npath\nS'/'\na.", "0 sys.path RunsCode (modified)"},
		{"a module's set changed", "\x80\x04cmod\nset\n(K\x01\x90.", "2 mod.set RunsCode (modified)"},
		{"memory maps open files", "cnumpy\nmemmap\n(S'f'\ntR.", "0 numpy.memmap RunsCode (called)"},
		{"memory maps made as arrays", "cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nmemmap\n(K\x00tC\x01btR.", "0 numpy._core.multiarray._reconstruct NoCodeKnown (called); 38 numpy.memmap NoCodeKnown (passed)"},
		{"memory maps passed to code", "cmod\nf\n(cnumpy\nmemmap\ntR.", "0 mod.f RunsCode (called); 8 numpy.memmap RunsCode (passed)"},
		{"EXT1", "\x82\x05)R.", "0 ?.? RunsCode (called)"},
		{"EXT4", "\x84\x05\x00\x00\x01.", "0 ?.? RunsCode"},
		{"persistent", "Vid\nQ)R.", "4 ?.? RunsCode (called)"},
		{"persistent text", "Pid\n.", "0 ?.? RunsCode"},
		{"named only", "cos\nsystem\n.", "0 os.system ImportsOnly"},
		{"named only, in a list", "](cos\nsystem\nNe.", "2 os.system ImportsOnly"},
		{"named only, in a dict of a dict", "}K\x01" + od + "K\x02cmod\nClass\nss.", "3 collections.OrderedDict NoCodeKnown (called, modified); 32 mod.Class ImportsOnly"},
		{"trusted", "cdatetime\ndate\n(C\x04\x07\xe4\x01\x02tR.", "0 datetime.date NoCodeKnown (called)"},
		{"trusted by name only", "cbuiltins\nint\n.", "0 builtins.int NoCodeKnown"},
		{"an exception", "cexceptions\nValueError\n(S'x'\ntR.", "0 builtins.ValueError NoCodeKnown (called)"},
		{"what was made is called", "cmod\nf\n)R)R.", "0 mod.f RunsCode (called)"},
		{"frames do not hide", "\x80\x04\x95\x0d\x00\x00\x00\x00\x00\x00\x00cos\nsystem\n)R.", "11 os.system RunsCode (called)"},
	} {
		r := One(strings.NewReader(test.pickle))
		got, err := r.Imports, r.Err
		if brief(got) != test.want || err != nil {
			t.Errorf("%s: One(%q) = %s, %v, want %s", test.name, test.pickle, brief(got), err, test.want)
		}
	}
}

// The names before the fault of a broken pickle are reported: Python gets that far.
func TestOneOfBrokenPickles(t *testing.T) {
	const evil = "cos\nsystem\n(S'id'\ntR"
	for _, test := range []struct {
		name, rest string
		offset     int64
	}{
		{"cut short", "", 20},
		{"no opcode", "\xff", 20},
		{"no value", "000.", 21},
		{"no mark", "t", 20},
		{"not memoised", "h\x07", 20},
		{"too new", "\x80\x09", 20},
		{"a length of 2^60", "\x8e\x00\x00\x00\x00\x00\x00\x00\x10", 20},
		{"an empty OBJ", "(o", 21},
		{"across the end of a frame", "\x95\x01\x00\x00\x00\x00\x00\x00\x00K\x01.", 29},
	} {
		r := One(strings.NewReader(evil + test.rest))
		var located *pickle.Error
		if !errors.As(r.Err, &located) || located.Offset != test.offset || brief(r.Imports) != "0 os.system RunsCode (called)" || r.Verdict != RunsCode {
			t.Errorf("%s: %v: %s, %v, want an error at %d", test.name, r.Verdict, brief(r.Imports), r.Err, test.offset)
		}
	}
}

// An operation on a value that does not take it is not explained, even where Python is known to raise an error.
func TestOneUnexplained(t *testing.T) {
	for _, test := range []struct{ name, pickle string }{
		{"nothing", ""},
		{"no STOP", "N"},
		{"an item of an int", "K\x01K\x02a."},
		{"an item of a list", "]K\x00Ns."},
		{"an item of a bytearray", "\x96\x01\x00\x00\x00\x00\x00\x00\x00aK\x01a."},
		{"elements of a list", "](K\x01\x90."},
		{"a state of a list", "]}b."},
		{"a state of a str", "S'a'\n}b."},
		{"a call of a list", "])R."},
		{"a call of a date", "cdatetime\ndate\n(K\x01K\x01K\x01tR)R."},
		{"a key without a value", "}(NNNu."},
		{"a read-only list", "]\x98."},
		{"a read-only array", "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tC\x01btR\x98."},
		{"a name that is not UTF-8", "c\xff\nx\n."},
		{"a number that readers take in two ways", "I010\n."},
	} {
		if r := One(strings.NewReader(test.pickle)); r.Verdict != Unknown && r.Verdict != RunsCode || r.Err == nil {
			t.Errorf("%s: One(%q) = %v, %s, %v, want an error", test.name, test.pickle, r.Verdict, brief(r.Imports), r.Err)
		}
	}
}

// Some readers import a complete module name even if the pickle ends in the name of the function.
func TestOneOfCutName(t *testing.T) {
	r := One(strings.NewReader("cos\nsystem"))
	if brief(r.Imports) != "0 os.? ImportsOnly" || r.Verdict != Unknown || !errors.Is(r.Err, io.ErrUnexpectedEOF) {
		t.Errorf("One = %s, %v", brief(r.Imports), r.Err)
	}
}

// Neither the limits of a Decoder nor depth or size stops the audit, and time is in proportion to the pickle.
func TestOneWithoutLimits(t *testing.T) {
	const n = 200_000
	deep := strings.Repeat("]", n) + "cos\nsystem\n)R" + strings.Repeat("a", n) + "."
	if r := One(strings.NewReader(deep)); len(r.Imports) != 1 || r.Verdict != RunsCode || r.Err != nil {
		t.Errorf("below %d lists: %s, %v", n, brief(r.Imports), r.Err)
	}
	chain := "cmod\nf\n" + strings.Repeat(")R", n) + "."
	if r := One(strings.NewReader(chain)); brief(r.Imports) != "0 mod.f RunsCode (called)" || r.Err != nil {
		t.Errorf("%d calls of what was made: %s, %v", n, brief(r.Imports), r.Err)
	}
	doubled := "cmod\nf\n(cmod\nClass\n" + strings.Repeat("2\x86", n) + "tR."
	if r := One(strings.NewReader(doubled)); len(r.Imports) != 2 || r.Imports[1].Uses != Passed || r.Err != nil {
		t.Errorf("%d pairs of pairs: %s, %v", n, brief(r.Imports), r.Err)
	}
}

// One takes no byte after the pickle, whatever the reader.
func TestOneReadsOne(t *testing.T) {
	for _, r := range []io.Reader{
		strings.NewReader("\x80\x04N.cos\nsystem\n.rest"),
		bufio.NewReader(strings.NewReader("\x80\x04N.cos\nsystem\n.rest")),
	} {
		for _, want := range []string{"", "0 os.system ImportsOnly"} {
			if got := One(r); brief(got.Imports) != want || got.Err != nil {
				t.Errorf("One(%T) = %s, %v, want %s", r, brief(got.Imports), got.Err, want)
			}
		}
		if rest, _ := io.ReadAll(r); string(rest) != "rest" {
			t.Errorf("One(%T) leaves %q, want rest", r, rest)
		}
	}
}

// Work is in proportion to the pickle, also where its parts are used many times.
func TestOneInProportion(t *testing.T) {
	const n = 100_000
	many := strings.Repeat("I1\n", n)
	nested := call(named("numpy.dtype"), str("V0"), no(), yes()) // a struct of structs of structs, twice each, of no bytes
	for range 60 {
		nested = structOf(str("V0"), 0, 0, field(nested, 0), field(nested, 0))
	}
	inside := tup()
	for range 60 {
		inside = tup(inside, inside)
	}
	deepStruct := structOf(str("V8"), 8, 27, field(objects(), 0))
	deep := tup(none())
	for range 30 {
		deepStruct = structOf(str("V8"), 8, 27, field(deepStruct, 0))
		deep = tup(deep)
	}
	for _, test := range []struct{ name, pickle string }{
		{"arguments of a call that is not known", "cmod\nf\nq\x00(" + many + "tq\x01" + strings.Repeat("0h\x00h\x01R", n) + "."},
		{"arguments of an exception", "cbuiltins\nException\nq\x00(" + many + "tq\x01" + strings.Repeat("0h\x00h\x01R", n) + "."},
		{"arguments, all of them handed on", "cbuiltins\nException\nq\x00(" + many + "tq\x010cmod\nf\n(" + strings.Repeat("h\x00h\x01R", n) + "tR."},
		{"arguments of a NEWOBJ_EX", "cmod\nf\nq\x00(" + many + "tq\x010}q\x02" + strings.Repeat("0h\x00h\x01h\x02\x92", n) + "."},
		{"a list made a tuple", "cbuiltins\ntuple\nq\x00](" + many + "e\x85q\x01" + strings.Repeat("0h\x00h\x01R", n) + "."},
		{"a list made a set", "cbuiltins\nset\nq\x00](" + many + "e\x85q\x01" + strings.Repeat("0h\x00h\x01R", n) + "."},
		{"a dict counted", "ccollections\nCounter\nq\x00}(" + many + "u\x85q\x01" + strings.Repeat("0h\x00h\x01R", n) + "."},
		{"attributes", "cbuiltins\nException\nq\x00)q\x01}(" + strings.Repeat("S'name'\nN", n) + "uq\x02" + strings.Repeat("0h\x00h\x01Rh\x02b", n) + "."},
		{"numbers of an array", "carray\narray\nq\x00S'd'\n](" + many + "e\x86q\x01" + strings.Repeat("0h\x00h\x01R", n) + "."},
		{"a tuple as a key", "(" + many + "tq\x01}" + strings.Repeat("h\x01Ns", n) + "."},
		{"structs that double", string(assemble(tup(nested, arrayOf(shape(1), nested, byt("")))))},
		{"structs that double, compared", string(assemble(maskedOf(nested, byt(""), byt(""), arrayOf(shape(2), nested, byt("")))))},
		{"tuples that double, as keys", string(assemble(fill(dct(), "s", inside, inside)))},
		{"elements of nested structs", string(assemble(arrayOf(shape(1), deepStruct, lst(deep))))},
	} {
		start := oracle.CPUTime()
		One(strings.NewReader(test.pickle))
		if took := oracle.CPUTime() - start; took > 20*time.Second {
			t.Errorf("%s: %v for %d bytes", test.name, took, len(test.pickle))
		}
	}
}
