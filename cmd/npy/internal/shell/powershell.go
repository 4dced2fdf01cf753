package shell

import (
	"os"
	"strings"
	"unicode/utf8"
)

// The characters that PowerShell takes for quotes: typographic quotes are quotes, too.
const (
	singleQuotes = "'\u2018\u2019\u201a\u201b"
	doubleQuotes = "\"\u201c\u201d\u201e"
)

// powerShell reads a line of PowerShell. Quotes are doubled within quotes, and a backtick takes the meaning of the next
// character.
func (r *reader) powerShell() {
	for r.at < len(r.line) {
		c, n := utf8.DecodeRuneInString(r.rest())
		next, m := utf8.DecodeRuneInString(r.rest()[n:])
		isSingle, isDouble := strings.ContainsRune(singleQuotes, c), strings.ContainsRune(doubleQuotes, c)
		switch {
		case r.quote == '\'' && isSingle && strings.ContainsRune(singleQuotes, next) && m > 0,
			r.quote == '"' && isDouble && strings.ContainsRune(doubleQuotes, next) && m > 0:
			r.add(n+m, string(c))
		case r.quote == '\'' && isSingle, r.quote == '"' && isDouble:
			r.open(n, 0)
		case r.quote == '\'':
			r.addRune()
		case c == '`':
			r.backtick()
		case c == '$':
			r.powerShellVariable()
		case r.quote == '"':
			r.addRune()
		case isSingle:
			r.open(n, '\'')
		case isDouble:
			r.open(n, '"')
		case strings.ContainsRune(" \t", c):
			r.endWord()
			r.at++
		case strings.ContainsRune(";|&\n", c):
			r.endCommand()
			r.at++
		case c == '>':
			r.redirect()
		case strings.ContainsRune("(){}@,<#", c):
			r.unknown(n)
		default:
			r.addRune()
		}
	}
}

// backtick reads a backtick and the character after it. Letters and digits after a backtick are controls.
func (r *reader) backtick() {
	rest := r.rest()[1:]
	switch {
	case rest == "":
		r.add(1, "")
	case rest[0] == '0' || strings.IndexByte("abefnrtuv", rest[0]) >= 0:
		r.unknown(2)
	default:
		r.add(1, "")
		r.addRune()
	}
}

// powerShellVariable reads a variable of the environment; only PowerShell knows the others.
func (r *reader) powerShellVariable() {
	const env = "$env:"
	rest := r.rest()
	if len(rest) > len(env) && strings.EqualFold(rest[:len(env)], env) {
		n := len(env) + nameLength(rest[len(env):])
		if value, ok := os.LookupEnv(rest[len(env):n]); ok {
			r.expand(n, value)
			return
		}
	}
	r.unknown(1)
}
