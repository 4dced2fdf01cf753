package pickle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func TestImports(t *testing.T) {
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
		{"a dotted name", "\x80\x04\x8c\x08builtins\x8c\x0elist.__class__\x93.", "28 builtins.list.__class__ ImportsOnly"},
		{"a dotted name called", "\x80\x04\x8c\x04math\x8c\x12os.__class__.mro.x\x93)R.", "28 math.os.__class__.mro.x RunsCode (called)"},
		{"passed to map", "cbuiltins\nmap\n(cos\nsystem\n(S'id'\nltR.", "0 builtins.map RunsCode (called); 15 os.system RunsCode (passed)"},
		{"passed in a list filled later", "cbuiltins\nmap\n]q\x00\x85Rh\x00cos\nsystem\na0.", "0 builtins.map RunsCode (called); 21 os.system RunsCode (passed)"},
		{"passed to partial", "cfunctools\npartial\n(cos\nsystem\nS'id'\ntR.", "0 functools.partial RunsCode (called); 20 os.system RunsCode (passed)"},
		{"made by a trusted class that keeps it", "ccollections\ndefaultdict\n(cos\nsystem\ntR.", "0 collections.defaultdict DataOnly (called); 26 os.system RunsCode (passed)"},
		{"made of a class by a trusted function", "ccopyreg\n_reconstructor\n(cmod\nEvil\ncbuiltins\nobject\nNtRN" + "b.", "0 copyreg._reconstructor DataOnly (called, built); 25 mod.Evil RunsCode (passed); 35 builtins.object DataOnly (passed)"},
		{"given back by NumPy", "cnumpy.core.multiarray\nscalar\n(Ncos\nsystem\ntR(S'id'\ntR.", "0 numpy.core.multiarray.scalar DataOnly (called); 32 os.system RunsCode (passed)"},
		{"the subclass of an array", "cnumpy.core.multiarray\n_reconstruct\n(cmod\nEvil\n(K\x00tC\x01btR.", "0 numpy.core.multiarray._reconstruct DataOnly (called); 37 mod.Evil RunsCode (passed)"},
		{"an attribute that is called as a method", od + "}Vappend\ncos\nsystem\nsbS'id'\na.", "0 collections.OrderedDict DataOnly (called, built, modified); 36 os.system RunsCode (passed)"},
		{"a __setstate__ of the pickle", od + "}V__setstate__\ncos\nsystem\nsbS'id'\nb.", "0 collections.OrderedDict DataOnly (called, built); 42 os.system RunsCode (passed)"},
		{"a class given attributes", "ccollections\nOrderedDict\nN}V__len__\ncos\nsystem\ns\x86b.", "0 collections.OrderedDict RunsCode (built); 36 os.system RunsCode (passed)"},
		{"a module's dict changed without any call", "csys\nmodules\nS'os'\nNs.", "0 sys.modules RunsCode (modified)"},
		{"a module's list changed", "csys\npath\nS'/'\na.", "0 sys.path RunsCode (modified)"},
		{"a module's set changed", "\x80\x04cmod\nset\n(K\x01\x90.", "2 mod.set RunsCode (modified)"},
		{"memory maps open files", "cnumpy\nmemmap\n(S'f'\ntR.", "0 numpy.memmap RunsCode (called)"},
		{"memory maps made as arrays", "cnumpy._core.multiarray\n_reconstruct\n(cnumpy\nmemmap\n(K\x00tC\x01btR.", "0 numpy._core.multiarray._reconstruct DataOnly (called); 38 numpy.memmap DataOnly (passed)"},
		{"memory maps passed to code", "cmod\nf\n(cnumpy\nmemmap\ntR.", "0 mod.f RunsCode (called); 8 numpy.memmap RunsCode (passed)"},
		{"EXT1", "\x82\x05)R.", "0 ?.? RunsCode (called)"},
		{"EXT4", "\x84\x05\x00\x00\x01.", "0 ?.? RunsCode"},
		{"persistent", "Vid\nQ)R.", "4 ?.? RunsCode (called)"},
		{"persistent text", "Pid\n.", "0 ?.? RunsCode"},
		{"named only", "cos\nsystem\n.", "0 os.system ImportsOnly"},
		{"named only, in a list", "](cos\nsystem\nNe.", "2 os.system ImportsOnly"},
		{"named only, in a dict of a dict", "}K\x01" + od + "K\x02cmod\nClass\nss.", "3 collections.OrderedDict DataOnly (called, modified); 32 mod.Class ImportsOnly"},
		{"trusted", "cdatetime\ndate\n(C\x04\x07\xe4\x01\x02tR.", "0 datetime.date DataOnly (called)"},
		{"trusted by name only", "cbuiltins\nint\n.", "0 builtins.int DataOnly"},
		{"an exception", "cexceptions\nValueError\n(S'x'\ntR.", "0 builtins.ValueError DataOnly (called)"},
		{"what was made is called", "cmod\nf\n)R)R.", "0 mod.f RunsCode (called)"},
		{"frames do not hide", "\x80\x04\x95\xff\x00\x00\x00\x00\x00\x00\x00cos\nsystem\n)R.", "11 os.system RunsCode (called)"},
	} {
		got, err := Imports(strings.NewReader(test.pickle))
		if brief(got) != test.want || err != nil {
			t.Errorf("%s: Imports(%q) = %s, %v, want %s", test.name, test.pickle, brief(got), err, test.want)
		}
	}
}

