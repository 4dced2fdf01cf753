package property_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	p "github.com/npygo/npy/internal/property"
)

// differences are all expected differences. An entry with Doc is intended, and doc/differences.md describes it in these
// words. An entry without is a known fault, and must be removed when the fault is fixed.
var differences = []p.Known{
	{
		Area: "bytes", Name: "version of the header", Doc: "`npy convert` from `.npy` to `.npy` keeps the version of the input",
		Is: func(d *p.Difference) bool {
			return d.What == "command" && strings.HasPrefix(d.Got, `"\x93NUMPY\x0`) && d.Got[:14] != d.Want[:14]
		},
	},
	{
		Area: "bytes", Name: "characters beyond Unicode", Doc: "a character beyond U+10FFFF",
		Is: func(d *p.Difference) bool { return strings.Contains(d.Got, "above the last code point") },
	},
	{
		Area: "bytes", Name: "big-endian times without a unit", Doc: "big-endian times without a unit",
		Is: func(d *p.Difference) bool { return bigGeneric(facts[*bytesCase](d).A.Make) },
	},
	{
		Area: "cast", Name: "big-endian times without a unit", Doc: "big-endian times without a unit",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			return bigGeneric(c.A.Make + c.To)
		},
	},
	{
		Area: "printing", Name: "control characters", Doc: "nothing prints raw control characters",
		Is: func(d *p.Difference) bool {
			c := facts[*printingCase](d)
			return c.A.DType.Kind() == dtype.KindStr && strings.ContainsFunc(d.Want[:max(len(d.Want)-1, 0)], func(r rune) bool {
				return !unicode.IsPrint(r) || r == unicode.ReplacementChar // a surrogate
			})
		},
	},
	{
		Area: "printing", Name: "timedelta64 without a unit", Doc: "Printing: big-endian timedelta64 without a unit is not 20 characters wide",
		Is: func(d *p.Difference) bool { return strings.Contains(facts[*printingCase](d).A.DType.Python, "'>m8'") },
	},
	{
		Area: "printing", Name: "datetime64 without a unit", Doc: "Printing: datetime64 without a unit prints as a number",
		Is: func(d *p.Difference) bool {
			return strings.Contains(d.Want, "Cannot convert a NumPy datetime value other than NaT with generic units")
		},
	},
	{
		Area: "", Name: "more than 32 dimensions", Doc: "more than 32 dimensions | NumPy 1 refuses",
		Is: func(d *p.Difference) bool {
			return strings.Contains(d.Want, "number of dimensions must be within [0, 32]")
		},
	},
	{
		Area: "printing", Name: "align=True", Doc: "Files do not say that a struct was made with align=True",
		Is: func(d *p.Difference) bool {
			return strings.HasSuffix(d.What, "Repr") && strings.Contains(facts[*printingCase](d).A.Make, "align=True") && sameElements(d.Got, d.Want)
		},
	},
	{
		Area: "printing", Name: "bytes without dimensions in NumPy 2", Doc: "Bytes without dimensions print as",
		Is: func(d *p.Difference) bool {
			return strings.HasPrefix(d.Want, "np.bytes_(") || strings.HasPrefix(d.Want, "np.void(")
		},
	},
	{
		Area: "stats", Name: "quantiles between infinities", Doc: "quantiles between an infinite and a finite number",
		Is: func(d *p.Difference) bool { return d.What == "stats.Quantiles" && d.Want == "nan" && d.Got != "nan" },
	},
	{
		Area: "stats", Name: "histogram without width", Doc: "histograms of numbers so large that bins have no width",
		Is: func(d *p.Difference) bool {
			return d.What == "stats.HistogramOf: error" && (strings.Contains(d.Want, "index -9223372036854775808 is out of bounds") || strings.Contains(d.Want, "Too many bins for data range"))
		},
	},
	{
		Area: "cast", Name: "NumPy crashes", Doc: "bytes as datetime64",
		Is: func(d *p.Difference) bool { return strings.HasPrefix(d.Want, "crash: ") },
	},
	{
		Area: "cast", Name: "integers as floats that do not have them", Doc: "integer dtypes as float64",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			return c.Casting == "safe" && strings.HasPrefix(d.Got, "refused") && hasKind(c.A.DType.Type, isLongInt) && hasKind(c.to.Type, isFloat)
		},
	},
	{
		Area: "cast", Name: "out of range by same_kind", Doc: "numbers out of the range of the new dtype, casting='same_kind'",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			return c.Casting == "same_kind" && (c.wraps || c.isSmall() || hasKind(c.to.Type, isFloat)) && strings.Contains(d.Got, "is out of the range of dtype")
		},
	},
	{
		Area: "cast", Name: "text cut by same_kind", Doc: "text or void longer than the new dtype, casting='same_kind'",
		Is: func(d *p.Difference) bool {
			return facts[*castCase](d).Casting == "same_kind" && (strings.Contains(d.Got, "is too long for dtype") || strings.Contains(d.Got, "; unsafe casting cuts") || strings.Contains(d.Got, "dtype |V") && strings.Contains(d.Got, "by same_kind casting; unsafe"))
		},
	},
	{
		Area: "cast", Name: "void as other dtypes", Doc: "void as another dtype",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			return hasKind(c.A.DType.Type, func(t dtype.Type) bool { return t.Kind() == dtype.KindVoid }) && strings.Contains(d.Got, "no conversion from dtype")
		},
	},
	{
		Area: "cast", Name: "types of ml_dtypes as text and void", Doc: "types of ml_dtypes as text or void",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			isTextOrVoid := func(t dtype.Type) bool { return isText(t) || t.Kind() == dtype.KindVoid }
			return c.isSmall() && (d.Got == "not refused" && hasKind(c.to.Type, isTextOrVoid) || strings.Contains(d.Got, "by same_kind casting; unsafe"))
		},
	},
	{
		Area: "cast", Name: "datetime64 without a unit as text", Doc: "datetime64 without a unit prints as a number",
		Is: func(d *p.Difference) bool { return strings.Contains(d.Want, "with generic units") },
	},
	{
		Area: "objects", Name: "sequences in subarrays of records", Doc: "Printing: a sequence within a subarray of a record",
		Is: func(d *p.Difference) bool {
			a := facts[*objectsCase](d).A.Array
			isSequence := strings.Contains(a, "([]") || strings.Contains(a, " []") || strings.Contains(a, "bytearray(") || strings.Contains(a, "[[]")
			return isSequence && strings.Contains(a, "structs(") && strings.Contains(a, "('p', 'O', (2,))") && (d.What == "Print" || d.What == "Repr")
		},
	},
	{
		Area: "cast", Name: "times out of range", Doc: "`M8[s]` of a far time cast to `M8[ns]`",
		Is: func(d *p.Difference) bool {
			return d.NumPy[0] == '1' && outOfTime.MatchString(d.Got)
		},
	},
	{
		Area: "cast", Name: "times of units far apart", Doc: "times of units far apart",
		Is: func(d *p.Difference) bool {
			return strings.Contains(d.Want, "Integer overflow while computing the conversion factor")
		},
	},
	{
		Area: "cast", Name: "text in NumPy 1", Doc: "Casts between text and other dtypes follow NumPy 2.5",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			return d.NumPy[0] == '1' && (hasKind(c.A.DType.Type, isText) || hasKind(c.to.Type, isText))
		},
	},
	{
		Area: "cast", Name: "as void or times by safe", Doc: "as void, and integers as timedelta64, casting='safe'",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			isTarget := func(t dtype.Type) bool {
				return t.Kind() == dtype.KindVoid || t.Kind() == dtype.KindTimedelta
			}
			return c.Casting == "safe" && strings.HasPrefix(d.Got, "refused") && strings.Contains(d.Got, "keeps every value") && hasKind(c.to.Type, isTarget)
		},
	},
	{
		Area: "cast", Name: "shorter text by safe", Doc: "text as a shorter dtype, casting='safe'",
		Is: func(d *p.Difference) bool {
			c := facts[*castCase](d)
			return c.Casting == "safe" && d.Want == "Cannot cast according to the rule safe" && hasKind(c.to.Type, isText)
		},
	},
	{
		Area: "text", Name: "-0 is an integer", Doc: "Text: without a dtype -0 is the integer 0",
		Is: func(d *p.Difference) bool {
			return strings.HasPrefix(d.What, "read ") && strings.Contains(d.Got, "-0")
		},
	},
	{
		Area: "archives", Name: "zipfile before Python 3.12", Doc: "the bytes of np.savez are as in Python 3.12 and later",
		Is: func(d *p.Difference) bool {
			return d.What == "bytes of np.savez" && strings.Contains(d.Want, "504b0304140000")
		},
	},
	{
		Area: "objects", Name: "complex numbers by purego", Doc: "Built with the tag purego, complex numbers that are held twice are written twice",
		Is: func(d *p.Difference) bool {
			a := facts[*objectsCase](d).A
			text := strings.Join(a.Statements, "") + a.Array
			return !sharesComplex && (strings.Contains(text, "j") || strings.Contains(text, "complex("))
		},
	},
	{
		Area: "objects", Name: "names of one character in old protocols", Doc: "a name of one character beside bytes of the same in protocols 0 to 2",
		Is: func(d *p.Difference) bool {
			c := facts[*objectsCase](d)
			return c.Op == "protocol" && c.Protocol < 3 && oneByte.MatchString(c.A.Array+strings.Join(c.A.Statements, ""))
		},
	},
	{
		Area: "objects", Name: "empty buffers of protocol 5", Doc: "several empty arrays in protocol 5",
		Is: func(d *p.Difference) bool {
			c := facts[*objectsCase](d)
			return c.Protocol == 5 && strings.Count(c.A.Array+strings.Join(c.A.Statements, ""), "bytes.fromhex('')") > 1
		},
	},
	{
		Area: "objects", Name: "objects without dimensions", Doc: "Printing: an object without dimensions prints as its repr",
		Is: func(d *p.Difference) bool {
			return d.What == "Print" && strings.Contains(facts[*objectsCase](d).A.Array, ", ())")
		},
	},
	{
		Area: "diff", Name: "times without a unit", Doc: "Diff: times without a unit are not compared with times that have one",
		Is: func(d *p.Difference) bool {
			c := facts[*diffCase](d)
			return d.What == "incomparable" && (c.A.DType.Step() == dtype.Step{}) != (c.to.Step() == dtype.Step{})
		},
	},
	{
		Area: "diff", Name: "years and months beside days", Doc: "Diff: times of years or months are not compared with those of other units",
		Is: func(d *p.Difference) bool {
			return d.What == "incomparable" && calendar.MatchString(d.Got)
		},
	},
	{
		Area: "diff", Name: "big-endian times without a unit", Doc: "big-endian times without a unit that are cast",
		Is: func(d *p.Difference) bool {
			c := facts[*diffCase](d)
			return strings.HasPrefix(c.to.Descr(), ">") && (c.to.Kind() == dtype.KindDatetime || c.to.Kind() == dtype.KindTimedelta) && c.to.Step() == dtype.Step{}
		},
	},
}

