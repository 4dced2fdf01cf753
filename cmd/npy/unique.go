package main

import (
	"errors"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

// A uniquing holds the flags of unique.
type uniquing struct {
	rowsJob
	query.Unique
	by   string
	rows bool
}

var uniqueSubcommand = subcommand{
	use:      "unique IN [OUT]",
	short:    "List the distinct values and their counts, or drop duplicate rows",
	group:    rowsGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	json:     []jsonObject{{"", "the columns of each row"}},
	existing: keepOut,
	make:     uniqueCommand,
}

func uniqueCommand(a *app) *cobra.Command {
	var x uniquing
	c := &cobra.Command{
		Long: `Unique prints the distinct values of an array in order, with their counts, as np.unique(return_counts=True) does. With OUT it
writes them as records, in the format of its ending. IN holds numbers, bools, times, bytes or text of any shape, or records.

--by counts the distinct values of one field of records or, of several fields, their combinations. Of an array of two
dimensions it counts the values of a column. An expression counts its values: lower(place). Without --by, whole records are counted.

--rows drops duplicate rows and keeps the others, in their order: the first of each, as drop_duplicates in pandas. With --by a row
is a duplicate if a row before it has the same values of these fields.

NaN and NaT are one value each, and -0 is 0. The distinct values must fit in --memory; their number is not limited otherwise.`,
		Example: `  npy unique labels.npy
  npy unique --by place --by-count -n 10 quakes.npy
  npy unique --by place,type quakes.npy counts.csv
  npy unique --rows --by place,time quakes.npy once.npy`,
	}
	x.rowsJob.check = func() (err error) {
		if x.rows && x.ByCount {
			return errors.New("--rows keeps the order of the rows; leave --by-count or --rows out")
		}
		x.asIs = x.rows
		if x.By, err = parseKeys("--by", x.by); x.By != nil {
			x.needs = &input.Needs{Rows: x.rows}
			x.needs.NeedKeys(x.By...)
		}
		return err
	}
	x.command(a, c, x.run)
	x.addMemory(c)
	x.addJSON(c)
	f := c.Flags()
	listVar(f, &x.by, "by", "", "count the values of these `fields` or columns, separated by commas")
	f.BoolVar(&x.ByCount, "by-count", false, "put the most frequent values first")
	f.BoolVar(&x.rows, "rows", false, "keep the first row of each value, and drop its duplicates")
	x.addNumber(c, "keep this many `rows` from the start; -3: all but the last 3")
	return c
}

func (x *uniquing) run(src *input.Array) error {
	if x.rows {
		return x.runRows(src)
	}
	return x.collect(src, func(progress func(done, total int64)) (npy.Source, error) {
		x.Memory, x.Progress = int64(x.memory), progress
		return x.first(x.Of(x.app.ctx, src.Source))
	})
}

// runRows writes or prints the rows without their duplicates.
func (x *uniquing) runRows(src *input.Array) error {
	bar := x.app.progress(x.in.Name())
	defer bar.Clear()
	x.Memory, x.Progress = int64(x.memory), bar.Set
	x.By = x.rowKeys(x.By, src.DType())
	rows, err := x.Filter(x.app.ctx, src.Source)
	if err == nil && x.number.given {
		rows, err = rows.Select(npy.SpanTo(x.number.n))
	}
	if err != nil {
		return err
	}
	bar.Clear()
	return x.put(rows)
}

// parseKeys parses a flag with keys, such as --by. It returns nil for no keys.
func parseKeys(flag, text string) ([]query.Key, error) {
	if text == "" {
		return nil, nil
	}
	keys, err := query.ParseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("%s %s: a name is missing; want FIELD, or FIELD,FIELD", flag, text)
	}
	return keys, nil
}
