package npy_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

// askCast casts with astype. It keeps only numbers whose whole part is in the range of an integer dtype, and only
// times that fit in 64 bits in the other unit: NumPy has no answer of its own for other values.
const askCast = `
import re
print(json.dumps(np.__version__))
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
OLD = np.__version__.startswith('1.')

def dtype(text):
    named = getattr(ml_dtypes, text, None) if ml_dtypes and text[0] not in '<>|[{' else None
    return np.dtype(named or (eval(text) if text[0] in '[{' else text))

def usable(x, t):
    f = x.dtype
    number = f.kind in 'fc' or f.kind == 'V' and not f.names and f.char != 'V'
    if number and (t.kind in 'iumM' or getattr(ml_dtypes, 'int4', None) and t in (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2)):
        if t.kind in 'iu':
            low, high = np.iinfo(t).min, np.iinfo(t).max
        elif t.kind in 'mM':
            low, high = -2**63, 2**63 - 1
        else:
            low, high = int(ml_dtypes.iinfo(t).min), int(ml_dtypes.iinfo(t).max)
        real = x.real.astype('g') if f.kind == 'c' else x.astype('g')
        return [bool(np.isfinite(v)) and low <= int(v) <= high for v in real.reshape(-1)]
    if ml_dtypes and t == ml_dtypes.float8_e8m0fnu and (number or f.kind in 'biu'):
        real = np.abs((x.real if f.kind == 'c' else x).astype('f8'))
        return [not 2.0**-127 < float(v) < 1.5 * 2.0**-127 for v in real.reshape(-1)] # see TestCastSmallFloatsLive
    if f.kind == t.kind and f.kind in 'mM' and f != t:
        (u, n), (v, m) = np.datetime_data(f), np.datetime_data(t)
        if 'generic' not in (u, v):
            units = ['Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as']
            seconds = dict(zip(units, [32e6, 27e5, 604800, 86400, 3600, 60, 1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-18]))
            factor = seconds[u] / min(seconds[u], seconds[v], 86400 if (u in 'YM') != (v in 'YM') else 1e9)
            return [abs(float(k)) * n * max(factor, 1) * 146097 < 2.0**60 or k == -2**63 for k in x.view('i8').reshape(-1).tolist()]
    return [True] * x.size

def castable(x, t):
    """None where this NumPy crashes, or is known to be wrong."""
    f = x.dtype
    if f.names and (t.kind in 'SU' and not t.itemsize or t.kind in 'mM' and np.datetime_data(t)[0] == 'generic'):
        return False # as many characters as the record has bytes, and no unit
    if f.char == 'V' and not f.names and not (t.char == 'V' and not t.names):
        return False # an error, or memory that is freed twice
    if f.names or t.names:
        if f.names and t.names and len(f.names) == len(t.names):
            return all(castable(x[a], t[b].base) for a, b in zip(f.names, t.names))
        if t.names and not f.names:
            return all(castable(x, t[b].base) for b in t.names)
        return all(castable(x[a], t) for a in f.names) if f.names and len(f.names) == 1 else True
    if OLD and f.kind == t.kind == 'M' and np.datetime_data(f)[0] == 'generic' and np.datetime_data(t)[0] in 'YM':
        return False
    if OLD and (f.kind == 'S' and t.kind == 'M' or f.kind == 'm' and t.kind in 'SU' and 0 < t.itemsize < 64):
        return False # it crashes, or writes beyond the array
    if f.kind in 'SU' and t.kind in 'f' and t.itemsize > 8 and any(re.search(r'[\s_]', str(v, 'latin1') if f.kind == 'S' else v) for v in x.reshape(-1).tolist()):
        return False # white space is an error there alone, or 0, and underscores are an error
    if f.kind in 'mM' and t.kind in 'SU':
        unit, n = np.datetime_data(f)
        if f.kind == 'm':
            return all(abs(v) * n < 2**63 and len(str(np.timedelta64(v, (unit, n)))) <= 20 for v in x.view('i8' if f.isnative else '>i8').reshape(-1).tolist() if v != -2**63)
        far = dict(Y=32e6, M=27e5, W=604800, D=86400).get(unit, 1)
        if any(abs(v) * n * far >= 2**55 for v in x.view('i8' if f.isnative else '>i8').reshape(-1).tolist() if v != -2**63):
            return False
        chars = t.itemsize // (4 if t.kind == 'U' else 1)
        return unit not in 'YM' or all(len(str(v)) != chars for v in x.reshape(-1)) # it loses the last digit
    if OLD and f.char in 'efF' and t.kind in 'SU':
        limit = 1e3 if f.char == 'e' else 1e6
        x = x.reshape(-1).astype('c16')
        parts = np.concatenate([x.real, x.imag])
        return not bool((np.isfinite(parts) & (np.abs(parts) >= limit)).any()) # it writes exponents from 1e16 on
    if f.kind in 'SU' and t.kind == 'M':
        text = [v.decode('latin1') if f.kind == 'S' else v for v in x.reshape(-1).tolist()]
        fine = np.datetime_data(t)[0] in ('ns', 'ps', 'fs', 'as')
        if any(v[:1].isspace() and '-' in v or re.match(r'\s*-?\d{8}', v) for v in text) or fine and any(v and not re.match(r'(19|20)\d\d', v) and v.lower() != 'nat' for v in text):
            return False # it loses a sign after white space, and wraps around
    if OLD and f.kind in 'SU' and t.kind == 'b':
        return False # it reads an integer first
    if OLD and f.kind in 'SU' and t.kind in 'iu':
        try:
            return all(np.iinfo(t).min <= int(v) <= np.iinfo(t).max for v in x.reshape(-1)) # out of range it keeps the low bits
        except ValueError:
            return True
    return all(usable(x, t))

for line in sys.stdin:
    q = json.loads(line)
    f, t = dtype(q['from']), dtype(q['to'])
    x = np.frombuffer(bytes.fromhex(q['data']), f) if f.itemsize else np.zeros(q['n'], f)
    if not f.names and f.itemsize and x.dtype.kind in 'biufcmMV' and not t.names:
        x = x[np.array(usable(x, t), bool)]
    r = {'n': len(x), 'data': x.tobytes().hex(), 'skip': False, 'error': ''}
    r['safe'], r['same'], r['unsafe'] = [bool(np.can_cast(f, t, c)) for c in ('safe', 'same_kind', 'unsafe')]
    if not castable(x, t):
        r['skip'] = True
    else:
        try:
            y = x.astype(t)
            r['out'], r['size'], r['descr'] = y.tobytes().hex(), y.dtype.itemsize, y.dtype.str
        except Exception as e:
            r['error'] = type(e).__name__ + ': ' + str(e)
    print(json.dumps(r))
`

