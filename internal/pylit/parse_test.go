package pylit

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}"

// TestParse compares the Python repr of the parsed values.
func TestParse(t *testing.T) {
	for _, test := range []struct{ name, why, in, want string }{
		// Texts that NumPy accepts as a header.
		{"plain", "np.save", header, ""},
		{"key order", "a dict has none", "{'shape': (3,), 'descr': '<f8'}", ""},
		{"quotes", "every kind of str literal", `{"a": '''b''', r'c': u"d", """e""": 1}`, "{'a': 'b', 'c': 'd', 'e': 1}"},
		{"joined strings", "implicit concatenation", "{'sha' 'pe': ('a'\n 'b',)}", "{'shape': ('ab',)}"},
		{"escapes", `\x in a name`, `'\x41\u00e9\U0001F600'`, "'Aé😀'"},
		{"parentheses", "mean nothing", "((({'a': ((3))})))", "{'a': 3}"},
		{"comma at the end", "np.save writes one", "{'a': (1, 2, ), }", "{'a': (1, 2)}"},
		{"leading space", "literal_eval strips it", " \t {}", "{}"},
		{"leading lines", "empty lines do not count", "\n\r\n\f{}", "{}"},
		{"leading comment", "nor do comments", "# x\n{}", "{}"},
		{"line breaks inside", "free in brackets", "{\n'a'\r\n:\r1\n}", "{'a': 1}"},
		{"continuation", "backslash and line break", "{} \\\n \\\r\n  ", "{}"},
		{"padding", "tabs, form feeds, CRLF", "{}\t\f \r\n\r\n", "{}"},
		{"integers", "other bases, underscores, sign", "(0x3, 0b11, 0o3, 1_000, +3)", "(3, 3, 3, 1000, 3)"},
		{"same key twice", "both kept, the last wins", "{'a': 1, 'a': 2}", "{'a': 1, 'a': 2}"},
		// The other kinds.
		{"names", "", "(None, True, False, ...)", "(None, True, False, Ellipsis)"},
		{"sets", "", "[{1, 2}, set(), set ( ), {1}]", "[{1, 2}, set(), set(), {1}]"},
		{"tuples", "", "((), (1,), (1, 2), (1))", "((), (1,), (1, 2), 1)"},
		{"bare tuple", "literal_eval takes expressions", "1, 2,", "(1, 2)"},
		{"floats", "", "(1., .5, 1e5, 1_0.0e1_0, 03.5, 09e1, 1e999)", "(1.0, 0.5, 100000.0, 100000000000.0, 3.5, 90.0, inf)"},
		{"complex", "", "(3j, 1+2j, 1-2j, -1j, -1+2j, (1)+(2j))", "(3j, (1+2j), (1-2j), (-0-1j), (-1+2j), (1+2j))"},
		{"negative zero", "kept for floats", "(-0, -0.0, -0.0+0j)", "(0, -0.0, 0j)"},
		{"int64 ends", "", "(9223372036854775807, -9223372036854775808)", ""},
		{"large integers", "", "(9223372036854775808, -9223372036854775809, 0xFFFFFFFFFFFFFFFFFFFF)",
			"(9223372036854775808, -9223372036854775809, 1208925819614629174706175)"},
		{"zeros", "leading zeros are legal in zero only", "(00, 0_0, 0x00F)", "(0, 0, 15)"},
		{"bytes", "", `(b'a', Rb'\n', bR"\\", b'\xff\400', b'\u00e9')`, `(b'a', b'\\n', b'\\\\', b'\xff\x00', b'\\u00e9')`},
		{"unknown escapes", "keep the backslash", `'\q\8\('`, `'\\q\\8\\('`},
		{"octal over 255", "a str takes it", `'\777\18'`, `'ǿ\x018'`},
		{"surrogates", "stay apart", `'\ud83d\ude00'`, `'\ud83d\ude00'`},
		{"hidden line break", "also after CR", "'a\\\nb\\\r\nc\\\rd'", "'abcd'"},
		{"raw line break", "kept, as a newline", "r'a\\\r\nb'", `'a\\\nb'`},
		{"CRLF in a string", "Python replaces it first", "'''a\r\nb\rc'''", `'a\nb\nc'`},
		{"quotes in a string", "", `"it's" 'a"b' '''c'd'''`, `'it\'sa"bc\'d'`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := Parse(test.in)
			if err != nil {
				t.Fatalf("Parse(%q): %v", test.in, err)
			}
			want := test.want
			if want == "" {
				want = test.in
			}
			if got := v.Repr(0); got != want {
				t.Errorf("Parse(%q) = %s, want %s (%s)", test.in, got, want, test.why)
			}
		})
	}
}

