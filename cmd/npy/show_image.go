package main

import (
	"bufio"
	"fmt"
	"image"
	"os"
	"strings"

	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

// imageFlags are the flags that say how an array becomes an image.
type imageFlags struct {
	colormap string
	limits   limits
	log      logAxes
	graphics string
}

func (i *imageFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&i.colormap, "colormap", "", "the `colours` of an image: "+colormapNames()+" (viridis)")
	f.Var(&i.limits, "limits", "the numbers at both ends of the colours, or percentiles such as 2%,98% (the extremes)")
	f.Var(&i.log, "log", "choose colours by the logarithm")
	f.Lookup("log").NoOptDefVal = "z" // the only axis of a picture that can have one
	f.StringVar(&i.graphics, "graphics", autoGraphics, "`how` to show an image: auto, blocks, kitty or sixel")
}

// check says which flags make no sense.
func (i imageFlags) check(c *cobra.Command, asImage bool) error {
	if _, err := findColormap(i.colormap); err != nil {
		return err
	}
	if _, err := chooseGraphics(i.graphics, false, os.Getenv); err != nil {
		return err
	}
	for _, name := range []string{"colormap", "limits", "log", "graphics"} {
		if c.Flags().Changed(name) && !asImage {
			return fmt.Errorf("--%s is for pictures; give --image, too", name)
		}
	}
	if i.log.x || i.log.y {
		return fmt.Errorf("--log is about the colours of a picture, z; 'npy plot' has x and y")
	}
	return i.limits.checkLog(i.log.z)
}

// picture returns the picture that the flags ask for, without a size.
func (i imageFlags) picture() picture {
	colors, _ := findColormap(i.colormap) // check has found it
	return picture{colors: colors, limits: i.limits, log: i.log.z}
}

// The room for an image, in characters where no terminal says otherwise, and in pixels for each of them.
const (
	imageColumns, imageLines   = 80, 48
	charWidth, charHeight      = 8, 16
	enlargedColumns, titleRows = 48, 3 // up to here a small array is enlarged; what stands above and below
)

// showImage prints the picture of an array and a line on what it shows.
func (a *app) showImage(t target, x *showing) error {
	s, close, err := a.openSlicer(t, x.decoder)
	if err != nil {
		return says(t.name(), err)
	}
	defer close()
	columns, lines, terminal := a.screen()
	if !terminal {
		columns, lines = imageColumns, imageLines+titleRows
	}
	if x.LineWidth > 0 {
		columns = x.LineWidth
	}
	lines = max(lines-titleRows, 1)
	colors := x.charColors(terminal)
	how, err := chooseGraphics(x.graphics, terminal && colors != noColors, os.Getenv)
	if err != nil {
		return err
	}
	p := x.picture()
	if p.width, p.height = columns, 2*lines; how != blocksGraphics {
		p.width, p.height = columns*charWidth, lines*charHeight
	}
	d, err := p.draw(s)
	if err != nil {
		return says(t.name(), explain(err))
	}
	w := bufio.NewWriter(a.out)
	x.title(w, t)
	if err := writeImage(w, d.NRGBA, how, p, colors); err != nil {
		return err
	}
	fmt.Fprintln(w, d.caption(s))
	return w.Flush()
}

// charColors decides how characters show an image. Only who wants no colours gets none where there is no terminal.
func (x *showing) charColors(terminal bool) charColors {
	if x.color == "never" || !x.colored && (terminal || os.Getenv("NO_COLOR") != "") {
		return noColors
	}
	return chooseColors(terminal, os.Getenv)
}

// writeImage prints an image in one of the ways of terminals, not larger than the picture may be.
func writeImage(w *bufio.Writer, m *image.NRGBA, how string, p picture, colors charColors) error {
	switch how {
	case kittyGraphics:
		m = enlarged(m, min(p.width, enlargedColumns*charWidth), p.height)
		return writeKitty(w, m, over(m.Rect.Dx(), charWidth))
	case sixelGraphics:
		return writeSixel(w, enlarged(m, min(p.width, enlargedColumns*charWidth), p.height))
	}
	return writeBlocks(w, enlarged(m, min(p.width, enlargedColumns), p.height), colors)
}

// caption says in a line what a drawing shows.
func (d drawing) caption(s slicer) string {
	var b strings.Builder
	if d.leading != "" {
		fmt.Fprintf(&b, "%s of shape %s, ", d.leading, format.ShapeString(s.Shape()))
	}
	fmt.Fprintf(&b, "%d x %d %s", d.rows, d.columns, s.DType().Name())
	switch {
	case d.rgb:
		b.WriteString(" in colour")
	case d.low != d.low:
		b.WriteString(", no finite numbers")
	default:
		fmt.Fprintf(&b, ", colours from %.6g to %.6g", d.low, d.high)
	}
	down, across := over(d.rows, d.Rect.Dy()), over(d.columns, d.Rect.Dx())
	switch {
	case d.thinned:
		fmt.Fprintf(&b, ", one element of each %d x %d", down, across)
	case down > 1 || across > 1:
		fmt.Fprintf(&b, ", means of %d x %d", down, across)
	}
	return b.String()
}
