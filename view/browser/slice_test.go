//go:build !purego

package browser

import (
	"fmt"
	"testing"
)

// The code of a slice gives what is seen: the difference of two arrays, all series, the part of complex numbers.
func TestSliceIsSeen(t *testing.T) {
	ints := make([]uint8, 40)
	zs := make([]complex128, 40)
	for i := range ints {
		ints[i], zs[i] = uint8(i), complex(float64(i), 1)
	}
	path := writeNPZ(t, "a.npz", []string{"a", "b", "z"}, array(t, ints, 10, 4), array(t, ints, 10, 4), array(t, zs, 10, 4))
	p := open(t, serve(t, path))
	p.drawn()
	load := func(name string) string { return fmt.Sprintf("np.load(%q)[%q]", path, name) }
	for _, c := range [][2]string{
		{"e=0&view=heatmap&cmp=0.1&mode=diff", "np.subtract(" + load("a") + ", " + load("b") + ", dtype=float)"},
		{"e=0&view=heatmap&at=y,x&y0=2&y1=6&cmp=0.1&mode=diff", "np.subtract(" + load("a") + "[2:6, :], " + load("b") + "[2:6, :], dtype=float)"},
		{"e=0&view=lines&at=s,x", load("a") + "[0:8, :]"},
		{"e=0&view=lines&at=s,x&row=5", load("a") + "[2:10, :]"},
		{"e=0&view=lines&at=3,x", load("a") + "[3, :]"},
		{"e=2&view=heatmap", "np.abs(" + load("z") + ")"},
		{"e=2&view=heatmap&part=polar", load("z")},
		{"e=2&view=lines&at=3,x&part=re", load("z") + "[3, :].real"},
		{"e=2&view=table", load("z")},
	} {
		p.show(c[0])
		p.wait(fmt.Sprintf("[...document.querySelectorAll('.code code')].some((c) => c.textContent === %q)", c[1]))
	}
}

// Nothing is asked about an array with what the page knows of the one before: not by timers, and not by moves, while the answer
// that says what the array is takes long.
func TestSlowArray(t *testing.T) {
	ints, zs := make([]uint8, 40), make([]complex128, 40)
	p := open(t, serve(t, writeNPZ(t, "a.npz", []string{"a", "z"}, array(t, ints, 10, 4), array(t, zs, 10, 4)))+"#e=1&view=heatmap")
	p.drawn()
	// Answers about arrays wait. Questions about the array e=0 are counted from here on.
	eval[bool](p, `(() => {
		const ask = window.fetch;
		window.asked = [];
		window.fetch = async (url, options) => {
			if (/\be=0\b/.test(url)) window.asked.push(url);
			const answer = await ask(url, options);
			if (/^array\?/.test(url)) await new Promise((done) => window.go = done);
			return answer;
		};
		return true;
	})()`)
	p.show("e=1&view=heatmap&y1=6") // starts the timers of the code and the statistics
	p.wait("/y1=6/.test(location.hash)")
	eval[bool](p, `(document.querySelector('[data-key="e0.0"]').click(), true)`)
	p.wait("window.go")
	p.keys("g") // a change of the state
	eval[bool](p, "new Promise((done) => setTimeout(() => done(true), 1000))")
	if got := eval[string](p, "window.asked.filter((url) => !/^array\\?/.test(url)).join(' ')"); got != "" {
		t.Errorf("before the array is known, the page asks %s", got)
	}
	eval[bool](p, "(window.go(), true)")
	p.wait("/uint8/.test(document.querySelector('.title').textContent) && /\\['a'\\]|\"a\"/.test(document.querySelector('.code').textContent)")
}
