package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
)

// The rows of long arrays that show --vertical prints, as NumPy does of values.
const (
	verticalMax   = 1000 // records above which only the edges are printed
	verticalEdges = 3
)

// showVertical prints records with a line for each field.
func (a *app) showVertical(t input.Target, x *showing) error {
	in, err := x.opener.Source(a.ctx, t)
	if err != nil {
		return diagnose.Of(t.Name(), err)
	}
	defer in.Close()
	shape := in.Shape()
	if !in.DType().IsStruct() || len(shape) > 1 {
		return diagnose.Of(t.Name(), fmt.Errorf("--vertical is for records in no or one dimension, not %s of shape %s", in.DType().Name(), format.ShapeString(shape)))
	}
	w := bufio.NewWriter(a.out)
	x.title(w, t)
	if len(shape) == 0 {
		array, err := in.ReadAll(a.ctx)
		if err != nil {
			return diagnose.Of(t.Name(), diagnose.Explain(err))
		}
		return x.printRecord(w, array, "")
	}
	for i, part := range x.verticalParts(shape[0]) {
		if i > 0 {
			fmt.Fprintln(w, "...")
		}
		array, err := numbers.Read(a.ctx, in.Source, npy.Span(part[0], part[1]))
		if err != nil {
			return diagnose.Of(t.Name(), diagnose.Explain(err))
		}
		for k := range array.Len() {
			record, err := array.Slice(npy.At(k))
			if err != nil {
				return err
			}
			if err := x.printRecord(w, record, fmt.Sprintf("[%d]", part[0]+k)); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// verticalParts returns the first and the end of each run of records that is printed, of n.
func (x *showing) verticalParts(n int) [][2]int {
	edges := verticalEdges
	if x.EdgeItems > 0 {
		edges = x.EdgeItems
	}
	switch {
	case x.head.given:
		if x.head.n < 0 {
			return [][2]int{{0, max(n+x.head.n, 0)}}
		}
		return [][2]int{{0, min(x.head.n, n)}}
	case x.tail.given && x.tail.n < 0:
		return [][2]int{{min(-x.tail.n, n), n}}
	case x.tail.given:
		return [][2]int{{max(n-x.tail.n, 0), n}}
	case x.full || n <= verticalMax || n <= 2*edges:
		return [][2]int{{0, n}}
	}
	return [][2]int{{0, edges}, {n - edges, n}}
}

// printRecord prints a record: its index, and a line for each field. The lines of a field after the first are indented.
func (x *showing) printRecord(w *bufio.Writer, record *npy.Array, heading string) error {
	if heading != "" {
		fmt.Fprintln(w, heading)
	}
	widest := 0
	fields := record.DType().Fields()
	for _, f := range fields {
		widest = max(widest, npy.TextWidth(terminal.Printable(f.Name)))
	}
	p := x.Printer
	p.Mark = nil
	for _, f := range fields {
		value, err := record.Slice(npy.Named(f.Name))
		if err != nil {
			return err
		}
		var text strings.Builder
		if err := p.Print(&text, value); err != nil {
			return err
		}
		name := terminal.Printable(f.Name)
		indent := strings.Repeat(" ", widest+4)
		lines := strings.ReplaceAll(strings.TrimSuffix(text.String(), "\n"), "\n", "\n"+indent)
		fmt.Fprintf(w, "  %s%s  %s\n", name, strings.Repeat(" ", widest-npy.TextWidth(name)), lines)
	}
	return w.Flush()
}
