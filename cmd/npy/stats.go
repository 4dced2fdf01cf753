package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/stats"
	"github.com/spf13/cobra"
)

// noAxis stands for the whole array; no axis has this number.
const noAxis = -1 << 31

func statsCommand(a *app) *cobra.Command {
	var slice string
	var asJSON bool
	var maxHeader int
	axis := noAxis
	c := &cobra.Command{
		Use:   "stats FILE...",
		Short: "Summarise the values: count, min, max, mean, std, NaN",
		Long: `Stats reads each file once, in little memory, and says how many elements there are, the smallest and the
largest, their mean, standard deviation (of the population, as numpy.std) and sum, and how many are NaN, infinite or
zero. NaN is left out of the rest. Records get a line for each field. Integers are exact.

Along an --axis there is a result for each element of an array without that axis; only these are held in memory. What
is held as well is slices of members of archives and of standard input.`,
		Example: `  npy stats a.npy
  npy stats 'a.npy[:, 0]'
  npy stats --axis 0 a.npy
  npy stats --json *.npy`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			w := bufio.NewWriter(a.out)
			shown := 0
			d := npy.Decoder{MaxHeader: maxHeader, Objects: objects.Decoder{}}
			err := a.arrays(args, slice, d, func(t target) error {
				s, err := a.summarise(t, d, axis)
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
	f.IntVarP(&axis, "axis", "a", noAxis, "mean, std, min and max along this `axis`; -1 is the last")
	f.Lookup("axis").DefValue = "0" // which help does not show: there is none
	f.BoolVar(&asJSON, "json", false, "print one JSON object per array, or per field of records")
	addMaxHeader(c, &maxHeader)
	return c
}

// A summary is what there is to say about one array.
type summary struct {
	file  target
	dtype dtype.Type
	shape []int
	all   []stats.Stats
	along *alongAxis // instead, if an axis was given
}

// alongAxis is the results along an axis, which is as it was given.
type alongAxis struct {
	axis    int
	results []namedArray
}

type namedArray struct {
	name  string
	array *npy.Array
}

// summarise reads the file piece by piece, unless it is a slice of what is no plain file.
func (a *app) summarise(t target, d npy.Decoder, axis int) (summary, error) {
	if f := openParts(t, d); f != nil {
		defer f.Close()
		s, err := summariseFile(f, t, axis)
		return s, explain(err)
	}
	if t.index == nil {
		return a.stream(t, format.Decoder{MaxHeader: d.MaxHeader}, axis)
	}
	array, err := a.load(t, d)
	if err != nil {
		return summary{}, err
	}
	s := summary{file: t, dtype: array.DType(), shape: array.Shape()}
	if axis == noAxis {
		s.all, err = stats.Of(array)
	} else {
		s.along, err = named(axis)(stats.Axis(array, axis))
	}
	return s, err
}

func summariseFile(f *npy.File, t target, axis int) (summary, error) {
	part, err := npy.PartOf(f.Header(), t.index...)
	if err != nil {
		return summary{}, err
	}
	s := summary{file: t, dtype: part.DType(), shape: part.Shape()}
	if axis == noAxis {
		s.all, err = stats.OfFile(f, t.index...)
	} else {
		s.along, err = named(axis)(stats.AxisOfFile(f, axis, t.index...))
	}
	return s, err
}

// named returns what gives names to the results along an axis.
func named(axis int) func(mean, std, lowest, highest *npy.Array, err error) (*alongAxis, error) {
	return func(mean, std, lowest, highest *npy.Array, err error) (*alongAxis, error) {
		return &alongAxis{axis, []namedArray{{"mean", mean}, {"std", std}, {"min", lowest}, {"max", highest}}}, err
	}
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
	if axis != noAxis {
		acc, err := stats.NewAxis(h, axis)
		if err == nil {
			err = addData(acc, r, h)
		}
		if err != nil {
			return summary{}, err
		}
		s.along, err = named(axis)(acc.Result())
		return s, err
	}
	acc, err := stats.New(h.DType)
	if err != nil {
		return summary{}, err
	}
	acc.AddEmpty(int64(h.Size()))
	if err := addData(acc, r, h); err != nil {
		return summary{}, err
	}
	s.all, err = acc.Result()
	return s, err
}

// addData adds the elements behind a header to an accumulator.
func addData(acc interface{ Add(data []byte) }, r io.Reader, h format.Header) error {
	left := h.NBytes()
	buf := make([]byte, min(left, 8<<20))
	for left > 0 {
		n, err := io.ReadFull(r, buf[:min(left, int64(len(buf)))])
		acc.Add(buf[:n])
		left -= int64(n)
		if err != nil {
			have := h.NBytes() - left
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("the data ends after %d of %d bytes: %w", have, h.NBytes(), io.ErrUnexpectedEOF)
			}
			return &format.Error{Offset: h.DataOffset + have, Err: err}
		}
	}
	return nil
}

func (s summary) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return s.printJSON(w)
	}
	fmt.Fprintf(w, "%s%s\n", printable(fileName(s.file.name())), printable(s.file.sub))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  dtype\t%s\n", printable(typeText(s.dtype)))
	fmt.Fprintf(t, "  shape\t%s\n", shapeText(s.shape))
	switch {
	case s.along != nil:
		t.Flush()
		return s.printAlong(w)
	case !s.dtype.IsStruct():
		for _, one := range s.all {
			printLines(t, one)
		}
	default:
		t.Flush()
		printFieldTable(t, s.all)
	}
	return t.Flush()
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

// A line is a result and its name.
type line struct{ name, text string }

// linesOf returns what applies to the dtype.
func linesOf(s stats.Stats) []line {
	count := func(n int64) string { return fmt.Sprint(n) }
	lines := []line{{"count", count(s.Count)}}
	switch s.DType.Kind() {
	case dtype.KindBool:
		return append(lines, line{"true", count(s.Trues)}, line{"false", count(s.Count - s.Trues)}, line{"mean", s.Mean.String()}, line{"std", s.Std.String()})
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

// printFieldTable prints a row for each field. What has no column of its own is a note at the end.
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
		fmt.Fprintf(w, "  %s\t%s", printable(s.Field), s.DType.Name())
		for _, column := range []string{"count", "NaN", "inf", "zeros", "min", "max", "mean", "std", "sum", "notes"} {
			fmt.Fprintf(w, "\t%s", cmp.Or(texts[column], "-"))
		}
		fmt.Fprintln(w)
	}
}

// A statsJSON is the JSON form of a summary; its keys are a promise. What does not apply is null.
type statsJSON struct {
	File      string      `json:"file"`
	Member    *string     `json:"member"`
	Slice     *string     `json:"slice"`
	Field     *string     `json:"field"`
	DType     string      `json:"dtype"`
	Shape     []int       `json:"shape"`
	Count     int64       `json:"count"`
	NaN       *int64      `json:"nan"`
	Inf       *int64      `json:"inf"`
	NaT       *int64      `json:"nat"`
	Zeros     *int64      `json:"zeros"`
	True      *int64      `json:"true"`
	Empty     *int64      `json:"empty"`
	MinLength *int        `json:"min_length"`
	MaxLength *int        `json:"max_length"`
	Min       stats.Value `json:"min"`
	Max       stats.Value `json:"max"`
	Mean      stats.Value `json:"mean"`
	Std       stats.Value `json:"std"`
	Sum       stats.Value `json:"sum"`
}

func (s summary) printJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if s.along != nil {
		j, err := s.alongJSON()
		if err != nil {
			return err
		}
		return e.Encode(j)
	}
	for _, one := range s.all {
		if err := e.Encode(s.json(one)); err != nil {
			return err
		}
	}
	return nil
}

