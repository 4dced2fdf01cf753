// Package interned has the short strs and bytes that CPython shares: each is one object, or one of two. A Go string has no
// identity, so the address of its data identifies the object.
package interned

import (
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
)

// Empty stands for the character of an empty str or bytes.
const Empty = 256

// SingleChar returns the character of a str that CPython has only once: the empty str or one character below 256.
func SingleChar(s string) (char uintptr, ok bool) {
	switch {
	case len(s) == 0:
		return Empty, true
	case len(s) == 1:
		return uintptr(s[0]), s[0] < utf8.RuneSelf
	case len(s) == 2 && (s[0] == 0xc2 || s[0] == 0xc3):
		return uintptr(s[0]&3)<<6 | uintptr(s[1]&0x3f), true
	}
	return 0, false
}

// seconds holds the characters that SingleChar knows, two bytes for each. CPython 3.11 has two objects for some of
// them, one for the names of attributes: a string in this memory is the second object of a pickle.
var seconds = sync.OnceValue(func() string {
	var b strings.Builder
	for c := range rune(256) {
		b.WriteRune(c)
		if c < utf8.RuneSelf {
			b.WriteByte(0)
		}
	}
	return b.String()
})

// IsSecond reports whether a string at an address came from SecondChar.
func IsSecond(address uintptr) bool {
	return address-reflect.ValueOf(seconds()).Pointer() < 2*256
}

// SecondChar returns the second string object of a character.
func SecondChar(c uintptr) string {
	_, size := utf8.DecodeRuneInString(seconds()[2*c:])
	return seconds()[2*c:][:size]
}

// Apart returns bytes of length 1 that are a different object than equal bytes. CPython has one object for each such
// value, except in bytes that it has read from a pickle. A mark in the spare capacity says so.
func Apart(c byte) []byte { return append([]byte{c}, apartMark...)[:1] }

// IsApart reports whether Apart made b.
func IsApart(b []byte) bool {
	n := 1 + len(apartMark)
	return cap(b) >= n && string(b[1:n]) == apartMark
}

const apartMark = "another"
