//go:build !purego

package browser

import (
	"fmt"
	"image/color"
	"math"
	"math/cmplx"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// show shows an address of the page, and waits for its answers.
func (p *tab) show(hash string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`new Promise((done) => {
		window.shown = (window.shown ?? 0) + 1; // no key of the page, so that each address is another one
		addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))), {once: true});
		location.hash = %q + '&shown=' + window.shown;
	})`, hash))
	p.settled()
}

// near reports whether each channel of two colours differs by at most tolerance.
func near(a, b color.NRGBA, tolerance int) bool {
	for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B), int(a.A) - int(b.A)} {
		if d < -tolerance || d > tolerance {
			return false
		}
	}
	return true
}

// colours are the arrays of the tests of colours: 9 x 12 cells, and a cube of 5 of them.
type colours struct {
	plain, positive []float64
	rgb, rgba       []uint8
	light           []float32
	complex         []complex128
	cube            []float64
}

const ny, nx, nz = 9, 12, 5

func newColours() *colours {
	c := &colours{}
	for i := range ny * nx {
		v := math.Round(1000*math.Sin(float64(i)*0.7)) + float64(i)
		c.plain = append(c.plain, v)
		c.positive = append(c.positive, math.Pow(10, v/300))
		c.complex = append(c.complex, cmplx.Rect(float64(i%17)+1, float64(i%29)/29*2*math.Pi-math.Pi+0.1))
		for k := range 3 {
			c.rgb = append(c.rgb, uint8(i*7+k*80))
			c.light = append(c.light, float32((i*5+k*31)%108)/107)
		}
		c.rgba = append(c.rgba, uint8(i*7), uint8(i*11), uint8(i*13), uint8(i*19))
	}
	c.plain[40] = math.NaN()
	for i := range nz * ny * nx {
		c.cube = append(c.cube, math.Round(500*math.Sin(float64(i)*float64(i)*0.01))+float64(i%7))
	}
	return c
}

// write writes the arrays as entries 0 to 6 of an archive.
func (c *colours) write(t *testing.T) string {
	t.Helper()
	return writeNPZ(t, "colours.npz", []string{"plain", "positive", "rgb", "rgba", "light", "complex", "cube"},
		array(t, c.plain, ny, nx), array(t, c.positive, ny, nx), array(t, c.rgb, ny, nx, 3), array(t, c.rgba, ny, nx, 4),
		array(t, c.light, ny, nx, 3), array(t, c.complex, ny, nx), array(t, c.cube, nz, ny, nx))
}

// The scales of the heatmap, as the page defines them.
var scales = map[string]func(v, low, high float64) float64{
	"linear": func(v, _, _ float64) float64 { return v },
	"log":    func(v, _, _ float64) float64 { return math.Log10(v) },
	"sqrt":   func(v, _, _ float64) float64 { return math.Copysign(math.Sqrt(math.Abs(v)), v) },
	"symlog": func(v, low, high float64) float64 {
		return math.Copysign(math.Log1p(math.Abs(v)/(max(math.Abs(low), math.Abs(high))/1000)), v)
	},
}

// greys gives the colours of values on a scale with the map grey, from low to high: without them, over all values.
func greys(values []float64, scale string, ends ...float64) func(i int) color.NRGBA {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !(scale == "log" && v <= 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if len(ends) == 2 {
		low, high = ends[0], ends[1]
	}
	f := scales[scale]
	return func(i int) color.NRGBA {
		if math.IsNaN(values[i]) {
			return color.NRGBA{255, 0, 200, 255}
		}
		return grey(f(values[i], low, high), f(low, low, high), f(high, low, high))
	}
}

// percentiles gives two percentiles of all values that are no NaN, as numpy.nanpercentile.
func percentiles(values []float64, percent float64) []float64 {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	rank := func(q float64) float64 {
		at := q / 100 * float64(len(sorted)-1)
		i := min(int(at), len(sorted)-2)
		return sorted[i] + (sorted[i+1]-sorted[i])*(at-float64(i))
	}
	return []float64{rank(percent), rank(100 - percent)}
}

// projected gives the mean, the largest or the smallest of values along the first axis, of length n.
func projected(values []float64, n int, how string) []float64 {
	out := slices.Clone(values[:len(values)/n])
	for i := range out {
		for k := 1; k < n; k++ {
			v := values[k*len(out)+i]
			switch how {
			case "mean":
				out[i] += v
			case "max":
				out[i] = max(out[i], v)
			case "min":
				out[i] = min(out[i], v)
			}
		}
		if how == "mean" {
			out[i] /= float64(n)
		}
	}
	return out
}

func parts(values []complex128, part func(complex128) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = part(v)
	}
	return out
}

