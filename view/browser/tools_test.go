//go:build !purego

package browser

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/record"
)

// dragOver drags from one element of the picture over others.
func (p *tab) dragOver(cells ...[2]int) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const c = document.querySelector('.pane canvas'), box = c.getBoundingClientRect();
		const [left, top, w, h, y0, y1, x0, x1] = c.dataset.frame.split(',').map(Number);
		c.setPointerCapture = () => {}; // of a pointer that there is not
		const send = (type, [y, x]) => c.dispatchEvent(new PointerEvent(type, {clientX: box.left + left + (x + 0.5 - x0) / (x1 - x0) * w, clientY: box.top + top + (y + 0.5 - y0) / (y1 - y0) * h,
			button: 0, buttons: 1, pointerId: 1, isPrimary: true, bubbles: true, pointerType: 'mouse'}));
		const cells = JSON.parse('%s');
		send('pointerdown', cells[0]);
		for (const cell of cells) send('pointermove', cell);
		send('pointerup', cells[cells.length - 1]);
		return true;
	})()`, strings.ReplaceAll(fmt.Sprint(cells), " ", ",")))
}

// listed returns the numbers of a list by their names.
func (p *tab) listed(selector string) map[string]string {
	p.t.Helper()
	return eval[map[string]string](p, fmt.Sprintf("Object.fromEntries([...document.querySelectorAll(%q)].map((dt) => [dt.textContent, dt.nextElementSibling.title || dt.nextElementSibling.firstChild.textContent]))", selector+" dt"))
}

// choose chooses from a list of the options of the view.
func (p *tab) choose(name, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf("(() => { const s = document.querySelector('.controls select[data-name=' + %q + ']'); s.value = %q; s.dispatchEvent(new Event('change')); return s.value === %q; })()", name, value, value))
}

// closeTo compares a number of the page with one of NumPy.
func closeTo(text string, want float64) bool {
	got, err := strconv.ParseFloat(text, 64)
	return err == nil && alike([]float64{got}, []float64{want})
}

// A box, a line and a path have the statistics, the histogram and the code of the elements in them.
func TestRegions(t *testing.T) {
	const nz, ny, nx = 3, 60, 80
	data, random := make([]float64, nz*ny*nx), oracle.Rand(t)
	for i := range data {
		data[i] = float64(random.IntN(100000)) / 8
	}
	path := writeNPY(t, "a.npy", data, nz, ny, nx)
	line := "a[1][np.rint(np.linspace(5, 50, 66)).astype(int), np.rint(np.linspace(5, 70, 66)).astype(int)]"
	want := numpy(t, path, "[f(x) for x in [a[1, 10:31, 20:41], "+line+", a[2, 10:31, 20:41]] for f in [np.size, np.min, np.max, np.mean, np.std, np.sum]]")
	p := open(t, serve(t, path)+"#at=1,y,x&map=grey&theme=light")
	p.drawn()
	check := func(what string, want []float64) {
		t.Helper()
		p.wait(fmt.Sprintf("[...document.querySelectorAll('.region dd')][0]?.textContent === %q", fmt.Sprint(want[0])))
		p.wait(fmt.Sprintf("Number([...document.querySelectorAll('.region dt')].find((d) => d.textContent === 'sum')?.nextElementSibling.title) === %v", want[5]))
		got := p.listed(".region")
		for i, name := range []string{"count", "min", "max", "mean", "std", "sum"} {
			if !closeTo(got[name], want[i]) {
				t.Errorf("%s: %s is %s, want %v", what, name, got[name], want[i])
			}
		}
	}
	p.choose("tools", "box")
	p.awaitState("tool", "box")
	p.dragOver([2]int{10, 20}, [2]int{20, 35}, [2]int{30, 40})
	p.awaitState("reg", "box:10,20;31,41")
	check("box", want[:6])
	code := "document.querySelector('.region code')?.textContent.endsWith(%q)"
	p.wait(fmt.Sprintf(code, "[1, 10:31, 20:41]"))

	p.choose("tools", "line")
	p.awaitState("tool", "line")
	p.dragOver([2]int{5, 5}, [2]int{30, 30}, [2]int{50, 70})
	p.awaitState("reg", "line:5,5;50,70")
	check("line", want[6:12])
	p.wait(fmt.Sprintf(code, strings.ReplaceAll(strings.TrimPrefix(line, "a[1]"), "\"", "")))
	// The address has the region; another slice has its own numbers.
	p.show("at=2,y,x&map=grey&theme=light&reg=box:10,20;31,41")
	check("the same box of another slice", want[12:])
	a, err := npy.Read(bytes.NewReader(p.regionFile()))
	if err != nil || fmt.Sprint(a.Shape()) != "[21 21]" {
		t.Errorf("the box as npy: %v, %v", a, err)
	}

	p.choose("tools", "path")
	p.awaitState("tool", "path")
	p.dragOver([2]int{1, 1}, [2]int{1, 10}, [2]int{20, 10}, [2]int{20, 30})
	p.wait("/^path:/.test(new URLSearchParams(location.hash.slice(1)).get('reg'))")
	var sum float64
	at := func(y, x int) float64 { return data[2*ny*nx+y*nx+x] }
	for x := 1; x <= 10; x++ {
		sum += at(1, x)
	}
	for y := 2; y <= 20; y++ {
		sum += at(y, 10)
	}
	for x := 11; x <= 30; x++ {
		sum += at(20, x)
	}
	p.wait("document.querySelector('.region dd')?.textContent === '49'")
	if got := p.listed(".region")["sum"]; !closeTo(got, sum) {
		t.Errorf("the sum along a path is %s, want %v", got, sum)
	}
	p.keys(kb.Escape)
	p.awaitState("reg", "")
	p.wait("document.querySelector('.region').hidden")
}

// regionFile returns the region as npy.
func (p *tab) regionFile() []byte {
	p.t.Helper()
	text := eval[string](p, `(async () => {
		const { click } = HTMLAnchorElement.prototype;
		const href = await new Promise((done) => {
			HTMLAnchorElement.prototype.click = function () { done(this.href); };
			[...document.querySelectorAll('.region button')].find((b) => b.textContent === 'npy').click();
		});
		HTMLAnchorElement.prototype.click = click;
		return btoa(String.fromCharCode(...new Uint8Array(await (await fetch(href)).arrayBuffer())));
	})()`)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// Histograms have the bins and the range that one chooses; sums are a projection with a code and statistics of its own; an axis
// plays at a speed.
func TestHistogramAndProjection(t *testing.T) {
	const nz, ny, nx = 40, 30, 20
	data, random := make([]int32, nz*ny*nx), oracle.Rand(t)
	for i := range data {
		data[i] = int32(random.IntN(1000))
	}
	path := writeNPY(t, "a.npy", data, nz, ny, nx)
	want := numpy(t, path, "[*np.histogram(a[3], bins=7, range=(100, 500))[0], *np.histogram(a[3], bins=5)[0], a.sum(axis=0).max(), a.sum(axis=0).mean()]")
	p := open(t, serve(t, path)+"#view=histogram&at=3,y,x&bins=7&h0=100&h1=500&theme=light")
	counts := func(bins int) []float64 {
		t.Helper()
		p.wait(fmt.Sprintf("document.querySelector('#stage > *')?.dataset.counts?.split(',').length === %d", bins))
		return eval[[]float64](p, "document.querySelector('#stage > *').dataset.counts.split(',').map(Number)")
	}
	if got := counts(7); !alike(got, want[:7]) {
		t.Errorf("the histogram is %v, want %v", got, want[:7])
	}
	code := func(text string) {
		t.Helper()
		p.wait(fmt.Sprintf("[...document.querySelectorAll('.code code')].some((c) => c.textContent === %q)", text))
	}
	code("np.histogram(np.load(\"" + path + "\")[3, :, :], bins=7, range=(100, 500))")
	p.show("view=histogram&at=3,y,x&bins=5&theme=light")
	if got := counts(5); !alike(got, want[7:12]) {
		t.Errorf("the histogram is %v, want %v", got, want[7:12])
	}
	p.show("view=heatmap&at=sum,y,x&theme=light")
	p.drawn()
	code("np.nansum(np.load(\"" + path + "\"), axis=0)")
	p.wait(fmt.Sprintf("[...document.querySelectorAll('.statistics dd')].some((d) => d.title === '%.0f')", want[12]))
	if got := p.listed(".statistics"); !closeTo(got["mean"], want[13]) {
		t.Errorf("the mean of the sums is %s, want %v", got["mean"], want[13])
	}

	p.show("view=heatmap&at=0,y,x&speed=30&theme=light")
	p.keys(" ")
	p.wait("document.querySelector('select[data-name=speed]')?.value === '30'")
	p.wait("Number(document.querySelector('[data-name=number0]').value) > 4")
	p.keys(" ")
	p.wait("!document.querySelector('select[data-name=speed]')")
}

// Two fields, and two arrays of one shape, are compared as points or as hexagons with the number of pairs in each.
func TestScatter(t *testing.T) {
	const n = 9000
	shocks, random := make([]shock, n), oracle.Rand(t)
	for i := range shocks {
		mag := random.NormFloat64()
		shocks[i] = shock{fmt.Sprint("s", i), float32(mag), int32(100*mag + 30*random.NormFloat64()), i%2 == 0}
	}
	records, err := record.FromSlice(shocks)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shocks.npy")
	if err := npy.WriteFile(path, records); err != nil {
		t.Fatal(err)
	}
	pairs := writeNPZ(t, "pairs.npz", []string{"u", "v", "w"}, array(t, []float64{1, 2, 3, 4, 5, 6}, 2, 3), array(t, []int8{10, 20, 30, 40, 50, 60}, 2, 3), array(t, []int8{1}, 1))
	p := open(t, serve(t, path, pairs)+"#view=scatter&hexes=30&theme=light")
	p.drawn()
	p.wait("document.querySelector('#stage > *').dataset.counts")
	rows := eval[string](p, "new URL(performance.getEntriesByType('resource').filter((e) => /pairs/.test(e.name)).pop().name).searchParams.get('hexrows')")
	// matplotlib.hexbin, as its source has it.
	want := numpy(t, path, `(lambda u, v, nx, ny: (lambda i1, j1, i2, j2: (lambda d: np.concatenate([
		np.bincount((i1*(ny+1)+j1)[d], minlength=(nx+1)*(ny+1)), np.bincount((i2*ny+j2)[~d], minlength=nx*ny)]))(
		(u-i1)**2+3*(v-j1)**2 < (u-i2-.5)**2+3*(v-j2-.5)**2))(
		np.rint(u).astype(int), np.rint(v).astype(int), np.minimum(u.astype(int), nx-1), np.minimum(v.astype(int), ny-1)))(
		*[(x-x.min())/(x.max()-x.min())*n for x, n in [(a["mag"].astype(float), 30), (a["depth"].astype(float), `+rows+`)]], 30, `+rows+`)`)
	if got := eval[[]float64](p, "document.querySelector('#stage > *').dataset.counts.split(',').map(Number)"); !alike(got, want) {
		t.Errorf("the hexagons have %v, want %v", got, want)
	}
	// A part that one zooms to has its own hexagons.
	p.show("view=scatter&hexes=30&theme=light&sx=0.0.depth&sy=0.0.mag&a0=-50&a1=50&d0=0&d1=1")
	p.drawn()
	inside := 0.0
	for _, s := range shocks {
		if s.Depth >= -50 && s.Depth <= 50 && s.Mag >= 0 && s.Mag <= 1 {
			inside++
		}
	}
	p.wait(fmt.Sprintf("document.querySelector('#stage > *').dataset.counts.split(',').reduce((a, b) => a + Number(b), 0) === %v", inside))
	_, data := p.export("npy")
	a, err := npy.Read(bytes.NewReader(data))
	if err != nil || a.Len() != n || a.DType().Field(0).Name != "depth" || a.DType().Field(1).Name != "mag" {
		t.Errorf("the export has %v, %v", a, err)
	}

	// Few pairs are points, each at its values.
	p.show("f=1&e=0&view=scatter&at=y,x&theme=light")
	p.wait("document.querySelector('select[data-name=y]').textContent === 'uv' && document.querySelector('select[data-name=y]').value === '1.1'")
	p.drawn()
	if got := eval[[]string](p, "[...document.querySelectorAll('select[data-name=x] option')].map((o) => o.textContent)"); fmt.Sprint(got) != "[u v]" {
		t.Errorf("the arrays to choose from are %q", got)
	}
	im := p.pixels(canvas)
	box := eval[[]float64](p, "(() => { const c = document.querySelector('.pane canvas').getBoundingClientRect(); return [c.width, c.height, devicePixelRatio]; })()")
	for i := range 6 {
		x, y := 78+float64(i)/5*(box[0]-100), 16+(1-float64(i)/5)*(box[1]-66)
		if i == 0 || i == 5 {
			continue // half of it is outside
		}
		if c := im.NRGBAAt(int(x*box[2]), int(y*box[2])); c.B < c.R+60 {
			t.Errorf("there is no point at %v, %v: %v", x, y, c)
		}
	}
	p.show("f=1&e=2&view=scatter&theme=light")
	p.wait("/no other array has this shape/.test(document.querySelector('.controls').textContent)")
}

// Three planes go through one element; a click on one of them moves the others.
func TestPlanes(t *testing.T) {
	const nz, ny, nx = 6, 12, 16
	data := make([]float32, nz*ny*nx)
	for i := range data {
		data[i] = float32((i * 37) % 251)
	}
	p := open(t, serve(t, writeNPY(t, "cube.npy", data, nz, ny, nx))+"#at=2,y,x&map=grey&lo=0&hi=251&cy=7&cx=11&theme=light")
	p.drawn()
	p.choose("tools", "planes")
	p.awaitState("planes", "1")
	check := func(z, y, x int) {
		t.Helper()
		p.wait("document.querySelectorAll('.pane:not([hidden]) canvas').length === 3 && document.querySelector('[data-pane=\"2\"]').dataset.frame")
		for i, size := range [][2]int{{ny, nx}, {nz, nx}, {ny, nz}} {
			im := p.heatmap(fmt.Sprintf("[data-pane=\"%d\"]", i))
			wrong := 0
			for r := range size[0] {
				for c := range size[1] {
					at := [][3]int{{z, r, c}, {r, y, c}, {c, r, x}}[i]
					if got, want := im.at(r, c), grey(float64(data[(at[0]*ny+at[1])*nx+at[2]]), 0, 251); !near(got, want, 1) {
						if wrong++; wrong == 1 {
							t.Errorf("plane %d: cell %d,%d is %v, want %v", i, r, c, got, want)
						}
					}
				}
			}
		}
	}
	check(2, 7, 11)
	names, files := p.exports("npy", 3) // with the axes in their order
	for i, want := range []string{"[12 16]", "[6 16]", "[6 12]"} {
		a, err := npy.Read(bytes.NewReader(files[i]))
		if err != nil || fmt.Sprint(a.Shape()) != want {
			t.Errorf("%s has %v, %v, want the shape %s", names[i], a, err, want)
		}
	}
	eval[bool](p, `(() => {
		const c = document.querySelector('[data-pane="1"]'), box = c.getBoundingClientRect();
		const [left, top, w, h, y0, y1, x0, x1] = c.dataset.frame.split(',').map(Number);
		c.setPointerCapture = () => {};
		for (const type of ['pointerdown', 'pointerup']) c.dispatchEvent(new PointerEvent(type, {clientX: box.left + left + 3.5 / (x1 - x0) * w, clientY: box.top + top + 4.5 / (y1 - y0) * h, button: 0, pointerId: 1, isPrimary: true, bubbles: true, pointerType: 'mouse'}));
		return true;
	})()`)
	p.awaitState("at", "4,y,x")
	p.awaitState("cx", "3")
	check(4, 7, 3)
	p.keys(kb.Escape)
	p.awaitState("planes", "")
	p.wait("document.querySelectorAll('.pane:not([hidden]) canvas').length === 1")
}
