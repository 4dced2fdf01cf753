package answer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/view/internal/answer"
)

// paper takes an answer.
type paper struct {
	bytes.Buffer
	head answer.Head
}

func (p *paper) Head(h answer.Head) { p.head = h }
func (p *paper) Flush()             {}

// input returns an Input of arrays in memory.
func input(name string, arrays ...npy.Source) answer.Input {
	f := &answer.File{Kind: "npz", Close: func() {}}
	for i, a := range arrays {
		f.Entries = append(f.Entries, container.Entry{Path: fmt.Sprint("a", i), DType: a.DType(), Shape: a.Shape()})
	}
	f.Source = func(i int) (npy.Source, error) { return arrays[i], nil }
	return answer.Input{Name: name, Open: func(context.Context) (*answer.File, error) { return f, nil }}
}

func ask(t *testing.T, a *answer.Answers, question, query string) *paper {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p := &paper{}
	if err := a.Answer(t.Context(), question, q, p); err != nil {
		t.Fatalf("%s?%s: %v", question, query, err)
	}
	return p
}

func askJSON(t *testing.T, a *answer.Answers, question, query string) (out map[string]any) {
	t.Helper()
	text := strings.TrimSpace(ask(t, a, question, query).String())
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// frame returns the head and the arrays of a frame.
func frame(t *testing.T, p *paper) (head map[string]any, arrays map[string][]float64) {
	t.Helper()
	data := p.Bytes()
	n := binary.LittleEndian.Uint32(data)
	if err := json.Unmarshal(data[4:4+n], &head); err != nil {
		t.Fatal(err)
	}
	if (4+n)%8 != 0 {
		t.Errorf("the arrays begin at byte %d", 4+n)
	}
	r := bytes.NewReader(data[4+n:])
	arrays = map[string][]float64{}
	for _, x := range head["arrays"].([]any) {
		x := x.(map[string]any)
		values := make([]float64, int(x["n"].(float64)))
		for i := range values {
			var err error
			switch x["type"] {
			case "f4":
				var v float32
				err = binary.Read(r, binary.LittleEndian, &v)
				values[i] = float64(v)
			case "f8":
				err = binary.Read(r, binary.LittleEndian, &values[i])
			case "u1":
				var v uint8
				err = binary.Read(r, binary.LittleEndian, &v)
				values[i] = float64(v)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		arrays[x["name"].(string)] = values
	}
	if r.Len() > 0 {
		t.Errorf("%d bytes follow the arrays", r.Len())
	}
	return head, arrays
}

func slice[T npy.Element](t *testing.T, data []T, shape ...int) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Pixels are the mean, the largest or the least of the elements that they cover.
func TestPicture(t *testing.T) {
	const rows, columns = 37, 53
	values, random := make([]float64, rows*columns), oracle.Rand(t)
	for i := range values {
		values[i] = random.NormFloat64()
		if random.IntN(9) == 0 {
			values[i] = math.NaN()
		}
	}
	a := answer.New([]answer.Input{input("m.npz", slice(t, values, rows, columns), slice(t, values, rows, columns).T())})
	defer a.Close()
	for _, how := range []string{"mean", "max", "min"} {
		for e, at := range []string{"y,x", "x,y"} {
			head, arrays := frame(t, ask(t, a, "picture", fmt.Sprintf("f=0&e=%d&at=%s&y0=3&y1=35&x0=5&x1=53&h=8&w=16&how=%s", e, at, how)))
			if head["h"] != 8.0 || head["w"] != 16.0 || head["exact"] != true {
				t.Fatalf("%v", head)
			}
			least, largest := math.Inf(1), math.Inf(-1) // of the elements, whatever the pixels are
			for y := 3; y < 35; y++ {
				for _, v := range values[y*columns+5 : y*columns+53] {
					if v == v {
						least, largest = min(least, v), max(largest, v)
					}
				}
			}
			if head["min"] != least || head["max"] != largest {
				t.Errorf("%s: the elements are from %v to %v, want %v to %v", how, head["min"], head["max"], least, largest)
			}
			for i := range 8 {
				for j := range 16 {
					sum, n, low, high := 0.0, 0, math.NaN(), math.NaN()
					for y := 3 + i*4; y < 3+i*4+4; y++ {
						for x := 5 + j*3; x < 5+j*3+3; x++ {
							v := values[y*columns+x]
							if v != v {
								continue
							}
							if n++; n == 1 {
								low, high = v, v
							}
							sum, low, high = sum+v, min(low, v), max(high, v)
						}
					}
					want := map[string]float64{"mean": sum / float64(n), "max": high, "min": low}[how]
					got := arrays["values"][i*16+j]
					if math.Abs(got-want) > 1e-6 || (got != got) != (want != want) {
						t.Fatalf("%s of pixel %d, %d is %v, want %v", how, i, j, got, want)
					}
				}
			}
		}
	}
	_, arrays := frame(t, ask(t, a, "picture", "f=0&e=0&at=y,x&y0=10&y1=12&x0=4&x1=7&h=100&w=100"))
	for i, got := range arrays["values"] {
		if want := float64(float32(values[(10+i/3)*columns+4+i%3])); got != want && (got == got || want == want) {
			t.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
}

// Pixels of colours have the mean of each colour, and bytes stay bytes.
func TestColours(t *testing.T) {
	const rows, columns = 60, 80
	bytes, random := make([]uint8, rows*columns*3), oracle.Rand(t)
	for i := range bytes {
		bytes[i] = uint8(random.Uint32())
	}
	image := slice(t, bytes, rows, columns, 3)
	a := answer.New([]answer.Input{input("m.npz", image, slice(t, []float64{0, 0.5, 1, 0.25}, 4, 1, 1))})
	defer a.Close()
	head, arrays := frame(t, ask(t, a, "picture", "e=0&at=y,x,c&h=1000&w=1000&quick=1"))
	if head["h"] != 60.0 || head["w"] != 80.0 || head["channels"] != 3.0 || head["exact"] != true {
		t.Fatalf("%v", head)
	}
	for i, v := range arrays["values"] {
		if v != float64(bytes[i]) {
			t.Fatalf("value %d is %v, want %d", i, v, bytes[i])
		}
	}
	_, arrays = frame(t, ask(t, a, "picture", "e=0&at=y,x,c&h=30&w=40"))
	for i, v := range arrays["values"] {
		c, x, y := i%3, i/3%40*2, i/120*2
		sum := 0
		for _, at := range []int{y*columns + x, y*columns + x + 1, (y+1)*columns + x, (y+1)*columns + x + 1} {
			sum += int(bytes[at*3+c])
		}
		if math.Abs(v-float64(sum)/4) > 0.51 {
			t.Fatalf("value %d is %v, want %v", i, v, float64(sum)/4)
		}
	}
	if _, arrays = frame(t, ask(t, a, "picture", "e=1&at=c,x,y")); fmt.Sprint(arrays["values"]) != "[0 0.5 1 0.25]" {
		t.Errorf("%v", arrays["values"])
	}
}

// Texts are NumPy's: nothing is lost of integers and times.
func TestCells(t *testing.T) {
	whole := slice(t, []int64{math.MaxInt64, math.MinInt64, 9007199254740993, 0}, 2, 2)
	complexes := slice(t, []complex128{complex(1, -2), complex(0, math.NaN())}, 2)
	words := slice(t, []string{"<b>bold</b>", strings.Repeat("é", 300)}, 2)
	a := answer.New([]answer.Input{input("m.npz", whole, complexes, words)})
	defer a.Close()
	for query, want := range map[string]string{
		"e=0&at=y,x":           "[[9223372036854775807 -9223372036854775808] [9007199254740993 0]]",
		"e=0&at=x,y":           "[[9223372036854775807 9007199254740993] [-9223372036854775808 0]]",
		"e=0&at=y,x&y0=1&x1=1": "[[9007199254740993]]",
		"e=0&at=y,1&sort=-x":   "[[0] [-9223372036854775808]]",
		"e=1&at=y":             "[[(1-2j)] [nanj]]",
		"e=2&at=y&where=x<'a'": "[[<b>bold</b>]]",
		"e=0&at=1,1":           "[[0]]",
	} {
		if got := fmt.Sprint(askJSON(t, a, "cells", query)["cells"]); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	out := askJSON(t, a, "cells", "e=2&at=y")
	if fmt.Sprint(out["cut"]) != "[[1 0]]" {
		t.Errorf("%v", out["cut"])
	}
	if got := askJSON(t, a, "cell", "e=2&index=1")["text"]; got != strings.Repeat("é", 300) {
		t.Errorf("%v", got)
	}
}

func TestLine(t *testing.T) {
	values := make([]float64, 100_000)
	for i := range values {
		values[i] = math.Sin(float64(i) / 1000)
	}
	values[54_321] = 100
	a := answer.New([]answer.Input{input("m.npz", slice(t, values), slice(t, values[:50]))})
	defer a.Close()
	head, arrays := frame(t, ask(t, a, "line", "e=0&at=x&w=300"))
	if head["mode"] != "m4" || len(arrays["min"]) != 300 {
		t.Fatalf("%v", head)
	}
	edges := arrays["edges"]
	for i := range 300 {
		part := values[int(edges[i]):int(edges[i+1])]
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range part {
			low, high = min(low, v), max(high, v)
		}
		got := [4]float64{arrays["first"][i], arrays["min"][i], arrays["max"][i], arrays["last"][i]}
		if want := [4]float64{part[0], low, high, part[len(part)-1]}; got != want {
			t.Fatalf("column %d: %v, want %v", i, got, want)
		}
	}
	head, arrays = frame(t, ask(t, a, "line", "e=1&at=x&w=300&err=0.1&x0=10"))
	if head["mode"] != "raw" || len(arrays["y"]) != 40 || arrays["y"][0] != values[10] || arrays["err"][39] != values[49] {
		t.Errorf("%v", head)
	}
}

func TestNumbers(t *testing.T) {
	x := slice(t, []int64{9007199254740993, 3, -7, 12, 5, 6}, 2, 3)
	a := answer.New([]answer.Input{input("m.npz", x)})
	defer a.Close()
	out := askJSON(t, a, "numbers", "e=0&all=1")
	s := out["fields"].([]any)[0].(map[string]any)
	if s["max"] != "9007199254740993" || fmt.Sprint(s["argmin"]) != "[0 2]" || s["count"] != 6.0 {
		t.Errorf("%v", s)
	}
	b := answer.New([]answer.Input{input("m.npz", slice(t, []float32{0.1, -0.3}), slice(t, []bool{true, false}))})
	defer b.Close()
	if s := askJSON(t, b, "numbers", "at=x")["fields"].([]any)[0].(map[string]any); s["min"] != "-0.3" || s["max"] != "0.1" {
		t.Errorf("%v", s)
	}
	if got := fmt.Sprint(askJSON(t, b, "cells", "e=1&at=y")["cells"]); got != "[[True] [False]]" {
		t.Error(got)
	}
	if got := askJSON(t, b, "array", "e=1")["nbytes"]; got != 2.0 {
		t.Error(got)
	}
	out = askJSON(t, a, "numbers", "e=0&at=y,x&y0=1&x0=1")
	s = out["fields"].([]any)[0].(map[string]any)
	if s["sum"] != "11" || fmt.Sprint(s["argmax"]) != "[1 2]" {
		t.Errorf("%v", s)
	}
	if counts := out["histogram"].(map[string]any)["counts"].([]any); len(counts) != 64 || counts[0] != 1.0 || counts[63] != 1.0 {
		t.Errorf("%v", counts)
	}
}

// Projections, differences and parts are computed from the elements.
func TestComputed(t *testing.T) {
	x := slice(t, []float64{1, 2, 3, 4, 5, 60}, 2, 3)
	z := slice(t, []complex128{3 + 4i, -1i}, 2)
	a := answer.New([]answer.Input{input("m.npz", x, slice(t, []int8{1, 1, 1, 2, 2, 2}, 2, 3), z, slice(t, []float32{3, 1}, 2))})
	defer a.Close()
	for query, want := range map[string]string{
		"e=0&at=mean,x":              "[2.5 3.5 31.5]",
		"e=0&at=x,max":               "[3 60]",
		"e=0&at=1,x&minus=0.1":       "[2 3 58]",
		"e=1&at=1,x&minus=0.0":       "[-2 -3 -58]",
		"e=2&at=x&part=abs":          "[5 1]",
		"e=2&at=x&part=im":           "[4 -1]",
		"e=2&at=x&part=re&minus=0.3": "[0 -1]",
		"e=3&at=x&part=im&minus=0.2": "[-4 1]",
		"e=0&at=min,x&minus=0.1":     "[0 1 2]",
		"e=0&at=0,x&x0=1&xs=0.0&":    "[2 3]",
	} {
		_, arrays := frame(t, ask(t, a, "line", query))
		if got := fmt.Sprint(arrays["y"]); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// The mean along several axes is the mean of all elements along them, also where they differ in their number of NaN.
// The largest along one axis and the smallest along another are taken one after the other.
func TestProjectedAlongSeveral(t *testing.T) {
	nan := math.NaN()
	x := slice(t, []float64{1, 2, nan, 4, 5, nan, 7, 8, 9, nan, 30, 12}, 2, 2, 3)
	a := answer.New([]answer.Input{input("x.npy", x)})
	defer a.Close()
	for at, want := range map[string]string{
		"mean,mean,x": "[4 11.25 10.5]", // where means of means are 4.75, 11.25 and 10.5
		"mean,x,mean": "[5.4 12.75]",
		"max,max,x":   "[7 30 12]",
		"max,min,x":   "[7 8 9]",
		"min,max,x":   "[4 5 12]",
		"mean,0,x":    "[4 5 9]",
	} {
		_, arrays := frame(t, ask(t, a, "line", "e=0&at="+at))
		if got := fmt.Sprint(arrays["y"]); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
	for _, at := range []string{"mean,max,x", "min,x,mean"} {
		err := a.Answer(t.Context(), "line", url.Values{"e": {"0"}, "at": {at}}, &paper{})
		if err == nil || answer.Status(err) != 400 || !strings.Contains(err.Error(), "choose one for both") {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// Whatever is asked, there is an answer or an error of one line, and never a panic.
func TestWrongQuestions(t *testing.T) {
	a := answer.New([]answer.Input{input("m.npz", slice(t, []float64{1, 2}, 1, 2), slice(t, []string{"a"}), slice(t, []float64{}, 0, 3))})
	defer a.Close()
	values := []string{"", "0", "1", "-1", "2", "9999999999999999999", "../../etc/passwd", "y", "x,y", "y,x", "y,x,c", "x", "mean,x", "mean,max", "0,0", "0.0", "1.0", "..", "abs", "a >", "%00", "0,0;0,1", "nan", "f=0&at=x~e=1&at=x", "sum,x"}
	names := []string{"f", "e", "field", "part", "minus", "at", "y0", "y1", "x0", "x1", "h", "w", "how", "quick", "xs", "err", "where", "sort", "index", "all", "as", "from", "n", "q", "points", "bins", "low", "high", "cut", "edges", "positive", "lines", "histogram", "x", "y", "hexes", "hexrows"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		q := url.Values{}
		for range r.IntN(6) {
			q.Set(names[r.IntN(len(names))], values[r.IntN(len(values))])
		}
		questions := answer.Questions()
		name := questions[r.IntN(len(questions))]
		p := &paper{}
		if err := a.Answer(t.Context(), name, q, p); err != nil {
			if strings.Contains(err.Error(), "\n") || answer.Status(err) == 500 {
				t.Fatalf("%s?%s: %v", name, q.Encode(), err)
			}
			if p.Len() > 0 && name != "numbers" && name != "export" {
				t.Fatalf("%s?%s: an error after %d bytes: %v", name, q.Encode(), p.Len(), err)
			}
		}
	}
}

// A file that changes is an error until the page asks for the list of files.
func TestChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	write := func(n int) {
		if err := npy.Save(path, make([]int8, n)); err != nil {
			t.Fatal(err)
		}
	}
	write(3)
	closed := 0
	in := answer.Input{Name: "a.npy", Open: func(context.Context) (*answer.File, error) {
		f, err := npy.Open(path)
		if err != nil {
			return nil, err
		}
		return &answer.File{Kind: "npy", Entries: []container.Entry{{DType: f.DType(), Shape: f.Shape()}},
			Source: func(int) (npy.Source, error) { return f, nil },
			Close:  func() { closed++; f.Close() }}, nil
	}, State: func() (string, error) {
		info, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(info.Size(), info.ModTime()), nil
	}}
	a := answer.New([]answer.Input{in})
	tag := ask(t, a, "cells", "at=y").head.ETag
	if err := a.Answer(t.Context(), "cells", url.Values{"at": {"y"}, "etag": {tag}}, &paper{}); !errors.Is(err, answer.ErrNotModified) {
		t.Errorf("error %v", err)
	}
	before := a.ETag(0)
	if a.ETag(0) != before {
		t.Error("it has changed")
	}
	write(5)
	if a.ETag(0) == before {
		t.Error("it has not changed")
	}
	err := a.Answer(t.Context(), "cells", url.Values{"at": {"y"}, "etag": {tag}}, &paper{})
	if answer.Status(err) != 410 {
		t.Errorf("error %v", err)
	}
	if out := askJSON(t, a, "array", ""); fmt.Sprint(out["shape"]) != "[5]" {
		t.Errorf("%v", out)
	}
	if out := askJSON(t, a, "cells", "at=y"); out["total"] != 5.0 || closed != 1 {
		t.Errorf("%v, %d closed", out, closed)
	}
	a.Close()
	if closed != 2 {
		t.Errorf("%d closed", closed)
	}
}

func TestCode(t *testing.T) {
	a := answer.New([]answer.Input{input("it's.npz", slice(t, make([]int16, 60), 3, 4, 5), slice(t, make([]complex128, 6), 2, 3)), input("x.npz[0]", slice(t, []int8{1}))})
	defer a.Close()
	for _, x := range []struct{ query, command, python, goText string }{
		{"at=1,y,x&y0=1&y1=3&x0=0&x1=5", `npy show 'it'\''s.npz:a0[1,1:3,:]'`, `np.load("it's.npz")["a0"][1, 1:3, :]`,
			"file, err := all.Open(\"it's.npz\")\nsrc, err := file.Source(\"a0\")\npart, err := src.Select(npy.At(1), npy.Span(1, 3), npy.All())"},
		{"at=1,mean,x", "", `np.nanmean(np.load("it's.npz")["a0"][1, :, :], axis=0)`,
			"file, err := all.Open(\"it's.npz\")\nsrc, err := file.Source(\"a0\")\npart, err := src.Select(npy.At(1), npy.All(), npy.All())\naxis0, err := stats.AxisOf(ctx, part, 0)\npart = axis0.Mean"},
		{"at=max,x,min&x0=1&x1=3", "", `np.nanmax(np.nanmin(np.load("it's.npz")["a0"][:, 1:3, :], axis=2), axis=0)`,
			"file, err := all.Open(\"it's.npz\")\nsrc, err := file.Source(\"a0\")\npart, err := src.Select(npy.All(), npy.Span(1, 3), npy.All())\naxis2, err := stats.AxisOf(ctx, part, 2)\npart = axis2.Min\naxis0, err := stats.AxisOf(ctx, part, 0)\npart = axis0.Max"},
		{"at=0,y,x&y0=0&y1=2&where=x[0]%3E1", `npy show 'it'\''s.npz:a0[0,:,:]' --where 'x[0]>1'`, "", ""},
		{"at=0,0,y&sort=-x", `npy sort --reverse 'it'\''s.npz:a0[0,0,:]'`, "", ""},
		{"at=0,y,x&sort=-1&where=row<3", `npy filter 'row<3' 'it'\''s.npz:a0[0,:,:]' - | npy sort --by -1 -`, "", ""},
		{"e=1&at=0,x&part=phase", "", `np.angle(np.load("it's.npz")["a1"][0, :])`, ""},
		{"f=1&at=0", "", "", ""}, // an index of a value that has one
	} {
		out := askJSON(t, a, "code", x.query)
		for name, want := range map[string]string{"command": x.command, "python": x.python, "go": x.goText} {
			if out[name] != want {
				t.Errorf("%s: %s: %s, want %s", x.query, name, out[name], want)
			}
		}
	}
}

func TestExport(t *testing.T) {
	a := answer.New([]answer.Input{input("../m.npz", slice(t, []float32{1, 2, 3, 4}, 2, 2))})
	defer a.Close()
	p := ask(t, a, "export", "at=y,x&as=npy&x0=1")
	got, err := npy.Read(&p.Buffer)
	if err != nil || fmt.Sprint(got.Shape()) != "[2 1]" || got.DType() != dtype.Float32 || p.head.Filename != "m-a0-seen.npy" {
		t.Errorf("%v, %v, %+v", got, err, p.head)
	}
	if p := ask(t, a, "export", "at=y,x&as=csv&sort=-0&y0=0&y1=1&x0=1&x1=2"); p.String() != "4\n" && p.String() != "4.0\n" {
		t.Errorf("the last column of the first row that was sorted is %q", p.String())
	}
	if p := ask(t, a, "export", "at=y,x&as=csv"); p.String() != "1,2\n3,4\n" && p.String() != "1.0,2.0\n3.0,4.0\n" {
		t.Errorf("%q", p.String())
	}
	text, err := npy.FromObjects([]any{"=1+1", "-2"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	b := answer.New([]answer.Input{input("a.npy", text)})
	defer b.Close()
	for q, want := range map[string]string{"at=y&as=csv": "=1+1\n-2\n", "at=y&as=csv&formulas=escape": "'=1+1\n-2\n"} {
		if p := ask(t, b, "export", q); p.String() != want {
			t.Errorf("%s: %q, want %q", q, p.String(), want)
		}
	}
}