// hue is the colour of a complex number: lightness 0.75 of OKLab for the largest magnitude, and the phase as its hue.
func hue(z complex128, largest float64) color.NRGBA {
	phase := (math.Floor((cmplx.Phase(z)+math.Pi)/(2*math.Pi)*256)+0.5)/256*2*math.Pi - math.Pi
	l := 0.75 * cmplx.Abs(z) / largest
	a, b := 0.16*l*math.Cos(phase), 0.16*l*math.Sin(phase)
	cone := [3]float64{l + 0.3963377774*a + 0.2158037573*b, l - 0.1055613458*a - 0.0638541728*b, l - 0.0894841775*a - 1.291485548*b}
	var out [3]uint8
	for i, row := range [3][3]float64{{4.0767416621, -3.3077115913, 0.2309699292}, {-1.2684380046, 2.6097574011, -0.3413193965}, {-0.0041960863, -0.7034186147, 1.707614701}} {
		v := 0.0
		for k, x := range cone {
			v += row[k] * x * x * x
		}
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = uint8(math.Round(255 * v))
	}
	return color.NRGBA{out[0], out[1], out[2], 255}
}

// Each cell has the colour that is computed from the array: scales, percentiles, channels, parts of complex numbers and
// projections, from the server and without one.
func TestColours(t *testing.T) {
	c := newColours()
	path := c.write(t)
	largest := 0.0
	for _, z := range c.complex {
		largest = max(largest, cmplx.Abs(z))
	}
	channels := func(i, n int, of func(k int) float64) color.NRGBA {
		out := color.NRGBA{A: 255}
		for k, to := range []*uint8{&out.R, &out.G, &out.B, &out.A}[:n] {
			*to = uint8(math.Round(of(n*i + k)))
		}
		return out
	}
	tests := []struct {
		name, hash string
		want       func(i int) color.NRGBA
		tolerance  int
	}{
		{"linear", "e=0&map=grey", greys(c.plain, "linear"), 0},
		{"sqrt", "e=0&map=grey&scale=sqrt", greys(c.plain, "sqrt"), 1},
		{"symlog", "e=0&map=grey&scale=symlog", greys(c.plain, "symlog"), 1},
		{"log", "e=1&map=grey&scale=log", greys(c.positive, "log"), 1},
		{"log of negatives", "e=0&map=grey&scale=log", func(i int) color.NRGBA {
			if c.plain[i] <= 0 {
				return color.NRGBA{A: 255}
			}
			return greys(c.plain, "log")(i)
		}, 1},
		{"5 percent", "e=0&map=grey&clip=5", greys(c.plain, "linear", percentiles(c.plain, 5)...), 1},
		{"1 percent", "e=1&map=grey&clip=1", greys(c.positive, "linear", percentiles(c.positive, 1)...), 1},
		{"domain", "e=0&map=grey&lo=-100&hi=300", greys(c.plain, "linear", -100, 300), 0},
		{"outside of the domain", "e=0&map=grey&lo=-100&hi=300&over=1", func(i int) color.NRGBA {
			switch v := c.plain[i]; {
			case v < -100:
				return color.NRGBA{0, 214, 255, 255}
			case v > 300:
				return color.NRGBA{255, 59, 48, 255}
			}
			return greys(c.plain, "linear", -100, 300)(i)
		}, 0},
		{"reversed", "e=0&map=grey&rev=1", func(i int) color.NRGBA {
			w := greys(c.plain, "linear")(i)
			if math.IsNaN(c.plain[i]) {
				return w
			}
			return color.NRGBA{255 - w.R, 255 - w.G, 255 - w.B, 255}
		}, 0},
		{"RGB", "e=2&view=image", func(i int) color.NRGBA {
			return channels(i, 3, func(k int) float64 { return float64(c.rgb[k]) })
		}, 0},
		{"a plane of RGB", "e=2&view=heatmap&map=grey&at=y,x,1&lo=0&hi=256", func(i int) color.NRGBA {
			return grey(float64(c.rgb[3*i+1]), 0, 256)
		}, 0},
		{"RGB of floats", "e=4&view=image", func(i int) color.NRGBA {
			return channels(i, 3, func(k int) float64 { return 255 * float64(c.light[k]) })
		}, 0},
		{"magnitude", "e=5&map=grey", greys(parts(c.complex, cmplx.Abs), "linear"), 1},
		{"phase", "e=5&map=grey&part=phase", greys(parts(c.complex, cmplx.Phase), "linear", -math.Pi, math.Pi), 1},
		{"real", "e=5&map=grey&part=re", greys(parts(c.complex, func(z complex128) float64 { return real(z) }), "linear"), 1},
		{"imaginary", "e=5&map=grey&part=im", greys(parts(c.complex, func(z complex128) float64 { return imag(z) }), "linear"), 1},
		{"magnitude and phase", "e=5&part=polar", func(i int) color.NRGBA { return hue(c.complex[i], largest) }, 3},
		{"mean", "e=6&map=grey&at=mean,y,x", greys(projected(c.cube, nz, "mean"), "linear"), 1},
		{"max", "e=6&map=grey&at=max,y,x", greys(projected(c.cube, nz, "max"), "linear"), 0},
		{"min", "e=6&map=grey&at=min,y,x", greys(projected(c.cube, nz, "min"), "linear"), 0},
		{"a slice", "e=6&map=grey&at=3,y,x", greys(c.cube[3*ny*nx:4*ny*nx], "linear"), 0},
	}
	for _, where := range []string{"server", "static"} {
		t.Run(where, func(t *testing.T) {
			var url string
			if where == "server" {
				url = serve(t, path)
			} else {
				url = export(t, path)
			}
			p := open(t, url)
			p.drawn()
			for _, x := range tests {
				p.show(x.hash)
				im := p.heatmap()
				wrong := 0
				for i := range ny * nx {
					if got, want := im.at(i/nx, i%nx), x.want(i); !near(got, want, x.tolerance) {
						if wrong++; wrong == 1 {
							t.Errorf("%s: cell %d,%d is %v, want %v", x.name, i/nx, i%nx, got, want)
							p.picture(t.Name() + x.name)
						}
					}
				}
				if wrong > 1 {
					t.Errorf("%s: %d of %d cells are wrong", x.name, wrong, ny*nx)
				}
			}
			p.show("e=3&view=image")
			im := p.heatmap()
			for i := range ny * nx {
				over := func(back float64) color.NRGBA {
					a := float64(c.rgba[4*i+3]) / 255
					mix := func(k int) uint8 { return uint8(math.Round(float64(c.rgba[4*i+k])*a + back*(1-a))) }
					return color.NRGBA{mix(0), mix(1), mix(2), 255}
				}
				if got := im.at(i/nx, i%nx); !near(got, over(0xbb), 2) && !near(got, over(0x88), 2) {
					t.Errorf("RGBA: cell %d,%d is %v, want %v or %v", i/nx, i%nx, got, over(0xbb), over(0x88))
				}
			}
			if where == "server" {
				return
			}
			if text := eval[string](p, "document.body.innerText"); !strings.Contains(text, filepath.Base(path)) {
				t.Errorf("the page without a server does not name %s", filepath.Base(path))
			}
		})
	}
}

// Pixels of several complex numbers have the phase and the magnitude of their mean.
func TestPolarOfMeans(t *testing.T) {
	const n = 2400
	data := make([]complex64, n*n)
	for y := range n {
		for x := range n {
			z := cmplx.Rect(float64(y/400+1), float64(x/400)) // squares of 400 cells
			if (y+x)%2 == 1 {
				z *= 3
			}
			data[y*n+x] = complex64(z)
		}
	}
	p := open(t, serve(t, writeNPY(t, "z.npy", data, n, n))+"#part=polar&lo=0&hi=12")
	im := p.heatmap()
	for y := range 6 {
		for x := range 6 {
			want := hue(cmplx.Rect(float64(y+1)*2, float64(x)), 12)
			if got := im.at(y*400+200, x*400+200); !near(got, want, 4) {
				t.Errorf("square %d,%d is %v, want %v", y, x, got, want)
			}
		}
	}
	if eval[bool](p, "[...document.querySelectorAll('[data-name=pixel] option')].some((o) => o.value === 'max')") {
		t.Error("the largest of a phase can be chosen")
	}
}
