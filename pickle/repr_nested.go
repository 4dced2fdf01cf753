package pickle

import (
	"math"
	"math/big"
	"slices"

	"github.com/npygo/npy/pickle/internal/repr"
)

// nested prints a container, unless it is inside itself or too deep.
func (r *printing) nested(v any) {
	open, end := brackets(v)
	if open == "" {
		r.other(v)
		return
	}
	if isNil(v) {
		r.Add("<nil>")
		return
	}
	if _, again := r.inside[v]; again {
		r.again(v, open, end)
		return
	}
	if r.depth == 0 {
		r.Add(open + repr.Ellipsis + end)
		return
	}
	if r.inside == nil {
		r.inside = make(map[any]struct{})
	}
	r.inside[v] = struct{}{}
	r.depth--
	r.contents(v)
	r.depth++
	delete(r.inside, v)
}

// brackets returns the text around the contents of a container; "" for types of other packages.
func brackets(v any) (open, end string) {
	switch v.(type) {
	case *List:
		return "[", "]"
	case *Tuple:
		return "(", ")"
	case *Dict:
		return "{", "}"
	case *Set:
		return "{", "}"
	case *FrozenSet:
		return "frozenset({", "})"
	case *OrderedDict:
		return "OrderedDict({", "})"
	case *DefaultDict:
		return "defaultdict(", ")"
	case *Counter:
		return "Counter({", "})"
	case *Slice:
		return "slice(", ")"
	case *Range:
		return "range(", ")"
	case *Object:
		return "(", ")"
	case *Datetime:
		return "datetime.datetime(", ")"
	case *Time:
		return "datetime.time(", ")"
	case *TimeZone:
		return "datetime.timezone(", ")"
	}
	return "", ""
}

// again prints a container inside itself as Python does.
func (r *printing) again(v any, open, end string) {
	switch v := v.(type) {
	case *Set:
		r.Add("set(...)")
	case *FrozenSet:
		r.Add("frozenset(...)")
	case *OrderedDict:
		r.Add("...")
	case *DefaultDict:
		r.call2("defaultdict", v.Factory, "{...}")
	case *Object:
		r.class(v.Class)
		r.Add("(...)")
	default:
		r.Add(open + "..." + end)
	}
}

// contents prints a container.
func (r *printing) contents(v any) {
	open, end := brackets(v)
	switch v := v.(type) {
	case *List:
		r.sequence(open, v.Items, end)
	case *Tuple:
		if len(v.Items) == 1 {
			end = ",)"
		}
		r.sequence(open, v.Items, end)
	case *Dict:
		r.pairs(open, v.pairs, end)
	case *Set:
		r.set("set()", open, v, end)
	case *FrozenSet:
		r.set("frozenset()", open, &v.set, end)
	case *OrderedDict:
		if v.Len() == 0 {
			r.Add("OrderedDict()")
			return
		}
		r.orderedDict(v)
	case *DefaultDict:
		r.Add("defaultdict(")
		r.value(v.Factory)
		r.Add(", ")
		r.pairs("{", v.pairs, "}")
		r.Add(")")
	case *Counter:
		if v.Len() == 0 {
			r.Add("Counter()")
			return
		}
		r.pairs(open, mostCommon(v.pairs), end)
	case *Slice:
		r.sequence(open, []any{v.Start, v.Stop, v.Step}, end)
	case *Range:
		parts := []any{v.Start, v.Stop, v.Step}
		if v.Step == int64(1) || v.Step == 1 {
			parts = parts[:2]
		}
		r.sequence(open, parts, end)
	case *Object:
		r.object(v)
	case *Datetime:
		r.datetime(v)
	case *Time:
		r.clock(v)
	case *TimeZone:
		r.timeZone(v)
	}
}

// sequence prints items between brackets.
func (r *printing) sequence(open string, items []any, end string) {
	r.Add(open)
	for i, item := range items {
		if r.Full() {
			return
		}
		if i > 0 {
			r.Add(", ")
		}
		r.value(item)
	}
	r.Add(end)
}

