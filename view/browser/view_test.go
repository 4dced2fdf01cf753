//go:build !purego

package browser

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/npygo/npy"
)

// state returns the value of a key of the page's state in the address.
func (p *tab) state(key string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("new URLSearchParams(location.hash.slice(1)).get(%q) ?? ''", key))
}

// awaitState waits for a value of the state in the address.
func (p *tab) awaitState(key, value string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("(new URLSearchParams(location.hash.slice(1)).get(%q) ?? '') === %q", key, value))
}

// Each cell of a heatmap has the colour of its value, and its value as text; NaN has a colour of its own.
func TestHeatmap(t *testing.T) {
	floats, values := waves(9, 12, func(v float64) float64 { return v })
	floats[17], values[17] = math.NaN(), math.NaN()
	p := open(t, serve(t, writeNPY(t, "a.npy", floats, 9, 12))+"#map=grey")
	sameCells(t, p.heatmap(), values, 9, 12)

	// Both ends of the map that is used without being asked for.
	p.do(chromedp.KeyEvent("m")) // the next map
	p.wait("!location.hash.includes('map=grey')")
	p.drawn()

	// Statistics cover the visible values.
	var sum float64
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
		}
	}
	p.wait("/nan/.test(document.querySelector('.statistics').innerText)")
	if text := eval[string](p, "[...document.querySelectorAll('.statistics dd')].map((d) => d.title).join(' ')"); !strings.Contains(text, fmt.Sprintf("%.1f", sum)) || !strings.Contains(text, "107") {
		t.Errorf("the statistics are %q, without the sum %.1f or the 107 finite values", text, sum)
	}
	if long := eval[[]string](p, "[...document.querySelectorAll('.statistics dd')].map((d) => d.firstChild?.textContent ?? '').filter((t) => t.replace(/^-|\\D/g, '').length > 7)"); len(long) > 0 {
		t.Errorf("the statistics have numbers of more than 7 digits: %q", long)
	}
}

// A picture of an array that is larger than the screen has the mean of the cells of each pixel.
func TestHeatmapOfMeans(t *testing.T) {
	const n = 3000
	data := make([]float32, n*n)
	for y := range n {
		for x := range n {
			data[y*n+x] = float32(y/300*10 + x/300) // squares of 300 cells
			if (y+x)%2 == 1 {
				data[y*n+x] += 200 // a chessboard that a sample would miss
			}
		}
	}
	p := open(t, serve(t, writeNPY(t, "large.npy", data, n, n))+"#map=grey&lo=0&hi=299")
	c := p.heatmap()
	for y := range 10 {
		for x := range 10 {
			want := grey(float64(y*10+x)+100, 0, 299)
			got := c.at(y*300+150, x*300+150)
			if d := int(got.R) - int(want.R); d < -1 || d > 1 {
				t.Errorf("square %d,%d is %v, want %v", y, x, got, want)
			}
		}
	}
}

// The lines of an array of two million elements keep a single spike.
func TestLines(t *testing.T) {
	const n = 2_000_000
	data := make([]float32, n)
	data[1_234_567] = 1000
	p := open(t, serve(t, writeNPY(t, "spike.npy", data, n))+"#view=lines")
	p.drawn()
	im := p.pixels("#stage canvas")
	column := func(x int) (high int) { // pixels of the colour of the line
		for y := range im.Rect.Dy() {
			if c := im.NRGBAAt(x, y); c.R < 80 && c.B > 120 {
				high++
			}
		}
		return high
	}
	best, at := 0, 0
	for x := im.Rect.Dx() / 3; x < im.Rect.Dx()-30; x++ {
		if h := column(x); h > best {
			best, at = h, x
		}
	}
	if best < im.Rect.Dy()/2 {
		t.Errorf("the tallest column, %d, has %d of %d rows: the spike is gone", at, best, im.Rect.Dy())
	}
	// The plot begins and ends at margins, so the place of the spike is known to a few pixels.
	if share := float64(at) / float64(im.Rect.Dx()); share < 0.61 || share > 0.67 {
		t.Errorf("the spike is at %.3f of the width, want about 0.64", share)
	}
}

// Tables show records as NumPy prints them, sorted and filtered.
func TestTable(t *testing.T) {
	big := []int64{1<<62 + 1, -5, 42, 7}
	p := open(t, serve(t, writeNPY(t, "t.npy", big, 4))+"#view=table")
	p.wait("document.querySelector('#stage').innerText.includes('4611686018427387905')")
	for _, v := range big {
		if !eval[bool](p, fmt.Sprintf("document.querySelector('#stage').innerText.includes('%d')", v)) {
			t.Errorf("the table has no %d", v)
		}
	}
}

