package charts

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// newChart makes a chart of one array as the command does.
func newChart(t *testing.T, a *npy.Array, x Options) *Chart {
	t.Helper()
	if x.Size.Width == 0 {
		x.Size = Size{Width: 400, Height: 300}
	}
	if x.Bins == 0 {
		x.Bins = 10
	}
	x.Colors = viridis(t)
	if x.Axis == 0 {
		x.Axis = NoAxis
	}
	c := New(x)
	if _, err := c.Add(t.Context(), "a", a); err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	return c
}

// viridis returns the default colormap.
func viridis(t *testing.T) pictures.Colormap {
	t.Helper()
	m, err := pictures.FindColormap("")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func labels(ticks []tick) string {
	var all []string
	for _, t := range ticks {
		if t.label != "" {
			all = append(all, t.label)
		}
	}
	return strings.Join(all, " ")
}

func TestTicks(t *testing.T) {
	seconds := func(year, days float64) float64 { return (year-1970)*year1970 + days*day }
	for _, test := range []struct {
		axis axis
		want string
	}{
		{axis{low: 0, high: 10}, "0 2 4 6 8 10"},
		{axis{low: -1, high: 1}, "-1.0 -0.5 0 0.5 1.0"},
		{axis{low: 0.1, high: 0.32}, "0.10 0.15 0.20 0.25 0.30"},
		{axis{low: 3e7, high: 7e7}, "3e7 4e7 5e7 6e7 7e7"},
		{axis{low: 1e-9, high: 2.1e-9}, "1.0e-9 1.5e-9 2.0e-9"},
		{axis{low: 1, high: 1e4, log: true}, "1 10 100 1,000 10,000"},
		{axis{low: 1e-300, high: 1e300, log: true}, "1e-300 1e-180 1e-60 1e60 1e180 1e300"},
		{axis{low: 1, high: 50, log: true}, "1 2 5 10 20 50"},
		{axis{low: -math.MaxFloat64, high: math.MaxFloat64}, "-1e308 0 1e308"},
		{axis{low: 1e17, high: 1e17 + 16}, ""},
		{axis{low: 0, high: 3, whole: true}, "0 1 2 3"},
		{axis{low: 0, high: 60_000}, "0 20,000 40,000 60,000"},
		{axis{low: -60_000, high: 0.5}, "-60,000 -40,000 -20,000 0"},
		{axis{low: 2020, high: 2024}, "2020 2021 2022 2023 2024"},
		{axis{low: 5e6, high: 9e6}, "5,000,000 6,000,000 7,000,000 8,000,000 9,000,000"},
		{axis{low: 0.01, high: 2, log: true}, "0.01 0.1 1"},
		{axis{low: 0, high: 5, time: true}, "00:00:00 00:00:01 00:00:02 00:00:03 00:00:04 00:00:05"},
		{axis{low: 0, high: 0.002, time: true}, "00:00:00 00:00:00.0005 00:00:00.001 00:00:00.0015 00:00:00.002"},
		{axis{low: 0, high: day, time: true}, "01-01 00:00 01-01 06:00 01-01 12:00 01-01 18:00 01-02 00:00"},
		{axis{low: 0, high: 40 * day, time: true}, "1970-01-05 1970-01-19 1970-02-02"},
		{axis{low: 0, high: 400 * day, time: true}, "1970-01 1970-04 1970-07 1970-10 1971-01"},
		{axis{low: seconds(1990, 0), high: seconds(2010, 0), time: true}, "1990 1995 2000 2005"},
		{axis{low: -timeMax, high: timeMax, time: true}, "-200000 0000 200000"},
	} {
		got := labels(test.axis.ticks(5))
		if n := len(strings.Fields(got)); n > 12 {
			t.Errorf("%+v has %d labels: %.200s", test.axis, n, got)
		}
		if got != test.want {
			t.Errorf("%+v: %s, want %s", test.axis, got, test.want)
		}
	}
}

const year1970 = 365 * day

// On every axis there are few ticks, in rising order and within the axis.
func TestTicksOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a := axis{log: r.IntN(3) == 0, time: r.IntN(3) == 0}
		a.low, a.high = math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			a.high = a.low + math.Abs(a.low)*math.Pow(10, -16*r.Float64())
		}
		if a.time {
			a.log = false
			a.low, a.high = math.Remainder(a.low, timeMax), math.Remainder(a.high, timeMax)
		}
		span := emptyAxis(a.log, a.time)
		span.include(a.low, a.high)
		span.settle(0.04)
		ticks := span.ticks(6)
		if len(strings.Fields(labels(ticks))) > 30 || len(ticks) > 100 {
			t.Fatalf("%+v has %d ticks", span, len(ticks))
		}
		for i, tick := range ticks {
			if tick.at < span.low*(1-1e-9) && tick.at < span.low-math.Abs(span.low)*1e-9 || i > 0 && tick.at <= ticks[i-1].at {
				t.Fatalf("%+v: tick %d at %v", span, i, tick.at)
			}
		}
	}
}

