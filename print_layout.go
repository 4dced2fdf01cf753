package npy

import (
	"bufio"
	"bytes"
	"unicode/utf8"
)

// printArray prints an array that is not empty: brackets, rows of words broken where they would be too long, and as
// many newlines between the parts of an axis as there are axes below it (_formatArray, numpy 1.24).
func (p Printer) printArray(out *bufio.Writer, a *Array) error {
	g := p.grid(a)
	format := p.newFormat(a.dtype, g.printed)
	format.settle(g)
	l := layout{grid: g, out: out, format: format, width: p.LineWidth - len(a.shape)}
	l.part(0, a.start)
	l.flush()
	return l.err
}

// A layout prints the elements of a grid as words in brackets.
type layout struct {
	grid
	out    *bufio.Writer
	format *elementFormat
	width  int    // of the words of a line, with what stands before them
	line   []byte // the line so far
	length int    // its length in code points
	word   []byte
	err    error // of out; once there is one nothing more is printed
}

// part prints what lies from byte at on along the given axis and those below.
func (l *layout) part(axis, at int) {
	if axis == len(l.shape) { // no dimensions
		l.append(l.format.append(l.word[:0], l.item(at)))
		return
	}
	row := axis == len(l.shape)-1
	l.append([]byte("["))
	first := true
	for i := range l.edges[axis].all() {
		switch {
		case l.err != nil:
			return
		case row && !first:
			l.append([]byte(" "))
		case !first:
			l.flush()
			l.newline(len(l.shape)-1-axis, axis+1)
		}
		first = false
		switch {
		case row:
			l.addWord(i, at)
		case i == gap:
			l.append([]byte("..."))
		default:
			l.part(axis+1, at+i*l.strides[axis])
		}
	}
	l.append([]byte("]"))
}

// addWord adds element i of the row at byte at, on a new line if this one has others and no room (_extendLine).
func (l *layout) addWord(i, at int) {
	indent := len(l.shape)
	if l.word = append(l.word[:0], "..."...); i != gap {
		l.word = l.format.append(l.word[:0], l.item(at+i*l.strides[indent-1]))
	}
	if l.length+utf8.RuneCount(l.word) > l.width && l.length > indent {
		l.line = bytes.TrimRight(l.line, " ")
		l.flush()
		l.newline(1, indent)
	}
	l.append(l.word)
}

func (l *layout) append(text []byte) {
	l.line = append(l.line, text...)
	l.length += utf8.RuneCount(text)
}

// flush prints the line as far as it is.
func (l *layout) flush() {
	if l.err == nil {
		_, l.err = l.out.Write(l.line)
	}
	l.line, l.length = l.line[:0], 0
}

// newline begins a line after n newlines, indented.
func (l *layout) newline(n, indent int) {
	for range n {
		l.line = append(l.line, '\n')
	}
	for range indent {
		l.line = append(l.line, ' ')
	}
	l.length = indent
}
