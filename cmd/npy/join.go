package main

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

var joinSubcommand = subcommand{
	use:      "join --on FIELD LEFT RIGHT [OUT]",
	short:    "Join the records of two files by the values of fields",
	group:    rowsGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	json:     []jsonObject{{"", "the columns of each row"}},
	existing: keepOut,
	make:     joinCommand,
}

// A joinJob holds the arguments and the flags of join.
type joinJob struct {
	rowsJob
	query.Join
	on, by string
	right  input.Target // and in is left
}

func joinCommand(a *app) *cobra.Command {
	x := joinJob{rowsJob: rowsJob{app: a, memory: 256 << 20}}
	c := &cobra.Command{
		Long: `Join puts the records of LEFT and RIGHT with equal keys side by side, and writes them to OUT, in the format of its ending,
or prints them without OUT. The rows come in the order of LEFT, and the matches of each in the order of RIGHT.

--on names the keys: fields, or LEFTFIELD=RIGHTFIELD if the names differ. Columns of an array of two dimensions are numbers. The
result has the fields of LEFT, and then the fields of RIGHT without the keys. A field of RIGHT whose name LEFT has as well gets
--suffix. --how says which rows there are:

  inner  the rows of LEFT with a match, with each of their matches
  left   all rows of LEFT; one without a match has missing values
  semi   the rows of LEFT with a match, without the fields of RIGHT
  anti   the rows of LEFT without a match
  asof   all rows of LEFT, each with the last row of RIGHT at or before it

The key of an asof join is a time or a number, and a field of the result for RIGHT, too. --by names keys that must be equal.
--direction forward takes the first row at or after the row of LEFT, nearest the nearer of both, and --tolerance limits the
distance. The files need not be sorted.

Missing values are NaN, NaT or empty text. Integers and bools of RIGHT become float64 in left and asof joins, because they have
no such value; with --fill VALUE, numbers and bools have VALUE there and keep their dtype.

Keys compare by their values, whatever their sizes are; integers and floats as float64. NaN equals NaN and NaT equals NaT, but
they match nothing in an asof join.

Files may be larger than memory. Beyond --memory, rows of RIGHT and keys of LEFT are sorted in temporary files next to OUT.`,
		Example: `  npy join --on id quakes.npy damage.npy all.npy
  npy join --on id=event,place --how left --fill 0 q.npy damage.csv all.csv
  npy join --how asof --on time --tolerance '5 min' q.npy weather.npy all.npy
  npy join --how anti --on id quakes.npy damage.npy`,
		Args: func(c *cobra.Command, args []string) error {
			if n := len(args); n < 2 || n > 3 {
				return fmt.Errorf("join wants LEFT, RIGHT and optionally OUT, and has %s", diagnose.Counted(n, "argument"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := x.parse(args); err != nil {
				return err
			}
			return a.told(x.run())
		},
	}
	x.addOut(c)
	x.addMemory(c)
	x.addJSON(c)
	f := c.Flags()
	listVar(f, &x.on, "on", "", "join rows with equal values of these `fields`; LEFT=RIGHT if the names differ")
	listVar(f, &x.by, "by", "", "with --how asof, `fields` that must be equal as well")
	f.StringVar(&x.How, "how", "inner", "the `kind` of join: inner, left, semi, anti or asof")
	f.StringVar(&x.Direction, "direction", "", "with --how asof, the `direction` of the match: backward, forward or nearest")
	f.StringVar(&x.Tolerance, "tolerance", "", "with --how asof, the largest `distance` of a match: 0.5, '5 min'")
	f.StringVar(&x.Suffix, "suffix", "_right", "add this `text` to names of RIGHT that LEFT has as well")
	f.StringVar(&x.Fill, "fill", "", "the `value` of missing numbers and bools")
	return c
}

// parse reads the arguments and checks the flags, before a file is read.
func (x *joinJob) parse(args []string) (err error) {
	if x.on == "" {
		return errors.New("join needs --on FIELD")
	}
	if x.On, err = query.ParseJoinKeys(x.on); err != nil {
		return fmt.Errorf("--on %s: want FIELD or LEFT=RIGHT, separated by commas", x.on)
	}
	if x.by != "" {
		if x.By, err = query.ParseJoinKeys(x.by); err != nil {
			return fmt.Errorf("--by %s: want FIELD or LEFT=RIGHT, separated by commas", x.by)
		}
	}
	if err := x.Check(); err != nil {
		return diagnose.Flagged(err, "")
	}
	if x.in, err = input.Parse(args[0]); err != nil {
		return err
	}
	if x.right, err = input.Parse(args[1]); err != nil {
		return err
	}
	if x.in.Path == "-" && x.right.Path == "-" {
		return errors.New("LEFT and RIGHT are both standard input; name a file for one")
	}
	return x.parseOut(args[2:], args[:2])
}

func (x *joinJob) run() error {
	a := x.app
	left, err := a.opener(a.decoder(0, nil)).Source(a.ctx, x.in)
	if err != nil {
		return diagnose.Of(x.in.Path, diagnose.NoObjects(err))
	}
	defer left.Close()
	right, err := a.opener(a.decoder(0, nil)).Source(a.ctx, x.right)
	if err != nil {
		return diagnose.Of(x.right.Path, diagnose.NoObjects(err))
	}
	defer right.Close()
	bar := a.progress(diagnose.OutName(x.out))
	defer bar.Clear()
	x.Memory, x.Temp, x.Progress = int64(x.memory), x.temp(), bar.Set
	rows, err := x.Open(a.ctx, left.Source, right.Source)
	bar.Clear()
	var side *query.SideError
	switch {
	case errors.As(err, &side) && side.Right:
		return diagnose.Of(x.right.Path, diagnose.Flagged(side.Err, ""))
	case errors.As(err, &side):
		return diagnose.Of(x.in.Path, diagnose.Flagged(side.Err, ""))
	case err != nil:
		return x.blame(err)
	}
	defer rows.Close()
	return x.blame(x.put(rows))
}
