//go:build !purego

package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/record"
)

// export chooses an export of the page and returns the file.
func (p *tab) export(format string) (name string, data []byte) {
	p.t.Helper()
	type file struct{ Name, Data string }
	f := eval[file](p, fmt.Sprintf(`(async () => {
		const { click } = HTMLAnchorElement.prototype, { createObjectURL } = URL;
		let blob = null;
		URL.createObjectURL = (b) => (blob = b, 'data:,');
		const link = await new Promise((done) => {
			HTMLAnchorElement.prototype.click = function () { done(this); };
			const list = document.getElementById('export');
			list.value = %q;
			list.dispatchEvent(new Event('change'));
		});
		HTMLAnchorElement.prototype.click = click;
		URL.createObjectURL = createObjectURL;
		blob ??= await (await fetch(link.href)).blob();
		const url = await new Promise((done) => {
			const r = new FileReader();
			r.onload = () => done(r.result);
			r.readAsDataURL(blob);
		});
		return {Name: link.download, Data: url.slice(url.indexOf(',') + 1)};
	})()`, format))
	data, err := base64.StdEncoding.DecodeString(f.Data)
	if err != nil || len(data) == 0 {
		p.t.Fatalf("%s: %d bytes: %v", format, len(data), err)
	}
	return f.Name, data
}

// decodePNG decodes a picture.
func decodePNG(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	im, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(im.Bounds())
	draw.Draw(out, out.Rect, im, im.Bounds().Min, draw.Src)
	return out
}

// Exports match the view: PNG and SVG by their pixels, CSV and npy by their values.
func TestExport(t *testing.T) {
	c := newColours()
	p := open(t, serve(t, writeNPY(t, "a.npy", c.plain, ny, nx))+"#map=grey&view=heatmap&theme=light")
	seen := p.heatmap()
	colour := greys(c.plain, "linear")
	name, data := p.export("png")
	im := decodePNG(t, data)
	if name != "a-view.png" {
		t.Errorf("the picture is called %s", name)
	}
	large := picture{im, 2 * seen.left, 2 * seen.top, 2 * seen.w, 2 * seen.h, seen.y0, seen.y1, seen.x0, seen.x1}
	for i := range c.plain {
		if got, want := large.at(i/nx, i%nx), colour(i); got != want {
			t.Fatalf("PNG: cell %d is %v, want %v", i, got, want)
		}
	}
	_, data = p.export("svg")
	var svg struct {
		Images []struct {
			X      float64 `xml:"x,attr"`
			Y      float64 `xml:"y,attr"`
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Href   string  `xml:"href,attr"`
		} `xml:"g>g>image"`
		Text string `xml:",innerxml"`
	}
	if err := xml.Unmarshal(data, &svg); err != nil || len(svg.Images) != 1 {
		t.Fatalf("SVG: %d pictures, %v: %.300s", len(svg.Images), err, data)
	}
	part := svg.Images[0]
	if math.Abs(part.X-seen.left) > 0.5 || math.Abs(part.Y-seen.top) > 0.5 || math.Abs(part.Width-seen.w) > 0.5 || math.Abs(part.Height-seen.h) > 0.5 {
		t.Errorf("SVG: the picture is at %v, %v and %v x %v, want %v", part.X, part.Y, part.Width, part.Height, seen)
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(part.Href, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	im = decodePNG(t, data)
	for i := range c.plain {
		if got, want := im.NRGBAAt(i%nx, i/nx), colour(i); got != want {
			t.Fatalf("SVG: cell %d is %v, want %v", i, got, want)
		}
	}

	p.show("view=heatmap&aspect=fill&y0=2&y1=5&x0=3&x1=7")
	p.drawn()
	_, data = p.export("csv")
	var want strings.Builder
	for y := 2; y < 5; y++ {
		for x := 3; x < 7; x++ {
			v := "nan"
			if f := c.plain[y*nx+x]; f == f {
				v = fmt.Sprintf("%.1f", f)
			}
			want.WriteString(strings.TrimSuffix(v, ".0"))
			want.WriteString(map[bool]string{true: "\n", false: ","}[x == 6])
		}
	}
	if got := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r", ""), ".0", ""); !strings.EqualFold(got, want.String()) {
		t.Errorf("CSV: %q, want %q", got, want.String())
	}
	name, data = p.export("npy")
	a, err := npy.Read(bytes.NewReader(data))
	if err != nil || name != "a-seen.npy" || !slices.Equal(a.Shape(), []int{3, 4}) {
		t.Fatalf("npy: %v, %s, %v", a, name, err)
	}
	part2, err := array(t, c.plain, ny, nx).Slice(npy.Span(2, 5), npy.Span(3, 7))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), part2.Contiguous().Bytes()) {
		t.Errorf("npy: %v, want %v", a, part2)
	}
	if _, data = p.export("npy-all"); len(data) < 8*ny*nx {
		t.Errorf("the whole slice has %d bytes", len(data))
	}

	// Rows that are sorted are exported as they are seen.
	p.show("view=table&sort=-0&where=row<5")
	_, data = p.export("npy-all")
	a, err = npy.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rows := []int{0, 1, 2, 3, 4}
	slices.SortStableFunc(rows, func(i, j int) int { return int(c.plain[j*nx] - c.plain[i*nx]) })
	view, err := npy.As[float64](a)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if got, want := view.At(i, 0), c.plain[row*nx]; got != want {
			t.Errorf("row %d that was exported begins with %v, want %v", i, got, want)
		}
	}
}

