package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/results"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
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

// check refuses results that records do not have, before anything is read.
func (what statistics) check(t dtype.Type) error {
	switch {
	case !t.IsStruct(), t.HasObject(): // stats.Of says more about objects
		return nil
	case what.bins > 0:
		return errors.New("a histogram is of numbers, not of records; FILE['name'] takes one field of records")
	case what.unique:
		return errors.New("unique values of records: use 'npy unique', or name a field")
	}
	return nil
}

// usualBins is the number of bins of --histogram without a number.
const usualBins = 10

// A printable is the results for an array.
type printable interface {
	Print(w io.Writer, style results.Style) error
	PrintJSON(w io.Writer) error
}

var statsSubcommand = subcommand{
	use:   "stats FILE...",
	short: "Summarise the values: count, min, max, mean, std, NaN",
	group: lookGroup,
	reads: arrays | text,
	from:  anywhere,
	json:  []jsonObject{{"", results.StatsJSON{}}},
	make:  statsCommand,
}

func statsCommand(a *app) *cobra.Command {
	var slice, by string
	var asJSON bool
	var maxHeader int
	var style results.Style
	what := statistics{axis: noAxis}
	c := &cobra.Command{
		Long: `Stats reads each file once, in little memory. It prints the number of elements, the smallest and the largest element, the
mean, the standard deviation (of the population, as numpy.std), the sum, and how many elements are NaN, infinite or zero.
NaN and NaT are left out of the other results. argmin and argmax are where the first smallest and largest element is.
Records have a line for each field, with the columns that fit the terminal. Floats have 7 digits, in JSON all. Arrays that follow each other in a file or a stream are all summarised; of arrays that are the same bytes of a file stats says so. Results of integers are exact, also along an axis.

--quantiles are exact and interpolated, as numpy.nanquantile does. --histogram is numpy.histogram without NaN and infinities.
--unique lists the distinct values if there are at most 20; 'npy unique' lists any number. For each of these the file is read again;
standard input and members of archives are read into memory.

--by FIELD prints a table for each other field, with a row for each value of FIELD: the number of values, of NaN and NaT, min, max,
mean, std, and the --quantiles. It names fields, columns or expressions as 'npy group' does, which has more results, and files as OUT.

With --axis there is a result for each element of the array without that axis. Slices of standard input and of members of
archives are read into memory.`,
		Example: `  npy stats a.npy
  npy stats 'a.npy[:, 0]'
  npy stats --axis 0 a.npy
  npy stats --quantiles 0.25,0.5,0.75 a.npy
  npy stats --histogram a.npy
  npy stats --by 'year(time)' quakes.npy
  npy stats --json *.npy`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case what.axis != noAxis && what.more():
				return fmt.Errorf("--quantiles, --histogram and --unique are for the whole array; leave them or --axis out")
			case by != "" && (what.axis != noAxis || what.bins > 0 || what.unique):
				return errors.New("--by is for counts, min, max, mean, std and --quantiles; leave it out for --axis, --histogram and --unique")
			case what.bins < 0 || what.bins > 1000:
				return fmt.Errorf("--histogram %d: want 1 to 1000 bins", what.bins)
			}
			keys, err := parseKeys("--by", by)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(a.out)
			style.Width = a.width()
			shown := 0
			d := a.decoder(maxHeader, a.limits.Objects())
			o := a.opener(d)
			o.Several = true
			same := sameArrays{}
			err = a.each(o, args, slice, func(t input.Target) error {
				var s printable
				var err error
				if keys != nil {
					s, err = a.groupStats(o, t, keys, what)
				} else {
					s, err = same.summarise(a, o, t, what)
				}
				if errors.Is(err, npy.ErrObjects) {
					err = errors.New("it holds Python objects, which have no statistics; FILE['name'] takes one field of records")
				}
				if err != nil {
					return diagnose.Of(t.Name(), err)
				}
				if shown > 0 && !asJSON {
					fmt.Fprintln(w)
				}
				shown++
				if asJSON {
					return s.PrintJSON(w)
				}
				return s.Print(w, style)
			})
			if err != nil {
				return err
			}
			return w.Flush()
		},
	}
	f := c.Flags()
	f.StringVarP(&slice, "slice", "s", "", "summarise only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.Float64SliceVar(&what.quantiles, "quantiles", nil, "print quantiles, for `numbers` from 0 to 1: 0.05,0.5,0.95")
	f.IntVar(&what.bins, "histogram", 0, "print a histogram with this many `bins` (10 if no number is given)")
	f.Lookup("histogram").NoOptDefVal = fmt.Sprint(usualBins)
	f.BoolVar(&what.unique, "unique", false, "print the distinct values, up to 20, and how often each occurs")
	f.IntVarP(&what.axis, "axis", "a", noAxis, "print mean, std, min and max along this `axis`; -1 is the last")
	f.Lookup("axis").DefValue = "0" // not shown by help, because there is no default
	f.IntVarP(&style.Precision, "precision", "p", 0, "most significant `digits` of floats (0: 7, negative: all)")
	listVar(f, &by, "by", "", "print a table for each field, by the values of these `fields`, columns or expressions")
	f.BoolVar(&asJSON, "json", false, "print one JSON object per array, or per field of records")
	flags.MaxHeader(c, &maxHeader)
	a.addAs(c)
	a.addWhere(c)
	return c
}

