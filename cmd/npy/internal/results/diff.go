package results

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
)

// A Comparison is the result of comparing two arrays.
type Comparison struct {
	A, B  input.Target
	Equal bool // also in the properties that --strict compares
	*diff.Result
}

// A DiffStyle says how differences are printed as text.
type DiffStyle struct {
	Width int  // of the terminal, in characters; 0 for any
	Color bool // A is red and B is green
}

const (
	colorA = "\x1b[31m"
	colorB = "\x1b[32m"
)

func (y DiffStyle) paint(color, text string) string {
	if !y.Color {
		return text
	}
	return color + text + terminal.Plain
}

func (y DiffStyle) columns(indent string) *terminal.Columns {
	return &terminal.Columns{Width: y.Width, Indent: indent}
}

// colors returns the colours of columns, or none.
func (y DiffStyle) colors(c map[int]string) map[int]string {
	if !y.Color {
		return nil
	}
	return c
}

// Print prints the differences between headers, fields and values.
func (c Comparison) Print(w io.Writer, style DiffStyle) {
	fmt.Fprintf(w, "%s\n%s\n", style.paint(colorA, "--- "+terminal.Printable(c.A.Title())), style.paint(colorB, "+++ "+terminal.Printable(c.B.Title())))
	t := style.columns("  ")
	for _, x := range c.changes() {
		t.Row(terminal.Printable(x.What), terminal.Printable(x.A), terminal.Printable(x.B))
	}
	t.Colors = style.colors(map[int]string{1: colorA, 2: colorB})
	t.Cut = []int{1, 2}
	t.Print(w)
	same := len(c.Fields) > 0
	for _, f := range c.Fields {
		switch {
		case f.Incomparable != "":
			fmt.Fprintf(w, "  %snot compared: %s\n", fieldTitle(f), terminal.Printable(f.Incomparable))
		case f.Different > 0:
			fmt.Fprintf(w, "  %s%s\n", fieldTitle(f), counts(f))
			printMismatches(w, f, style)
		default:
			continue
		}
		same = false
	}
	if same {
		fmt.Fprintln(w, "  no value differs")
	}
}

// changes returns all differences except between values. For records with different fields it lists the fields, in
// place of the two dtypes.
func (c Comparison) changes() []diff.Change {
	var fields []diff.Change
	for _, f := range c.Fields {
		if f.Name != "" && !f.A.WithByteOrder(dtype.NativeEndian).Equal(f.B.WithByteOrder(dtype.NativeEndian)) {
			fields = append(fields, diff.Change{What: f.Name, A: f.A.Descr(), B: f.B.Descr()})
		}
	}
	for _, name := range c.OnlyA {
		fields = append(fields, diff.Change{What: name, A: "present", B: "missing"})
	}
	for _, name := range c.OnlyB {
		fields = append(fields, diff.Change{What: name, A: "missing", B: "present"})
	}
	var all []diff.Change
	for _, x := range append(slices.Clip(c.Changed), c.Stored...) {
		if x.What == "dtype" && len(fields) > 0 {
			all = append(all, fields...)
			continue
		}
		all = append(all, x)
	}
	return all
}

// fieldTitle returns the start of a line about a field.
func fieldTitle(f diff.Field) string {
	if f.Name == "" {
		return ""
	}
	return terminal.Printable(f.Name) + ": "
}

// counts returns how many elements differ, as text.
func counts(f diff.Field) string {
	text := fmt.Sprintf("%d of %d differ (%s)", f.Different, f.Count, percent(f.Different, f.Count))
	if f.Close > 0 {
		text += fmt.Sprintf(", %d more within the tolerance", f.Close)
	}
	switch {
	case f.NaNs > 0 && hasTicks(f.A):
		text += fmt.Sprintf(", %d NaT in one array only", f.NaNs)
	case f.NaNs > 0:
		text += fmt.Sprintf(", %d NaN in one array only", f.NaNs)
	}
	return text
}

func hasTicks(t dtype.Type) bool {
	return t.Kind() == dtype.KindDatetime || t.Kind() == dtype.KindTimedelta
}

// percent returns a share in percent. It is 0% only for no elements and 100% only for all of them.
func percent(n, of int64) string {
	switch share := 100 * float64(n) / float64(of); {
	case n == 0 || n == of:
		return fmt.Sprintf("%.0f%%", share)
	case share < 0.01:
		return "under 0.01%"
	case share > 99.99:
		return "over 99.99%"
	default:
		return strconv.FormatFloat(share, 'g', 3, 64) + "%"
	}
}

