package pickle

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// global prints a class or a function as Python does if its kind is known, else the bare name.
func (r *repr) global(g *Global) {
	switch {
	case g.Module == "builtins" && slices.Contains(builtinFunctions, g.Name):
		r.text("<built-in function ")
		r.name(g.Name)
		r.text(">")
	case g.Module == "builtins":
		r.text("<class '")
		r.name(g.Name)
		r.text("'>")
	case g.isClass():
		r.text("<class '")
		r.qualified(g)
		r.text("'>")
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
