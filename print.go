package npy

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
)

// A Printer prints arrays as NumPy does, numpy.array2string with the options of numpy.set_printoptions. The zero value
// has NumPy's defaults.
//
// Text is that of str(a) in NumPy 2.5, or in NumPy 1.24 by the field NumPy. Only structs in none or one dimension are
// different: they print as a table with a column for each field, nested ones by their dotted names,
// and long texts and subarrays are cut there. More dimensions of structs print as NumPy's tuples. The floats that NumPy
// lacks, of 1 byte, bfloat16 and complex32, follow the rules of the others.
//
// Nothing that comes from a file reaches the output as a control character. Names and the text of a U array without
// dimensions, which NumPy prints as they are, have theirs escaped, and code points beyond Unicode, which NumPy cannot
// print, are escapes too. Nor does a file that claims much print much: of an array over the threshold at most some
// 260,000 elements are printed, fewer edges than NumPy prints if it has very many axes, and of the items of subarrays
// about a million.
type Printer struct {
	// Precision is the largest number of digits after the point of floats. 0 stands for 8, and a negative number for as
	// many as it takes to read the same value back (floatmode='unique').
	Precision int
	// Threshold is the number of elements above which only those at the edges are printed. 0 stands for 1000, and a
	// negative number prints every element, and in tables the whole of each. A struct is one element.
	Threshold int
	// EdgeItems is how many elements are printed at either end of each axis of an array over Threshold. 0 and less
	// stand for 3.
	EdgeItems int
	// LineWidth is the number of characters in which lines are to fit. 0 stands for 75; with a negative number lines
	// are as long as the last axis. Tables are as wide as they need to be.
	LineWidth int
	// Float128 takes <f16 for IEEE binary128, which it is in files from aarch64, s390x and riscv64, and <c32 for two of
	// them. A file does not say which: without this they are the long doubles of x86.
	Float128 bool
	// NumPy is the major version of the NumPy to print as. 2, and 0 for it, is NumPy 2.5; 1 is NumPy 1.24, which turns to
	// exponents later where floats have 4 bytes or less: it prints float32 1000000 as 1000000.0 and not 1e+06. In objects it
	// prints scalars as their values, 1.5 and not np.float64(1.5).
	NumPy int
	// Axes puts a line above each block of the last two axes of an array that has more, with the index of the block: [2, 0, :, :].
	Axes bool
	// Mark is asked for what stands before and behind the text of each element, and of each field in a table: the codes
	// that give it a colour on a terminal, say. It takes no room in a line. t is the dtype of item, whose bytes are not to
	// be changed and mean nothing where they are a Python object. nil stands for nothing.
	Mark func(t dtype.Type, item []byte) (before, behind string)

	// MaxText limits the text of Python objects, in bytes. What several of them share is printed with each, so that small
	// files can become any amount of text. Print ends with an error that wraps [ErrLimit] then, after it has printed ... for
	// the rest of the objects. 0 stands for 256 MiB, a negative number for no limit.
	MaxText int64

	whole []int       // the shape of what is printed, if the array given has only its edges
	text  *textBudget // of objects; nil for no limit
}

// A textBudget counts the text of objects down to where the rest is left out.
type textBudget struct {
	left int64
	over bool
}

const defaultMaxText = 256 << 20

// printedMax bounds the elements printed of an array over the threshold. Edges alone do not: an array of shape
// (2, 2, 2, …) is nothing but edges, and if its elements have no bytes a short file can claim 2**62 of them. NumPy
// would print all.
const printedMax = 1 << 18

// Print prints a and a newline to w. It looks at no elements but those it prints, and prints them as it goes: memory
// does not grow with the array. Errors are those of w, wrapped.
func (p Printer) Print(w io.Writer, a *Array) error {
	out := bufio.NewWriter(w)
	if p.MaxText >= 0 {
		p.text = &textBudget{left: cmp.Or(p.MaxText, defaultMaxText)}
	}
	p = p.withDefaults()
	err := p.checkFull(a)
	if err == nil {
		err = p.print(out, a)
	}
	if err == nil {
		out.WriteByte('\n')
		err = out.Flush()
	}
	if err == nil && p.text != nil && p.text.over {
		err = fmt.Errorf("the objects take more than MaxText %d bytes: %w", cmp.Or(p.MaxText, defaultMaxText), ErrLimit)
	}
	if err != nil {
		return fmt.Errorf("npy: printing an array: %w", err)
	}
	return nil
}

// String returns what the zero [Printer] prints, without the newline: Python's str(a), or a table if the elements are
// structs. Long arrays are summarised.
func (a *Array) String() string {
	var text strings.Builder
	out := bufio.NewWriter(&text)
	_ = Printer{}.withDefaults().print(out, a) // a Builder takes everything
	_ = out.Flush()
	return text.String()
}

// withDefaults replaces the numbers that stand for others, so that they can be compared.
func (p Printer) withDefaults() Printer {
	p.Precision = orDefault(p.Precision, 8)
	p.Threshold = orDefault(p.Threshold, 1000)
	p.EdgeItems = min(orDefault(max(p.EdgeItems, 0), 3), math.MaxInt32/2)
	p.LineWidth = orDefault(p.LineWidth, 75)
	return p
}

