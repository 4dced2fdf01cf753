package pickle

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/npygo/npy/internal/pylit"
)

//go:embed enums.txt
var enumsText string // from testdata/enums.py

// An enum is a class of members with values, and the way they print.
type enum struct {
	class   Global
	style   string
	names   []string
	values  []any // an int64, a string or nil each
	isFlags bool
}

func newEnum(words []string) *enum {
	e := &enum{class: Global{Module: words[0], Name: words[1]}}
	e.style, e.isFlags = strings.CutSuffix(words[2], "flag")
	for _, word := range words[3:] {
		name, value, _ := strings.Cut(word, "=")
		e.names = append(e.names, name)
		e.values = append(e.values, literal(value))
	}
	return e
}

// literal returns a value of the table: None, a str or an int.
func literal(text string) any {
	switch v, _ := pylit.Parse(text); v.Kind {
	case pylit.String:
		return v.Str
	case pylit.Int:
		return v.Int
	}
	return nil
}

// call prints the member of a value: Class(value).
func (e *enum) call(r *repr, x instance) bool {
	if len(x.args) != 1 {
		return false
	}
	switch v := x.args[0].(type) {
	case nil, int64, string:
		if i := slices.Index(e.values, any(v)); i >= 0 {
			e.member(r, e.names[i], v)
			return true
		}
		if n, ok := v.(int64); ok && e.isFlags && n >= 0 {
			return e.flags(r, n)
		}
	}
	return false
}

// member prints a member, or a combination of members.
func (e *enum) member(r *repr, names string, value any) {
	switch e.style {
	case "name":
		r.text("<" + e.class.Name + "." + names + ">")
	case "global":
		module := e.class.Module[strings.LastIndexByte(e.class.Module, '.')+1:]
		r.text(module + "." + strings.ReplaceAll(names, "|", "|"+module+"."))
	default:
		r.text("<" + e.class.Name)
		if names != "" {
			r.text("." + names)
		}
		r.text(": ")
		r.value(value)
		r.text(">")
	}
}

// flags prints a combination of members for a number: the members of one bit and, if bits remain, the members of
// several bits (Flag._missing_).
func (e *enum) flags(r *repr, n int64) bool {
	var names []string
	rest := n
	for _, single := range []bool{true, false} {
		for i, v := range e.values {
			if m, _ := v.(int64); m != 0 && n&m == m && (m&(m-1) == 0) == single {
				names = append(names, e.names[i])
				rest &^= m
			}
		}
		if rest == 0 {
			break
		}
	}
	if rest != 0 || n == 0 && e.style == "global" {
		return false
	}
	e.member(r, strings.Join(names, "|"), n)
	return true
}

// enums returns all known enums.
var enums = sync.OnceValue(func() []*enum {
	var all []*enum
	for words := range lines(enumsText) {
		all = append(all, newEnum(words))
	}
	return all
})

// enumMember returns the enum and the member of a value: Class(value), or getattr(Class, 'NAME') as up to Python 3.11.
func enumMember(v any) (e *enum, name string, value any) {
	o, ok := v.(*Object)
	if !ok || o.Args == nil {
		return nil, "", nil
	}
	class, _ := o.Class.(*Global)
	args := o.Args.Items
	switch {
	case class != nil && class.Is("builtins", "getattr") && len(args) == 2:
		class, _ = args[0].(*Global)
		name, _ = args[1].(string)
		ok = name != ""
	case len(args) == 1:
		value = args[0]
	default:
		ok = false
	}
	if class == nil || !ok {
		return nil, "", nil
	}
	if e = enumOf(class); e == nil {
		return nil, "", nil
	}
	if name == "" {
		return e, "", value
	}
	i := slices.Index(e.names, name)
	if i < 0 {
		return nil, "", nil
	}
	return e, name, e.values[i]
}

// enumsByClass holds the enums by their classes.
var enumsByClass = sync.OnceValue(func() map[Global]*enum {
	all := map[Global]*enum{}
	for _, e := range enums() {
		all[e.class] = e
	}
	return all
})

// enumOf returns the enum of a class, or nil.
func enumOf(class *Global) *enum {
	return enumsByClass()[Global{Module: class.Module, Name: class.Name}]
}

// getattr prints getattr(Class, 'NAME').
func (r *repr) getattr(x instance) bool {
	e, name, value := enumMember(x.Object)
	if e != nil {
		e.member(r, name, value)
	}
	return e != nil
}

// orFlags prints the union of flags, as up to Python 3.11: or_(or_(a, b), c).
func orFlags(r *repr, x instance) bool {
	most := 100 // more calls and members than any flag has
	e, value := unionOf(x.Object, &most)
	return e != nil && e.flags(r, value)
}

// unionOf returns the enum and the union of combined flags. It returns nil if they belong to several enums or none, or
// are too many.
func unionOf(v any, most *int) (*enum, int64) {
	*most--
	o, ok := v.(*Object)
	if !ok || *most < 0 {
		return nil, 0
	}
	if x := instanceOf(o); x.class != nil && x.class.Is("_operator", "or_") && len(x.args) == 2 {
		a, n := unionOf(x.args[0], most)
		b, m := unionOf(x.args[1], most)
		if a != b {
			return nil, 0
		}
		return a, n | m
	}
	e, _, value := enumMember(v)
	if n, ok := value.(int64); ok && e.isFlags {
		return e, n
	}
	return nil, 0
}

// enumGlobal prints a member that was pickled as a name in its module.
func (r *repr) enumGlobal(g *Global) bool {
	for _, e := range enums() {
		if e.class.Module == g.Module && slices.Contains(globalEnums, e.class.Module+" "+e.class.Name) {
			if i := slices.Index(e.names, g.Name); i >= 0 {
				e.member(r, g.Name, e.values[i])
				return true
			}
		}
	}
	return false
}

// enumClass prints the class of an enum: <enum 'Color'>, or <flag 'Color'> if its members can be combined.
func (r *repr) enumClass(g *Global) bool {
	kind := ""
	switch {
	case g.Module == "enum" && slices.Contains([]string{"Enum", "IntEnum", "ReprEnum", "StrEnum"}, g.Name):
		kind = "enum"
	case g.Module == "enum" && slices.Contains([]string{"Flag", "IntFlag"}, g.Name):
		kind = "flag"
	}
	if e := enumOf(g); e != nil {
		kind = "enum"
		if e.isFlags {
			kind = "flag"
		}
	}
	if kind != "" {
		r.text("<" + kind + " '" + plainName(g) + "'>")
	}
	return kind != ""
}

// globalEnums are the enums whose members are pickled by name up to Python 3.11.
var globalEnums = []string{
	"signal Signals", "signal Handlers", "signal Sigmasks", "socket AddressFamily", "socket SocketKind", "socket MsgFlag", "socket AddressInfo",
	"ssl _SSLMethod", "ssl Options", "ssl AlertDescription", "ssl SSLErrorNumber", "ssl VerifyFlags", "ssl VerifyMode", "ssl _TLSAlertType",
	"ssl _TLSContentType", "ssl _TLSMessageType",
}
