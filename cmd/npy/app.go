package main

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/parts"
	"github.com/spf13/cobra"
)

// Results go to standard output, and nothing else does. Every complaint is one line on standard error, "npy: FILE: the
// fault, its place, and the way out". Text from files is never printed with control characters.

// An app is one run of the command: its streams, its settings and the errors so far.
type app struct {
	ctx     context.Context // done when a signal asks the command to end
	stdin   input.Stdin
	out     io.Writer        // standard output, or a pager before it
	stdout  *terminal.Output // standard output
	err     io.Writer
	failed  bool // an input failed; the others were processed
	trouble bool // for the subcommand that has another exit code for failed inputs

	formats     convert.Formats // of convert, besides .npy, .npz and raw bytes
	noNotes     bool            // -q
	from        string          // --from: the format of text
	table       flags.Table     // how tables of text are read
	temporaries temporaries
	limits      limits.Limits // of --limit
	as          flags.VoidAs  // of the subcommands that read arrays
	where       flags.Where   // of the subcommands that can take some rows
	set         flags.Set     // --set, of the same subcommands
	scale       bool          // --scale, of the same subcommands
	joinAxis    flags.Axis    // --concat
	links       bool          // --follow-links
	force       bool          // --force
	existing    replacing     // of the subcommand that runs
	urls        *urls.Client
	requests    bool              // --requests
	secrets     *strings.Replacer // removes the secrets of URLs
	openQuote   byte              // before the cursor, in the line of a shell that is completed
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	out := terminal.NewOutput(stdout)
	a := &app{
		ctx: context.Background(), stdin: input.Stdin{Reader: stdin}, out: out, stdout: out, err: stderr,
		formats: convert.Standard(), limits: limits.Limits{},
	}
	a.urls = a.newURLs()
	return a
}

// addAs adds --as to a subcommand. It applies to arrays that are read with decoder.
func (a *app) addAs(c *cobra.Command) {
	c.Flags().Var(&a.as, "as", "read void elements of .npy and .npz as this dtype: bfloat16, float8_e4m3fn, int4")
}

// addWhere adds --where, --set and --scale to a subcommand. They apply to arrays that are opened with opener.
func (a *app) addWhere(c *cobra.Command) {
	a.addScale(c)
	a.addConcat(c)
	c.Flags().Var(&a.set, "set", "compute this `column` first: 'speed = sqrt(vx**2 + vy**2)'; see 'npy help set'")
	c.Flags().Var(&a.where, "where", "take only the rows that satisfy this `condition`: 'mag > 5'; see 'npy help where'")
}

// addScale adds --scale to a subcommand. It applies to arrays that are opened with opener.
func (a *app) addScale(c *cobra.Command) {
	c.Flags().BoolVar(&a.scale, "scale", false, "apply scale_factor, add_offset and _FillValue of netCDF and HDF5 files")
}

// addConcat adds --concat to a subcommand. It applies to arrays that are opened with opener.
func (a *app) addConcat(c *cobra.Command) {
	c.Flags().Var(&a.joinAxis, "concat", "join the files of a pattern, or all FILEs, along this `axis` to one array")
}

// addLimit adds the flag --limit to a subcommand.
func (a *app) addLimit(c *cobra.Command) {
	c.Flags().Var(a.limits, "limit", "set a limit; see 'npy help limits'")
}

// addLinks adds the flag --follow-links to a subcommand. The help of 'npy manifest' describes it.
func (a *app) addLinks(c *cobra.Command) {
	c.Flags().BoolVar(&a.links, "follow-links", false, "let the parts of manifests and stacks be links that lead out of their folder")
	c.Flags().Lookup("follow-links").Hidden = true
}

// decoder returns a decoder with the dtype of --as. It refuses Python objects if objects is nil.
func (a *app) decoder(maxHeader int, objects npy.ObjectDecoder) npy.Decoder {
	return npy.Decoder{MaxHeader: maxHeader, Objects: objects, VoidAs: a.as.DType}
}

// opener returns the opener of arrays that d decodes.
func (a *app) opener(d npy.Decoder) input.Opener {
	from, _ := a.textFormat()
	o := input.Opener{
		Stdin: &a.stdin, URLs: a.urls, Array: d, Limits: a.limits, Text: a.textOptions(), From: from, Links: a.links,
		Set: a.set, Where: string(a.where), Scale: a.scale, Temporary: a.temporaries.add, Watch: a.watch, Tell: a.talk,
	}
	if a.joinAxis.Given {
		o.Concat = &input.Concat{Axis: a.joinAxis.Number, Context: a.ctx, Expand: a.expandSorted}
	}
	return o
}

// expandSorted is expandFiles with the files of each pattern in the order of the numbers in their names.
func (a *app) expandSorted(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		of, err := a.expandFiles([]string{arg})
		if err != nil {
			return nil, err
		}
		parts.Sort(of)
		files = append(files, of...)
	}
	return files, nil
}

