package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query"
)

// calcScript answers with the dtype, the shape and the elements of expressions of arrays.
const calcScript = `
import base64
if np.__version__.startswith('1.'): # as NumPy 2
    np._set_promotion_state('weak')
    for name in ('floor', 'ceil', 'trunc'):
        setattr(np, name, lambda x, of=getattr(np, name): x if np.asarray(x).dtype.kind in 'iub' else of(x))
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    names = {n: np.load(p) for n, p in q['Paths'].items()}
    names['np'] = np
    try:
        with np.errstate(all='ignore'):
            import warnings
            warnings.simplefilter('ignore')
            r = np.asarray(eval(q['Python'], names))
        r = np.ascontiguousarray(r).reshape(r.shape)
        r = r.astype(r.dtype.newbyteorder('='))
        print(json.dumps({'DType': r.dtype.str, 'Data': base64.b64encode(r.tobytes()).decode(), 'Shape': r.shape}))
    except Exception as e:
        print(json.dumps({'Error': repr(e)[:200]}))
`

type calcQuestion struct {
	Paths  map[string]string
	Python string
	expr   string
	near   bool
}

// calcShapes are shapes that can be broadcast together, and some that cannot.
var calcShapes = [][]int{{}, {1}, {5}, {4, 5}, {4, 1}, {1, 5}, {3, 4, 5}, {3, 1, 5}, {3, 1, 1}, {2, 3, 4, 5}, {4}, {0, 5}, {700, 5}, {300, 4, 5}}

