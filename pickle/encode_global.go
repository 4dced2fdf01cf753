package pickle

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	errGlobalName = errors.New("its name cannot be a line of text: set Encoder.Protocol to 4 or more")
	errASCIIName  = errors.New("its name is not ASCII: set Encoder.Protocol to 3 or more")
)

// saveGlobal writes the name of a global and memoises it. Two that are called the same are one to Python.
func (p *pickler) saveGlobal(g *Global) error {
	name := Global{Module: g.Module, Name: g.Name}
	if first, ok := p.globals[name]; ok {
		g = first
	} else {
		p.globals[name] = g
	}
	id := memoKeyOf(g)
	if p.refer(id) {
		return nil
	}
	if parent, last, ok := cutLast(g.Name); ok && p.protocol < 4 {
		return p.enterObject(p.keep(call(nil, getattrFunction, &Global{Module: g.Module, Name: parent}, last)), id)
	}
	if err := p.writeGlobal(g, name); err != nil {
		return err
	}
	p.memoize(id)
	return nil
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
	if p.protocol < 3 {
		name = fromPython3(name)
	}
	text := name.Module + "\n" + name.Name + "\n"
	switch {
	case strings.Count(text, "\n") != 2 || !utf8.ValidString(text):
		return fail(g, errGlobalName)
	case p.protocol < 3 && len(text) != utf8.RuneCountInString(text):
		return fail(g, errASCIIName)
	}
	p.out.bytes(opGlobal)
	p.out.buf = append(p.out.buf, text...)
	return nil
}

// stackGlobal writes a global as two strs, which are memoised too. Those of a global that was read are the strs they
// were there. Otherwise a module's name is one str wherever it is needed, and the name in it is a new one, as Python has
// them for most of its classes.
func (p *pickler) stackGlobal(g *Global) error {
	if err := p.saveModule(g); err != nil {
		return err
	}
	var name any = newStr(g.Name)
	if _, single := singleChar(g.Name); g.read || single {
		name = g.Name
	}
	if err := p.save(name); err != nil {
		return err
	}
	p.out.bytes(opStackGlobal)
	return nil
}

// saveModule writes the name of a global's module.
func (p *pickler) saveModule(g *Global) error {
	if g.read && g.Module != "builtins" {
		return p.saveReadModule(g)
	}
	if err := p.out.boundary(); err != nil {
		return err
	}
	key := g.Module
	switch {
	case key == "builtins" && slices.Contains(builtinFunctions, g.Name):
		key = "builtins()" // another str than that of the classes
	case key == "collections" && (g.Name == "defaultdict" || g.Name == "deque"):
		key += "." + g.Name // classes made in C, which have strs of their own since CPython 3.12
	}
	id := memoKey{}
	if g.read {
		id = memoKeyOf(g.Module)
	}
	for _, key := range []string{key, readModule + key} {
		if n, ok := p.modules[key]; ok {
			p.out.get(n)
			return nil
		}
	}
	p.modules[key] = p.memo.count
	return p.saveString(g.Module, id)
}

// readModule stands before the names of modules that come from globals that were read.
const readModule = "\x00"

// saveReadModule writes the name of the module of a global that was read: the str that it was there. Globals that were not
// read, such as that of a date, had one with it, so that each takes the str of the other, whichever comes first.
func (p *pickler) saveReadModule(g *Global) error {
	id := memoKeyOf(g.Module)
	if n, ok := p.modules[g.Module]; ok {
		if _, known := p.memo.find(id); !known {
			p.memo.set(id, n)
		}
	}
	next := p.memo.count
	err := p.save(g.Module)
	if _, known := p.modules[readModule+g.Module]; !known && p.memo.count > next {
		p.modules[readModule+g.Module] = next
	}
	return err
}

// builtinFunctions are the functions of Python's module builtins; what else there is in it is a class or a constant.
var builtinFunctions = []string{
	"abs", "aiter", "all", "anext", "any", "ascii", "bin", "breakpoint", "callable", "chr",
	"compile", "delattr", "dir", "divmod", "eval", "exec", "format", "getattr", "globals", "hasattr", "hash", "hex", "id",
	"input", "isinstance", "issubclass", "iter", "len", "locals", "max", "min", "next", "oct", "open", "ord", "pow",
	"print", "repr", "round", "setattr", "sorted", "sum", "vars", "__import__", "__build_class__",
}
