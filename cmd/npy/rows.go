package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

// The subcommands sort, sample, unique, group, join and calc choose, join, order or count the rows of IN. They write a file of any format
// or, without OUT, print the result.

// A rowsJob holds the settings that these subcommands share.
type rowsJob struct {
	app    *app
	in     input.Target
	out    string // "" prints
	array  string // name of the result in OUT if OUT has several arrays; "" for the name in IN
	to     string // the flag --to
	format convert.Format
	memory limits.Size
	number rows // --number
	asJSON bool
	escape bool         // --escape-formulas
	check  func() error // of the flags, before IN is opened; may be nil

	sorts bool         // the result has all rows of IN, so that OUT may be IN
	asIs  bool         // rows do not change, so that lines of text can be kept
	lines *input.Lines // of IN, if they are kept
	needs *input.Needs // the fields that are used; nil for all
}

// command adds the flags and the run function to a subcommand.
func (j *rowsJob) command(a *app, c *cobra.Command, run func(src *input.Array) error) *cobra.Command {
	j.app, j.memory = a, 256<<20
	c.Args = func(_ *cobra.Command, args []string) error {
		if n := len(args); n < 1 || n > 2 {
			return fmt.Errorf("%s wants IN and optionally OUT, and has %s", c.Name(), diagnose.Counted(n, "argument"))
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) (err error) {
		if j.in, err = input.Parse(args[0]); err != nil {
			return err
		}
		if err := j.parseFormat(args[1:]); err != nil {
			return err
		}
		if j.check != nil {
			if err := j.check(); err != nil {
				return err
			}
		}
		if err := j.checkOut(); err != nil {
			return err
		}
		return a.told(j.run(run))
	}
	a.addWhere(c)
	j.addOut(c)
	return c
}

// addOut adds the flags of reading arrays and of writing OUT.
func (j *rowsJob) addOut(c *cobra.Command) {
	j.app.addAs(c)
	c.Flags().StringVar(&j.to, "to", "", "`format` of OUT (by its ending)")
	addFormulas(c, &j.escape)
}

// parseFormat reads OUT, if args has it, and finds its format.
func (j *rowsJob) parseFormat(args []string) (err error) {
	a := j.app
	switch {
	case len(args) > 0 && j.asJSON:
		return errors.New("--json prints, and OUT is a file; choose one")
	case len(args) == 0 && j.to != "":
		return errors.New("--to needs OUT, which may be -")
	case len(args) == 0:
		return checkFormulas(j.escape, j.format)
	}
	j.out, j.array = cutOut(args[0])
	if j.format, err = a.formatFor(j.to, j.out, "OUT", "--to"); err != nil {
		return err
	}
	if err := a.checkTerminal(j.out, j.format, " leave OUT out to print the result,"); err != nil {
		return err
	}
	if err := a.checkNamed(j.out, j.array); err != nil {
		return err
	}
	return checkFormulas(j.escape, j.format)
}

// parseOut reads OUT as parseFormat does, and refuses one of the files that the job reads.
func (j *rowsJob) parseOut(args, files []string) error {
	if err := j.parseFormat(args); err != nil || j.out == "" {
		return err
	}
	for _, file := range files {
		t, err := input.Parse(file)
		if err != nil {
			return err
		}
		if err := checkSame(j.out, t.Path); err != nil {
			return err
		}
	}
	return j.app.checkOut(j.out, "")
}

// checkOut returns an error if OUT must not be replaced. A sort in place loses nothing.
func (j *rowsJob) checkOut() error {
	a := j.app
	_, several := a.containerFor(string(j.format))
	switch {
	case j.out == "":
		return nil
	case j.in.Path == "-" || !input.SameFile(j.in.Path, j.out):
		return a.checkOut(j.out, "")
	case !j.sorts || j.number.given || a.where != "" || len(a.set) > 0 || a.joinAxis.Given || len(j.in.Index) > 0 || several:
		return fmt.Errorf("IN and OUT are the same file, which would lose the rest of IN; give another name for OUT")
	case j.in.Path != j.out:
		return fmt.Errorf("OUT, %s, is IN under another name; to sort it in place, give the name of IN twice", diagnose.FileName(j.out))
	}
	return nil
}

// addNumber adds the flag --number.
func (j *rowsJob) addNumber(c *cobra.Command, usage string) {
	c.Flags().VarP(&j.number, "number", "n", usage)
}

// addMemory adds the flag --memory.
func (j *rowsJob) addMemory(c *cobra.Command) {
	c.Flags().VarP(&j.memory, "memory", "m", "use up to this many `bytes` of memory: 512M, 2G")
}

// addJSON adds the flag --json.
func (j *rowsJob) addJSON(c *cobra.Command) {
	c.Flags().BoolVar(&j.asJSON, "json", false, "print one JSON object per row")
}

func (j *rowsJob) run(do func(src *input.Array) error) error {
	o := j.app.opener(j.app.decoder(0, nil))
	if j.asIs {
		j.lines = j.app.linesOf(j.format, j.escape)
		o.Lines = j.lines
	}
	o.Needs = j.needs
	src, err := o.Source(j.app.ctx, j.in)
	if err != nil {
		return diagnose.Of(j.in.Path, diagnose.NoObjects(err))
	}
	defer src.Close()
	if err := do(src); err != nil {
		return j.blame(err)
	}
	return nil
}

// linesOf returns what keeps the lines of text that goes to OUT in some format, or nil if they cannot be kept.
func (a *app) linesOf(to convert.Format, escape bool) *input.Lines {
	if escape || a.joinAxis.Given {
		return nil
	}
	return input.LinesOf(to, a.set)
}

// rowKeys returns keys, or for none all fields of records whose lines are kept, without the line.
func (j *rowsJob) rowKeys(by []query.Key, t dtype.Type) []query.Key {
	if by != nil || j.lines == nil {
		return by
	}
	for i := range t.NumField() {
		if name := t.Field(i).Name; name != convert.LineField {
			by = append(by, query.Key{Field: name})
		}
	}
	return by
}

// blame returns err as an error of OUT, or of a temporary file, if it names one, else as an error of IN.
func (j *rowsJob) blame(err error) error {
	var pe *fs.PathError
	switch {
	case diagnose.IsBrokenPipe(err):
		return err
	case diagnose.OfWriting(err):
		return diagnose.Of(j.out, err)
	case !errors.As(err, &pe) || diagnose.Names(err, j.in.Path):
		return diagnose.Of(j.in.Path, diagnose.Flagged(err, ""))
	case j.out == "" || j.out == "-":
		return diagnose.Of(pe.Path, err)
	}
	return diagnose.Of(j.out, err)
}

// put writes or prints the rows.
func (j *rowsJob) put(src npy.Source) error {
	switch {
	case j.out == "" && j.asJSON:
		return j.app.formats.Write(j.app.ctx, terminal.EscapeJSON(j.app.out), convert.NDJSON, src, j.app.limits.Write(convert.WriteOptions{NaN: convert.NaNWord, Units: true}))
	case j.out == "":
		return j.app.print(src)
	}
	a := j.app
	o := a.output(j.out, j.format, npz.Encoder{})
	var losses conversion.LossList
	o.Options.Lost = losses.Add
	options := a.limits.Write(convert.WriteOptions{EscapeFormulas: j.escape})
	src, err := j.lines.Write(a.ctx, src, &options)
	if err != nil {
		return err
	}
	if err := o.Write(a.ctx, src, j.part(), npy.Copier{Memory: int64(j.memory)}, options); err != nil {
		return err
	}
	for _, what := range losses.Texts() {
		a.talk("%s: not kept: %s", diagnose.OutName(j.out), what)
	}
	return nil
}

// part returns the name of the result in a file of several arrays.
func (j *rowsJob) part() conversion.Part { return partOf(cmp.Or(j.array, j.in.ArrayName())) }

// first returns the rows of --number. A negative number counts from the end.
func (j *rowsJob) first(all *npy.Array, err error) (npy.Source, error) {
	if err != nil || !j.number.given {
		return all, err
	}
	return all.Slice(npy.SpanTo(j.number.n))
}

// collect computes the rows of the result, shows the progress, and writes or prints them. OUT may be IN.
func (j *rowsJob) collect(src *input.Array, rows func(progress func(done, total int64)) (npy.Source, error)) error {
	bar := j.app.progress(j.in.Name())
	defer bar.Clear()
	result, err := rows(bar.Set)
	if err != nil {
		return err
	}
	bar.Clear()
	src.Close()
	return j.put(result)
}

// print prints rows as show does.
func (a *app) print(src npy.Source) error {
	p := npy.Printer{MaxText: a.limits["MaxText"]}
	print := func(w io.Writer, array *npy.Array) error { return p.Print(w, array) }
	if width, _, ok := terminal.Size(a.out); ok {
		p.LineWidth = width
		print = func(w io.Writer, array *npy.Array) error { return printFitted(w, p, array, width, "") }
	}
	end := a.page(false)
	array, p, err := p.Edges(a.ctx, src)
	if err != nil {
		return errors.Join(err, end())
	}
	w := bufio.NewWriter(a.out)
	err = print(w, array)
	return errors.Join(err, w.Flush(), end())
}

// temp returns the path next to which temporary files are made.
func (j *rowsJob) temp() string {
	if j.out == "-" || j.out == os.DevNull || remote.IsURL(j.out) {
		return ""
	}
	return j.out
}
