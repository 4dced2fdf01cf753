package format_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// odd holds headers that NumPy never writes but other programs do, or could. A column says whether NumPy reads them.
var odd = []struct {
	name string
	why  string
	text string
	good bool
}{
	{"no newline", "gonpy, gorgonia", simple, true},
	{"no padding", "alignment is not checked", simple + "\n", true},
	{"old padding", "16 bytes, NumPy 1.0 to 1.13", simple + strings.Repeat(" ", 9) + "\n", true},
	{"tabs", "", simple + "\t\t\t\n", true},
	{"CRLF", "", simple + "  \r\n", true},
	{"CR", "", simple + "\r", true},
	{"form feed", "", simple + "\f\f\n", true},
	{"vertical tab", "Python has no such blank", simple + "\v\n", false},
	{"many newlines", "", simple + "\n\n\n", true},
	{"leading blanks", "", " \t " + simple, true},
	{"leading newline", "", "\n" + simple, true},
	{"leading form feed", "", "\f" + simple, true},
	{"newline and blanks in front", "Python takes them for a block; NumPy's filter for Python 2 does not mind", "\n " + simple, false},
	{"newline and blanks behind", "", simple + "\n   ", true},
	{"zero padding", "NUL is no source text", simple + "\x00\x00\n", false},
	{"NUL in front", "", "\x00" + simple, false},
	{"NUL in a string", "", "{'descr': '<f8\x00', 'fortran_order': False, 'shape': (3,)}", false},
	{"escaped NUL", "", `{'descr': '<f8\x00', 'fortran_order': False, 'shape': (3,)}`, false},
	{"no blanks", "npyjs", "{'descr':'<f8','fortran_order':False,'shape':(3,4)}", true},
	{"no final comma", "gorgonia", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}", true},
	{"comma and blank in the shape", "JetBrains", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,4, ), }", true},
	{"double quotes", "static-frame", `{"descr": "<f8", "fortran_order": False, "shape": (3, 4)}`, true},
	{"triple quotes", "", `{'''descr''': """<f8""", 'fortran_order': False, 'shape': (3, 4)}`, true},
	{"prefixes", "", `{u'descr': r'<f8', U"fortran_order": False, R'shape': (3, 4)}`, true},
	{"bytes", "Python 2 meant it so", `{b'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}`, false},
	{"bytes for a descr", "", `{'descr': b'<f8', 'fortran_order': False, 'shape': (3, 4)}`, false},
	{"f-string", "", `{'descr': f'<f8', 'fortran_order': False, 'shape': (3, 4)}`, false},
	{"pieces", "", `{'de' 'scr': '<' "f" '8', 'fortran_order': False, 'shape': (3, 4)}`, true},
	{"pieces on lines", "brackets are open, so lines do not end", "{'descr':\n'<f' # float\n'8'\n,\r\n'fortran_order': False, 'shape': (3, 4)}", true},
	{"pieces in a field", "", "{'descr': [('a'\n'b', '<f'\r'8',\n(2\n,))], 'fortran_order': False, 'shape': (3, 4)}", true},
	{"escapes", "", `{'\x64escr': '\u003cf8', 'fortran_order': False, 'shape': (3, 4)}`, true},
	{"line continuation", "", "{'descr': \\\n'<f8', 'fortran_order': False, 'shape': (3, 4)}", true},
	{"comments", "", "# old\n{'descr': '<f8', # here }\n'fortran_order': False, 'shape': (3, 4)} # there", true},
	{"several lines", "pprint in NumPy 1.0", "{'descr': [('a', '<f8'),\n           ('b', '<i4')],\n 'fortran_order': False,\n 'shape': (3,)}", true},
	{"other order of keys", "", "{'shape': (3, 4), 'descr': '<f8', 'fortran_order': False}", true},
	{"duplicate keys", "the last one counts", "{'descr': 8, 'descr': '<f8', 'shape': 3, 'fortran_order': False, 'shape': (3, 4)}", true},
	{"duplicate key, bad at the end", "", "{'descr': '<f8', 'shape': (3,), 'fortran_order': False, 'shape': 3}", false},
	{"parentheses", "", "(({'descr': ('<f8'), 'fortran_order': (False), 'shape': ((3, 4))}))", true},
	{"parentheses on lines", "", "(\n{'descr': (\n'<f8'\n), 'fortran_order': False, 'shape': (3,)}\n)", true},
	{"hexadecimal", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (0x3, 0b100, 0o5, 1_000, +7, 00)}", true},
	{"leading zero", "octal in Python 2", "{'descr': '<f8', 'fortran_order': False, 'shape': (03,)}", false},
	{"Python 2 longs", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 4 L)}", true},
	{"lowercase long", "the filter knows L only", "{'descr': '<f8', 'fortran_order': False, 'shape': (3l,)}", false},
	{"long in a name", "", "{'descr': [('3L', '<f8')], 'fortran_order': False, 'shape': (3L,)}", true},
	{"long of a hexadecimal", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (0x3L,)}", true},
	{"long in a subarray", "", "{'descr': [('a', '<f8', (2L,))], 'fortran_order': False, 'shape': (3L,)}", true},
	{"junk behind", "", simple + " x", false},
	{"brace behind", "", simple + "}", false},
	{"two dicts", "", simple + "\n" + simple, false},
	{"tuple of the dict", "", simple + ",", false},
	{"list", "", "[1, 2]", false},
	{"empty", "", "", false},
	{"blanks", "", "   \n", false},
	{"empty dict", "", "{}", false},
	{"no descr", "", "{'fortran_order': False, 'shape': (3,)}", false},
	{"no order", "", "{'descr': '<f8', 'shape': (3,)}", false},
	{"no shape", "", "{'descr': '<f8', 'fortran_order': False}", false},
	{"another key", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'extrakey': 1}", false},
	{"key of another type", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 1: 1}", false},
	{"key that cannot be one", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), []: 1}", false},
	{"uppercase key", "", "{'Descr': '<f8', 'fortran_order': False, 'shape': (3,)}", false},
	{"key with a blank", "", "{'descr ': '<f8', 'fortran_order': False, 'shape': (3,)}", false},
	{"JSON", "", `{"descr": "<f8", "fortran_order": false, "shape": [3, 4]}`, false},
	{"order 0", "", "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}", false},
	{"order None", "", "{'descr': '<f8', 'fortran_order': None, 'shape': (3,)}", false},
	{"order as text", "", "{'descr': '<f8', 'fortran_order': 'False', 'shape': (3,)}", false},
	{"Fortran order of one dimension", "open_memmap writes it", "{'descr': '<f8', 'fortran_order': True, 'shape': (3,)}", true},
	{"Fortran order of none", "", "{'descr': '<f8', 'fortran_order': True, 'shape': ()}", true},
	{"number for a shape", "", "{'descr': '<f8', 'fortran_order': False, 'shape': 3}", false},
	{"number in parentheses", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3)}", false},
	{"list for a shape", "", "{'descr': '<f8', 'fortran_order': False, 'shape': [3]}", false},
	{"set for a shape", "", "{'descr': '<f8', 'fortran_order': False, 'shape': {3}}", false},
	{"float dimension", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,)}", false},
	{"None dimension", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, None)}", false},
	{"text dimension", "", "{'descr': '<f8', 'fortran_order': False, 'shape': ('3',)}", false},
	{"ellipsis dimension", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (...,)}", false},
	{"complex dimension", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3j,)}", false},
	{"numpy integer", "NumPy 2 wrote this", "{'descr': '<f8', 'fortran_order': False, 'shape': (np.int64(2), 3)}", false},
	{"sum", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (1+2,)}", false},
	{"power", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (2**3,)}", false},
	{"product of a tuple", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)*3}", false},
	{"call", "nothing is evaluated", "{'descr': __import__('os').system('true'), 'fortran_order': False, 'shape': (1,)}", false},
	{"lambda", "", "{'descr': lambda: 1, 'fortran_order': False, 'shape': (1,)}", false},
	{"comprehension", "", "{'descr': '<f8', 'fortran_order': False, 'shape': tuple(i for i in (1,))}", false},
	{"empty shape", "", "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", true},
	{"zero dimensions", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0, 1000000)}", true},
	{"byte order mark", "", "\xef\xbb\xbf" + simple, false},
	{"no-break space", "", "\xa0" + simple, false},
	{"metadata", "NumPy 1.18 to 1.24 wrote it and could not read it", "{'descr': ('<i4', {'a': 1}), 'fortran_order': False, 'shape': (3,)}", true},
	{"dict for a descr", "no fields", "{'descr': {}, 'fortran_order': False, 'shape': (3,)}", true},
	{"None for a descr", "", "{'descr': None, 'fortran_order': False, 'shape': (3,)}", false},
	{"number for a descr", "", "{'descr': 8, 'fortran_order': False, 'shape': (3,)}", false},
	{"name for a descr", "", "{'descr': 'float64', 'fortran_order': False, 'shape': (3,)}", true},
	{"old objects", "Python 2", "{'descr': '|O8', 'fortran_order': False, 'shape': (3,)}", true},
	{"native order", "", "{'descr': '|f8', 'fortran_order': False, 'shape': (3,)}", true},
	{"comma string", "", "{'descr': 'i4,f8', 'fortran_order': False, 'shape': (3,)}", true},
	{"order of a byte", "", "{'descr': '>u1', 'fortran_order': False, 'shape': (3,)}", true},
	{"void with an order", "bfloat16 from ml_dtypes", "{'descr': '<V2', 'fortran_order': False, 'shape': (3,)}", true},
	{"Latin-1 name in UTF-8", "read as another name in version 1.0", "{'descr': [('é', '<i4')], 'fortran_order': False, 'shape': (3,)}", true},
	{"wide name", "", "{'descr': [('整', '<i4')], 'fortran_order': False, 'shape': (3,)}", true},
	{"bytes above ASCII", "Latin-1, and not UTF-8", "{'descr': [('\xe9', '<i4')], 'fortran_order': False, 'shape': (3,)}", true},
	{"surrogate", "", `{'descr': [('\ud800', '<i4')], 'fortran_order': False, 'shape': (3,)}`, true},
	{"unclosed", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)", false},
	{"unclosed string", "", "{'descr': '<f8, 'fortran_order': False, 'shape': (3,)}", false},
	{"wrong bracket", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,]}", false},
	{"200 brackets", "with those of dict and shape; CPython's tokenizer has room for them", strings.Repeat("(", 198) + simple + strings.Repeat(")", 198), true},
	{"201 brackets", "", strings.Repeat("(", 199) + simple + strings.Repeat(")", 199), false},
	{"5,000 brackets", "", strings.Repeat("(", 5000) + simple + strings.Repeat(")", 5000), false},
	{"5,000 digits", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (0, " + strings.Repeat("9", 5000) + ")}", false},
	{"3,000 signs", "", "{'descr': '<f8', 'fortran_order': False, 'shape': (" + strings.Repeat("-", 3000) + "3,)}", false},
}