func TestPlotKind(t *testing.T) {
	for _, test := range []struct {
		dtype string
		shape []int
		want  string
	}{
		{"f8", []int{5}, linePlot}, {"f8", []int{5, 2}, scatterPlot}, {"f8", []int{2, 2}, heatmapPlot}, {"i4", []int{5, 3}, heatmapPlot},
		{"u1", []int{4, 4, 3}, heatmapPlot}, {"f4, f4", []int{9}, scatterPlot}, {"f4", []int{2, 3, 4}, heatmapPlot},
	} {
		of, err := dtype.Parse(test.dtype)
		if err != nil {
			t.Fatal(err)
		}
		a, err := npy.New(of, test.shape...)
		if err != nil {
			t.Fatal(err)
		}
		if got := (plotSource{Source: a}).kind(); got != test.want {
			t.Errorf("%s %v: %s, want %s", test.dtype, test.shape, got, test.want)
		}
	}
}

// A long line keeps every peak, and has at most two points for each stretch.
func TestLineKeepsExtremes(t *testing.T) {
	const n = 1_000_003
	values := make([]float32, n)
	values[0], values[123_456], values[n-1], values[777_777] = 1, 50, -7, float32(math.NaN())
	c := newChart(t, mustArray(t, values), Options{})
	s := c.series[0]
	if len(s.x) != len(s.y) || len(s.x) > 2*lineBuckets {
		t.Errorf("%d and %d coordinates", len(s.x), len(s.y))
	}
	at := slices.Index(s.y, 50)
	if at < 0 || s.x[at] != 123_456 || !slices.Contains(s.y, 1) || !slices.Contains(s.y, -7) || !slices.IsSorted(s.x) {
		t.Errorf("the peak is point %d of %d", at, len(s.x))
	}
	if c.x.low != 0 || c.x.high < n-1000 || c.y.high < 50 || c.y.low > -7 {
		t.Errorf("axes are %+v and %+v", c.x, c.y)
	}
}

// Points at the same position count once, and none is lost.
func TestScatterKeepsPlaces(t *testing.T) {
	points := make([]float64, 2*50_000)
	for i := range 50_000 {
		points[2*i], points[2*i+1] = float64(i%7), float64(i%5)
	}
	points[2*31_000] = math.NaN()
	s := newChart(t, mustArray(t, points, 50_000, 2), Options{}).series[0]
	if len(s.x) != 35 || s.joined {
		t.Errorf("%d points, joined %t, want 35", len(s.x), s.joined)
	}
}

func TestHistogram(t *testing.T) {
	c := newChart(t, mustArray(t, []float64{0, 1, 1, 2, 10, math.NaN(), math.Inf(1), 9.99}), Options{Kind: histPlot, Bins: 5})
	if want := []int{3, 1, 0, 0, 2}; !slices.Equal(c.hist.counts, want) || c.x.low != 0 || c.x.high != 10 {
		t.Errorf("%v from %v to %v, want %v", c.hist.counts, c.x.low, c.x.high, want)
	}
}

// Records whose first field is a time are lines along it.
func TestTimesAlongX(t *testing.T) {
	of, err := dtype.Parse("[('t', '<M8[h]'), ('a', '<i2'), ('name', '<U1'), ('b', '<i2')]")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.New(of, 3)
	if err != nil {
		t.Fatal(err)
	}
	times, err := a.Field("t")
	if err != nil {
		t.Fatal(err)
	}
	copy(times.Item(1), []byte{24})
	for i := range 8 {
		times.Item(2)[i] = []byte{0, 0, 0, 0, 0, 0, 0, 0x80}[i] // NaT
	}
	c := newChart(t, a, Options{})
	if len(c.series) != 2 || c.series[1].name != "b" || !c.series[0].joined || !c.x.time || c.x.title != "t (1970-01-01)" {
		t.Fatalf("%+v, %+v", c.series, c.x)
	}
	if x := c.series[0].x; x[0] != 0 || x[1] != day || !math.IsNaN(x[2]) {
		t.Errorf("times are %v", x)
	}
	if _, err := coordinates(mustTimes(t, scalar.Datetime64{Ticks: 1 << 60}), magnitude); err != nil {
		t.Error(err)
	}
}

