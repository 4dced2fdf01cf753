package shell

import (
	"os"
	"strings"
)

// posix reads a line of bash, zsh or fish. They differ in the meaning of a backslash, and in the places of braces and parentheses.
func (r *reader) posix() {
	for r.at < len(r.line) {
		c := r.line[r.at]
		switch {
		case r.quote == '\'':
			r.single(c)
		case c == '\\':
			r.backslash()
		case c == '$':
			r.dollar()
		case c == '`' && r.shell != Fish:
			r.enclosed(1, '`')
		case r.quote == '"' && c == '"':
			r.open(1, 0)
		case r.quote == '"':
			r.addRune()
		default:
			r.unquoted(c)
		}
	}
}

// single reads a character within single quotes.
func (r *reader) single(c byte) {
	next := byte(0)
	if r.at+1 < len(r.line) {
		next = r.line[r.at+1]
	}
	switch {
	case c == '\'':
		r.open(1, 0)
	case r.shell == Fish && c == '\\' && (next == '\'' || next == '\\'):
		r.add(2, string(next))
	case r.shell == Fish && c == '\\' && r.at+1 == len(r.line):
		r.add(1, "")
	default:
		r.addRune()
	}
}

// backslash reads a backslash and the characters that it quotes. A backslash at the cursor stands for nothing yet.
func (r *reader) backslash() {
	if len(r.rest()) == 1 {
		r.add(1, "")
		return
	}
	next := r.line[r.at+1]
	meanings := "$`\"\\"
	if r.shell == Fish {
		meanings = "$\"\\"
	}
	switch {
	case next == '\n':
		r.add(2, "")
	case r.quote == '"' && strings.IndexByte(meanings, next) < 0:
		r.add(1, `\`)
	case r.quote == 0 && r.shell == Fish && (next|0x20 >= 'a' && next|0x20 <= 'z' || next >= '0' && next <= '9'):
		r.unknown(2) // the escapes of C
	default:
		r.add(1, "")
		r.addRune()
	}
}

// dollar reads a variable or a command.
func (r *reader) dollar() {
	rest := r.rest()
	next := byte(0)
	if len(rest) > 1 {
		next = rest[1]
	}
	switch {
	case next == '(':
		r.enclosed(2, ')')
	case r.quote == 0 && next == '\'' && r.shell != Fish: // with the escapes of C
		n, closed := r.closing(2, '\'')
		if !closed {
			r.quote = '\''
		}
		r.unknown(n)
	case r.quote == 0 && next == '"' && r.shell == Bash: // a text to translate
		r.open(2, '"')
	case next == '{' && r.shell != Fish:
		n, closed := r.closing(2, '}')
		if name := strings.TrimSuffix(rest[2:n], "}"); closed && name != "" && nameLength(name) == len(name) {
			r.variable(n, name)
			return
		}
		r.unknown(n)
	case nameLength(rest[1:]) > 0:
		n := 1 + nameLength(rest[1:])
		r.variable(n, rest[1:n])
	case next != 0 && strings.IndexByte("0123456789?*@#!$-[", next) >= 0:
		r.unknown(2)
	case r.shell == Fish: // an error
		r.unknown(1)
	default:
		r.add(1, "$")
	}
}

// variable reads a variable of n bytes. Outside of quotes bash makes several words of a value with spaces or patterns.
func (r *reader) variable(n int, name string) {
	value, ok := os.LookupEnv(name)
	if !ok || r.quote == 0 && r.shell == Bash && strings.ContainsAny(value, " \t\n*?[") || r.at+n < len(r.line) && r.line[r.at+n] == '[' && r.shell != Bash {
		r.unknown(n)
		return
	}
	r.expand(n, value)
}

// unquoted reads a character outside of quotes that is neither a backslash nor a dollar sign.
func (r *reader) unquoted(c byte) {
	switch c {
	case ' ', '\t':
		r.endWord()
		r.at++
	case '\'', '"':
		r.open(1, c)
	case ';', '|', '\n', ')':
		r.endCommand()
		r.at++
	case '&':
		if strings.HasPrefix(r.rest(), "&>") {
			r.redirect()
			return
		}
		r.endCommand()
		r.at++
	case '<', '>':
		r.redirect()
	case '(':
		if r.inWord || r.shell == Fish {
			r.enclosed(1, ')')
			return
		}
		r.endCommand()
		r.at++
	case '{':
		if r.shell == Fish {
			r.enclosed(1, '}')
			return
		}
		r.addRune()
	case '~':
		r.tilde()
	default:
		r.addRune()
	}
}

// redirect reads an operator such as 2>&. The word after it is a file, or a command in parentheses.
func (r *reader) redirect() {
	if r.inWord && strings.Trim(r.line[r.start:r.at], "0123456789") == "" {
		r.drop()
	}
	r.endWord()
	n := len(r.rest()) - len(strings.TrimLeft(r.rest(), "<>&|"))
	if n < len(r.rest()) && r.rest()[n] == '(' {
		r.enclosed(n+1, ')')
		return
	}
	r.at += n
	r.toFile = true
}

// tilde reads a home folder, which begins a word.
func (r *reader) tilde() {
	if r.inWord {
		r.addRune()
		return
	}
	name, _, ended := strings.Cut(r.rest()[1:], "/")
	if home, ok := homeOf(name); ok && ended && !strings.ContainsAny(name, "\\'\"$` \t") {
		r.expand(1+len(name), strings.TrimSuffix(home, "/"))
		return
	}
	r.unknown(1)
}

// enclosed adds the construct that the next n bytes open, up to its end.
func (r *reader) enclosed(n int, end byte) {
	n, _ = r.closing(n, end)
	r.unknown(n)
}

// closing returns the number of bytes from here to the end of the construct that the first n bytes open, or to the end of the line.
func (r *reader) closing(n int, end byte) (length int, closed bool) {
	rest := r.rest()
	closers := []byte{end}
	for i := n; i < len(rest); i++ {
		c, last := rest[i], closers[len(closers)-1]
		switch {
		case c == '\\' && (last != '\'' || end == '\''):
			i++
		case c == last:
			if closers = closers[:len(closers)-1]; len(closers) == 0 {
				return i + 1, true
			}
		case last == '\'' || last == '`':
		case c == '(':
			closers = append(closers, ')')
		case c == '{' && last == '}':
			closers = append(closers, '}')
		case (c == '\'' || c == '"' || c == '`') && last != '"':
			closers = append(closers, c)
		}
	}
	return len(rest), false
}
