package query_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query"
)

// computeScript answers with the dtype and the elements of assignments. An assignment may use the columns before it.
var computeScript = liveHelpers + `
import base64
if np.__version__.startswith('1.'): # as NumPy 2
    np._set_promotion_state('weak')
    for name in ('floor', 'ceil', 'trunc'):
        setattr(np, name, lambda x, of=getattr(np, name): x if np.asarray(x).dtype.kind in 'iub' else of(x))
def missing(dt):
    return {'f': np.nan, 'c': np.nan, 'M': np.datetime64('NaT'), 'm': np.timedelta64('NaT'), 'U': '', 'S': b''}[dt.kind]
def shift(x, n, *fill):
    x = np.asarray(x)
    if not fill and x.dtype.kind in 'biu': x = x.astype(float)
    out = x.copy()
    out[...] = fill[0] if fill else missing(x.dtype)
    k = min(abs(n), len(x))
    if n >= 0: out[k:] = x[:len(x)-k]
    else: out[:len(x)-k] = x[k:]
    return out
def diff(x, *first):
    x = np.asarray(x)
    if first:
        out = np.empty_like(x) if x.dtype.kind != 'M' else np.empty(x.shape, (x[:1] - x[:1]).dtype)
        out[:1] = first[0]
        out[1:] = x[1:] - x[:-1]
        return out
    if x.dtype.kind in 'biu':
        y = x.astype('i8')
        return np.concatenate([np.full(min(1, len(x)), np.nan), (y[1:] - y[:-1]).astype(float)])
    return x - shift(x, 1)
def rank(x):
    x = np.asarray(x)
    values, inverse, count = np.unique(x, return_inverse=True, return_counts=True, equal_nan=False)
    last = np.cumsum(count)
    out = (last - (count - 1) / 2.0)[inverse.reshape(-1)]
    if x.dtype.kind in 'fmM': out[x != x] = np.nan
    return out.astype(float)
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    a = np.load(q['Path'])
    names = {n: a[n] for n in a.dtype.names} if a.dtype.names else {'x': a}
    names.update(np=np, C=C, T=T, shift=shift, diff=diff, rank=rank, row=np.arange(len(a)))
    out = []
    for i, text in enumerate(q['Python']):
        try:
            with np.errstate(all='ignore'):
                r = np.asarray(eval(text, names))
            if r.ndim == 2 and r.shape[1] == 1: r = r[:, 0]
            if r.shape[:1] != (len(a),): r = np.broadcast_to(r, (len(a),) + r.shape[1:])
            r = np.ascontiguousarray(r)
            names['c%d' % i] = r
            out.append({'DType': r.dtype.newbyteorder('=').str, 'Data': base64.b64encode(r.astype(r.dtype.newbyteorder('=')).tobytes()).decode(), 'Shape': r.shape})
        except Exception as e:
            out.append({'Error': repr(e)[:200]})
    print(json.dumps(out))
`

type computeQuestion struct {
	Path   string
	Python []string
	exprs  []string
	near   []bool // the last digits of floats depend on the library of mathematical functions
	array  *npy.Array
}

type computeAnswer struct {
	DType, Data, Error string
	Shape              []int
}

