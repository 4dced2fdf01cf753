package arraytext

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

// printArray prints an array that is not empty, as _formatArray of NumPy 1.24: in brackets, the words of a row in lines of at
// most the line width, and between the parts of an axis one newline for each axis after it.
func (p Printer) printArray(out *bufio.Writer, a Array) error {
	return p.printParts(out, a, style{separator: " "})
}

// A style is the differences between str and repr.
type style struct {
	separator string // between elements
	prefix    int    // the number of characters before the array
	suffix    int    // the number of characters after its last line
	repr      bool   // print the shape of an array without elements
	textMax   int    // bytes of one object; 0 for an equal share
}

func (p Printer) printParts(out *bufio.Writer, a Array, s style) error {
	if a.Size() == 0 {
		return p.printEmpty(out, a, s)
	}
	g := p.grid(a)
	elements := p.newFormat(a, g.printed, s.textMax)
	elements.settle(&g)
	l := layout{grid: g, style: s, out: out, format: elements, width: p.LineWidth - s.suffix - len(a.Shape), length: s.prefix, mark: p.Mark}
	if p.Axes && len(a.Shape) > 2 {
		l.block = len(a.Shape) - 2
		l.index = make([]int, l.block)
	}
	l.part(0, a.Offset)
	l.flush()
	return l.err
}

// printEmpty prints an array without elements, with its shape in a repr.
func (p Printer) printEmpty(out *bufio.Writer, a Array, s style) error {
	text := "[]"
	if s.repr && p.NumPy == 1 && len(a.Shape) != 1 {
		text += ", shape=" + format.ShapeString(a.Shape)
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
	width  int    // of a line up to the end of its last word
	line   []byte // the line so far
	length int    // its length in code points
	word   []byte
	mark   MarkFunc
	block  int   // the first axis of the blocks that have a heading; 0 for none
	index  []int // of the present block
	err    error // of out; nothing is printed after it
}

// part prints the elements from byte at, along an axis and the axes after it.
func (l *layout) part(axis, at int) {
	if axis == len(l.Shape) { // no dimensions
		l.appendMarked(l.format.append(l.word[:0], l.ItemAt(at)), l.ItemAt(at))
		return
	}
	if axis == l.block && axis > 0 {
		l.heading()
	}
	row := axis == len(l.Shape)-1
	l.append([]byte("["))
	first := true
	for i := range l.edges[axis].all(l.Shape[axis]) {
		switch {
		case l.err != nil:
			return
		case row && !first:
			l.append([]byte(l.separator))
		case !first:
			l.append([]byte(strings.TrimRight(l.separator, " ")))
			l.flush()
			l.newline(len(l.Shape)-1-axis, l.prefix+axis+1)
		}
		first = false
		switch {
		case row:
			l.addWord(i, at)
		case i == omitted:
			l.append([]byte("..."))
		default:
			if axis < l.block {
				l.index[axis] = l.position(axis, i)
			}
			l.part(axis+1, at+i*l.Strides[axis])
		}
	}
	l.append([]byte("]"))
}

// addWord adds element i of the row at byte at, on a new line if it does not fit into this one (_extendLine_pretty).
func (l *layout) addWord(i, at int) {
	indent := l.prefix + len(l.Shape)
	var item []byte
	if l.word = append(l.word[:0], "..."...); i != omitted {
		item = l.ItemAt(at + i*l.Strides[len(l.Shape)-1])
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

// appendMarked adds the text of an element. item is nil for text that is not an element.
func (l *layout) appendMarked(text, item []byte) {
	l.length += utf8.RuneCount(text)
	l.line = appendMarked(l.line, text, l.mark, l.DType, item)
}

// A MarkFunc returns text to print before and after an element. The text takes no space in a line.
type MarkFunc = func(t dtype.Type, item []byte) (before, after string)

// appendMarked appends the text of an element with its marks. The marks are inside the spaces that pad the text.
func appendMarked(dst, text []byte, mark MarkFunc, t dtype.Type, item []byte) []byte {
	if mark == nil || item == nil {
		return append(dst, text...)
	}
	before, after := mark(t, item)
	word := bytes.TrimSpace(text)
	at := bytes.Index(text, word)
	dst = append(append(dst, text[:at]...), before...)
	dst = append(append(dst, word...), after...)
	return append(dst, text[at+len(word):]...)
}

// heading inserts a line with the index of a block before its first line.
func (l *layout) heading() {
	var text []byte
	for _, i := range l.index {
		text = strconv.AppendInt(append(text, ", "...), int64(i), 10)
	}
	text = append(append([]byte{'['}, text[len(", "):]...), ", :, :]\n"...)
	l.line = slices.Insert(l.line, bytes.LastIndexByte(l.line, '\n')+1, text...)
}

// flush prints the line so far.
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
