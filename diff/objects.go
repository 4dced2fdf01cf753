package diff

import (
	"fmt"
	"math"
	"math/big"
	"reflect"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// compare compares arrays with objects field by field.
func (t *twins) compare(r *Result, leaves []leaf, a, b Side, o Options) error {
	if a.array == nil || b.array == nil {
		return fmt.Errorf("diff: %w; Arrays compares them, given both in memory", npy.ErrObjects)
	}
	for _, l := range leaves {
		f := Field{Name: l.name, A: l.a.t, B: l.b.t, Incomparable: l.reason}
		if l.reason == "" {
			x, err := fieldAt(a.array, l.path)
			if err != nil {
				return err
			}
			y, err := fieldAt(b.array, l.path)
			if err != nil {
				return err
			}
			if f, err = t.field(f, x, y, o); err != nil {
				return err
			}
		}
		r.Fields = append(r.Fields, f)
	}
	return nil
}

func fieldAt(a *npy.Array, path []string) (*npy.Array, error) {
	for _, name := range path {
		var err error
		if a, err = a.Field(name); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// field compares one field of records, which is an array of its own, or an array of objects.
func (t *twins) field(f Field, a, b *npy.Array, o Options) (Field, error) {
	switch isA, isB := f.A.Kind() == dtype.KindObject, f.B.Kind() == dtype.KindObject; {
	case isA && isB:
		return t.objects(f, a, b, o)
	case isA || isB:
		f.Incomparable = fmt.Sprintf("%s and %s have no values in common", f.A, f.B)
		return f, nil
	}
	if o.Max == 0 {
		o.Max = -1 // none, as the caller said
	}
	r, err := sides(OfArray(a), OfArray(b), o, t)
	if err != nil {
		return f, err
	}
	inner := r.Fields[0]
	inner.Name = f.Name
	return inner, nil
}

func (t *twins) objects(f Field, a, b *npy.Array, o Options) (Field, error) {
	xs, err := a.Objects()
	if err != nil {
		return f, err
	}
	ys, err := b.Objects()
	if err != nil {
		return f, err
	}
	f.Count = int64(len(xs))
	for i, x := range xs {
		same, err := t.element(x, ys[i])
		if err != nil {
			return f, err
		}
		if same {
			continue
		}
		if f.Different++; len(f.First) < o.Max {
			m := Mismatch{Index: unravel(int64(i), a.Shape()), A: objectText(x), B: objectText(ys[i]), Rel: math.NaN(), ULPs: -1}
			f.First = append(f.First, m)
		}
	}
	return f, nil
}

// objectText returns Python's repr of an object, cut where it is long.
func objectText(v any) string {
	const most = 200
	p := pickle.Printer{MaxBytes: most}
	return p.Repr(v)
}

// Twins are pairs of objects that are compared, or have been.
type twins struct {
	Options
	state  map[[2]any]byte
	depth  int
	trail  [][2]any // what has been found equal within the outermost pair
	cyclic bool     // and some of it only if a pair is equal that was not yet done
}

const (
	open byte = iota + 1 // equal if nothing is found that differs
	equal
	different
)

func newTwins(o Options) *twins { return &twins{Options: o, state: map[[2]any]byte{}} }

// maxDepth is how deep objects may be nested.
const maxDepth = 10_000

// element reports whether two elements of arrays are equal. What is known of shared objects is kept for the next.
func (t *twins) element(x, y any) (bool, error) {
	if t.depth > 0 { // of an array that is an object itself
		return t.same(x, y)
	}
	t.trail, t.cyclic = t.trail[:0], false
	same, err := t.same(x, y)
	if !same && t.cyclic {
		for _, pair := range t.trail {
			delete(t.state, pair)
		}
	}
	return same, err
}

// same reports whether two objects are of one type and equal, as by Python's ==, NaN aside.
func (t *twins) same(x, y any) (bool, error) {
	if t.depth >= maxDepth {
		return false, fmt.Errorf("diff: objects nested over %d deep: %w", maxDepth, npy.ErrLimit)
	}
	t.depth++
	defer func() { t.depth-- }()
	switch kind := reflect.TypeOf(x); {
	case kind != reflect.TypeOf(y):
		return false, nil
	case x == nil:
		return true, nil
	case kind.Kind() != reflect.Pointer:
		return t.sameValue(x, y)
	}
	if x == y {
		return true, nil
	}
	pair := [2]any{x, y}
	if state := t.state[pair]; state != 0 {
		t.cyclic = t.cyclic || state == open
		return state != different, nil
	}
	t.state[pair] = open
	same, err := t.sameValue(x, y)
	if t.state[pair] = different; same {
		t.state[pair] = equal
		t.trail = append(t.trail, pair)
	}
	return same, err
}

// sameValue compares two objects of one type.
func (t *twins) sameValue(x, y any) (bool, error) {
	switch x := x.(type) {
	case float64:
		return t.sameFloats(x, y.(float64)), nil
	case complex128:
		y := y.(complex128)
		return t.sameFloats(real(x), real(y)) && t.sameFloats(imag(x), imag(y)), nil
	case *big.Int:
		return x.Cmp(y.(*big.Int)) == 0, nil
	case *pickle.List:
		return t.sameLists(x.Items, y.(*pickle.List).Items)
	case *pickle.Tuple:
		return t.sameLists(x.Items, y.(*pickle.Tuple).Items)
	case *pickle.Dict:
		return t.sameDicts(x, y.(*pickle.Dict))
	case *pickle.Set:
		return sameSets(x, y.(*pickle.Set)), nil
	case *pickle.FrozenSet:
		return sameSets(&x.Set, &y.(*pickle.FrozenSet).Set), nil
	case *pickle.Object:
		return t.sameObjects(x, y.(*pickle.Object))
	case *pickle.OrderedDict:
		return t.sameOrdered(x, y.(*pickle.OrderedDict))
	case *pickle.DefaultDict:
		y := y.(*pickle.DefaultDict)
		return t.sameLists([]any{x.Factory, &x.Dict}, []any{y.Factory, &y.Dict})
	case *pickle.Counter:
		return t.sameDicts(&x.Dict, &y.(*pickle.Counter).Dict)
	case *npy.Array:
		return t.sameArrays(x, y.(*npy.Array))
	case *objects.Scalar:
		return t.sameArrays(x.Scalar(), y.(*objects.Scalar).Scalar())
	case *objects.MaskedArray:
		return t.sameMasked(x, y.(*objects.MaskedArray))
	}
	p := pickle.Printer{MaxBytes: -1} // dates, names, decimals, bytes and such, which hold no others
	return p.Repr(x) == p.Repr(y), nil
}

func (t *twins) sameFloats(x, y float64) bool { return x == y || x != x && y != y && !t.NaNsDiffer }

func (t *twins) sameLists(xs, ys []any) (bool, error) {
	if len(xs) != len(ys) {
		return false, nil
	}
	for i, x := range xs {
		if same, err := t.same(x, ys[i]); !same {
			return false, err
		}
	}
	return true, nil
}

// sameDicts compares by keys, in whatever order.
func (t *twins) sameDicts(x, y *pickle.Dict) (bool, error) {
	if x == nil || y == nil || x.Len() != y.Len() {
		return x == y, nil
	}
	for key, v := range x.All() {
		w, ok := y.Get(key)
		if !ok {
			return false, nil
		}
		if same, err := t.same(v, w); !same {
			return false, err
		}
	}
	return true, nil
}

// sameOrdered compares OrderedDicts, of which the order counts.
func (t *twins) sameOrdered(x, y *pickle.OrderedDict) (bool, error) {
	if (x.Attributes == nil) != (y.Attributes == nil) {
		return false, nil
	}
	return t.sameLists(append(pairsOf(&x.Dict), x.Attributes), append(pairsOf(&y.Dict), y.Attributes))
}

// pairsOf returns the keys and values of a dict in turn.
func pairsOf(d *pickle.Dict) []any {
	list := make([]any, 0, 2*d.Len()+1)
	for key, v := range d.All() {
		list = append(list, key, v)
	}
	return list
}

func sameSets(x, y *pickle.Set) bool {
	if x.Len() != y.Len() {
		return false
	}
	for v := range x.All() {
		if !y.Has(v) {
			return false
		}
	}
	return true
}

func (t *twins) sameObjects(x, y *pickle.Object) (bool, error) {
	if x.How != y.How || x.HasState != y.HasState || len(x.Pairs) != len(y.Pairs) {
		return false, nil
	}
	for i, p := range x.Pairs {
		q := y.Pairs[i]
		if same, err := t.sameLists([]any{p.Key, p.Value}, []any{q.Key, q.Value}); !same {
			return false, err
		}
	}
	if same, err := t.sameLists(x.Items, y.Items); !same {
		return false, err
	}
	if (x.Args == nil) != (y.Args == nil) || (x.Kwargs == nil) != (y.Kwargs == nil) {
		return false, nil
	}
	return t.sameLists([]any{x.Class, x.Args, x.Kwargs, x.State}, []any{y.Class, y.Args, y.Kwargs, y.State})
}

// sameArrays compares arrays that are objects, by dtype and values.
func (t *twins) sameArrays(x, y *npy.Array) (bool, error) {
	if x == nil || y == nil {
		return x == y, nil
	}
	r, err := sides(OfArray(x), OfArray(y), Options{NaNsDiffer: t.NaNsDiffer, Max: -1}, t)
	return err == nil && r.Equal(), err
}

func (t *twins) sameMasked(x, y *objects.MaskedArray) (bool, error) {
	if same, err := t.sameArrays(x.Data, y.Data); !same {
		return false, err
	}
	if same, err := t.sameArrays(x.Mask, y.Mask); !same {
		return false, err
	}
	return t.same(x.FillValue, y.FillValue)
}