// Random expressions have the dtypes and values of NumPy 2, from memory and from files, as a whole and in parts.
func TestComputeLive(t *testing.T) {
	r := rand.New(rand.NewPCG(2, oracle.Seed(t)))
	folder := t.TempDir()
	var questions []computeQuestion
	total := 0
	for i := range oracle.Cases(t, 100) {
		g := &computing{generator: &generator{r: r}}
		a, _ := g.array(t)
		path := filepath.Join(folder, fmt.Sprintf("%d.npy", i))
		if err := npy.WriteFile(path, a); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			g.set = nil
			q := computeQuestion{Path: path, array: a}
			for k := range 3 {
				g.near = false
				expr, python := g.value()
				q.exprs, q.Python, q.near = append(q.exprs, expr), append(q.Python, python), append(q.near, g.near)
				if !g.near {
					g.set = append(g.set, fmt.Sprintf("c%d", k))
				}
				total++
			}
			questions = append(questions, q)
		}
	}
	version, answers := oracle.Ask[computeQuestion, []computeAnswer](t, computeScript, questions)
	failed, refused := 0, 0
	for i, q := range questions {
		for _, a := range answers[i] {
			if a.Error != "" {
				refused++
			}
		}
		if err := checkComputed(q, answers[i]); err != nil {
			t.Errorf("dtype %s, shape %v: %v", q.array.DType(), q.array.Shape(), err)
			if failed++; failed > 10 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d expressions as NumPy %s, %d refused by both", total, version, refused)
	if refused > total/4 {
		t.Errorf("of %d expressions %d are refused: the cases say little", total, refused)
	}
}

func checkComputed(q computeQuestion, want []computeAnswer) error {
	ctx := context.Background()
	var c query.Columns
	var kept []int
	for i, expr := range q.exprs {
		with := c
		with.Set = append(slices.Clip(c.Set), query.Assignment{Name: fmt.Sprintf("c%d", i), Expr: expr})
		out, err := query.Compute(ctx, q.array, with)
		if err == nil && want[i].Error != "" {
			_, err = out.ReadAll(ctx)
		}
		if (err != nil) != (want[i].Error != "") {
			return fmt.Errorf("%s: error %v, NumPy has %q for %s", with.Set, err, want[i].Error, q.Python[i])
		}
		if err == nil {
			c, kept = with, append(kept, i)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	f, err := npy.Open(q.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	var first *npy.Array
	for _, src := range []npy.Source{q.array, f, q.array.Fortran()} {
		out, err := query.Compute(ctx, src, c)
		if err != nil {
			return err
		}
		all, err := out.ReadAll(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Set, err)
		}
		if first == nil {
			for _, i := range kept {
				col, err := all.Slice(npy.Named(fmt.Sprintf("c%d", i)))
				if err != nil {
					return err
				}
				if err := sameColumn(col, want[i], q.near[i]); err != nil {
					return fmt.Errorf("%s: c%d: %w; Python: %s", c.Set, i, err, q.Python[i])
				}
			}
			first = all
		}
		if !bytes.Equal(all.Bytes(), first.Bytes()) {
			return fmt.Errorf("%s: a %T differs from an array in memory", c.Set, src)
		}
		n := all.Len()
		part, err := out.Select(npy.Span(n/3, n/2), npy.Named(fmt.Sprintf("c%d", kept[0])))
		if err != nil {
			return err
		}
		got, err := part.ReadAll(ctx)
		if err != nil {
			return err
		}
		same, err := all.Slice(npy.Span(n/3, n/2), npy.Named(fmt.Sprintf("c%d", kept[0])))
		if err != nil {
			return err
		}
		if !bytes.Equal(got.Bytes(), same.Bytes()) {
			return fmt.Errorf("%s: a part of a %T differs", c.Set, src)
		}
	}
	return nil
}

// sameColumn compares a column with NumPy's. NaNs are equal, and so are zeros.
func sameColumn(got *npy.Array, want computeAnswer, near bool) error {
	tolerance := 0.0
	if near {
		tolerance = map[int]float64{2: 2e-3, 4: 1e-6, 8: 1e-13}[got.DType().ItemSize()]
	}
	return sameWithin(got, want, tolerance, 0.01)
}

// sameWithin compares an array with NumPy's, and floats with a tolerance relative to their size, or to least if they are smaller.
func sameWithin(got *npy.Array, want computeAnswer, tolerance, least float64) error {
	t := got.DType()
	if t.Descr() != "'"+want.DType+"'" && t.String() != want.DType {
		return fmt.Errorf("dtype %s, NumPy has %s", t, want.DType)
	}
	if !slices.Equal(got.Shape(), want.Shape) {
		return fmt.Errorf("shape %v, NumPy has %v", got.Shape(), want.Shape)
	}
	data, err := base64.StdEncoding.DecodeString(want.Data)
	if err != nil {
		return err
	}
	if bytes.Equal(data, got.Bytes()) {
		return nil
	}
	numpy, err := npy.FromBytes(t, data, got.Shape()...)
	if err != nil {
		return err
	}
	if k := t.Kind(); k != dtype.KindFloat && k != dtype.KindComplex {
		return fmt.Errorf("%v, NumPy has %v", got, numpy)
	}
	x, err := npy.As[complex128](got)
	if err != nil {
		return err
	}
	y, err := npy.As[complex128](numpy)
	if err != nil {
		return err
	}
	xs, ys := x.ToSlice(), y.ToSlice()
	for i, z := range xs {
		if w := ys[i]; !sameFloat(real(z), real(w), tolerance, least) || !sameFloat(imag(z), imag(w), tolerance, least) {
			return fmt.Errorf("element %d is %v, NumPy has %v", i, z, w)
		}
	}
	return nil
}

func sameFloat(x, y, tolerance, least float64) bool {
	if tolerance > 0 && math.IsInf(x, 1) && y != y { // C's hypot of an infinity and a signalling NaN
		return true
	}
	return x == y || x != x && y != y || math.Abs(x-y) <= tolerance*max(math.Abs(y), least)
}

// A computing makes random expressions of any dtype.
type computing struct {
	*generator
	set  []string // names of columns before
	near bool
}

// value returns an expression.
func (g *computing) value() (expr, python string) {
	switch g.r.IntN(10) {
	case 0:
		return g.condition(2)
	case 1:
		if c, ok := g.columnOf(dtype.KindStr, dtype.KindBytes); ok {
			return g.textValue(c)
		}
	case 2:
		if c, ok := g.columnOf(dtype.KindDatetime, dtype.KindTimedelta); ok {
			return g.timeValue(c)
		}
	case 3, 4:
		return g.sequence()
	case 5:
		g.near = true
		a, p := g.number(0, true)
		f := pick(g.generator, "exp", "log", "log2", "log10", "sin", "cos", "tanh", "arctan", "expm1", "log1p", "cbrt", "exp2", "degrees", "radians", "arcsinh")
		return f + "(" + a + ")", "np." + f + "(" + p + ")"
	case 6:
		if len(g.set) > 0 {
			c := pick(g.generator, g.set...)
			return "where(row % 2 == 0, " + c + ", " + c + ")", c
		}
	}
	return g.real(g.r.IntN(3))
}

// columnOf returns a column of one value per row with one of some kinds.
func (g *computing) columnOf(kinds ...dtype.Kind) (liveColumn, bool) {
	for _, i := range g.r.Perm(len(g.columns)) {
		if c := g.columns[i]; !c.many && c.t.ItemSize() > 0 && slices.Contains(kinds, c.t.Kind()) {
			return c, true
		}
	}
	return liveColumn{}, false
}

// real returns an expression of real numbers.
func (g *computing) real(depth int) (expr, python string) {
	if depth > 0 {
		a, p := g.real(depth - 1)
		switch g.r.IntN(6) {
		case 0:
			b, q := g.real(depth - 1)
			c, s := g.condition(0)
			return "where(" + c + ", " + a + ", " + b + ")", "np.where(" + s + ", " + p + ", " + q + ")"
		case 1:
			low, high := pick(g.generator, "0", "-1", "0.5"), pick(g.generator, "2", "2.5", "100")
			return "clip(" + a + ", " + low + ", " + high + ")", "np.minimum(np.maximum(" + p + ", " + low + "), " + high + ")"
		case 2: // of columns: the last digits, and the sign of a zero, would make a large difference elsewhere
			a, p = g.number(0, true)
			b, q := g.number(0, true)
			g.near = true
			f := pick(g.generator, "hypot", "arctan2")
			return f + "(" + a + ", " + b + ")", "np." + f + "(" + p + ", " + q + ")"
		case 3:
			return "sign(" + a + ")", "np.sign(" + p + ")"
		}
	}
	return g.number(depth, true)
}

func (g *computing) textValue(c liveColumn) (expr, python string) {
	prefix := ""
	if c.t.Kind() == dtype.KindBytes {
		prefix = "b"
	}
	lit := prefix + pick(g.generator, "'a'", "''", "'abcdef'")
	cond, python := g.condition(0)
	switch g.r.IntN(4) {
	case 0:
		return "where(" + cond + ", " + c.name + ", " + lit + ")", "np.where(" + python + ", " + c.python + ", " + lit + ")"
	case 1:
		return "where(" + cond + ", " + lit + ", " + prefix + "'x')", "np.where(" + python + ", " + lit + ", " + prefix + "'x')"
	case 2:
		return "shift(" + c.name + ", 2)", "shift(" + c.python + ", 2)"
	}
	return "upper(" + c.name + ")", "np.char.upper(" + c.python + ")"
}

func (g *computing) timeValue(c liveColumn) (expr, python string) {
	cond, python := g.condition(0)
	switch g.r.IntN(5) {
	case 0:
		return "where(" + cond + ", " + c.name + ", 'NaT')", "np.where(" + python + ", " + c.python + ", np.array('NaT', " + c.python + ".dtype))"
	case 1:
		return "shift(" + c.name + ", -1)", "shift(" + c.python + ", -1)"
	case 2:
		return "rank(" + c.name + ")", "rank(" + c.python + ")"
	}
	return "int64(" + c.name + ")", c.python + ".astype('i8')"
}

// sequence returns an expression with a function of several rows.
func (g *computing) sequence() (expr, python string) {
	a, p := g.real(g.r.IntN(2))
	for g.near { // differences would be far from NumPy's
		g.near = false
		a, p = g.real(g.r.IntN(2))
	}
	switch g.r.IntN(6) {
	case 0:
		return "cumsum(" + a + ")", "np.cumsum(" + p + ")"
	case 1:
		return "diff(" + a + ")", "diff(" + p + ")"
	case 2:
		n := pick(g.generator, "0", "1", "-1", "3", "-70", "100000")
		return "shift(" + a + ", " + n + ")", "shift(" + p + ", " + n + ")"
	case 3:
		return "shift(" + a + ", 2, 1)", "shift(" + p + ", 2, 1)"
	case 4:
		return "rank(" + a + ")", "rank(" + p + ")"
	}
	return "abs(" + a + ") - shift(cumsum(" + a + "), 1, 0)", "np.abs(" + p + ") - shift(np.cumsum(" + p + "), 1, 0)"
}
