//go:build !purego

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
)

// writeLinks writes an HDF5 file with the soft link a, which leads nowhere, and arrays after it.
func writeLinks(t *testing.T, names []string, arrays ...*npy.Array) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "links.h5")
	w, err := hdf5.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Link(container.Entry{Path: "a", Link: "/nowhere", LinkKind: container.SoftLink, LinkTarget: "/nowhere"}); err != nil {
		t.Fatal(err)
	}
	for i, a := range arrays {
		if err := w.Add(names[i], a); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// The first array that can be read is shown. A link that leads nowhere is marked in the tree, with the reason.
func TestBrokenLinkFirst(t *testing.T) {
	path := writeLinks(t, []string{"b"}, array(t, []float32{1, 2, 3, 4}, 2, 2))
	p := open(t, serve(t, path)+"#map=grey", "Failed to load resource")
	p.do(chromedp.Navigate(eval[string](p, "location.href.replace(/#.*/, '')")))
	p.drawn()
	if title := p.text(".title"); !strings.Contains(title, "b") || !strings.Contains(title, "2 × 2") {
		t.Errorf("the title is %q", title)
	}
	if got := p.text(".tree .item.broken .name"); got != "a" {
		t.Errorf("the link that is marked is %q", got)
	}
	if got := p.text(".tree .tree-error"); !strings.Contains(got, "nowhere") {
		t.Errorf("the reason is %q", got)
	}

	// Without any array the error stays.
	only := filepath.Join(t.TempDir(), "only.h5")
	data, err := os.ReadFile(writeLinks(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	put(t, only, data)
	q := open(t, serve(t, path, only)+"#f=1&e=0", "Failed to load resource")
	q.wait("/nowhere/.test(document.querySelector('.problem:not([hidden])')?.textContent)")
	eval[bool](q, "new Promise((done) => setTimeout(() => done(true), 16000))")
	if got := q.text(".problem:not([hidden])"); !strings.Contains(got, "nowhere") {
		t.Errorf("the error has gone: %q", got)
	}
}

// Nothing of the array before is seen with an array that is broken or has no elements.
func TestBrokenClears(t *testing.T) {
	values := make([]float64, 60)
	for i := range values {
		values[i] = 777000 + float64(i)
	}
	path := writeLinks(t, []string{"b", "empty"}, array(t, values, 6, 10), array(t, []float64{}, 0, 10))
	for _, view := range []string{"heatmap", "lines", "table&where=x[:,0]>777025", "histogram"} {
		for e, what := range map[int]string{0: "broken", 2: "empty"} {
			p := open(t, serve(t, path)+"#e=1&view="+view, "Failed to load resource")
			p.wait("[...document.querySelectorAll('.statistics dd')].some((d) => d.title.includes('7770')) || /filtered/.test(document.querySelector('.statistics').innerText)")
			if strings.HasPrefix(view, "table") {
				p.wait("/ of 6 rows/.test(document.querySelector('.controls').innerText)")
			} else if view != "histogram" {
				p.wait("document.querySelector('.status-text').textContent !== ''")
			}
			eval[bool](p, fmt.Sprintf("(document.querySelector('[data-key=\"e0.%d\"]').click(), true)", e))
			if e == 0 {
				p.wait("/nowhere/.test(document.querySelector('.problem:not([hidden])')?.textContent)")
			} else {
				p.wait("document.querySelector('.stage.is-empty')")
			}
			for range 2 { // now, and after answers that were on their way
				if got := p.text(".status-text"); got != "" {
					t.Errorf("%s, %s: the status line is %q", view, what, got)
				}
				text := eval[string](p, "[...document.querySelectorAll('.statistics dd')].map((d) => d.title).join() + document.querySelector('.statistics').innerText + document.querySelector('#stage').innerText + document.querySelector('.controls').innerText")
				if strings.Contains(text, "7770") || strings.Contains(text, "of 6 rows") {
					t.Errorf("%s, %s: the page still says %q", view, what, text)
				}
				if code := p.text(".code"); strings.Contains(code, `"b"`) || what == "broken" && code != "" {
					t.Errorf("%s, %s: the code of the slice is %q", view, what, code)
				}
				if n := eval[int](p, "document.querySelectorAll('#stage canvas, #stage .td').length"); n != 0 && what == "broken" {
					t.Errorf("%s, %s: %d pictures and cells are left", view, what, n)
				}
				eval[bool](p, "new Promise((done) => setTimeout(() => done(true), 700))")
			}
			if e == 2 {
				p.wait(`[...document.querySelectorAll('.code code')].some((c) => c.textContent.endsWith('["empty"][()]'))`)
			}
			// The array is shown again as ever.
			eval[bool](p, `(document.querySelector('[data-key="e0.1"]').click(), true)`)
			p.wait("/6 × 10/.test(document.querySelector('.title').textContent) && !document.querySelector('.stage.is-empty')")
			p.wait("[...document.querySelectorAll('.statistics dd')].some((d) => d.title.includes('7770')) || /filtered/.test(document.querySelector('.statistics').innerText)")
		}
	}
}

// Control characters in cells are seen.
func TestVisibleControls(t *testing.T) {
	p := open(t, serve(t, writeNPY(t, "text.npy", []string{"a\nb", "c\td\re", "f\x01g\x1bh\x7f", "i\u202ej"}, 4))+"#view=table")
	for _, want := range []string{"a↵b", "c⇥d␍e", "f␁g␛h␡", "i‹U+202E›j"} {
		p.wait(fmt.Sprintf("[...document.querySelectorAll('#stage .td')].some((c) => c.textContent === %q)", want))
	}
}
