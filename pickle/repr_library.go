package pickle

import (
	_ "embed"
	"strings"
	"sync"
)

// Objects of Python's library are printed as their classes print themselves, from the data in the pickle. An object
// whose repr needs a running Python (the address of an object, the level of a logger) or whose class is not known is
// printed as the call that makes it.

// An instance is an object as its class's repr needs it: the class, the arguments, and the attributes.
type instance struct {
	*Object
	class *Global
	args  []any
}

// instanceOf returns the instance that an object makes, for every opcode and protocol. Its class is nil if the called
// value is not a class.
func instanceOf(o *Object) instance {
	x := instance{Object: o}
	if o.Args != nil {
		x.args = o.Args.Items
	}
	g, ok := o.Class.(*Global)
	if !ok {
		return x
	}
	x.class = g
	if g.Module != "copyreg" || len(x.args) == 0 {
		return x
	}
	class, ok := x.args[0].(*Global)
	switch {
	case !ok:
	case g.Name == "__newobj__":
		x.class, x.args = class, x.args[1:]
	case g.Name == "_reconstructor" && len(x.args) == 3: // class, base class, and its value
		value := x.args[2:]
		if base, ok := x.args[1].(*Global); ok && base.Is("builtins", "object") {
			value = nil
		}
		x.class, x.args = class, value
	}
	return x
}

// attr returns an attribute, from the dict of the object or that of its slots.
func (x instance) attr(name string) (any, bool) {
	states := []any{x.State}
	if t, ok := x.State.(*Tuple); ok && len(t.Items) == 2 {
		states = t.Items
	}
	for _, s := range states {
		if d, ok := s.(*Dict); ok {
			if v, ok := d.Get(name); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// attrs returns several attributes, if all are present.
func (x instance) attrs(names ...string) ([]any, bool) {
	values := make([]any, len(names))
	for i, name := range names {
		v, ok := x.attr(name)
		if !ok {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

// pairs returns the items of an instance of a subclass of dict.
func (x instance) pairs() []Pair {
	if d, ok := first(x.args).(*Dict); ok && len(x.Pairs) == 0 { // protocols 0 and 1
		return d.pairs
	}
	return x.Pairs
}

// plainName returns the name of a class without its module.
func plainName(g *Global) string { return g.Name[strings.LastIndexByte(g.Name, '.')+1:] }

// A libraryRepr prints an instance. It prints nothing and returns false for an instance that the class would not have
// made.
type libraryRepr func(r *repr, x instance) bool

// libraryTable holds the classes and functions with a libraryRepr.
var libraryTable struct {
	once sync.Once
	all  map[Global]libraryRepr
}

// libraryReprs returns libraryTable.
func libraryReprs() map[Global]libraryRepr {
	libraryTable.once.Do(func() { libraryTable.all = newLibraryReprs() })
	return libraryTable.all
}

func newLibraryReprs() map[Global]libraryRepr {
	all := map[Global]libraryRepr{}
	for _, table := range []map[string]libraryRepr{collectionReprs(), libraryClassReprs(), addressReprs(), functionReprs(), typingReprs()} {
		for name, print := range table {
			module, name, _ := strings.Cut(name, " ")
			all[Global{Module: module, Name: name}] = print
		}
	}
	for words := range lines(tuplesText) {
		all[Global{Module: words[0], Name: words[1]}] = namedTuple(words[2], words[3:])
	}
	for _, e := range enums() {
		all[e.class] = e.call
	}
	return all
}

// library prints an object of the library, and reports whether it is one.
func (r *repr) library(o *Object) bool {
	x := instanceOf(o)
	if x.class == nil {
		return r.method(o)
	}
	class := Global{Module: x.class.Module, Name: x.class.Name}
	if class.Is("builtins", "getattr") {
		return r.getattr(x)
	}
	if print := libraryReprs()[class]; print != nil {
		return print(r, x)
	}
	return isException(x.class) && r.exception(x)
}

// lines yields the words of each row of a table. An indented line continues the line before it.
func lines(table string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		var words []string
		for line := range strings.Lines(table) {
			if line[0] != ' ' && words != nil {
				if !yield(words) {
					return
				}
				words = nil
			}
			words = append(words, strings.Fields(line)...)
		}
		if words != nil {
			yield(words)
		}
	}
}

//go:embed tuples.txt
var tuplesText string // from testdata/tuples.py

// namedTuple prints a tuple with names for its items. Named tuples made in C are called with a tuple, and a dict of
// further items.
func namedTuple(head string, fields []string) libraryRepr {
	return func(r *repr, x instance) bool {
		items := x.args
		if t, ok := first(items).(*Tuple); ok && x.How == Call && len(items) <= 2 {
			items = t.Items
		}
		if len(items) < len(fields) {
			return false
		}
		r.fields(head, fields, items)
		return true
	}
}

// first returns the first of some values, or nil.
func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// fields prints head(name=value, …).
func (r *repr) fields(head string, names []string, values []any) {
	r.text(head + "(")
	for i, name := range names {
		if r.full() {
			return
		}
		if i > 0 {
			r.text(", ")
		}
		r.text(name + "=")
		r.value(values[i])
	}
	r.text(")")
}
