//go:build !purego

package browser

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/view/internal/sample"
)

// A tick is its text and its pixel.
type tick struct {
	text string
	at   float64
}

// UnmarshalJSON reads [text, at].
func (k *tick) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&k.text, &k.at})
}

type ticks struct {
	X, Y   []tick
	Labels [2]string // of x and y
	frame  []float64 // left, top, width, height, and the ends of the window
}

// ticks returns the ticks of the plot.
func (p *tab) ticks() (out ticks) {
	p.t.Helper()
	p.settled()
	if err := json.Unmarshal([]byte(eval[string](p, "document.querySelector('#stage canvas').dataset.ticks")), &out); err != nil {
		p.t.Fatal(err)
	}
	out.frame = eval[[]float64](p, "document.querySelector('#stage canvas').dataset.frame.split(',').map(Number)")
	return out
}

// tip returns the lines of the tip over a cell of the heatmap, whose first row is at the bottom if up.
func (p *tab) tip(y, x float64, up bool) []string {
	p.t.Helper()
	f := p.ticks().frame
	t := (y + 0.5 - f[4]) / (f[5] - f[4])
	if up {
		t = 1 - t
	}
	eval[bool](p, fmt.Sprintf(`(() => {
		const c = document.querySelector('#stage canvas'), box = c.getBoundingClientRect();
		c.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + %f, clientY: box.top + %f, bubbles: true}));
		return true;
	})()`, f[0]+f[2]*(x+0.5-f[6])/(f[7]-f[6]), f[1]+f[3]*t))
	p.wait("!document.querySelector('#stage .tip-value').textContent.startsWith('≈')")
	return eval[[]string](p, "[...document.querySelector('#stage .tip').children].map((x) => x.textContent)")
}

// entry returns the number of an entry of the only file.
func (p *tab) entry(path string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf("fetch('entries?f=0&n=100').then((r) => r.json()).then((a) => a.entries.find((x) => x.path === %q).e)", path))
}

// write writes a sample file.
func write(t *testing.T, name string, items []sample.Item) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := sample.Write(path, items...); err != nil {
		t.Fatal(err)
	}
	return path
}

