package pickle

import (
	"reflect"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle/internal/machine"
)

// check walks the result without recursion, children before parents. It measures the nesting of containers, keeping the
// depth of its contents in each node, and looks for str of Python 2 that are not ASCII.
func (m *decoding) check(v any) error {
	w := walk{limit: m.maxDepth, foreign: map[any]*foreign{}}
	for _, made := range m.made {
		w.addForeign(made)
	}
	if !w.run(v) {
		return bounded.Over("MaxDepth", m.maxDepth, 0, "the nesting of containers is over MaxDepth %d", m.maxDepth)
	}
	if w.raw != nil {
		return rawTextError(w.raw)
	}
	return nil
}

// A walk is the state of walking a value.
type walk struct {
	limit   int
	path    []visit
	foreign map[any]*foreign
	inside  int              // the number of foreign values on the path
	raw     *machine.RawText // the first one outside of foreign values: a foreign value may have used it as bytes
}

// A visit is a container on the path.
type visit struct {
	v       any
	node    *node
	next    int   // the position of the next child
	deepest int32 // the depth of the deepest child so far
}

// foreign stands for a value of the hooks: it holds its arguments and states.
type foreign struct {
	of []any
	node
}

// onPath is the depth of a node while the walk is inside it; 0 is the depth of a new node.
const onPath = -1

// addForeign records the arguments or the state of a value of the hooks.
func (w *walk) addForeign(m made) {
	if reflect.ValueOf(m.value).Kind() != reflect.Pointer {
		return
	}
	f := w.foreign[m.value]
	if f == nil {
		f = &foreign{}
		w.foreign[m.value] = f
	}
	f.of = append(f.of, m.of)
}

// run walks v and reports whether its depth is within the limit.
func (w *walk) run(v any) bool {
	w.enter(v)
	for len(w.path) > 0 {
		if len(w.path) > w.limit {
			return false
		}
		top := &w.path[len(w.path)-1]
		child, ok := w.child(top.v, top.next)
		if ok {
			top.next++
			w.enter(child)
			continue
		}
		top.node.depth = top.deepest + 1
		if w.isForeign(top.v) {
			w.inside--
		}
		w.path = w.path[:len(w.path)-1]
		if !w.below(top.node.depth) {
			return false
		}
	}
	return true
}

// enter goes into v, if it is a container that the walk has not visited. A time counts as a container of its tzinfo.
func (w *walk) enter(v any) {
	switch t := v.(type) {
	case *Datetime:
		v = t.TZ
	case *Time:
		v = t.TZ
	}
	if r, ok := v.(*machine.RawText); ok && w.inside == 0 && (w.raw == nil || r.Offset < w.raw.Offset) {
		w.raw = r
	}
	n := w.nodeOf(v)
	switch {
	case n == nil || n.depth == onPath:
	case n.depth > 0:
		w.below(n.depth)
	default:
		if w.isForeign(v) {
			w.inside++
		}
		n.depth = onPath
		w.path = append(w.path, visit{v: v, node: n})
	}
}

// below records the depth of a child in the container at the end of the path, and reports whether it is within the
// limit.
func (w *walk) below(depth int32) bool {
	if len(w.path) > 0 {
		top := &w.path[len(w.path)-1]
		top.deepest = max(top.deepest, depth)
	}
	return int(depth) <= w.limit
}

// nodeOf returns the node of a container, nil for other values.
func (w *walk) nodeOf(v any) *node {
	switch v := v.(type) {
	case *List:
		return &v.node
	case *Tuple:
		return &v.node
	case *Set:
		return &v.elements.node
	case *FrozenSet:
		return &v.set.elements.node
	case *Object:
		return &v.node
	}
	if d := dictOf(v); d != nil {
		return &d.node
	}
	if w.isForeign(v) {
		return &w.foreign[v].node
	}
	return nil
}

// isForeign reports whether addForeign has recorded v.
func (w *walk) isForeign(v any) bool {
	return len(w.foreign) > 0 && reflect.ValueOf(v).Kind() == reflect.Pointer && w.foreign[v] != nil
}

// child returns the i-th child of a container, and false after the last.
func (w *walk) child(v any, i int) (any, bool) {
	switch v := v.(type) {
	case *List:
		return at(v.Items, i)
	case *Tuple:
		return at(v.Items, i)
	case *Set:
		return atPair(v.elements.pairs, i)
	case *FrozenSet:
		return atPair(v.set.elements.pairs, i)
	case *Object:
		return v.child(i)
	case *OrderedDict:
		if i == 0 {
			return orNil(v.Attributes), true
		}
		i--
	case *DefaultDict:
		if i == 0 {
			return v.Factory, true
		}
		i--
	}
	if d := dictOf(v); d != nil {
		return atPair(d.pairs, i)
	}
	return at(w.foreign[v].of, i)
}

// child returns the i-th part of an Object.
func (o *Object) child(i int) (any, bool) {
	const parts = 4
	switch i {
	case 0:
		return o.Class, true
	case 1:
		return o.Args, true
	case 2:
		return orNil(o.Kwargs), true
	case 3:
		return o.State, true
	}
	if i -= parts; i < len(o.Items) {
		return o.Items[i], true
	}
	return atPair(o.Pairs, i-len(o.Items))
}

// orNil returns a dict as a value, nil for a nil dict.
func orNil(d *Dict) any {
	if d == nil {
		return nil
	}
	return d
}

// at returns an item, and false after the last.
func at(items []any, i int) (any, bool) {
	if i >= len(items) {
		return nil, false
	}
	return items[i], true
}

// atPair is at for the keys and values of pairs.
func atPair(pairs []Pair, i int) (any, bool) {
	switch {
	case i >= 2*len(pairs):
		return nil, false
	case i%2 == 0:
		return pairs[i/2].Key, true
	}
	return pairs[i/2].Value, true
}
