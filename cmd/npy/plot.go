package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/spf13/cobra"
)

// A plotting is what the flags of plot ask for.
type plotting struct {
	out, kind, title, slice string
	log                     logAxes
	size                    plotSize
	bins                    int
	colormap                string
	limits                  limits
	canvas                  func(width, height int) canvas
}

func plotCommand(a *app) *cobra.Command {
	x := plotting{size: plotSize{800, 500, false}}
	var maxHeader int
	c := &cobra.Command{
		Use:   "plot FILE... -o OUT",
		Short: "Draw a chart: line, scatter, histogram, heatmap or image",
		Long: `Plot draws arrays into a file whose ending says what it becomes: .png, .svg or .pdf. - is a PNG on standard output. On a
terminal no OUT is needed: the chart is drawn there.

One dimension is a line, two numbers in each row or record are points, two dimensions a heatmap, and three with red,
green and blue an image, pixel by pixel; --kind says otherwise. Records that begin with a time are lines along it, and other records
lines along their index. Several files are several lines.

Arrays may be of any size. Of a long line each of 1000 stretches becomes its least and its greatest number, of 256 MB at
most; many points are drawn once where they are; heatmaps and images are reduced as by 'npy show --image'. Histograms count everything.`,
		Example: `  npy plot a.npy -o a.png
  npy plot 'a.npy[:, 0]' 'a.npy[:, 1]' -o two.svg
  npy plot "quakes.npy['mag']" --kind hist --log y -o mag.pdf
  npy plot --kind heatmap --colormap coolwarm --limits 1%,99% a.npy -o a.png`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := x.check(a); err != nil {
				return err
			}
			return a.plot(args, x, a.decoder(maxHeader, a.limits.objects()))
		},
	}
	f := c.Flags()
	f.StringVarP(&x.out, "output", "o", "", "the `file` to write: .png, .svg or .pdf")
	f.StringVarP(&x.kind, "kind", "k", "", "`what` to draw: "+strings.Join(plotKinds, ", ")+" (by shape and dtype)")
	f.StringVarP(&x.slice, "slice", "s", "", "draw only this `part`, in NumPy's syntax: 0:10, ..., ::2")
	f.StringVar(&x.title, "title", "", "`text` above the chart (the name of the array)")
	f.Var(&x.size, "size", "width and height in pixels")
	f.Var(&x.log, "log", "axes with logarithms: x, y, z for colours, or several as xy")
	f.IntVar(&x.bins, "bins", 50, "so many `bars` of a histogram")
	f.StringVar(&x.colormap, "colormap", "", "the `colours` of a heatmap: "+colormapNames()+" (viridis)")
	f.Var(&x.limits, "limits", "the numbers at both ends of the colours, or percentiles such as 2%,98% (the extremes)")
	addMaxHeader(c, &maxHeader)
	a.addAs(c)
	return c
}

// logAxes are the axes with logarithms.
type logAxes struct{ x, y, z bool }

// String implements pflag.Value.
func (l *logAxes) String() string { return "" }

// Type implements pflag.Value.
func (l *logAxes) Type() string { return "axes" }

// Set implements pflag.Value.
func (l *logAxes) Set(text string) error {
	for _, c := range text {
		switch c {
		case 'x':
			l.x = true
		case 'y':
			l.y = true
		case 'z':
			l.z = true
		default:
			return errors.New("want x, y, z, or several of them such as xy")
		}
	}
	return nil
}

// A plotSize is the size of a chart in pixels.
type plotSize struct {
	width, height int
	set           bool
}

// String implements pflag.Value.
func (s *plotSize) String() string { return fmt.Sprintf("%dx%d", s.width, s.height) }

// Type implements pflag.Value.
func (s *plotSize) Type() string { return "WxH" }

// Set implements pflag.Value.
func (s *plotSize) Set(text string) error {
	const least, most = 16, 10_000
	width, height, _ := strings.Cut(text, "x")
	var err, err2 error
	s.width, err = strconv.Atoi(width)
	s.height, err2 = strconv.Atoi(height)
	if err != nil || err2 != nil || min(s.width, s.height) < least || max(s.width, s.height) > most {
		return fmt.Errorf("want width and height from %d to %d pixels, such as 800x500", least, most)
	}
	s.set = true
	return nil
}

