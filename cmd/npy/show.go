package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/charts"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/mmap"
	"github.com/spf13/cobra"
)

// A showing holds the flags of show.
type showing struct {
	npy.Printer
	opener     input.Opener
	slice      string
	full       bool
	head, tail rows
	color      string
	colored    bool
	noPager    bool
	asJSON     bool
	asImage    bool
	vertical   bool
	follow     bool
	imageFlags
	fit    bool // as many columns as the terminal has room for
	titled bool // print the name above each array
	shown  int  // arrays so far
}

var showSubcommand = subcommand{
	use:   "show FILE...",
	short: "Print the values as NumPy does, or as a picture",
	group: lookGroup,
	reads: arrays | text | pickles,
	from:  anywhere,
	json:  []jsonObject{{"", shownJSON{}}},
	make:  showCommand,
}

func showCommand(a *app) *cobra.Command {
	var x showing
	var maxHeader int
	var objects flags.Objects
	c := &cobra.Command{
		Long: `Show prints the values of an array as NumPy prints them. Large arrays are shortened to their edges unless --full is given, and
show reads no more than it prints. Records are printed as a table with a column for each field. Python objects are printed as
Python's repr does; their pickle is read as data and nothing in it is run. FILE may also be a pickle, or several arrays that
follow each other.

On a terminal, lines are as wide as the terminal. NaN, infinities, the smallest and the largest value have colours. Blocks of
arrays with more than two axes have their index above them. Long output goes to $PAGER, or to less. If the output is not a
terminal, the text is exactly that of NumPy. --json prints one object per array, with all values.

--image shows an array as a picture as wide as the terminal, with a colour for each number. A last axis of length 3 or 4 is red,
green, blue and opacity if its elements are uint8, uint16 or floats from 0 to 1. Of an array with more axes the first plane is
shown; an index chooses another. Arrays with more elements than pixels are averaged up to 64 MB, and sampled beyond. Kitty,
WezTerm and ghostty show an image. Other terminals show characters of two pixels each, in colour, or in shades if $NO_COLOR
is set.`,
		Example: `  npy show a.npy
  npy show 'a.npy[0:10, ..., ::2]'
  npy show --full --precision 3 a.npy
  npy show --tail 5 'model.npz:weights[0]'
  npy show -v 'quakes.npy[0]'
  npy show --image --colormap magma --limits 1%,99% a.npy`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			return x.run(a, c, args, a.decoder(maxHeader, objects.Decoder()))
		},
	}
	f := c.Flags()
	f.StringVarP(&x.slice, "slice", "s", "", "show only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.BoolVar(&x.full, "full", false, "show every element")
	f.Var(&x.head, "head", "show this many `rows` from the start; -3: all but the last 3")
	f.Var(&x.tail, "tail", "show this many `rows` from the end; -3: all but the first 3")
	f.IntVarP(&x.Precision, "precision", "p", 0, "most `digits` after the decimal point (0: 8, negative: all)")
	f.IntVar(&x.EdgeItems, "edge", 0, "the number of `items` to show at each end of a shortened axis (0: 3)")
	f.BoolVar(&x.Float128, "float128", false, "read <f16 and <c32 as IEEE binary128, as aarch64, s390x and riscv64 write them")
	f.IntVar(&x.NumPy, "numpy", 0, "print as NumPy `version` 1 or 2 does (0: 2)")
	f.IntVar(&x.LineWidth, "width", 0, "characters in a `line` (0: 75, or as many as the terminal has)")
	f.BoolVar(&x.Axes, "axes", false, "print the index of each block of the last two axes above it")
	f.StringVar(&x.color, "color", "auto", "`when` to use colours: auto, always, never")
	f.BoolVar(&x.noPager, "no-pager", false, "never start a pager")
	f.BoolVar(&x.asJSON, "json", false, "print one JSON object per array, with all of its values")
	f.BoolVar(&x.follow, "follow", false, "print the last rows, and then each row that is appended, until Ctrl-C")
	f.BoolVarP(&x.vertical, "vertical", "v", false, "print each record with a line for each field")
	f.BoolVar(&x.asImage, "image", false, "show the array as a picture")
	x.imageFlags.add(c)
	flags.MaxHeader(c, &maxHeader)
	a.addAs(c)
	a.addWhere(c)
	objects.Add(a.limits, c)
	return c
}