// What a broken pickle names before the fault is reported: Python gets as far.
func TestImportsOfBrokenPickles(t *testing.T) {
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
	} {
		got, err := Imports(strings.NewReader(evil + test.rest))
		var located *Error
		if !errors.As(err, &located) || located.Offset != test.offset || brief(got) != "0 os.system RunsCode (called)" {
			t.Errorf("%s: %s, %v, want an error at %d", test.name, brief(got), err, test.offset)
		}
	}
}

// CPython imports a module whose name is whole even if the pickle ends in the name of the function.
func TestImportsOfCutName(t *testing.T) {
	got, err := Imports(strings.NewReader("cos\nsystem"))
	if brief(got) != "0 os.? RunsCode" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Imports = %s, %v", brief(got), err)
	}
}

// Arrays of NumPy, of both generations, are nothing but data, but for the one with an object of a program's class.
func TestImportsOfVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/*/*object*.npy")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		start := bytes.IndexByte(file, '\n') + 1
		got, err := Imports(bytes.NewReader(file[start:]))
		if err != nil || len(got) == 0 {
			t.Errorf("%s: %d imports, %v", name, len(got), err)
		}
		for _, m := range got {
			if opaque := m.Name == "Opaque"; opaque != (m.Verdict == RunsCode) || opaque != (m.Verdict != DataOnly) {
				t.Errorf("%s: %s", name, brief([]Import{m}))
			}
		}
	}
}

// Neither limits of a Decoder nor what is deep or large stops the search.
func TestImportsWithoutLimits(t *testing.T) {
	const n = 200_000
	deep := strings.Repeat("]", n) + "cos\nsystem\n)R" + strings.Repeat("a", n) + "."
	if got, err := Imports(strings.NewReader(deep)); len(got) != 1 || got[0].Verdict != RunsCode || err != nil {
		t.Errorf("below %d lists: %s, %v", n, brief(got), err)
	}
	chain := "cmod\nf\n" + strings.Repeat(")R", n) + "."
	if got, err := Imports(strings.NewReader(chain)); brief(got) != "0 mod.f RunsCode (called)" || err != nil {
		t.Errorf("%d calls of what was made: %s, %v", n, brief(got), err)
	}
	doubled := "cmod\nf\n(cmod\nClass\n" + strings.Repeat("2\x86", n) + "tR."
	if got, err := Imports(strings.NewReader(doubled)); len(got) != 2 || got[1].Uses != Passed || err != nil {
		t.Errorf("%d pairs of pairs: %s, %v", n, brief(got), err)
	}
}

// Imports takes no byte behind the pickle.
func TestImportsReadsOne(t *testing.T) {
	r := strings.NewReader("\x80\x04N.cos\nsystem\n.rest")
	for _, want := range []string{"", "0 os.system ImportsOnly"} {
		if got, err := Imports(r); brief(got) != want || err != nil {
			t.Errorf("Imports = %s, %v, want %s", brief(got), err, want)
		}
	}
	if rest, _ := io.ReadAll(r); string(rest) != "rest" {
		t.Errorf("%q is left, want rest", rest)
	}
}

// What lists a pickle leaves the reader behind it, as Decode does.
func TestListingTakesOnePickle(t *testing.T) {
	const one, rest = "\x80\x04]\x94.", "and more"
	for name, list := range map[string]func(r io.Reader) error{
		"Imports":     func(r io.Reader) error { _, err := Imports(r); return err },
		"Disassemble": func(r io.Reader) error { return Disassemble(io.Discard, r) },
	} {
		for _, r := range []io.Reader{strings.NewReader(one + rest), bufio.NewReader(strings.NewReader(one + rest))} {
			if err := list(r); err != nil {
				t.Fatal(name, err)
			}
			if left, err := io.ReadAll(r); err != nil || string(left) != rest {
				t.Errorf("%s of %T leaves %q, %v, want %q", name, r, left, err, rest)
			}
		}
	}
}
