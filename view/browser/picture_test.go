//go:build !purego

package browser

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/npz"
)

const canvas = ".pane canvas"

// drawn waits until all that the page has asked for is drawn.
func (p *tab) drawn() {
	p.t.Helper()
	p.wait("document.querySelector('#stage > *')?.dataset.state === 'exact' && document.querySelector('#stage > *').offsetWidth > 0 && " +
		"!document.body.classList.contains('busy') && document.querySelector('.status-text').textContent !== ''")
	eval[bool](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// A picture is the heatmap as it is drawn.
type picture struct {
	*image.NRGBA
	left, top, w, h, y0, y1, x0, x1 float64
}

// heatmap returns the picture of a canvas, by default the only one.
func (p *tab) heatmap(selector ...string) picture {
	p.t.Helper()
	p.drawn()
	s := canvas
	if len(selector) > 0 {
		s = selector[0]
	}
	f := eval[[]float64](p, fmt.Sprintf("document.querySelector(%q).dataset.frame.split(',').map((v) => v * devicePixelRatio)", s))
	r := eval[float64](p, "devicePixelRatio")
	return picture{p.pixels(s), f[0], f[1], f[2], f[3], f[4] / r, f[5] / r, f[6] / r, f[7] / r}
}

// at returns the colour of a cell near its upper left corner, where no text is.
func (c picture) at(y, x int) color.NRGBA {
	px := c.left + (float64(x)+0.12-c.x0)/(c.x1-c.x0)*c.w
	py := c.top + (float64(y)+0.12-c.y0)/(c.y1-c.y0)*c.h
	return c.NRGBAAt(int(math.Ceil(px)), int(math.Ceil(py)))
}

// grey is the colour that the map grey has for a value of the domain from low to high.
func grey(v, low, high float64) color.NRGBA {
	g := uint8(min(255, max(0, math.Floor((v-low)/(high-low)*256))))
	return color.NRGBA{g, g, g, 255}
}

// sameCells compares the cells of a picture, drawn with the map grey over all values, with the values.
func sameCells(t *testing.T, c picture, values []float64, ny, nx int) {
	t.Helper()
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	wrong := 0
	for y := range ny {
		for x := range nx {
			v := values[y*nx+x]
			want := grey(v, low, high)
			if math.IsNaN(v) {
				want = color.NRGBA{255, 0, 200, 255}
			}
			if got := c.at(y, x); got != want {
				t.Errorf("cell %d,%d with the value %v is %v, want %v", y, x, v, got, want)
				if wrong++; wrong > 5 {
					return
				}
			}
		}
	}
}

// waves are values that differ from cell to cell.
func waves[T npy.Element](ny, nx int, of func(float64) T) (elements []T, values []float64) {
	for i := range ny * nx {
		v := math.Round(1000*math.Sin(float64(i)*0.7)) + float64(i)
		elements, values = append(elements, of(v)), append(values, v)
	}
	return elements, values
}

func writeNPY[T npy.Element](t testing.TB, name string, data []T, shape ...int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := npy.Save(path, data, shape...); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeNPZ writes an archive with a member for each array.
func writeNPZ(t testing.TB, name string, names []string, arrays ...*npy.Array) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeContainer(t, path, container.NPZ(npz.Decoder{}, npz.Encoder{}), names, arrays)
	return path
}

func writeHDF5(t testing.TB, name string, names []string, arrays ...*npy.Array) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeContainer(t, path, hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}), names, arrays)
	return path
}

func writeContainer(t testing.TB, path string, format container.Format, names []string, arrays []*npy.Array) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := format.New(f, container.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range arrays {
		if err := container.Put(t.Context(), w, container.Entry{Path: names[i]}, nil, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func array[T npy.Element](t testing.TB, data []T, shape ...int) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