// Random expressions of arrays have the dtypes, the shapes and the values of NumPy 2.
func TestCalcLive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, oracle.Seed(t)))
	folder := t.TempDir()
	type kept struct {
		path string
		t    dtype.Type
	}
	var arrays []kept
	for i := range 60 {
		shape := calcShapes[i%len(calcShapes)]
		dt, err := dtype.Parse([]string{"f8", "f4", "i4", "f8", "?", "u1", "i8", "f2", ">f8", ">i2", "u4"}[r.IntN(11)])
		if err != nil {
			t.Fatal(err)
		}
		n := 1
		for _, m := range shape {
			n *= m
		}
		x := make([]float64, n)
		for k := range x {
			if x[k] = float64(r.IntN(40)-10) / 4; r.IntN(150) == 0 && dt.Kind() == dtype.KindFloat {
				x[k] /= 0
			}
		}
		a, err := npy.FromSlice(x, shape...)
		if err == nil {
			a, err = a.Cast(dt, npy.UnsafeCasting)
		}
		path := filepath.Join(folder, fmt.Sprintf("%d.npy", i))
		if err == nil && i%5 == 4 {
			a = a.Fortran()
		}
		if err == nil {
			err = npy.WriteFile(path, a)
		}
		if err != nil {
			t.Fatal(err)
		}
		arrays = append(arrays, kept{path, dt})
	}
	var questions []calcQuestion
	for range oracle.Cases(t, 1500) {
		q := calcQuestion{Paths: map[string]string{}}
		for _, name := range []string{"a", "b", "c"} {
			q.Paths[name] = arrays[r.IntN(len(arrays))].path
		}
		g := &calculating{r: r}
		q.expr, q.Python = g.expression(2)
		q.near = g.near
		questions = append(questions, q)
	}
	version, answers := oracle.Ask[calcQuestion, computeAnswer](t, calcScript, questions)
	failed, refused := 0, 0
	for i, q := range questions {
		if answers[i].Error != "" {
			refused++
		}
		if err := checkCalc(q, answers[i]); err != nil {
			t.Errorf("%s: %v; Python: %s", q.expr, err, q.Python)
			if failed++; failed > 10 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d expressions as NumPy %s, %d refused by both", len(questions), version, refused)
	if refused > len(questions)*2/3 {
		t.Errorf("of %d expressions %d are refused: the cases say little", len(questions), refused)
	}
}

func checkCalc(q calcQuestion, want computeAnswer) error {
	ctx := context.Background()
	arrays := map[string]npy.Source{}
	shapes := ""
	for name, path := range q.Paths {
		f, err := npy.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		arrays[name] = f
		shapes += fmt.Sprintf(" %s %s %v", name, f.DType(), f.Shape())
	}
	out, err := query.Calc(ctx, q.expr, arrays)
	var all *npy.Array
	if err == nil {
		all, err = out.ReadAll(ctx)
	}
	if err != nil && strings.Contains(err.Error(), "out of range for an array of shape ()") || strings.Contains(want.Error, "cannot reshape array of size 0") {
		return nil // some functions of NumPy take axis 0 and -1 there, and some do not
	}
	if (err != nil) != (want.Error != "") {
		return fmt.Errorf("error %v, NumPy has %q;%s", err, want.Error, shapes)
	}
	if err != nil {
		return nil
	}
	if q.near && strings.ContainsAny(q.Python, "<>=") && strings.Contains(q.Python, "(np.") && all.DType().Kind() != dtype.KindFloat {
		return nil // a comparison of nearly equal numbers
	}
	tolerance := 0.0
	for _, a := range arrays {
		if t := a.DType(); q.near {
			tolerance = max(tolerance, map[int]float64{1: 1e-2, 2: 1e-2, 4: 1e-5, 8: 1e-12}[t.ItemSize()])
		}
	}
	if q.near {
		tolerance = max(tolerance, 1e-12)
	}
	if err := sameWithin(all, want, tolerance, 10); err != nil {
		return fmt.Errorf("%w;%s", err, shapes)
	}
	return nil
}

// A calculating makes random expressions of arrays.
type calculating struct {
	r    *rand.Rand
	near bool // the order of additions matters
}

func (g *calculating) expression(depth int) (expr, python string) {
	if depth == 0 {
		name := []string{"a", "b", "c"}[g.r.IntN(3)]
		return name, name
	}
	a, p := g.expression(depth - 1)
	switch g.r.IntN(8) {
	case 0, 1, 2:
		return g.reduction(a, p)
	case 3:
		f := []string{"abs", "floor", "sqrt", "isnan"}[g.r.IntN(4)]
		return f + "(" + a + ")", "np." + f + "(" + p + ")"
	case 4:
		lit := []string{"2", "0.5", "-1"}[g.r.IntN(3)]
		op := []string{"+", "*", "-", ">", "=="}[g.r.IntN(5)]
		if op == ">" || op == "==" {
			lit = "2" // NumPy 1 compares with no integer that does not fit
		}
		return "(" + a + ") " + op + " " + lit, "(" + p + ") " + op + " " + lit
	}
	b, q := g.expression(depth - 1)
	if g.r.IntN(6) == 0 {
		f := []string{"minimum", "maximum"}[g.r.IntN(2)]
		return f + "(" + a + ", " + b + ")", "np." + f + "(" + p + ", " + q + ")"
	}
	op := []string{"+", "-", "*", "/", "<"}[g.r.IntN(5)]
	return "(" + a + ") " + op + " (" + b + ")", "(" + p + ") " + op + " (" + q + ")"
}

func (g *calculating) reduction(a, p string) (expr, python string) {
	name := strings.Fields("sum mean min max std var any all argmin argmax median prod")[g.r.IntN(12)]
	args := ""
	switch axis := g.r.IntN(6); {
	case axis == 0 || strings.HasPrefix(name, "arg") && axis < 3:
	case axis == 1 && !strings.HasPrefix(name, "arg"):
		args = ", axis=(0, -1)"
	default:
		args = fmt.Sprintf(", axis=%d", g.r.IntN(3)-1)
	}
	if g.r.IntN(4) == 0 {
		args += ", keepdims=True"
	}
	if name == "sum" || name == "prod" || name == "mean" || name == "std" || name == "var" {
		g.near = true
	}
	python = "np." + name + "(" + p + args + ")"
	if g.r.IntN(2) == 0 {
		return "(" + a + ")." + name + "(" + strings.TrimPrefix(args, ", ") + ")", python
	}
	return name + "(" + a + args + ")", python
}
