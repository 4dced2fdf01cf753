package pictures

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
)

func mustArray[T npy.Element](t *testing.T, data []T, shape ...int) *npy.Array {
	t.Helper()
	a, err := npy.FromSlice(data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// newPicture is a picture of at most 100 by 100 pixels in a map.
func newPicture(t *testing.T, colors string) Picture {
	t.Helper()
	m, err := FindColormap(colors)
	if err != nil {
		t.Fatal(err)
	}
	return Picture{Colors: m, Width: 100, Height: 100}
}

var (
	black = color.NRGBA{A: 255}
	white = color.NRGBA{255, 255, 255, 255}
	grey  = color.NRGBA{128, 128, 128, 255}
)

func TestPictureColors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name string
		a    *npy.Array
		log  bool
		want []color.NRGBA // of the first row
	}{
		{"floats", mustArray(t, []float64{-1, 0, 1, 0}, 2, 2), false, []color.NRGBA{black, grey}},
		{"not finite", mustArray(t, []float64{0, nan, inf, -inf, 2}, 1, 5), false, []color.NRGBA{black, NaNColor, white, black, white}},
		{"all NaN", mustArray(t, []float64{nan, nan}, 1, 2), false, []color.NRGBA{NaNColor, NaNColor}},
		{"one value", mustArray(t, []int32{7, 7}, 1, 2), false, []color.NRGBA{grey, grey}},
		{"the widest range", mustArray(t, []float64{-math.MaxFloat64, 0, math.MaxFloat64}, 3), false, []color.NRGBA{black, grey, white}},
		{"bools", mustArray(t, []bool{true, true}, 2), false, []color.NRGBA{white, white}},
		{"log", mustArray(t, []uint64{1, 10, 100, 0}, 4), true, []color.NRGBA{black, grey, white, NaNColor}},
		{"complex", mustArray(t, []complex128{3 + 4i, 0, -10}, 3), false, []color.NRGBA{grey, black, white}},
		{"float16", mustArray(t, []scalar.Float16{scalar.Float16FromFloat32(1), scalar.Float16FromFloat32(2)}, 2), false, []color.NRGBA{black, white}},
	} {
		p := newPicture(t, "grey")
		p.Log = test.log
		d, err := p.Draw(t.Context(), test.a)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for x, want := range test.want {
			if got := d.NRGBAAt(x, 0); got != want {
				t.Errorf("%s: pixel %d is %v, want %v", test.name, x, got, want)
			}
		}
	}
}

func TestPictureRGB(t *testing.T) {
	red, glass := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 128}
	for _, test := range []struct {
		name string
		a    *npy.Array
		want color.NRGBA
	}{
		{"uint8", mustArray(t, []uint8{255, 0, 0}, 1, 1, 3), red},
		{"uint16", mustArray(t, []uint16{65535, 0, 0}, 1, 1, 3), red},
		{"floats", mustArray(t, []float32{1, 0, 0}, 1, 1, 3), red},
		{"opacity", mustArray(t, []uint8{0, 255, 0, 128}, 1, 1, 4), glass},
		{"many", mustArray(t, []uint8{255, 0, 0, 0, 0, 0}, 2, 1, 1, 3), red},
	} {
		d, err := newPicture(t, "").Draw(t.Context(), test.a)
		if err != nil || !d.RGB {
			t.Errorf("%s: %v, rgb is %t", test.name, err, d.RGB)
			continue
		}
		if got := d.NRGBAAt(0, 0); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}

	d, err := newPicture(t, "").Draw(t.Context(), mustArray(t, []float64{0, 1, 2, 3, 4, 5}, 2, 1, 3))
	if err != nil || d.RGB || d.Rect.Dx() != 3 || d.Leading != "[0, ...]" {
		t.Errorf("floats beyond 1: %v, rgb %t, %v, shows %q", err, d.RGB, d.Rect, d.Leading)
	}
}

// An image of any array has at most the requested number of pixels, and each is the mean of its elements.
func TestPictureSize(t *testing.T) {
	for _, test := range []struct{ rows, columns, width, height int }{
		{1, 1, 1, 1}, {100, 100, 100, 100}, {101, 100, 50, 51}, {1000, 10, 10, 100}, {3, 1, 1, 3}, {1, 12345, 100, 1}, {10, 250, 84, 10},
	} {
		values := make([]float64, test.rows*test.columns)
		for i := range values {
			values[i] = float64(i % test.columns)
		}
		d, err := newPicture(t, "grey").Draw(t.Context(), mustArray(t, values, test.rows, test.columns))
		if err != nil || d.Rect.Dx() != test.width || d.Rect.Dy() != test.height {
			t.Errorf("%d x %d: %v, %v, want %d x %d", test.rows, test.columns, err, d.Rect, test.width, test.height)
		}
	}
	d, err := Picture{Colors: Colormaps[2], Width: 2, Height: 1}.Draw(t.Context(), mustArray(t, []float64{0, 2, math.NaN(), 9, 9, 9}, 1, 6))
	if err != nil || d.Low != 1 || d.High != 9 || d.Thinned {
		t.Errorf("means of 0, 2 and of 9s are %v to %v, thinned %t, %v", d.Low, d.High, d.Thinned, err)
	}
}

