package dtype_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/npygo/npy/dtype"
)

// spellingSuite lists the texts that Parse deliberately reads differently from numpy.dtype.
var spellingSuite = suite{
	call: "np.dtype", golden: "testdata/spellings", texts: allSpellings, parse: dtype.Parse,
	differences: []difference{
		{name: "struct sizes wrap", why: "NumPy 1 adds up the fields of a comma string without a check",
			texts: regexp.MustCompile(`^[UV]\d{9,10},`), we: refuse},
		{name: "sizes wrap", why: "NumPy 1 stores a size that is negative or does not fit an int as whatever is left of it",
			texts: regexp.MustCompile(`[SUVa][ +]*(-[1-9]|\d{9})`), we: refuse},
		{name: "negative divisors", why: "NumPy makes a negative step of them", texts: regexp.MustCompile(`\[.*/ *-[1-9]`), we: refuse},
		{name: "divisors of a week", why: "NumPy reads past the end of its table and makes a step of 0 years",
			texts: regexp.MustCompile(`W/\d`), we: refuse},
		{name: "Python's blanks", why: "around a comma NumPy skips what Unicode calls a blank; no writer has them",
			texts: regexp.MustCompile("\u00a0,"), we: refuse},
		{name: "unsized subarrays", why: "NumPy writes ('x', '|S0', (3,)) and cannot read it back",
			texts: regexp.MustCompile(`\) *[<>=|]?([aSUV]0*|str|bytes|void)\s*(,|$)`), we: accept},
		{name: "long double of 32-bit x86", why: "these files exist, and only that platform has a name for their type",
			texts: regexp.MustCompile(`f12|c24|float96|complex192`), we: accept},
		{name: "ml_dtypes codes", why: "float8_e5m2 and complex32 are stored under codes that NumPy has no type for",
			texts: regexp.MustCompile(`\bf *\+?0*1\b|\bc *\+?0*4\b|[^a-z]f1\b|[^a-z]c4\b`), we: accept},
		{name: "ml_dtypes names", why: "NumPy knows them once that package is imported",
			texts: regexp.MustCompile(`bfloat16|float8_|b?complex32|\bu?int[124]\b`), we: accept},
		{name: "letters of NumPy 2", why: "n and N are intp and uintp, T is StringDType", texts: regexp.MustCompile(`\b\d*[nNT](,|$)|^[<>=|]?[nN]$`), we: accept},
		{name: "one field", why: "in NumPy 2 a comma makes a struct even of one item; NumPy 1 drops it", texts: regexp.MustCompile(`,\s*$`), we: another},
		{name: "the shape 1", why: "before 2.5 NumPy drops it, and warns that it will be (1,)",
			error: "FutureWarning", we: accept, only: "1"},
		{name: "names of NumPy 1", why: "NumPy 2 removed them, and files that have them in their headers remain",
			texts: regexp.MustCompile(`(^|[ ,<>=|()\d])a[ +]*\d*\s*(,|$)|` +
				`(string|unicode|complex|float)_|(c|clong|long)float|(long|single)complex|bool8|(bytes|int|object|str|void)0`),
			we: accept, only: "2", error: "TypeError"},
	},
}

func TestSpellings(t *testing.T) { spellingSuite.testGolden(t) }

func TestSpellingsLive(t *testing.T) { spellingSuite.testLive(t) }

func TestRandomSpellingsLive(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	var texts []string
	for range 4000 {
		texts = append(texts, randomSpelling(rng))
	}
	version, answers := askNumPy(t, spellingSuite.call, texts)
	spellingSuite.checkLive(t, version, texts, answers)
	accepted := 0
	for _, a := range answers {
		if a.Error == "" {
			accepted++
		}
	}
	t.Logf("NumPy %s accepts %d of %d", version, accepted, len(texts))
}

// randomSpelling returns a text that has an error in about half of the cases.
func randomSpelling(rng *rand.Rand) string {
	pick := func(parts ...string) string { return parts[rng.IntN(len(parts))] }
	rarely := func(parts ...string) string {
		if rng.IntN(8) > 0 {
			return ""
		}
		return pick(parts...)
	}
	code := func() string {
		switch rng.IntN(5) {
		case 0:
			return pick("M8", "m8", "datetime64", "timedelta64") + rarely("x", " ", "8") + rarely("]", "[") + "[" +
				pick("", "25", "0", "3", "") + rarely("+", " ", "-") + pick("s", "ns", "Y", "M", "W", "D", "h", "m", "as", "fs", "generic") +
				rarely("/1", "/2", "/12", "/1000", "/7", "μs", "x") + "]"
		case 1:
			return pick("int32", "float64", "bool", "str", "object", "void", "bytes", "longdouble", "intp", "string_", "datetime64")
		case 2:
			return string("SUVa"[rng.IntN(4)]) + rarely("+", " ") + pick("", "0", "1", "5", "08", "30")
		}
		return pick("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "f16", "c8", "c16", "c32", "O", "M8", "?", "d", "G", "i3", "f5")
	}
	s := ""
	for i := range 1 + max(0, rng.IntN(7)-3) {
		if i > 0 {
			s += pick(",", ",", ", ", " ,", "\t,") + rarely(",", " ")
		}
		s += rarely(" ", "(", "0") + rarely("2", "(2,)", "(2,3)", "()", "3 ", "(0,)", "1", " (2 , 3) ") + pick("", "", "<", ">", "=", "|") +
			code() + rarely(" ", "x", ")", "]", "4")
	}
	return s
}

// A divisor of zero kills the process of NumPy 1.24 (SIGFPE), so the lists for NumPy do not contain it.
func TestZeroDivisor(t *testing.T) {
	for _, text := range []string{"M8[ns/0]", "M8[Y/0]", "m8[2D/00]", "M8[s/+0]", "M8[s/-0]"} {
		if slices.Contains(allSpellings(), text) {
			t.Fatalf("%q must not be sent to NumPy", text)
		}
		if got, err := dtype.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %s, want an error", text, got)
		}
	}
}
