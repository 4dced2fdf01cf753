package main

import (
	"errors"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

// A sampling holds the flags of sample.
type sampling struct {
	rowsJob
	query.Sample
}

var sampleSubcommand = subcommand{
	use:      "sample -n N IN [OUT]",
	short:    "Choose rows at random",
	group:    rowsGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     sampleCommand,
}

func sampleCommand(a *app) *cobra.Command {
	var x sampling
	c := &cobra.Command{
		Long: `Sample writes some rows of IN, chosen at random without replacement, to OUT in
the format of its ending, or prints them without OUT. The rows keep their order.

The rows depend on --seed and the number of rows alone: the same command gives
the same rows on every machine, from a file or a pipe. Another seed gives other
rows.

Of a file only the chosen rows are read. They are held in memory. Rows that go
from a CSV with names to a CSV stay as they were written, cell for cell.`,
		Example: `  npy sample -n 1000 quakes.npy some.npy
  npy sample --fraction 0.01 --seed 7 big.npy sample.csv
  npy sample -n 5 quakes.npy`,
	}
	x.asIs = true
	x.needs = &input.Needs{Rows: true}
	x.rowsJob.check = func() error {
		fraction := c.Flags().Changed("fraction")
		switch {
		case x.number.given == fraction:
			return errors.New("sample needs a size: either -n N, a number of rows, or --fraction F, a part of them")
		case x.number.n < 0:
			return errors.New("-n: want 0 or more rows")
		}
		x.N = x.number.n
		_, err := x.Rows(0)
		if err != nil {
			return errors.New("--fraction: want a number from 0 to 1")
		}
		return nil
	}
	x.command(a, c, x.run)
	f := c.Flags()
	x.addNumber(c, "choose this many `rows`, or all if there are fewer")
	f.Float64Var(&x.Fraction, "fraction", 0, "choose this `part` of the rows: 0.1 for a tenth")
	f.Uint64Var(&x.Seed, "seed", 0, "the `number` that decides which rows are chosen")
	return c
}

func (x *sampling) run(src *input.Array) error {
	return x.collect(src, func(func(done, total int64)) (npy.Source, error) {
		return x.Of(x.app.ctx, src.Source)
	})
}
