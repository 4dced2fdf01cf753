package pickle

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/pickle/internal/encoder"
	"github.com/npygo/npy/pickle/internal/interned"
	"github.com/npygo/npy/pickle/internal/opcode"
	"github.com/npygo/npy/pickle/internal/python2"
)

var (
	errGlobalName = errors.New("its name cannot be a line of text: set Encoder.Protocol to 4 or more")
	errASCIIName  = errors.New("its name is not ASCII: set Encoder.Protocol to 3 or more")
)

// saveGlobal writes the name of a global and memoises it.
func (p *pickler) saveGlobal(g *Global) error {
	g, err := p.global(g)
	if err != nil {
		return err
	}
	name := Global{Module: g.Module, Name: g.Name}
	id := keyOf(g)
	if p.out.Refer(id) {
		return nil
	}
	if parent, last, ok := cutLast(g.Name); ok && p.protocol < 4 {
		return p.enterObject(p.keep(call(nil, getattrFunction, &Global{Module: g.Module, Name: parent}, last)), id)
	}
	if err := p.writeGlobal(g, name); err != nil {
		return err
	}
	p.out.Memoize(id)
	return nil
}

// global returns the global that is written for g. Two globals of the same name are one object to Python.
func (p *pickler) global(g *Global) (*Global, error) {
	name := Global{Module: g.Module, Name: g.Name}
	if first, ok := p.globals[name]; ok {
		return first, nil
	}
	if p.rename != nil {
		renamed, err := p.rename(g)
		if err != nil {
			return nil, fail(g, err)
		}
		g = renamed
		key := Global{Module: g.Module, Name: g.Name}
		if first, ok := p.globals[key]; ok {
			g = first
		}
		p.globals[key] = g
	}
	p.globals[name] = g
	return g, nil
}

// cutLast splits a qualified name at its last dot.
func cutLast(name string) (parent, last string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || i == len(name)-1 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// writeGlobal writes a global as two strs or, in the older protocols, as two lines of text.
func (p *pickler) writeGlobal(g *Global, name Global) error {
	if p.protocol >= 4 {
		return p.stackGlobal(g)
	}
	return p.writeLines(opcode.Global, g, name)
}

// writeLines writes an opcode and a global as two lines of text.
func (p *pickler) writeLines(op byte, g *Global, name Global) error {
	if p.protocol < 3 {
		name.Module, name.Name = python2.FromPython3(name.Module, name.Name)
	}
	text := name.Module + "\n" + name.Name + "\n"
	switch {
	case strings.Count(text, "\n") != 2 || !utf8.ValidString(text):
		return fail(g, errGlobalName)
	case p.protocol < 3 && len(text) != utf8.RuneCountInString(text):
		return fail(g, errASCIIName)
	}
	p.out.Lines(op, name.Module, name.Name)
	return nil
}

// stackGlobal writes a global as two strs, which are memoised too. A global that was decoded is written with the
// identity of its strs in the pickle. Otherwise the name is a new str, as it is for most of Python's classes.
func (p *pickler) stackGlobal(g *Global) error {
	if err := p.saveModule(g); err != nil {
		return err
	}
	var name any = newStr(g.Name)
	if _, single := interned.SingleChar(g.Name); g.read || single {
		name = g.Name
	}
	if err := p.save(name); err != nil {
		return err
	}
	p.out.Ops(opcode.StackGlobal)
	return nil
}

// saveModule writes the name of a global's module. All globals of one module share one str, unless they come from a
// pickle that had several.
func (p *pickler) saveModule(g *Global) error {
	if err := p.out.Boundary(); err != nil {
		return err
	}
	id := encoder.Key{}
	if g.read {
		if id = keyOf(g.Module); p.out.Refer(id) {
			return nil
		}
	}
	key := g.Module
	switch {
	case key == "builtins" && slices.Contains(builtinFunctions, g.Name):
		key = "builtins()" // another str than for the classes of the module
	case key == "collections" && (g.Name == "defaultdict" || g.Name == "deque"):
		key += "." + g.Name // classes made in C, which have strs of their own since CPython 3.12
	}
	first, ok := p.modules[key]
	if ok && !(first.read && g.read) {
		if g.read {
			p.out.GetAs(id, first.number)
			return nil
		}
		p.out.Get(first.number)
		return nil
	}
	if !ok {
		p.modules[key] = moduleName{p.out.Number(), g.read}
	}
	return p.saveString(g.Module, id)
}

// builtinFunctions are the functions of Python's module builtins; its other names are classes and constants.
var builtinFunctions = []string{
	"abs", "aiter", "all", "anext", "any", "ascii", "bin", "breakpoint", "callable", "chr",
	"compile", "delattr", "dir", "divmod", "eval", "exec", "format", "getattr", "globals", "hasattr", "hash", "hex", "id",
	"input", "isinstance", "issubclass", "iter", "len", "locals", "max", "min", "next", "oct", "open", "ord", "pow",
	"print", "repr", "round", "setattr", "sorted", "sum", "vars", "__import__", "__build_class__",
}
