package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/stats"
	"github.com/spf13/cobra"
)

// noAxis stands for the whole array; no axis has this number.
const noAxis = -1 << 31

// statistics holds the requested results that are optional.
type statistics struct {
	axis      int
	quantiles []float64
	bins      int // of the histogram, 0 for none
	unique    bool
}

// more reports whether the results take more than one pass.
func (what statistics) more() bool { return what.quantiles != nil || what.bins > 0 || what.unique }

const (
	usualBins = 10
	uniqueMax = 20 // the most values that are listed; with more there is no list
)

func statsCommand(a *app) *cobra.Command {
	var slice string
	var asJSON bool
	var maxHeader int
	what := statistics{axis: noAxis}
	c := &cobra.Command{
		Use:   "stats FILE...",
		Short: "Summarise the values: count, min, max, mean, std, NaN",
		Long: `Stats reads each file once, in little memory, and says how many elements there are, the smallest and the
largest, their mean, standard deviation (of the population, as numpy.std) and sum, and how many are NaN, infinite or
zero. NaN is left out of the rest. Records get a line for each field. Integers are exact.

--quantiles are exact, and interpolated as numpy.nanquantile does; a --histogram is that of numpy.histogram without
NaN and infinities; --unique lists the values of integers and bools if they are no more than 20. Files are read again
for each. Standard input and members of archives are held in memory for that.

Along an --axis there is a result for each element of an array without that axis; only these are held in memory. What
is held as well is slices of members of archives and of standard input.`,
		Example: `  npy stats a.npy
  npy stats 'a.npy[:, 0]'
  npy stats --axis 0 a.npy
  npy stats --quantiles 0.25,0.5,0.75 a.npy
  npy stats --histogram a.npy
  npy stats --json *.npy`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case what.axis != noAxis && what.more():
				return fmt.Errorf("--quantiles, --histogram and --unique are those of the whole array; give them or --axis")
			case what.bins < 0 || what.bins > 1000:
				return fmt.Errorf("--histogram %d: want 1 to 1000 bins", what.bins)
			}
			w := bufio.NewWriter(a.out)
			shown := 0
			d := a.decoder(maxHeader, a.limits.objects())
			err := a.arrays(args, slice, d, func(t target) error {
				s, err := a.summarise(t, d, what)
				if errors.Is(err, npy.ErrObjects) {
					err = errors.New("no statistics of Python objects; of records, FILE['name'] takes one field")
				}
				if err != nil {
					return says(t.name(), err)
				}
				if shown > 0 && !asJSON {
					fmt.Fprintln(w)
				}
				shown++
				return s.print(w, asJSON)
			})
			if err != nil {
				return err
			}
			return w.Flush()
		},
	}
	f := c.Flags()
	f.StringVarP(&slice, "slice", "s", "", "take only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.Float64SliceVar(&what.quantiles, "quantiles", nil, "also these quantiles, by `numbers` from 0 to 1: 0.05,0.5,0.95")
	f.IntVar(&what.bins, "histogram", 0, "also how many are where, in so many `bins` (10 if you do not say how many)")
	f.Lookup("histogram").NoOptDefVal = fmt.Sprint(usualBins)
	f.BoolVar(&what.unique, "unique", false, "also the different values of integers and bools, up to 20, and how often they are there")
	f.IntVarP(&what.axis, "axis", "a", noAxis, "mean, std, min and max along this `axis`; -1 is the last")
	f.Lookup("axis").DefValue = "0" // not shown by help, because there is no default
	f.BoolVar(&asJSON, "json", false, "print one JSON object per array, or per field of records")
	addMaxHeader(c, &maxHeader)
	a.addAs(c)
	return c
}

// A summary is the results for one array.
type summary struct {
	file  target
	dtype dtype.Type
	shape []int
	all   []stats.Stats
	along *alongAxis // set in place of all if an axis was given

	quantiles []quantile
	histogram *stats.Histogram
	unique    *uniques
}

// uniques holds the distinct values, unless there are too many.
type uniques struct {
	all    bool
	values []stats.Unique
}

// A quantile is one of the requested quantiles.
type quantile struct {
	Q     float64     `json:"q"`
	Value stats.Value `json:"value"`
}

// alongAxis holds the results along an axis. The axis is the number that the user gave.
type alongAxis struct {
	axis    int
	results []namedArray
}

type namedArray struct {
	name  string
	array *npy.Array
}

// summarise computes the results for a target. The target is read piece by piece, unless it is not a plain file and a
// slice or more than one pass is requested.
func (a *app) summarise(t target, d npy.Decoder, what statistics) (summary, error) {
	f, close := openFile(t, d, a.progress(fileName(t.name())))
	if f == nil && t.index == nil && !what.more() {
		return a.stream(t, d.Format(), what.axis)
	}
	in, err := a.opened(f, close, t, d)
	if err != nil {
		return summary{}, err
	}
	defer in.Close()
	s, err := summariseSource(in.Source, what)
	s.file = t
	return s, explain(err)
}