// run shows the arrays that the arguments name.
func (x *showing) run(a *app, c *cobra.Command, args []string, d npy.Decoder) error {
	x.opener = a.opener(d)
	x.opener.Several = true
	x.titled, x.MaxText = len(args) > 1 && !a.joinAxis.Given, a.limits["MaxText"]
	if err := x.check(a, c); err != nil {
		return err
	}
	if x.follow {
		return a.follow(args, x)
	}
	end := a.page(x.noPager || x.asImage)
	err := a.each(x.opener, args, x.slice, func(t input.Target) error { return a.show(t, x) })
	return errors.Join(err, end())
}

// check completes the settings that depend on the output.
func (x *showing) check(a *app, c *cobra.Command) (err error) {
	isTerminal := terminal.Is(a.out)
	if x.colored, err = terminal.WantsColor(x.color, isTerminal, os.Getenv); err != nil {
		return err
	}
	if x.head.given && x.tail.given {
		return errors.New("--head and --tail exclude each other; give one")
	}
	if x.NumPy < 0 || x.NumPy > 2 {
		return fmt.Errorf("--numpy %d: want 1 or 2", x.NumPy)
	}
	if x.vertical && (x.asImage || x.asJSON) {
		return errors.New("--vertical does not go together with --image and --json; give one")
	}
	if x.asImage && x.asJSON {
		return errors.New("--image and --json do not go together; give one")
	}
	if width, _, ok := terminal.Size(a.out); ok && x.LineWidth == 0 {
		x.LineWidth = width
		x.fit = !c.Flags().Changed("edge")
	}
	if isTerminal && !c.Flags().Changed("axes") {
		x.Axes = true
	}
	if x.full {
		x.Threshold = -1
	}
	return x.imageFlags.check(c, x.asImage)
}

// show prints one array, with its name above it if there are several.
func (a *app) show(t input.Target, x *showing) error {
	switch {
	case x.vertical:
		return a.showVertical(t, x)
	case x.asImage:
		return a.showImage(t, x)
	case x.asJSON:
		err := a.showJSON(t, x)
		if diagnose.IsBrokenPipe(err) {
			return err
		}
		return diagnose.Of(t.Name(), err)
	}
	return a.withShown(t, x, func(array *npy.Array, p npy.Printer) error {
		w := bufio.NewWriter(a.out)
		x.title(w, t)
		if x.colored {
			p.Mark = pictures.Highlights(array)
		}
		if array.DType().IsStruct() && array.NDim() == 1 && !x.titled && x.shown == 1 {
			terminal.SetHeader(a.out, 1) // the names of the fields
		}
		print := func(w io.Writer, array *npy.Array) error { return p.Print(w, array) }
		if width, _, ok := terminal.Size(a.out); ok && !x.full {
			print = func(w io.Writer, array *npy.Array) error {
				return printFitted(w, p, array, width, "; 'npy show --vertical' shows all")
			}
		}
		if err := print(w, array); errors.Is(err, npy.ErrLimit) {
			return errors.Join(w.Flush(), diagnose.Of(t.Name(), diagnose.Explain(err)))
		} else if err != nil {
			return err
		}
		return w.Flush()
	})
}

// title prints the name of an array if there are several, after an empty line unless it is the first.
func (x *showing) title(w *bufio.Writer, t input.Target) {
	if x.titled || t.Nth > 0 || t.Whole && len(t.Container.Names()) > 1 {
		if x.shown > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s%s:\n", terminal.Printable(diagnose.FileName(t.Name())), terminal.Printable(t.Sub))
	}
	x.shown++
}

// withShown calls do with the part of an array that is printed, and with the printer for it. The part is the edges,
// some rows, or everything. If it is everything, the array is mapped and may be larger than memory.
func (a *app) withShown(t input.Target, x *showing, do func(*npy.Array, npy.Printer) error) error {
	if x.full && !x.someRows() {
		if f := x.opener.Map(t); f != nil {
			defer f.Close()
			return showMapped(f, t, func(array *npy.Array) error { return do(array, x.Printer) })
		}
	}
	in, err := a.openShown(t, x)
	if err != nil {
		return diagnose.Of(t.Name(), err)
	}
	defer in.Close()
	if x.someRows() {
		y := *x
		if y.fit = false; len(in.Shape()) == 1 && !x.full {
			y.Threshold = max(in.Shape()[0], 1) // every requested row
		}
		x = &y
	}
	array, p, err := x.fitted(a.ctx, in.Source)
	if err != nil {
		return diagnose.Of(t.Name(), diagnose.Explain(err))
	}
	return do(array, p)
}