// oddDifferences lists our deliberate differences from NumPy 1.24: each text is a file followed by NumPy's answer.
var oddDifferences = []struct {
	name string
	why  string
	text *regexp.Regexp
	we   string
}{
	{"negative dimensions", "NumPy finds out when it reads the data, and then reads all of a file", regexp.MustCompile(`[(,\s]-[\s\\]*(# note\s*)?[0-9]`), "refuse"},
	{"True for a dimension", "NumPy finds out when it reads the data", regexp.MustCompile(`\([^'()]*(True|False)[^'()]*\)`), "refuse"},
	{"huge arrays", "the product wraps around in NumPy, or it allocates", regexp.MustCompile(`\d{9}|0x[0-9a-f]{8}`), "refuse"},
	{"sizes wrap", "NumPy 1 stores a size that is negative", regexp.MustCompile(`[SUVa] *-\d`), "refuse"},
	{"unsized subarrays", "NumPy writes ('x', '|S0', (3,)) and cannot read it back", regexp.MustCompile(`NumPy [^ ]* ValueError: invalid itemsize`), "accept"},
	{"subarrays", "NumPy reads the header, and never the data", regexp.MustCompile(`NumPy [^ ]* \(`), "refuse"},
	{"numbers of types", "NumPy takes a control character for the number of a type in its C code", regexp.MustCompile("['\"][<>=|]?[\x01-\x17]['\"]"), "refuse"},
	{"two types", "NumPy mixes ('a', '<f8') to |S8", regexp.MustCompile(`NumPy [^ ]* \[\('', '\|S8'\)`), "refuse"},
	{"one field", "in NumPy 2 a comma makes a struct even of one item; NumPy 1 drops it", regexp.MustCompile(`,\s*["']`), "read as another"},
	{"ml_dtypes codes", "float8_e5m2 and complex32 are stored under codes that NumPy has no type for", regexp.MustCompile(`f1['"]|c4['"]`), "accept"},
	{"metadata", "NumPy 1.18 to 1.24 wrote it and could not read it", regexp.MustCompile(`\('<i4', \{'a': 1`), "accept"},
	{"blanks behind a carriage return", "NumPy takes them behind a newline", regexp.MustCompile(`\r[ \t]+\nNumPy`), "accept"},
	{"blanks at the end", "in a line of their own: NumPy reads them where CPython is older than 3.12, whose tokenizer lost them",
		regexp.MustCompile(`\n[ \t]+\nNumPy 2[^ ]* ValueError: Cannot parse header`), "accept"},
	{"the shape 1", "NumPy before 2.5 drops it", regexp.MustCompile(`(?s)['"][<>=|]?1[a-z].*\nNumPy 1`), "refuse"},
	{"lines in Python 2", "taking out the L, NumPy loses the backslashes that continue lines", regexp.MustCompile(`(?s)\\.*L|L.*\\`), "accept"},
}

