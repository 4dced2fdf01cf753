package results

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/stats"
)

// A Style says how statistics are printed as text.
type Style struct {
	Precision int // most significant digits of floats; 0 means 7, a negative number all
	Width     int // of the terminal, in characters; 0 for any
}

const usualDigits = 7

// printer returns the printer of arrays.
func (y Style) printer() npy.Printer { return npy.Printer{Precision: y.Precision, LineWidth: y.Width} }

// text returns a value with the digits of the style. Integers have all their digits.
func (y Style) text(v stats.Value) string {
	text := v.String()
	if _, isInt := v.Int(); isInt || y.Precision < 0 {
		return text
	}
	digits := cmp.Or(y.Precision, usualDigits)
	if x := v.Float64(); x == x {
		return shortFloat(x, digits)
	}
	if x := v.Complex128(); !math.IsNaN(real(x)) && !math.IsNaN(imag(x)) {
		return strconv.FormatFloat(real(x), 'g', digits, 64) + fmt.Sprintf("%+.*gj", digits, imag(x))
	}
	return text
}

// shortFloat returns a float with at most some significant digits, as NumPy writes it where that is short enough.
func shortFloat(x float64, digits int) string {
	text := stats.Float(x).String()
	significant := strings.Trim(strings.Split(strings.ReplaceAll(strings.TrimLeft(text, "-"), ".", ""), "e")[0], "0")
	if len(significant) <= digits || math.IsInf(x, 0) {
		return text
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}

// fieldColumns are the columns of the table of fields, the names of lines and "notes" for all others.
var fieldColumns = []string{"count", "NaN", "inf", "zeros", "min", "max", "mean", "std", "sum", "notes"}

// dropOrder has the columns that a narrow terminal does without, the least important first.
var dropOrder = []string{"notes", "sum", "inf", "zeros", "count", "dtype", "NaN", "std"}

// printFields prints a line for each field of records: all columns, or as many as fit the terminal. If the important ones
// do not fit, it prints a line for each statistic.
func (s *Summary) printFields(w io.Writer, style Style) error {
	t := terminal.Columns{Width: style.Width, Indent: "  ", Cut: []int{0}}
	names := append([]string{"field", "dtype"}, fieldColumns...)
	var heading []string
	for i, name := range names {
		heading = append(heading, strings.ToUpper(name))
		if i < 2 || name == "notes" {
			t.Right += "l"
		} else {
			t.Right += "r"
		}
	}
	for _, name := range dropOrder {
		t.Drop = append(t.Drop, slices.Index(names, name))
	}
	for _, q := range s.Qs {
		heading = append(heading, fmt.Sprintf("Q%v", q))
		t.Right += "r"
	}
	t.Row(heading...)
	for _, one := range s.All {
		t.Row(s.fieldRow(one, style)...)
	}
	if style.Width > 0 {
		t.DropEmpty("-")
	}
	dropped, fits := t.Fit()
	if !fits {
		return s.printSideways(w, style)
	}
	if err := t.Print(w); err != nil {
		return err
	}
	if len(dropped) > 0 {
		_, err := fmt.Fprintf(w, "  not shown for lack of space: %s\n", strings.ToLower(strings.Join(dropped, ", ")))
		return err
	}
	return nil
}

// fieldRow returns the line of a field. Results without a column of their own are notes at the end.
func (s *Summary) fieldRow(one stats.Stats, style Style) []string {
	texts := map[string]string{}
	var notes []string
	for _, l := range linesOf(one, style) {
		texts[l.name] = l.text
		switch l.name {
		case "true", "false", "NaT", "empty", "shortest", "longest":
			notes = append(notes, l.name+" "+l.text)
		}
	}
	texts["notes"] = strings.Join(notes, ", ")
	row := []string{terminal.Printable(one.Field), one.DType.Name()}
	for _, column := range fieldColumns {
		row = append(row, cmp.Or(texts[column], "-"))
	}
	qs := s.quantilesOf(one.Field)
	for i := range s.Qs {
		text := ""
		if i < len(qs) {
			text = style.text(qs[i].Value)
		}
		row = append(row, cmp.Or(text, "-"))
	}
	return row
}

// printSideways prints a line for each statistic and a column for each field, in blocks of as many fields as fit.
func (s *Summary) printSideways(w io.Writer, style Style) error {
	for rest := s.All; len(rest) > 0; {
		n := 1 // counted up, because a line has few columns, however many fields are left
		for n < len(rest) && s.sideways(rest[:n+1], style).Fits() {
			n++
		}
		if len(rest) < len(s.All) {
			fmt.Fprintln(w)
		}
		if err := s.sideways(rest[:n], style).Print(w); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// sideways returns the table of some fields with a line for each statistic that one of them has.
func (s *Summary) sideways(all []stats.Stats, style Style) *terminal.Columns {
	t := &terminal.Columns{Width: style.Width, Indent: "  "}
	names, kinds := []string{""}, []string{"dtype"}
	var lines [][]string
	var order []string
	texts := make([]map[string]string, len(all))
	for i, one := range all {
		names = append(names, terminal.Shorten(terminal.Printable(one.Field), maxHeading))
		kinds = append(kinds, one.DType.Name())
		texts[i] = map[string]string{}
		list := linesOf(one, style)
		for _, q := range s.quantilesOf(one.Field) {
			list = append(list, line{fmt.Sprintf("quantile %v", q.Q), style.text(q.Value)})
		}
		for _, l := range list {
			texts[i][l.name] = l.text
			if !slices.Contains(order, l.name) {
				order = append(order, l.name)
			}
		}
		t.Right += "r"
	}
	t.Right = "l" + t.Right
	slices.SortStableFunc(order, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range order {
		row := []string{name}
		for i := range all {
			row = append(row, cmp.Or(texts[i][name], "-"))
		}
		lines = append(lines, row)
	}
	t.Row(names...)
	t.Row(kinds...)
	for _, row := range lines {
		t.Row(row...)
	}
	return t
}

// lineOrder is the order of the lines of fields of several kinds.
var lineOrder = []string{"count", "true", "false", "missing", "empty", "shortest", "longest", "NaT", "NaN", "inf", "zeros", "min", "max", "mean", "std", "sum", "argmin", "argmax"}

// rank returns the place of a line in lineOrder. Quantiles are last.
func rank(name string) int {
	if i := slices.Index(lineOrder, name); i >= 0 {
		return i
	}
	return len(lineOrder)
}

// maxHeading is the longest name of a field above a column.
const maxHeading = 24
