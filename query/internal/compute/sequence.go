package compute

import (
	"math/big"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query/internal/expression"
	"github.com/npygo/npy/query/internal/rowsource"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// A sequencer replaces the calls of sequences in an expression by names of columns. It ends by a panic with an error.
type sequencer struct {
	plan *plan
	text string
	row  *column // the numbers of the rows
}

func (s *sequencer) fail(x *syntax.Expr, format string, args ...any) {
	syntax.Fail(syntax.ErrorAt(s.text, x.Pos, x.End-x.Pos, format, args...))
}

// rewrite returns x with a name for each sequence, innermost first.
func (s *sequencer) rewrite(x *syntax.Expr) *syntax.Expr {
	out := *x
	out.Args = make([]*syntax.Expr, len(x.Args))
	for i, arg := range x.Args {
		out.Args[i] = s.rewrite(arg)
	}
	switch {
	case x.Kind == syntax.Name && x.Text == "row" && !x.Parens && !s.isName("row"):
		return s.rowNumbers(x)
	case x.Kind == syntax.Call && expression.IsSequence(x.Text):
		return s.call(&out)
	}
	return &out
}

// isName reports whether a name is a field or a column.
func (s *sequencer) isName(name string) bool {
	for _, c := range s.plan.columns {
		if c.name == name {
			return true
		}
	}
	_, ok := s.plan.src.DType().FieldByName(name)
	return ok
}

// named returns the name of a column in the place of x.
func named(x *syntax.Expr, c *column) *syntax.Expr {
	return &syntax.Expr{Kind: syntax.Name, Text: c.hidden(), Parens: true, Pos: x.Pos, End: x.End}
}

// rows returns the number of rows, or fails.
func (s *sequencer) rows(x *syntax.Expr) int {
	shape := s.plan.src.Shape()
	if len(shape) != 1 {
		s.fail(x, "%s is for arrays of one dimension, whose elements are rows; this one has %d", x.Text, len(shape))
	}
	return shape[0]
}

// rowNumbers returns the name of the column with the numbers of the rows.
func (s *sequencer) rowNumbers(x *syntax.Expr) *syntax.Expr {
	if s.row == nil {
		s.row = s.plan.sequence(s.source(rowsource.Numbers(s.rows(x))), nil)
	}
	return named(x, s.row)
}

// source returns a source, or fails with its error.
func (s *sequencer) source(src npy.Source, err error) npy.Source {
	if err != nil {
		syntax.Fail(err)
	}
	return src
}

// column adds the column of an expression without sequences.
func (s *sequencer) column(x *syntax.Expr) *column {
	c, err := s.plan.compile("", s.text, x)
	if err != nil {
		syntax.Fail(err)
	}
	return c
}

// call returns an expression for the call of a sequence.
func (s *sequencer) call(x *syntax.Expr) *syntax.Expr {
	rows := s.rows(x)
	low, high := 1, map[string]int{"cumsum": 1, "diff": 2, "shift": 3, "rank": 1}[x.Text]
	if n := len(x.Args); n < low || n > high {
		s.fail(x, "%s has %d arguments; want %s", x.Text, n, map[int]string{1: "1", 2: "1 or 2", 3: "1 to 3"}[high])
	}
	arg := s.column(x.Args[0])
	if len(arg.shape) > 0 {
		s.fail(x.Args[0], "%s is of one value of each row, and these rows have %d; an index such as [0] takes one", x.Text, arg.value.Type.Items())
	}
	switch x.Text {
	case "cumsum":
		return named(x, s.cumsum(x, arg))
	case "rank":
		return named(x, s.rank(x, arg))
	case "diff":
		return s.diff(x, arg, rows)
	}
	return s.shift(x, arg, rows)
}

// sourceOf returns the values of a column as a Source that can be read several times.
func (s *sequencer) sourceOf(c *column) npy.Source {
	if npy.IsOnePass(s.plan.src) {
		src, err := npy.Rereadable(s.plan.ctx, s.plan.src)
		if err != nil {
			syntax.Fail(err)
		}
		s.plan.src = src
	}
	return s.source(s.plan.readColumn(c))
}

// cumsum returns the running sum of a column. Integers and bools become 64 bits wide, as in numpy.cumsum.
func (s *sequencer) cumsum(x *syntax.Expr, arg *column) *column {
	switch t := arg.value.Type; {
	case t.Class == values.Bool || t.Class == values.Int:
		arg = s.converted(x, arg, "int64")
	case t.Class == values.Uint:
		arg = s.converted(x, arg, "uint64")
	case !t.IsNumber() && t.Class != values.Timedelta:
		s.fail(x.Args[0], "cumsum is for numbers and timedelta64, not %s", t)
	}
	return s.plan.sequence(s.source(runningSum(s.sourceOf(arg))), arg)
}

// converted returns the column of a function of a column.
func (s *sequencer) converted(x *syntax.Expr, arg *column, function string) *column {
	return s.column(call(x, function, named(x, arg)))
}

// rank returns the ranks of the values of a column.
func (s *sequencer) rank(x *syntax.Expr, arg *column) *column {
	if t := arg.value.Type; t.Class == values.Complex {
		s.fail(x.Args[0], "rank is for values with an order, not %s", t)
	}
	return s.plan.sequence(s.source(ranks(s.sourceOf(arg))), arg)
}

// call, number and operation return parts of an expression in the place of x.
func call(x *syntax.Expr, function string, args ...*syntax.Expr) *syntax.Expr {
	return &syntax.Expr{Kind: syntax.Call, Text: function, Args: args, Pos: x.Pos, End: x.End}
}

func number(x *syntax.Expr, value any) *syntax.Expr {
	return &syntax.Expr{Kind: syntax.Number, Value: value, Pos: x.Pos, End: x.End}
}

func operation(x *syntax.Expr, op string, a, b *syntax.Expr) *syntax.Expr {
	return &syntax.Expr{Kind: syntax.Binary, Text: op, Args: []*syntax.Expr{a, b}, Pos: x.Pos, End: x.End}
}

// constantOf returns the integer of an argument.
func (s *sequencer) constantOf(x *syntax.Expr) int {
	negative := x.Kind == syntax.Unary && x.Text == "-"
	n := x
	if negative {
		n = x.Args[0]
	}
	i, ok := n.Value.(*big.Int)
	if n.Kind != syntax.Number || !ok || !i.IsInt64() || i.BitLen() > 62 {
		s.fail(x, "shift wants a number of rows, such as 1 or -1")
	}
	if negative {
		return -int(i.Int64())
	}
	return int(i.Int64())
}

// header returns the header of an array of n elements.
func header(t dtype.Type, n int) format.Header { return format.Header{DType: t, Shape: []int{n}} }