func oddDifference(file, version, numpy, we string) bool {
	for _, d := range oddDifferences {
		if d.we == we && d.text.MatchString(file+"\nNumPy "+version+": "+numpy) {
			return true
		}
	}
	return false
}

func TestOddHeaders(t *testing.T) {
	for _, tt := range odd {
		_, err := format.ParseHeader([]byte(framed(format.V1, tt.text)))
		if (err == nil) != tt.good {
			t.Errorf("%s: got %v, want good %t", tt.name, err, tt.good)
		}
	}
}

// checkOdd compares our result with NumPy's for each file.
func checkOdd(t *testing.T, files []string) {
	t.Helper()
	var questions []string
	for _, f := range files {
		questions = append(questions, hex.EncodeToString([]byte(f)))
	}
	version, answers := askNumPy(t, questions)
	accepted := 0
	for i, file := range files {
		a := answers[i]
		h, err := format.ParseHeader([]byte(file))
		switch {
		case err != nil && a.Error != "":
		case err != nil && strconv.IntSize == 32 && strings.Contains(err.Error(), "larger than memory can be"):
		case err != nil:
			accepted++
			if !oddDifference(file, version, a.Descr, "refuse") {
				t.Errorf("%.600q: got %v, NumPy %s reads %+v", file, err, version, a)
			}
		case a.Error != "":
			if !oddDifference(file, version, a.Error, "accept") {
				t.Errorf("%.600q: got %+v, NumPy %s says %s", file, h, version, a.Error)
			}
		default:
			accepted++
			got := answer{Descr: string(h.DType.AppendDescr(nil)), Order: h.FortranOrder, Shape: format.ShapeString(h.Shape), Offset: h.DataOffset}
			if got != a && !oddDifference(file, version, a.Descr, "read as another") {
				t.Errorf("%.600q: got %+v, NumPy %s: %+v", file, got, version, a)
			}
		}
	}
	t.Logf("NumPy %s reads %d of %d", version, accepted, len(files))
}

