package main

import (
	"errors"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

// A sorting holds the flags of sort.
type sorting struct {
	rowsJob
	query.Sort
	by   string
	axis int

	along bool // --axis is given
}

var sortSubcommand = subcommand{
	use:      "sort IN [OUT]",
	short:    "Sort records by fields, or an array by its values",
	group:    rowsGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     sortCommand,
}

func sortCommand(a *app) *cobra.Command {
	var x sorting
	c := &cobra.Command{
		Long: `Sort writes the rows of IN in sorted order to OUT, in the format of its ending, or prints them without OUT. The name of IN
given twice sorts it in place. Rows that go from a CSV with names to a CSV stay as they were written, cell for cell.

--by names the fields of records, the most important first, and -FIELD puts the largest value first. Nested fields are written
pos.x. Without --by, records are sorted by all fields. An array of two dimensions is sorted by the number of a column, and an
array of one dimension needs no key. Rows with equal keys keep their order.

--axis sorts the elements along an axis, as np.sort does. -1 is the last axis.

NaN and NaT come last, also with --reverse and -FIELD. Text is compared by code points, complex numbers by the real part and
then by the imaginary part.

Files may be larger than memory. Beyond --memory, parts of IN are sorted and kept in a temporary file next to OUT, which is as
large as IN, and merged. --axis of an array with several axes needs twice its bytes of --memory. -n N prints or writes the first N rows, and reads IN once.`,
		Example: `  npy sort --by -mag,time quakes.npy sorted.npy
  npy sort --by -mag -n 10 quakes.npy
  npy sort --by 3 table.npy sorted.csv
  npy sort --reverse a.npy a.npy
  npy sort --axis 0 grid.npy sorted.npy`,
	}
	x.rowsJob.check = func() error { return x.check(c) }
	x.command(a, c, x.sort)
	x.addMemory(c)
	x.addNumber(c, "keep only this many `rows` from the start")
	f := c.Flags()
	listVar(f, &x.by, "by", "", "sort by these `fields` or columns; -FIELD puts the largest value first")
	f.BoolVarP(&x.Descending, "reverse", "r", false, "put the largest values first")
	f.IntVarP(&x.axis, "axis", "a", 0, "sort the elements along this `axis`")
	return c
}

// check finds wrong use before IN is read.
func (x *sorting) check(c *cobra.Command) (err error) {
	x.along, x.sorts = c.Flags().Changed("axis"), true
	x.asIs = !x.along
	switch {
	case x.along && (x.number.given || x.by != ""):
		return errors.New("--axis excludes --by and -n; choose one")
	case x.number.n < 0:
		return errors.New("-n: want 0 or more rows")
	}
	if x.By, err = parseKeys("--by", x.by); x.By != nil {
		x.needs = &input.Needs{Rows: true}
		x.needs.NeedKeys(x.By...)
	}
	return err
}

func (x *sorting) sort(src *input.Array) error {
	ctx := x.app.ctx
	if len(src.Shape()) > 1 && x.By == nil && !x.along {
		return fmt.Errorf("an array of shape %s needs --by COLUMN to sort its rows, or --axis to sort along an axis", format.ShapeString(src.Shape()))
	}
	x.By = x.rowKeys(x.By, src.DType())
	x.Memory, x.Temp = int64(x.memory), x.temp()
	bar := x.app.progress(diagnose.OutName(x.out))
	defer bar.Clear()
	x.Progress = bar.Set
	var rows npy.Source
	var err error
	switch {
	case x.along && (len(src.Shape()) != 1 || x.axis != 0 && x.axis != -1):
		rows, err = x.Along(ctx, src.Source, x.axis)
	case x.number.given:
		rows, err = x.Top(ctx, src.Source, x.number.n)
	default:
		var sorted *query.Sorted
		if sorted, err = x.Open(ctx, src.Source); err == nil {
			rows = sorted
			defer sorted.Close()
		}
	}
	if err != nil {
		return err
	}
	src.Close() // OUT may be IN
	if x.out == "" || x.out == "-" {
		bar.Clear()
	}
	return x.put(rows)
}
