package results

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/stats"
)

// A Summary is the statistics of one array.
type Summary struct {
	Target input.Target
	DType  dtype.Type
	Shape  []int
	SameAs string        // the array in the same file that is the same bytes; "" for none
	All    []stats.Stats // of the array, or of each field
	Along  *Axis         // set in place of All if an axis was given

	Qs        []float64
	Quantiles []stats.Quantiles // nil unless requested, as the following
	Histogram *stats.Histogram
	Unique    *Uniques

	byField map[string][]stats.QuantileReport // of quantilesOf
}

// Uniques holds the distinct values and their counts, or nil if there are more than MaxUnique.
type Uniques struct{ Values, Counts *npy.Array }

// MaxUnique is the number of distinct values that are listed.
const MaxUnique = 20

// An Axis holds the results along an axis. Number is the one that the user gave.
type Axis struct {
	Number int
	stats.Axis
}

// named returns the results with their names.
func (a *Axis) named() []namedArray {
	return []namedArray{{"mean", a.Mean}, {"std", a.Std}, {"min", a.Min}, {"max", a.Max}, {"sum", a.Sum}}
}

type namedArray struct {
	name  string
	array *npy.Array
}

// Print prints the statistics as text.
func (s *Summary) Print(w io.Writer, style Style) error {
	fmt.Fprintf(w, "%s%s\n", terminal.Printable(diagnose.FileName(s.Target.Name())), terminal.Printable(s.Target.Sub))
	t := terminal.NewTable(w, 2, 0)
	fmt.Fprintf(t, "  dtype\t%s\n", terminal.Printable(statsType(s.DType, numbers.TypeText)))
	fmt.Fprintf(t, "  shape\t%s\n", format.ShapeString(s.Shape))
	if s.SameAs != "" {
		fmt.Fprintf(t, "  same bytes as\t%s\n", terminal.Printable(s.SameAs))
	}
	switch {
	case s.Along != nil:
		t.Flush()
		return s.printAlong(w, style)
	case !s.DType.IsStruct():
		for _, one := range s.All {
			printLines(t, one, style)
		}
		for _, q := range s.quantilesOf("") {
			fmt.Fprintf(t, "  quantile %v\t%s\n", q.Q, cmp.Or(style.text(q.Value), "-"))
		}
		t.Flush()
		s.printHistogram(w, style)
		s.printUnique(w)
	default:
		t.Flush()
		return s.printFields(w, style)
	}
	return t.Flush()
}

// quantilesOf returns the quantiles of a field.
func (s *Summary) quantilesOf(field string) []stats.QuantileReport {
	if s.byField == nil {
		s.byField = make(map[string][]stats.QuantileReport, len(s.Quantiles))
		for _, q := range s.Quantiles {
			for i, v := range q.Values {
				s.byField[q.Field] = append(s.byField[q.Field], stats.QuantileReport{Q: s.Qs[i], Value: v})
			}
		}
	}
	return s.byField[field]
}

// printHistogram prints a bar for each bin.
func (s *Summary) printHistogram(w io.Writer, style Style) {
	if s.Histogram == nil {
		return
	}
	fmt.Fprintln(w, "  histogram")
	if s.Histogram.Edges == nil {
		fmt.Fprintln(w, "    no finite numbers")
		return
	}
	var bins strings.Builder
	t := terminal.NewTable(&bins, 2, tabwriter.AlignRight)
	for i, n := range s.Histogram.Counts {
		fmt.Fprintf(t, "  %s\tto\t%s\t%d\t\n", edgeText(s.Histogram.Edges[i]), edgeText(s.Histogram.Edges[i+1]), n)
	}
	t.Flush()
	lines := strings.Split(strings.TrimSuffix(bins.String(), "\n"), "\n")
	width := barMax
	if style.Width > 0 {
		width = min(max(style.Width-npy.TextWidth(lines[0])-2, barMin), barMax)
	}
	most := slices.Max(s.Histogram.Counts)
	for i, n := range s.Histogram.Counts {
		fmt.Fprintln(w, strings.TrimRight(lines[i]+"  "+bar(n, most, width), " "))
	}
}

// The lengths of the longest bar of a histogram, in characters: on a wide terminal, and on a narrow one.
const barMax, barMin = 40, 5

// edgeText returns the edge of a bin: a time, or a number with 6 digits.
func edgeText(v stats.Value) string {
	if x := v.Float64(); x == x {
		return fmt.Sprintf("%.6g", x)
	}
	return v.String()
}

