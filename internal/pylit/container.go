package pylit

// parenthesis parses a tuple, or a value in parentheses.
func (p *parser) parenthesis(v *Value) bool {
	start := p.pos
	if !p.open() {
		return false
	}
	if p.peek() == ')' {
		p.close(v, Tuple, start, nil)
		return true
	}
	if !p.element(v, start) {
		return false
	}
	if p.peek() != ')' {
		return p.elements(v, Tuple, start, ')')
	}
	p.depth--
	p.pos++
	v.Start, v.End = start, p.pos
	return true
}

// list parses a list.
func (p *parser) list(v *Value) bool {
	start := p.pos
	if !p.open() {
		return false
	}
	if p.peek() == ']' {
		p.close(v, List, start, nil)
		return true
	}
	return p.element(v, start) && p.elements(v, List, start, ']')
}

// braces parses a set or a dict; the token after the first element tells which.
func (p *parser) braces(v *Value) bool {
	start := p.pos
	if !p.open() {
		return false
	}
	if p.peek() == '}' {
		p.close(v, Dict, start, nil)
		return true
	}
	if !p.element(v, start) {
		return false
	}
	if p.peek() == ':' {
		return p.pairs(v, start)
	}
	return p.elements(v, Set, start, '}')
}

// element parses one element of the container that starts at offset open.
func (p *parser) element(v *Value, open int) bool {
	if p.pos == len(p.text) {
		return p.neverClosed(open)
	}
	return p.expression(v)
}

// elements parses the rest of a tuple, list or set whose first element is v,
// and leaves the container in v.
func (p *parser) elements(v *Value, kind Kind, start int, end byte) bool {
	var c collector
	for {
		if kind == Set && !p.key(v) {
			return false
		}
		c.add(v, len(p.text)-p.pos)
		more, ok := p.comma(start, end)
		if !ok {
			return false
		}
		if !more {
			p.close(v, kind, start, c.items())
			return true
		}
		if !p.element(v, start) {
			return false
		}
	}
}

// pairs parses the rest of a dict whose first key is v, and leaves the dict in
// v.
func (p *parser) pairs(v *Value, start int) bool {
	var c collector
	for {
		if !p.key(v) {
			return false
		}
		c.add(v, len(p.text)-p.pos)
		if !p.colon(start) || !p.element(v, start) {
			return false
		}
		c.add(v, len(p.text)-p.pos)
		more, ok := p.comma(start, '}')
		if !ok {
			return false
		}
		if !more {
			p.close(v, Dict, start, c.items())
			return true
		}
		if !p.element(v, start) {
			return false
		}
	}
}

// key checks that v can be a key of a dict or an element of a set.
func (p *parser) key(v *Value) bool {
	if kind, ok := v.hashable(); !ok {
		return p.fail(v.Start, Unhashable, "unhashable type: '"+kind.String()+"'")
	}
	return true
}

// colon skips the colon between a key and its value.
func (p *parser) colon(open int) bool {
	if p.peek() == 0 {
		return p.neverClosed(open)
	}
	if p.peek() != ':' || p.at(p.pos+1) == '=' {
		return p.noSeparator("':'")
	}
	p.pos++
	return p.space()
}

// comma skips a comma after an element. It reports more if another element
// follows, and leaves the position at the bracket that ends the container
// otherwise.
func (p *parser) comma(open int, end byte) (more, ok bool) {
	switch p.peek() {
	case end:
		return false, true
	case ',':
		p.pos++
		if !p.space() {
			return false, false
		}
		return p.peek() != end, true
	case 0:
		return false, p.neverClosed(open)
	case ')', ']', '}':
		return false, p.fail(p.pos, Syntax, p.character()+" does not match '"+p.text[open:open+1]+"'")
	}
	return false, p.noSeparator("',' or '" + string(rune(end)) + "'")
}

// A collector gathers the elements of one container. The first few stay on the
// stack, so that a short container costs one allocation of its exact size.
type collector struct {
	few  [6]Value // the dict of a header
	n    int      // elements in few
	many []Value
}

// add appends a copy of v. left is the number of bytes of text that remain.
func (c *collector) add(v *Value, left int) {
	if c.many == nil && c.n < len(c.few) {
		c.few[c.n] = *v
		c.n++
		return
	}
	if len(c.many) == cap(c.many) {
		c.grow(left)
	}
	c.many = append(c.many, *v)
}

// all returns the elements in memory that belongs to the collector.
func (c *collector) all() []Value {
	if c.many == nil {
		return c.few[:c.n]
	}
	return c.many
}

// grow doubles the capacity of many. append grows long slices so slowly that the old arrays together are several times
// their size. The capacity never exceeds the number of values that can follow, of two bytes each with a separator.
func (c *collector) grow(left int) {
	n := len(c.all())
	many := make([]Value, n, n+min(n, left/2+1))
	copy(many, c.all())
	c.many = many
}

// items returns the elements in their final memory: the caller may keep them for long, so they take little more memory
// than they need.
func (c *collector) items() []Value {
	if c.many != nil && len(c.many) >= cap(c.many)/4*3 {
		return c.many
	}
	all := c.all()
	items := make([]Value, len(all))
	copy(items, all)
	return items
}