type castAnswer struct {
	N                  int
	Data, Out          string
	Size               int
	Descr              string
	Skip               bool
	Error              string
	Safe, Same, Unsafe bool
}

// canon makes NaNs and the padding of long doubles the same everywhere.
func canon(t dtype.Type, item []byte) {
	switch {
	case t.IsStruct():
		gaps := bytes.Clone(item)
		for _, f := range t.Fields() {
			clear(gaps[f.Offset : f.Offset+f.DType.ItemSize()])
			canon(f.DType, item[f.Offset:f.Offset+f.DType.ItemSize()])
		}
		return
	case t.IsSubarray():
		size := t.Elem().ItemSize()
		for at := 0; size > 0 && at < len(item); at += size {
			canon(t.Elem(), item[at:at+size])
		}
		return
	case t.Kind() == dtype.KindComplex:
		half := len(item) / 2
		part := parse(fmt.Sprintf("f%d", half)).WithByteOrder(t.ByteOrder())
		canon(part, item[:half])
		canon(part, item[half:])
		return
	}
	if x, ok := floatOf(t, item); ok && x != x {
		clear(item)
		item[0] = 0x7f
	} else if ok && len(item) == 16 {
		if t.ByteOrder() == dtype.BigEndian {
			clear(item[:6])
		} else {
			clear(item[10:])
		}
	}
}

// floatOf returns a float of any size, rounded to float64.
func floatOf(t dtype.Type, item []byte) (float64, bool) {
	a := must(npy.FromBytes(t, item, 1))
	if v, err := npy.As[float64](a); err == nil {
		return v.At(0), t.Kind() == dtype.KindFloat || t.Kind() == dtype.KindVoid
	}
	if v, err := npy.As[scalar.LongDouble](a); err == nil {
		f, _ := v.At(0).Float64()
		return f, true
	}
	return 0, false
}