// fitted is [npy.Printer.Edges], except that on a terminal a shortened array has as many columns as one line takes.
func (x *showing) fitted(ctx context.Context, src npy.Source) (*npy.Array, npy.Printer, error) {
	shape := src.Shape()
	if !x.fit || len(shape) < 2 || src.DType().IsStruct() || src.DType().HasObject() {
		return x.Printer.Edges(ctx, src)
	}
	src, err := npy.Rereadable(ctx, src)
	if err != nil {
		return nil, x.Printer, err
	}
	const usual = 3
	few, many := usual, min(shape[len(shape)-1]/2, x.LineWidth/4)
	for few < many { // the most that fit are between few and many
		edges := (few + many + 1) / 2
		if fits, err := x.fits(ctx, src, edges); err != nil {
			return nil, x.Printer, err
		} else if fits {
			few = edges
		} else {
			many = edges - 1
		}
	}
	p := x.Printer
	p.ColumnEdges = few
	return p.Edges(ctx, src)
}

// fits reports whether lines with some columns at each end are not longer than the terminal is wide.
func (x *showing) fits(ctx context.Context, src npy.Source, edges int) (bool, error) {
	p := x.Printer
	p.ColumnEdges, p.LineWidth, p.Mark = edges, -1, nil
	array, p, err := p.Edges(ctx, src)
	if err != nil {
		return false, err
	}
	var text strings.Builder
	if err := p.Print(&text, array); err != nil {
		return false, err
	}
	for line := range strings.Lines(text.String()) {
		if npy.TextWidth(strings.TrimSuffix(line, "\n")) > x.LineWidth {
			return false, nil
		}
	}
	return true, nil
}

// showMapped calls do with the part of a mapped file that a target names.
func showMapped(f *mmap.File, t input.Target, do func(*npy.Array) error) error {
	err := f.Do(func(array *npy.Array) error {
		array, err := array.Slice(t.Index...)
		if err != nil {
			return diagnose.Of(t.Name(), err)
		}
		return do(array)
	})
	if fault := new(mmap.FaultError); errors.As(err, &fault) {
		return diagnose.Of(t.Name(), err)
	}
	return err
}

var errNoRows = errors.New("it is a single element and has no rows; leave --head and --tail out")

// openShown opens an array, or its first or last rows if they are requested.
func (a *app) openShown(t input.Target, x *showing) (*input.Array, error) {
	if !x.someRows() {
		return x.opener.Source(a.ctx, t)
	}
	o := x.opener
	if x.head.given && x.head.n > 0 && !o.Changes() && t.Index == nil && o.Concat == nil {
		o.Text.Rows = x.head.n // of a table
	}
	return o.Chosen(a.ctx, t, func(shape []int) ([]npy.Index, error) {
		if len(shape) == 0 {
			return nil, errNoRows
		}
		return []npy.Index{x.rowsOf(shape[0])}, nil
	})
}

// rows is the value of --head or --tail: a number of rows, or if it is negative how many are left out at the other end.
type rows struct {
	n     int
	given bool
}

// String implements pflag.Value.
func (r *rows) String() string { return "" }

// Type implements pflag.Value.
func (r *rows) Type() string { return "rows" }

// Set implements pflag.Value.
func (r *rows) Set(text string) (err error) {
	if r.n, err = strconv.Atoi(text); err != nil {
		return errors.New("want a number of rows")
	}
	r.given = true
	return nil
}

// someRows reports whether --head or --tail is given.
func (x *showing) someRows() bool { return x.head.given || x.tail.given }

// rowsOf returns the index of the requested rows of n.
func (x *showing) rowsOf(n int) npy.Index {
	switch {
	case x.head.given:
		return npy.SpanTo(x.head.n)
	case x.tail.n < 0:
		return npy.SpanFrom(min(-x.tail.n, n))
	}
	return npy.SpanFrom(max(n-x.tail.n, 0))
}

// imageFlags holds the flags for showing an array as an image.
type imageFlags struct {
	colormap string
	limits   pictures.Limits
	log      charts.LogAxes
	graphics string
}

func (i *imageFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&i.colormap, "colormap", "", "the `colours` of an image: "+pictures.ColormapNames()+" (viridis)")
	f.Var(&i.limits, "limits", "the numbers of the first and the last colour, or percentiles such as 2%,98% (smallest and largest)")
	f.Var(&i.log, "log", "choose colours by the logarithm")
	f.Lookup("log").NoOptDefVal = "z" // the only axis of a picture that can be logarithmic
	f.StringVar(&i.graphics, "graphics", pictures.AutoGraphics, "`how` to show an image: auto, blocks, kitty, sixel")
}

