package dtype_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

// descrs are Python literals for the descr of a header, valid and invalid.
var descrs = []struct {
	name  string
	why   string
	texts []string
}{
	{"plain", "a string is for numpy.dtype, however Python spells the string",
		lines(`'<f8'
			"<f8"
			'''<f8'''
			u'<f8'
			r'<f8'
			'<' 'f' "8"
			'\x3cf8'
			('<f8')
			(('<f8'))
			'|S5'
			'<M8[ns]'
			'i4,f8'
			'2i4'
			'3S'
			'float64'
			'|O'
			''
			'<'
			'[("a", "<i4")]'
			'x8'`)},
	{"no descr", "other literals are none", lines(`None
			True
			8
			1.5
			2j
			b'<f8'
			...
			-3
			[8]
			[None]
			[[]]
			[()]
			['a']
			['<f8']
			[b'ab']`)},
	{"empty", "no fields, no bytes", lines(`[]
			{}
			[('a', [])]
			[('a', {})]
			([], (4,))
			([], 4)
			[('', [])]`)},
	{"fields", "name, descr, shape; what unpacks like a tuple is one", lines(`[('x', '<f8')]
			[('x', '<f8'), ('y', '>i2')]
			[['x', '<f8']]
			[['x', '<f8', [2]]]
			['ab']
			['éb', 'ci']
			['a,']
			[('a', 'i4,f8')]
			[('a', '2i4')]
			[('a', '2i4', (3,))]
			[('x', '3S')]
			[('x',)]
			[('x', '<f8', (2,), 4)]
			[(' ', '<i4')]
			[('a b', '<i4'), ('a\\b', '<i4'), ("a'b", '<i4'), ('a"\'', '<i4')]
			[('\x00', '<i4'), ('\n', '<i4'), ('\x7f', '<i4')]
			[('整', '<i4'), ('é', '<i4'), ('\u2028', '<i4'), ('\ud800', '<i4'), ('😀', '<i4')]
			[('a', [('b', [('c', [('d', '<i4', (2,))], (3,))])], (4,))]
			[(1, '<i4')]
			[(None, '<i4')]
			[(b'a', '<i4')]
			[('a', 8)]
			[('a', None)]`)},
	{"padding", "an unnamed void is a gap, also one with a shape; an unnamed struct or number is a field", lines(`[('a', '|i1'), ('', '|V3'), ('b', '<i4')]
			[('a', '<i4'), ('', '|V4')]
			[('', '|V4'), ('a', '<i4')]
			[('', '|V4')]
			[('', '|V0')]
			[('', '|V4', (2,)), ('a', '|i1')]
			[('', '<i4', (2,)), ('a', '|i1')]
			[('', [('x', '<i4')], (2,)), ('a', '|i1')]
			[('', '<V3'), ('', 'V2'), ('a', '|i1'), ('', 'void')]
			[('', '<i4')]
			[('', '<i4'), ('', '<i4')]
			[('', '<i4'), ('', '|V4')]
			[('', [('x', '<i4')])]
			[('', '|S3')]
			[(('T', ''), '|V4')]
			[((None, ''), '<i4'), ('a', '|i1')]`)},
	{"titles", "any literal can be one; None is none", lines(`[(('T', 'n'), '<i4')]
			[(('T', 'n'), '<i4'), (('U', 'm'), '<f8', (2,))]
			[((None, 'a'), '<i4')]
			[(('', 'a'), '<i4')]
			[(('', ''), '<i4')]
			[(('', 'a'), '<i4'), ('', '<i4')]
			[(('', 'a'), '<i4'), (('', 'b'), '<i4')]
			[((5, 'a'), '<i4'), ((5, 'b'), '<i4')]
			[((True, 'a'), '<i4'), ((1.5, 'b'), '<i4'), ((1j, 'c'), '<i4'), ((b'x', 'd'), '<i4')]
			[(((), 'a'), '<i4'), ((['x'], 'b'), '<i4'), (({}, 'd'), '<i4')]
			[((..., 'a'), '<i4')]
			[(((1, [...]), 'a'), '<i4')]
			[((1e999, 'a'), '<i4')]
			[((set(), 'a'), '<i4'), ((-1e300, 'b'), '<i4'), ((0x10, 'c'), '<i4'), ((2 - 1j, 'd'), '<i4'), ((99999999999999999999, 'e'), '<i4')]
			[(('a', 'a'), '<i4')]
			[('a', '<i4'), (('a', 'b'), '<i4')]
			[(('b', 'a'), '<i4'), ('b', '<i4')]
			[(('t', 'a'), '<i4'), (('t', 'b'), '<i4')]
			[('a', '<i4'), ('a', '<i4')]
			[('a', '<i4'), ('', '|V4'), ('a', '<i4')]
			[(('t', None), '<i4')]
			[(('t', 5), '<i4')]
			[(('t', 'a', 'b'), '<i4')]
			[(('a',), '<i4')]
			[((), '<i4')]
			[(['t', 'a'], '<i4')]`)},
	{"shapes", "a number, a tuple or a list; nothing negative, no float, no bool", lines(`[('a', '<i4', 2)]
			[('a', '<i4', 1)]
			[('a', '<i4', (1,))]
			[('a', '<i4', 0)]
			[('a', '<i4', (0,))]
			[('a', '<i4', ())]
			[('a', '<i4', [2, 3])]
			[('a', '<i4', (2, 3, 4))]
			[('a', '<i4', [])]
			[('a', '<i4', -1)]
			[('a', '<i4', (2, -1))]
			[('a', '<i4', (-2, -1))]
			[('a', '<i4', 2.0)]
			[('a', '<i4', (2.0,))]
			[('a', '<i4', True)]
			[('a', '<i4', (True,))]
			[('a', '<i4', None)]
			[('a', '<i4', '2')]
			[('a', '<i4', (None,))]
			[('a', '<i4', ((2,),))]
			[('a', '<i4', [[2]])]
			[('a', '<i4', ('b', 'c'))]
			[('a', '<i4', {2})]
			[('a', 'S', 3)]
			[('a', 'U', 3)]
			[('a', 'V', 3)]
			[('a', 'S', (3,))]
			[('a', '|S0', (3,))]
			[('a', 'S4', 4)]
			[('a', 'S', 0)]
			[('a', 'S', -1)]
			[('a', 'U', 536870911)]
			[('a', 'U', 536870912)]
			[('a', '|S0', 2147483648)]
			[('a', '|i1', 2147483647)]
			[('a', '|i1', 2147483648)]
			[('a', '<i2', 2147483647)]
			[('a', '<i2', (65536, 32768))]
			[('a', '<i2', 99999999999999999999999)]
			[('a', '|S0', (65536, 65536))]
			[('a', '<i4', (0, 2147483647))]
			[('a', '<i4', (0, 2147483648))]
			[('a', '|S0', (2147483647,))]`)},
	{"tuples", "a base and a shape, or a base with fields laid over it, of which NumPy stores the fields", lines(`('<i4', (2,))
			('<i4', 2)
			('<i4', 1)
			('<i4', (1,))
			('<i4', ())
			('<i4', [2, 3])
			('<i4', [])
			(('<i4', (2,)), (3,))
			(('<i4', (2,)), 1)
			([('a', '<i4')], (2,))
			[('x', ('<i4', (2,)), (3,))]
			[('x', ([('a', '|i1'), ('', '|V3')], (3,)), (4,))]
			('S', 4)
			('U', 4)
			('V', 4)
			('S4', 4)
			('>U', 4)
			('S', (4,))
			('S', 0)
			('O', 2)
			('<i4', (2,), 3)
			('<i4', [('a', '<i2'), ('b', '<i2')])
			[('x', '<i4', [('a', '<i2'), ('b', '<i2')])]
			('<i4', [('a', '<i2')])
			('V4', [('a', '<i2')])
			('V2', [('a', '<i2')])
			('S2', [('a', '<i2')])
			('S', [('a', '<i2')])
			('<i1', ['ab'])
			('<i4', ['ab'])
			('<i4', [('a', '<i2'), ('b', '<i2')], 3)
			('O', [('a', '<i8')])
			('<i8', [('a', 'O')])
			('V8', [('a', 'O')])
			(('<i4',), 2)
			('<i4',)
			()
			('<i4', None)
			('<i4', 2.5)
			('<i4', True)
			('<i4', ([],))
			('<i4', [[2]])
			('<i4', (2, -1))
			('<i4', 2147483648)
			(8, 2)`)},
	{"sums", "a struct has at most as many bytes as a C int counts", lines(`[('a', 'V2147483647')]
			[('a', 'V2147483647'), ('b', 'V0')]
			[('a', 'V2147483647'), ('b', '|i1')]
			[('a', 'V2147483646'), ('b', '|i1')]
			[('a', 'V2147483647'), ('', 'V1')]
			[('', 'V2147483647'), ('', 'V2147483647')]
			[('a', [('b', 'V1073741824'), ('c', 'V1073741823')])]
			[('a', [('b', 'V1073741824'), ('c', 'V1073741824')])]`)},
	{"what iterates", "NumPy iterates and unpacks whatever it is given", lines(`set()
			{('a', '<i4')}
			{('a', '<i4'): 1}
			{'ab': 1}
			b''
			[{'a': 1, '<i4': 2}]
			['abc']
			[('a', '<i4', '')]
			[('a', '<i4', b'')]
			('<i4', '<f4')
			('<i4', {'a': ('<i2', 0)})`)},
}

