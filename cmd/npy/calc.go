package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/query"
	"github.com/spf13/cobra"
)

var calcSubcommand = subcommand{
	use:      "calc EXPR [NAME=]FILE... [OUT]",
	short:    "Compute with whole arrays: operators, broadcasting, reductions",
	group:    writeGroup,
	reads:    arrays | text,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     calcCommand,
}

func calcCommand(a *app) *cobra.Command {
	x := calculation{rowsJob: rowsJob{app: a, memory: 256 << 20}}
	c := &cobra.Command{
		Long: `Calc computes an expression of arrays and writes the result to OUT, or prints it without OUT. NAME=FILE gives an array the
name that the expression has for it. Files without a name get the names that are left, in the order of the expression, and one
more file is OUT.

Operators and functions work element by element, with NumPy's broadcasting and the dtypes of NumPy 2: see 'npy help where' and
'npy help set'. sum, prod, mean, min, max, std, var, median, any, all, count, argmin and argmax reduce an array, along axis=0
or axis=(0, 1) if that is given; keepdims=True keeps the axes with length 1, and std and var have ddof=1. a.mean(axis=0) is
mean(a, axis=0). a @ b multiplies matrices of floats. a[0, ::2], a.T and a.name are parts of arrays.

Files of any size are computed in blocks. Results of reductions, the matrices of @, and arrays that are repeated by broadcasting, are
held in memory. Sums of floats are at least as exact as NumPy's.`,
		Example: `  npy calc '(a - b) / b.std()' a=x.npy b=y.npy d.npy
  npy calc 'a.mean(axis=0)' stack.npy mean.npy
  npy calc 'sum(a * b)' a.npy b.npy
  npy calc 'a @ b' left.npy right.npy product.npy`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("calc wants an expression, and the files that it names")
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
	a.addTable(c)
	x.addOut(c)
	x.addMemory(c)
	return c
}

// A calculation holds the arguments and the flags of calc.
type calculation struct {
	rowsJob
	expr  string
	names []string
	files []string // of the names
}

// parse reads the arguments.
func (x *calculation) parse(args []string) (err error) {
	x.expr = args[0]
	names, err := query.ArrayNames(x.expr)
	if err != nil {
		return diagnose.Flagged(err, "")
	}
	files := map[string]string{}
	var bare []string
	for _, arg := range args[1:] {
		name, file, ok := strings.Cut(arg, "=")
		if !ok || !slices.Contains(names, name) || input.Exists(arg) {
			bare = append(bare, arg)
			continue
		}
		if files[name] != "" {
			return fmt.Errorf("%s= is there twice", name)
		}
		files[name] = file
	}
	for _, name := range names {
		if files[name] == "" && len(bare) > 0 {
			files[name], bare = bare[0], bare[1:]
		}
		if files[name] == "" {
			return fmt.Errorf("no file for %s; write %s=FILE", name, name)
		}
		x.names, x.files = append(x.names, name), append(x.files, files[name])
	}
	if len(bare) > 1 {
		return fmt.Errorf("the expression has %s, and there are more files: %s", diagnose.Counted(len(names), "name"), strings.Join(bare, " "))
	}
	return x.parseOut(bare, x.files)
}

func (x *calculation) run() error {
	a := x.app
	arrays := map[string]npy.Source{}
	for i, file := range x.files {
		t, err := input.Parse(file)
		if err != nil {
			return err
		}
		x.in = t
		src, err := a.opener(a.decoder(0, nil)).Source(a.ctx, t)
		if err != nil {
			return diagnose.Of(t.Path, diagnose.NoObjects(err))
		}
		defer src.Close()
		arrays[x.names[i]] = src
	}
	out, err := query.Calc(a.ctx, x.expr, arrays)
	if err != nil {
		return diagnose.Of(x.in.Path, diagnose.Explain(err))
	}
	return x.blame(x.put(out))
}