// Ticks, tips, titles and lines have the coordinates of netCDF, with their units and as dates; others are chosen by hand.
func TestCoordinates(t *testing.T) {
	p := open(t, serve(t, write(t, "climate.nc", sample.Climate())))
	p.drawn()
	p.awaitState("at", "11,y,x")
	k := p.ticks()
	if k.Labels != [2]string{"longitude (degrees_east)", "latitude (degrees_north)"} {
		t.Errorf("the labels are %q", k.Labels)
	}
	// Longitude 5 x is in the middle of cell x; latitude 5 y - 90 in the middle of cell y, the first one at the bottom.
	place := func(v float64) float64 { return k.frame[0] + k.frame[2]*(v/5+0.5)/sample.Lons }
	for _, x := range k.X {
		if v, err := strconv.ParseFloat(x.text, 64); err != nil || math.Abs(place(v)-x.at) > 1 {
			t.Errorf("longitude %q is at %v, want %v", x.text, x.at, place(v))
		}
	}
	for _, y := range k.Y {
		v, err := strconv.ParseFloat(y.text, 64)
		if want := k.frame[1] + k.frame[3]*(1-((v+90)/5+0.5)/sample.Lats); err != nil || math.Abs(want-y.at) > 1 {
			t.Errorf("latitude %q is at %v, want %v", y.text, y.at, want)
		}
	}
	if len(k.X) < 4 || len(k.Y) < 3 {
		t.Errorf("the ticks are %v", k)
	}
	want := []string{"[11, 24, 25]", "time 2001-12-16", "lat 30 degrees_north", "lon 125 degrees_east", strconv.FormatFloat(sample.Kelvin(11, 24, 25), 'g', -1, 32) + " K"}
	if got := p.tip(24, 25, true); !slices.Equal(got, want) {
		t.Errorf("the tip is %q, want %q", got, want)
	}
	if got := p.text(".bar-name"); got != "near-surface air temperature (K)" {
		t.Errorf("the colour bar is named %q", got)
	}
	card := p.text(".axes")
	for _, text := range []string{"2001-01-16 … 2002-12-16", "-90 … 90 degrees_north", "height is not used: it neither rises nor falls throughout: 0 at 18 is followed by 1 at 19"} {
		if !strings.Contains(card, text) {
			t.Errorf("the card of the axes is %q, without %q", card, text)
		}
	}

	// Lines along the time have dates.
	e := p.entry("tas")
	eval[bool](p, "(document.querySelector('#tab-lines').click(), true)")
	p.awaitState("xs", fmt.Sprint("0.", p.entry("lon")))
	eval[bool](p, "((list) => { list.value = 'x'; list.dispatchEvent(new Event('change')); return true; })(document.querySelector('[data-name=role0]'))")
	p.awaitState("xs", fmt.Sprint("0.", p.entry("time")))
	p.drawn()
	k = p.ticks()
	if len(k.X) < 4 || k.Labels != [2]string{"time", "near-surface air temperature (K)"} {
		t.Errorf("the ticks along the time are %v", k)
	}
	for _, x := range k.X { // of the months, in days since 2001-01-16 of 700 days without a leap day
		var year, month int
		if _, err := fmt.Sscanf(x.text, "%d-%d", &year, &month); err != nil {
			t.Fatal(err)
		}
		days := float64((year-2001)*365) + []float64{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}[month-1] - 15
		if at := k.frame[0] + k.frame[2]*days/699; x.text == "" || math.Abs(at-x.at) > 2 {
			t.Errorf("%s is at %v, want %v", x.text, x.at, at)
		}
	}

	// By hand, and in the address: positions along y, and an array that cannot be used.
	p.show(fmt.Sprintf("e=%d&view=heatmap&at=11,y,x&ax=,-,0.%d", e, p.entry("time")))
	p.wait("document.querySelector('.axes').innerText.includes('time is not used: it has 24 elements, and the axis 72')")
	if k = p.ticks(); k.Labels != [2]string{"lon", "lat"} || k.X[0].text != "0" || k.Y[len(k.Y)-1].text == "" {
		t.Errorf("by hand the ticks are %v", k)
	}
	eval[bool](p, "((list) => { list.value = ''; list.dispatchEvent(new Event('change')); return true; })(document.querySelector('.axes [data-axis=\"2\"]'))")
	p.awaitState("ax", ",-,")
	if k = p.ticks(); k.Labels[0] != "longitude (degrees_east)" {
		t.Errorf("the labels are %q", k.Labels)
	}

	// Flags have their names, and the file its attributes.
	p.show(fmt.Sprintf("e=%d&view=table", p.entry("surface")))
	if row := p.table()[0]; !slices.Equal(row[1:5], []string{"sea (0)", "land (1)", "ice (2)", "3"}) {
		t.Errorf("the flags are %q", row)
	}
	eval[bool](p, "(document.querySelector('.item.file').click(), true)")
	p.wait("!document.querySelector('.group-card').hidden")
	if got := p.text(".group-card"); !strings.Contains(got, "A climate of two years") || !strings.Contains(got, "netCDF") {
		t.Errorf("the card of the file is %q", got)
	}
}

// Coordinates that are many are asked for in parts: the ticks and the tip of a window are exact.
func TestLongCoordinates(t *testing.T) {
	const n = 60_000
	squares := make([]float64, n)
	for i := range squares {
		squares[i] = float64(i) * float64(i)
	}
	p := open(t, serve(t, write(t, "long.nc", []sample.Item{
		sample.Array("x", sample.Of(squares), "x", "units", "m"), sample.Array("a", sample.Of(sample.Ramp(16*n, 0, 0.5), 16, n), "y x")})))
	p.drawn()
	if k := p.ticks(); len(k.X) < 3 || k.Labels[0] != "x (m)" {
		t.Errorf("the ticks are %v", k)
	}
	p.show(fmt.Sprintf("e=%d&view=heatmap&at=y,x&aspect=fill&x0=40000&x1=40050", p.entry("a")))
	p.wait("JSON.parse(document.querySelector('#stage canvas').dataset.ticks).x.length > 2 && !document.body.classList.contains('busy')")
	k := p.ticks()
	for _, x := range k.X {
		v, err := strconv.ParseFloat(x.text, 64)
		if strings.Contains(k.Labels[0], "+1.6e9") {
			v += 1.6e9
		}
		if want := k.frame[0] + k.frame[2]*(math.Sqrt(v)+0.5-40000)/50; err != nil || math.Abs(want-x.at) > 1.5 {
			t.Errorf("%q is at %v, want %v (%s)", x.text, x.at, want, k.Labels[0])
		}
	}
	if got := p.tip(3, 40017, false); got[1] != "x 1601360289 m" {
		t.Errorf("the tip is %q", got)
	}
	if most := eval[float64](p, "Math.max(...performance.getEntriesByType('resource').filter((e) => e.name.includes('/along?')).map((e) => e.transferSize))"); most > 60_000 {
		t.Errorf("an answer about coordinates has %v bytes", most)
	}
}