// Keys change the view; the address holds all of it, and loading it again gives the same picture.
func TestKeysAndAddress(t *testing.T) {
	floats, _ := waves(40, 6*50, func(v float64) float32 { return float32(v) })
	url := serve(t, writeNPY(t, "cube.npy", floats, 6, 40, 50))
	p := open(t, url)
	p.drawn()
	for _, step := range []struct{ key, state, value string }{
		{"t", "theme", "dark"}, {"t", "theme", "light"}, {"g", "grid", "1"}, {"g", "grid", ""}, {"o", "tool", "zoom"}, {"p", "tool", ""},
		{"m", "map", "magma"}, {"3", "view", "lines"}, {"4", "view", "table"}, {"5", "view", "histogram"}, {"1", "view", "heatmap"},
	} {
		p.keys(step.key)
		if step.value != p.state(step.state) {
			p.awaitState(step.state, step.value)
		}
	}
	p.keys("]")
	p.wait("/^1,/.test(new URLSearchParams(location.hash.slice(1)).get('at') ?? '')")
	p.keys("+")
	time.Sleep(300 * time.Millisecond) // the page rests before it notes the place
	before := p.heatmap()
	address := eval[string](p, "location.href")
	again := open(t, address).heatmap()
	if before.Rect != again.Rect || string(before.Pix) != string(again.Pix) {
		t.Error("the same address gives another picture")
	}
	p.keys("?")
	p.wait("document.querySelector('dialog[open]')")
	p.keys(kb.Escape)
	p.wait("!document.querySelector('dialog[open]')")
}

// A page shows a file again when it changes.
func TestReload(t *testing.T) {
	path := writeNPY(t, "run.npy", []float32{1, 2, 3, 4}, 2, 2)
	p := open(t, serve(t, path)+"#map=grey", "410 (Gone)") // of a question that the page asked before it was told
	sameCells(t, p.heatmap(), []float64{1, 2, 3, 4}, 2, 2)
	if err := npy.Save(path, []float32{9, 2, 3, 4, 5, 6}, 3, 2); err != nil {
		t.Fatal(err)
	}
	p.wait("document.querySelector('.title').textContent.includes('3 × 2')")
	p.wait("document.querySelector('.pane canvas').dataset.frame.endsWith(',0,3,0,2')")
	p.drawn()
	time.Sleep(300 * time.Millisecond) // for a picture that must not come
	sameCells(t, p.heatmap(), []float64{9, 2, 3, 4, 5, 6}, 3, 2)
}

// Names and texts in a file are never HTML.
func TestHostileNames(t *testing.T) {
	const script = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
	path := writeNPZ(t, "x.npz", []string{script, "b"}, array(t, []float32{1, 2, 3, 4}, 2, 2), array(t, []string{script, "<b>"}, 2))
	p := open(t, serve(t, path))
	p.drawn()
	if !eval[bool](p, fmt.Sprintf("document.body.textContent.includes(%q)", script)) {
		t.Error("the name is not shown as it is")
	}
	p.do(chromedp.Navigate(eval[string](p, "location.href.replace(/#.*/, '')") + "#e=1&view=table"))
	p.wait(fmt.Sprintf("document.querySelector('#stage').textContent.includes(%q)", script))
	if got := eval[int](p, "document.querySelectorAll('img, #page script, #stage b').length"); got != 0 || eval[string](p, "document.title") == "owned" {
		t.Errorf("%d elements came from the file, the title is %q", got, eval[string](p, "document.title"))
	}
}

// The time to the first picture of an array of 1 GiB, and the frames per second of panning, at 1920x1080.
func TestSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("an array of 1 GiB")
	}
	const n = 16384
	path := t.TempDir() + "/huge.npy"
	if err := writeHuge(path, n); err != nil {
		t.Fatal(err)
	}
	url := serve(t, path)
	p := openSized(t, url, 1920, 1080)
	p.drawn()
	t.Logf("the exact picture: %s", p.text(".status-text"))
	first := eval[float64](p, "Math.min(...performance.getEntriesByType('resource').filter((e) => e.name.includes('/picture?')).map((e) => e.responseEnd - e.startTime))")
	total := eval[float64](p, "performance.getEntriesByType('resource').reduce((n, e) => n + e.transferSize, 0)")
	t.Logf("the first picture of 1 GiB %.0f ms after the request; %.2f MB came in all", first, total/1e6)
	rate := eval[float64](p, `new Promise((done) => {
		const c = document.querySelector('.pane canvas'), box = c.getBoundingClientRect();
		const x0 = box.left + box.width / 2, y0 = box.top + box.height / 2;
		const send = (type, x, y, buttons) => c.dispatchEvent(new PointerEvent(type, {clientX: x, clientY: y, buttons, button: 0, pointerId: 1, isPrimary: true, bubbles: true, pointerType: 'mouse'}));
		for (let i = 0; i < 4; i++) c.dispatchEvent(new WheelEvent('wheel', {clientX: x0, clientY: y0, deltaY: -240, bubbles: true, cancelable: true}));
		c.setPointerCapture = () => {};
		send('pointerdown', x0, y0, 1);
		let n = 0, began = performance.now();
		const step = (now) => {
			n++;
			send('pointermove', x0 + 200 * Math.sin(n / 20), y0 + 100 * Math.cos(n / 20), 1);
			if (now - began < 2000) requestAnimationFrame(step);
			else { send('pointerup', x0, y0, 0); done(n / ((performance.now() - began) / 1000)); }
		};
		requestAnimationFrame(step);
	})`)
	t.Logf("%.0f frames a second while panning at 1920x1080", rate)
	p.drawn()
}

// writeHuge writes n x n float32 in rows.
func writeHuge(path string, n int) error {
	w, err := npy.CreateRows[float32](path, n, n)
	if err != nil {
		return err
	}
	row := make([]float32, n)
	for y := range n {
		for x := range row {
			row[x] = float32((x*7 + y*13) % 1000)
		}
		if err := w.Write(row); err != nil {
			os.Remove(path)
			return err
		}
	}
	return w.Close()
}