// summarise computes the results for a target. The target is read piece by piece, unless it is not a plain file and a
// slice or more than one pass is requested.
func (a *app) summarise(o input.Opener, t input.Target, what statistics) (*results.Summary, error) {
	bar := a.progress(diagnose.FileName(t.Name()))
	defer bar.Clear()
	o.Progress = bar
	open := o.Once
	if what.more() {
		open = o.Source
	}
	in, err := open(a.ctx, t)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, err := summariseSource(a.ctx, in.Source, what)
	if err != nil {
		return nil, diagnose.Explain(err)
	}
	s.Target = t
	return s, nil
}

func summariseSource(ctx context.Context, src npy.Source, what statistics) (*results.Summary, error) {
	s := &results.Summary{DType: src.DType(), Shape: src.Shape()}
	err := what.check(src.DType())
	if err != nil {
		return nil, err
	}
	if what.axis != noAxis {
		s.Along = &results.Axis{Number: what.axis}
		s.Along.Axis, err = stats.AxisOf(ctx, src, what.axis)
		return s, err
	}
	if s.All, err = stats.Of(ctx, src); err == nil {
		err = what.add(ctx, s, src)
	}
	return s, err
}

// add adds the results that take more passes over the elements.
func (what statistics) add(ctx context.Context, s *results.Summary, src npy.Source) error {
	if what.quantiles != nil {
		var err error
		if s.Quantiles, err = stats.QuantilesOf(ctx, src, what.quantiles...); err != nil {
			return err
		}
		s.Qs = what.quantiles
	}
	if what.bins > 0 {
		h, err := stats.HistogramOf(ctx, src, what.bins)
		if err != nil {
			return err
		}
		s.Histogram = &h
	}
	if what.unique {
		var err error
		if s.Unique, err = uniquesOf(ctx, src); err != nil {
			return err
		}
	}
	return nil
}

// uniquesOf returns the distinct values of src, unless there are too many to list.
func uniquesOf(ctx context.Context, src npy.Source) (*results.Uniques, error) {
	found, err := query.Unique{Max: results.MaxUnique}.Of(ctx, src)
	if errors.As(err, new(*npy.LimitError)) {
		return &results.Uniques{}, nil
	}
	if err != nil {
		return nil, err
	}
	values, err := found.Field("value")
	if err != nil {
		return nil, err
	}
	counts, err := found.Field("count")
	return &results.Uniques{Values: values, Counts: counts}, err
}