// lines splits a raw string into its lines.
func lines(s string) []string {
	texts := strings.Split(s, "\n")
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return texts
}

func allDescrs() []string {
	var texts []string
	for _, group := range descrs {
		texts = append(texts, group.texts...)
	}
	return texts
}

var descrSuite = suite{
	call: "lambda s: descr_to_dtype(ast.literal_eval(s))", golden: "testdata/descrs", texts: allDescrs, parse: dtype.ParseDescr,
	differences: []difference{
		{name: "what iterates", why: "a set has no order, a dict and bytes are no lists; only a text made by hand could have them",
			texts: regexp.MustCompile(`^(set\(\)|b''|\{[('].*\})$|\[\{|\['abc'\]`), we: refuse},
		{name: "empty shapes", why: "NumPy takes any empty sequence for the shape ()", texts: regexp.MustCompile(`, b?''\)`), we: refuse},
		{name: "titles that do not print", why: "NumPy writes Ellipsis and inf for them, and no reader takes those",
			texts: regexp.MustCompile(`\.\.\.|1e999`), we: refuse},
		{name: "two types", why: "NumPy takes the one or the other", texts: regexp.MustCompile(`^\('<i4', '<f4'\)$`), we: refuse},
		{name: "fields over a base", why: "the base counts for no file, as NumPy stores such a type as a plain struct",
			texts: regexp.MustCompile(`^\('(<i4|S2?)', \[\('a', '<i2'\)`), we: another},
		{name: "unsized subarrays", why: "NumPy writes ('x', '|S0', (3,)) and cannot read it back",
			texts: regexp.MustCompile(`'(S|\|S0)', \(`), we: accept},
		{name: "the shape 1", why: "before 2.5 NumPy drops it, and warns that it will be (1,)",
			error: "FutureWarning", we: accept, only: "1"},
	},
}