// check finds what is to be written, and says what the flags have wrong.
func (x *plotting) check(a *app) error {
	if x.kind != "" && !slices.Contains(plotKinds, x.kind) {
		return fmt.Errorf("--kind %q is unknown; there are %s", x.kind, strings.Join(plotKinds, ", "))
	}
	if x.bins < 1 || x.bins > 10_000 {
		return errors.New("--bins wants a number from 1 to 10000")
	}
	if _, err := findColormap(x.colormap); err != nil {
		return err
	}
	if err := x.limits.checkLog(x.log.z); err != nil {
		return err
	}
	x.canvas = canvases[strings.ToLower(filepath.Ext(x.out))]
	switch {
	case x.out == "-" && isTerminal(a.out):
		return errors.New("-o - writes a PNG to standard output, which is a terminal; redirect it, or leave -o out")
	case x.out == "-":
		x.canvas = newPNG
	case x.out == "" && isTerminal(a.out):
	case x.out == "":
		return errors.New("plot wants -o, the name of a .png, .svg or .pdf, or - for a PNG on standard output")
	case x.canvas == nil:
		endings := slices.Sorted(maps.Keys(canvases))
		return fmt.Errorf("-o %s: the ending says nothing about the format; want %s", x.out, strings.Join(endings, ", "))
	}
	return nil
}

// plot draws all arrays that the arguments name into one chart.
func (a *app) plot(args []string, x plotting, d npy.Decoder) error {
	c := &chart{title: x.title}
	c.colors, _ = findColormap(x.colormap) // check has found it
	c.logZ = x.log.z
	drawn := 0
	err := a.arrays(args, x.slice, d, func(t target) error {
		s, close, err := a.openSlicer(t, d)
		if err != nil {
			return says(t.name(), err)
		}
		defer close()
		name := printable(filepath.Base(fileName(t.name())) + t.sub)
		if err := c.add(plotSource{name, s}, x); err != nil {
			return says(t.name(), explain(err))
		}
		drawn++
		if d := c.drawing; d != nil && (d.leading != "" || d.thinned) {
			a.talk("%s: %s", t.name(), d.caption(s))
		}
		return nil
	})
	if err != nil || a.failed {
		return err
	}
	if drawn == 1 {
		c.oneSource()
	}
	c.settle()
	return a.writeChart(c, x)
}

// writeChart draws a chart and writes it.
func (a *app) writeChart(c *chart, x plotting) error {
	if x.canvas == nil {
		return a.showChart(c, x)
	}
	var b bytes.Buffer
	if err := x.encode(&b, c); err != nil {
		return err
	}
	if x.out == "-" {
		_, err := b.WriteTo(a.out)
		return err
	}
	return a.told(says(x.out, writeBytes(x.out, b.Bytes())))
}

// encode writes a chart, or an image alone: as PNG pixel by pixel.
func (x plotting) encode(b *bytes.Buffer, c *chart) error {
	if c.alone && x.isPNG() {
		return png.Encode(b, c.drawing.NRGBA)
	}
	width, height := x.size.width, x.size.height
	if c.alone && !x.size.set {
		width, height = c.drawing.Rect.Dx(), c.drawing.Rect.Dy()
	}
	to := x.canvas(width, height)
	if c.alone {
		to.image(c.drawing.NRGBA, box{0, 0, float64(width), float64(height)})
	} else {
		c.draw(to, width, height)
	}
	return to.encode(b)
}

func (x plotting) isPNG() bool {
	return x.out == "-" || strings.EqualFold(filepath.Ext(x.out), ".png")
}

// writeBytes writes a file as all others are written: to a temporary name first. What writes raw arrays can do that.
func writeBytes(path string, data []byte) error {
	f, err := convert.OpenRaw(bytes.NewReader(data), int64(len(data)), convert.RawOptions{DType: dtype.Uint8})
	if err != nil {
		return err
	}
	return convert.CopyRawFile(path, f, npy.Copier{})
}
