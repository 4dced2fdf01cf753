package answer_test

import (
	"bytes"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/view/internal/answer"
)

// The elements along a path are those of rows and columns that are rounded as numpy.rint rounds.
func TestProfile(t *testing.T) {
	const rows, columns = 700, 900
	values, random := make([]float32, rows*columns), oracle.Rand(t)
	for i := range values {
		values[i] = float32(random.IntN(1000))
	}
	a := answer.New([]answer.Input{input("m.npz", slice(t, values, rows, columns), slice(t, values, rows, columns).T(), slice(t, values, rows/7, 7, columns))})
	defer a.Close()
	for range 50 {
		corners, text := [][2]int{{random.IntN(rows), random.IntN(columns)}}, ""
		for range random.IntN(4) {
			corners = append(corners, [2]int{random.IntN(rows), random.IntN(columns)})
		}
		var want, places []float64
		for i, c := range corners {
			text += fmt.Sprintf(";%d,%d", c[0], c[1])
			from := corners[max(i-1, 0)]
			n := max(c[0]-from[0], from[0]-c[0], c[1]-from[1], from[1]-c[1]) + 1
			for k := range n {
				if i > 0 && k == 0 {
					continue // the corner before it
				}
				y, x := c[0], c[1]
				if k < n-1 {
					y = int(math.RoundToEven(float64(k)*(float64(c[0]-from[0])/float64(n-1)) + float64(from[0])))
					x = int(math.RoundToEven(float64(k)*(float64(c[1]-from[1])/float64(n-1)) + float64(from[1])))
				}
				want, places = append(want, float64(values[y*columns+x])), append(places, float64(y), float64(x))
			}
		}
		for e, at := range []string{"y,x", "x,y"} {
			query := fmt.Sprintf("e=%d&at=%s&points=%s&bins=7&low=10&high=500", e, at, url.QueryEscape(text[1:]))
			head, arrays := frame(t, ask(t, a, "profile", query))
			if fmt.Sprint(arrays["y"]) != fmt.Sprint(want) {
				t.Fatalf("%s: %v, want %v", query, arrays["y"], want)
			}
			for i := range want {
				if arrays["rows"][i] != places[2*i] || arrays["columns"][i] != places[2*i+1] {
					t.Fatalf("%s: element %d is at %v, %v", query, i, arrays["rows"][i], arrays["columns"][i])
				}
			}
			inside := 0.0
			for _, v := range want {
				if v >= 10 && v <= 500 {
					inside++
				}
			}
			counted := 0.0
			for _, n := range head["histogram"].(map[string]any)["counts"].([]any) {
				counted += n.(float64)
			}
			if counted != inside {
				t.Errorf("%s: %v elements are counted, want %v", query, counted, inside)
			}
		}
	}
	p := ask(t, a, "export", "e=0&at=y,x&points=3,4%3B3,8&as=npy")
	got, err := npy.Read(bytes.NewReader(p.Bytes()))
	if err != nil || fmt.Sprint(got) != fmt.Sprint(slice(t, values[3*columns+4:3*columns+9], 5)) {
		t.Errorf("%v, %v", got, err)
	}
	for _, query := range []string{"at=y,x&points=700,0", "at=y,x&points=-1,0", "at=y,x&points=1", "at=y,x&points=a,b", "at=y,x", "at=y,x&points=" + strings.Repeat("0,0;699,899;", 3000),
		"at=y,x&points=" + strings.Repeat("0,0;699,899;", 200) + "0,0", "at=y,x&points=0,0&bins=0", "at=y,x&points=0,0&bins=9999999", "at=y,x&points=0,0&low=nan", "at=y,x&points=0,0&low=2&high=1", "at=x,0&points=0,0"} {
		q, err := url.ParseQuery(strings.ReplaceAll(query, ";", "%3B"))
		if err != nil {
			t.Fatal(err)
		}
		for _, question := range []string{"profile", "export", "code"} {
			if err := a.Answer(t.Context(), question, q, &paper{}); question == "profile" && (err == nil || answer.Status(err) != 400) {
				t.Errorf("%s?%.60s: %v", question, query, err)
			}
		}
	}
}

// Histograms have the bins and the range that one asks for, as numpy.histogram.
func TestBins(t *testing.T) {
	a := answer.New([]answer.Input{input("m.npz", slice(t, []float64{1, 2, 2.5, math.NaN(), 7, math.Inf(1), 9}, 7), slice(t, []float64{}, 0), slice(t, []int16{-5, 5}, 2))})
	defer a.Close()
	for query, want := range map[string]string{
		"e=0&at=x&bins=2&low=2&high=8":          "[2 5 8] [2 1]",
		"e=0&at=x&bins=4":                       "[1 3 5 7 9] [3 0 0 2]",
		"e=0&at=x&bins=2&low=5":                 "[5 7 9] [0 2]",
		"e=0&at=x&bins=2&high=3":                "[1 2 3] [1 2]",
		"e=0&all=1&bins=1&low=100&high=200":     "[100 200] [0]",
		"e=0&at=x&bins=1&high=-100":             "[-100.5 -99.5] [0]",
		"e=1&at=x&bins=2&low=5":                 "[] []",
		"e=1&at=x&bins=2&low=5&high=6":          "[5 5.5 6] [0 0]",
		"e=2&at=x&bins=2":                       "[-5 0 5] [1 1]",
		"e=2&at=x&bins=1&low=-1e308&high=1e308": "[-1e+308 1e+308] [2]",
	} {
		h := askJSON(t, a, "numbers", query)["histogram"].(map[string]any)
		if got := fmt.Sprint(h["edges"], " ", h["counts"]); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// Sums are projections too, and elements that have none are an error.
func TestProjectedSum(t *testing.T) {
	x := slice(t, []int8{100, 100, 100, 1, 2, 3}, 2, 3)
	a := answer.New([]answer.Input{input("m.npy", x)})
	defer a.Close()
	for at, want := range map[string]string{"sum,x": "[101 102 103]", "x,sum": "[300 6]"} {
		_, arrays := frame(t, ask(t, a, "line", "at="+at))
		if got := fmt.Sprint(arrays["y"]); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}
