package charts

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"golang.org/x/image/font/gofont/goregular"
)

// The legend is where no data is, or outside.
func TestLegendPlace(t *testing.T) {
	lines := func(f func(x float64, k int) float64) *Chart {
		const n = 100
		values := make([]float64, 3*n)
		for i := range values {
			values[i] = f(float64(i/3)/n, i%3)
		}
		return newChart(t, mustArray(t, values, n, 3), Options{Kind: linePlot, Size: Size{Width: 600, Height: 400}})
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		name                   string
		c                      *Chart
		right, bottom, outside bool
	}{
		{"falling", lines(func(x float64, k int) float64 { return -x - float64(k)/10 }), true, false, false},
		{"rising", lines(func(x float64, k int) float64 { return x + float64(k)/10 }), false, false, false},
		{"a hill", lines(func(x float64, k int) float64 { return -math.Pow(2*x-1, 2) }), true, false, false},
		{"noise", lines(func(float64, int) float64 { return r.Float64() }), true, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			to := newPNG(600, 400, Fonts{})
			area := box{40, 30, 580, 370}
			l := test.c.legend(to, area)
			if l.outside != test.outside {
				t.Fatalf("outside is %t", l.outside)
			}
			if l.outside {
				return
			}
			if test.name != "a hill" && (l.right != test.right || l.bottom != test.bottom) {
				t.Errorf("right is %t, bottom is %t", l.right, l.bottom)
			}
			if n := test.c.within(l.box(area), area); n != 0 {
				t.Errorf("it covers %d points", n)
			}
		})
	}
}

// A legend with more names than lines says so, and is within the chart.
func TestLegendFits(t *testing.T) {
	c := newChart(t, mustArray(t, make([]float64, 2*linesMax), 2, linesMax), Options{Kind: linePlot})
	area := box{40, 30, 380, 130}
	l := c.legend(newPNG(400, 300, Fonts{}), area)
	if l.height() > area.height() || l.entries[len(l.entries)-1].name != "…" {
		t.Errorf("%v high, %d entries", l.height(), len(l.entries))
	}
	if newChart(t, mustArray(t, []float64{1, 2}), Options{}).legend(newPNG(400, 300, Fonts{}), area) != nil {
		t.Error("one line has a legend")
	}
}

// Limits that are turned round turn the axis.
func TestLimits(t *testing.T) {
	c := newChart(t, mustArray(t, []float64{1, 5, 9}), Options{XLimits: mustRange(t, "4,-1"), YLimits: mustRange(t, ",6")})
	if c.x.low != -1 || c.x.high != 4 || !c.x.down || c.y.high != 6 || c.y.low >= 1 {
		t.Errorf("%+v, %+v", c.x, c.y)
	}
	for _, text := range []string{"", "1", "a,b", "1,1", ",", "nan,1", "1,inf", "2024-13-01,", "2024-02-30,", "2024-03-01T24:00,", "nat,1", "2024-03-01T12:00+24:00,"} {
		if err := new(Range).Set(text); err == nil {
			t.Errorf("--xlim %q is taken", text)
		}
	}
	r := mustRange(t, "2024-03-01,2024-03-01 12:30")
	low, high, err := r.ends(true)
	if err != nil || high-low != 12.5*hour {
		t.Errorf("%v to %v, %v", low, high, err)
	}
	if _, _, err := r.ends(false); err == nil {
		t.Error("a time is a number")
	}
	r = mustRange(t, "-0044-03-15,2024-03-01T12:00:00.5+01:00")
	if low, high, err = r.ends(true); err != nil || low != -63549360000 || high != 1709290800.5 {
		t.Errorf("%v to %v, %v", low, high, err)
	}
}

// Clipped lines are inside of their area, and have every part of the line that is.
func TestClipped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	area := box{10, 20, 90, 70}
	for range 500 {
		points := make([]point, r.IntN(8))
		for i := range points {
			points[i] = point{r.Float64() * 120, r.Float64() * 120}
			if r.IntN(6) == 0 {
				points[i].x = math.NaN()
			}
		}
		length := 0.0
		for _, run := range clipped(points, area) {
			for i, p := range run {
				if !area.grown(2 * rounding).contains(p) {
					t.Fatalf("%v is outside of %v", p, area)
				}
				if i > 0 {
					length += math.Hypot(p.x-run[i-1].x, p.y-run[i-1].y)
				}
			}
		}
		const steps = 20_000
		want := 0.0
		for i := 1; i < len(points); i++ {
			a, b := points[i-1], points[i]
			for k := range steps {
				part := (float64(k) + 0.5) / steps
				if area.contains(point{a.x + (b.x-a.x)*part, a.y + (b.y-a.y)*part}) {
					want += math.Hypot(b.x-a.x, b.y-a.y) / steps
				}
			}
		}
		if math.Abs(length-want) > 0.1 {
			t.Fatalf("%v: length %v, want %v", points, length, want)
		}
	}
}

