package scalar

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// AppendUCS4 appends the text of a NumPy U item, which has four bytes per code point in the given byte order.
// NULs at the end are dropped; NULs inside are kept. A lone surrogate becomes its three-byte form, as with
// CPython's surrogatepass, so the result is UTF-8 only if there was none. An element above 0x10FFFF gives a
// *[CodePointError]. A src whose length is not a multiple of four gives a *[SizeError]. On an error dst is
// returned unchanged.
func AppendUCS4(dst, src []byte, bigEndian bool) ([]byte, error) {
	if len(src)%4 != 0 {
		return dst, &SizeError{Type: "U", Size: len(src), Want: "a multiple of 4"}
	}
	for len(src) > 0 && binary.NativeEndian.Uint32(src[len(src)-4:]) == 0 {
		src = src[:len(src)-4]
	}
	start := len(dst)
	dst = slices.Grow(dst, len(src)/4)
	for i := 0; i < len(src); i += 4 {
		c := loadUCS4(src[i:], bigEndian)
		switch {
		case c < utf8.RuneSelf:
			dst = append(dst, byte(c))
		case c > utf8.MaxRune:
			return dst[:start], &CodePointError{Index: i / 4, Value: c}
		case isSurrogate(rune(c)):
			dst = append(dst, 0xe0|byte(c>>12), 0x80|byte(c>>6)&0x3f, 0x80|byte(c)&0x3f)
		default:
			dst = utf8.AppendRune(dst, rune(c))
		}
	}
	return dst, nil
}

// PutUCS4 writes s into the U item dst, four bytes per code point in the given byte order, and fills the
// rest with zeros. It never truncates: a string with more code points than dst holds gives a *[LengthError]
// and leaves dst unchanged. Three-byte surrogates become the code points from which [AppendUCS4] made them. Other
// malformed UTF-8 gives a *[ParseError] that wraps [ErrUTF8]. NULs at the end of s cannot be told from padding.
func PutUCS4(dst []byte, s string, bigEndian bool) error {
	if len(dst)%4 != 0 {
		return &SizeError{Type: "U", Size: len(dst), Want: "a multiple of 4"}
	}
	n, bad := scanUTF8(s)
	if bad >= 0 {
		return &ParseError{Type: "U", Text: s, Offset: bad, Err: ErrUTF8}
	}
	if n > len(dst)/4 {
		return &LengthError{Length: n, Room: len(dst) / 4}
	}
	if n == len(s) && !bigEndian {
		for i := range len(s) {
			binary.LittleEndian.PutUint32(dst[4*i:4*i+4], uint32(s[i]))
		}
		clear(dst[4*n:])
		return nil
	}
	for s != "" {
		c, size := decode(s)
		storeUCS4(dst, uint32(c), bigEndian)
		s, dst = s[size:], dst[4:]
	}
	clear(dst)
	return nil
}

// UCS4Len returns the number of code points in s, the n of the U dtype that holds it. A three-byte
// surrogate counts one; so does each byte that is not UTF-8.
func UCS4Len(s string) int {
	n, _ := scanUTF8(s)
	return n
}

// scanUTF8 counts code points and returns the offset of the first malformed byte, or -1.
func scanUTF8(s string) (n, bad int) {
	bad = -1
	i := ascii(s)
	for n = i; i < len(s); n++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, size := decode(s[i:])
		if c < 0 && bad < 0 {
			bad = i
		}
		i += size
	}
	return n, bad
}

// ascii returns how many bytes at the start of s are ASCII, or a few less.
func ascii(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if (s[i]|s[i+1]|s[i+2]|s[i+3]|s[i+4]|s[i+5]|s[i+6]|s[i+7])&0x80 != 0 {
			break
		}
	}
	return i
}

// decode returns the first code point of s, surrogates included, and its width; -1 and 1 if malformed.
func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	c, size := utf8.DecodeRuneInString(s)
	if c != utf8.RuneError || size != 1 {
		return c, size
	}
	if len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return -1, 1
}

func isSurrogate(c rune) bool { return 0xd800 <= c && c <= 0xdfff }

func loadUCS4(b []byte, bigEndian bool) uint32 {
	if bigEndian {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func storeUCS4(b []byte, c uint32, bigEndian bool) {
	if bigEndian {
		binary.BigEndian.PutUint32(b, c)
	} else {
		binary.LittleEndian.PutUint32(b, c)
	}
}