// Random arrays of random dtypes are cast to random dtypes, by NumPy and here.
func TestCastRandomLive(t *testing.T) {
	version := oracle.NumPy(t, "try:\n    import ml_dtypes\n    print(1)\nexcept ImportError:\n    print(0)", nil)
	g := castGenerator{rand.New(rand.NewPCG(13, 1)), strings.TrimSpace(string(version)) == "1"}
	questions := make([]castQuestion, oracle.Cases(t, 4000))
	for i := range questions {
		questions[i] = g.question()
	}
	numpy, answers := oracle.Ask[castQuestion, castAnswer](t, askCast, questions)
	counts := map[string]int{}
	for i, q := range questions {
		counts[compareCast(t, q, answers[i])]++
	}
	t.Logf("NumPy %s: %d casts: %v", numpy, len(questions), counts)
}

// compareCast compares one cast and returns its outcome.
func compareCast(t *testing.T, q castQuestion, want castAnswer) string {
	t.Helper()
	from, to := parse(q.From), parse(q.To)
	a := must(npy.FromBytes(from, must(hex.DecodeString(want.Data)), want.N))
	shown := fmt.Sprintf("%s (%s) to %s", q.From, oneLine(a), q.To)
	b, err := a.Cast(to, npy.UnsafeCasting)
	compareRules(t, q, want)
	switch {
	case err != nil && b != nil:
		t.Errorf("%s: an array beside the error %v", shown, err)
	case want.Skip:
		return "left out"
	case want.Error != "" && err != nil:
		return "errors"
	case want.Error != "":
		if !doesMore(want.Error, from, to) {
			t.Errorf("%s: %v, NumPy says %s", shown, oneLine(b), want.Error)
		}
		return "only here"
	case err != nil:
		if !doesLess(err) {
			t.Errorf("%s: %v, NumPy gives %s", shown, err, want.Out)
		}
		return "only NumPy"
	case b.DType().ItemSize() != want.Size || !b.DType().IsStruct() && b.DType().Kind() != dtype.KindVoid && b.DType().Descr() != want.Descr:
		t.Errorf("%s: dtype %s, NumPy has %s", shown, b.DType(), want.Descr)
		return "wrong"
	}
	got, out := b.Bytes(), must(hex.DecodeString(want.Out))
	for at := 0; at < len(got); at += want.Size {
		canon(b.DType(), got[at:at+want.Size])
		canon(b.DType(), out[at:at+want.Size])
	}
	if !bytes.Equal(got, out) {
		t.Errorf("%s: %s, NumPy %s", shown, oneLine(b), oneLine(must(npy.FromBytes(b.DType(), out, b.Shape()...))))
		return "wrong"
	}
	return "same"
}

func oneLine(a *npy.Array) string { return strings.Join(strings.Fields(a.String()), " ") }

// doesMore reports whether a cast that NumPy refuses is supported here: generic dates as text, bytes of UTF-8 as
// text, units so far from each other that NumPy has no factor, and the types of ml_dtypes as text, times and each
// other.
func doesMore(reason string, from, to dtype.Type) bool {
	for _, known := range []string{"generic units", "'ascii' codec can't decode", "Integer overflow while computing the conversion factor"} {
		if strings.Contains(reason, known) {
			return true
		}
	}
	return (hasNamed(from) || hasNamed(to)) && (strings.HasPrefix(reason, "TypeError") || strings.Contains(reason, "No cast function"))
}

func hasNamed(t dtype.Type) bool {
	for _, f := range t.Fields() {
		if hasNamed(f.DType) {
			return true
		}
	}
	return t.Kind() == dtype.KindVoid && !t.IsStruct() && !t.IsSubarray() && !t.Equal(dtype.Void(t.ItemSize())) || t.Kind() == dtype.KindFloat && t.ItemSize() == 1
}

// doesLess reports whether an error occurs only here: for text without the unit of the target, dates that do not
// fit in 64 bits, and hexadecimal long doubles.
func doesLess(err error) bool {
	text := err.Error()
	return strings.Contains(text, "say the unit") || errors.Is(err, scalar.ErrRange) && strings.Contains(text, "datetime64") || strings.Contains(text, `"0x10" is not a float128`)
}

