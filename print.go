package npy

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/arraytext"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/internal/pylit"
)

// A Printer prints arrays as NumPy does, numpy.array2string with the options of numpy.set_printoptions. The zero value
// has NumPy's defaults.
//
// The text is str(a) of NumPy 2.5, or of NumPy 1.24 if the field NumPy is 1. Only structs in none or one
// dimension print differently: as a table with a column for each field. Nested fields have their dotted names, and
// long texts and subarrays are cut. Structs in more dimensions print as NumPy's tuples. Floats that NumPy does not
// have (1 byte, bfloat16, complex32) follow the rules of the other floats.
//
// No text from a file reaches the output as a control character. Control characters in names, and in the text of a U
// array without dimensions, which NumPy prints unchanged, are escaped. So are code points beyond Unicode, which NumPy
// cannot print. The output is bounded for any shape. At most some 260,000 elements are printed of an array over the
// threshold: fewer edges than NumPy prints if there are very many axes. At most about a million items of subarrays
// are printed.
type Printer struct {
	// Precision is the largest number of digits after the point of floats. 0 means 8, and a negative number the
	// fewest digits that read back as the same value (floatmode='unique').
	Precision int
	// Threshold is the number of elements above which only the elements at the edges are printed. 0 means 1000. A
	// negative number prints every element, and does not cut text in tables. A struct is one element.
	Threshold int
	// EdgeItems is the number of elements printed at each end of each axis of an array over Threshold. 0 and negative
	// numbers mean 3.
	EdgeItems int
	// ColumnEdges is EdgeItems for the last axis of an array of two or more. 0 and negative numbers mean EdgeItems. NumPy
	// has one number for all axes.
	ColumnEdges int
	// LineWidth is the largest number of characters in a line. 0 means 75. With a negative number each row is one
	// line. Tables are as wide as they need to be.
	LineWidth int
	// Float128 reads <f16 as IEEE binary128, which it is in files from aarch64, s390x and riscv64, and <c32 as two of
	// them. A file does not say which format it has. The default is the long double of x86.
	Float128 bool
	// NumPy is the major version of the NumPy to print as. 2, and 0 for it, is NumPy 2.5. 1 is NumPy 1.24, which prints
	// larger numbers without exponents where floats have 4 bytes or less: float32 1000000 as 1000000.0 and not 1e+06. In
	// objects it prints scalars as their values, 1.5 and not np.float64(1.5).
	NumPy int
	// Axes puts a line before each block of the last two axes of an array that has more, with the index of the block: [2, 0, :, :].
	Axes bool
	// Mark returns text to print before and after each element, and each field in a table, such as the codes of a color on
	// a terminal. It takes no space in a line. t is the dtype of item, whose bytes must not be changed, and mean nothing
	// if it is a Python object. nil means no marks.
	Mark func(t dtype.Type, item []byte) (before, after string)

	// MaxText limits the text of Python objects, in bytes. An object that several others share is printed with each of
	// them, so that a small file can become any amount of text. After the limit, "..." is printed for each object, and
	// Print returns an error that wraps [ErrLimit]. 0 means 256 MiB, a negative number no limit.
	MaxText int64

	whole []int             // the shape to print, if the array has only the printed elements of a larger one
	text  *arraytext.Budget // for the text of objects; nil for no limit
}

const defaultMaxText = 256 << 20

// options returns p as package arraytext takes it.
func (p Printer) options() arraytext.Printer {
	return arraytext.Printer{
		Precision: p.Precision, Threshold: p.Threshold, EdgeItems: p.EdgeItems, ColumnEdges: p.ColumnEdges, LineWidth: p.LineWidth,
		Float128: p.Float128, NumPy: p.NumPy, Axes: p.Axes, Mark: p.Mark, Whole: p.whole, Text: p.text,
	}
}

// printed returns a as package arraytext takes it.
func (p Printer) printed(a *Array) arraytext.Array {
	b := arraytext.Array{Array: a.nd}
	if a.nd.DType.HasObject() {
		b.Objects = printedObjects{a, p}
	}
	return b
}

// Print prints src and a newline to w. It reads only the elements that it prints. An array in memory is printed line
// by line, in memory that does not grow with the array. The printed elements of every other Source are read first:
// all elements if Threshold is negative. Errors of w are wrapped. Print cannot be cancelled: [Printer.Edges] reads with a context
// what Print of its result prints.
func (p Printer) Print(w io.Writer, src Source) error {
	a, p, err := p.Edges(context.Background(), src)
	if err != nil {
		return err
	}
	return p.printAll(w, a)
}

// Edges reads the elements of src that p prints: all of them, or only the edges of an array over the threshold. The
// returned Printer is p, set to print the array as if it had the other elements. [Printer.Print] does the same. Edges
// is for a program that must know whether src can be read before it prints.
func (p Printer) Edges(ctx context.Context, src Source) (*Array, Printer, error) {
	src, err := Rereadable(ctx, src)
	if err != nil {
		return nil, p, err
	}
	shape := src.Shape()
	shown := p.options().Edges(shape)
	if _, ok := src.(*Array); ok || src.DType().HasObject() || !slices.ContainsFunc(shown, arraytext.Edges.Cut) {
		a, err := src.ReadAll(ctx)
		return a, p, err
	}
	h := format.Header{DType: src.DType(), Shape: make([]int, len(shown))}
	for axis, e := range shown {
		h.Shape[axis] = e.Kept()
	}
	if err := check(h); err != nil {
		return nil, p, err
	}
	kept := newArray(h, bulk.Make(int(h.NBytes())))
	p.whole = shape
	return kept, p, readEdges(ctx, kept, src, shown)
}

