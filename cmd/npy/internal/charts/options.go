package charts

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// Options configures a chart.
type Options struct {
	Kind, Title      string   // a title of "" stands for the name of the array
	X                string   // the field or column along x
	Y                []string // the fields or columns along y; nil for all
	Axis             int      // the axis that lines run along; [NoAxis] if it was not chosen
	XLabel, YLabel   string
	Labels           []string // the names of the series; nil for names from files and fields
	XLimits, YLimits Range
	Log              LogAxes
	Size             Size
	Bins             int // of a histogram, at most
	Colors           pictures.Colormap
	Limits           pictures.Limits // of the colours
	Fonts            Fonts           // for text that the font of the program has no glyphs for
}

// NoAxis stands for no choice of an axis.
const NoAxis = math.MinInt

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

// A Range is the two ends of an axis as the user wrote them: numbers, times or nothing, which leaves an end to the data.
type Range struct {
	text      string
	low, high string
}

// String implements pflag.Value.
func (r *Range) String() string { return r.text }

// Type implements pflag.Value.
func (r *Range) Type() string { return "A,B" }

// Set implements pflag.Value.
func (r *Range) Set(text string) error {
	low, high, ok := strings.Cut(text, ",")
	*r = Range{text, strings.TrimSpace(low), strings.TrimSpace(high)}
	if !ok || r.low == "" && r.high == "" {
		return errors.New("want two numbers or times, such as 0,10 or 2024-03-01,2024-04-01; either may be left out, as in 0,")
	}
	for _, end := range []string{r.low, r.high} {
		if _, err := parseEnd(end, false); err == nil {
			continue
		}
		if _, err := parseEnd(end, true); err != nil {
			return fmt.Errorf("%q is neither a number nor a time such as 2024-03-01T12:00%s", end, noDate(err))
		}
	}
	if r.low == r.high {
		return errors.New("both ends are the same")
	}
	return nil
}

// ends returns the ends as places on an axis; an end that was left out is NaN.
func (r Range) ends(time bool) (low, high float64, err error) {
	want := "a number"
	if time {
		want = "a time such as 2024-03-01T12:00"
	}
	var places [2]float64
	for i, end := range []string{r.low, r.high} {
		if places[i], err = parseEnd(end, time); err != nil {
			return 0, 0, fmt.Errorf("%q is not on the axis; want %s%s", end, want, noDate(err))
		}
	}
	return places[0], places[1], nil
}

// noDate says why a date does not exist, for the end of a message.
func noDate(err error) string {
	var e *scalar.ParseError
	if errors.As(err, &e) && errors.Is(err, scalar.ErrDate) {
		return ": " + e.Err.Error()
	}
	return ""
}

// parseEnd reads one end of a range. Years may be alone on an axis of time.
func parseEnd(text string, isTime bool) (float64, error) {
	if text == "" {
		return math.NaN(), nil
	}
	var x float64
	var err error
	if isTime {
		x, err = parseSeconds(text)
	} else {
		x, err = strconv.ParseFloat(text, 64)
	}
	if err == nil && !(math.Abs(x) <= math.MaxFloat64) {
		err = errors.New("no place on an axis")
	}
	return x, err
}

// parseSeconds reads a time as seconds since 1970. Times too far away for an axis are infinite.
func parseSeconds(text string) (float64, error) {
	step := dtype.Step{Num: 1, Unit: dtype.Microsecond}
	t, _, err := scalar.FloorDatetime64(text, step)
	if errors.Is(err, scalar.ErrRange) {
		return math.Inf(1), nil
	}
	return seconds(t, step), err
}
