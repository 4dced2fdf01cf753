package shell

import (
	"strings"
	"unicode/utf8"
)

// Replace returns the text that makes a candidate of the word when it takes the place of the line from an offset on, where
// bash begins to replace. Variables and home folders stay as they are. ok is false if there is no such text: the
// candidate must begin with the text of the word, and the offset be in the word, within the open quote.
func (w Word) Replace(from int, candidate string) (text string, ok bool) {
	if from < w.start || !strings.HasPrefix(candidate, w.Text) {
		return "", false
	}
	keep, rest, open := from, candidate, byte(0)
	before := candidate
	for _, p := range w.pieces {
		before = before[len(p.text):]
		if p.start < from && from < p.end {
			return "", false
		}
		if p.end <= from || p.fixed {
			keep, rest, open = max(from, p.end), before, p.open
		}
	}
	if open != w.Open {
		return "", false
	}
	return w.line[from:keep] + quote(rest, open), true
}

// Kept returns the number of characters of the line from an offset on that stay as they are when a candidate takes the
// place of the rest, and the text that the word has before the rest: all up to the last variable or home folder,
// and all that stands for the first n bytes of the text. ok is false if another quote is open there than at the cursor.
func (w Word) Kept(from, n int) (characters int, text string, ok bool) {
	keep, all, changed := from, "", -1
	open := byte(0)
	for _, p := range w.pieces {
		if p.open != open && p.start >= from {
			changed = p.end
		}
		open, all = p.open, all+p.text
		if p.end > from && (p.fixed || p.text != "" && len(all) <= n) { // a backslash belongs to the next character
			keep, text = p.end, all
		}
	}
	return utf8.RuneCountInString(w.line[from:keep]), text, keep == from || changed <= keep
}

// BeginsWith reports whether the word was typed so that it begins with a text.
func (w Word) BeginsWith(text string) bool { return strings.HasPrefix(w.line[w.start:], text) }

// Typed returns a candidate with the variables and the home folder of the word as they were typed.
func (w Word) Typed(candidate string) string {
	typed, rest := "", candidate
	for _, p := range w.pieces {
		rest = rest[len(p.text):]
		if p.fixed {
			typed += w.line[p.start:p.end]
			continue
		}
		typed += p.text
	}
	return typed + rest
}

// quote returns s for bash, where a quote is open or none (0). Bash replaces ! within double quotes by earlier commands,
// and a backslash before it stays, so that s leaves them for it.
func quote(s string, open byte) string {
	switch open {
	case '\'':
		return strings.ReplaceAll(s, `'`, `'\''`)
	case '"':
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`", `!`, `"\!"`).Replace(s)
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < utf8.RuneSelf && !isAlphanumeric(c) && strings.IndexByte("%+,-./:=@_", c) < 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isAlphanumeric(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// QuotePowerShell returns s as one word of PowerShell. Within single quotes nothing has a meaning except single quotes,
// and typographic quotes are quotes.
func QuotePowerShell(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		if strings.ContainsRune(singleQuotes, r) {
			b.WriteRune(r)
		}
		b.WriteRune(r)
	}
	b.WriteByte('\'')
	return b.String()
}

// IsBare reports whether PowerShell takes s as one word without quotes.
func IsBare(s string) bool {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "-")
	for i, c := range []byte(s) {
		if !isAlphanumeric(c) && strings.IndexByte(`_/\.:`, c) < 0 && (i == 0 || strings.IndexByte("-=+", c) < 0) {
			return false
		}
	}
	return s != ""
}