// bigGeneric reports whether there are big-endian times without a unit in a dtype of Python.
func bigGeneric(dtype string) bool {
	return strings.Contains(dtype, "'>M8'") || strings.Contains(dtype, "'>m8'")
}

// sameElements compares two texts of repr up to the dtype, whatever their lines.
func sameElements(got, want string) bool {
	elements := func(text string) string {
		for _, suffix := range []string{",shape=", ",dtype="} {
			text, _, _ = strings.Cut(strings.Join(strings.Fields(text), ""), suffix)
		}
		return strings.TrimRight(text, ")")
	}
	return elements(got) == elements(want)
}

// calendar is the message of diff if one of two times has years or months and the other days or less.
var calendar = regexp.MustCompile(`[mM]8\[\d*[YM]\].* have no values in common`)

// oneByte is the expression of bytes of length 1.
var oneByte = regexp.MustCompile(`b'.'`)

// outOfTime is the error for a time beyond the range of the dtype's unit.
var outOfTime = regexp.MustCompile(`is out of the range of dtype [<>][mM]8`)

// sharesComplex reports whether complex numbers in interfaces can be told apart.
var sharesComplex = bulk.BoxAddress(1i) != 0

func isLongInt(t dtype.Type) bool {
	return (t.Kind() == dtype.KindInt || t.Kind() == dtype.KindUint) && t.ItemSize() == 8
}

func isFloat(t dtype.Type) bool { return t.Kind() == dtype.KindFloat || t.Kind() == dtype.KindComplex }

func isText(t dtype.Type) bool { return t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes }

// facts returns the case of a difference.
func facts[T any](d *p.Difference) T { return d.Case.Facts.(T) }

// Every intended difference is documented.
func TestDifferencesAreTold(t *testing.T) {
	doc, err := os.ReadFile("../../doc/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(doc)), " ")
	names := map[string]bool{}
	for _, k := range differences {
		if k.Doc != "" && !strings.Contains(text, k.Doc) {
			t.Errorf("%s: %s: doc/differences.md does not say %q", k.Area, k.Name, k.Doc)
		}
		if id := k.Area + ": " + k.Name; names[id] {
			t.Errorf("%s is there twice", id)
		} else {
			names[id] = true
		}
	}
}
