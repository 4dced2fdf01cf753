//go:build !purego

package browser

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/npygo/npy"
)

// exports chooses an export of the page and returns all files.
func (p *tab) exports(format string, n int) (names []string, data [][]byte) {
	p.t.Helper()
	type file struct{ Name, Data string }
	files := eval[[]file](p, fmt.Sprintf(`(async () => {
		const { click } = HTMLAnchorElement.prototype;
		const links = [];
		await new Promise((done) => {
			HTMLAnchorElement.prototype.click = function () { links.push([this.download, this.href]); if (links.length === %d) done(); };
			const list = document.getElementById('export');
			list.value = %q;
			list.dispatchEvent(new Event('change'));
		});
		HTMLAnchorElement.prototype.click = click;
		return Promise.all(links.map(async ([name, href]) => {
			const bytes = new Uint8Array(await (await fetch(href)).arrayBuffer());
			return {Name: name, Data: btoa(String.fromCharCode(...bytes))};
		}));
	})()`, n, format))
	for _, f := range files {
		text, err := base64.StdEncoding.DecodeString(f.Data)
		if err != nil {
			p.t.Fatal(err)
		}
		names, data = append(names, f.Name), append(data, text)
	}
	return names, data
}

// Exports are of what is seen: of a difference, of all lines, and of both arrays that are side by side.
func TestSentIsSeen(t *testing.T) {
	ints, bytesOf := make([]uint8, 12), make([]uint8, 12)
	zs, floats := make([]complex128, 12), make([]float32, 3)
	for i := range ints {
		ints[i], bytesOf[i], zs[i] = uint8(i), uint8(3*i), complex(float64(i), float64(2*i))
	}
	copy(floats, []float32{0.5, 1.5, 2.5})
	path := writeNPZ(t, "it.npz", []string{"a", "b", "z", "f", "line\nbreak", "l"}, array(t, ints, 4, 3), array(t, bytesOf, 4, 3), array(t, zs, 4, 3), array(t, floats, 3), array(t, floats, 3), array(t, ints[:6], 2, 3))
	p := open(t, serve(t, path))
	p.drawn()
	for _, x := range []struct {
		hash, format string
		want         []string // texts of the arrays
	}{
		{"e=0&view=heatmap&cmp=0.1&mode=diff", "npy", []string{"[[0. -2. -4.] [-6. -8. -10.] [-12. -14. -16.] [-18. -20. -22.]]"}},
		{"e=0&view=heatmap&cmp=0.1&mode=diff&aspect=fill&y0=1&y1=3&x0=1&x1=2", "npy", []string{"[[-8.] [-14.]]"}},
		{"e=0&view=table&cmp=0.1&mode=diff", "csv-all", []string{"0.0,-2.0,-4.0 -6.0,-8.0,-10.0 -12.0,-14.0,-16.0 -18.0,-20.0,-22.0"}},
		{"e=2&view=heatmap&part=im&cmp=0.1&mode=diff&aspect=fill&y0=0&y1=1", "npy", []string{"[[0. 2. 4.]]"}},
		{"e=0&view=lines&at=1,x&cmp=0.1&mode=diff", "csv", []string{"-6.0 -8.0 -10.0"}},
		{"e=0&view=lines&at=1,x&series=0.0.@2,x~0.2.@1,x", "npy", []string{"[(3 6 6.70820393) (4 7 8.94427191) (5 8 11.18033989)]"}},
		{"e=0&view=lines&at=1,x&series=0.0.@2,x&xs=0.3", "csv", []string{`f,"a[1, :]","a[2, :]" 0.5,3,6 1.5,4,7 2.5,5,8`}},
		{"e=0&view=lines&at=1,x&cmp=0.1&l0=1&l1=3", "csv", []string{`"a[1, :]","B: b[1, :]" 4,12 5,15`}},
		{"e=0&view=heatmap&at=y,x&cmp=0.5&aspect=fill&y0=1&y1=4", "npy", []string{"[[3 4 5] [6 7 8] [9 10 11]]", "[[3 4 5]]"}},
		{"e=0&view=table&at=y,x&cmp=0.1", "npy-all", []string{"[[0 1 2] [3 4 5] [6 7 8] [9 10 11]]", "[[0 3 6] [9 12 15] [18 21 24] [27 30 33]]"}},
	} {
		p.show(x.hash)
		names, data := p.exports(x.format, len(x.want))
		if len(names) == 2 && (!strings.Contains(names[0], "-A") || !strings.Contains(names[1], "-B")) {
			t.Errorf("%s: the files are called %q", x.hash, names)
		}
		for i, want := range x.want {
			got := strings.Join(strings.Fields(string(data[i])), " ")
			if strings.HasPrefix(x.format, "npy") {
				a, err := npy.Read(bytes.NewReader(data[i]))
				if err != nil {
					t.Fatalf("%s: %v: %.200q", x.hash, err, data[i])
				}
				got = strings.Join(strings.Fields(strings.ReplaceAll(npy.Printer{}.Str(a), ",", " ")), " ")
			}
			plain := strings.NewReplacer("[ ", "[", " ]", "]").Replace
			for plain(got) != got {
				got = plain(got)
			}
			if got != want {
				t.Errorf("%s: file %d has %q, want %q", x.hash, i, got, want)
			}
		}
	}

	// A control character is a sign that one sees, and no line of its own.
	p.show("e=4&view=lines&at=x&series=0.3.@x")
	box := eval[[]float64](p, "(() => { const b = document.querySelector('.lines canvas').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()")
	p.do(chromedp.MouseEvent("mouseMoved", box[0], box[1]))
	p.wait("document.querySelector('.tip:not([hidden]) .tip-value')")
	if got := eval[string](p, "document.querySelector('.tip').textContent + document.querySelector('.legend').textContent"); strings.Count(got, "line↵break") != 2 || strings.Contains(got, "\n") {
		t.Errorf("the names are %q", got)
	}
	p.show("e=0&view=lines&at=1,x&series=0.0.@2,x")
	p.wait("document.querySelector('select[data-name=add]')")
	if got := eval[string](p, "document.querySelector('select[data-name=add]').textContent"); !strings.Contains(got, "b") || !strings.Contains(got, "z") || strings.Contains(got, "f") {
		t.Errorf("lines can be added of %q", got)
	}
}