func TestOddHeadersLive(t *testing.T) {
	if dtype.NativeEndian != dtype.LittleEndian {
		t.Skip("NumPy runs on another machine")
	}
	var files []string
	for _, tt := range odd {
		for _, v := range []format.Version{format.V1, format.V2, format.V3} {
			files = append(files, framed(v, tt.text))
		}
	}
	checkOdd(t, files)
}

// Headers in random spellings, each broken in one place.
func TestRandomHeadersLive(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	var files []string
	for range 3000 {
		text := randomHeader(rng)
		if rng.IntN(3) == 0 {
			text = broken(rng, text)
		}
		files = append(files, framed(format.Version{Major: uint8(1 + rng.IntN(3))}, text))
	}
	checkOdd(t, files)
}

func randomHeader(rng *rand.Rand) string {
	pick := func(parts ...string) string { return parts[rng.IntN(len(parts))] }
	quote := func(s string) string {
		q := pick("'", "'", `"`, "'''", `"""`)
		return pick("", "", "u", "r") + q + s + q
	}
	space := func() string { return pick("", " ", " ", "  ", "\n", "\t", " # note\n", "\\\n", "\r\n", "\f") }
	dim := func() string {
		n := rng.IntN(1 << rng.IntN(12))
		return fmt.Sprintf(pick("%d", "%d", "%d", "%#x", "%#o", "%#b", "+%d", "%dL"), n)
	}
	pairs := []string{
		quote("descr") + space() + ":" + space() + pick(quote("<f8"), quote("|b1"), quote(">i4"), quote("<U3"), quote("|O"), "'<' "+quote("f8"), "("+quote("<i2")+")",
			"["+space()+"("+quote("a")+","+quote("<f8")+space()+")"+pick("", ",")+"]", "[('x', '<f4'), ('', '|V4'),"+space()+"('y', [('z', '>u2', (2,))])]", "[]"),
		quote("fortran_order") + ":" + space() + pick("False", "True", "(False)"),
	}
	shape := "(" + space()
	n := rng.IntN(4)
	for range n {
		shape += dim() + space() + "," + space()
	}
	if n > 1 && rng.IntN(2) == 0 {
		shape += dim()
	}
	pairs = append(pairs, quote("shape")+":"+space()+shape+")")
	rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return pick("", "", " ", "\n", "#\n") + "{" + space() + strings.Join(pairs, space()+","+space()) + pick("", ",", ", ") + "}" +
		pick("", "\n", "   \n", " # end", "\t\n", "\n\n", "\r\n") + strings.Repeat(pick("", " "), rng.IntN(30))
}

// broken changes, drops or adds one character, or cuts the text.
func broken(rng *rand.Rand, text string) string {
	const parts = "'\"()[]{},:#\\ \n\tL0123aFx-+.\x00\x80"
	i, c := rng.IntN(len(text)), string(parts[rng.IntN(len(parts))])
	switch rng.IntN(4) {
	case 0:
		return text[:i] + text[i+1:]
	case 1:
		return text[:i] + c + text[i:]
	case 2:
		return text[:i] + c + text[i+1:]
	}
	return text[:i]
}
