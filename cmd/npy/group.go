package main

import (
	"errors"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

// A groupJob holds the flags of group.
type groupJob struct {
	rowsJob
	query.Group
	by, aggs string
}

var groupSubcommand = subcommand{
	use:      "group --by FIELD IN [OUT]",
	short:    "Count and summarise records by the values of fields",
	group:    rowsGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	json:     []jsonObject{{"", "the columns of each row"}},
	existing: keepOut,
	make:     groupCommand,
}

func groupCommand(a *app) *cobra.Command {
	var x groupJob
	c := &cobra.Command{
		Long: `Group puts rows with equal values of some fields together and prints one row for each group, in the order of these values.
With OUT it writes them as records, in the format of its ending.

--by names the fields of records, or the columns of an array of two dimensions. -FIELD puts the largest value first. --agg
lists what to compute for each group:

  count                 the number of rows
  count:FIELD           the number of values other than NaN and NaT
  sum:FIELD mean:FIELD  exact for integers and times; float64 for floats
  min:FIELD max:FIELD   of numbers, times, text and records
  std:FIELD var:FIELD   of the population, as np.std
  median:FIELD          of numbers, as np.median, and of times
  first:FIELD last:FIELD  the values of the first and the last row

NaN and NaT are groups of their own among the keys. Among the values they make the result NaN, as in NumPy; --skip-nan leaves
them out. A sum of integers that does not fit in 64 bits is an error.

IN may be larger than memory. The groups must fit in --memory; a median takes 32 bytes for each row.`,
		Example: `  npy group --by place --agg count,mean:mag,max:mag quakes.npy
  npy group --by place,type quakes.npy counts.csv
  npy group --by 0 --agg sum:1 table.npy sums.npy`,
	}
	x.rowsJob.check = func() (err error) {
		if x.by == "" {
			return errors.New("group needs --by FIELD")
		}
		if x.By, err = parseKeys(x.by); err != nil {
			return err
		}
		if x.Aggs, err = query.ParseAggs(x.aggs); err != nil {
			return fmt.Errorf("--agg %s: want FUNCTION:FIELD, separated by commas", x.aggs)
		}
		return nil
	}
	x.command(a, c, x.run)
	x.addMemory(c)
	x.addJSON(c)
	f := c.Flags()
	listVar(f, &x.by, "by", "", "put rows with equal values of these `fields` or columns together")
	listVar(f, &x.aggs, "agg", "count", "compute these `results` for each group: mean:mag,count")
	x.addNumber(c, "keep this many groups, as `rows`, from the start; -3: all but the last 3")
	f.BoolVar(&x.SkipNaN, "skip-nan", false, "leave NaN and NaT out of the results")
	return c
}

func (x *groupJob) run(src *input.Array) error {
	return x.collect(src, func(progress func(done, total int64)) (npy.Source, error) {
		x.Memory, x.Progress = int64(x.memory), progress
		return x.first(x.Of(x.app.ctx, src.Source))
	})
}