func mustTimes(t *testing.T, ticks scalar.Datetime64) *npy.Array {
	t.Helper()
	of, err := dtype.Parse("M8[Y]")
	if err != nil {
		t.Fatal(err)
	}
	a, err := npy.FromSliceAs(of, []scalar.Datetime64{ticks})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func encoded(t *testing.T, c *Chart, ending string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Encode(&b, ending); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// In a heatmap the least and the greatest number have the colours of the ends, and the colour bar has every colour.
func TestPlotPNG(t *testing.T) {
	m, err := png.Decode(bytes.NewReader(encoded(t, newChart(t, mustArray(t, []float64{0, 1, 2, 3}, 2, 2), Options{}), ".png")))
	if err != nil || m.Bounds().Dx() != 400 || m.Bounds().Dy() != 300 {
		t.Fatalf("%v, %v", err, m.Bounds())
	}
	colors := pictures.Colormaps[0]
	for _, test := range []struct {
		x, y int
		want color.NRGBA
	}{{100, 100, colors.At(0)}, {250, 100, colors.At(1. / 3)}, {100, 200, colors.At(2. / 3)}, {250, 200, colors.At(1)}, {2, 2, paper}} {
		if got := color.NRGBAModel.Convert(m.At(test.x, test.y)); got != test.want {
			t.Errorf("pixel %d, %d is %v, want %v", test.x, test.y, got, test.want)
		}
	}

	m, err = png.Decode(bytes.NewReader(encoded(t, newChart(t, mustArray(t, []float64{5, 5, 5, 5, 5}), Options{}), ".png")))
	if err != nil {
		t.Fatal(err)
	}
	line := pictures.RGB(seriesColors[0])
	for x := 60; x < 380; x++ { // without a hole
		found := false
		for y := range 300 {
			found = found || color.NRGBAModel.Convert(m.At(x, y)) == line
		}
		if !found {
			t.Fatalf("the line is not at %d", x)
		}
	}
}

// A single image is written with its own pixels.
func TestPlotImageAlone(t *testing.T) {
	c := newChart(t, mustArray(t, []uint8{255, 0, 0, 9, 0, 0, 255, 200}, 1, 2, 4), Options{})
	m, err := png.Decode(bytes.NewReader(encoded(t, c, ".png")))
	if err != nil || m.Bounds().Dx() != 2 || m.Bounds().Dy() != 1 || m.At(0, 0) != (color.NRGBA{255, 0, 0, 9}) {
		t.Errorf("%v, %v", err, m)
	}
}

// An SVG is well-formed, contains the text of the chart, and is small whatever the size of the array.
func TestPlotSVG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 1000*1000)
	for i := range values {
		values[i] = r.Float64()
	}
	c := newChart(t, mustArray(t, values, 1000, 1000), Options{})
	c.title = "<b> & \x1b"
	text := encoded(t, c, ".svg")
	if len(text) > 2_000_000 {
		t.Errorf("the heatmap of 1000 x 1000 random numbers is an SVG of %d bytes", len(text))
	}
	d, written := xml.NewDecoder(bytes.NewReader(text)), ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if chars, ok := token.(xml.CharData); ok {
			written += string(chars) + " "
		}
	}
	if !strings.Contains(written, "<b> & ") || !strings.Contains(written, "500") {
		t.Errorf("it says %q", written)
	}
	for name, a := range map[string]*npy.Array{"line": mustArray(t, []float64{1, math.NaN(), 3, 4}), "points": mustArray(t, values[:200], 100, 2)} {
		if err := xml.Unmarshal(encoded(t, newChart(t, a, Options{}), ".svg"), new(any)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each object of a PDF is at the offset in the table, and each stream has its declared length.
func TestPlotPDF(t *testing.T) {
	c := newChart(t, mustArray(t, []float64{0, 1, 2, 3}, 2, 2), Options{})
	c.title = `a (b) \ é`
	data := encoded(t, c, ".pdf")
	start, err := strconv.Atoi(string(regexp.MustCompile(`startxref\n(\d+)`).FindSubmatch(data)[1]))
	if err != nil || !bytes.HasPrefix(data[start:], []byte("xref\n0 8\n")) {
		t.Fatalf("the table is not at %d, %v", start, err)
	}
	for i, entry := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(data, -1) {
		offset, _ := strconv.Atoi(string(entry[1]))
		if !bytes.HasPrefix(data[offset:], []byte(strconv.Itoa(i+1)+" 0 obj\n")) {
			t.Errorf("object %d is not at %d", i+1, offset)
		}
	}
	streams := regexp.MustCompile(`/Length (\d+)>>stream\n`).FindAllSubmatchIndex(data, -1)
	if len(streams) != 3 { // the page, the colour bar, the heatmap
		t.Fatalf("%d streams", len(streams))
	}
	for i, at := range streams {
		length, _ := strconv.Atoi(string(data[at[2]:at[3]]))
		if !bytes.HasPrefix(data[at[1]+length:], []byte("\nendstream")) {
			t.Errorf("stream %d does not end after %d bytes", i, length)
		}
		z, err := zlib.NewReader(bytes.NewReader(data[at[1]:]))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil || i == 0 && !bytes.Contains(content, []byte("(a \\(b\\) \\\\ \xe9) Tj")) || i == 2 && len(content) != 4*3 {
			t.Errorf("stream %d: %d bytes, %v", i, len(content), err)
		}
	}
}

func TestPlotText(t *testing.T) {
	to := newText(24, 8, pictures.NoColors)
	newChart(t, mustArray(t, []int8{0, 1, 2, 3, 4}), Options{}).draw(to, 24*pictures.CharWidth, 8*pictures.CharHeight)
	var b bytes.Buffer
	if err := to.encode(&b); err != nil {
		t.Fatal(err)
	}
	const want = `
            a
   ⢰⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⣒⡲⠶⡆
   ⢸         ⢀⣀⠤⠔⠊⠉   ⡇
   ⢸    ⣀⡠⠤⠒⠉⠁        ⡇
  0⢸⣤⣒⣋⣉⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇
   0        2         4

`
	if got := regexp.MustCompile(`(?m) +$`).ReplaceAllString(b.String(), ""); got != want {
		t.Errorf("\n%s", got)
	}
	to.colors = pictures.Colors256
	b.Reset()
	if err := to.encode(&b); err != nil || !strings.Contains(b.String(), "\x1b[0;38;5;26m") {
		t.Errorf("in colour: %q, %v", &b, err)
	}
}

// Every array makes a chart that can be drawn, and no position is NaN or infinite.
func TestPlotAnything(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, values := range [][]float64{
		{}, {1}, {nan}, {nan, nan}, {inf, -inf}, {0, inf, nan, 1}, {math.MaxFloat64, -math.MaxFloat64}, {math.SmallestNonzeroFloat64, 0}, {-1, -2}, {1e17, 1e17 + 16},
	} {
		for _, shape := range [][]int{{-1}, {-1, 1}, {1, 1, -1}} {
			if len(values) == 0 {
				shape = []int{0}
			}
			a, err := mustArray(t, values).Reshape(shape...)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range Kinds {
				for _, log := range []LogAxes{{}, {true, true, true}} {
					x := Options{Kind: kind, Log: log, Axis: NoAxis, Bins: 3, Size: Size{Width: 64, Height: 40}}
					x.Colors = viridis(t)
					c := New(x)
					if _, err := c.Add(t.Context(), "a", a); err != nil {
						continue
					}
					if err := c.Finish(); err != nil {
						t.Fatal(err)
					}
					if text := encoded(t, c, ".svg"); bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
						t.Errorf("%s of %v: %s", kind, values, text)
					}
					c.draw(newPNG(64, 40, Fonts{}), 64, 40)
					c.draw(newText(30, 10, pictures.Colors24bit), 30*pictures.CharWidth, 10*pictures.CharHeight)
				}
			}
		}
	}
}

// Titles come from files. Characters that a terminal obeys are escaped.
func TestTextEscapes(t *testing.T) {
	for _, title := range []string{"a\x1b[31m\u202eb", "a\xff\u202e\x9b"} {
		canvas := newText(400, 3, pictures.NoColors)
		canvas.text(point{200 * pictures.CharWidth, pictures.CharHeight}, title, alignCenter, fontSize)
		var b bytes.Buffer
		if err := canvas.encode(&b); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); strings.ContainsAny(text, "\x1b\u202e\u009b") || !strings.Contains(text, `\u202e`) {
			t.Errorf("the chart prints %q", text)
		}
	}
}

func mustArray[T npy.Element](t *testing.T, data []T, shape ...int) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