// readEdges reads the edges of src into kept: each combination of heads and tails by itself.
func readEdges(ctx context.Context, kept *Array, src Source, shown []arraytext.Edges) error {
	axis := slices.IndexFunc(shown, arraytext.Edges.Cut)
	if axis < 0 {
		a, err := src.ReadAll(ctx)
		switch {
		case err != nil:
			return err
		case !slices.Equal(a.nd.Shape, kept.nd.Shape) || !a.nd.DType.Equal(kept.nd.DType):
			return diag.Errorf("npy", "a source gave dtype %s and shape %v for a part of dtype %s and shape %v", a.nd.DType, a.nd.Shape, kept.nd.DType, kept.nd.Shape)
		}
		kept.nd.Fill(&a.nd)
		return nil
	}
	e, rest := shown[axis], slices.Clone(shown)
	rest[axis] = arraytext.Edges{}
	for _, part := range []struct{ to, from, n int }{{0, 0, e.Head}, {e.Head, e.Length - e.Tail, e.Tail}} {
		index := make([]Index, axis+1)
		index[axis] = Span(part.from, part.from+part.n)
		view, err := src.Select(index...)
		if err == nil && part.n > 0 {
			err = readEdges(ctx, arrayOf(kept.nd.Along(axis, part.to, part.n)), view, rest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printAll prints an array in memory, with a newline.
func (p Printer) printAll(w io.Writer, a *Array) error {
	if p.MaxText >= 0 {
		p.text = arraytext.NewBudget(cmp.Or(p.MaxText, defaultMaxText))
	}
	if err := p.options().Print(w, p.printed(a)); err != nil {
		return diag.Errorf("npy", "printing an array: %w", err)
	}
	return nil
}

// String returns the text of the zero [Printer], without the newline: Python's str(a), or a table if the elements are
// structs. Arrays of more than 1000 elements are summarised.
func (a *Array) String() string {
	var text strings.Builder
	_ = arraytext.Printer{}.PrintSummary(&text, Printer{}.printed(a)) // a Builder returns no error
	return text.String()
}

// Repr returns Python's repr(a) in NumPy 2.5, such as array([1, 2], dtype=int32), of at most about limit bytes. 0 and
// negative numbers mean no limit. Arrays of more than 1000 elements are summarised.
func (a *Array) Repr(limit int) string {
	if limit <= 0 {
		limit = math.MaxInt / 4
	}
	return string(a.AppendRepr(nil, limit))
}

// AppendRepr appends the text of [Array.Repr].
func (a *Array) AppendRepr(dst []byte, limit int) []byte { return Printer{}.AppendRepr(dst, a, limit) }

// AppendRepr appends Python's repr(a), about limit bytes of it, as NumPy prints it with the options of p.
func (p Printer) AppendRepr(dst []byte, a *Array, limit int) []byte {
	class, name := "array", ""
	if o, ok := a.origin.(reprOrigin); ok {
		class, name = o.ReprParts(p)
	}
	return p.options().AppendRepr(dst, p.printed(a), class, name, limit)
}

// AppendText appends numpy.array2string(a, separator=', ', prefix=prefix, suffix=','), about limit bytes of it: the elements
// in brackets as in a repr, and structs as tuples. The first line leaves space for prefix.
func (p Printer) AppendText(dst []byte, a *Array, prefix string, limit int) []byte {
	return p.options().AppendText(dst, p.printed(a), prefix, limit)
}

// Str returns Python's str of a NumPy scalar, an array without dimensions: 1.5, 2020-01-02, 5 days. Structs print as tuples.
func (p Printer) Str(a *Array) string { return p.options().Str(p.printed(a)) }

// An ObjectPrinter is an origin (see [Array.WithOrigin]) that prints the objects of its array, and of parts of it, as Python
// does. Objects of other arrays print themselves by a method AppendRepr(dst []byte, limit int) []byte, or by fmt.Stringer.
type ObjectPrinter interface {
	// AppendObject appends Python's repr of an object, about limit bytes of it. Arrays within it are printed with the
	// options of p, see [Printer.AppendRepr].
	AppendObject(dst []byte, v any, p Printer, limit int) []byte
	// IsList reports whether an object is a list, which NumPy prints as list([…]) among the elements of an array.
	IsList(v any) bool
}

// A reprOrigin is an origin with parts of repr(a) that the elements do not have.
type reprOrigin interface {
	// ReprParts returns the name of the array's class, such as array or matrix, and the text of its dtype, "" for the
	// dtype of the elements.
	ReprParts(p Printer) (class, dtype string)
}

// printedObjects gives the objects of an array to package arraytext.
type printedObjects struct {
	array *Array
	p     Printer
}

func (o printedObjects) Get(item []byte) any { return o.array.objects.get(item) }

func (o printedObjects) AppendRepr(dst []byte, v any, limit int) []byte {
	if literal, ok := pylit.Of(v); ok {
		return literal.AppendRepr(dst, limit)
	}
	if printer, ok := o.array.origin.(ObjectPrinter); ok {
		return printer.AppendObject(dst, v, o.p, limit)
	}
	if nested, ok := v.(*Array); ok {
		return o.p.AppendRepr(dst, nested, limit)
	}
	return arraytext.AppendObject(dst, v, limit)
}

// IsList asks the origin. Without an origin it looks at the text: only the repr of a list begins with a bracket.
func (o printedObjects) IsList(v any, repr []byte) bool {
	if printer, ok := o.array.origin.(ObjectPrinter); ok {
		return printer.IsList(v)
	}
	return len(repr) > 0 && repr[0] == '['
}

// TextWidth returns the number of columns that text takes on a terminal, by which tables are aligned: 2 for characters of East Asia and
// for emoji, 0 for marks that combine with the character before them, and 1 for others.
func TextWidth(text string) int { return escape.Width(text) }
