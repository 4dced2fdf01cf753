package objects

import (
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// numpyClasses are the classes that are spelled in lower case.
var numpyClasses = words(`bool bool_ broadcast busdaycalendar bytes_ character chararray clongdouble complex128 complex256 complex64
	complexfloating datetime64 dtype errstate finfo flatiter flexible float128 float16 float32 float64 floating format_parser generic iinfo
	inexact int16 int32 int64 int8 integer intc longdouble longlong matrix memmap ndarray ndenumerate ndindex nditer number object_ poly1d
	recarray record signedinteger str_ timedelta64 ufunc uint16 uint32 uint64 uint8 uintc ulonglong unsignedinteger vectorize void`)

// ufuncs are NumPy's functions of elements.
var ufuncs = words(`absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh bitwise_and bitwise_count bitwise_or bitwise_xor cbrt ceil
	conjugate copysign cos cosh deg2rad degrees divide divmod equal exp exp2 expm1 fabs float_power floor floor_divide fmax fmin fmod frexp gcd
	greater greater_equal heaviside hypot invert isfinite isinf isnan isnat lcm ldexp left_shift less less_equal log log10 log1p log2 logaddexp
	logaddexp2 logical_and logical_not logical_or logical_xor matmul matvec maximum minimum modf multiply negative nextafter not_equal positive
	power rad2deg radians reciprocal remainder right_shift rint sign signbit sin sinh spacing sqrt square subtract tan tanh trunc vecdot vecmat`)

// numpyFunctions are the functions made in C.
var numpyFunctions = words(`arange array asanyarray asarray ascontiguousarray asfortranarray datetime_data empty from_dlpack frombuffer fromfile
	fromiter frompyfunc fromstring nested_iters promote_types zeros`)

// object prints an object of one of NumPy's classes.
func (p *printer) object(dst []byte, o *pickle.Object, limit int) ([]byte, bool) {
	g, ok := o.Class.(*pickle.Global)
	if !ok {
		return dst, false
	}
	args := o.Args
	if g.Is("copyreg", "_reconstructor") && args != nil && len(args.Items) == 3 { // protocols 0 and 1
		if g, ok = args.Items[0].(*pickle.Global); !ok {
			return dst, false
		}
		args, _ = args.Items[2].(*pickle.Tuple)
	}
	if g.Is("builtins", "getattr") && args != nil && len(args.Items) == 2 {
		return copyMode(dst, args.Items[0], args.Items[1])
	}
	if !strings.HasPrefix(g.Module, "numpy") {
		return dst, false
	}
	attrs, _ := o.State.(*pickle.Dict)
	text := ""
	switch {
	case g.Is("numpy.ma.core", "MaskedConstant"):
		text = "masked"
	case g.Is("numpy", "poly1d"):
		text = p.poly(attrs, limit)
	case polynomials[g.Module] == g.Name:
		text = p.polynomial(g.Name, attrs, limit)
	case g.Is("numpy", "iinfo"):
		text = p.iinfo(attrs)
	case strings.HasSuffix(g.Name, "_SeedSequence"):
		text = p.seed(o.State, limit)
	case g.Is("numpy", "_CopyMode") && args != nil && len(args.Items) == 1:
		return copyMode(dst, g, copyModeName(args.Items[0]))
	case g.Name == "_DType_reconstruct" && args != nil && len(args.Items) == 1:
		if class, ok := args.Items[0].(*pickle.Global); ok {
			text = "<class 'numpy.dtype[" + class.Name + "]'>"
		}
	case linalgResults[g.Name] != nil && strings.HasPrefix(g.Module, "numpy.linalg"):
		text = p.fields(g.Name, linalgResults[g.Name], args, limit)
	case uniqueResults[g.Name] != nil && strings.HasPrefix(g.Module, "numpy.lib"):
		text = p.fields(g.Name, uniqueResults[g.Name], args, limit)
	}
	if text == "" {
		return dst, false
	}
	return appendCut(dst, text, limit), true
}

// copyModeName returns the name of a member of numpy._CopyMode.
func copyModeName(value any) string {
	switch value {
	case true:
		return "ALWAYS"
	case false:
		return "NEVER"
	case int64(2):
		return "IF_NEEDED"
	}
	return ""
}

// copyMode prints a member of numpy._CopyMode.
func copyMode(dst []byte, class, name any) ([]byte, bool) {
	g, ok := class.(*pickle.Global)
	member, isText := name.(string)
	value := map[string]string{"ALWAYS": "True", "NEVER": "False", "IF_NEEDED": "2"}[member]
	if !ok || !isText || !g.Is("numpy", "_CopyMode") || value == "" {
		return dst, false
	}
	return append(dst, "<_CopyMode."+member+": "+value+">"...), true
}

// The fields of the named tuples that NumPy 2 returns.
var (
	linalgResults = map[string][]string{
		"EigResult": {"eigenvalues", "eigenvectors"}, "EighResult": {"eigenvalues", "eigenvectors"}, "QRResult": {"Q", "R"},
		"SlogdetResult": {"sign", "logabsdet"}, "SVDResult": {"U", "S", "Vh"},
	}
	uniqueResults = map[string][]string{
		"UniqueAllResult":     {"values", "indices", "inverse_indices", "counts"},
		"UniqueCountsResult":  {"values", "counts"},
		"UniqueInverseResult": {"values", "inverse_indices"},
	}
)

// fields returns a named tuple.
func (p *printer) fields(name string, names []string, args *pickle.Tuple, limit int) string {
	if args == nil || len(args.Items) != len(names) {
		return ""
	}
	dst := []byte(name + "(")
	for i, v := range args.Items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if len(dst) >= limit {
			break
		}
		dst = append(dst, names[i]+"="...)
		dst = p.append(dst, v, (limit-len(dst))/2)
	}
	return string(append(dst, ')'))
}