func orDefault(n, zero int) int {
	switch {
	case n == 0:
		return zero
	case n < 0:
		return math.MaxInt
	}
	return n
}

// full reports whether every element is to be printed.
func (p Printer) full() bool { return p.Threshold == math.MaxInt }

// checkFull refuses to print every element of an array with many more values than bytes: a shape can claim any number of
// those that have none.
func (p Printer) checkFull(a *Array) error {
	n, ok := bounded.Mul(a.Size(), plainItems(a.dtype))
	if !ok {
		n = math.MaxInt
	}
	if bytes := a.NBytes(); p.full() && n-bytes > emptyItemsMax {
		return fmt.Errorf("%d values in %d bytes are over %d that have none: %w", n, bytes, emptyItemsMax, ErrLimit)
	}
	return nil
}

// plainItems counts what is printed of an element, or is the largest int if that is more.
func plainItems(t dtype.Type) int {
	switch {
	case t.IsSubarray():
		n, ok := bounded.Count(append(t.SubShape(), plainItems(t.Elem())), 1)
		if !ok {
			return math.MaxInt
		}
		return n
	case t.IsStruct():
		n := 0
		for i := range t.NumField() {
			if n += plainItems(t.Field(i).DType); n < 0 {
				return math.MaxInt
			}
		}
		return n
	}
	return 1
}

// textMax returns how many bytes of the text of each object are printed if there are so many.
func (p Printer) textMax(printed int) int {
	if p.full() {
		return objectsMax
	}
	return max(objectsMax/max(printed, 1), objectMax)
}

func (p Printer) print(out *bufio.Writer, a *Array) error {
	switch {
	case len(a.shape) <= 1 && a.dtype.NumField() > 0:
		return p.printTable(out, a)
	case a.Size() == 0:
		_, err := out.WriteString("[]")
		return err
	case len(a.shape) == 0 && !a.dtype.IsStruct():
		item := a.data[a.start : a.start+a.dtype.ItemSize()]
		_, err := out.Write(appendMarked(nil, p.appendScalar(nil, a), p.Mark, a.dtype, item))
		return err
	}
	return p.printArray(out, a)
}

// edges is which positions of an axis are printed: a head and a tail, which meet where nothing is left out.
type edges struct{ length, head, tail int }

// cut reports whether something is left out.
func (e edges) cut() bool { return e.head+e.tail < e.length }

// kept returns the number of positions that are printed.
func (e edges) kept() int { return e.head + e.tail }

// gap stands among positions for those left out.
const gap = -1

// all goes through the positions in an array of which the axis has a length of n: that of the edges, or, where the array
// has nothing between them, their own.
func (e edges) all(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range e.head {
			if !yield(i) {
				return
			}
		}
		if e.cut() && !yield(gap) {
			return
		}
		for i := n - e.tail; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// A grid is the elements of an array that are printed: all of them, or the corners that numpy's _leading_trailing
// keeps.
type grid struct {
	*Array
	edges   []edges
	printed int // the number of these elements
}

// grid chooses what is printed of a, which is not empty.
func (p Printer) grid(a *Array) grid {
	shape := a.shape
	if p.whole != nil {
		shape = p.whole
	}
	g := grid{Array: a, edges: p.edges(shape), printed: 1}
	for _, e := range g.edges {
		g.printed *= e.kept()
	}
	return g
}

// edges chooses what is printed of an array of this shape, which is not empty.
func (p Printer) edges(shape []int) []edges {
	size, printed := 1, 1
	for _, n := range shape {
		size *= n
	}
	all := make([]edges, len(shape))
	over := size > p.Threshold
	for axis, n := range shape {
		all[axis] = edges{length: n, head: n}
		if over && n > 2*p.EdgeItems {
			all[axis] = edges{length: n, head: p.EdgeItems, tail: p.EdgeItems}
		}
		printed *= all[axis].kept()
	}
	for axis := 0; over && printed > max(printedMax, p.Threshold); axis++ {
		e := &all[axis]
		printed /= e.kept()
		e.head, e.tail = 1, 0
	}
	return all
}

// each visits the elements of the grid in C order.
func (g grid) each(visit func(item []byte)) { g.walk(0, g.start, visit) }

func (g grid) walk(axis, at int, visit func(item []byte)) {
	if axis == len(g.shape) {
		visit(g.item(at))
		return
	}
	for i := range g.edges[axis].all(g.shape[axis]) {
		if i != gap {
			g.walk(axis+1, at+i*g.strides[axis], visit)
		}
	}
}

// position returns the place in the whole axis of position i of what there is of it.
func (g grid) position(axis, i int) int {
	if e := g.edges[axis]; i >= e.head {
		return i + e.length - g.shape[axis]
	}
	return i
}

func (g grid) item(at int) []byte { return g.data[at : at+g.dtype.ItemSize()] }