// The default plot of NeXus has its axes, a falling one too, and groups have their attributes.
func TestNeXus(t *testing.T) {
	p := open(t, serve(t, write(t, "scan.h5", sample.Scan())))
	p.drawn()
	k := p.ticks()
	if k.Labels != [2]string{"energy (keV)", "2θ (deg)"} {
		t.Errorf("the labels are %q", k.Labels)
	}
	for _, y := range k.Y { // from 30 down to 20.25
		v, err := strconv.ParseFloat(y.text, 64)
		if want := k.frame[1] + k.frame[3]*((30-v)/0.25+0.5)/sample.ScanY; err != nil || math.Abs(want-y.at) > 1 {
			t.Errorf("2θ of %q is at %v, want %v", y.text, y.at, want)
		}
	}
	if got := p.tip(14, 21, false); !slices.Equal(got, []string{"[14, 21]", "two_theta 26.5 deg", "energy 8.15 keV", "522.0 counts"}) {
		t.Errorf("the tip is %q", got)
	}
	p.show(fmt.Sprintf("e=%d&view=table", p.entry("entry/state")))
	if rows := p.table(); rows[0][1] != "idle (0)" || rows[1][1] != "moving (1)" || rows[2][1] != "counting (2)" {
		t.Errorf("the states are %q", rows[:3])
	}
	eval[bool](p, "([...document.querySelectorAll('.item.group')].find((x) => x.textContent === 'plot').click(), true)")
	p.wait("/NX_class\\s+NXdata\\s+signal\\s+counts/.test(document.querySelector('.group-card').innerText)")
}

// Each calendar gives the dates that netCDF4 gives.
func TestCalendars(t *testing.T) {
	type axis struct{ Name, First, Last string }
	path, want := written[[]axis](t, "netCDF4", "dates.nc", `
out = []
with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as f:
    for k, (units, calendar, values) in enumerate([
        ("days since 2000-02-28", "standard", [1, 400.25]), ("days since 1500-02-28", "standard", [1, 30000]), ("hours since 1-1-1 00:00:0.0", None, [17e6, 18e6]),
        ("days since 1582-10-01", "gregorian", [3, 4]), ("days since 1500-02-28", "proleptic_gregorian", [1, 30000]), ("days since 1900-02-28", "julian", [1, 2]),
        ("days since 1900-02-28 12:00", "noleap", [0.5, 36500.75]), ("days since 2001-02-28", "366_day", [1, 3000]), ("days since 1850-01-30", "360_day", [0, 400.125]),
        ("months since 1850-01-01", "360_day", [1.5, 13]), ("seconds since 1970-01-01T00:00:00Z", "standard", [951782399.5, 951782400]), ("minutes since 2024-03-01 06:30 +01:30", "standard", [0, 1441]),
        ("milliseconds since 1999-12-31", "standard", [86399999, 86400001]), ("hours since -4712-01-01", "proleptic_gregorian", [0, 24]),
    ]):
        name = "t%d" % k
        f.createDimension(name, 2)
        v = f.createVariable(name, "f8", (name,))
        v.units = units
        if calendar: v.calendar = calendar
        v[:] = values
        f.createVariable("x%d" % k, "f4", (name,))[:] = [1, 2]
        def text(d):
            s = "%s%04d-%02d-%02d" % ("-" if d.year < 0 else "", abs(d.year), d.month, d.day)
            if d.microsecond: return s + " %02d:%02d:%02d.%03d" % (d.hour, d.minute, d.second, d.microsecond // 1000)
            if d.second: return s + " %02d:%02d:%02d" % (d.hour, d.minute, d.second)
            return s + (" %02d:%02d" % (d.hour, d.minute) if d.hour or d.minute else "")
        first, last = netCDF4.num2date(values, units, calendar or "standard", only_use_cftime_datetimes=True)
        out.append({"Name": "x%d" % k, "First": text(first), "Last": text(last)})
print(json.dumps(out))
`)
	p := open(t, serve(t, path))
	for _, x := range want {
		p.show(fmt.Sprintf("e=%d&view=lines", p.entry(x.Name)))
		p.wait("document.querySelector('.axes .range') && document.querySelector('.about h2').textContent === '" + x.Name + "'")
		if got := p.text(".axes .range"); got != x.First+" … "+x.Last {
			t.Errorf("%s: the axis is from %q, want %q … %q", x.Name, got, x.First, x.Last)
		}
	}
}