func TestDescrs(t *testing.T) { descrSuite.testGolden(t) }

func TestDescrsLive(t *testing.T) { descrSuite.testLive(t) }

func TestRandomDescrsLive(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	var texts []string
	for range 1500 {
		texts = append(texts, randomDescr(rng, 3))
	}
	call := descrSuite.call
	if isNumPy1(t) { // NumPy 1 drops the shape 1
		call = "lambda s: descr_to_dtype(ast.literal_eval(s.replace('0x1)', '(1,))')))"
	}
	version, answers := askNumPy(t, call, texts)
	var accepted []string
	var good []answer
	for i, a := range answers {
		switch {
		case a.Error == "":
			accepted, good = append(accepted, texts[i]), append(good, a)
		case !strings.Contains(a.Error, "invalid itemsize"): // a subarray of a type without a size
			t.Errorf("NumPy %s refuses %s: %s", version, texts[i], a.Error)
		}
	}
	if len(accepted) < len(texts)*9/10 {
		t.Errorf("NumPy accepts %d of %d", len(accepted), len(texts))
	}
	descrSuite.checkLive(t, version, accepted, good)
}

// NumPy keeps this field and stores it as padding, so the field is lost when the file is read. This package drops it
// when it parses the descr.
func TestTitleNoneOfPadding(t *testing.T) {
	got, err := dtype.ParseDescr("[((None, ''), '|V4'), ('a', '|i1')]")
	if err != nil {
		t.Fatal(err)
	}
	if want := "[('', '|V4'), ('a', '|i1')]"; got.Descr() != want || got.NumField() != 1 {
		t.Errorf("got %s of %d fields, want %s of 1", got, got.NumField(), want)
	}
}

