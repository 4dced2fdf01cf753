package compute

import (
	"context"
	"math"
	"math/big"

	"github.com/npygo/npy"
	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
	"github.com/npygo/npy/source"
)

// shift returns shift(x, n, fill): the values n rows above, and fill in the rows that have none. Without fill these are missing: NaN,
// NaT or an empty text. Integers and bools become float64 then, as in pandas.
func (s *sequencer) shift(x *syntax.Expr, arg *column, rows int) *syntax.Expr {
	n := 1
	if len(x.Args) > 1 {
		n = s.constantOf(x.Args[1])
	}
	moved := s.moved(arg, n, rows)
	if len(x.Args) == 3 {
		return s.filled(x, n, rows, x.Args[2], named(x, moved))
	}
	value := named(x, moved)
	if t := arg.value.Type; t.Class < values.Float {
		value = call(x, "float64", value)
	}
	return s.filled(x, n, rows, missing(x, arg.value.Type), value)
}

// diff returns diff(x, first): the difference of each value and the one in the row above. Without first, the first row is missing, and
// differences of integers and bools become float64: they are computed exactly before.
func (s *sequencer) diff(x *syntax.Expr, arg *column, rows int) *syntax.Expr {
	t := arg.value.Type
	if !t.IsNumber() && !t.IsTime() {
		s.fail(x.Args[0], "diff is for numbers and times, not %s", t)
	}
	now, before := named(x, arg), named(x, s.moved(arg, 1, rows))
	if len(x.Args) == 2 {
		return s.filled(x, 1, rows, x.Args[1], operation(x, "-", now, before))
	}
	if t.Class >= values.Float {
		return operation(x, "-", now, s.filled(x, 1, rows, missing(x, t), before))
	}
	difference := operation(x, "-", call(x, "int64", now), call(x, "int64", before))
	return s.filled(x, 1, rows, missing(x, t), call(x, "float64", difference))
}

// missing returns the value of a row that has none.
func missing(x *syntax.Expr, t values.Type) *syntax.Expr {
	text := syntax.Expr{Kind: syntax.String, Pos: x.Pos, End: x.End}
	switch {
	case t.IsTime():
		text.Text = "NaT"
	case t.Class == values.Bytes:
		text.Kind = syntax.Bytes
	case !t.IsText():
		return number(x, math.NaN())
	}
	return &text
}

// filled returns a value where a row has one n rows above, and fill elsewhere.
func (s *sequencer) filled(x *syntax.Expr, n, rows int, fill, value *syntax.Expr) *syntax.Expr {
	if n == 0 {
		return value
	}
	op, limit := "<", n
	if n < 0 {
		op, limit = ">=", rows+max(n, -rows)
	}
	row := *x
	row.Text = "row"
	has := &syntax.Expr{Kind: syntax.Comparison, Ops: []string{op}, Args: []*syntax.Expr{s.rowNumbers(&row), number(x, big.NewInt(int64(limit)))}, Pos: x.Pos, End: x.End}
	return call(x, "where", has, fill, value)
}

// moved returns the column of the values n rows above. Rows that have none are zero.
func (s *sequencer) moved(arg *column, n, rows int) *column {
	src := s.sourceOf(arg)
	gap := min(max(n, -n), rows)
	zeros := s.source(source.FromParts(header(src.DType(), gap), func(_ context.Context, p npy.Selection) (*npy.Array, error) {
		return npy.New(p.DType(), p.Shape()...)
	}))
	var parts []npy.Source
	if n >= 0 {
		parts = []npy.Source{zeros, s.source(src.Select(npy.SpanTo(rows - gap)))}
	} else {
		parts = []npy.Source{s.source(src.Select(npy.SpanFrom(gap))), zeros}
	}
	return s.plan.sequence(s.source(npy.Concat(0, parts...)), arg)
}
