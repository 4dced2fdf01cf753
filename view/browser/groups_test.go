//go:build !purego

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A click on a column shows its values and how often they occur, a click on a value its rows; results, columns and expressions are a
// few words more.
func TestGroupedTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quakes.csv")
	var csv strings.Builder
	csv.WriteString("place,mag,time\n")
	counts, sums := map[string]int{}, map[string]float64{}
	places := []string{"Chile", "it's far", "Japan", "Chile", "Fiji", "Chile", "Japan"}
	for i := range 700 {
		place, mag := places[i*i%7], float64(i%50)/10
		counts[place]++
		sums[place] += mag
		fmt.Fprintf(&csv, "%s,%.1f,2024-%02d-01\n", place, mag, i%2+1)
	}
	if err := os.WriteFile(path, []byte(csv.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, path)+"#view=table", "status of 400")
	p.wait("document.querySelector('.th-group')")
	table := func() [][]string {
		t.Helper()
		p.wait("document.querySelector('.groups')?.dataset.state === 'exact' && document.querySelector('.groups').checkVisibility()")
		return eval[[][]string](p, "[...document.querySelectorAll('.groups tr')].map((r) => [...r.children].map((c) => c.textContent))")
	}
	eval[bool](p, "([...document.querySelectorAll('.th')].find((h) => h.textContent.startsWith('place')).querySelector('.th-group').click(), true)")
	rows := table()
	if len(rows) != len(counts)+1 || rows[0][0] != "place" || !strings.HasPrefix(rows[0][1], "count") {
		t.Fatalf("the groups are %q", rows)
	}
	last := 1 << 30
	for _, row := range rows[1:] {
		var n int
		if _, err := fmt.Sscan(row[1], &n); err != nil || n != counts[row[0]] || n > last {
			t.Errorf("%q has %q rows, want %d, and not after %d", row[0], row[1], counts[row[0]], last)
		}
		last = n
	}
	p.picture(t.Name())
	p.wait("document.querySelector('.code').innerText.includes('npy group --by=')")
	if name, data := p.export("csv-all"); name != "quakes-groups.csv" || !strings.HasPrefix(string(data), "place,count\n") {
		t.Errorf("the export is %s: %q", name, data)
	}

	// Results, and a field whose values become columns.
	set := func(label, text string) {
		t.Helper()
		eval[bool](p, fmt.Sprintf("(() => { const i = document.querySelector('[aria-label=%q]'); i.value = %q; i.dispatchEvent(new Event('change')); return true; })()", label, text))
	}
	set("Results of each group", "mean:mag,max:mag")
	p.awaitState("aggs", "mean:mag,max:mag")
	for _, row := range table()[1:] {
		var mean float64
		if _, err := fmt.Sscan(row[1], &mean); err != nil || mean-sums[row[0]]/float64(counts[row[0]]) > 1e-12 {
			t.Errorf("the mean of %q is %s, want %v", row[0], row[1], sums[row[0]]/float64(counts[row[0]]))
		}
	}
	set("A field whose values become columns", "month(time)")
	p.awaitState("pivot", "month(time)")
	if rows := table(); len(rows[0]) != 5 {
		t.Errorf("the pivot is %q", rows)
	}
	set("Results of each group", "wrong:mag")
	p.wait("/wrong/.test(document.querySelector('.groups').textContent)")

	// The rows of a group.
	p.show("view=table&by=place&gorder=-count")
	p.wait("[...document.querySelectorAll('.groups td button')].some((b) => b.textContent === \"it's far\")")
	eval[bool](p, "([...document.querySelectorAll('.groups td button')].find((b) => b.textContent === \"it's far\").click(), true)")
	p.wait(fmt.Sprintf("document.querySelector('#stage').innerText.includes(\"it's far\") && document.body.innerText.includes('%d of 700 rows')", counts["it's far"]))
	p.awaitState("by", "")
	p.do(chromedp.KeyEvent("u"))
	p.wait("document.querySelector('.groups').checkVisibility()")
}
