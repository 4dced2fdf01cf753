package answer

import (
	"fmt"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/arraytext"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// A branch is a Python object as the page shows it.
type branch struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Items []twig `json:"items,omitempty"`
	More  int    `json:"more,omitempty"` // items that are not listed
}

type twig struct {
	Key   string `json:"key"`
	Value branch `json:"value"`
}

const (
	treeDepth = 8
	treeItems = 100  // of each object
	treeAll   = 2000 // of all together
	typeMax   = 100  // bytes of a type's name
)

// treeOf returns an object with its contents, as far as the limits go. Objects that contain themselves end with the depth.
func treeOf(v any) branch {
	left := treeAll
	return grow(v, treeDepth, &left)
}

func grow(v any, depth int, left *int) branch {
	b := branch{Type: typeName(v)}
	if s, ok := v.(string); ok {
		b.Text = cut(s, cellMax)
		return b
	}
	b.Text = cut(string(arraytext.AppendObject(nil, v, cellMax+1)), cellMax)
	n := 0
	add := func(key func() string, item any) {
		n++
		if n <= treeItems && depth > 0 && *left > 0 {
			*left--
			b.Items = append(b.Items, twig{key(), grow(item, depth-1, left)})
		}
	}
	list := func(items []any) {
		for i, item := range items {
			add(func() string { return fmt.Sprint(i) }, item)
		}
	}
	set := func(all iter.Seq[any]) {
		for item := range all {
			add(func() string { return "" }, item)
		}
	}
	pair := func(k, item any) {
		add(func() string { return cut(string(arraytext.AppendObject(nil, k, cellMax+1)), cellMax) }, item)
	}
	pairs := func(all iter.Seq2[any, any]) {
		for k, item := range all {
			pair(k, item)
		}
	}
	switch x := v.(type) {
	case *pickle.List:
		list(x.Items)
	case *pickle.Tuple:
		list(x.Items)
	case *pickle.Set:
		set(x.All())
	case *pickle.FrozenSet:
		set(x.All())
	case *pickle.Dict:
		pairs(x.All())
	case *pickle.OrderedDict:
		pairs(x.All())
	case *pickle.DefaultDict:
		pairs(x.All())
	case *pickle.Counter:
		pairs(x.All())
	case *npy.Array:
		if x.DType().Kind() == dtype.KindObject {
			all, err := x.Objects()
			if err == nil {
				list(all)
			}
		}
	case *pickle.Object:
		if x.Args != nil {
			list(x.Args.Items)
		}
		if x.Kwargs != nil {
			pairs(x.Kwargs.All())
		}
		list(x.Items)
		for _, p := range x.Pairs {
			pair(p.Key, p.Value)
		}
		if state, ok := x.State.(*pickle.Dict); ok {
			pairs(state.All())
		} else if x.State != nil {
			add(func() string { return "state" }, x.State)
		}
	}
	b.More = n - len(b.Items)
	return b
}

// typeName returns Python's name of the type of an object, without a module where NumPy is the module.
func typeName(v any) string {
	switch x := v.(type) {
	case *npy.Array:
		if class := objects.ClassOf(x); class != nil {
			return cut(class.Name, typeMax)
		}
		return "ndarray"
	case *objects.Scalar:
		return x.DType().Name()
	case *objects.DType:
		return "dtype"
	case *objects.MaskedArray:
		return "MaskedArray"
	}
	return cut(pickle.TypeName(v), typeMax)
}
