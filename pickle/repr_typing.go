package pickle

import (
	"slices"
	"strings"
)

// functionReprs are functions whose result is known from their arguments.
func functionReprs() map[string]libraryRepr {
	return map[string]libraryRepr{
		"_operator or_":     orFlags,
		"_functools reduce": reprUnion,
		"functools reduce":  reprUnion, // protocols 0 to 2
	}
}

// typingReprs are the types used in annotations.
func typingReprs() map[string]libraryRepr {
	return map[string]libraryRepr{
		"types GenericAlias": func(r *repr, x instance) bool {
			return len(x.args) == 2 && r.genericAlias(x.args[0], x.args[1])
		},
		"collections.abc _CallableGenericAlias": reprCallableAlias,
		"_operator getitem":                     reprTyping,
	}
}

// reprUnion prints int | None, which is reduce(or_, (int, NoneType)).
func reprUnion(r *repr, x instance) bool {
	if len(x.args) != 2 {
		return false
	}
	f, ok1 := x.args[0].(*Global)
	types, ok2 := x.args[1].(*Tuple)
	if !ok1 || !ok2 || !f.Is("_operator", "or_") || len(types.Items) == 0 {
		return false
	}
	for i, t := range types.Items {
		if r.full() {
			break
		}
		if i > 0 {
			r.text(" | ")
		}
		if isNoneType(t) {
			r.text("None")
		} else {
			r.typeName(t)
		}
	}
	return true
}

// namelessType returns the name of a type that is in no module, pickled as type(None) or type(...); "" for other
// values.
func namelessType(v any) string {
	o, ok := v.(*Object)
	if !ok || o.Args == nil || len(o.Args.Items) != 1 {
		return ""
	}
	if g, ok := o.Class.(*Global); !ok || !g.Is("builtins", "type") {
		return ""
	}
	switch o.Args.Items[0] {
	case nil:
		return "NoneType"
	case Ellipsis:
		return "ellipsis"
	case NotImplemented:
		return "NotImplementedType"
	}
	return ""
}

// isNoneType reports whether a value is type(None).
func isNoneType(v any) bool { return namelessType(v) == "NoneType" }

// typeName prints a type as annotations do: classes by their names, Python's own without a module (_type_repr).
func (r *repr) typeName(v any) {
	switch v := v.(type) {
	case *Global:
		if v.Module != "builtins" {
			r.name(v.Module)
			r.text(".")
		}
		r.name(v.Name)
	case Singleton:
		if v == Ellipsis {
			r.text("...")
			return
		}
		r.value(v)
	case *List:
		r.typeList("[", v.Items, "]")
	case *Tuple:
		r.typeList("(", v.Items, ")")
	default:
		if isNoneType(v) {
			r.text("NoneType")
			return
		}
		r.value(v)
	}
}

func (r *repr) typeList(open string, types []any, end string) {
	r.text(open)
	for i, t := range types {
		if r.full() {
			return
		}
		if i > 0 {
			r.text(", ")
		}
		r.typeName(t)
	}
	r.text(end)
}

// params returns the parameters of a type: one, or several in a tuple.
func params(v any) []any {
	if t, ok := v.(*Tuple); ok {
		return t.Items
	}
	return []any{v}
}

// genericAlias prints list[int].
func (r *repr) genericAlias(origin, args any) bool {
	if _, ok := origin.(*Global); !ok {
		return false
	}
	r.typeName(origin)
	r.typeList("[", params(args), "]")
	return true
}

// reprCallableAlias prints collections.abc.Callable[[int], str].
func reprCallableAlias(r *repr, x instance) bool {
	return len(x.args) == 2 && r.genericAlias(x.args[0], x.args[1])
}

// reprTyping prints typing.Optional[int], which is typing.Union[int, None], and similar types.
func reprTyping(r *repr, x instance) bool {
	if len(x.args) != 2 {
		return false
	}
	g, ok := x.args[0].(*Global)
	if !ok || g.Module != "typing" {
		return false
	}
	args := params(x.args[1])
	name := g.Name
	if i := slices.IndexFunc(args, isNoneType); name == "Union" && i >= 0 && len(args) == 2 {
		r.text("typing.Optional[")
		r.typeName(args[1-i])
		r.text("]")
		return true
	}
	r.text("typing." + strings.TrimPrefix(name, "typing."))
	if name == "Literal" || name == "Annotated" && len(args) > 1 {
		return r.values(name, args)
	}
	r.typeList("[", args, "]")
	return true
}

