//go:build !purego

package browser

import (
	"fmt"
	"math"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/scalar"
)

// Values that are large beside their range have the colours of their places in it, cell by cell and as means, in every dtype that holds them.
func TestLargeBesideRange(t *testing.T) {
	small := make([]float64, ny*nx)
	for i := range small {
		small[i] = math.Round(100 * math.Sin(float64(i)*0.7))
	}
	moved := func(by float64) []float64 {
		out := make([]float64, len(small))
		for i, v := range small {
			out[i] = by + v
		}
		return out
	}
	whole := func(by int64) (ints []int64, times []scalar.Datetime64) {
		for _, v := range small {
			ints = append(ints, by+int64(v))
		}
		return ints, scalar.Datetime64s(ints...)
	}
	ints, times := whole(1 << 50)
	dates, err := npy.FromSliceAs(dtype.Datetime64(dtype.Step{Num: 1, Unit: dtype.Microsecond}), times, ny, nx)
	if err != nil {
		t.Fatal(err)
	}
	tiny := make([]float64, len(small))
	for i, v := range small {
		tiny[i] = v * 1e-300
	}
	names := []string{"float64", "negative", "int64", "datetime64", "huge", "tiny"}
	p := open(t, serve(t, writeNPZ(t, "large.npz", names, array(t, moved(1e12), ny, nx), array(t, moved(-1e10), ny, nx),
		array(t, ints, ny, nx), dates, array(t, moved(1e300), ny, nx), array(t, tiny, ny, nx))))
	p.drawn()
	for e, name := range names {
		values := small
		if name == "huge" { // all are the same number
			continue
		}
		p.show(fmt.Sprintf("e=%d&view=heatmap&map=grey", e))
		im, want := p.heatmap(), greys(values, "linear")
		wrong := 0
		for i := range ny * nx {
			if got := im.at(i/nx, i%nx); !near(got, want(i), 1) {
				if wrong++; wrong == 1 {
					t.Errorf("%s: cell %d,%d is %v, want %v", name, i/nx, i%nx, got, want(i))
				}
			}
		}
		if wrong > 1 {
			t.Errorf("%s: %d of %d cells are wrong", name, wrong, ny*nx)
		}
		// The ends of the colours are told apart, and moving one keeps it within the values.
		low, high := p.text(".bar input:last-of-type"), p.text(".bar input:first-of-type")
		ends := eval[[]string](p, "[...document.querySelectorAll('.bar-input')].map((i) => i.value)")
		if len(ends) != 2 || ends[0] == ends[1] {
			t.Errorf("%s: the ends of the colours are %q (%s, %s)", name, ends, low, high)
		}
		eval[bool](p, `(() => { const h = document.querySelectorAll('.bar-handle')[1]; h.focus(); h.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true})); return true; })()`)
		p.drawn()
		lo := eval[float64](p, "Number(document.querySelectorAll('.bar-handle')[1].getAttribute('aria-valuenow'))")
		hi := eval[float64](p, "Number(document.querySelectorAll('.bar-handle')[0].getAttribute('aria-valuenow'))")
		if !(lo < hi) {
			t.Errorf("%s: after a step the ends are %v and %v", name, lo, hi)
		}
	}

	// Pixels of several elements.
	const n = 2400
	data := make([]float64, n*n)
	for y := range n {
		for x := range n {
			data[y*n+x] = 1e9 + float64(y/300*8+x/300)/64 + float64((y+x)%2) // squares of 300 cells, on a chessboard
		}
	}
	p = open(t, serve(t, writeNPY(t, "means.npy", data, n, n))+"#map=grey&lo=1000000000&hi=1000000002")
	c := p.heatmap()
	for y := range 8 {
		for x := range 8 {
			want := grey(float64(y*8+x)/64+0.5, 0, 2)
			if got := c.at(y*300+150, x*300+150); !near(got, want, 1) {
				t.Errorf("square %d,%d is %v, want %v", y, x, got, want)
			}
		}
	}
}

// Under the pointer in an image stand the elements of the pixel, however large the picture is on the screen.
func TestImagePointer(t *testing.T) {
	for _, size := range [][2]int{{480, 640}, {37, 51}, {1500, 2100}} {
		h, w := size[0], size[1]
		data := make([]uint16, h*w*3)
		for i := range data {
			data[i] = uint16(i * 40503)
		}
		p := open(t, serve(t, writeNPY(t, "rgb.npy", data, h, w, 3))+"#view=image")
		p.drawn()
		for k := range 12 {
			x, y := 0.03+float64(k)*0.08, 0.97-float64(k*7%12)*0.08
			eval[bool](p, fmt.Sprintf(`(() => {
				const c = document.querySelector('.pane canvas'), box = c.getBoundingClientRect();
				c.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + %v * box.width, clientY: box.top + %v * box.height, bubbles: true}));
				return true;
			})()`, 0.3+0.4*x, 0.3+0.4*y))
			p.wait("document.querySelector('.tip') && !document.querySelector('.tip').hidden && !document.querySelector('.tip').textContent.includes('≈')")
			place, value := p.text(".tip .tip-place, .tip > :first-child"), p.text(".tip .tip-value")
			var py, px int
			if _, err := fmt.Sscanf(place, "[%d, %d, :]", &py, &px); err != nil {
				t.Fatalf("%v: the tip is %q: %v", size, place, err)
			}
			i := 3 * (py*w + px)
			if want := fmt.Sprintf("%d  %d  %d", data[i], data[i+1], data[i+2]); value != want {
				t.Errorf("%v: the tip of %s is %q, want %q", size, place, value, want)
			}
		}
	}
}

// The colours reach from the least to the largest element, not from the least to the largest mean of a pixel.
func TestRangeOfElements(t *testing.T) {
	const n = 3000
	data := make([]uint16, n*n)
	for i := range data {
		data[i] = 1000 + uint16(i%7)
	}
	data[n*1234+567], data[n*2000+2999] = 100, 65535
	p := open(t, serve(t, writeNPY(t, "spikes.npy", data, n, n))+"#view=heatmap&clip=0")
	p.drawn()
	p.wait("[...document.querySelectorAll('.bar-input')].map((i) => i.value).join() === '65535,100'")
}