// Dashes have their lengths, along corners too.
func TestDashes(t *testing.T) {
	all := dashes([]point{{0, 0}, {5, 0}, {5, 20}}, []float64{7, 4})
	want := [][]point{{{0, 0}, {5, 0}, {5, 2}}, {{5, 6}, {5, 13}}, {{5, 17}, {5, 20}}}
	if len(all) != len(want) {
		t.Fatalf("%v, want %v", all, want)
	}
	for i := range want {
		for k := range want[i] {
			if a, b := all[i][k], want[i][k]; math.Hypot(a.x-b.x, a.y-b.y) > 1e-9 {
				t.Errorf("%v, want %v", all, want)
			}
		}
	}
}

// A letter without a glyph is found, and a letter that Helvetica lacks is drawn as its outline in a PDF.
func TestLetters(t *testing.T) {
	c := newChart(t, mustArray(t, []float64{1, 2}), Options{Title: "Темпαü 温度\u0007"})
	if got := c.Unwritable(".png"); got != "温 度 U+0007" {
		t.Errorf("%q is missing", got)
	}
	if got := c.Unwritable(".svg"); got != "" {
		t.Errorf("%q is missing in an SVG", got)
	}
	fonts, err := ParseFont(goregular.TTF)
	if err != nil || len(fonts.all()) != 2 {
		t.Fatal(err)
	}
	for _, data := range []string{"", "OTTO", string(goregular.TTF[:3000]), strings.Repeat("\x00\x01", 500)} {
		if _, err := ParseFont([]byte(data)); err == nil {
			t.Errorf("%.20q is a font", data)
		}
	}
	pdf := newPDF(400, 300, fonts).(*pdfCanvas)
	pdf.text(point{10, 10}, "ü", alignLeft, fontSize)
	if strings.Contains(pdf.content.String(), " c\n") {
		t.Error("a letter of Latin-1 is an outline")
	}
	pdf.text(point{10, 10}, "Ж", alignLeft, fontSize)
	if n := strings.Count(pdf.content.String(), " c\n"); n < 4 {
		t.Errorf("a letter has %d curves", n)
	}
}

// The opacity of an image is a mask in a PDF, and no image without opacity has one.
func TestPDFMask(t *testing.T) {
	points := make([]float64, 2*densityMin)
	for i := range points {
		points[i] = math.Sin(float64(i * i))
	}
	data := encoded(t, newChart(t, mustArray(t, points, densityMin, 2), Options{}), ".pdf")
	if n := bytes.Count(data, []byte("/SMask ")); n != 1 {
		t.Errorf("%d masks", n)
	}
	at := bytes.Index(data, []byte("/ColorSpace/DeviceGray"))
	at += bytes.Index(data[at:], []byte("stream\n")) + len("stream\n")
	z, err := zlib.NewReader(bytes.NewReader(data[at:]))
	if err != nil {
		t.Fatal(err)
	}
	mask, err := io.ReadAll(z)
	if err != nil || bytes.IndexByte(mask, 0) < 0 || bytes.IndexByte(mask, 255) < 0 {
		t.Errorf("%d bytes, %v", len(mask), err)
	}
}

// Wide letters take two cells of a terminal, and the lines stay as long as they are.
func TestWideText(t *testing.T) {
	to := newText(12, 1, pictures.NoColors)
	to.text(point{0, 12}, "a温b\u0301", alignLeft, fontSize)
	var b bytes.Buffer
	if err := to.encode(&b); err != nil || b.String() != "a温b        \n" {
		t.Errorf("%q, %v", &b, err)
	}
	if got := to.measure("a温b", fontSize); got != 4*pictures.CharWidth {
		t.Errorf("measured %v", got)
	}
}