// TestParseErrors has a row for each message, and for each text that NumPy refuses as a header.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		in     string
		class  Class
		offset int
		msg    string
	}{
		// Headers that cannot be parsed.
		{header + " x", Syntax, 56, "unexpected 'x', expected the end of the text"},
		{header + header, Syntax, 55, "unexpected '{'"},
		{header + "\n{}", Syntax, 56, "after the end of the value"},
		{"{'shape': 03}", Syntax, 10, "leading zeros"},
		{"", Syntax, 0, "unexpected end of text, a value is missing"},
		{" \n# x\n", Syntax, 6, "a value is missing"},
		{"\ufeff{}", Syntax, 0, "unexpected character U+FEFF"},
		{"{}\u00a0", Syntax, 2, "unexpected character U+00A0"},
		{"3\u00a0", Syntax, 1, "unexpected character U+00A0"},
		{"{}\v", Syntax, 2, "unexpected character U+000B"},
		{"(3,]", Syntax, 3, "unexpected ']'"},
		{"[3)", Syntax, 2, "')' does not match '['"},
		{")", Syntax, 0, "unexpected ')'"},
		{"{'a': 1", Syntax, 0, "'{' was never closed"},
		{"[1, ", Syntax, 0, "'[' was never closed"},
		{"(1, (", Syntax, 4, "'(' was never closed"},
		{"{1", Syntax, 0, "'{' was never closed"},
		{"{1:2, 3", Syntax, 0, "'{' was never closed"},
		{"set(", Syntax, 3, "'(' was never closed"},
		{"{}\x00", Syntax, 2, "NUL"},
		{"{} \xff", Syntax, 3, "not valid UTF-8"},
		{"é\xff", Syntax, 2, "not valid UTF-8"},
		// Headers that parse and are not literals.
		{"{'a': false}", NotLiteral, 6, "name false is not a literal"},
		{"1+2", NotLiteral, 1, "only an imaginary number"},
		{"{" + strings.Repeat("é", 30) + "x}", NotLiteral, 1, "name " + strings.Repeat("é", 20) + "… is not"},
		{"(" + "x" + strings.Repeat("é", 30) + ")", NotLiteral, 1, "name x" + strings.Repeat("é", 19) + "… is not"},
		{"2**3", NotLiteral, 1, "operator '*'"},
		{"(1,)*3", NotLiteral, 4, "operator '*'"},
		{"f'a'", NotLiteral, 0, "f-string"},
		{"'a' rF'a'", NotLiteral, 4, "f-string"},
		{"dict()", NotLiteral, 0, "name dict"},
		{"{}()", NotLiteral, 2, "a call"},
		{"[1][0]", NotLiteral, 3, "a subscript"},
		{"lambda: 1", NotLiteral, 0, "name lambda"},
		{"[1 for x in y]", NotLiteral, 3, "operator 'for'"},
		{"1 == 2", NotLiteral, 2, "operator '=='"},
		{"[*[1]]", NotLiteral, 1, "operator '*'"},
		{"~1", NotLiteral, 0, "operator '~'"},
		{"--3", NotLiteral, 1, "a second sign"},
		{"1+-2j", NotLiteral, 2, "a second sign"},
		{"-(-1)", NotLiteral, 0, "without sign"},
		{"-True", NotLiteral, 0, "without sign"},
		{"'a'+1j", NotLiteral, 3, "operator '+'"},
		{"1+2j+3j", NotLiteral, 4, "operator '+'"},
		{"set", NotLiteral, 0, "set()"},
		{"set(1)", NotLiteral, 0, "but for set()"},
		{"{[]: 1}", Unhashable, 1, "unhashable type: 'list'"},
		{"{1, ({},)}", Unhashable, 4, "unhashable type: 'dict'"},
		{"{1: 2, set(): 1}", Unhashable, 7, "unhashable type: 'set'"},
		// Space.
		{"\n {}", Syntax, 1, "unexpected indent"},
		{"{}\n ", Syntax, 3, "unexpected indent"},
		{"1 \\ \n", Syntax, 2, "after line continuation character"},
		{"1 \\\n", Syntax, 2, "unexpected end of text after line continuation"},
		{"-\n1", Syntax, 1, "unexpected end of line"},
		// Numbers.
		{"1__0", Syntax, 2, "invalid decimal literal"},
		{"1_", Syntax, 2, "invalid decimal literal"},
		{"1e", Syntax, 2, "invalid decimal literal"},
		{"3L", Syntax, 1, "invalid decimal literal"},
		{"0x", Syntax, 2, "invalid hexadecimal literal"},
		{"0b2", Syntax, 2, "invalid binary literal"},
		{"0o78", Syntax, 3, "invalid digit '8' in octal literal"},
		{"3jj", Syntax, 2, "invalid imaginary literal"},
		{strings.Repeat("9", 4301), Limit, 0, "more than 4300 digits"},
		{"1" + strings.Repeat("0", 400) + "+1j", Limit, 0, "too large"},
		// Strings.
		{"'a", Syntax, 0, "unterminated string literal"},
		{"'a\n'", Syntax, 0, "unterminated string literal"},
		{"'''a'", Syntax, 0, "unterminated string literal"},
		{`['\']`, Syntax, 1, "unterminated string literal"},
		{"'a' b'b'", Syntax, 6, "cannot mix"},
		{"b'é'", Syntax, 2, "bytes can only contain ASCII"},
		{`'a\x4'`, Syntax, 2, `truncated \x escape`},
		{`'\U00110000'`, Syntax, 1, "illegal Unicode character"},
		{`'\N{DIGIT ONE}'`, Unsupported, 1, "named characters"},
		{"ur'a'", NotLiteral, 0, "name ur"}, // Python: SyntaxError, but only after the name
		// Structure.
		{"{1: 2, 3}", Syntax, 8, "expected ':'"},
		{"{1, 2: 3}", Syntax, 5, "unexpected ':', expected ',' or '}'"},
		{"[1 2]", Syntax, 3, "expected ',' or ']'"},
		{"(,)", Syntax, 1, "unexpected ','"},
		{"..", Syntax, 0, "unexpected '.'"},
		{"yield", Syntax, 0, "unexpected keyword yield"},
	} {
		v, err := Parse(test.in)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q) = %s, %v, want *Error", test.in, v.Repr(60), err)
			continue
		}
		if e.Class != test.class || e.Offset != test.offset || !strings.Contains(e.Msg, test.msg) {
			t.Errorf("Parse(%.60q) = class %d, %v\nwant class %d, byte %d: … %s …", test.in, e.Class, e, test.class, test.offset, test.msg)
		}
		if len(e.Error()) > 120 || strings.ContainsAny(e.Error(), "\n\r") {
			t.Errorf("Parse(%.60q): message is not one short line: %q", test.in, e.Error())
		}
	}
}

