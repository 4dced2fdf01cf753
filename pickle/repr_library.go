package pickle

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// library prints an object of the few classes of Python's library that have no Go type but are common in pickles, as
// its class prints it: deque, paths, and zones of module zoneinfo. It prints nothing and returns false for other
// objects, and for arguments that the class would not have written.
func (r *printing) library(o *Object) bool {
	if o.How != Call || o.Args == nil || o.HasState || len(o.Pairs) > 0 {
		return false
	}
	g, ok := o.Class.(*Global)
	if !ok {
		return r.zoneInfo(o)
	}
	switch g.Module {
	case "collections":
		return g.Name == "deque" && r.deque(o)
	case "pathlib", "pathlib._local": // Python 3.13
		return len(o.Items) == 0 && r.path(g.Name, o.Args.Items)
	}
	return false
}

// deque prints deque([1, 2], maxlen=5). Its arguments are an empty tuple and the length, or none.
func (r *printing) deque(o *Object) bool {
	args := o.Args.Items
	if len(args) != 0 && len(args) != 2 {
		return false
	}
	r.sequence("deque([", o.Items, "]")
	if len(args) == 2 && args[1] != nil {
		r.Add(", maxlen=")
		r.value(args[1])
	}
	r.Add(")")
	return true
}

// path prints PosixPath('/a/b') from its parts.
func (r *printing) path(class string, args []any) bool {
	separator := "/"
	switch class {
	case "PosixPath", "PurePosixPath":
	case "WindowsPath", "PureWindowsPath":
		separator = `\`
	default:
		return false
	}
	var parts []string
	for i, left := 0, r.Left(); i < len(args) && left >= 0; i++ {
		part, ok := args[i].(string)
		if !ok {
			return false
		}
		parts = append(parts, part)
		left -= len(part)
	}
	if len(parts) > 1 && (strings.HasSuffix(parts[0], separator) || strings.HasSuffix(parts[0], ":")) { // the drive and the root
		parts[1] = parts[0] + parts[1]
		parts = parts[1:]
	}
	text := strings.Join(parts, separator)
	if text == "" {
		text = "."
	}
	r.call(class, strings.ReplaceAll(text, `\`, "/"))
	return true
}

// zoneInfo prints zoneinfo.ZoneInfo(key='UTC'), which is getattr(ZoneInfo, '_unpickle')('UTC', True).
func (r *printing) zoneInfo(o *Object) bool {
	method, ok := o.Class.(*Object)
	if !ok || method.Args == nil || len(method.Args.Items) != 2 || method.Args.Items[1] != "_unpickle" {
		return false
	}
	getattr, ok1 := method.Class.(*Global)
	class, ok2 := method.Args.Items[0].(*Global)
	if !ok1 || !ok2 || !getattr.Is("builtins", "getattr") || !class.Is("zoneinfo", "ZoneInfo") || len(o.Args.Items) == 0 {
		return false
	}
	key, ok := o.Args.Items[0].(string)
	if ok {
		r.Add("zoneinfo.ZoneInfo(key=")
		r.value(key)
		r.Add(")")
	}
	return ok
}

// global prints a class or a function as Python does if its kind is known, else the bare name.
func (r *printing) global(g *Global) {
	switch {
	case g.Module == "builtins" && slices.Contains(builtinFunctions, g.Name):
		r.Add("<built-in function ")
		r.Name(g.Name)
		r.Add(">")
	case g.Module == "builtins":
		r.Add("<class '")
		r.Name(g.Name)
		r.Add("'>")
	case g.isClass():
		r.Add("<class '")
		r.qualified(g)
		r.Add("'>")
	default:
		r.qualified(g)
	}
}

// isClass reports whether the name is spelled like a class: CamelCase or a single capital. A name of capitals only may
// also be a constant, and the names of module typing print without the word class.
func (g *Global) isClass() bool {
	switch g.Module {
	case "datetime", "collections":
		return true
	case "typing":
		return false
	}
	name := strings.TrimLeft(plainName(g), "_")
	first, size := utf8.DecodeRuneInString(name)
	rest := name[size:]
	return unicode.IsUpper(first) && (rest == "" || strings.IndexFunc(rest, unicode.IsLower) >= 0)
}

// plainName returns the name of a class without its module and the classes around it.
func plainName(g *Global) string { return g.Name[strings.LastIndexByte(g.Name, '.')+1:] }
