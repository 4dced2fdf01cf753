// Package arraytext prints arrays as NumPy does: numpy.array2string with the options of numpy.set_printoptions, repr, and tables
// of structs, which NumPy does not have.
//
//	printer.go  the options; which elements are printed
//	layout.go   brackets, words and lines, as in _formatArray
//	table.go    structs in none or one dimension
//	repr.go     repr(a) and what it says after the elements
//	formats.go  how the elements of one dtype print
//	floats.go   FloatingFormat and ComplexFloatingFormat; digits.go has the digits of a number
//	structs.go  structs as tuples, subarrays as lists
//	objects.go  Python objects
//	quote.go    str, bytes and void; escapes
//
// Package npy documents the output. TestPrintLive and similar tests there compare it with NumPy.
package arraytext

import (
	"bufio"
	"io"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/nd"
)

// An Array is an array to print.
type Array struct {
	nd.Array
	Objects Objects // of elements that are Python objects; nil if there are none
}

// Objects are the Python objects of an array.
type Objects interface {
	// Get returns the object of an element of dtype |O.
	Get(item []byte) any
	// AppendRepr appends Python's repr of an object, about limit bytes of it.
	AppendRepr(dst []byte, v any, limit int) []byte
	// IsList reports whether an object, whose repr is given, is a list.
	IsList(v any, repr []byte) bool
}

// A Printer has the options of npy.Printer, which documents them.
type Printer struct {
	Precision, Threshold, EdgeItems, ColumnEdges, LineWidth int
	Float128                                                bool
	NumPy                                                   int
	Axes                                                    bool
	Mark                                                    MarkFunc

	Whole []int   // the shape to print, if the array has only the printed elements of a larger one
	Text  *Budget // for the text of objects; nil for no limit
}

// A Budget limits the text of all objects, in bytes. Objects after it are printed as "...".
type Budget struct {
	limit, left int64
	over        bool
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit, left: limit} }

// unbackedMax is the largest number of values without bytes in the array that may be printed in full.
const unbackedMax = 1 << 20

// printedMax is the largest number of elements that are printed of an array over the threshold. Edges alone are no
// bound: every element of an array of shape (2, 2, 2, …) is at an edge, and a short file can claim 2**62 elements of
// 0 bytes. NumPy would print all of them.
const printedMax = 1 << 18

// Print prints a and a newline. It reads only the elements that it prints, and keeps at most a line in memory.
func (p Printer) Print(w io.Writer, a Array) error {
	out := bufio.NewWriter(w)
	p = p.withDefaults()
	err := p.checkFull(a)
	if err == nil {
		err = p.print(out, a)
	}
	if err == nil {
		out.WriteByte('\n')
		err = out.Flush()
	}
	if err == nil && p.Text != nil && p.Text.over {
		err = bounded.Over("MaxText", p.Text.limit, 0, "the objects take more than MaxText %d bytes", p.Text.limit)
	}
	return err
}

// PrintSummary prints the text of Print, without the newline and its checks.
func (p Printer) PrintSummary(w io.Writer, a Array) error {
	out := bufio.NewWriter(w)
	if err := p.withDefaults().print(out, a); err != nil {
		return err
	}
	return out.Flush()
}

// withDefaults replaces 0 and negative numbers by their meanings.
func (p Printer) withDefaults() Printer {
	p.Precision = orDefault(p.Precision, 8)
	p.Threshold = orDefault(p.Threshold, 1000)
	p.EdgeItems = min(orDefault(max(p.EdgeItems, 0), 3), math.MaxInt32/2)
	if p.ColumnEdges <= 0 {
		p.ColumnEdges = p.EdgeItems
	}
	p.ColumnEdges = min(p.ColumnEdges, math.MaxInt32/2)
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

// full reports whether every element is printed.
func (p Printer) full() bool { return p.Threshold == math.MaxInt }

// checkFull refuses to print every element of an array with many more values than bytes. A shape can claim any number of
// values without bytes.
func (p Printer) checkFull(a Array) error {
	n, ok := bounded.Mul(a.Size(), plainItems(a.DType))
	if !ok {
		n = math.MaxInt
	}
	if bytes := a.NBytes(); p.full() && n-bytes > unbackedMax {
		return bounded.Over("", unbackedMax, n, "%d values in %d bytes are over %d that have none", n, bytes, unbackedMax)
	}
	return nil
}

// plainItems returns the number of values that are printed for an element, at most the largest int.
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

// textMax returns the limit in bytes for the text of each object, if printed objects are printed.
func (p Printer) textMax(printed int) int {
	if p.full() {
		return objectsMax
	}
	return max(objectsMax/max(printed, 1), objectMax)
}

func (p Printer) print(out *bufio.Writer, a Array) error {
	switch {
	case len(a.Shape) <= 1 && a.DType.NumField() > 0:
		return p.printTable(out, a)
	case a.Size() == 0:
		_, err := out.WriteString("[]")
		return err
	case len(a.Shape) == 0 && !a.DType.IsStruct():
		item := a.ItemAt(a.Offset)
		_, err := out.Write(appendMarked(nil, p.appendScalar(nil, a), p.Mark, a.DType, item))
		return err
	}
	return p.printArray(out, a)
}
