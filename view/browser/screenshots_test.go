//go:build !purego

package browser

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/record"
)

type quake struct {
	ID    string  `npy:"id,U10"`
	Lat   float32 `npy:"lat"`
	Lon   float32 `npy:"lon"`
	Depth float32 `npy:"depth"`
	Mag   float32 `npy:"mag"`
	Felt  bool    `npy:"felt"`
}

// survey writes an archive with something for each view.
func survey(t *testing.T) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "survey.npz")
	t.Chdir(filepath.Dir(path)) // the page shows the name as it was given
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := npz.NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	const rows, columns = 720, 1280
	relief := make([]float32, 0, rows*columns)
	for y := range rows {
		for x := range columns {
			u, v := float64(x)/160, float64(y)/160
			h := math.Sin(u)*math.Cos(v) + 0.5*math.Sin(2.3*u+1)*math.Sin(1.7*v) + 0.25*math.Cos(5.1*u-3*v)
			if math.Hypot(u-5.2, v-1.4) < 0.35 {
				h = math.NaN()
			}
			relief = append(relief, float32(h))
		}
	}
	colours := make([]uint8, 0, 240*320*3)
	for y := range 240 {
		for x := range 320 {
			d := math.Hypot(float64(x-160)/160, float64(y-120)/120)
			colours = append(colours, uint8(255*math.Exp(-2*d*d)), uint8(128+127*math.Sin(float64(x)/25)), uint8(128+127*math.Cos(float64(y)/18)))
		}
	}
	signal := make([]float64, 2_000_000)
	for i := range signal {
		signal[i] = math.Sin(float64(i)/9e4)*math.Exp(-float64(i)/2e6) + 0.05*r.NormFloat64()
	}
	signal[1_345_678] = 1.9
	quakes := make([]quake, 5000)
	for i := range quakes {
		m := float32(3 + r.ExpFloat64())
		quakes[i] = quake{fmt.Sprintf("us%07x", r.Uint32()>>4), float32(r.NormFloat64() * 25), float32(r.Float64()*360 - 180), float32(r.ExpFloat64() * 60), m, m > 4.5}
	}
	table, err := record.FromSlice(quakes)
	if err != nil {
		t.Fatal(err)
	}
	for _, add := range []func() error{
		func() error { return npz.Add(w, "terrain/relief", relief, rows, columns) },
		func() error { return npz.Add(w, "terrain/colours", colours, 240, 320, 3) },
		func() error { return npz.Add(w, "station/signal", signal) },
		func() error { return w.Add("station/quakes", table) },
		w.Close,
	} {
		if err := add(); err != nil {
			t.Fatal(err)
		}
	}
	return "survey.npz"
}

// TestScreenshots writes pictures of the page into the folder that NPY_SCREENSHOTS names.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("NPY_SCREENSHOTS")
	if dir == "" {
		t.Skip("NPY_SCREENSHOTS names no folder")
	}
	command(t) // built before the folder changes
	url := serve(t, survey(t))
	for i, name := range []string{"heatmap", "image", "lines", "table"} {
		for _, size := range [][2]int64{{1440, 900}, {800, 600}} {
			theme := []string{"light", "dark"}[(i+int(size[0]/1440))%2]
			t.Run(fmt.Sprint(name, size[0]), func(t *testing.T) { // whose tab is closed after it
				p := openSized(t, url+"#f=0&e="+fmt.Sprint(i), size[0], size[1])
				for range 3 { // as the system has it, light, dark
					if eval[string](p, "document.documentElement.dataset.theme ?? ''") != theme {
						p.keys("t")
					}
				}
				if name == "table" {
					p.wait("document.querySelectorAll('[role=gridcell]:not(.waiting)').length > 20 && !document.body.classList.contains('busy')")
				} else {
					p.drawn()
				}
				// The cards are filled once the page has been still for a moment.
				p.wait("document.querySelector('.statistics dd') && document.querySelector('.code .snippet') && !document.body.classList.contains('busy')")
				data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("view-%s-%d.png", name, size[0])), data, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}
