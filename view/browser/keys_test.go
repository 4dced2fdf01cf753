//go:build !purego

package browser

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drag drags with the mouse between two places of an element, as shares of its size.
func (p *tab) drag(selector string, x0, y0, x1, y1 float64, shift bool) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const c = document.querySelector(%q), box = c.getBoundingClientRect();
		c.setPointerCapture = () => {}; // of a pointer that there is not
		const send = (type, x, y) => c.dispatchEvent(new PointerEvent(type, {clientX: box.left + x * box.width, clientY: box.top + y * box.height,
			button: 0, buttons: 1, pointerId: 1, isPrimary: true, bubbles: true, pointerType: 'mouse', shiftKey: %v}));
		send('pointerdown', %[3]v, %[4]v);
		for (let i = 1; i <= 5; i++) send('pointermove', %[3]v + (%[5]v - %[3]v) * i / 5, %[4]v + (%[6]v - %[4]v) * i / 5);
		send('pointerup', %[5]v, %[6]v);
		return true;
	})()`, selector, shift, x0, y0, x1, y1))
}

// wheel turns the wheel over the middle of the picture.
func (p *tab) wheel(by int, shift, alt bool) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const c = document.querySelector('.pane canvas'), box = c.getBoundingClientRect();
		return c.dispatchEvent(new WheelEvent('wheel', {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2,
			deltaY: %d, shiftKey: %v, altKey: %v, bubbles: true, cancelable: true})) || true;
	})()`, by, shift, alt))
}