// python returns a Python with NumPy.
func python(t *testing.T) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	return ""
}

// The command line, the Python and the Go of the page give the slice that is seen.
func TestCodeOfSlice(t *testing.T) {
	c := newColours()
	shocks := make([]shock, 30)
	for i := range shocks {
		shocks[i] = shock{fmt.Sprint("s", i), float32((i*7)%30) / 4, int32(i), i%2 == 0}
	}
	records, err := record.FromSlice(shocks)
	if err != nil {
		t.Fatal(err)
	}
	cube := array(t, c.cube, nz, ny, nx)
	path := writeNPZ(t, "it's a file.npz", []string{"a/cube", "shocks", "z"}, cube, records, array(t, c.complex, ny, nx))
	lone := writeNPY(t, "lone.npy", c.plain, ny, nx)
	slice := func(index ...npy.Index) *npy.Array {
		a, err := cube.Slice(index...)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	mags := make([]float32, len(shocks))
	for i, s := range shocks {
		mags[i] = s.Mag
	}
	phases := make([]float64, len(c.complex))
	for i, z := range c.complex {
		phases[i] = math.Atan2(imag(z), real(z))
	}
	found, err := record.FromSlice([]shock{shocks[4], shocks[21], shocks[8], shocks[25]}) // the largest first
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		hash               string
		want               *npy.Array
		command, python, g bool
	}{
		{"view=heatmap&aspect=fill&at=2,y,x&y0=1&y1=5&x0=2&x1=8", slice(npy.At(2), npy.Span(1, 5), npy.Span(2, 8)), true, true, true},
		{"view=lines&at=1,x,3&l0=2&l1=7", slice(npy.At(1), npy.Span(2, 7), npy.At(3)), true, true, true},
		{"view=heatmap&at=2,y,x", slice(npy.At(2)), true, true, true},
		{"view=heatmap&at=mean,y,x", array(t, projected(c.cube, nz, "mean"), ny, nx), false, true, true},
		{"view=lines&at=1,max,x", array(t, projected(c.cube[ny*nx:2*ny*nx], ny, "max"), nx), false, true, true},
		{"e=1&view=lines&field=mag&at=x", array(t, mags, len(mags)), true, true, true},
		{"e=1&view=table&at=y&where=mag+>+5.5+and+depth+in+(25,8,21,4)&sort=-mag", found, true, false, false},
		{"e=2&view=heatmap&at=y,x&part=phase", array(t, phases, ny, nx), false, true, false},
		{"f=1&view=heatmap&at=y,x", array(t, c.plain, ny, nx), true, true, true},
	}
	p := open(t, serve(t, path, lone))
	p.settled()
	var py, g strings.Builder
	var pyWant, goWant []*npy.Array
	fmt.Fprint(&py, "import json, math, numpy as np\ndef out(a):\n    print(json.dumps([list(a.shape), [None if math.isnan(v) else v for v in np.asarray(a, float).ravel().tolist()]]))\n")
	fmt.Fprint(&g, "package main\n\nimport (\n\"context\"\n\"fmt\"\n\n\"github.com/npygo/npy\"\n\"github.com/npygo/npy/container/all\"\n\"github.com/npygo/npy/stats\"\n)\n\nvar _ = stats.Of\n\nfunc main() {\nctx := context.Background()\n")
	for _, x := range tests {
		p.show(x.hash)
		time.Sleep(400 * time.Millisecond) // the page asks once it rests
		p.settled()
		code := eval[map[string]string](p, "Object.fromEntries([...document.querySelectorAll('.snippet')].map((s) => [s.querySelector('.lang').textContent, s.querySelector('code').textContent]))")
		for lang, want := range map[string]bool{"Command": x.command, "NumPy": x.python, "Go": x.g} {
			if (code[lang] != "") != want {
				t.Errorf("%s: the code for %s is %q", x.hash, lang, code[lang])
			}
		}
		if x.command {
			run := exec.Command("sh", "-c", code["Command"])
			run.Env = append(os.Environ(), "PATH="+filepath.Dir(command(t))+":"+os.Getenv("PATH"), "NO_COLOR=1")
			got, err := run.CombinedOutput()
			if want := (npy.Printer{}).Str(x.want); x.want.DType().IsStruct() {
				if fields := strings.Fields(string(got)); err != nil || !inOrder(fields, "s4", "s21", "s8", "s25") {
					t.Errorf("%s: %s prints %s, %v", x.hash, code["Command"], got, err)
				}
			} else if err != nil || !slices.Equal(numbers(string(got)), numbers(want)) {
				t.Errorf("%s: %s prints\n%swant\n%s\n%v", x.hash, code["Command"], got, want, err)
			}
		}
		if x.python {
			fmt.Fprintf(&py, "out(%s)\n", code["NumPy"])
			pyWant = append(pyWant, x.want)
		}
		if x.g {
			fmt.Fprintf(&g, "func() {\n%s\nif err != nil {\npanic(err)\n}\n%s\na, err := part.ReadAll(ctx)\nfmt.Println(npy.Printer{}.Str(a), err)\n}()\n",
				code["Go"], map[bool]string{true: "", false: "part := src"}[strings.Contains(code["Go"], "part, err")])
			goWant = append(goWant, x.want)
		}
	}
	t.Run("python", func(t *testing.T) {
		name := python(t)
		if name == "" {
			t.Skip("there is no Python with NumPy")
		}
		out, err := exec.Command(name, "-c", py.String()).CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err != nil || len(lines) != len(pyWant) {
			t.Fatalf("%v: %s\n%s", err, out, py.String())
		}
		for i, line := range lines {
			var shape []int
			var values []*float64
			if err := json.Unmarshal([]byte(line), &[]any{&shape, &values}); err != nil || !slices.Equal(shape, pyWant[i].Shape()) {
				t.Fatalf("shape %v, want %v: %v", shape, pyWant[i].Shape(), err)
			}
			want, err := npy.As[float64](pyWant[i])
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range want.ToSlice() {
				if got := values[k]; (got == nil) != (v != v) || got != nil && math.Abs(*got-v) > 1e-12*math.Abs(v) {
					t.Errorf("Python line %d: element %d is not %v", i, k, v)
					break
				}
			}
		}
	})
	t.Run("go", func(t *testing.T) {
		g.WriteString("}\n")
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(g.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "run", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s\n%s", err, out, g.String())
		}
		var want strings.Builder
		for _, a := range goWant {
			fmt.Fprintln(&want, npy.Printer{}.Str(a), nil)
		}
		if string(out) != want.String() {
			t.Errorf("the programs print\n%swant\n%s", out, want.String())
		}
	})
}

