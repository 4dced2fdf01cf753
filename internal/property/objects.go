package property

import (
	"fmt"
	"strconv"
	"strings"
)

// An ObjectArray is a Python program that makes an array of objects. Its statements name the objects that are used
// again.
type ObjectArray struct {
	Statements []string `json:"statements"`
	Array      string   `json:"array"` // the expression of the array

	g      *G
	kinds  ObjectKinds
	shared []string
}

// ObjectKinds is a set of kinds of Python objects.
type ObjectKinds uint

const (
	Builtins ObjectKinds = 1 << iota // None, bool, int, float, complex, str, bytes, list, tuple, dict with str as keys
	Sets                             // and dicts of other keys, and bytearray
	Library                          // of the standard library: times, Decimal, Fraction, range, deque and similar types
	NumPy                            // scalars, dtypes, arrays
	Rare                             // classes, functions, subclasses of ndarray, and other values that can be pickled
	Records                          // structs with fields of objects
	StringDT                         // NumPy 2's StringDType
)

// Objects returns the program of an array of some shape.
func (g *G) Objects(k ObjectKinds, shape []int) *ObjectArray {
	o := &ObjectArray{Statements: []string{}, g: g, kinds: k}
	switch {
	case k&StringDT != 0 && g.Chance(10):
		o.Array = o.strings(shape)
	case k&Records != 0 && g.Chance(15):
		o.Array = o.records(shape)
	default:
		values := make([]string, Size(shape))
		same := ""
		if g.Chance(20) {
			same = o.value(1)
		}
		for i := range values {
			if values[i] = same; same == "" {
				values[i] = o.value(1)
			}
		}
		o.Array = fmt.Sprintf("cells([%s], %s)", strings.Join(values, ", "), PythonShape(shape))
	}
	if g.Chance(20) {
		o.Array = "fortran(" + o.Array + ")"
	}
	return o
}

// String is the program in one line.
func (o *ObjectArray) String() string { return strings.Join(append(o.Statements, o.Array), "; ") }

// strings is an array of StringDType.
func (o *ObjectArray) strings(shape []int) string {
	values := make([]string, Size(shape))
	na := o.g.Chance(40)
	for i := range values {
		values[i] = strings.Replace(o.text(), `\ud800`, "c", 1) // not UTF-8
		if na && o.g.Chance(20) {
			values[i] = "None"
		}
	}
	t := "np.dtypes.StringDType()"
	if na {
		t = "np.dtypes.StringDType(na_object=None)"
	} else if o.g.Chance(20) {
		t = "np.dtypes.StringDType(coerce=False)"
	}
	return fmt.Sprintf("np.array([%s], dtype=%s).reshape(%s)", strings.Join(values, ", "), t, PythonShape(shape))
}

// records is an array of structs with an object in each.
func (o *ObjectArray) records(shape []int) string {
	fields := []string{"('o', 'O')"}
	for i := range o.g.Int(3) {
		fields = append(fields, fmt.Sprintf("('f%d', %s)", i, o.g.Plain(Bools|Ints|Floats|Texts|Swapped).Python))
	}
	if o.g.Chance(20) {
		fields = append(fields, "('p', 'O', (2,))")
	}
	values := make([]string, Size(shape))
	for i := range values {
		values[i] = o.value(1)
	}
	return fmt.Sprintf("structs([%s], %s, np.dtype([%s], align=%s))", strings.Join(values, ", "), PythonShape(shape), strings.Join(fields, ", "), Pick(o.g, "False", "True"))
}

// value returns an expression, the name of an earlier value, or the name of a new value that may be used again.
func (o *ObjectArray) value(depth int) string {
	if len(o.shared) > 0 && o.g.Chance(10) {
		return o.shared[o.g.Int(len(o.shared))]
	}
	v := o.make(depth)
	if !o.g.Chance(15) {
		return v
	}
	name := "x" + strconv.Itoa(len(o.shared))
	o.Statements = append(o.Statements, name+" = "+v)
	o.shared = append(o.shared, name)
	return name
}

func (o *ObjectArray) make(depth int) string {
	makers := []func(int) string{o.plain, o.plain, o.plain}
	if depth < 4 {
		makers = append(makers, o.container)
	}
	for _, m := range []struct {
		kind ObjectKinds
		make func(int) string
	}{{Sets, o.set}, {Library, o.library}, {NumPy, o.numpy}, {Rare, o.rare}} {
		if o.kinds&m.kind != 0 {
			makers = append(makers, m.make)
		}
	}
	return Pick(o.g, makers...)(depth)
}

var texts = []string{"''", "'a'", "'b'", "'abc'", "'é'", "'日本'", `'it\'s "q"'`, `'\n\t\\'`, `'\U0001f600'`, `'\x00\x1f'`, `'\ud800'`, `'a' * 300`, `'\u2028\xad'`}