// Every key works as the help says. A key in the help that has no test here is an error.
func TestKeysOfHelp(t *testing.T) {
	cube := make([]float32, 4*40*50)
	for i := range cube {
		cube[i] = float32(math.Sin(float64(i)) + 2)
	}
	path := writeNPZ(t, "cubes.npz", []string{"a", "b", "image"}, array(t, cube, 4, 40, 50), array(t, cube, 4, 40, 50), array(t, make([]uint8, 20*20*3), 20, 20, 3))
	p := open(t, serve(t, path))
	p.drawn()
	const base = "view=heatmap&at=1,y,x"
	is := p.awaitState
	has := func(key string) {
		p.t.Helper()
		p.wait(fmt.Sprintf("new URLSearchParams(location.hash.slice(1)).has(%q)", key))
	}
	hasNot := func(key string) {
		p.t.Helper()
		p.wait(fmt.Sprintf("!new URLSearchParams(location.hash.slice(1)).has(%q)", key))
	}
	window := func() string {
		return p.state("y0") + " " + p.state("y1") + " " + p.state("x0") + " " + p.state("x1")
	}
	rests := func() { time.Sleep(350 * time.Millisecond) } // a place of the trail is noted once the page rests
	zoomed := func() {
		p.t.Helper()
		p.keys("+")
		has("y0")
		rests()
	}
	blur := func() { eval[bool](p, "document.activeElement.blur() ?? true") }
	tests := map[string]func(){
		"Everywhere ?": func() {
			p.keys("?")
			p.wait("document.querySelector('dialog.help[open]')")
			p.keys(kb.Escape)
			p.wait("!document.querySelector('dialog')")
		},
		"Everywhere /": func() {
			p.keys("/")
			p.wait("document.activeElement.id === 'search' && document.activeElement.value === ''")
			p.keys("ima")
			p.wait("document.querySelectorAll('[role=treeitem]').length === 2")
			p.keys(kb.Escape)
			p.wait("document.querySelectorAll('[role=treeitem]').length === 4")
		},
		"Everywhere 1 … 7": func() {
			p.show("f=0&e=2&view=heatmap")
			for i, view := range []string{"heatmap", "image", "lines", "table", "histogram", "text", "scatter"} {
				p.keys(fmt.Sprint(i + 1))
				is("view", view)
				p.wait(fmt.Sprintf("document.querySelector('[role=tab][aria-selected=true]').dataset.view === %q", view))
			}
		},
		"Everywhere t": func() {
			p.keys("t")
			is("theme", "dark")
			p.wait("getComputedStyle(document.body).backgroundColor === 'rgb(18, 23, 29)'")
			p.keys("t")
			is("theme", "light")
			p.wait("getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'")
		},
		"Everywhere e": func() {
			p.keys("e")
			p.wait("document.activeElement.id === 'export'")
			blur()
		},
		"Everywhere y": func() {
			eval[bool](p, "(window.copied = '', navigator.clipboard.writeText = async (text) => { window.copied = text }, true)")
			p.keys("y")
			p.wait("window.copied === location.href && document.querySelector('.status-text').textContent === 'address copied'")
		},
		"Everywhere m": func() {
			p.keys("m")
			is("map", "magma")
			p.keys("m")
			is("map", "inferno")
		},
		"Everywhere i": func() {
			before := eval[bool](p, "document.querySelector('.side').offsetWidth > 0")
			p.keys("i")
			p.wait(fmt.Sprintf("(document.querySelector('.side').offsetWidth > 0) === %v", !before))
			p.keys("i")
			p.wait(fmt.Sprintf("(document.querySelector('.side').offsetWidth > 0) === %v", before))
		},
		"Looking h, Home": func() {
			for _, key := range []string{"h", kb.Home} {
				zoomed()
				p.keys(key)
				hasNot("y0")
			}
		},
		"Looking c, Backspace": func() {
			for _, key := range []string{"c", kb.Backspace} {
				rests()
				zoomed()
				p.keys(key)
				hasNot("y0")
			}
		},
		"Looking v": func() {
			rests()
			zoomed()
			before := window()
			p.keys("c")
			hasNot("y0")
			p.keys("v")
			has("y0")
			if after := window(); after != before {
				t.Errorf("v shows %s, want %s", after, before)
			}
		},
		"Looking o": func() {
			p.keys("o")
			is("tool", "zoom")
			im := p.heatmap()
			box := im.Rect
			p.drag(canvas, 0.4, 0.4, 0.6, 0.6, false)
			has("y0")
			p.drawn()
			now := p.heatmap()
			if share := (now.y1 - now.y0) / (im.y1 - im.y0); share > 0.5 {
				t.Errorf("the box has %.2f of the rows (of a picture of %v)", share, box)
			}
		},
		"Looking p": func() {
			p.keys("o")
			is("tool", "zoom")
			p.keys("p")
			is("tool", "")
			zoomed()
			before := p.heatmap()
			p.drag(canvas, 0.5, 0.5, 0.6, 0.5, false)
			rests()
			after := p.heatmap()
			if d, want := before.x0-after.x0, 0.1*float64(before.Rect.Dx())/before.w*(before.x1-before.x0); math.Abs(d-want) > 1 {
				t.Errorf("the picture went by %.2f columns, want %.2f", d, want)
			}
		},
		"Looking +  −": func() {
			p.keys("+")
			has("y0")
			rests()
			in := p.heatmap()
			p.keys("+")
			rests()
			if further := p.heatmap(); further.y1-further.y0 >= in.y1-in.y0 {
				t.Errorf("+ shows rows %v to %v after %v to %v", further.y0, further.y1, in.y0, in.y1)
			}
			for range 4 {
				p.keys("-")
			}
			rests()
			if out := p.heatmap(); out.y1-out.y0 <= in.y1-in.y0 {
				t.Errorf("- shows rows %v to %v after %v to %v", out.y0, out.y1, in.y0, in.y1)
			}
		},
		"Looking l": func() {
			p.keys("l")
			is("scale", "log")
			p.keys("l")
			is("scale", "")
			p.show("view=lines&at=1,1,x")
			p.keys("l")
			is("ylog", "1")
			p.show("view=histogram&at=1,y,x")
			p.keys("l")
			is("ylog", "1")
		},
		"Looking k": func() {
			p.show("view=lines&at=1,1,x")
			p.keys("k")
			is("xlog", "1")
		},
		"Looking g": func() {
			p.keys("g")
			is("grid", "1")
			p.keys("g")
			is("grid", "")
		},
		"Looking arrows": func() {
			p.show(base + "&cy=20&cx=20")
			p.keys(kb.ArrowDown)
			is("cy", "21")
			p.keys(kb.ArrowRight, chromedp.ModifierShift)
			is("cx", "30")
			p.keys(kb.ArrowUp)
			is("cy", "20")
			p.keys(kb.ArrowLeft)
			is("cx", "29")
			value := fmt.Sprintf("[1, 20, 29] %.3f", cube[1*40*50+20*50+29])
			p.wait(fmt.Sprintf("document.querySelector('.status-text').textContent.startsWith(%q)", value[:len(value)-1]))
		},
		"Slices [  ]": func() {
			p.keys("]")
			is("at", "2,y,x")
			p.keys("]]")
			is("at", "0,y,x") // round
			p.keys("[")
			is("at", "3,y,x")
		},
		"Slices space": func() {
			p.keys(" ")
			p.wait("document.querySelector('.play').getAttribute('aria-pressed') === 'true'")
			for _, at := range []string{"2,y,x", "3,y,x", "0,y,x"} {
				p.wait(fmt.Sprintf("document.querySelector('[data-name=number0]').value === %q", at[:1]))
			}
			p.keys(" ")
			p.wait("document.querySelector('.play').getAttribute('aria-pressed') === 'false'")
			rests()
			at := eval[string](p, "document.querySelector('[data-name=number0]').value")
			rests()
			if now := eval[string](p, "document.querySelector('[data-name=number0]').value"); now != at {
				t.Errorf("it plays on, from %s to %s", at, now)
			}
		},
		"Looking Escape": func() {
			p.show(base + "&reg=box:1,1;3,3&tool=box&cy=1&cx=1")
			p.keys(kb.Escape)
			is("reg", "")
			is("tool", "")
			is("cy", "1")
			p.keys(kb.Escape)
			is("cy", "")
		},
		"Comparing shift-click": func() {
			eval[bool](p, "document.querySelector('[data-key=\"e0.1\"]').dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: true}))")
			is("cmp", "0.1")
			p.wait("document.querySelectorAll('.pane:not([hidden]) canvas').length === 2")
		},
		"Comparing b": func() {
			p.show(base + "&e=0&cmp=0.1")
			p.keys("b")
			is("cmp", "0.0")
			is("e", "1")
		},
		"Comparing d": func() {
			p.show(base + "&e=0&cmp=0.1")
			p.keys("d")
			is("mode", "diff")
			p.wait("document.querySelector('.controls').textContent.includes('no pixel differs')")
			p.keys("d")
			is("mode", "")
		},
		"Comparing x": func() {
			p.show(base + "&e=0&cmp=0.1")
			p.keys("x")
			is("cmp", "")
		},
		"Table s": func() {
			p.show("view=table&at=1,y,x&cx=2&cy=0")
			p.keys("s")
			is("sort", "2")
		},
		"Table u": func() {
			p.show("view=table&at=1,y,x&cx=2")
			p.keys("u")
			p.awaitState("by", "2")
			p.wait("document.querySelector('.groups').checkVisibility()")
			p.keys("u")
			p.awaitState("by", "")
		},
		"Table w": func() {
			p.show("view=table&at=1,y,x")
			p.keys("w")
			p.wait("document.activeElement.className === 'filter'")
			p.keys("row < 3" + kb.Enter)
			is("where", "row < 3")
			p.wait("document.querySelector('.controls .note').textContent === '3 of 40 rows'")
			blur()
		},
		"Table Enter": func() {
			p.show("view=table&at=1,y,x&cx=2&cy=3")
			p.keys(kb.Enter)
			p.wait("document.querySelector('dialog.whole[open] strong')?.textContent === '[1, 3, 2]'")
			if got, want := p.text("dialog.whole pre"), fmt.Sprint(cube[1*40*50+3*50+2]); got != want {
				t.Errorf("the whole value is %s, want %s", got, want)
			}
			p.keys(kb.Escape)
			p.wait("!document.querySelector('dialog')")
		},
		"Table Page, ctrl-Home, ctrl-End": func() {
			p.show("view=table&at=1,y,x&cy=0&cx=0")
			p.keys(kb.End, chromedp.ModifierCtrl)
			is("cy", "39")
			p.keys(kb.PageUp)
			p.wait("Number(new URLSearchParams(location.hash.slice(1)).get('cy')) < 35")
			p.keys(kb.Home, chromedp.ModifierCtrl)
			is("cy", "0")
			p.keys(kb.PageDown)
			p.wait("Number(new URLSearchParams(location.hash.slice(1)).get('cy')) > 5")
		},
		"Mouse, touch wheel, pinch": func() {
			all := p.heatmap()
			p.wheel(-240, false, false)
			has("y0")
			rests()
			both := p.heatmap()
			if both.y1-both.y0 >= all.y1-all.y0 || both.x1-both.x0 >= all.x1-all.x0 {
				t.Errorf("the wheel shows %v to %v, %v to %v", both.y0, both.y1, both.x0, both.x1)
			}
			p.show(base + "&aspect=fill")
			p.wheel(-240, true, false)
			rests()
			if im := p.heatmap(); im.x1-im.x0 != 50 || im.y1-im.y0 >= 40 {
				t.Errorf("with shift the wheel shows %v to %v, %v to %v", im.y0, im.y1, im.x0, im.x1)
			}
			p.show(base + "&aspect=fill")
			p.wheel(-240, false, true)
			rests()
			if im := p.heatmap(); im.y1-im.y0 != 40 || im.x1-im.x0 >= 50 {
				t.Errorf("with alt the wheel shows %v to %v, %v to %v", im.y0, im.y1, im.x0, im.x1)
			}
			p.show(base)
			eval[bool](p, `(() => {
				const c = document.querySelector('.pane canvas'), box = c.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
				c.setPointerCapture = () => {};
				const send = (type, id, dx) => c.dispatchEvent(new PointerEvent(type, {clientX: x + dx, clientY: y, button: 0, buttons: 1, pointerId: id, isPrimary: id === 7, bubbles: true, pointerType: 'touch'}));
				send('pointerdown', 7, -20), send('pointerdown', 8, 20);
				for (const d of [30, 50, 80]) send('pointermove', 7, -d), send('pointermove', 8, d);
				send('pointerup', 7, -80), send('pointerup', 8, 80);
				return true;
			})()`)
			has("y0")
			rests()
			if im := p.heatmap(); im.x1-im.x0 > 25 {
				t.Errorf("two fingers show columns %v to %v", im.x0, im.x1)
			}
		},
		"Mouse, touch drag": func() {
			zoomed()
			before := p.heatmap()
			p.drag(canvas, 0.5, 0.5, 0.5, 0.6, false)
			rests()
			pan := p.heatmap()
			if pan.y0 >= before.y0 {
				t.Errorf("the rows begin at %v after %v", pan.y0, before.y0)
			}
			p.drag(canvas, 0.4, 0.4, 0.6, 0.6, true)
			rests()
			if box := p.heatmap(); box.y1-box.y0 >= pan.y1-pan.y0 {
				t.Errorf("the box shows rows %v to %v after %v to %v", box.y0, box.y1, pan.y0, pan.y1)
			}
		},
		"Mouse, touch double click": func() {
			zoomed()
			eval[bool](p, "document.querySelector('.pane canvas').dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))")
			hasNot("y0")
		},
		"Mouse, touch drag at the colour bar": func() {
			p.drag(".bar-handle", 0.5, 0.5, 0.5, 6, false)
			has("hi")
			has("lo")
		},
	}
	eval[bool](p, "(document.getElementById('help').click(), true)")
	p.wait("document.querySelector('dialog.help[open]')")
	listed := eval[[]string](p, `(() => {
		const out = [...document.querySelectorAll('dialog.help section')].flatMap((s) => [...s.querySelectorAll('dt')].map((k) => s.querySelector('h2').textContent + ' ' + k.textContent));
		document.querySelector('dialog.help').close();
		return out;
	})()`)
	for _, key := range listed {
		test := tests[key]
		if test == nil {
			t.Errorf("%q is in the help and has no test", key)
			continue
		}
		delete(tests, key)
		p.show("f=0&e=0&" + base)
		blur()
		t.Run(strings.ReplaceAll(key, "/", "slash"), func(t *testing.T) {
			p.t = t
			defer func() { p.picture(t.Name()) }()
			test()
		})
		p.t = t
	}
	for key := range tests {
		t.Errorf("%q has a test and is not in the help", key)
	}
}
