package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/npygo/npy/cmd/npy/internal/charts"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/spf13/cobra"
)

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
	f.Var(&i.limits, "limits", "the numbers at both ends of the colours, or percentiles such as 2%,98% (the extremes)")
	f.Var(&i.log, "log", "choose colours by the logarithm")
	f.Lookup("log").NoOptDefVal = "z" // the only axis of a picture that can be logarithmic
	f.StringVar(&i.graphics, "graphics", pictures.AutoGraphics, "`how` to show an image: auto, blocks, kitty or sixel")
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
			return fmt.Errorf("--%s is for pictures; give --image, too", name)
		}
	}
	if i.log.X || i.log.Y {
		return fmt.Errorf("--log is about the colours of a picture, z; 'npy plot' has x and y")
	}
	return i.limits.CheckLog(i.log.Z)
}

// picture returns the picture that the flags describe, without a size.
func (i imageFlags) picture() pictures.Picture {
	colors, _ := pictures.FindColormap(i.colormap) // check has found it already
	return pictures.Picture{Colors: colors, Limits: i.limits, Log: i.log.Z}
}

// showImage prints the picture of an array and a caption.
func (a *app) showImage(t target, x *showing) error {
	s, err := a.openArray(t, x.decoder)
	if err != nil {
		return says(t.name(), err)
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
	d, err := p.Draw(s)
	if err != nil {
		return says(t.name(), explain(err))
	}
	w := bufio.NewWriter(a.out)
	x.title(w, t)
	if err := pictures.WriteImage(w, d.NRGBA, how, p, colors); err != nil {
		return err
	}
	fmt.Fprintln(w, d.Caption(s))
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