// numbers returns the numbers of a text: a terminal has no commas between them.
func numbers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[], \n", r) })
}

// inOrder reports whether texts follow each other among others.
func inOrder(all []string, texts ...string) bool {
	for _, text := range all {
		if len(texts) > 0 && strings.Trim(text, "'\"") == texts[0] {
			texts = texts[1:]
		}
	}
	return len(texts) == 0
}

// CSV for spreadsheets has no formulas, and CSV for programs has the text as it is.
func TestExportFormulas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	a, _, err := convert.Read(context.Background(), strings.NewReader("=1+1\n-2\n@x\n"), convert.CSV, convert.ReadOptions{Header: convert.HeaderNo})
	if err == nil {
		err = npy.WriteFile(path, a)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, path)+"#view=table")
	p.settled()
	for _, test := range []struct{ format, want string }{
		{"csv", "=1+1\n-2\n@x\n"}, {"csv-all", "=1+1\n-2\n@x\n"}, {"sheet", "'=1+1\n-2\n'@x\n"}, {"sheet-all", "'=1+1\n-2\n'@x\n"},
	} {
		if name, data := p.export(test.format); !strings.HasPrefix(name, "a-s") || string(data) != test.want {
			t.Errorf("%s: %s with %q, want %q", test.format, name, data, test.want)
		}
	}
}
