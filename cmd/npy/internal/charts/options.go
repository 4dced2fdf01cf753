package charts

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// Options configures a chart.
type Options struct {
	Kind, Title string // title is that of the array if it is ""
	Log         LogAxes
	Size        Size
	Bins        int // of a histogram
	Colors      pictures.Colormap
	Limits      pictures.Limits // of the colours
}

// Endings returns the endings of the files that a chart can be written to.
func Endings() []string { return slices.Sorted(maps.Keys(canvases)) }

// LogAxes are the logarithmic axes.
type LogAxes struct{ X, Y, Z bool }

// String implements pflag.Value.
func (l *LogAxes) String() string { return "" }

// Type implements pflag.Value.
func (l *LogAxes) Type() string { return "axes" }

// Set implements pflag.Value.
func (l *LogAxes) Set(text string) error {
	for _, c := range text {
		switch c {
		case 'x':
			l.X = true
		case 'y':
			l.Y = true
		case 'z':
			l.Z = true
		default:
			return errors.New("want x, y, z, or several such as xy")
		}
	}
	return nil
}

// A Size is the size of a chart in pixels.
type Size struct {
	Width, Height int
	set           bool
}

// String implements pflag.Value.
func (s *Size) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// Type implements pflag.Value.
func (s *Size) Type() string { return "WxH" }

// Set implements pflag.Value.
func (s *Size) Set(text string) error {
	const least, most = 16, 10_000
	width, height, _ := strings.Cut(text, "x")
	var err, err2 error
	s.Width, err = strconv.Atoi(width)
	s.Height, err2 = strconv.Atoi(height)
	if err != nil || err2 != nil || min(s.Width, s.Height) < least || max(s.Width, s.Height) > most {
		return fmt.Errorf("want width and height from %d to %d pixels, such as 800x500", least, most)
	}
	s.set = true
	return nil
}
