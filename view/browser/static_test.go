//go:build !purego

package browser

import (
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/npygo/npy/view/internal/static"
)

// assets are the page as it is committed, and the program compiled from the sources.
type assets struct{ page, program fs.FS }

func (a assets) Open(name string) (fs.File, error) {
	f, err := a.program.Open(name)
	if err != nil {
		f, err = a.page.Open(name)
	}
	return f, err
}

// export writes the page without a server, with some files in it, and returns the address of the page in its folder.
func export(t *testing.T, paths ...string) string {
	t.Helper()
	chromium(t)
	program := filepath.Join(filepath.Dir(shared.npy), "program")
	if _, err := os.Stat(program); err != nil {
		out, err := exec.Command("../wasm/build", program).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		t.Logf("%s", out)
	}
	dir := filepath.Join(t.TempDir(), "page")
	if err := static.Write(dir, assets{os.DirFS("../dist"), os.DirFS(program)}, paths...); err != nil {
		t.Fatal(err)
	}
	return "file://" + dir + "/index.html"
}

// The page that was opened from a folder shows the files in it: an .npy, an .npz and an HDF5 file.
func TestStatic(t *testing.T) {
	floats, a := waves(5, 7, func(v float64) float32 { return float32(v) })
	ints, b := waves(4, 6, func(v float64) int64 { return int64(v) })
	wide, c := waves(6, 3, func(v float64) float64 { return v })
	c[4], wide[4] = math.NaN(), math.NaN()
	url := export(t, writeNPY(t, "a.npy", floats, 5, 7),
		writeNPZ(t, "b.npz", []string{"first", "second"}, array(t, []int8{1, 2}, 2), array(t, ints, 4, 6)),
		writeHDF5(t, "c.h5", []string{"group/data"}, array(t, wide, 6, 3)))
	for _, test := range []struct {
		hash, title string
		values      []float64
		ny, nx      int
	}{
		{"f=0&e=0", "a.npy float32 5 × 7", a, 5, 7},
		{"f=1&e=1", "b.npz › second int64 4 × 6", b, 4, 6},
		{"f=2&e=1", "c.h5 › group/data float64 6 × 3", c, 6, 3},
	} {
		t.Run(test.hash, func(t *testing.T) {
			p := open(t, url+"#map=grey&view=heatmap&"+test.hash)
			c := p.heatmap()
			if got := eval[string](p, "[...document.querySelector('.title').children].map((e) => e.textContent.trim()).join(' ').replace(/  +/g, ' ')"); got != test.title {
				t.Errorf("the title is %q, want %q", got, test.title)
			}
			sameCells(t, c, test.values, test.ny, test.nx)
			p.wait("document.querySelector('.statistics').innerText.includes('mean')") // an answer in lines
			if test.ny == 4 {
				sameCells(t, p.shared().heatmap(), test.values, test.ny, test.nx) // which this page makes without fetching anything
			}
			p.picture(t.Name())
		})
	}
}

// Files that one chooses, or drops, are shown and stay where they are.
func TestStaticOpen(t *testing.T) {
	floats, values := waves(3, 4, func(v float64) float32 { return float32(v) })
	first := writeNPY(t, "first.npy", floats, 3, 4)
	second := writeNPY(t, "second.npy", []uint8{0, 200, 100, 255}, 2, 2)
	p := open(t, export(t)+"#map=grey")
	p.wait("document.querySelector('.drop-zone')")
	p.do(chromedp.SetUploadFiles(chromedp.CSS(".drop-zone input"), []string{first}, chromedp.NodeReady))
	sameCells(t, p.heatmap(), values, 3, 4)
	if eval[bool](p, "Boolean(document.querySelector('.drop-zone'))") {
		t.Error("the page still asks for files")
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#more-files"), []string{second}, chromedp.NodeReady))
	p.wait("document.querySelector('.title').textContent.includes('second.npy')")
	p.wait("location.hash.includes('f=1')")
	p.picture(t.Name())
	sameCells(t, p.heatmap(), []float64{0, 200, 100, 255}, 2, 2)
	if got := eval[int](p, "document.querySelectorAll('#tree [role=treeitem]').length"); got != 2 {
		t.Errorf("the tree has %d files, want 2", got)
	}
}

// How long a file of 100 MB takes from the choice to its first picture.
func TestStaticLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("a file of 100 MB")
	}
	const ny, nx = 5000, 5000
	data := make([]float32, ny*nx)
	for i := range data {
		data[i] = float32(i % 9973)
	}
	path := writeNPY(t, "large.npy", data, ny, nx)
	p := open(t, export(t))
	p.wait("document.querySelector('.drop-zone')")
	p.wait("performance.getEntriesByType('mark').some((m) => m.name === 'npy ready')")
	began := time.Now()
	p.do(chromedp.SetUploadFiles(chromedp.CSS(".drop-zone input"), []string{path}, chromedp.NodeReady))
	p.wait("/values/.test(document.querySelector('.status-text')?.textContent)")
	t.Logf("the first picture of 100 MB after %v: %s", time.Since(began).Round(time.Millisecond), p.text(".status-text"))
	p.drawn()
	t.Logf("the exact one after %v: %s", time.Since(began).Round(time.Millisecond), p.text(".status-text"))
}
