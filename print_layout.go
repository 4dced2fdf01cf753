package npy

import (
	"bufio"
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// printArray prints an array that is not empty: brackets, rows of words broken where they would be too long, and as
// many newlines between the parts of an axis as there are axes below it (_formatArray, numpy 1.24).
func (p Printer) printArray(out *bufio.Writer, a *Array) error {
	return p.printParts(out, a, style{separator: " "})
}

// A style is the differences between str and repr.
type style struct {
	separator string // between elements
	prefix    int    // how many characters stand before the array
	suffix    int    // how many stand after its last line
	says      bool   // the shape of an array without elements is printed
	textMax   int    // bytes of one object; 0 for a share of those of all
}

func (p Printer) printParts(out *bufio.Writer, a *Array, s style) error {
	if a.Size() == 0 {
		return p.printEmpty(out, a, s)
	}
	g := p.grid(a)
	elements := p.newFormat(a, g.printed, s.textMax)
	elements.settle(g)
	l := layout{grid: g, style: s, out: out, format: elements, width: p.LineWidth - s.suffix - len(a.shape), length: s.prefix, mark: p.Mark}
	if p.Axes && len(a.shape) > 2 {
		l.block = len(a.shape) - 2
		l.index = make([]int, l.block)
	}
	l.part(0, a.start)
	l.flush()
	return l.err
}

// printEmpty prints an array without elements, with its shape in a repr.
func (p Printer) printEmpty(out *bufio.Writer, a *Array, s style) error {
	text := "[]"
	if s.says && p.NumPy == 1 && len(a.shape) != 1 {
		text += ", shape=" + format.ShapeString(a.shape)
	}
	_, err := out.WriteString(text)
	return err
}

// A layout prints the elements of a grid as words in brackets.
type layout struct {
	grid
	style
	out    *bufio.Writer
	format *elementFormat
	width  int    // of the words of a line, with what stands before them
	line   []byte // the line so far
	length int    // its length in code points
	word   []byte
	mark   markFunc
	block  int   // the axis at which a block with a heading begins, if there are such
	index  []int // of that block
	err    error // of out; once there is one nothing more is printed
}

// part prints what lies from byte at on along the given axis and those below.
func (l *layout) part(axis, at int) {
	if axis == len(l.shape) { // no dimensions
		l.appendMarked(l.format.append(l.word[:0], l.item(at)), l.item(at))
		return
	}
	if axis == l.block && axis > 0 {
		l.heading()
	}
	row := axis == len(l.shape)-1
	l.append([]byte("["))
	first := true
	for i := range l.edges[axis].all(l.shape[axis]) {
		switch {
		case l.err != nil:
			return
		case row && !first:
			l.append([]byte(l.separator))
		case !first:
			l.append([]byte(strings.TrimRight(l.separator, " ")))
			l.flush()
			l.newline(len(l.shape)-1-axis, l.prefix+axis+1)
		}
		first = false
		switch {
		case row:
			l.addWord(i, at)
		case i == gap:
			l.append([]byte("..."))
		default:
			if axis < l.block {
				l.index[axis] = l.position(axis, i)
			}
			l.part(axis+1, at+i*l.strides[axis])
		}
	}
	l.append([]byte("]"))
}

// addWord adds element i of the row at byte at, on a new line if this one has others and no room (_extendLine_pretty).
func (l *layout) addWord(i, at int) {
	indent := l.prefix + len(l.shape)
	var item []byte
	if l.word = append(l.word[:0], "..."...); i != gap {
		item = l.item(at + i*l.strides[len(l.shape)-1])
		l.word = l.format.append(l.word[:0], item)
	}
	width := widest(l.word)
	if l.length+width > l.width && l.length > indent {
		l.line = bytes.TrimRight(l.line, " ")
		l.flush()
		l.newline(1, indent)
	}
	indent = l.length
	lines := 0
	for line := range bytes.Lines(l.word) {
		if lines++; lines > 1 {
			l.line = bytes.TrimRight(l.line, " ")
			l.flush()
			l.newline(1, indent)
		}
		l.appendMarked(bytes.TrimRight(line, "\n"), item)
	}
	if lines > 1 {
		l.append(appendSpaces(nil, indent+width-l.length))
	}
}

// widest returns the length of the longest line of a word in code points.
func widest(word []byte) int {
	width := 0
	for line := range bytes.Lines(word) {
		width = max(width, utf8.RuneCount(bytes.TrimRight(line, "\n")))
	}
	return width
}

func (l *layout) append(text []byte) {
	l.line = append(l.line, text...)
	l.length += utf8.RuneCount(text)
}

// appendMarked adds the text of an element; nil is none.
func (l *layout) appendMarked(text, item []byte) {
	l.length += utf8.RuneCount(text)
	l.line = appendMarked(l.line, text, l.mark, l.dtype, item)
}

// A markFunc is what Printer.Mark is.
type markFunc = func(t dtype.Type, item []byte) (before, behind string)

// appendMarked appends the text of an element with its marks, which leave out the spaces around it. Without an item there
// are none.
func appendMarked(dst, text []byte, mark markFunc, t dtype.Type, item []byte) []byte {
	if mark == nil || item == nil {
		return append(dst, text...)
	}
	before, behind := mark(t, item)
	word := bytes.TrimSpace(text)
	at := bytes.Index(text, word)
	dst = append(append(dst, text[:at]...), before...)
	dst = append(append(dst, word...), behind...)
	return append(dst, text[at+len(word):]...)
}

// heading puts a line with the index of the block that begins above the line that begins it.
func (l *layout) heading() {
	var text []byte
	for _, i := range l.index {
		text = strconv.AppendInt(append(text, ", "...), int64(i), 10)
	}
	text = append(append([]byte{'['}, text[len(", "):]...), ", :, :]\n"...)
	l.line = slices.Insert(l.line, bytes.LastIndexByte(l.line, '\n')+1, text...)
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