// bar returns a bar of length n/most of a width, in eighths of a character. It is visible unless n is 0.
func bar(n, most int64, width int) string {
	eighths := int(math.Round(float64(n) / float64(max(most, 1)) * float64(width) * 8))
	if n > 0 {
		eighths = max(eighths, 1)
	}
	text := strings.Repeat("█", eighths/8)
	if part := eighths % 8; part > 0 {
		text += string([]rune(" ▏▎▍▌▋▊▉")[part])
	}
	return text
}

func (s *Summary) printUnique(w io.Writer) {
	switch {
	case s.Unique == nil:
		return
	case s.Unique.Values == nil:
		fmt.Fprintf(w, "  unique  more than %d values\n", MaxUnique)
		return
	}
	n := s.Unique.Values.Len()
	fmt.Fprintf(w, "  unique  %d\n", n)
	t := terminal.NewTable(w, 2, tabwriter.AlignRight)
	for i := range n {
		fmt.Fprintf(t, "  %s\t%s\ttimes\t\n", elementText(s.Unique.Values, i), elementText(s.Unique.Counts, i))
	}
	t.Flush()
}

// elementText returns one element of an array of one dimension as show prints it.
func elementText(a *npy.Array, i int) string {
	one, err := a.Slice(npy.Span(i, i+1)) // strings have quotes within brackets only
	if err != nil {                       // cannot happen
		return err.Error()
	}
	text := strings.TrimSpace(one.String())
	return terminal.Printable(strings.TrimSpace(text[1 : len(text)-1]))
}

func (s *Summary) printAlong(w io.Writer, style Style) error {
	for _, along := range s.Along.named() {
		if along.array == nil {
			continue
		}
		fmt.Fprintf(w, "%s:\n", along.name)
		if err := style.printer().Print(w, along.array); err != nil {
			return err
		}
	}
	return nil
}

// statsType names a dtype. Of objects, only StringDType has statistics.
func statsType(t dtype.Type, name func(dtype.Type) string) string {
	if t.Kind() == dtype.KindObject {
		return "StringDType"
	}
	return name(t)
}

// A line is a result and its name.
type line struct{ name, text string }

// linesOf returns the results that apply to the dtype.
func linesOf(s stats.Stats, style Style) []line {
	count := func(n int64) string { return fmt.Sprint(n) }
	lines := []line{{"count", count(s.Count)}}
	switch s.DType.Kind() {
	case dtype.KindBool:
		return append(lines, line{"true", count(s.Trues)}, line{"false", count(s.Count - s.Trues)}, line{"mean", style.text(s.Mean)}, line{"std", style.text(s.Std)})
	case dtype.KindObject:
		lines = append(lines, line{"missing", count(s.Missing)})
		fallthrough
	case dtype.KindBytes, dtype.KindStr:
		return append(lines, line{"empty", count(s.Empty)}, line{"shortest", fmt.Sprint(s.MinLen)}, line{"longest", fmt.Sprint(s.MaxLen)})
	case dtype.KindDatetime:
		return append(lines, line{"NaT", count(s.NaTs)}, line{"min", style.text(s.Min)}, line{"max", style.text(s.Max)}, line{"mean", style.text(s.Mean)},
			line{"argmin", tupleText(s.ArgMin)}, line{"argmax", tupleText(s.ArgMax)})
	case dtype.KindTimedelta:
		return append(lines, line{"NaT", count(s.NaTs)}, line{"zeros", count(s.Zeros)}, line{"min", style.text(s.Min)}, line{"max", style.text(s.Max)},
			line{"mean", style.text(s.Mean)}, line{"sum", style.text(s.Sum)}, line{"argmin", tupleText(s.ArgMin)}, line{"argmax", tupleText(s.ArgMax)})
	}
	if !s.Sum.IsValid() {
		return lines
	}
	if _, isInt := s.Sum.Int(); !isInt {
		lines = append(lines, line{"NaN", count(s.NaNs)}, line{"inf", count(s.Infs)})
	}
	return append(lines, line{"zeros", count(s.Zeros)}, line{"min", style.text(s.Min)}, line{"max", style.text(s.Max)},
		line{"mean", style.text(s.Mean)}, line{"std", style.text(s.Std)}, line{"sum", style.text(s.Sum)},
		line{"argmin", tupleText(s.ArgMin)}, line{"argmax", tupleText(s.ArgMax)})
}

// tupleText returns an index as a tuple, or "" for none.
func tupleText(index []int) string {
	if index == nil {
		return ""
	}
	return format.ShapeString(index)
}

func printLines(w io.Writer, s stats.Stats, style Style) {
	for _, l := range linesOf(s, style) {
		if l.text != "" {
			fmt.Fprintf(w, "  %s\t%s\n", l.name, l.text)
		}
	}
}