func (o *ObjectArray) text() string {
	n := len(texts)
	return texts[o.g.Int(n)]
}

func (o *ObjectArray) plain(int) string {
	switch o.g.Int(8) {
	case 0:
		return strconv.Itoa(o.g.Int(300) - 20)
	case 1:
		return Pick(o.g, "None", "True", "False")
	case 2:
		return Pick(o.g, "2**31", "-2**31 - 1", "2**53 + 1", "2**63", "-2**63", "2**64 - 1", "-2**70", "10**300", "65536", "-129")
	case 3:
		return Pick(o.g, "1.5", "0.1", "-0.0", "1e300", "5e-324", "float('nan')", "float('inf')", "1e16", "123456.789", "1/3")
	case 4:
		return Pick(o.g, "1j", "complex(0.0, -0.0)", "1.5-2j", "complex('nan+infj')")
	case 5:
		return Pick(o.g, "b''", "b'ab'", `b'\x00\xff\n'`, "b'x' * 300")
	}
	return o.text()
}

// items are some values, separated by commas.
func (o *ObjectArray) items(n, depth int) string {
	values := make([]string, n)
	for i := range values {
		values[i] = o.value(depth + 1)
	}
	return strings.Join(values, ", ")
}

func (o *ObjectArray) container(depth int) string {
	n := o.g.Int(4)
	switch o.g.Int(3) {
	case 0:
		return "[" + o.items(n, depth) + "]"
	case 1:
		return "tuple([" + o.items(n, depth) + "])"
	}
	pairs := make([]string, n)
	for i := range pairs {
		pairs[i] = texts[o.g.Int(10)] + ": " + o.value(depth+1)
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// hashable is a value that may be a key.
func (o *ObjectArray) hashable() string {
	return Pick(o.g, "1", "'a'", "(1, 'b')", "None", "1.5", "b'k'", "True", "(2,)", "frozenset([3])", "2**70")
}

func (o *ObjectArray) set(depth int) string {
	n := o.g.Int(3)
	switch o.g.Int(4) {
	case 0:
		return "set([" + o.hashable() + "])" // with more elements the order is Python's
	case 1:
		return "frozenset([" + o.hashable() + "])"
	case 2:
		return Pick(o.g, "bytearray(b'ab')", "bytearray()")
	}
	pairs := make([]string, n)
	for i := range pairs {
		pairs[i] = o.hashable() + ": " + o.value(depth+1)
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

func (o *ObjectArray) library(depth int) string {
	switch o.g.Int(3) {
	case 0:
		return Pick(o.g, "datetime.datetime(2020, 1, 2, 3, 4, 5, 6)", "datetime.date(1999, 12, 31)", "datetime.time(23, 59, 1)", "datetime.timedelta(-1, 5, 7)",
			"datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)", "datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))", "datetime.timedelta()")
	case 1:
		return Pick(o.g, "decimal.Decimal('1.50')", "decimal.Decimal('NaN')", "fractions.Fraction(-3, 7)", "uuid.UUID(int=5)", "range(3)", "range(5, -7, -2)", "slice(1, None, 2)", "...", "NotImplemented")
	}
	return Pick(o.g, "collections.OrderedDict(a="+o.value(depth+1)+")", "collections.Counter('aab')", "collections.defaultdict(list, k="+o.value(depth+1)+")")
}

func (o *ObjectArray) numpy(int) string {
	switch o.g.Int(3) {
	case 0:
		return Pick(o.g, "np.float64(1.5)", "np.float32(0.1)", "np.int16(-3)", "np.bool_(True)", "np.str_('x')", "np.bytes_(b'y')", "np.datetime64('2020-01-01')",
			"np.timedelta64(5, 's')", "np.longdouble(2)", "np.complex64(1-2j)", "np.uint64(2**64-1)", "np.float16(1)", "np.array([(1, 2.5)], 'i4,f8')[0]")
	case 1:
		return o.g.Plain(Plain | Empty).Python
	}
	return o.g.ArrayOf(o.g.Plain(Numbers|Texts|Times|Voids|Swapped), Pick(o.g, []int{2}, []int{}, []int{0}, []int{1, 3}, []int{2, 2}), 0).String()
}

func (o *ObjectArray) rare(depth int) string {
	return Pick(o.g, "np.float64", "len", "np.ndarray", "np.add", "int", "np.matrix([[1, 2]])", "np.ma.array([1., 2.], mask=[0, 1])",
		"np.rec.array([(1, 2.5)], names='aa,bb')", "collections.deque(["+o.value(depth+1)+"])", "pathlib.PurePosixPath('a/b')",
		"zoneinfo.ZoneInfo('UTC')", "Exception('no')", "operator.itemgetter(1)", "np.ma.masked")
}
