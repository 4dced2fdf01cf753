package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/charts"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/spf13/cobra"
)

// A plotting holds the flags of plot.
type plotting struct {
	out, slice, colormap, font string
	ending                     string // of out; "" for the terminal
	chart                      charts.Options
}

var plotSubcommand = subcommand{
	use:   "plot FILE... -o OUT",
	short: "Draw a chart: line, scatter, histogram, heatmap or image",
	group: lookGroup,
	reads: arrays | text,
	from:  anywhere,
	to:    anywhere,
	make:  plotCommand,
}

func plotCommand(a *app) *cobra.Command {
	x := plotting{chart: charts.Options{Size: charts.Size{Width: 800, Height: 500}}}
	var maxHeader int
	c := &cobra.Command{
		Long: `Plot draws arrays into a PNG, SVG or PDF file, chosen by the ending of OUT. OUT may be - for a PNG on standard output. On a
terminal, the chart is drawn there if no OUT is given.

An array of one dimension is drawn as a line, rows or records of two numbers as points, an array of two dimensions as a
heatmap, and an array of red, green and blue along its last axis as an image. --kind draws something else. Records that begin
with a time are lines along that time; other records are lines along their index. Several files are several lines.

--x and --y choose fields of records, or columns of a table by their number; a dot is before a field of a field. --x may also
be a FILE with the places of all values along x: y against x. Points whose x never falls are joined, others are not, and times are sorted; --kind
line or scatter decides. --axis 0 makes each column of a table a line, --axis 1 each row. Complex numbers are two lines, their
real and their imaginary parts; with --kind scatter they are points of the complex plane.

Arrays may have any size. A long line is drawn as the smallest and the largest number of each of 1000 parts, and at most 1 GB
of it is read. Points that fall on each other are drawn once, and 100,000 points or more as a density: the colours say how
many there are. Heatmaps and images are reduced as by 'npy show --image'. Histograms count all elements; bins of
integers have an equal number of integers each. Values that have no place on the chart are counted on standard error.`,
		Example: `  npy plot a.npy -o a.png
  npy plot 'a.npy[:, 0]' 'a.npy[:, 1]' -o two.svg
  npy plot quakes.npy --x time --y mag,depth -o quakes.svg
  npy plot --x t.npy y.npy --xlim 0,10 -o y.png
  npy plot quakes.npy --kind hist --x mag --log y -o mag.pdf
  npy plot --kind heatmap --colormap coolwarm --limits 1%,99% a.npy -o a.png`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := x.check(a); err != nil {
				return err
			}
			return a.plot(args, x, a.decoder(maxHeader, a.limits.Objects()))
		},
	}
	f := c.Flags()
	f.StringVarP(&x.out, "output", "o", "", "the `file` to write: .png, .svg or .pdf")
	f.StringVarP(&x.chart.Kind, "kind", "k", "", "`what` to draw: "+strings.Join(charts.Kinds, ", ")+" (by shape and dtype)")
	f.StringVarP(&x.slice, "slice", "s", "", "draw only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.StringVarP(&x.chart.X, "x", "x", "", "the `field`, column or FILE along x")
	f.StringSliceVarP(&x.chart.Y, "y", "y", nil, "the `fields` or columns along y, separated by commas (all)")
	f.IntVarP(&x.chart.Axis, "axis", "a", charts.NoAxis, "the `axis` that lines run along: 0 for columns, 1 for rows")
	f.Lookup("axis").DefValue = "0" // not printed
	f.Var(&x.chart.XLimits, "xlim", "both ends of x, or one as in 0,; the larger first turns it round")
	f.Var(&x.chart.YLimits, "ylim", "both ends of y")
	f.Var(&x.chart.Log, "log", "axes with logarithms: x, y, z for colours, or several as xy")
	f.StringVar(&x.chart.Title, "title", "", "`text` above the chart (the name of the array)")
	f.StringVar(&x.chart.XLabel, "xlabel", "", "`text` below x (the name of the field)")
	f.StringVar(&x.chart.YLabel, "ylabel", "", "`text` above y (the name of the field)")
	f.StringSliceVar(&x.chart.Labels, "label", nil, "`names` of the lines or points, separated by commas")
	f.StringVar(&x.font, "font", "", "a TrueType or OpenType `file` for letters that the built-in font lacks")
	f.Var(&x.chart.Size, "size", "width and height in pixels")
	f.IntVar(&x.chart.Bins, "bins", 50, "the largest number of `bars` of a histogram")
	f.StringVar(&x.colormap, "colormap", "", "the `colours` of a heatmap: "+pictures.ColormapNames()+" (viridis)")
	f.Var(&x.chart.Limits, "limits", "the numbers at both ends of the colours, or percentiles such as 2%,98% (the extremes)")
	flags.MaxHeader(c, &maxHeader)
	a.addAs(c)
	a.addWhere(c)
	return c
}

