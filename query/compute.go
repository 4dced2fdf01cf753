package query

import (
	"context"
	"strings"
	"unicode"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/compute"
)

// An Assignment gives a name to the values of an expression, one for each row.
type Assignment struct {
	Name string // of the field of the result
	Expr string // in the syntax of a [Condition]
}

// ParseAssignment reads an assignment: "speed = sqrt(vx**2 + vy**2)". A name that is not an identifier is between backquotes. An
// expression that is not valid is an [*Error].
func ParseAssignment(text string) (Assignment, error) {
	name, expr, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	quoted := len(name) > 2 && name[0] == '`' && name[len(name)-1] == '`'
	switch {
	case ok && quoted:
		name = name[1 : len(name)-1]
	case !ok || !isIdentifier(name) || strings.HasPrefix(expr, "="):
		return Assignment{}, diag.Errorf("query", "%q is not an assignment; write NAME = EXPRESSION, as in speed = sqrt(vx**2 + vy**2)", text)
	}
	expr = strings.TrimSpace(expr)
	return Assignment{Name: name, Expr: expr}, CheckSyntax(expr)
}

// isIdentifier reports whether a name can be in an expression without backquotes.
func isIdentifier(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// String returns the assignment as [ParseAssignment] reads it.
func (a Assignment) String() string {
	if isIdentifier(a.Name) {
		return a.Name + " = " + a.Expr
	}
	return "`" + a.Name + "` = " + a.Expr
}

// Columns says which columns [Compute] gives an array.
type Columns struct {
	// Set has the computed columns. Each expression may name the columns before it. A column with the name of a field replaces it,
	// for the expressions that follow and in the result.
	Set []Assignment

	// Keep has the names of the fields of the result, in their order; nil means all. Drop has fields that the result lacks.
	Keep, Drop []string
}

// Compute returns src with computed columns. Nothing is computed before the result is read, and what is read again is computed again:
// blocks take the memory of a block of src and of the result, on several goroutines, and a part of the result reads the same part of
// src. The result is valid as long as src is.
//
//	fast, err := query.Compute(ctx, file, query.Columns{Set: []query.Assignment{{Name: "speed", Expr: "sqrt(vx**2 + vy**2)"}}})
//
// The result has records: the fields of src in their order, without padding, and the new ones after them. An array without fields
// becomes records with the field x, which is an element, or a row if there are several dimensions. If x is all that is set and nothing is
// kept or dropped, the result has no fields: its elements are computed one by one, in the shape of src. Values are stored in the dtype of
// NumPy 2 for the expression, in the byte order of the machine: long doubles are float64, and bfloat16 and float8 are float32.
//
// An expression has the syntax of a [Condition]. In an array of one dimension it may also use functions of several rows:
//
//   - cumsum(x) is numpy.cumsum. It is computed block after block. A read elsewhere than at the start first reads all rows before it,
//     once, and then keeps a sum for every 16 thousand rows.
//   - shift(x), shift(x, n) and shift(x, n, fill) have the value n rows above, by default one; below if n is negative. Rows without one
//     have fill, by default NaN, NaT or an empty text. Without fill, integers and bools become float64.
//   - diff(x) and diff(x, first) have the difference from the value above. The first row has first, by default NaN or NaT. Without
//     first, differences of integers are float64.
//   - rank(x) has the place of the value among all, from 1 on. Equal values share the mean of their ranks, and NaN and NaT have the
//     rank NaN. The first read sorts the values in memory, about 24 bytes a row, and keeps 8 bytes a row.
//
// Such functions of each other are limited to 6 levels. Of an [npy.Stream], which can be read once, they read all into memory.
//
// An expression that is not valid, or does not fit the dtypes, is an [*Error]. A value that cannot be computed is an error of the read,
// which names the row. Python objects are an error that wraps [npy.ErrObjects].
func Compute(ctx context.Context, src npy.Source, c Columns) (npy.Source, error) {
	inner := compute.Columns{Keep: c.Keep, Drop: c.Drop}
	for _, a := range c.Set {
		inner.Set = append(inner.Set, compute.Assignment(a))
	}
	out, err := inner.Of(ctx, src)
	if err != nil {
		return nil, exported(err)
	}
	return out, nil
}
