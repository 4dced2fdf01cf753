package main

import (
	"bytes"
	"fmt"
	"io"
	"sort"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// fitMax is the largest number of records that are printed more than once to find out how many fields fit.
const fitMax = 10_000

// printFitted prints records with as many of their fields as fit in lines of a width, and then the number of the others. way is the
// way to see them, after a semicolon. Arrays of other elements are printed as they are.
func printFitted(w io.Writer, p npy.Printer, array *npy.Array, width int, way string) error {
	fields := array.DType().Fields()
	if len(fields) < 2 || array.NDim() > 1 || array.Size() > fitMax {
		return p.Print(w, array)
	}
	var text bytes.Buffer
	n, err := fieldsThatFit(&text, p, array, width)
	if err != nil {
		return err
	}
	if _, err := w.Write(text.Bytes()); err != nil || n == len(fields) {
		return err
	}
	_, err = fmt.Fprintf(w, "… %s %s%s\n", moreFields(len(fields)-n), terminal.Shorten(terminal.Printable(fields[n].Name), width/2), way)
	return err
}

// moreFields is the text for n fields that are not shown.
func moreFields(n int) string {
	if n == 1 {
		return "1 more field,"
	}
	return fmt.Sprintf("%d more fields from", n)
}

// fieldsThatFit prints the largest number of fields from the start that fit, at least one, to text, and returns it.
func fieldsThatFit(text *bytes.Buffer, p npy.Printer, array *npy.Array, width int) (n int, err error) {
	var names []string
	for _, f := range array.DType().Fields() {
		names = append(names, f.Name)
	}
	print := func(n int) error {
		text.Reset()
		part := array
		if n < len(names) {
			if part, err = array.Slice(npy.NamedFields(names[:n]...)); err != nil {
				return err
			}
		}
		return p.Print(text, part)
	}
	mark := p.Mark
	p.Mark = nil // colours have no width
	fits := func(n int) bool {
		if err == nil {
			err = print(n)
		}
		return err == nil && isNarrow(text.Bytes(), width)
	}
	if fits(len(names)) {
		n = len(names)
	} else {
		n = max(sort.Search(len(names)-1, func(i int) bool { return !fits(i + 1) }), 1)
	}
	p.Mark = mark
	if err == nil {
		err = print(n)
	}
	return n, err
}

// isNarrow reports whether all lines of a text fit in a width.
func isNarrow(text []byte, width int) bool {
	for line := range bytes.Lines(text) {
		if npy.TextWidth(string(bytes.TrimSuffix(line, []byte("\n")))) > width {
			return false
		}
	}
	return true
}