// A noted is a mismatch and the reason to show it.
type noted struct {
	label string
	*diff.Mismatch
}

// notedOf returns the mismatches to show: the first ones and the worst.
func notedOf(f diff.Field) []noted {
	var list []noted
	for i := range f.First {
		list = append(list, noted{"", &f.First[i]})
	}
	if f.Different <= 1 {
		return list
	}
	note := func(label string, m *diff.Mismatch) {
		for i := range list {
			if m != nil && slices.Equal(list[i].Index, m.Index) {
				list[i].label = strings.TrimPrefix(list[i].label+", "+label, ", ")
				return
			}
		}
		if m != nil {
			list = append(list, noted{label, m})
		}
	}
	if len(f.First) > 0 {
		note("first", &f.First[0])
	}
	note("worst", f.WorstAbs)
	note("worst rel", f.WorstRel)
	for i, m := range list {
		list[i].label = strings.Replace(m.label, "worst, worst rel", "worst", 1)
	}
	return list
}

// printMismatches prints the mismatches as a table.
func printMismatches(w io.Writer, f diff.Field, style DiffStyle) {
	list := notedOf(f)
	if len(list) == 0 {
		return
	}
	t := style.columns("    ")
	hasAbs, hasRel, hasULPs := f.WorstAbs != nil, f.WorstRel != nil, f.WorstULPs != nil
	row := func(label, index, a, b, abs, rel, ulps string) {
		cells := []string{label, index, a, b}
		for _, c := range []struct {
			shown bool
			text  string
		}{{hasAbs, abs}, {hasRel, rel}, {hasULPs, ulps}} {
			if c.shown {
				cells = append(cells, c.text)
			}
		}
		t.Row(cells...)
	}
	row("", "INDEX", "A", "B", "ABS", "REL", "ULPS")
	for _, m := range list {
		row(m.label, indexText(m.Index), valueText(f.A, m.A), valueText(f.B, m.B), absText(m.Abs), relText(m.Rel), ulpsText(m.ULPs))
	}
	t.Colors = style.colors(map[int]string{2: colorA, 3: colorB})
	t.Heading, t.Cut, t.Drop = true, []int{2, 3}, []int{6, 5}
	t.Print(w)
}

// absText formats a difference: an integer in full, a float with six digits.
func absText(d diff.Distance) string {
	text := d.String()
	switch {
	case text == "":
		return "-"
	case len(text) > 6 && strings.ContainsAny(text, ".e"):
		return strconv.FormatFloat(d.Float64(), 'g', 6, 64)
	}
	return strings.ToLower(text)
}

func relText(rel float64) string {
	if rel != rel {
		return "-"
	}
	return strings.ToLower(strconv.FormatFloat(rel, 'g', 3, 64))
}

func ulpsText(n int64) string {
	if n < 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

// indexText formats an index as NumPy accepts it.
func indexText(index []int) string {
	if len(index) == 0 {
		return "[()]"
	}
	return strings.ReplaceAll(fmt.Sprint(index), " ", ", ")
}

// valueText formats a value: text in quotes, and long text cut.
func valueText(t dtype.Type, text string) string {
	const most = 40
	cut := []rune(text)
	if len(cut) > most {
		text = string(cut[:most]) + "…"
	}
	if t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes {
		return strconv.Quote(text)
	}
	return terminal.Printable(text)
}

// PrintStat prints a line for each field that differs, or one line for the array.
func (c Comparison) PrintStat(w io.Writer) {
	t := terminal.NewTable(w, 1, 0)
	defer t.Flush()
	name := terminal.Printable(c.A.Title())
	for _, x := range c.changes() {
		fmt.Fprintf(t, "%s\t| %s: %s, %s\n", name, terminal.Printable(x.What), terminal.Printable(x.A), terminal.Printable(x.B))
	}
	for _, f := range c.Fields {
		full := name
		if f.Name != "" {
			full += " " + terminal.Printable(f.Name)
		}
		switch m := f.WorstAbs; {
		case f.Incomparable != "":
			fmt.Fprintf(t, "%s\t| not compared: %s\n", full, terminal.Printable(f.Incomparable))
		case f.Different > 0 && m != nil:
			fmt.Fprintf(t, "%s\t| %s, worst %s at %s\n", full, counts(f), absText(m.Abs), indexText(m.Index))
		case f.Different > 0:
			fmt.Fprintf(t, "%s\t| %s\n", full, counts(f))
		}
	}
}
