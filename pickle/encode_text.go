package pickle

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/npygo/npy/internal/pylit"
)

// Protocol0 selects protocol 0 in [Encoder.Protocol], where 0 means the default.
const Protocol0 = -1

// Protocols 0 and 1 are Python's first. Protocol 0 is text: numbers and strings end in a newline, and containers are
// filled one item at a time. Protocol 1 has opcodes for numbers of 32 bits, strings and empty containers.

// saveBool writes a bool in protocols without an opcode for it.
func (p *pickler) saveBool(b bool) {
	if b {
		p.line('I', "01")
	} else {
		p.line('I', "00")
	}
}

// saveOldInt writes an int of 64 bits in protocols 0 and 1.
func (p *pickler) saveOldInt(n int64) {
	switch {
	case n < math.MinInt32 || n > math.MaxInt32:
		p.line('L', strconv.FormatInt(n, 10)+"L")
	case p.protocol == 0:
		p.line('I', strconv.FormatInt(n, 10))
	default:
		p.out.int(n)
	}
}

// saveOldBig writes an int of any size.
func (p *pickler) saveOldBig(n *big.Int) {
	p.line('L', n.String()+"L")
}

// saveText writes a str in protocol 0.
func (p *pickler) saveText(s string) {
	p.line('V', string(escaped(s)))
}

// escaped returns a str in Python's codec raw-unicode-escape, with escapes for the characters that would end a line.
func escaped(s string) []byte {
	line := make([]byte, 0, len(s))
	for len(s) > 0 {
		c, size := decodeRune(s)
		s = s[size:]
		switch {
		case c >= 0x10000:
			line = fmt.Appendf(line, `\U%08x`, c)
		case c >= 256 || c == '\\' || c == 0 || c == '\n' || c == '\r' || c == 0x1a:
			line = fmt.Appendf(line, `\u%04x`, c)
		default:
			line = append(line, byte(c))
		}
	}
	return line
}

// decodeRune returns the first character of text that has passed validText, where surrogates are encoded as themselves.
func decodeRune(s string) (rune, int) {
	c, size := utf8.DecodeRuneInString(s)
	if c == utf8.RuneError && size == 1 {
		return rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return c, size
}

// line writes an opcode and its argument, the rest of the line.
func (p *pickler) line(op byte, argument string) {
	p.out.bytes(op)
	p.out.buf = append(append(p.out.buf, argument...), '\n')
}

// saveFloat writes a float.
func (p *pickler) saveFloat(f float64) {
	if p.protocol == 0 {
		p.line('F', string(pylit.AppendFloat(nil, f)))
	} else {
		p.out.float(f)
	}
}

// empty writes a list, dict or tuple without items.
func (p *pickler) empty(op, oldOp byte) {
	if p.protocol == 0 {
		p.out.bytes(opMark, oldOp)
	} else {
		p.out.bytes(op)
	}
}

// drop writes the opcodes that drop the mark and the items of a tuple, for one that an item has memoised.
func (p *pickler) drop(items int) {
	if p.protocol == 1 || p.protocol >= 2 && items > 3 {
		p.out.bytes(opPopMark)
		return
	}
	if p.protocol == 0 {
		items++ // the mark
	}
	for range items {
		p.out.bytes(opPop)
	}
}

var newObjFunction = &Global{Module: "copyreg", Name: "__newobj__"}

// oldObject returns an object that is made by __new__, as Python writes it in protocols without an opcode for that.
func oldObject(o *Object) *Object {
	made := *o
	made.How = Call
	if o.Args == nil || len(o.Args.Items) == 0 {
		made.Class, made.Args = reconstructFunction, &Tuple{Items: []any{o.Class, objectClass, nil}}
		return &made
	}
	made.Class, made.Args = newObjFunction, &Tuple{Items: append([]any{o.Class}, o.Args.Items...)}
	return &made
}

// instance writes the call of an old-style class of Python 2 in protocol 0, after its arguments.
func (p *pickler) instance(t *task, o *Object) error {
	g, ok := o.Class.(*Global)
	if !ok {
		return fail(o, errInstance)
	}
	g, err := p.global(g)
	if err == nil {
		err = p.writeLines(opInst, g, Global{Module: g.Module, Name: g.Name})
	}
	if err == nil {
		p.memoize(t.id)
	}
	return err
}

var errInstance = errors.New("its class has no name: set Encoder.Protocol to 1 or more")

var (
	reconstructFunction = &Global{Module: "copyreg", Name: "_reconstructor"}
	objectClass         = &Global{Module: "builtins", Name: "object"}
)