// poly returns poly1d([1, 2]), with the coefficients as in array([1, 2]).
func (p *printer) poly(attrs *pickle.Dict, limit int) string {
	a, ok := array(attrs, "coeffs")
	if !ok {
		return ""
	}
	return "poly1d" + strings.TrimPrefix(string(p.AppendRepr(nil, a, limit/2)), "array")
}

// polynomials maps modules of package numpy.polynomial to their classes.
var polynomials = map[string]string{
	"numpy.polynomial.polynomial": "Polynomial", "numpy.polynomial.chebyshev": "Chebyshev", "numpy.polynomial.legendre": "Legendre",
	"numpy.polynomial.hermite": "Hermite", "numpy.polynomial.hermite_e": "HermiteE", "numpy.polynomial.laguerre": "Laguerre",
}

// polynomial returns Polynomial([1., 2.], domain=[-1.,  1.], window=[-1.,  1.], symbol='x').
func (p *printer) polynomial(name string, attrs *pickle.Dict, limit int) string {
	parts := make([]string, 3)
	for i, key := range []string{"coef", "domain", "window"} {
		a, ok := array(attrs, key)
		if !ok {
			return ""
		}
		text := string(p.AppendRepr(nil, a, limit/4)) // repr(a)[6:-1], for any dtype
		parts[i] = strings.TrimSuffix(strings.TrimPrefix(text, "array("), ")")
	}
	symbol, ok := attrs.Get("_symbol")
	if !ok {
		return ""
	}
	return name + "(" + parts[0] + ", domain=" + parts[1] + ", window=" + parts[2] + ", symbol=" + pickle.Repr(symbol) + ")"
}

// array returns an attribute that is an array.
func array(attrs *pickle.Dict, name string) (*npy.Array, bool) {
	if attrs == nil {
		return nil, false
	}
	v, _ := attrs.Get(name)
	a, ok := v.(*npy.Array)
	if ok {
		a = nested{a}.array()
	}
	return a, ok
}

// iinfo returns iinfo(min=-128, max=127, dtype=int8).
func (p *printer) iinfo(attrs *pickle.Dict) string {
	if attrs == nil {
		return ""
	}
	v, _ := attrs.Get("dtype")
	d, ok := v.(*DType)
	if !ok || d.Type.Kind() != dtype.KindInt && d.Type.Kind() != dtype.KindUint {
		return ""
	}
	size := d.Type.ItemSize()
	low, high := make([]byte, size), make([]byte, size)
	for i := range high {
		high[i] = 0xff
	}
	if d.Type.Kind() == dtype.KindInt { // little-endian
		high[size-1], low[size-1] = 0x7f, 0x80
	}
	t := d.Type.WithByteOrder(dtype.LittleEndian)
	a, err1 := npy.FromBytes(t, low)
	b, err2 := npy.FromBytes(t, high)
	if err1 != nil || err2 != nil {
		return ""
	}
	return "iinfo(min=" + p.Str(a) + ", max=" + p.Str(b) + ", dtype=" + d.Type.Name() + ")"
}

// seed returns the lines of a SeedSequence. Its state is entropy, number of spawned children, the pool, its size and
// the spawn key.
func (p *printer) seed(state any, limit int) string {
	items, ok := tupleOf(state, 5, 5)
	if !ok {
		return ""
	}
	text := "SeedSequence(\n    entropy=" + string(p.append(nil, items[0], limit/2)) + ",\n"
	if key, ok := items[4].(*pickle.Tuple); ok && len(key.Items) > 0 {
		text += "    spawn_key=" + string(p.append(nil, key, limit/2)) + ",\n"
	}
	if items[3] != int64(4) {
		text += "    pool_size=" + pickle.Repr(items[3]) + ",\n"
	}
	if items[1] != int64(0) {
		text += "    n_children_spawned=" + pickle.Repr(items[1]) + ",\n"
	}
	return text + ")"
}