// An alongJSON is the JSON form of the results along an axis, which are nested lists of numbers. NaN is the string "NaN", as for npy convert.
type alongJSON struct {
	File   string          `json:"file"`
	Member *string         `json:"member"`
	Slice  *string         `json:"slice"`
	DType  string          `json:"dtype"`
	Shape  []int           `json:"shape"`
	Axis   int             `json:"axis"`
	Mean   json.RawMessage `json:"mean"`
	Std    json.RawMessage `json:"std"`
	Min    json.RawMessage `json:"min"`
	Max    json.RawMessage `json:"max"`
}

func (s summary) alongJSON() (alongJSON, error) {
	j := alongJSON{File: s.file.path, Member: s.file.memberName(), Slice: s.file.slice(), DType: s.dtype.Name(), Shape: s.shape, Axis: s.along.axis}
	for i, to := range []*json.RawMessage{&j.Mean, &j.Std, &j.Min, &j.Max} {
		var b bytes.Buffer
		if err := convert.Write(&b, convert.JSON, s.along.results[i].array, convert.WriteOptions{}); err != nil {
			return j, err
		}
		*to = b.Bytes()
	}
	return j, nil
}

func (s summary) json(one stats.Stats) statsJSON {
	j := statsJSON{
		File: s.file.path, Member: s.file.memberName(), Slice: s.file.slice(), DType: one.DType.Name(), Shape: s.shape, Count: one.Count,
		Min: one.Min, Max: one.Max, Mean: one.Mean, Std: one.Std, Sum: one.Sum,
	}
	if s.dtype.IsStruct() {
		j.Field = &one.Field
	}
	for _, l := range linesOf(one) {
		switch l.name {
		case "NaN":
			j.NaN = &one.NaNs
		case "inf":
			j.Inf = &one.Infs
		case "NaT":
			j.NaT = &one.NaTs
		case "zeros":
			j.Zeros = &one.Zeros
		case "true":
			j.True = &one.Trues
		case "empty":
			j.Empty, j.MinLength, j.MaxLength = &one.Empty, &one.MinLen, &one.MaxLen
		}
	}
	return j
}
