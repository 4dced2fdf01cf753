package pylit

// Python's rules on white space. A line break counts inside brackets as a blank
// and outside ends the value; "\r" and "\r\n" are line breaks too, because
// Python replaces them before it reads anything else; a form feed is a blank,
// a vertical tab is not.

// eightBlanks is compared at once: a header ends in dozens of blanks.
const eightBlanks = "        "

// space skips blanks, comments and continued lines, and line breaks inside
// brackets. After it the position is at a token, at the end of the text or,
// outside brackets, at a line break.
func (p *parser) space() bool {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\f':
			p.blanks()
		case '\n', '\r':
			if p.depth == 0 {
				return true
			}
			p.pos++
		case '#':
			p.comment()
		case '\\':
			if !p.continuation() {
				return false
			}
		default:
			return true
		}
	}
	return true
}

// blanks skips blanks within a line.
func (p *parser) blanks() {
	i := p.pos
	for i+len(eightBlanks) <= len(p.text) && p.text[i:i+len(eightBlanks)] == eightBlanks {
		i += len(eightBlanks)
	}
	for i < len(p.text) && isBlank(p.text[i]) {
		i++
	}
	p.pos = i
}

// comment skips to the end of the line.
func (p *parser) comment() {
	for p.pos < len(p.text) && !isNewline(p.text[p.pos]) {
		p.pos++
	}
}

// continuation skips a backslash and the line break that must follow it. A text may not end there.
func (p *parser) continuation() bool {
	start := p.pos
	p.pos++
	if !isNewline(p.peek()) {
		return p.fail(start, Syntax, "unexpected character after line continuation character")
	}
	p.newline()
	if p.pos == len(p.text) {
		return p.fail(start, Syntax, "unexpected end of text after line continuation character")
	}
	return true
}

// newline skips one line break of one or two bytes.
func (p *parser) newline() {
	if p.peek() == '\r' && p.at(p.pos+1) == '\n' {
		p.pos++
	}
	p.pos++
}

// lines skips empty lines and lines that hold only a comment, from the start of a line. The next token, or the end of
// the text, must not be indented: outside brackets Python would take it for a block. A form feed resets the
// indentation. Where a backslash continues an indented line, that line's indentation counts and not the next line's.
func (p *parser) lines() bool {
	start, indented, held := p.pos, false, false
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case ' ', '\t':
			p.blanksOnly()
			indented = true
		case '\f':
			p.pos++
			indented = false
		case '\\':
			held = held || indented
			if !p.continuation() {
				return false
			}
		case '#', '\n', '\r':
			p.comment()
			if p.pos == len(p.text) {
				return true
			}
			p.newline()
			start, indented, held = p.pos, false, false
		default:
			return p.margin(start, indented || held)
		}
	}
	// The filter that NumPy runs over headers from Python 2 drops the blanks
	// after the last line break, so with Long they are no error.
	return p.margin(start, (indented || held) && !p.long)
}

// margin checks that the line which starts at offset start is not indented.
func (p *parser) margin(start int, indented bool) bool {
	if indented {
		return p.fail(start, Syntax, "unexpected indent")
	}
	return true
}

// blanksOnly skips spaces and tabs.
func (p *parser) blanksOnly() {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
}

func isBlank(c byte) bool   { return c == ' ' || c == '\t' || c == '\f' }
func isNewline(c byte) bool { return c == '\n' || c == '\r' }
