package charts

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/pictures"
)

// The matrices of Machado, Oliveira and Fernandes (2009) simulate colour blindness on linear red, green and blue.
var visions = map[string][3][3]float64{
	"all cones": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia": {
		{0.152286, 1.052583, -0.204868},
		{0.114503, 0.786281, 0.099216},
		{-0.003882, -0.048116, 1.051998},
	},
	"deuteranopia": {
		{0.367322, 0.860646, -0.227968},
		{0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881},
	},
}

func linear(v uint8) float64 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// lab returns a colour, as a vision sees it, in CIE L*a*b* with the white of D65.
func lab(c color.NRGBA, vision [3][3]float64) [3]float64 {
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	mul := func(m [3][3]float64, v [3]float64) (out [3]float64) {
		for i := range 3 {
			out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
		}
		return out
	}
	seen := mul(vision, in)
	for i := range seen {
		seen[i] = min(max(seen[i], 0), 1)
	}
	xyz := mul([3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}, seen)
	var f [3]float64
	for i, white := range [3]float64{0.95047, 1, 1.08883} {
		t := xyz[i] / white
		if f[i] = math.Cbrt(t); t <= 0.008856 {
			f[i] = 7.787*t + 16.0/116
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

func labDistance(a, b color.NRGBA, vision [3][3]float64) float64 {
	p, q := lab(a, vision), lab(b, vision)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// Any two series of a full chart differ in their dashes or, for every vision, in their colours; points differ in their
// shapes or in their colours.
func TestSeriesDiffer(t *testing.T) {
	const least = 30 // of CIE76; a difference of 2.3 is just noticeable
	for name, vision := range visions {
		nearest, pair := math.Inf(1), ""
		for i := range linesMax {
			for k := range i {
				a, b := styleOf(i), styleOf(k)
				if !slices.Equal(a.dash, b.dash) && markOf(i, 1).corners != markOf(k, 1).corners {
					continue
				}
				if d := labDistance(a.color, b.color, vision); d < nearest {
					nearest, pair = d, fmt.Sprint(i, " and ", k)
				}
			}
			if d := labDistance(styleOf(i).color, paper, vision); d < least {
				t.Errorf("%s: series %d is %.1f from the paper", name, i, d)
			}
		}
		t.Logf("%s: series %s are nearest: %.1f", name, pair, nearest)
		if nearest < least {
			t.Errorf("%s: series %s are %.1f apart, want %d", name, pair, nearest, least)
		}
	}
	if len(seriesColors)*len(seriesDashes) < linesMax {
		t.Errorf("%d series have %d styles", linesMax, len(seriesColors)*len(seriesDashes))
	}
}

// The colours of a density are apart from the paper, so that a cell with one point can be seen.
func TestDensityIsSeen(t *testing.T) {
	for name, vision := range visions {
		if d := labDistance(pictures.Colormaps[0].At(0), paper, vision); d < 50 {
			t.Errorf("%s: one point is %.1f from the paper", name, d)
		}
	}
}
