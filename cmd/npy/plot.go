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
	out, slice, colormap string
	ending               string // of out; "" for the terminal
	chart                charts.Options
}

func plotCommand(a *app) *cobra.Command {
	x := plotting{chart: charts.Options{Size: charts.Size{Width: 800, Height: 500}}}
	var maxHeader int
	c := &cobra.Command{
		Use:   "plot FILE... -o OUT",
		Short: "Draw a chart: line, scatter, histogram, heatmap or image",
		Long: `Plot draws arrays into a PNG, SVG or PDF file, chosen by the ending of OUT. OUT may be - for a PNG on standard output. On a
terminal, the chart is drawn there if no OUT is given.

An array of one dimension is drawn as a line, rows or records of two numbers as points, an array of two dimensions as a
heatmap, and an array of red, green and blue along its last axis as an image. --kind draws something else. Records that begin
with a time are lines along that time; other records are lines along their index. Several files are several lines.

Arrays may have any size. A long line is drawn as the smallest and the largest number of each of 1000 parts, and at most 256 MB
of it are read. Points that fall on each other are drawn once. Heatmaps and images are reduced as by 'npy show --image'.
Histograms count all elements.`,
		Example: `  npy plot a.npy -o a.png
  npy plot 'a.npy[:, 0]' 'a.npy[:, 1]' -o two.svg
  npy plot "quakes.npy['mag']" --kind hist --log y -o mag.pdf
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
	f.StringVar(&x.chart.Title, "title", "", "`text` above the chart (the name of the array)")
	f.Var(&x.chart.Size, "size", "width and height in pixels")
	f.Var(&x.chart.Log, "log", "axes with logarithms: x, y, z for colours, or several as xy")
	f.IntVar(&x.chart.Bins, "bins", 50, "the number of `bars` of a histogram")
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

// plot draws all arrays that the arguments name into one chart.
func (a *app) plot(args []string, x plotting, d npy.Decoder) error {
	c := charts.New(x.chart)
	o := a.opener(d)
	err := a.each(o, args, x.slice, func(t input.Target) error {
		s, err := o.Source(a.ctx, t)
		if err != nil {
			return diagnose.Of(t.Name(), err)
		}
		defer s.Close()
		note, err := c.Add(a.ctx, terminal.Printable(filepath.Base(diagnose.FileName(t.Name()))+t.Sub), s.Source)
		if err != nil {
			return diagnose.Of(t.Name(), diagnose.Explain(err))
		}
		if note != "" {
			a.talk("%s: %s", t.Name(), note)
		}
		return nil
	})
	if err != nil || a.failed {
		return err
	}
	c.Finish()
	return a.writeChart(c, x)
}

// writeChart writes a chart to a file, standard output or the terminal.
func (a *app) writeChart(c *charts.Chart, x plotting) error {
	if x.ending == "" {
		return a.showChart(c)
	}
	if x.out == "-" {
		return c.Encode(a.out, x.ending)
	}
	return a.told(diagnose.Of(x.out, npy.ReplaceFile(x.out, func(w io.Writer) error { return c.Encode(w, x.ending) })))
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
