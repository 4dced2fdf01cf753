//go:build !purego

package browser

import (
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/view/internal/sample"
)

type reading struct {
	At    time.Time `npy:"at,M8[s]"`
	Level float32   `npy:"level"`
	Code  int32     `npy:"code"`
}

// kinds writes a file of each kind that has a first view of its own.
func kinds(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, items := range map[string][]sample.Item{"climate.nc": sample.Climate(), "scan.h5": sample.Scan()} {
		path := filepath.Join(t.TempDir(), name)
		if err := sample.Write(path, items...); err != nil {
			t.Fatal(err)
		}
		out[name] = path
	}
	readings := make([]reading, 400)
	for i := range readings {
		readings[i] = reading{time.Date(2024, 1, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 6 * time.Hour), float32(i%28) + float32(i)/50, int32(i)}
	}
	table, err := record.FromSlice(readings)
	if err != nil {
		t.Fatal(err)
	}
	out["rgb.npz"] = writeNPZ(t, "rgb.npz", []string{"picture"}, sample.Colours(90, 160))
	out["log.npz"] = writeNPZ(t, "log.npz", []string{"log"}, table)
	return out
}

// TestFirstScreenshots writes pictures of the first views into the folder that NPY_SCREENSHOTS names.
func TestFirstScreenshots(t *testing.T) {
	dir := os.Getenv("NPY_SCREENSHOTS")
	if dir == "" {
		t.Skip("NPY_SCREENSHOTS names no folder")
	}
	for name, path := range kinds(t) {
		p := openSized(t, serve(t, path), 1440, 900)
		p.drawn()
		p.wait("document.querySelector('.statistics dd') && document.querySelector('.code .snippet') && !document.body.classList.contains('busy')")
		eval[bool](p, `(() => {
			const c = document.querySelector('#stage canvas'), box = c.getBoundingClientRect();
			c.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + box.width * 0.4, clientY: box.top + box.height * 0.4, bubbles: true}));
			return true;
		})()`)
		p.settled()
		data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "first-"+name+".png"), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Each kind of file starts with a view of its contents, and an address says otherwise.
func TestFirstView(t *testing.T) {
	files := kinds(t)
	for name, want := range map[string]map[string]string{
		"climate.nc": {"e": "5", "view": "heatmap", "at": "11,y,x", "up": "1"},
		"rgb.npz":    {"view": "image", "at": "c,y,x"},
		"log.npz":    {"view": "lines", "at": "x", "field": "level", "xs": "0.0.at"},
	} {
		url := serve(t, files[name])
		p := open(t, url)
		p.drawn()
		for key, value := range want {
			p.awaitState(key, value)
		}
		if im := p.pixels("#stage canvas"); blank(im) {
			t.Errorf("%s: the first view is blank", name)
		}
		if name != "log.npz" {
			continue
		}
		p.show("view=table&field=code")
		p.awaitState("view", "table")
		q := open(t, url+"#view=lines&field=code")
		q.drawn()
		q.awaitState("field", "code")
		q.awaitState("xs", "")
	}

	// The contrast leaves out a few far outliers, but for those that are all of the picture.
	values := make([]float64, 100*100)
	for i := range values {
		values[i] = float64(i % 100)
	}
	values[5050] = 1e6
	p := open(t, serve(t, writeNPY(t, "outlier.npy", values, 100, 100)))
	p.drawn()
	p.wait("[...document.querySelectorAll('.bar-input')].map((i) => i.value).join() === '99,0'")
	p.show("view=heatmap&clip=0")
	p.wait("[...document.querySelectorAll('.bar-input')].map((i) => i.value).join() === '1000000,0'")

	// The last column of a table that the edge cuts shows that it goes on.
	p.show("view=table")
	p.table()
	if got := eval[[]float64](p, `(() => {
		const edge = document.querySelector('.tbody').getBoundingClientRect().right;
		const last = [...document.querySelectorAll('.trow:not([hidden]) > .td:not([hidden])')].filter((c) => c.getBoundingClientRect().right > edge + 0.5);
		return [last.length, getComputedStyle(document.querySelector('.td')).textOverflow === 'ellipsis' ? 1 : 0];
	})()`); got[0] > 0 || got[1] != 1 {
		t.Errorf("%v cells go beyond the edge", got)
	}
}

// blank reports whether the middle of a picture has one colour.
func blank(im *image.NRGBA) bool {
	b := im.Rect
	first := im.NRGBAAt(b.Min.X+b.Dx()/2, b.Min.Y+b.Dy()/2)
	for y := b.Min.Y + b.Dy()/3; y < b.Min.Y+2*b.Dy()/3; y++ {
		for x := b.Min.X + b.Dx()/3; x < b.Min.X+2*b.Dx()/3; x++ {
			if im.NRGBAAt(x, y) != first {
				return false
			}
		}
	}
	return true
}
