//go:build !purego

package browser

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// shared makes a page of what a tab shows, and opens it from a disk, with no server.
func (p *tab) shared() *tab {
	p.t.Helper()
	name, data := p.export("html")
	if !strings.HasSuffix(name, "-view.html") || len(data) > 5<<20 {
		p.t.Errorf("%s has %d bytes", name, len(data))
	}
	path := filepath.Join(p.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
	return open(p.t, "file://"+path)
}

// A page of one view has its values and colours, without a server, and nothing of what was not seen.
func TestShared(t *testing.T) {
	c := newColours()
	two := writeNPZ(t, "two.npz", []string{"plain", "secret"}, array(t, c.plain, ny, nx), array(t, []float64{4242}, 1))
	url := serve(t, two, writeNPY(t, "private.npy", []int8{1}, 1))
	p := open(t, url+"#f=0&e=0&map=grey&view=heatmap&theme=light")
	p.drawn()
	p.wait("document.querySelector('.statistics').innerText.includes('mean')")
	statistics := p.text(".statistics")
	code := p.text(".code")
	q := p.shared()
	sameCells(t, q.heatmap(), c.plain, ny, nx)
	if got := q.text(".title"); !strings.Contains(got, "two.npz") || !strings.Contains(got, "plain") {
		t.Errorf("the title is %q", got)
	}
	q.wait("document.querySelector('.statistics').innerText.includes('mean')")
	if got := q.text(".statistics"); got != statistics {
		t.Errorf("the statistics are %q, want %q", got, statistics)
	}
	q.wait("document.querySelector('.code').innerText.includes('NumPy')")
	folder := filepath.Dir(two) + "/"
	if got := q.text(".code"); !strings.Contains(code, folder) || got != strings.ReplaceAll(code, folder, "") {
		t.Errorf("the code is %q, want %q", got, code)
	}
	if text := eval[string](q, `(async () => {
		const packed = Uint8Array.from(atob(document.getElementById('shared').textContent), (c) => c.charCodeAt(0));
		return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
	})()`); !strings.Contains(text, "plain") || strings.Contains(text, folder) || strings.Contains(text, "secret") || strings.Contains(text, "private") {
		t.Errorf("the page tells of what was not seen: %s", text)
	}
	// One looks around, changes the colours and reads values.
	q.show("f=0&e=0&view=heatmap&map=grey&y0=2&y1=5&x0=3&x1=7&aspect=fill&lo=-1000&hi=1000")
	part := q.heatmap()
	colour := greys(c.plain, "linear", -1000, 1000)
	for y := 2; y < 5; y++ {
		for x := 3; x < 7; x++ {
			if got, want := part.at(y, x), colour(y*nx+x); !near(got, want, 1) {
				t.Errorf("cell %d, %d is %v, want %v", y, x, got, want)
			}
		}
	}
	q.do(chromedp.KeyEvent("m"))
	q.wait("!location.hash.includes('map=grey')")
	q.keys("4") // a view that is not in it
	if got := q.state("view"); got != "heatmap" {
		t.Errorf("the view is %s", got)
	}
	if tabs := eval[int](q, "document.querySelectorAll('[role=tab]').length"); tabs != 1 {
		t.Errorf("there are %d tabs", tabs)
	}
	q.picture(t.Name())
}

// Large arrays are shared as what is seen, and their whole is coarser. Noise does not compress, and still fits.
func TestSharedLarge(t *testing.T) {
	const n = 2400
	noise := make([]float64, n*n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = math.Floor(float64(i/n/300)*10) + r.Float64()
	}
	p := open(t, serve(t, writeNPY(t, "noise.npy", noise, n, n))+"#map=grey&view=heatmap&lo=0&hi=80&y0=600&y1=900&x0=0&x1=300&cy=700&cx=100")
	p.drawn()
	q := p.shared()
	seen := q.heatmap()
	for i := range 10 {
		y, x := 610+i*28, 5+i*29
		if got, want := seen.at(y, x), grey(noise[y*n+x], 0, 80); !near(got, want, 3) {
			t.Errorf("cell %d, %d is %v, want %v", y, x, got, want)
		}
	}
	q.show("f=0&e=0&view=heatmap&map=grey&lo=0&hi=80")
	whole := q.heatmap()
	for band := range 8 {
		if got, want := whole.at(band*300+150, n/2), grey(float64(band*10)+0.5, 0, 80); !near(got, want, 4) {
			t.Errorf("band %d is %v, want %v", band, got, want)
		}
	}
}

// Lines keep their spikes, and tables their texts; cells that are not in the page are empty.
func TestSharedLinesAndTables(t *testing.T) {
	const n = 300_000
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Sin(float64(i) / 1e4)
	}
	values[123_456] = 50
	p := open(t, serve(t, writeNPY(t, "line.npy", values, n))+"#view=lines")
	p.drawn()
	q := p.shared()
	q.drawn()
	if low, high := spike(q); high < low+100 {
		t.Errorf("the line reaches from %d to %d pixels: the spike is gone", low, high)
	}
	q.show("f=0&e=0&view=lines&l0=120000&l1=130000")
	q.drawn()

	p.show("f=0&e=0&view=table&row=5000")
	p.wait("document.querySelector('#stage').innerText.includes('5000')")
	q = p.shared()
	want := fmt.Sprint(values[5003])
	q.wait(fmt.Sprintf("document.querySelector('#stage').innerText.includes(%q)", want))
	for _, x := range []struct {
		tab  *tab
		want string
	}{{p, "html,csv,sheet,npy,csv-all,sheet-all,npy-all"}, {q, ""}} {
		if got := eval[string](x.tab, `(() => {
			const list = document.getElementById('export');
			list.focus();
			return [...list.options].filter((o) => o.value && !o.disabled).map((o) => o.value).join();
		})()`); got != x.want {
			t.Errorf("a table can be exported as %s, want %s", got, x.want)
		}
	}
	q.show("f=0&e=0&view=table&row=250000")
	q.wait("/250000/.test(document.querySelector('#stage').innerText)")
	if hidden := eval[bool](q, "document.querySelector('.problem').hidden"); !hidden {
		t.Errorf("the page complains: %s", q.text(".problem"))
	}
}

// spike returns the rows of pixels in which a line is lowest and highest, from the bottom.
func spike(p *tab) (low, high int) {
	im := p.pixels("#stage canvas")
	low = im.Rect.Dy()
	for y := range im.Rect.Dy() {
		for x := im.Rect.Dx() / 3; x < im.Rect.Dx()-30; x++ {
			if c := im.NRGBAAt(x, y); c.R < 80 && c.B > 120 {
				up := im.Rect.Dy() - y
				low, high = min(low, up), max(high, up)
			}
		}
	}
	return low, high
}

// The name of a file, its attributes and its text are no markup of the page that is made.
func TestSharedHostile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, `<script>alert(1)<`+"\u2028"+`&"'>.npy`)
	data, err := os.ReadFile(writeNPY(t, "a.npy", []int8{1, 2, 3, 4}, 2, 2))
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, path)+"#view=heatmap")
	p.drawn()
	_, made := p.export("html")
	if bytes.Contains(made, []byte("<script>")) || bytes.Count(made, []byte("</script>")) != 2 {
		t.Errorf("the page has other scripts than its own: %d", bytes.Count(made, []byte("</script>")))
	}
	q := p.shared()
	q.drawn()
	if got := q.text(".title"); !strings.Contains(got, "<script>alert(1)<") {
		t.Errorf("the title is %q", got)
	}
}
