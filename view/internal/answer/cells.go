package answer

import (
	"context"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/npygo/npy"
)

const cellsMax = 20_000 // of an answer

// cells answers "cells": texts of a window. The columns of records are their fields.
func (a *Answers) cells(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "", "yx")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	t, err := a.tableOf(ctx, s, q)
	if err != nil {
		return err
	}
	y0, y1, err := clip(q, "y", t.rows)
	if err != nil {
		return err
	}
	x0, x1, err := clip(q, "x", t.columns())
	if err != nil {
		return err
	}
	if n := max(x1-x0, 1); y1-y0 > cellsMax/n {
		y1 = y0 + max(cellsMax/n, 1)
		x1 = min(x1, x0+cellsMax)
	}
	part, rows, err := t.read(ctx, y0, y1, x0, x1)
	if err != nil {
		return err
	}
	head := map[string]any{"total": t.rows, "rows": rows, "y0": y0, "x0": x0}
	cells := make([][]string, len(rows))
	cuts := [][2]int{}
	put := func(r, c int, text string, cut bool) {
		cells[r] = append(cells[r], text)
		if cut {
			cuts = append(cuts, [2]int{r, c})
		}
	}
	for r := range cells {
		cells[r] = []string{}
	}
	if t.fields != nil {
		names := []string{}
		for c, f := range t.fields[x0:x1] {
			names = append(names, f.Name)
			column, err := fieldOf(part, f.Name)
			if err != nil {
				return err
			}
			array := column.(*npy.Array)
			text, name := texts(array, cellMax), s.named(f.Name)
			for r := range rows {
				if len(f.Shape) == 0 {
					value, cut := text(r)
					if name != nil {
						value = cutCell(name(value))
					}
					put(r, c, value, cut)
					continue
				}
				one, err := array.Slice(npy.At(r))
				if err != nil {
					return err
				}
				value := strings.Join(strings.Fields(arrayText(one)), " ")
				put(r, c, cutCell(value), len(value) > cellMax)
			}
		}
		head["columns"], head["sizes"] = names, len(t.fields)
	} else {
		columns := []int{}
		for c := x0; c < x1; c++ {
			columns = append(columns, c)
		}
		text := texts(part, cellMax)
		var name naming
		if q.Get("minus") == "" && q.Get("part") == "" && !s.projected() {
			name = s.named("")
		}
		for r := range rows {
			for c := range columns {
				value, cut := text(r*len(columns) + c)
				if name != nil {
					value = cutCell(name(value))
				}
				put(r, c, value, cut)
			}
		}
		head["columns"], head["sizes"] = columns, t.columns()
	}
	head["cells"], head["cut"] = cells, cuts
	return writeJSON(w, tag, head)
}

func cutCell(s string) string { return cut(s, cellMax) }

// clip returns a range of n positions.
func clip(q url.Values, name string, n int) (low, high int, err error) {
	if low, err = number(q, name+"0", 0, math.MaxInt, 0); err != nil {
		return 0, 0, err
	}
	if high, err = number(q, name+"1", 0, math.MaxInt, n); err != nil {
		return 0, 0, err
	}
	low, high = min(low, n), min(high, n)
	return low, max(low, high), nil
}

// A table is a selection as rows and columns.
type table struct {
	src       npy.Source
	y, x      int // axes of src, -1 for none
	rows      int
	fields    []describedField // of records
	positions []int            // of the rows that were found, in their order; nil for all
}

func (t *table) columns() int {
	switch {
	case t.fields != nil:
		return len(t.fields)
	case t.x >= 0:
		return t.src.Shape()[t.x]
	}
	return 1
}

// tableOf returns the rows of a selection that satisfy the parameter where, in the order of the parameter sort.
func (a *Answers) tableOf(ctx context.Context, s *selection, q url.Values) (*table, error) {
	t := &table{src: s.src, y: s.y, x: s.x, rows: 1}
	if s.y >= 0 {
		t.rows = s.src.Shape()[s.y]
	}
	if d := s.src.DType(); d.IsStruct() {
		if s.x >= 0 {
			return nil, wrong("records have one axis in a table: take positions along the others")
		}
		t.fields = fieldsOf([]describedField{}, "", d)
	}
	where, order := q.Get("where"), q.Get("sort")
	if where == "" && order == "" {
		return t, nil
	}
	if s.y < 0 || s.x >= 0 && s.x < s.y {
		return nil, wrong("rows along the first axis can be found and sorted, and others not")
	}
	v, err := a.kept.get(ctx, s.key+" rows "+strconv.Quote(where)+strconv.Quote(order), s.hold, func(ctx context.Context) (any, int64, error) {
		rows, err := positions(ctx, working(ctx, t.src, 1), where, order)
		return rows, int64(len(rows))*8 + 64, err
	})
	if err != nil {
		return nil, err
	}
	t.positions = v.([]int)
	t.rows = len(t.positions)
	return t, nil
}

// read reads a window of the table, rows first, and the numbers of its rows. Records are read with all their fields.
func (t *table) read(ctx context.Context, y0, y1, x0, x1 int) (*npy.Array, []int, error) {
	rows := make([]int, y1-y0)
	for i := range rows {
		rows[i] = y0 + i
	}
	src := t.src
	index := make([]npy.Index, len(src.Shape()))
	for i := range index {
		index[i] = npy.All()
	}
	if t.x >= 0 {
		index[t.x] = npy.Span(x0, x1)
	}
	if t.y >= 0 && t.positions == nil {
		index[t.y] = npy.Span(y0, y1)
	}
	src, err := src.Select(index...)
	if err != nil {
		return nil, nil, err
	}
	var part *npy.Array
	if t.positions != nil {
		rows = t.positions[y0:y1]
		part, err = npy.Take(ctx, src, rows)
	} else {
		part, err = src.ReadAll(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	if t.x >= 0 && t.x < t.y {
		part = part.T()
	}
	return part, rows, nil
}

// cell answers "cell": one element, whole.
func (a *Answers) cell(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.target(ctx, q, false)
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	shape := s.src.Shape()
	parts := strings.Split(q.Get("index"), ",")
	if q.Get("index") == "" {
		parts = nil
	}
	if len(parts) > len(shape) {
		return wrong("index has %d positions, and the array %d axes", len(parts), len(shape))
	}
	index := make([]npy.Index, len(parts))
	for i, p := range parts {
		k, err := strconv.Atoi(p)
		if err != nil || k < 0 || k >= shape[i] {
			return wrong("position %q of axis %d has to be a number from 0 to %d", cut(p, 40), i, shape[i]-1)
		}
		index[i] = npy.At(k)
	}
	one, err := s.src.Select(index...)
	if err != nil {
		return err
	}
	n := max(one.DType().ItemSize(), 1)
	for _, d := range one.Shape() {
		if d > 0 && n > 16*wholeMax/d {
			return wrong("that is too much to show at once")
		}
		n *= d
	}
	array, err := one.ReadAll(ctx)
	if err != nil {
		return err
	}
	out := map[string]any{}
	if array.NDim() == 0 {
		out["text"], out["cut"] = texts(array, wholeMax)(0)
		if kindOf(array.DType()) == "object" {
			out["tree"] = treeOf(array.Object())
		}
	} else {
		text := npy.Printer{Precision: -1}.Str(array)
		out["text"], out["cut"] = cut(text, wholeMax), len(text) > wholeMax
	}
	return writeJSON(w, tag, out)
}
