package diff

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"math/big"
	"reflect"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/identity"
	"github.com/npygo/npy/internal/nd"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// compare compares arrays with objects field by field.
func (t *twins) compare(r *Result, pairs []pair, a, b *npy.Array, o Options) error {
	for _, l := range pairs {
		f := Field{Name: l.name, A: l.a.DType, B: l.b.DType, Incomparable: l.reason}
		if l.reason == "" {
			x, err := fieldAt(a, l.path)
			if err != nil {
				return err
			}
			y, err := fieldAt(b, l.path)
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

// field compares one field of records, given as an array of its own, or an array of objects.
func (t *twins) field(f Field, a, b *npy.Array, o Options) (Field, error) {
	switch isA, isB := f.A.Kind() == dtype.KindObject, f.B.Kind() == dtype.KindObject; {
	case isA && isB:
		return t.objects(f, a, b, o)
	case isA || isB:
		f.Incomparable = fmt.Sprintf("%s and %s have no values in common", f.A, f.B)
		return f, nil
	}
	if o.Max == 0 {
		o.Max = -1 // no mismatches, as requested by the caller
	}
	r, err := compare(t.ctx, sideOf(a), sideOf(b), o, t)
	if err != nil {
		return f, err
	}
	inner := r.Fields[0]
	inner.Name = f.Name
	return inner, nil
}

func (t *twins) objects(f Field, a, b *npy.Array, o Options) (Field, error) {
	xs, err := a.Reshape(-1)
	if err != nil {
		return f, err
	}
	ys, err := b.Reshape(-1)
	if err != nil {
		return f, err
	}
	f.Count = int64(xs.Size())
	for i := range xs.Size() {
		x, y := xs.Object(i), ys.Object(i)
		same, err := t.same(x, y)
		if err != nil {
			return f, err
		}
		if same {
			continue
		}
		if f.Different++; len(f.First) < o.Max {
			m := Mismatch{Index: nd.Unravel(int64(i), a.Shape()), A: objectText(x), B: objectText(y), Rel: math.NaN(), ULPs: -1}
			f.First = append(f.First, m)
		}
	}
	return f, nil
}

// objectText returns Python's repr of an object, truncated if it is long.
func objectText(v any) string {
	const most = 200
	p := pickle.Printer{MaxBytes: most}
	return p.Repr(v)
}

// twins records the pairs of objects that are being compared or have been compared, so that each pair is compared once,
// even if several objects share it or it contains itself.
//
// Two objects are equal if all pairs of their parts are equal. A pair that is met again within itself is taken as equal
// until a difference is found. So pairs that contain each other are equal or different together, and are found by
// Tarjan's algorithm for strongly connected components. If the parts of a pair lead to no earlier pair, the pair is
// decided once it is done, together with all pairs since. If the pair differs, the undecided pairs among these differ
// too, because they lead to it or to a pair around it.
type twins struct {
	ctx context.Context // of the comparison
	Options
	pairs map[[2]any]int // by the identities of both objects: equal, different, or the number of an undecided pair
	trail [][2]any       // the undecided pairs, in the order of their numbers
	count int            // numbers assigned so far
	low   int            // the least number reached from the parts of the current pair
	depth int

	seen  map[any]bool // objects that were part of a pair
	again int64        // the cost of pairs whose objects were both in other pairs before
}

const (
	equal     = -1
	different = -2
)

func newTwins(ctx context.Context, o Options) *twins {
	if o.MaxDepth == 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxShared == 0 {
		o.MaxShared = DefaultMaxShared
	}
	return &twins{ctx: ctx, Options: o, pairs: map[[2]any]int{}, seen: map[any]bool{}}
}

// same reports whether two objects have the same type and are equal by Python's ==, apart from NaN.
func (t *twins) same(x, y any) (bool, error) {
	kind := reflect.TypeOf(x)
	if kind != reflect.TypeOf(y) {
		return false, nil
	}
	pair := [2]any{identity.Of(x), identity.Of(y)}
	if pair[0] == nil || pair[1] == nil {
		return t.sameValue(x, y)
	}
	if pair[0] == pair[1] {
		return true, nil
	}
	switch state := t.pairs[pair]; {
	case state > 0:
		t.low = min(t.low, state)
		return true, nil
	case state != 0:
		return state == equal, nil
	}
	return t.compareOnce(pair, x, y)
}

// compareOnce is same for a new pair.
func (t *twins) compareOnce(pair [2]any, x, y any) (bool, error) {
	if t.MaxDepth >= 0 && t.depth >= t.MaxDepth {
		return false, diag.Wrap("diff", bounded.Over("MaxDepth", t.MaxDepth, 0, "objects are nested deeper than MaxDepth %d", t.MaxDepth))
	}
	if err := t.charge(pair, x); err != nil {
		return false, err
	}
	t.count++
	number, start, outer := t.count, len(t.trail), t.low
	t.pairs[pair] = number
	t.trail = append(t.trail, pair)
	t.low = number
	t.depth++
	same, err := t.sameValue(x, y)
	t.depth--
	if !same || t.low == number {
		state := equal
		if !same {
			state = different
		}
		for _, known := range t.trail[start:] {
			t.pairs[known] = state
		}
		t.trail = t.trail[:start]
	}
	t.low = min(t.low, outer)
	return same, err
}

// charge adds the cost of a pair whose objects were both compared with other objects before. The number of all other
// pairs is at most the number of objects, but the number of such pairs can be a product: a ring of 1000 lists and a
// ring of 1001 lists make a million.
func (t *twins) charge(pair [2]any, x any) error {
	if !t.seen[pair[0]] || !t.seen[pair[1]] {
		t.seen[pair[0]], t.seen[pair[1]] = true, true
		return nil
	}
	const perPair, perItem = 128, 16
	t.again += perPair + perItem*int64(itemsIn(x))
	if t.MaxShared >= 0 && t.again > t.MaxShared {
		return diag.Wrap("diff", bounded.Over("MaxShared", t.MaxShared, t.again, "objects that were compared with others before cost %d bytes, over MaxShared %d", t.again, t.MaxShared))
	}
	return nil
}

// itemsIn returns the approximate number of steps to compare an object without its contents.
func itemsIn(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) / 16
	case []byte:
		return len(v) / 16
	case *big.Int:
		return v.BitLen() / 128
	case *pickle.ByteArray:
		return len(v.Bytes) / 16
	case *pickle.Decimal:
		return len(v.Text) / 16
	case *pickle.List:
		return len(v.Items)
	case *pickle.Tuple:
		return len(v.Items)
	case *pickle.Object:
		return len(v.Items) + 2*len(v.Pairs)
	case *npy.Array:
		return v.Size() + int(v.NBytes())/16
	case interface{ Len() int }: // dicts and sets
		return 2 * v.Len()
	}
	return 1
}

// sameValue compares two objects of the same type.
func (t *twins) sameValue(x, y any) (bool, error) {
	switch x := x.(type) {
	case nil:
		return true, nil
	case float64:
		return t.sameFloats(x, y.(float64)), nil
	case complex128:
		y := y.(complex128)
		return t.sameFloats(real(x), real(y)) && t.sameFloats(imag(x), imag(y)), nil
	case *big.Int:
		return x.Cmp(y.(*big.Int)) == 0, nil
	case int64, bool, string:
		return x == y, nil
	case []byte:
		return bytes.Equal(x, y.([]byte)), nil
	case *pickle.ByteArray:
		return bytes.Equal(x.Bytes, y.(*pickle.ByteArray).Bytes), nil
	case *pickle.Decimal:
		return x.Text == y.(*pickle.Decimal).Text, nil
	case *pickle.List:
		return t.sameLists(x.Items, y.(*pickle.List).Items)
	case *pickle.Tuple:
		return t.sameLists(x.Items, y.(*pickle.Tuple).Items)
	case *pickle.Dict:
		return t.sameDicts(x, y.(*pickle.Dict))
	case *pickle.Set:
		return sameSets(x, y.(*pickle.Set)), nil
	case *pickle.FrozenSet:
		return sameSets(x, y.(*pickle.FrozenSet)), nil
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
	p := pickle.Printer{MaxBytes: -1} // dates, names, fractions and other objects that hold no objects
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

// sameDicts compares dicts by keys, in any order.
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

// sameOrdered compares OrderedDicts, whose order counts.
func (t *twins) sameOrdered(x, y *pickle.OrderedDict) (bool, error) {
	if (x.Attributes == nil) != (y.Attributes == nil) {
		return false, nil
	}
	return t.sameLists(append(pairsOf(&x.Dict), x.Attributes), append(pairsOf(&y.Dict), y.Attributes))
}

// pairsOf returns the alternating keys and values of a dict.
func pairsOf(d *pickle.Dict) []any {
	list := make([]any, 0, 2*d.Len()+1)
	for key, v := range d.All() {
		list = append(list, key, v)
	}
	return list
}

// A set is a *pickle.Set or *pickle.FrozenSet.
type set interface {
	Len() int
	Has(v any) bool
	All() iter.Seq[any]
}

func sameSets(x, y set) bool {
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

// sameArrays compares arrays that are objects by dtype and values.
func (t *twins) sameArrays(x, y *npy.Array) (bool, error) {
	if x == nil || y == nil {
		return x == y, nil
	}
	if t.sameBytes(x, y) {
		return true, nil
	}
	r, err := compare(t.ctx, sideOf(x), sideOf(y), Options{NaNsDiffer: t.NaNsDiffer, Max: -1}, t)
	return err == nil && r.Equal(), err
}

// sameBytes reports whether two arrays have the same elements bit by bit. It is a fast check before the full comparison.
func (t *twins) sameBytes(x, y *npy.Array) bool {
	if t.NaNsDiffer || x.DType().HasObject() || !slices.Equal(x.Shape(), y.Shape()) || !x.DType().Equal(y.DType()) {
		return false
	}
	a, ok1 := x.ViewBytes()
	b, ok2 := y.ViewBytes()
	return ok1 && ok2 && bytes.Equal(a, b)
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