// compareRules compares the conversions that casting= allows. Between the types of ml_dtypes and others NumPy has the
// rules that ml_dtypes registered, without much of a system.
func compareRules(t *testing.T, q castQuestion, want castAnswer) {
	t.Helper()
	from, to := parse(q.From), parse(q.To)
	if hasNamed(from) || hasNamed(to) {
		return
	}
	empty := must(npy.New(from, 0))
	for i, numpy := range []bool{want.Safe, want.Same, want.Unsafe} {
		c := npy.Casting(i)
		_, err := empty.Cast(to, c)
		if here := err == nil; here != numpy && !ruleDiffers(from, to, c, here) {
			t.Errorf("%s to %s by %s casting: %v, NumPy allows it: %v", from, to, c, err, numpy)
		}
	}
}

// ruleDiffers reports whether there is a reason for another rule than NumPy's.
func ruleDiffers(from, to dtype.Type, c npy.Casting, here bool) bool {
	isVoid := func(t dtype.Type) bool { return t.Equal(dtype.Void(t.ItemSize())) }
	isText := func(t dtype.Type) bool { return t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes }
	isTime := func(t dtype.Type) bool { return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta }
	noUnit := isTime(to) && to.Step().Unit == dtype.Generic
	if from.NumField() == 1 && !to.IsStruct() && c == npy.UnsafeCasting {
		from = from.Field(0).DType
	}
	if from.IsSubarray() || to.IsSubarray() {
		return ruleDiffers(itemOf(from), itemOf(to), c, here)
	}
	switch {
	case to.IsStruct():
		return fieldsDiffer(from, to, c, here)
	case here && isTime(from) && isTime(to):
		return noUnit || c == npy.SafeCasting && to.Step().Unit != dtype.Generic && from.Step().Unit != dtype.Generic // it keeps the unit; NumPy has no factor as large as this
	case here:
		return c == npy.SafeCasting && isText(from) && isText(to) // as far as the values go
	case isTime(from) && isTime(to):
		far := to.Step().Unit == dtype.Week || to.Step().Num > 1 || to.Step().Unit > dtype.Nanosecond
		return far && c == npy.SafeCasting || to.Step().Unit <= dtype.Month // generic dates in years are an error when they are cast
	case c == npy.UnsafeCasting:
		return isVoid(from) || isText(from) && noUnit // an error, or memory that is freed twice; the unit is in the text
	case c == npy.SameKindCasting:
		return isVoid(from) && isVoid(to)
	}
	wide := from.ItemSize() == 8 && (from.Kind() == dtype.KindInt || from.Kind() == dtype.KindUint)
	return isVoid(to) || isText(to) || isTime(to) || wide && (to.Kind() == dtype.KindFloat || to.Kind() == dtype.KindComplex)
}

func itemOf(t dtype.Type) dtype.Type {
	for t.IsSubarray() {
		t = t.Elem()
	}
	return t
}

// fieldsDiffer reports whether there is a reason for another rule in a field of a struct.
func fieldsDiffer(from, to dtype.Type, c npy.Casting, here bool) bool {
	if from.IsStruct() && from.NumField() != to.NumField() {
		return false
	}
	for i, g := range to.Fields() {
		f := from
		if from.IsStruct() {
			f = from.Field(i).DType
		}
		allowed := true
		if !here {
			_, err := must(npy.New(structOf(f), 0)).Cast(structOf(g.DType), c)
			allowed = err == nil
		}
		if allowed == here && ruleDiffers(f, g.DType, c, here) {
			return true
		}
	}
	return false
}

// structOf returns a struct of one field, which keeps a time without a unit as it is.
func structOf(t dtype.Type) dtype.Type {
	return must(dtype.Struct(t.ItemSize(), dtype.Field{Name: "x", DType: t}))
}

type castQuestion struct {
	From string `json:"from"`
	To   string `json:"to"`
	Data string `json:"data"`
	N    int    `json:"n"`
}

// A castGenerator makes dtypes and elements of them.
type castGenerator struct {
	*rand.Rand
	named bool // the types of ml_dtypes too
}