// check returns an error for flags that exclude each other.
func (i imageFlags) check(c *cobra.Command, asImage bool) error {
	if _, err := pictures.FindColormap(i.colormap); err != nil {
		return err
	}
	if _, err := pictures.ChooseGraphics(i.graphics, false, os.Getenv); err != nil {
		return err
	}
	for _, name := range []string{"colormap", "limits", "log", "graphics"} {
		if c.Flags().Changed(name) && !asImage {
			return fmt.Errorf("--%s needs --image", name)
		}
	}
	if i.log.X || i.log.Y {
		return fmt.Errorf("--log of a picture is for its colours: z; 'npy plot' also has x and y")
	}
	return i.limits.CheckLog(i.log.Z)
}

// picture returns the picture that the flags describe, without a size.
func (i imageFlags) picture() pictures.Picture {
	colors, _ := pictures.FindColormap(i.colormap) // check has found it already
	return pictures.Picture{Colors: colors, Limits: i.limits, Log: i.log.Z}
}

// showImage prints the picture of an array and a caption.
func (a *app) showImage(t input.Target, x *showing) error {
	s, err := a.openShown(t, x)
	if err != nil {
		return diagnose.Of(t.Name(), err)
	}
	defer s.Close()
	columns, lines, terminal := terminal.Size(a.out)
	if !terminal {
		columns, lines = pictures.ImageColumns, pictures.ImageLines+pictures.TitleRows
	}
	if x.LineWidth > 0 {
		columns = x.LineWidth
	}
	lines = max(lines-pictures.TitleRows, 1)
	colors := x.charColors(terminal)
	how, err := pictures.ChooseGraphics(x.graphics, terminal && colors != pictures.NoColors, os.Getenv)
	if err != nil {
		return err
	}
	p := x.picture()
	if p.Width, p.Height = columns, 2*lines; how != pictures.BlocksGraphics {
		p.Width, p.Height = columns*pictures.CharWidth, lines*pictures.CharHeight
	}
	d, err := p.Draw(a.ctx, s.Source)
	if err != nil {
		return diagnose.Of(t.Name(), diagnose.Explain(err))
	}
	w := bufio.NewWriter(a.out)
	x.title(w, t)
	if err := pictures.WriteImage(w, d.NRGBA, how, p, colors); err != nil {
		return err
	}
	fmt.Fprintln(w, d.Caption(s.Source))
	return w.Flush()
}

// charColors returns the colours for an image made of characters. Output that is not a terminal has colours too, unless
// --color or NO_COLOR asks for none.
func (x *showing) charColors(terminal bool) pictures.CharColors {
	if x.color == "never" || !x.colored && (terminal || os.Getenv("NO_COLOR") != "") {
		return pictures.NoColors
	}
	return pictures.ChooseColors(terminal, os.Getenv)
}

// A shownJSON is the JSON form of an array in show --json.
type shownJSON struct {
	File   string  `json:"file"`
	Member *string `json:"member"`
	Array  int     `json:"array,omitempty"` // from 2, of arrays after the first in a file
	DType  string  `json:"dtype"`
	Shape  []int   `json:"shape"`
	Values []any   `json:"values"` // nested lists, written as they are read
}

// showJSON prints an array, or the requested part, on one line.
func (a *app) showJSON(t input.Target, x *showing) error {
	o := a.limits.Write(convert.WriteOptions{Float128: x.Float128, Units: true})
	in, err := a.openShown(t, x)
	if err != nil {
		return err
	}
	defer in.Close()
	return a.writeJSON(t, in.Source, func(w io.Writer) error { return convert.Write(a.ctx, w, convert.JSON, in.Source, o) })
}

// writeJSON prints the object for an array; write writes its values.
func (a *app) writeJSON(t input.Target, s npy.Source, write func(io.Writer) error) error {
	object := shownJSON{File: t.Path, Member: t.MemberName(), Array: t.Nth, DType: s.DType().Name(), Shape: s.Shape()}
	var head bytes.Buffer
	if err := terminal.NewJSON(&head).Encode(object); err != nil {
		return err
	}
	text, _ := bytes.CutSuffix(head.Bytes(), []byte("null}\n"))
	_, err := a.out.Write(text)
	return errors.Join(err, write(oneLine{terminal.EscapeJSON(a.out)}), writeText(a.out, "}\n"))
}

func writeText(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

// A oneLine drops line breaks, which have no meaning in JSON.
type oneLine struct{ w io.Writer }

// Write implements io.Writer.
func (o oneLine) Write(p []byte) (int, error) {
	for line := range bytes.SplitSeq(p, []byte("\n")) {
		if _, err := o.w.Write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
