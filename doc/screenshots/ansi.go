package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A style is how a character looks; colours are SVG's, "" for the usual one.
type style struct {
	fore, back string
	bold       bool
}

// A cell is one character on the screen.
type cell struct {
	style
	char rune
}

// parse puts the text of a terminal into cells, line by line. Of the escape sequences it knows colours (SGR);
// the others have no effect.
func parse(text string) [][]cell {
	lines := [][]cell{nil}
	var now style
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(c rune) bool { return c >= '@' && c <= '~' })
			if end < 0 {
				break
			}
			if rest[end] == 'm' {
				now = now.after(rest[:end])
			}
			text = rest[end+1:]
			continue
		}
		c, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		if c == '\n' {
			lines = append(lines, nil)
			continue
		}
		last := len(lines) - 1
		lines[last] = append(lines[last], cell{now, c})
	}
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// after returns the style after a sequence of SGR with these parameters.
func (s style) after(parameters string) style {
	var codes []int
	for field := range strings.SplitSeq(parameters, ";") {
		n, _ := strconv.Atoi(field) // an empty one is 0
		codes = append(codes, n)
	}
	for len(codes) > 0 {
		code := codes[0]
		codes = codes[1:]
		switch {
		case code == 0:
			s = style{}
		case code == 1:
			s.bold = true
		case code == 22:
			s.bold = false
		case code >= 30 && code < 38:
			s.fore = palette[code-30]
		case code >= 90 && code < 98:
			s.fore = palette[code-90+8]
		case code >= 40 && code < 48:
			s.back = palette[code-40]
		case code == 39:
			s.fore = ""
		case code == 49:
			s.back = ""
		case code == 38:
			s.fore, codes = extended(codes)
		case code == 48:
			s.back, codes = extended(codes)
		}
	}
	return s
}

// extended reads a colour of 256 or of 24 bits, and returns the parameters after it.
func extended(codes []int) (string, []int) {
	switch {
	case len(codes) >= 4 && codes[0] == 2:
		return hex(codes[1], codes[2], codes[3]), codes[4:]
	case len(codes) >= 2 && codes[0] == 5:
		return indexed(codes[1]), codes[2:]
	}
	return "", nil
}

// palette is the 16 colours that terminals have names for.
var palette = [16]string{
	"#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf",
	"#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff",
}

// indexed returns one of the 256 colours of xterm: the palette, a cube, and greys.
func indexed(n int) string {
	switch {
	case n < 16:
		return palette[max(n, 0)]
	case n < 232:
		level := func(i int) int {
			if i == 0 {
				return 0
			}
			return 55 + 40*i
		}
		n -= 16
		return hex(level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return hex(grey, grey, grey)
}