func (g castGenerator) pick(words ...string) string { return words[g.IntN(len(words))] }

var castUnits = strings.Fields("Y M W D h m s ms us ns ps fs as 2D 25s 10ms 3M 7W 100ns")

// plain returns a dtype without fields. As a target it may be a text without a length or a time without a unit.
func (g castGenerator) plain(target bool) string {
	order := g.pick("<", "<", ">")
	if g.named && g.IntN(3) == 0 {
		return g.pick("bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2",
			"float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "int4", "uint4", "int2", "uint2")
	}
	switch g.IntN(12) {
	case 0:
		return "|b1"
	case 1, 2, 3:
		return order + g.pick("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
	case 4, 5:
		return order + g.pick("f2", "f4", "f8", "f16")
	case 6:
		return order + g.pick("c8", "c16", "c32")
	case 7, 8:
		if target && g.IntN(3) == 0 {
			return order + g.pick("U", "S")
		}
		return order + g.pick("U1", "U3", "U8", "U40", "S1", "S4", "S9", "S40")
	case 9:
		if target && g.IntN(5) == 0 {
			return "|V"
		}
		return fmt.Sprintf("|V%d", 1+g.IntN(20))
	}
	unit := "[" + castUnits[g.IntN(len(castUnits))] + "]"
	if g.IntN(12) == 0 {
		unit = ""
	}
	return order + g.pick("M8", "m8") + unit
}

// structs returns a struct of n fields. Two structs have the same names or others.
func (g castGenerator) structs(n, depth int) string {
	var fields []string
	first := int(g.pick("a", "b", "p")[0])
	for i := range n {
		inner := "'" + g.full() + "'"
		if depth > 0 && g.IntN(5) == 0 {
			inner = g.structs(1+g.IntN(2), depth-1)
		}
		shape := ""
		switch g.IntN(6) {
		case 0:
			shape = ", " + g.pick("(2,)", "(1,)", "(3,)", "(2, 2)", "(1, 3)")
		}
		fields = append(fields, fmt.Sprintf("('%c', %s%s)", first+i, inner, shape))
	}
	return "[" + strings.Join(fields, ", ") + "]"
}

// full returns a plain dtype that has a size and that a descr can name.
func (g castGenerator) full() string {
	for {
		code := castGenerator{g.Rand, false}.plain(false)
		if !strings.HasPrefix(code, "|V") {
			return code
		}
	}
}

func (g castGenerator) question() castQuestion {
	q := castQuestion{From: g.plain(false), To: g.plain(true), N: 1 + g.IntN(8)}
	switch n := 1 + g.IntN(3); g.IntN(8) {
	case 0:
		q.From, q.To = g.structs(n, 1), g.structs(n, 1)
	case 1:
		q.From = g.structs(1, 0)
	case 2:
		q.To = g.structs(n, 0)
	}
	style := g.IntN(6)
	q.Data = hex.EncodeToString(g.elements(parse(q.From), q.N, style))
	return q
}

// elements returns n elements in one style: texts of numbers, dates or words, numbers of one size.
func (g castGenerator) elements(t dtype.Type, n, style int) []byte {
	var data []byte
	for range n {
		data = append(data, g.element(t, style)...)
	}
	return data
}

func (g castGenerator) element(t dtype.Type, style int) []byte {
	item, big := make([]byte, t.ItemSize()), t.ByteOrder() == dtype.BigEndian
	switch {
	case t.IsStruct():
		for _, f := range t.Fields() {
			copy(item[f.Offset:], g.element(f.DType, style))
		}
		return item
	case t.IsSubarray():
		for at := 0; at < len(item); at += t.Elem().ItemSize() {
			copy(item[at:], g.element(t.Elem(), style))
		}
		return item
	}
	switch t.Kind() {
	case dtype.KindBool:
		item[0] = byte(g.IntN(2))
	case dtype.KindFloat:
		g.float(item, big)
	case dtype.KindComplex:
		half := len(item) / 2
		g.float(item[:half], big)
		g.float(item[half:], big)
	case dtype.KindStr:
		text := []rune(g.text(style))
		for i, r := range text[:min(len(text), len(item)/4)] {
			putWord(item[4*i:4*i+4], uint64(r), big)
		}
	case dtype.KindBytes:
		copy(item, g.text(style))
	case dtype.KindDatetime, dtype.KindTimedelta:
		v := int64(g.Uint64() >> 1 >> g.IntN(63))
		if g.IntN(2) == 0 {
			v = -v
		}
		if g.IntN(8) == 0 {
			v = math.MinInt64
		}
		putWord(item, uint64(v), big)
	case dtype.KindInt, dtype.KindUint:
		v := g.Uint64() >> g.IntN(64)
		if g.IntN(2) == 0 {
			v = -v
		}
		putWord(item, v, big)
	default:
		for i := range item {
			item[i] = byte(g.Uint32())
		}
		switch t.Name() { // the bits above the number are zeros where ml_dtypes writes it
		case "int4", "uint4":
			item[0] &= 15
		case "int2", "uint2":
			item[0] &= 3
		case "float6_e2m3fn", "float6_e3m2fn":
			item[0] &= 63
		case "float4_e2m1fn":
			item[0] &= 15
		}
	}
	return item
}

func putWord(item []byte, v uint64, big bool) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(item, b[:min(8, len(item))])
	if big {
		slices.Reverse(item)
	}
}

// float writes a number of any size, a number that is easily rounded wrongly, or a special value.
func (g castGenerator) float(item []byte, big bool) {
	x := float64(g.IntN(2001)-1000) / float64(int(1)<<g.IntN(12))
	switch g.IntN(8) {
	case 0:
		x = []float64{0, math.Copysign(0, -1), 1, 65504, 65519, 65520, 1e6, 999999.9, 1e16, 0.1, 0.0001, 1e-5, math.MaxFloat32, 3.4028236e38, 5e-324}[g.IntN(15)]
	case 1:
		x = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[g.IntN(3)]
	case 2:
		x = math.Ldexp(1+g.Float64(), g.IntN(280)-140)
	case 3:
		x = (1 + math.Ldexp(1, -1-g.IntN(30)) + math.Ldexp(float64(g.IntN(3)-1), -45)) * math.Ldexp(1, g.IntN(10))
	case 4:
		x = float64(int64(g.Uint64()) >> g.IntN(64))
	}
	switch len(item) {
	case 1:
		item[0] = byte(g.Uint32())
	case 2:
		putWord(item, uint64(scalar.Float16FromFloat64(x).Bits), big)
	case 4:
		putWord(item, uint64(math.Float32bits(float32(x))), big)
	case 8:
		putWord(item, math.Float64bits(x), big)
	default:
		l := scalar.LongDoubleFromFloat64(x)
		if !math.IsNaN(x) && !math.IsInf(x, 0) && x != 0 {
			l.Mantissa += uint64(g.IntN(4)) << g.IntN(9)
		}
		if err := l.PutBytes(item, big); err != nil {
			panic(err)
		}
	}
}

// text returns a text of one style: integers, floats, complex numbers, dates, words.
func (g castGenerator) text(style int) string {
	switch style {
	case 0:
		return g.pick("", " ", "\t", "") + g.pick("", "", "+", "-") + fmt.Sprint(g.Uint64()>>g.IntN(64)) + g.pick("", "", " ", "\n")
	case 1:
		return g.pick("", " ", "-", "+") + g.pick("1.5", ".5", "7.", "1e3", "1_000.25", "2.5E-3", "inf", "nan", "Infinity", "0.1", "123456.789", "1e400", "9e-400", "65520", "-0.0", "12") + g.pick("", " ")
	case 2:
		return g.pick("1+2j", "(1+2j)", "2j", "1e3-1.5j", "nan+infj", "5", "-3.25", "(4)", " 1-1j ", "j", "-j")
	case 3:
		return g.pick("2020-01-02", "2020", "1969-12-31T23:59:59", "NaT", "", "2020-02-29T12", "1234-05-06 07:08:09.123", "2020-01", "nat", "-0044-03-15")
	case 4:
		return g.pick("abc", "True", "0x10", "1 2", "--1", "1__0", "_1", "1_", "", " ", "1e", "+", "e5", ".", "1.2.3", "(1", "1j2", "2020-13-01")
	}
	return g.pick("a", "é", "Zürich", "漢字", "x\x00y", "😀", "", "plain text", "12", "7")
}
