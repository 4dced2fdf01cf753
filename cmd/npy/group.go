package main

import (
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
	by, aggs, sort, pivot string
	order                 []query.Key // of --sort
	keepNaN               bool
}

var groupSubcommand = subcommand{
	use:      "group [--by FIELD] IN [OUT]",
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
With OUT it writes them as records, in the format of its ending. Without --by, all rows are one group.

--by names the fields of records, or the columns of an array of two dimensions. -FIELD puts the largest value first. --agg
lists what to compute for each group:

  count                 the number of rows
  count:FIELD           the number of values other than NaN and NaT
  nunique:FIELD         the number of distinct values, without NaN and NaT
  sum:FIELD mean:FIELD  exact for integers and times; float64 for floats
  min:FIELD max:FIELD   of numbers, times, text and records
  argmin:FIELD argmax:FIELD  the number of the first row with it; -1 for none
  std:FIELD var:FIELD   of the population, as np.std
  median:FIELD q0.9:FIELD  the median and any quantile, as np.quantile
  first:FIELD last:FIELD  the values of the first and the last row

Each FIELD may be an expression: month(time), mean:hypot(vx, vy); see 'npy help set'. A result has the name FUNCTION_FIELD, or NAME
in 'NAME = mean:mag' and 'NAME = month(time)'.

--pivot FIELD makes a column for each of its values, up to 1000, and one row for each value of --by, as pandas.pivot_table. Where
there are no rows, a count is 0, text is empty, and all else NaN or NaT: integers become floats then.

--sort orders the groups by any columns of the result, -COLUMN with the largest first, before -n keeps some.

NaN and NaT are left out of the results, as in 'npy stats' and pandas. A group without other values has a count or a sum of 0, and
NaN or NaT for all else. With --keep-nan they make the result NaN, as in NumPy. Among the keys they are groups of their own. A sum
of integers that does not fit in 64 bits is an error.

IN may be larger than memory; of text, only the columns that are used are read. The groups must fit in --memory; a median or a quantile takes 32 bytes for each row.`,
		Example: `  npy group --by place --agg count,mean:mag,max:mag quakes.npy
  npy group --by 'month(time)' --agg count,q0.9:mag quakes.npy
  npy group --by place --pivot 'year(time)' --agg max:mag quakes.npy
  npy group --by place --sort -count -n 10 quakes.npy
  npy group --agg 'mean:mag,deepest = argmax:depth' quakes.npy
  npy group --by 0 --agg sum:1 table.npy sums.npy`,
	}
	x.rowsJob.check = x.check
	x.command(a, c, x.run)
	x.addMemory(c)
	x.addJSON(c)
	f := c.Flags()
	listVar(f, &x.by, "by", "", "put rows with equal values of these `fields`, columns or expressions together")
	listVar(f, &x.aggs, "agg", "count", "compute these `results` for each group: mean:mag,count")
	listVar(f, &x.sort, "sort", "", "order the groups by these `columns` of the result: -count")
	x.addNumber(c, "keep this many groups, as `rows`, from the start; -3: all but the last 3")
	f.StringVar(&x.pivot, "pivot", "", "make a column for each value of this `field`")
	f.BoolVar(&x.keepNaN, "keep-nan", false, "let NaN and NaT make the results NaN, as NumPy does")
	return c
}

// check reads the flags.
func (x *groupJob) check() (err error) {
	x.SkipNaN = !x.keepNaN
	if x.By, err = parseKeys("--by", x.by); err != nil {
		return err
	}
	if x.pivot != "" {
		keys, err := parseKeys("--pivot", x.pivot)
		if err != nil {
			return err
		}
		if len(keys) > 1 {
			return fmt.Errorf("--pivot %s: want one field; name the others in --by", x.pivot)
		}
		x.Pivot = &keys[0]
	}
	if x.order, err = parseKeys("--sort", x.sort); err != nil {
		return err
	}
	if x.Aggs, err = query.ParseAggs(x.aggs); err != nil {
		return fmt.Errorf("--agg %s: want FUNCTION:FIELD, separated by commas", x.aggs)
	}
	x.needs = &input.Needs{}
	x.needs.NeedKeys(x.By...)
	if x.Pivot != nil {
		x.needs.NeedKeys(*x.Pivot)
	}
	for _, agg := range x.Aggs {
		x.needs.Texts = append(x.needs.Texts, agg.Field)
	}
	return nil
}

func (x *groupJob) run(src *input.Array) error {
	return x.collect(src, func(progress func(done, total int64)) (npy.Source, error) {
		x.Memory, x.Progress = int64(x.memory), progress
		groups, err := x.Of(x.app.ctx, src.Source)
		if err == nil && x.order != nil {
			groups, err = query.Sort{By: x.order}.Array(x.app.ctx, groups)
		}
		return x.first(groups, err)
	})
}