// values prints parameters that are values: all of a Literal, all but the first of Annotated.
func (r *repr) values(name string, args []any) bool {
	r.text("[")
	if name == "Annotated" {
		r.typeName(args[0])
		args = args[1:]
		r.text(", ")
	}
	for i, v := range args {
		if r.full() {
			break
		}
		if i > 0 {
			r.text(", ")
		}
		r.value(v)
	}
	r.text("]")
	return true
}

// The kinds of parameters of a function, as inspect numbers them.
const (
	positionalOnly = iota
	positionalOrKeyword
	varPositional
	keywordOnly
	varKeyword
)

// A parameter is an inspect.Parameter.
type parameter struct {
	name                 string
	kind                 int
	standard, annotation any // a *Global inspect._empty if there is none
}

// parameterOf returns the parameter in an object.
func parameterOf(v any) (p parameter, ok bool) {
	o, ok := v.(*Object)
	if !ok {
		return p, false
	}
	x := instanceOf(o)
	if x.class == nil || !x.class.Is("inspect", "Parameter") || len(x.args) != 2 {
		return p, false
	}
	p.name, ok = x.args[0].(string)
	e, _, kind := enumMember(x.args[1])
	n, isInt := kind.(int64)
	values, has := x.attrs("_default", "_annotation")
	if !ok || !isInt || !has || e.class.Name != "_ParameterKind" || n < positionalOnly || n > varKeyword {
		return p, false
	}
	p.kind, p.standard, p.annotation = int(n), values[0], values[1]
	return p, true
}

// isEmpty reports whether a value is inspect's placeholder for a missing value.
func isEmpty(v any) bool {
	g, ok := v.(*Global)
	return ok && g.Is("inspect", "_empty")
}

// parameter prints a parameter of a function (Parameter.__str__).
func (r *repr) parameter(p parameter) {
	r.text([...]string{varPositional: "*", varKeyword: "**"}[p.kind])
	r.name(p.name)
	equals := "="
	if !isEmpty(p.annotation) {
		r.text(": ")
		r.annotation(p.annotation)
		equals = " = "
	}
	if !isEmpty(p.standard) {
		r.text(equals)
		r.value(p.standard)
	}
}

// annotation prints an annotation (formatannotation): classes by their names.
func (r *repr) annotation(v any) {
	if g, ok := v.(*Global); ok && (g.isClass() || g.Module == "builtins") {
		r.typeName(g)
		return
	}
	r.value(v)
}

func reprParameter(r *repr, x instance) bool {
	p, ok := parameterOf(x.Object)
	if ok {
		r.text(`<Parameter "`)
		r.parameter(p)
		r.text(`">`)
	}
	return ok
}

// reprSignature prints <Signature (a, *, b=5) -> int>.
func reprSignature(r *repr, x instance) bool {
	t, ok := first(x.args).(*Tuple)
	if !ok {
		return false
	}
	all := make([]parameter, len(t.Items))
	for i, v := range t.Items {
		if all[i], ok = parameterOf(v); !ok {
			return false
		}
	}
	r.text("<Signature (")
	separator := ""
	next := func() { r.text(separator); separator = ", " }
	seen := [varKeyword + 1]bool{}
	for _, p := range all {
		if r.full() {
			break
		}
		kind := p.kind
		if kind > positionalOnly && seen[positionalOnly] {
			next()
			r.text("/")
			seen[positionalOnly] = false
		}
		if kind == keywordOnly && !seen[keywordOnly] && !seen[varPositional] {
			next()
			r.text("*")
		}
		seen[kind] = true
		next()
		r.parameter(p)
	}
	if seen[positionalOnly] {
		next()
		r.text("/")
	}
	r.text(")")
	if v, ok := x.attr("_return_annotation"); ok && !isEmpty(v) {
		r.text(" -> ")
		r.annotation(v)
	}
	r.text(">")
	return true
}