// pairs prints keys and values between brackets.
func (r *printing) pairs(open string, pairs []Pair, end string) {
	r.Add(open)
	for i, pair := range pairs {
		if r.Full() {
			return
		}
		if i > 0 {
			r.Add(", ")
		}
		r.value(pair.Key)
		r.Add(": ")
		r.value(pair.Value)
	}
	r.Add(end)
}

// set prints elements between brackets.
func (r *printing) set(empty, open string, s *Set, end string) {
	if s.Len() == 0 {
		r.Add(empty)
		return
	}
	r.Add(open)
	for i, pair := range s.elements.pairs {
		if r.Full() {
			return
		}
		if i > 0 {
			r.Add(", ")
		}
		r.value(pair.Key)
	}
	r.Add(end)
}

// orderedDict prints an OrderedDict that has items: as a dict, and before Python 3.12 as a list of pairs.
func (r *printing) orderedDict(d *OrderedDict) {
	if r.python >= 12 {
		r.pairs("OrderedDict({", d.pairs, "})")
		return
	}
	r.Add("OrderedDict([")
	for i, pair := range d.pairs {
		if r.Full() {
			return
		}
		if i > 0 {
			r.Add(", ")
		}
		r.sequence("(", []any{pair.Key, pair.Value}, ")")
	}
	r.Add("])")
}

// call2 prints name(first, rest).
func (r *printing) call2(name string, first any, rest string) {
	r.Add(name + "(")
	r.value(first)
	r.Add(", " + rest + ")")
}

// mostCommon returns the pairs of a Counter in the order in which Python prints them, the largest counts first. If not
// all counts are real numbers, the order is unchanged.
func mostCommon(pairs []Pair) []Pair {
	type counted struct {
		Pair
		count *big.Float
	}
	sorted := make([]counted, len(pairs))
	for i, pair := range pairs {
		count, ok := realNumber(pair.Value)
		if !ok {
			return pairs
		}
		sorted[i] = counted{pair, count}
	}
	slices.SortStableFunc(sorted, func(a, b counted) int { return b.count.Cmp(a.count) })
	pairs = make([]Pair, len(sorted))
	for i := range sorted {
		pairs[i] = sorted[i].Pair
	}
	return pairs
}

// realNumber returns a number that can be compared with others.
func realNumber(v any) (*big.Float, bool) {
	if n, ok := goNumber(v); ok {
		v = n
	}
	switch n := v.(type) {
	case int64:
		return new(big.Float).SetInt64(n), true
	case *big.Int:
		return new(big.Float).SetInt(n), true
	case float64:
		if !math.IsNaN(n) {
			return new(big.Float).SetFloat64(n), true
		}
	}
	return nil, false
}

// object prints the call by which Python would make an object.
func (r *printing) object(o *Object) {
	if r.asked(o) || r.library(o) {
		return
	}
	r.class(o.Class)
	r.Add("(")
	separator := ""
	next := func() bool {
		r.Add(separator)
		separator = ", "
		return !r.Full()
	}
	if o.Args != nil {
		for i := 0; i < len(o.Args.Items) && next(); i++ {
			r.value(o.Args.Items[i])
		}
	}
	if o.Kwargs != nil {
		for i := 0; i < o.Kwargs.Len() && next(); i++ {
			r.keyword(o.Kwargs.pairs[i])
		}
	}
	if separator != "" {
		separator = "; "
	}
	if len(o.Items) > 0 && next() {
		r.sequence("items=[", o.Items, "]")
	}
	if len(o.Pairs) > 0 && next() {
		r.pairs("pairs={", o.Pairs, "}")
	}
	if o.HasState && next() {
		r.Add("state=")
		r.value(o.State)
	}
	r.Add(")")
}

// class prints the called class or function.
func (r *printing) class(v any) {
	switch g, ok := v.(*Global); {
	case !ok:
		r.value(v)
	case g.Module == "builtins":
		r.Name(g.Name)
	default:
		r.qualified(g)
	}
}

// keyword prints a keyword argument.
func (r *printing) keyword(pair Pair) {
	if name, ok := pair.Key.(string); ok {
		r.Name(name)
	} else {
		r.value(pair.Key)
	}
	r.Add("=")
	r.value(pair.Value)
}