func summariseSource(src npy.Source, what statistics) (s summary, err error) {
	ctx := context.Background()
	s.dtype, s.shape = src.DType(), src.Shape()
	if what.axis != noAxis {
		along, err := stats.AxisOf(ctx, src, what.axis)
		s.along = named(what.axis, along)
		return s, err
	}
	if s.all, err = stats.Of(ctx, src); err == nil {
		err = s.add(ctx, src, what)
	}
	return s, err
}

// add adds the results that take more passes over the elements.
func (s *summary) add(ctx context.Context, src npy.Source, what statistics) error {
	if what.quantiles != nil {
		values, err := stats.QuantilesOf(ctx, src, what.quantiles...)
		if err != nil {
			return err
		}
		for i, x := range values {
			s.quantiles = append(s.quantiles, quantile{what.quantiles[i], stats.Float(x)})
		}
	}
	if what.bins > 0 {
		h, err := stats.HistogramOf(ctx, src, what.bins)
		if err != nil {
			return err
		}
		s.histogram = &h
	}
	if what.unique {
		values, all, err := stats.UniquesOf(ctx, src, uniqueMax)
		if err != nil {
			return err
		}
		s.unique = &uniques{all, values}
	}
	return nil
}

// named names the results along an axis.
func named(axis int, x stats.Axis) *alongAxis {
	return &alongAxis{axis, []namedArray{{"mean", x.Mean}, {"std", x.Std}, {"min", x.Min}, {"max", x.Max}}}
}

// stream reads the elements a few megabytes at a time.
func (a *app) stream(t target, d format.Decoder, axis int) (summary, error) {
	f, err := a.open(t)
	if err != nil {
		return summary{}, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	h, err := d.ReadHeader(r)
	if err != nil {
		return summary{}, explain(err)
	}
	s := summary{file: t, dtype: h.DType, shape: h.Shape}
	if h.DType.HasObject() && axis == noAxis {
		array, err := a.limits.objects().DecodeObjects(r, h)
		if err == nil {
			s.shape = array.Shape()
			s.all, err = stats.Of(context.Background(), array)
		}
		return s, explain(err)
	}
	if axis != noAxis {
		acc, err := stats.NewAxis(h, axis)
		if err == nil {
			err = addData(acc, r, h)
		}
		if err == nil {
			err = t.finish(r)
		}
		if err != nil {
			return summary{}, err
		}
		along, err := acc.Result()
		s.along = named(axis, along)
		return s, err
	}
	acc, err := stats.New(h.DType)
	if err != nil {
		return summary{}, err
	}
	acc.AddEmpty(int64(h.Size()))
	if err = addData(acc, r, h); err == nil {
		err = t.finish(r)
	}
	if err != nil {
		return summary{}, err
	}
	s.all, err = acc.Result()
	return s, err
}

// addData adds the elements after a header to an accumulator. The buffer grows with the data that has arrived.
func addData(acc interface{ Add(data []byte) }, r io.Reader, h format.Header) error {
	const first, most = 64 << 10, 8 << 20
	left := h.NBytes()
	buf := make([]byte, min(left, first))
	for left > 0 {
		n, err := io.ReadFull(r, buf[:min(left, int64(len(buf)))])
		acc.Add(buf[:n])
		left -= int64(n)
		if err != nil {
			have := h.NBytes() - left
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
				err = &format.ShortError{Have: have, Want: h.NBytes()}
			}
			return &format.Error{Offset: h.DataOffset + have, Err: err}
		}
		if len(buf) < most && left > int64(len(buf)) {
			buf = make([]byte, min(left, int64(8*len(buf)), most))
		}
	}
	return nil
}

func (s summary) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return s.printJSON(w)
	}
	fmt.Fprintf(w, "%s%s\n", terminal.Printable(fileName(s.file.name())), terminal.Printable(s.file.sub))
	t := terminal.NewTable(w, 2, 0)
	fmt.Fprintf(t, "  dtype\t%s\n", terminal.Printable(statsType(s.dtype, numbers.TypeText)))
	fmt.Fprintf(t, "  shape\t%s\n", shapeText(s.shape))
	switch {
	case s.along != nil:
		t.Flush()
		return s.printAlong(w)
	case !s.dtype.IsStruct():
		for _, one := range s.all {
			printLines(t, one)
		}
		for _, q := range s.quantiles {
			fmt.Fprintf(t, "  quantile %v\t%s\n", q.Q, q.Value)
		}
		t.Flush()
		s.printHistogram(w)
		s.printUnique(w)
	default:
		t.Flush()
		printFieldTable(t, s.all)
	}
	return t.Flush()
}

