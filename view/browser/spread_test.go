//go:build !purego

package browser

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
)

// numpy returns what NumPy makes of an array: code is Python that gives numbers of a.
func numpy(t *testing.T, path, code string) (values []float64) {
	t.Helper()
	name := python(t)
	if name == "" {
		t.Skip("there is no Python with NumPy")
	}
	out, err := exec.Command(name, "-c", "import json, sys, numpy as np\na = np.load(sys.argv[1])\nprint(json.dumps(np.asarray("+code+", float).ravel().tolist()))", path).CombinedOutput()
	if err == nil {
		err = json.Unmarshal(out, &values)
	}
	if err != nil {
		t.Fatalf("%s: %v: %s", code, err, out)
	}
	return values
}

// alike reports whether two lists of numbers are equal but for rounding.
func alike(got, want []float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*math.Abs(want[i])) {
			return false
		}
	}
	return true
}

// The colour bar has percentiles and counts of the elements. The image is larger than the screen and has outliers, which the means of
// its pixels hide.
func TestSpread(t *testing.T) {
	const rows, columns = 1100, 1500
	data, random := make([]uint16, rows*columns), oracle.Rand(t)
	for i := range data {
		data[i] = uint16(1000 + random.IntN(500))
		switch random.IntN(40) {
		case 0:
			data[i] = 65535
		case 1:
			data[i] = uint16(random.IntN(5))
		}
	}
	path := writeNPY(t, "a.npy", data, rows, columns)
	want := numpy(t, path, "[*np.percentile(a, [5, 95]), *np.percentile(a[a > 0], [1, 99])]")
	p := open(t, serve(t, path)+"#map=grey&clip=5&theme=light")
	ends := func(p *tab) []float64 {
		p.drawn()
		p.wait("document.querySelector('.bar-note').textContent === ''")
		return eval[[]float64](p, "[...document.querySelectorAll('.bar-handle')].map((h) => Number(h.getAttribute('aria-valuenow'))).reverse()")
	}
	if got, want := ends(p), want[:2]; !alike(got, want) {
		t.Errorf("the colours are from %v, want %v", got, want)
	}
	counted := func() {
		t.Helper()
		ends(p)
		p.wait("document.querySelector('.bar').dataset.counts.split(',').reduce((a, b) => a + Number(b), 0) > 1e5")
		counts := eval[[]float64](p, "document.querySelector('.bar').dataset.counts.split(',').map(Number)")
		span := eval[[]float64](p, "document.querySelector('.bar').dataset.range.split(',').map(Number)")
		var got, want float64
		for _, n := range counts {
			got += n
		}
		for _, v := range data {
			if v := float64(v); v >= span[0] && v <= span[1] {
				want++
			}
		}
		if got != want || want == 0 {
			t.Errorf("the colour bar counts %v elements from %v to %v, want %v", got, span[0], span[1], want)
		}
	}
	counted()
	p.show("view=heatmap&at=y,x&clip=1&map=grey&scale=log&theme=light")
	if got, want := ends(p), want[2:]; !alike(got, want) {
		t.Errorf("the logarithmic colours are from %v, want %v", got, want)
	}
	counted()
	// A part that is seen has the ends of the whole slice.
	p.show("view=heatmap&at=y,x&map=grey&aspect=fill&y0=10&y1=20&x0=30&x1=50&theme=light")
	if got := ends(p); !alike(got, []float64{0, 65535}) {
		t.Errorf("the colours are from %v", got)
	}
	p.show("view=heatmap&at=y,x&map=grey&clip=5&aspect=fill&y0=10&y1=20&x0=30&x1=50&theme=light")
	if got, want := ends(p), want[:2]; !alike(got, want) {
		t.Errorf("the colours are from %v, want %v", got, want)
	}
}

// The page says that colours are estimated until all of a large array is read.
func TestEstimated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.npy")
	const n = 16_400
	head, err := format.Header{DType: dtype.Uint16, Shape: []int{n, n}}.Append(nil)
	if err == nil {
		err = os.WriteFile(path, head, 0o644)
	}
	if err == nil {
		err = os.Truncate(path, int64(len(head))+2*n*n) // zeros, in a file with a hole
	}
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, path)+"#map=grey&clip=0.1&theme=light")
	p.wait("document.querySelector('button.estimated')")
	p.drawn()
	p.wait("document.querySelector('button.estimated')?.title.includes('538 MB')")
	eval[bool](p, "document.querySelector('button.estimated').click() ?? true")
	p.wait("document.querySelector('.bar-note').textContent === ''")
	got := eval[string](p, "document.querySelector('.bar-handle[aria-label^=Upper]').getAttribute('aria-valuenow')")
	if got != "1" { // the colours of zeros are from -1 to 1
		t.Errorf("the colours are up to %s", got)
	}
}
