//go:build !purego

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// What takes long tells how much of it is done, and can be stopped: the sample that came before stays, and the next change asks again.
func TestStop(t *testing.T) {
	const n = 2400
	data := make([]uint8, n*n)
	for i := range data {
		data[i] = uint8(i / n / 300)
	}
	p := open(t, serve(t, writeNPY(t, "a.npy", data, n, n), writeNPY(t, "b.npy", data, n, n))+"#f=1&view=table")
	p.settled()
	// Exact pictures come when they may, which a server says of itself.
	eval[bool](p, `(() => {
		const ask = window.fetch;
		window.waits = true;
		window.fetch = (url, options) => {
			if (/^work\?/.test(url)) return Promise.resolve(new Response('{"done":[0.75,0.25]}'));
			if (!window.waits || !/^picture\?/.test(url) || /quick=1/.test(url)) return ask(url, options);
			return new Promise((_, fail) => options.signal.addEventListener('abort', () => fail(options.signal.reason)));
		};
		return true;
	})()`)
	eval[bool](p, "(location.hash = 'f=0&e=0&view=heatmap&map=grey&lo=0&hi=7', true)")
	p.wait("document.getElementById('stop')?.checkVisibility() && document.getElementById('work').value === 0.25")
	p.do(chromedp.Click("#stop"))
	p.wait("document.querySelector('.status').textContent.includes('stopped') && !document.getElementById('stop').checkVisibility()")
	if !eval[bool](p, "document.querySelector('.problem').hidden") {
		t.Errorf("the page complains: %s", p.text(".problem"))
	}
	sampled := p.heatmap()
	for band := range 8 {
		if got, want := sampled.at(band*300+150, 1200), grey(float64(band), 0, 7); !near(got, want, 2) {
			t.Errorf("band %d is %v, want %v", band, got, want)
		}
	}
	eval[bool](p, "(window.waits = false, location.hash = 'f=0&e=0&view=heatmap&map=grey&lo=0&hi=7&y0=0&y1=600&x0=0&x1=600', true)")
	p.wait("!document.querySelector('.status').textContent.includes('stopped') && !document.body.classList.contains('busy')")
	p.drawn()
}