func TestLong(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"(3L, 4 L, 5\\\n\fL)", "(3, 4, 5)"},
		{"(0xFL, 1_0L, -3L, 3L L)", "(15, 10, -3, 3)"},
		{"(3.0L, 1jL, 1L+2jL)", "(3.0, 1j, (1+2j))"},
		{"{'L': '3L'}", "{'L': '3L'}"},
		{"{'a': 1}\n   ", "{'a': 1}"}, // NumPy's filter drops the blanks
		{"3l", ""}, {"3LL", ""}, {"3Lx", ""}, {"(3\nL,)", ""}, {"(3)L", ""}, {"L", ""}, {"03L", ""}, {"\n {}", ""},
	} {
		v, err := Options{Long: true}.Parse(test.in)
		if got := v.Repr(0); err == nil && got != test.want || err != nil && test.want != "" {
			t.Errorf("Parse(%q) = %s, %v, want %q", test.in, got, err, test.want)
		}
	}
	v, err := Options{Long: true}.Parse("[3 L ]")
	if err != nil || v.Items[0].Start != 1 || v.Items[0].End != 4 {
		t.Errorf("offsets of 3 L = %+v, %v, want 1 to 4", v.Items, err)
	}
}

func TestOffsets(t *testing.T) {
	const text = " {'a' : (- 3), 'b' 'c': [1 + 2j, set( )], } # x"
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(Value)
	walk = func(v Value) {
		got = append(got, text[v.Start:v.End])
		for _, item := range v.Items {
			walk(item)
		}
	}
	walk(v)
	want := []string{"{'a' : (- 3), 'b' 'c': [1 + 2j, set( )], }", "'a'", "(- 3)", "'b' 'c'", "[1 + 2j, set( )]", "1 + 2j", "set( )"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("sources = %q\nwant %q", got, want)
	}
}

// TestBigInt checks that Big is set only if it is needed, so that callers need not look at it for a small number.
func TestBigInt(t *testing.T) {
	for _, test := range []struct {
		in  string
		big bool
	}{
		{"9223372036854775807", false}, {"9223372036854775808", true}, {"-9223372036854775808", false},
		{"-9223372036854775809", true}, {"0x7fffffffffffffff", false}, {strings.Repeat("0", 9000), false},
	} {
		v, err := Parse(test.in)
		if err != nil || v.Kind != Int || (v.Big != nil) != test.big {
			t.Errorf("Parse(%.30s) = %+v, %v, want Big set: %v", test.in, v, err, test.big)
			continue
		}
		want, _ := new(big.Int).SetString(test.in, 0)
		if want != nil && v.Repr(0) != want.String() {
			t.Errorf("Parse(%.30s) = %s", test.in, v.Repr(0))
		}
	}
}
