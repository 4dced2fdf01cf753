//go:build !purego

package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// controls are the roles of elements that a user operates.
var controls = []string{
	"button", "link", "textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton", "checkbox", "radio", "switch", "tab", "menuitem",
	"tree", "treeitem", "scrollbar", "separator", "grid", "dialog",
}

// unnamed returns the controls of a page that screen readers have no name for.
// It fails where there are fewer than least of them.
func (p *tab) unnamed(least int) (roles []string) {
	p.t.Helper()
	total := 0
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return err
		}
		for _, n := range tree.Nodes {
			if n.Ignored || n.Role == nil || !slices.Contains(controls, strings.Trim(string(n.Role.Value), `"`)) {
				continue
			}
			total++
			if n.Name == nil || strings.Trim(string(n.Name.Value), `" `) == "" {
				roles = append(roles, fmt.Sprintf("%s (element %d)", n.Role.Value, n.BackendDOMNodeID))
			}
		}
		return nil
	}))
	if total < least {
		p.t.Errorf("the page has %d controls, and not at least %d", total, least)
	}
	return roles
}

// unreached returns the visible controls that the Tab key does not reach. Of a tree and of a group of views it reaches one element, and
// arrows the others.
func (p *tab) unreached() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('button, input, select, textarea, a[href], [role=slider], [role=scrollbar]')]
		.filter((x) => x.checkVisibility() && x.getBoundingClientRect().width > 0 && !x.disabled && x.tabIndex < 0)
		.filter((x) => !x.closest('[role=tree], [role=tablist], [role=radiogroup], [role=toolbar], [role=grid]'))
		.map((x) => x.outerHTML.slice(0, 200))`)
}

// faint returns the visible texts whose contrast with their background is below 4.5 to 1, the least of WCAG 2 (AA), or below 3 to 1 where
// they are large; and how many texts were looked at. Text over a canvas or a picture is not judged.
func (p *tab) faint() (faint []string, texts int) {
	p.t.Helper()
	got := eval[struct {
		Faint []string
		Texts int
	}](p, `(() => {
		const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
		const over = (colours) => { // from the back to the front
			pen.clearRect(0, 0, 1, 1);
			for (const c of colours) { pen.fillStyle = c; pen.fillRect(0, 0, 1, 1); }
			return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
		};
		const luminance = (rgb) => {
			const [r, g, b] = rgb.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const out = { faint: [], texts: 0 };
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const node = walk.currentNode.parentElement;
			if (!walk.currentNode.data.trim() || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
			const box = node.getBoundingClientRect();
			if (box.width < 2 || box.height < 2 || node.closest('option, svg, [disabled], [inert]')) continue;
			const behind = [];
			let picture = false, opacity = 1;
			for (let e = node; e; e = e.parentElement) {
				const style = getComputedStyle(e);
				behind.unshift(style.backgroundColor);
				opacity *= Number(style.opacity);
				if (style.backgroundImage !== 'none') picture = true;
			}
			if (picture) continue;
			const style = getComputedStyle(node);
			const back = over(behind), text = over([...behind, style.color]).map((v, i) => v * opacity + back[i] * (1 - opacity));
			const [low, high] = [luminance(back), luminance(text)].sort((a, b) => a - b);
			const ratio = (high + 0.05) / (low + 0.05), size = parseFloat(style.fontSize);
			const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
			out.texts++;
			if (ratio < (large ? 3 : 4.5)) out.faint.push(ratio.toFixed(2) + ' ' + JSON.stringify(walk.currentNode.data.trim().slice(0, 30)) + ' in ' + node.tagName + '.' + node.className + ' ' + style.color + ' on ' + back);
		}
		return out;
	})()`)
	return got.Faint, got.Texts
}

// All text can be read, in each view and theme.
func TestContrast(t *testing.T) {
	c := newColours()
	p := open(t, serve(t, c.write(t)))
	for _, theme := range []string{"light", "dark"} {
		for _, view := range []string{"view=heatmap&at=2,y,x", "view=lines&at=1,x,3", "view=table", "view=histogram"} {
			p.show(view + "&theme=" + theme)
			faint, texts := p.faint()
			if len(faint) > 0 {
				t.Errorf("%s, %s: too faint: %s", theme, view, strings.Join(faint, "\n"))
			}
			if texts < 40 {
				t.Errorf("%s, %s: only %d texts were found", theme, view, texts)
			}
		}
		p.keys("?")
		p.wait("document.querySelector('dialog[open], [role=dialog]')")
		if faint, _ := p.faint(); len(faint) > 0 {
			t.Errorf("%s, help: too faint: %s", theme, strings.Join(faint, "\n"))
		}
		p.keys(kb.Escape)
		p.wait("!document.querySelector('dialog[open], [role=dialog]')")
	}
}

// Every control has a name for screen readers and is reached by the keyboard, in each view.
func TestNamesOfControls(t *testing.T) {
	c := newColours()
	p := open(t, serve(t, c.write(t)))
	for _, view := range []string{
		"view=heatmap&at=2,y,x", "view=heatmap&scale=log&theme=dark", "view=lines&at=1,x,3", "view=table", "view=histogram",
	} {
		p.show(view)
		if bad := p.unnamed(10); len(bad) > 0 {
			t.Errorf("%s: controls without a name: %v", view, bad)
		}
		if bad := p.unreached(); len(bad) > 0 {
			t.Errorf("%s: Tab does not reach %s", view, strings.Join(bad, "\n"))
		}
	}
	p.keys("?")
	p.wait("document.querySelector('dialog[open], [role=dialog]')")
	if bad := p.unnamed(2); len(bad) > 0 {
		t.Errorf("help: controls without a name: %v", bad)
	}
}
