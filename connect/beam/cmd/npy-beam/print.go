package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	npyio "github.com/npygo/npy/connect/beam"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/stats"
)

func init() {
	register.DoFn4x1[context.Context, npyio.Summary, npyio.QuantileState, npyio.Counts, error](&printer{})
	register.DoFn2x1[context.Context, npyio.AxisSummary, error](&axisPrinter{})
}

// An output is where results go, and what is known of the array.
type output struct {
	JSON  bool
	Out   string // a path or a URL; "" for standard output
	Name  string // of the files
	DType string
	Shape []int // in the files
	Where bool  // some of the rows are left out
}

// shape returns the shape of the array, or nil if a condition leaves an unknown number of rows.
func (o *output) shape() []int {
	if o.Where {
		return nil
	}
	return o.Shape
}

// head prints the first lines of a text.
func (o *output) head(w io.Writer, t dtype.Type) {
	fmt.Fprintln(w, o.Name)
	fmt.Fprintf(w, "  dtype\t%s\n", t.Name())
	if !o.Where {
		fmt.Fprintf(w, "  shape\t%s\n", format.ShapeString(o.Shape))
	}
}

// A summary is the JSON of the statistics of an array or a field, as 'npy stats --json' prints it.
type summary struct {
	File   string  `json:"file"`
	Member *string `json:"member"`
	Slice  *string `json:"slice"`
	stats.Report
}

// A printer prints statistics.
type printer struct {
	output
	Qs []float64
}

// ProcessElement prints the statistics of an array, with quantiles and counts unless they are zero.
func (p *printer) ProcessElement(ctx context.Context, x npyio.Summary, q npyio.QuantileState, c npyio.Counts) error {
	all, err := x.Stats()
	var quantiles []stats.Quantiles
	if err == nil && q.State != nil {
		quantiles, err = q.Quantiles()
	}
	var counts *stats.Histogram
	if err == nil && c.DType != "" {
		counts = new(stats.Histogram)
		*counts, err = c.Histogram()
	}
	if err != nil {
		return err
	}
	t, err := dtype.Parse(p.DType)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for i, one := range all {
		s := summary{File: p.Name, Report: one.Report(t, p.shape())}
		s.Histogram = counts
		for _, of := range quantiles {
			for k, v := range of.Values {
				if of.Field == one.Field {
					s.Quantiles = append(s.Quantiles, stats.QuantileReport{Q: p.Qs[k], Value: v})
				}
			}
		}
		if p.JSON {
			err = encode(&text, s)
		} else {
			if i > 0 {
				fmt.Fprintln(&text)
			}
			err = p.print(&text, one, s)
		}
		if err != nil {
			return err
		}
	}
	return p.put(ctx, text.Bytes())
}

// print prints the statistics of an array or a field as lines.
func (p *printer) print(w io.Writer, x stats.Stats, s summary) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	p.head(t, x.DType)
	line := func(name string, value any) { fmt.Fprintf(t, "  %s\t%v\n", name, value) }
	if x.Field != "" {
		line("field", strings.Trim(strconv.Quote(x.Field), `"`)) // it comes from a file
	}
	line("count", x.Count)
	for _, n := range []struct {
		name  string
		count *int64
	}{{"NaN", s.NaN}, {"inf", s.Inf}, {"NaT", s.NaT}, {"zeros", s.Zeros}, {"true", s.True}, {"empty", s.Empty}} {
		if n.count != nil {
			line(n.name, *n.count)
		}
	}
	if s.Empty != nil {
		line("shortest", *s.MinLength)
		line("longest", *s.MaxLength)
	}
	for _, v := range []struct {
		name  string
		value stats.Value
	}{{"min", s.Min}, {"max", s.Max}, {"mean", s.Mean}, {"std", s.Std}, {"sum", s.Sum}} {
		if v.value.IsValid() {
			line(v.name, v.value)
		}
	}
	if s.ArgMin != nil {
		line("argmin", format.ShapeString(s.ArgMin))
		line("argmax", format.ShapeString(s.ArgMax))
	}
	for _, q := range s.Quantiles {
		line(fmt.Sprint("quantile ", q.Q), q.Value)
	}
	if err := t.Flush(); err != nil || s.Histogram == nil {
		return err
	}
	return printBars(w, s.Histogram)
}

// printBars prints a line with a bar for each bin.
func printBars(w io.Writer, h *stats.Histogram) error {
	fmt.Fprintln(w, "  histogram")
	if h.Edges == nil {
		_, err := fmt.Fprintln(w, "    no finite numbers")
		return err
	}
	most := int64(1)
	for _, n := range h.Counts {
		most = max(most, n)
	}
	const width = 40
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, n := range h.Counts {
		bar := int(float64(n) / float64(most) * width)
		fmt.Fprintf(t, "  %s\tto\t%s\t%d\t  %s\n", edgeText(h.Edges[i]), edgeText(h.Edges[i+1]), n, strings.Repeat("█", bar))
	}
	return t.Flush()
}

// edgeText returns the edge of a bin: a time, or a number with 6 digits.
func edgeText(v stats.Value) string {
	if x := v.Float64(); x == x {
		return fmt.Sprintf("%.6g", x)
	}
	return v.String()
}

// An axisPrinter prints statistics along an axis.
type axisPrinter struct {
	output
	Axis int // as the user gave it
}

// An axisJSON is the JSON of statistics along an axis. It has the keys of 'npy stats --axis --json'.
type axisJSON struct {
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
	Sum    json.RawMessage `json:"sum"`
}

// ProcessElement prints the statistics along an axis.
func (p *axisPrinter) ProcessElement(ctx context.Context, x npyio.AxisSummary) error {
	t, err := dtype.Parse(p.DType)
	if err != nil {
		return err
	}
	axis, err := x.Axis()
	if err != nil {
		return err
	}
	j := axisJSON{File: p.Name, DType: t.Name(), Shape: p.shape(), Axis: p.Axis}
	var text bytes.Buffer
	lines := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	if !p.JSON {
		p.head(lines, t)
		lines.Flush()
	}
	for _, along := range []struct {
		name  string
		array *npy.Array
		json  *json.RawMessage
	}{{"mean", axis.Mean, &j.Mean}, {"std", axis.Std, &j.Std}, {"min", axis.Min, &j.Min}, {"max", axis.Max, &j.Max}, {"sum", axis.Sum, &j.Sum}} {
		switch {
		case along.array == nil:
			*along.json = json.RawMessage("null")
		case p.JSON:
			var list bytes.Buffer
			if err := convert.Write(ctx, &list, convert.JSON, along.array, convert.WriteOptions{}); err != nil {
				return err
			}
			*along.json = list.Bytes()
		default:
			fmt.Fprintf(&text, "%s:\n%v\n", along.name, along.array)
		}
	}
	if p.JSON {
		if err := encode(&text, j); err != nil {
			return err
		}
	}
	return p.put(ctx, text.Bytes())
}

// encode writes a line of JSON.
func encode(w io.Writer, x any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// put writes the result.
func (o *output) put(ctx context.Context, text []byte) error {
	switch {
	case o.Out == "":
		line.end()
		_, err := os.Stdout.Write(text)
		return err
	case !remote.IsURL(o.Out):
		return npy.ReplaceFile(o.Out, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	w, err := remote.Create(ctx, o.Out, remote.Options{})
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}