// Of a file of a hundred gigabytes only the elements that become pixels are read.
func TestPictureOfHugeFile(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("no array is that large here")
	}
	const rows, columns = 100_000, 125_000
	path := filepath.Join(t.TempDir(), "huge.npy")
	createSparse(t, path, dtype.Float64, rows, columns)
	s, err := npy.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d, err := newPicture(t, "").Draw(t.Context(), s)
	if err != nil || !d.Thinned || d.Rect.Dx() != 100 || d.Rect.Dy() != 80 {
		t.Errorf("%v, thinned %t, %v", err, d.Thinned, d.Rect)
	}
}

func TestPictureRefuses(t *testing.T) {
	records, err := dtype.ParseDescr("[('x', '<f8')]")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		of   dtype.Type
		size []int
		want string
	}{
		"strings":    {dtype.Str(3), []int{2, 2}, "not numbers; 'npy show' prints them"},
		"structs":    {records, []int{2, 2}, "FILE['x'] takes one field"},
		"void":       {dtype.Void(1), []int{2, 2}, "not numbers"},
		"nothing":    {dtype.Float64, []int{0, 5}, "no elements"},
		"no columns": {dtype.Float64, []int{3, 5, 0}, "no elements"},
		"one number": {dtype.Float64, []int{}, "single number"},
	} {
		array, err := npy.New(test.of, test.size...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newPicture(t, "").Draw(t.Context(), array); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	objects, err := npy.FromObjects([]any{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newPicture(t, "").Draw(t.Context(), objects); err == nil || !strings.Contains(err.Error(), "Python objects") {
		t.Errorf("objects: %v", err)
	}
}

func TestLimits(t *testing.T) {
	values := []float64{-1, 0, 1, 2, 3}
	for _, test := range []struct {
		text           string
		log, diverging bool
		low, high      float64
	}{
		{"", false, false, -1, 3},
		{"", true, false, 1, 3},
		{"", false, true, -3, 3},
		{"0,10", false, true, 0, 10},
		{"25%,75%", false, false, 0, 2},
		{"0%,100%", false, false, -1, 3},
	} {
		var l Limits
		if test.text != "" {
			if err := l.Set(test.text); err != nil {
				t.Errorf("%q: %v", test.text, err)
			}
		}
		if low, high := l.of(values, test.log, test.diverging); low != test.low || high != test.high {
			t.Errorf("%q: %v to %v, want %v to %v", test.text, low, high, test.low, test.high)
		}
	}
	for _, text := range []string{"", "1", "1,", "2,1", "1,1", "nan,1", "0,inf", "0%,101%", "1%,2"} {
		if new(Limits).Set(text) == nil {
			t.Errorf("%q is no error", text)
		}
	}
}

// Every map is found by its name in either case, and goes from its first colour to its last.
func TestColormaps(t *testing.T) {
	for _, m := range Colormaps {
		found, err := FindColormap(strings.ToUpper(m.name))
		if err != nil || found.name != m.name {
			t.Errorf("%s: found %q, %v", m.name, found.name, err)
		}
		last := m.steps[len(m.steps)-1]
		if m.At(-1) != RGB(m.steps[0]) || m.At(0) != m.At(-1) || m.At(1) != RGB(last) || m.At(math.Inf(1)) != m.At(1) {
			t.Errorf("%s goes from %v to %v", m.name, m.At(0), m.At(1))
		}
	}
	if _, err := FindColormap("jet"); err == nil || !strings.Contains(err.Error(), "viridis, magma") {
		t.Errorf("an unknown map: %v", err)
	}
}

// createSparse makes a file of zeros that takes no space on disk.
func createSparse(t *testing.T, path string, of dtype.Type, shape ...int) {
	t.Helper()
	h := format.Header{DType: of, Shape: shape}
	head, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, head, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(head))+h.NBytes()); err != nil {
		t.Skip("no sparse files here: ", err)
	}
}