var (
	randomCodes = words(`b1 i1 <i2 >i4 =i8 u1 <u2 >u4 <f2 >f4 f8 <f16 c8 >c16 S0 S5 <U3 >U2 U V0 V7 <V3 O |O8 <M8[25s] >m8[ns] M8 M8[D/24] int32 float64 ?
		i4,f8 2>i4 (2,3)S2,u1`)
	randomNames = []string{"x", "y", "a b", "é", "整", "😀", "it's", `"`, `both ' and "`, "\\", "\n", "\x00", "\x7f", "\u00a0", "\u00ad", "\u2028", "\ufeff",
		"\u0301", " ", "f0", "T", "\u0378", "\U000e0001", "٣", "-", "x.y"}
)

// randomDescr returns a literal that NumPy accepts: a struct of up to depth levels.
func randomDescr(rng *rand.Rand, depth int) string {
	var fields []string
	seen := map[string]bool{}
	for range rng.IntN(5) {
		fields = append(fields, randomField(rng, depth, seen))
	}
	s := "[" + strings.Join(fields, ", ") + "]"
	if len(fields) == 1 || rng.IntN(4) == 0 {
		s = strings.Replace(s, "]", " ,]", 1)
	}
	if len(fields) == 0 || strings.Contains(s, " ,]") && strings.Count(s, "]") > 1 {
		s = "[" + strings.Join(fields, ",") + "]"
	}
	return s
}

func randomField(rng *rand.Rand, depth int, seen map[string]bool) string {
	if rng.IntN(5) == 0 {
		return fmt.Sprintf("('', '|V%d')", rng.IntN(9))
	}
	name := randomName(rng, seen)
	switch rng.IntN(8) {
	case 0:
		name = "(" + randomName(rng, seen) + ", " + name + ")"
	case 1:
		name = "(" + [...]string{"5", "None", "1.5", "('a', [1])", "b'\\xff'", "True", "-2"}[rng.IntN(7)] + ", " + name + ")"
	}
	descr := "'" + randomCodes[rng.IntN(len(randomCodes))] + "'"
	unsized := descr == "'S0'" || descr == "'U'" || descr == "'V0'"
	if depth > 1 && rng.IntN(4) == 0 {
		descr, unsized = randomDescr(rng, depth-1), false
	}
	shapes := []string{"2", "(2,)", "(2, 3)", "[3, 1]", "()", "(0,)", "0x1", "(1,)", "(2, 0, 1)"}
	if !unsized && rng.IntN(6) == 0 {
		descr = "(" + descr + ", " + shapes[rng.IntN(len(shapes))] + ")"
	}
	switch shape := shapes[rng.IntN(len(shapes))]; {
	case strings.HasPrefix(descr, "(") && !strings.ContainsAny(shape, "(["): // NumPy changes the size of an empty subarray
	case !unsized && rng.IntN(3) == 0:
		return "(" + name + ", " + descr + ", " + shape + ")"
	}
	return "(" + name + ", " + descr + ")"
}

// randomName returns a literal of a name that seen does not hold yet.
func randomName(rng *rand.Rand, seen map[string]bool) string {
	name := randomNames[rng.IntN(len(randomNames))]
	for seen[name] {
		name += string(rune('a' + rng.IntN(26)))
	}
	seen[name] = true
	var s strings.Builder
	for _, r := range name {
		switch {
		case r < ' ' || r == '\\' || r == '\'' || r == '"' || rng.IntN(6) == 0:
			fmt.Fprintf(&s, "\\U%08x", r)
		default:
			s.WriteRune(r)
		}
	}
	quote := [...]string{"'", `"`, "'''"}[rng.IntN(3)]
	return quote + s.String() + quote
}