// check completes x from the flags, and returns an error for invalid flags.
func (x *plotting) check(a *app) (err error) {
	if kind := x.chart.Kind; kind != "" && !slices.Contains(charts.Kinds, kind) {
		return fmt.Errorf("unknown --kind %q; want one of %s", kind, strings.Join(charts.Kinds, ", "))
	}
	if x.chart.Bins < 1 || x.chart.Bins > 10_000 {
		return errors.New("--bins must be from 1 to 10000")
	}
	if x.chart.Colors, err = pictures.FindColormap(x.colormap); err != nil {
		return err
	}
	if err := x.chart.Limits.CheckLog(x.chart.Log.Z); err != nil {
		return err
	}
	if x.font != "" {
		if x.chart.Fonts, err = readFont(x.font); err != nil {
			return err
		}
	}
	x.ending = strings.ToLower(filepath.Ext(x.out))
	switch {
	case x.out == "-" && terminal.Is(a.out):
		return errors.New("-o - writes a PNG to standard output, which is a terminal; redirect it, or leave -o out to draw on the terminal")
	case x.out == "-":
		x.ending = ".png"
	case x.out == "" && terminal.Is(a.out):
	case x.out == "":
		return errors.New("plot wants -o OUT: a .png, .svg or .pdf file, or - for a PNG on standard output")
	case !slices.Contains(charts.Endings(), x.ending):
		return fmt.Errorf("-o %s: unknown ending; want %s", x.out, strings.Join(charts.Endings(), ", "))
	}
	return nil
}

// readFont reads the file of --font.
func readFont(path string) (charts.Fonts, error) {
	const most = 256 << 20 // bytes; fonts of all Chinese characters have a tenth
	f, err := os.Open(path)
	if err != nil {
		return charts.Fonts{}, fmt.Errorf("--font %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return charts.Fonts{}, fmt.Errorf("--font %w", err)
	}
	fonts, err := charts.ParseFont(data)
	if err != nil {
		return fonts, fmt.Errorf("--font %s: not a TrueType or OpenType font: %w", path, err)
	}
	return fonts, nil
}

// plot draws all arrays that the arguments name into one chart.
func (a *app) plot(args []string, x plotting, d npy.Decoder) error {
	c := charts.New(x.chart)
	o := a.opener(d)
	var along *input.Array // the file of --x
	defer func() {
		if along != nil {
			along.Close()
		}
	}()
	first := true
	err := a.each(o, args, x.slice, func(t input.Target) error {
		s, err := o.Source(a.ctx, t)
		if err != nil {
			return diagnose.Of(t.Name(), err)
		}
		defer s.Close()
		if name := x.chart.X; first && name != "" {
			if along, err = a.plotAlong(c, o, t.Name(), s.Source, name); err != nil {
				return err
			}
		}
		first = false
		return a.addToChart(c, t, s.Source)
	})
	if err != nil || a.failed {
		return err
	}
	if err := c.Finish(); err != nil {
		return err
	}
	if letters := c.Unwritable(x.ending); letters != "" {
		a.talk("%s: no glyphs for %s; give --font FILE with a font that has them, or draw a .svg", x.out, letters)
	}
	return a.writeChart(c, x)
}

// plotAlong opens the file of --x, which is called name, and gives it to a chart. It returns nil if name is a field or a
// column of array.
func (a *app) plotAlong(c *charts.Chart, o input.Opener, arrayName string, array npy.Source, name string) (*input.Array, error) {
	unnamed := c.Find(array, name)
	if unnamed == nil {
		return nil, nil
	}
	t, err := input.Parse(name)
	if err != nil {
		return nil, err
	}
	if t.Path != "-" && !input.Exists(t.Path) {
		return nil, diagnose.Of(arrayName, fmt.Errorf("--x: %w, and there is no such file", unnamed))
	}
	o.Where, o.Set = "", nil // they are about the values along y
	s, err := o.Source(a.ctx, t)
	if err != nil {
		return nil, diagnose.Of(t.Name(), err)
	}
	if err := c.SetX(terminal.Printable(filepath.Base(diagnose.FileName(t.Name()))+t.Sub), s.Source); err != nil {
		s.Close()
		return nil, diagnose.Of(t.Name(), err)
	}
	return s, nil
}

// addToChart adds an array to a chart, and reports the elements that the chart does not show.
func (a *app) addToChart(c *charts.Chart, t input.Target, s npy.Source) error {
	notes, err := c.Add(a.ctx, terminal.Printable(filepath.Base(diagnose.FileName(t.Name()))+t.Sub), s)
	if err != nil {
		return diagnose.Of(t.Name(), diagnose.Explain(err))
	}
	for _, note := range notes {
		a.talk("%s: %s", t.Name(), note)
	}
	return nil
}

// writeChart writes a chart to a file, standard output or the terminal.
func (a *app) writeChart(c *charts.Chart, x plotting) error {
	if x.ending == "" {
		return a.showChart(c)
	}
	if x.out == "-" {
		return c.Encode(a.out, x.ending)
	}
	return a.told(diagnose.Of(x.out, a.urls.Replace(x.out, func(w io.Writer) error { return c.Encode(w, x.ending) })))
}

// showChart draws a chart on the terminal.
func (a *app) showChart(c *charts.Chart) error {
	columns, lines, ok := terminal.Size(a.out)
	if !ok {
		columns, lines = pictures.ImageColumns, pictures.ImageLines
	}
	lines = max(min(lines-pictures.TitleRows, columns/3), 1)
	wanted, err := terminal.WantsColor("auto", true, os.Getenv)
	if err != nil {
		return err
	}
	colors := pictures.NoColors
	if wanted {
		colors = pictures.ChooseColors(true, os.Getenv)
	}
	how, err := pictures.ChooseGraphics(pictures.AutoGraphics, wanted, os.Getenv)
	if err != nil {
		return err
	}
	return c.Show(a.out, columns, lines, how, colors)
}
