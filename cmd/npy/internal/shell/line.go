// Package shell reads the command lines of shells up to the cursor, and quotes text for them. It looks up variables and home
// folders, and runs nothing: a word with a command in it has no known text.
package shell

import (
	"os"
	"os/user"
	"strings"
	"unicode/utf8"
)

// A Shell is the name of a shell.
type Shell string

// The shells whose lines are read.
const (
	Bash       Shell = "bash"
	Zsh        Shell = "zsh"
	Fish       Shell = "fish"
	PowerShell Shell = "powershell"
)

// A Line is a command line up to the cursor.
type Line struct {
	Words []string // the arguments before the word at the cursor; an argument that is not known is as it was typed
	Word  Word     // the word at the cursor
	File  bool     // the word is the file of a redirection
}

// A Word is the word at the cursor.
type Word struct {
	Text  string // without quotes, and with the values of variables
	Known bool   // false if only the shell can tell the text: the word has a command or a variable that is not exported
	Open  byte   // the quote that is open at the cursor: ', " or 0

	line   string
	start  int // the offset in line
	pieces []piece
}

// A piece of a word is one character, a quote, or syntax that stands for text.
type piece struct {
	start, end int    // in the line
	text       string // the text it stands for
	fixed      bool   // it must stay as it was typed: a variable, or a home folder
	open       byte   // the quote that is open after it
}

// Parse reads a line that begins with the name of the command and ends at the cursor. ok is false if the cursor is in
// that name.
func Parse(s Shell, line string) (l Line, ok bool) {
	r := reader{shell: s, line: line, known: true}
	switch s {
	case PowerShell:
		r.powerShell()
	default:
		r.posix()
	}
	if len(r.words) == 0 {
		return l, false
	}
	w := Word{Known: r.known, Open: r.quote, line: line, start: r.start, pieces: r.pieces}
	if !r.inWord {
		w.start = len(line)
	}
	for _, p := range r.pieces {
		w.Text += p.text
	}
	return Line{Words: r.words[1:], Word: w, File: r.toFile}, true
}

// A reader takes a line apart.
type reader struct {
	shell Shell
	line  string
	at    int
	words []string // that have ended

	inWord bool
	start  int // of the word
	pieces []piece
	known  bool
	quote  byte // that is open
	toFile bool // the word follows < or >
}

func (r *reader) rest() string { return r.line[r.at:] }

// begin makes sure that a word has begun.
func (r *reader) begin() {
	if !r.inWord {
		r.inWord, r.start = true, r.at
	}
}

// add adds the next n bytes of the line to the word, which stand for text.
func (r *reader) add(n int, text string) { r.piece(n, piece{text: text}) }

// addRune adds the next character of the line as it is.
func (r *reader) addRune() {
	_, n := utf8.DecodeRuneInString(r.rest())
	r.add(n, r.rest()[:n])
}

// open adds a quote of n bytes that opens, or closes if quote is 0.
func (r *reader) open(n int, quote byte) {
	r.begin()
	r.quote = quote
	r.add(n, "")
}

// expand adds the next n bytes, which stand for the value of a variable or a home folder.
func (r *reader) expand(n int, value string) { r.piece(n, piece{text: value, fixed: true}) }

// unknown adds the next n bytes, whose text is not known.
func (r *reader) unknown(n int) {
	r.known = false
	r.piece(n, piece{text: r.rest()[:n], fixed: true})
}

func (r *reader) piece(n int, p piece) {
	r.begin()
	p.start, p.end, p.open = r.at, r.at+n, r.quote
	r.pieces = append(r.pieces, p)
	r.at += n
}

// endWord ends the word.
func (r *reader) endWord() {
	if !r.inWord {
		return
	}
	if !r.toFile && !(len(r.words) == 0 && isAssignment(r.line[r.start:r.at])) {
		text := r.line[r.start:r.at]
		if r.known {
			text = ""
			for _, p := range r.pieces {
				text += p.text
			}
		}
		r.words = append(r.words, text)
	}
	r.drop()
	r.toFile = false
}

// drop forgets the word.
func (r *reader) drop() { r.inWord, r.pieces, r.known = false, nil, true }

// endCommand ends the command, and another begins.
func (r *reader) endCommand() {
	r.endWord()
	r.words, r.toFile = nil, false
}

// isAssignment reports whether a word before a command sets a variable.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && nameLength(name) == len(name)
}

// nameLength returns the length of the name of a variable at the beginning of s.
func nameLength(s string) int {
	for i, c := range []byte(s) {
		if !(c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
			return i
		}
	}
	return len(s)
}

// homeOf returns the home folder of a user, or of this one.
func homeOf(name string) (string, bool) {
	if name == "" {
		home, err := os.UserHomeDir()
		return home, err == nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return "", false
	}
	return u.HomeDir, u.HomeDir != ""
}