// printHistogram prints a bar for each bin.
func (s summary) printHistogram(w io.Writer) {
	if s.histogram == nil {
		return
	}
	fmt.Fprintln(w, "  histogram")
	if s.histogram.Edges == nil {
		fmt.Fprintln(w, "    of no number")
		return
	}
	t := terminal.NewTable(w, 2, tabwriter.AlignRight)
	most := slices.Max(s.histogram.Counts)
	for i, n := range s.histogram.Counts {
		fmt.Fprintf(t, "  %.6g\tto\t%.6g\t%d\t  %s\n", s.histogram.Edges[i], s.histogram.Edges[i+1], n, bar(n, most))
	}
	t.Flush()
}

// bar returns a bar of length n/most, in eighths of a character. It is visible unless n is 0.
func bar(n, most int64) string {
	const width = 40
	eighths := int(math.Round(float64(n) / float64(max(most, 1)) * width * 8))
	if n > 0 {
		eighths = max(eighths, 1)
	}
	text := strings.Repeat("█", eighths/8)
	if part := eighths % 8; part > 0 {
		text += string([]rune(" ▏▎▍▌▋▊▉")[part])
	}
	return text
}

func (s summary) printUnique(w io.Writer) {
	switch {
	case s.unique == nil:
		return
	case !s.unique.all:
		fmt.Fprintf(w, "  unique  more than %d values\n", uniqueMax)
		return
	}
	fmt.Fprintf(w, "  unique  %d\n", len(s.unique.values))
	t := terminal.NewTable(w, 2, tabwriter.AlignRight)
	for _, u := range s.unique.values {
		fmt.Fprintf(t, "  %s\t%d\ttimes\t\n", u.Value, u.Count)
	}
	t.Flush()
}

func (s summary) printAlong(w io.Writer) error {
	for _, along := range s.along.results {
		fmt.Fprintf(w, "%s:\n", along.name)
		if err := (npy.Printer{}).Print(w, along.array); err != nil {
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
func linesOf(s stats.Stats) []line {
	count := func(n int64) string { return fmt.Sprint(n) }
	lines := []line{{"count", count(s.Count)}}
	switch s.DType.Kind() {
	case dtype.KindBool:
		return append(lines, line{"true", count(s.Trues)}, line{"false", count(s.Count - s.Trues)}, line{"mean", s.Mean.String()}, line{"std", s.Std.String()})
	case dtype.KindObject:
		lines = append(lines, line{"missing", count(s.Missing)})
		fallthrough
	case dtype.KindBytes, dtype.KindStr:
		return append(lines, line{"empty", count(s.Empty)}, line{"shortest", fmt.Sprint(s.MinLen)}, line{"longest", fmt.Sprint(s.MaxLen)})
	case dtype.KindDatetime:
		return append(lines, line{"NaT", count(s.NaTs)}, line{"min", s.Min.String()}, line{"max", s.Max.String()})
	case dtype.KindTimedelta:
		return append(lines, line{"NaT", count(s.NaTs)}, line{"zeros", count(s.Zeros)}, line{"min", s.Min.String()}, line{"max", s.Max.String()})
	}
	if !s.Sum.IsValid() {
		return lines
	}
	if _, isInt := s.Sum.Int(); !isInt {
		lines = append(lines, line{"NaN", count(s.NaNs)}, line{"inf", count(s.Infs)})
	}
	return append(lines, line{"zeros", count(s.Zeros)}, line{"min", s.Min.String()}, line{"max", s.Max.String()},
		line{"mean", s.Mean.String()}, line{"std", s.Std.String()}, line{"sum", s.Sum.String()})
}

func printLines(w io.Writer, s stats.Stats) {
	for _, l := range linesOf(s) {
		if l.text != "" {
			fmt.Fprintf(w, "  %s\t%s\n", l.name, l.text)
		}
	}
}

// printFieldTable prints a row for each field. Results without a column of their own are notes at the end.
func printFieldTable(w io.Writer, all []stats.Stats) {
	fmt.Fprintln(w, "  FIELD\tDTYPE\tCOUNT\tNAN\tINF\tZEROS\tMIN\tMAX\tMEAN\tSTD\tSUM\tNOTES")
	for _, s := range all {
		texts := map[string]string{}
		var notes []string
		for _, l := range linesOf(s) {
			texts[l.name] = l.text
			switch l.name {
			case "true", "false", "NaT", "empty", "shortest", "longest":
				notes = append(notes, l.name+" "+l.text)
			}
		}
		texts["notes"] = strings.Join(notes, ", ")
		fmt.Fprintf(w, "  %s\t%s", terminal.Printable(s.Field), s.DType.Name())
		for _, column := range []string{"count", "NaN", "inf", "zeros", "min", "max", "mean", "std", "sum", "notes"} {
			fmt.Fprintf(w, "\t%s", cmp.Or(texts[column], "-"))
		}
		fmt.Fprintln(w)
	}
}