// textOptions returns the options of reading text. The flags of tables have been checked.
func (a *app) textOptions() convert.ReadOptions {
	table, _ := a.table.Options()
	return a.limits.Text(convert.ReadOptions{Table: table, Header: a.table.Header()})
}

// textFormat returns the format of --from, or "". It reports false for a format that is not text.
func (a *app) textFormat() (convert.Format, bool) {
	if a.from == "" {
		return "", true
	}
	return convert.ForFile("." + strings.TrimPrefix(a.from, "."))
}

// addTable adds the flags of tables to a subcommand that reads text, and --from, unless it has them. 'npy help text' lists them.
func (a *app) addTable(c *cobra.Command) {
	if c.Flags().Lookup("from") == nil {
		c.Flags().StringVar(&a.from, "from", "", "`format` of text in files without its ending, and in standard input: "+strings.Join(trimDots(convert.Endings()), ", "))
		c.Flags().Lookup("from").Hidden = true
	}
	if c.Flags().Lookup("delimiter") != nil {
		return
	}
	a.table.Hide(c)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if _, err := a.table.Options(); err != nil {
			return err
		}
		if _, ok := a.textFormat(); !ok {
			return fmt.Errorf("--from %q: want %s", a.from, inWords(trimDots(convert.Endings())))
		}
		return run(c, args)
	}
}

// each calls do for each array that the arguments name: see [input.Opener.Each].
func (a *app) each(o input.Opener, args []string, slice string, do func(input.Target) error) error {
	return o.Each(args, slice, a.complain, func(t input.Target) error {
		if a.ctx.Err() != nil {
			return context.Cause(a.ctx)
		}
		return do(t)
	})
}

// told prints an error of a file, and returns any other error.
func (a *app) told(err error) error { return diagnose.Told(err, a.complain) }

// complain prints the error of a file. The run goes on, and ends with exit code 1. After an error of standard output it
// prints nothing: the other errors follow from that one, which run prints.
func (a *app) complain(e diagnose.FileError) {
	a.failed = true
	if a.stdout.Err != nil {
		return
	}
	a.report("%s: %s%s", diagnose.FileName(e.File), e.Text(), e.Hint())
	a.point(e)
}

// point shows where an error in a condition is.
func (a *app) point(err error) {
	for _, line := range diagnose.Caret(err) {
		a.write("  %s\n", line)
	}
}

// talk prints a note of one line to standard error, unless --quiet is given.
func (a *app) talk(format string, args ...any) {
	if !a.noNotes {
		a.report(format, args...)
	}
}

// report prints an error, or what was asked for, as one line to standard error.
func (a *app) report(format string, args ...any) { a.write("npy: %s\n", fmt.Sprintf(format, args...)) }

// addQuiet adds the flag -q to a subcommand, unless it has one of its own, and with either a subcommand prints no notes.
func (a *app) addQuiet(c *cobra.Command) {
	if c.Flags().Lookup("quiet") == nil {
		c.Flags().BoolP("quiet", "q", false, "print errors, but no notes")
	}
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		a.noNotes, _ = c.Flags().GetBool("quiet")
		return run(c, args)
	}
}

// write prints a line with text that may come from a file.
func (a *app) write(line, text string) {
	a.temporaries.Lock() // after a signal nothing more is printed
	defer a.temporaries.Unlock()
	if a.ctx.Err() != nil {
		return
	}
	if a.secrets != nil {
		text = a.secrets.Replace(text)
	}
	fmt.Fprintf(a.err, line, terminal.Printable(text))
}

// width returns the width of the terminal that results go to, in characters, or 0 if they do not go to one.
func (a *app) width() int {
	width, _, _ := terminal.Size(a.out)
	return width
}

// page sends all output from now on to a pager if it is longer than the screen. The caller calls end after the last
// write.
func (a *app) page(never bool) (end func() error) {
	if never {
		return func() error { return nil }
	}
	out := a.out
	paged, close := terminal.Page(out)
	a.out = paged
	return func() error {
		a.out = out
		return close()
	}
}

// progress shows the progress of a task called name on standard error.
func (a *app) progress(name string) *terminal.Progress {
	return terminal.NewProgress(a.err, name, a.urls.Note)
}

// watch returns f and shows on standard error how much of it has been read.
func (a *app) watch(f io.ReadCloser, name string, size int64) io.ReadCloser {
	return terminal.Watch(a.progress(diagnose.FileName(name)), f, size)
}

// ignoreBrokenPipe makes writing to a closed pipe an error that does not end the program: "npy show a.npy | head" is
// not a failure.
func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }

// frugal lets garbage take a fifth of the memory in use, and not as much again, until the returned function is called. The
// data that a subcommand keeps of each of a million members then takes little more than its size.
func frugal() (end func()) {
	before := debug.SetGCPercent(20)
	return func() { debug.SetGCPercent(before) }
}
