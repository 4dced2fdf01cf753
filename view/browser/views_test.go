//go:build !purego

package browser

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/npygo/npy/record"
)

// settled waits until the page has nothing left to ask and to write.
func (p *tab) settled() {
	p.t.Helper()
	const still = "!document.body.classList.contains('busy') && ![...document.querySelectorAll('.td.waiting')].some((c) => c.checkVisibility())"
	p.wait(still)
	eval[bool](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
	p.wait(still)
}

// table returns the rows of a table that are on the screen, each with its number before its cells.
func (p *tab) table(nth ...int) [][]string {
	p.t.Helper()
	p.settled()
	n := 0
	if len(nth) > 0 {
		n = nth[0]
	}
	return eval[[][]string](p, fmt.Sprintf(`[...[...document.querySelectorAll('#stage .table')][%d].querySelectorAll('.trow:not([hidden])')]
		.map((row) => [...row.children].filter((c) => !c.hidden).map((c) => c.textContent))`, n))
}

// sameRows compares the rows that a table shows first.
func sameRows(t *testing.T, what string, got, want [][]string) {
	t.Helper()
	if len(got) < min(len(want), 10) || len(got) > len(want)+1 && len(want) < 15 {
		t.Errorf("%s: the table has %d rows, want %d", what, len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s: row %d is %q, want %q", what, i, got[i], want[i])
			return
		}
	}
}

type shock struct {
	Name  string  `npy:"name,U8"`
	Mag   float32 `npy:"mag"`
	Depth int32   `npy:"depth"`
	Felt  bool    `npy:"felt"`
}

func (s shock) cells(row int) []string {
	text := func(b bool) string { return strings.ToUpper(strconv.FormatBool(b)[:1]) + strconv.FormatBool(b)[1:] }
	mag := strconv.FormatFloat(float64(s.Mag), 'g', -1, 32)
	if !strings.Contains(mag, ".") && s.Mag == s.Mag {
		mag += ".0"
	}
	if s.Mag != s.Mag {
		mag = "nan"
	}
	return []string{strconv.Itoa(row), s.Name, mag, strconv.Itoa(int(s.Depth)), text(s.Felt)}
}

// Records are filtered and sorted as they are in Go; rows keep their numbers.
func TestRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows := make([]shock, 300)
	for i := range rows {
		rows[i] = shock{fmt.Sprintf("us%04d", r.IntN(10000)), float32(r.IntN(60)) / 8, int32(r.IntN(20)), r.IntN(2) == 0}
	}
	rows[7].Mag = float32(math.NaN())
	a, err := record.FromSlice(rows)
	if err != nil {
		t.Fatal(err)
	}
	path := writeNPZ(t, "shocks.npz", []string{"shocks"}, a)
	p := open(t, serve(t, path))
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	want := func(order []int) (out [][]string) {
		for _, i := range order {
			out = append(out, rows[i].cells(i))
		}
		return out
	}
	p.wait("document.querySelector('.th')")
	sameRows(t, "all", p.table(), want(order))

	click := func(column string, shift bool) {
		p.settled()
		eval[bool](p, fmt.Sprintf("[...document.querySelectorAll('.th')].find((h) => h.textContent.startsWith(%q)).dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: %v}))", column, shift))
	}
	byMag := func(i, j int) int {
		x, y := rows[i].Mag, rows[j].Mag
		switch {
		case x != x || y != y:
			return map[bool]int{true: 1}[x != x] - map[bool]int{true: 1}[y != y]
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	click("mag", false)
	p.awaitState("sort", "mag")
	up := slices.Clone(order)
	slices.SortStableFunc(up, byMag)
	sameRows(t, "by mag", p.table(), want(up))
	click("mag", false)
	p.awaitState("sort", "-mag")
	down := slices.Clone(order)
	slices.SortStableFunc(down, func(i, j int) int {
		if rows[i].Mag != rows[i].Mag || rows[j].Mag != rows[j].Mag {
			return byMag(i, j) // NaN comes last
		}
		return -byMag(i, j)
	})
	sameRows(t, "by -mag", p.table(), want(down))
	click("depth", false)
	click("mag", true)
	p.awaitState("sort", "depth,mag")
	both := slices.Clone(up)
	slices.SortStableFunc(both, func(i, j int) int { return int(rows[i].Depth - rows[j].Depth) })
	sameRows(t, "by depth and mag", p.table(), want(both))

	p.keys("w")
	p.keys("mag > 4 and felt" + kb.Enter)
	p.awaitState("where", "mag > 4 and felt")
	found := slices.DeleteFunc(slices.Clone(both), func(i int) bool { return !(rows[i].Mag > 4 && rows[i].Felt) })
	p.wait(fmt.Sprintf("document.querySelector('.controls .note').textContent === '%d of 300 rows'", len(found)))
	sameRows(t, "filtered and sorted", p.table(), want(found))

	address := eval[string](p, "location.href")
	again := open(t, address)
	again.wait(fmt.Sprintf("document.querySelector('.controls .note')?.textContent === '%d of 300 rows'", len(found)))
	sameRows(t, "the same address", again.table(), want(found))
	again.do(chromedp.Navigate("about:blank"))

	// The end of the table, and a condition that cannot be read.
	eval[bool](p, "document.activeElement.blur() ?? true")
	p.keys("s") // by the column of the cursor, which is the first
	p.awaitState("sort", "name")
	p.keys(kb.End, chromedp.ModifierCtrl)
	slices.SortStableFunc(found, func(i, j int) int { return i - j })
	slices.SortStableFunc(found, func(i, j int) int { return strings.Compare(rows[i].Name, rows[j].Name) })
	p.awaitState("cy", strconv.Itoa(len(found)-1))
	shown := p.table()
	if last := want(found)[len(found)-1]; !slices.ContainsFunc(shown, func(row []string) bool { return slices.Equal(row, last) }) {
		t.Errorf("the end of the table is %q, without %q", shown[len(shown)-1], last)
	}
}

// A condition that cannot be read is explained, and the console stays empty but for the refusal.
func TestRecordsRefused(t *testing.T) {
	p := open(t, serve(t, writeNPY(t, "x.npy", []int64{1, 2, 3}, 3))+"#view=table&where=x+%3E", "400 (Bad Request)")
	p.wait("document.querySelector('.table-message')?.hidden === false && /condition|expression|unexpected|end/.test(document.querySelector('.table-message').textContent)")
}

// Two arrays side by side have one window; flipped they change places; their difference is drawn, with a tolerance.
func TestCompare(t *testing.T) {
	c := newColours()
	other := slices.Clone(c.plain)
	for i := range other {
		other[i] += float64(i%5-2) * 10
	}
	other[40] = 3
	path := writeNPZ(t, "two.npz", []string{"a", "b"}, array(t, c.plain, ny, nx), array(t, other, ny, nx))
	p := open(t, serve(t, path)+"#view=heatmap&map=grey&lo=-1000&hi=1200")
	p.drawn()
	eval[bool](p, "document.querySelector('[data-key=\"e0.1\"]').dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: true}))")
	p.awaitState("cmp", "0.1")
	panes := func(what string, want ...[]float64) (im []picture) {
		t.Helper()
		for k, values := range want {
			im = append(im, p.heatmap(fmt.Sprintf(".pane canvas[data-pane='%d']", k)))
			colour := greys(values, "linear", -1000, 1200)
			for i := range values {
				y, x := i/nx, i%nx
				if float64(y) < im[k].y0 || float64(y) > im[k].y1-1 || float64(x) < im[k].x0 || float64(x) > im[k].x1-1 {
					continue // not on the screen
				}
				if got, want := im[k].at(y, x), colour(i); !near(got, want, 0) {
					t.Errorf("%s: cell %d,%d of pane %d is %v, want %v", what, y, x, k, got, want)
					return im
				}
			}
		}
		return im
	}
	panes("side by side", c.plain, other)
	p.keys("+") // zooms both
	p.wait("/y0=/.test(location.hash)")
	im := panes("zoomed", c.plain, other)
	if a, b := im[0], im[1]; a.y0 != b.y0 || a.y1 != b.y1 || a.x0 != b.x0 || a.x1 != b.x1 || a.x0 <= 0 {
		t.Errorf("the windows are %v and %v", []float64{a.y0, a.y1, a.x0, a.x1}, []float64{b.y0, b.y1, b.x0, b.x1})
	}
	p.keys("b")
	p.awaitState("cmp", "0.0")
	p.wait("document.querySelector('.compare-bar .what').textContent === 'b'")
	panes("flipped", other, c.plain)
	p.keys("b")
	p.awaitState("cmp", "0.1")
	p.keys("h")
	p.awaitState("lo", "")
	p.keys("d")
	p.awaitState("mode", "diff")
	// Differences are between -20 and 20, and NaN where one is NaN.
	check := func(what string, tolerance float64) {
		t.Helper()
		im := p.heatmap()
		for i := range c.plain {
			d := c.plain[i] - other[i]
			want := grey(d, -20, 20)
			if math.IsNaN(d) {
				want = color.NRGBA{255, 0, 200, 255}
			} else if tolerance > 0 && math.Abs(d) <= tolerance {
				want = color.NRGBA{150, 150, 150, 255}
			}
			if got := im.at(i/nx, i%nx); got != want {
				t.Errorf("%s: cell %d, the difference %v, is %v, want %v", what, i, d, got, want)
				return
			}
		}
	}
	check("difference", 0)
	p.do(chromedp.Focus(chromedp.CSS("[data-name=Tolerance]")), chromedp.SendKeys(chromedp.CSS("[data-name=Tolerance]"), kb.Backspace+"10"+kb.Enter))
	p.awaitState("tol", "10")
	check("difference with a tolerance", 10)
	over := 0
	for i := range c.plain {
		if !(math.Abs(c.plain[i]-other[i]) <= 10) {
			over++
		}
	}
	if text := p.text(".controls"); !strings.Contains(text, fmt.Sprintf("%d of %d pixels differ", over, ny*nx)) {
		t.Errorf("the page says %q, want %d of %d", text, over, ny*nx)
	}
	eval[bool](p, "document.activeElement.blur() ?? true")
	p.keys("x")
	p.awaitState("cmp", "")
	p.wait("document.querySelector('.compare-bar').hidden")
}

// A plot is the lines as they are drawn.
type plot struct{ picture }

func (p *tab) plot() plot { p.t.Helper(); return plot{p.heatmap("#stage .lines canvas")} }

// place returns the pixel of a point, on scales.
func (c plot) place(x, y float64, of func(float64) float64) (int, int) {
	tx := (of(x) - of(c.x0)) / (of(c.x1) - of(c.x0))
	ty := (of(y) - of(c.y0)) / (of(c.y1) - of(c.y0))
	return int(c.left + tx*c.w), int(c.top + (1-ty)*c.h)
}

var seriesColours = []color.NRGBA{{0, 0x72, 0xb2, 255}, {0xd5, 0x5e, 0, 255}, {0, 0x9e, 0x73, 255}}

// Each point of a line is where its value is: of several series, over another array, on logarithmic axes, with errors.
func TestLinesPlaces(t *testing.T) {
	const n = 20
	var data []float64
	var xs, errs []float64
	for k := range 3 {
		for i := range n {
			data = append(data, 100*float64(k+1)+20*math.Sin(float64(i+k)))
		}
	}
	for i := range n {
		xs, errs = append(xs, 3+float64(i*i)), append(errs, 4+float64(i%3))
	}
	path := writeNPZ(t, "lines.npz", []string{"data", "xs", "errs"}, array(t, data, 3, n), array(t, xs, n), array(t, errs, n))
	p := open(t, serve(t, path)+"#view=lines&at=0,x")
	line := func(v float64) float64 { return v }
	for _, x := range []struct {
		hash   string
		series []int
		x      func(i int) float64
		scale  func(float64) float64
	}{
		{"view=lines&at=1,x", []int{1}, func(i int) float64 { return float64(i) }, line},
		{"view=lines&at=s,x", []int{0, 1, 2}, func(i int) float64 { return float64(i) }, line},
		{"view=lines&at=2,x&xs=0.1", []int{2}, func(i int) float64 { return xs[i] }, line},
		{"view=lines&at=2,x&xs=0.1&xlog=1&ylog=1", []int{2}, func(i int) float64 { return xs[i] }, math.Log},
		{"view=lines&at=0,x&series=0.0.@1,x~0.0.@2,x", []int{0, 1, 2}, func(i int) float64 { return float64(i) }, line},
	} {
		p.show(x.hash)
		im := p.plot()
		for s, k := range x.series {
			for i := range n - 1 { // the last is on the frame
				px, py := im.place(x.x(i), data[k*n+i], x.scale)
				if got := im.NRGBAAt(px, py); !near(got, seriesColours[s], 2) {
					t.Errorf("%s: point %d of series %d at %d,%d is %v", x.hash, i, k, px, py, got)
					p.picture("lines" + strconv.Itoa(len(x.hash)))
					break
				}
			}
		}
		if got := eval[int](p, "document.querySelectorAll('.legend .series').length"); got != len(x.series) {
			t.Errorf("%s: the legend has %d series, want %d", x.hash, got, len(x.series))
		}
	}

	// The band is between value - error and value + error, and nowhere else.
	p.show("view=lines&at=0,x&err=0.2")
	im := p.plot()
	blue := func(i int, v float64) bool {
		px, py := im.place(float64(i), v, line)
		c := im.NRGBAAt(px, py)
		return (int(c.B)-int(c.R))*int(c.A)/255 > 20 // more than a line of the grid has
	}
	for i := 1; i < n-1; i++ {
		v, e := data[i], errs[i]
		for _, x := range []struct {
			at   float64
			want bool
		}{{v + 0.7*e, true}, {v - 0.7*e, true}, {v + 1.4*e, false}, {v - 1.4*e, false}} {
			if got := blue(i, x.at); got != x.want {
				t.Errorf("point %d, %v ± %v: in the band at %v is %v", i, v, e, x.at, got)
			}
		}
	}
}

// Lines over scattered x values are of some of them, and say so.
func TestThinned(t *testing.T) {
	const n = 100_000
	r := rand.New(rand.NewPCG(5, 6))
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range xs {
		xs[i], ys[i] = r.Float64(), r.Float64()
	}
	path := writeNPZ(t, "scattered.npz", []string{"ys", "xs"}, array(t, ys, n), array(t, xs, n))
	p := open(t, serve(t, path)+"#view=lines&xs=0.1")
	p.drawn()
	thinned := func() string { return eval[string](p, "document.querySelector('#stage > .lines').dataset.thinned") }
	if got := thinned(); got != "4" || !strings.Contains(p.text(".status-text"), "every 4th value") {
		t.Errorf("the page draws every %sth value and says %q", got, p.text(".status-text"))
	}
	im := p.plot()
	dark := 0
	for y := int(im.top) + 5; y < int(im.top)+23; y++ {
		for x := int(im.left+im.w) - 250; x < int(im.left+im.w)-10; x++ {
			if c := im.NRGBAAt(x, y); c.R < 100 && c.G < 100 && c.B < 100 && c.B < c.R+40 {
				dark++
			}
		}
	}
	if dark < 100 {
		t.Errorf("the picture itself does not say so: %d dark pixels", dark)
	}
	p.show("view=lines&xs=0.1&l0=1000&l1=9000")
	if got := thinned(); got != "" {
		t.Errorf("of 8000 points every %sth is drawn", got)
	}
}

// The histogram counts the elements as they are.
func TestHistogram(t *testing.T) {
	c := newColours()
	p := open(t, serve(t, writeNPY(t, "h.npy", c.plain, ny, nx))+"#view=histogram")
	p.wait("document.querySelector('.statistics dl')")
	p.settled()
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c.plain {
		if v == v {
			low, high = min(low, v), max(high, v)
		}
	}
	const bins = 64
	want := make([]int, bins)
	for _, v := range c.plain {
		if v == v {
			want[min(int((v-low)/(high-low)*bins), bins-1)]++
		}
	}
	got := eval[[]string](p, `(() => {
		const c = document.querySelector('#stage canvas'), box = c.getBoundingClientRect(), out = [];
		for (let i = 0; i < 64; i++) {
			c.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 78 + (i + 0.5) / 64 * (box.width - 100), clientY: box.top + 100, bubbles: true}));
			out.push(document.querySelector('#stage .tip-value').textContent);
		}
		c.dispatchEvent(new PointerEvent('pointerleave', {bubbles: true}));
		return out;
	})()`)
	im := p.pixels("#stage canvas")
	most := slices.Max(want)
	for i, n := range want {
		if got[i] != strconv.Itoa(n) {
			t.Errorf("bin %d has %s elements, want %d", i, got[i], n)
		}
		w, h := float64(im.Rect.Dx()-100), float64(im.Rect.Dy()-80)
		x := int(78 + (float64(i)+0.5)/bins*w)
		tall := 0
		for y := range im.Rect.Dy() {
			if near(im.NRGBAAt(x, y), seriesColours[0], 3) {
				tall++
			}
		}
		if want := h * float64(n) / (1.05 * float64(most)); math.Abs(float64(tall)-want) > 2 {
			t.Errorf("the bar of bin %d is %d pixels tall, want %.1f", i, tall, want)
		}
	}
}
