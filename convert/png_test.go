package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// imageArray makes an array for an image with values of all magnitudes.
func imageArray(t testing.TB, descr string, shape ...int) *npy.Array {
	t.Helper()
	a, err := npy.New(mustParse(t, descr), shape...)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := a.ViewBytes()
	for i := range data {
		data[i] = byte(i * i * 31 >> 3)
		if descr == "?" {
			data[i] &= 1
		}
	}
	return a
}

// images are arrays that PNG keeps unchanged.
var images = []struct {
	descr string
	shape []int
}{
	{"?", []int{3, 13}}, {"u1", []int{5, 7}}, {"=u2", []int{5, 7}}, {"u1", []int{4, 6, 2}}, {"=u2", []int{4, 6, 2}},
	{"u1", []int{4, 6, 3}}, {"=u2", []int{4, 6, 3}}, {"u1", []int{4, 6, 4}}, {"=u2", []int{4, 6, 4}}, {"u1", []int{1, 1}},
}

func TestPNG(t *testing.T) {
	for _, tt := range images {
		a := imageArray(t, tt.descr, tt.shape...)
		var b bytes.Buffer
		if err := convert.Write(context.Background(), &b, convert.PNG, a, convert.WriteOptions{}); err != nil {
			t.Fatalf("%s %v: %v", tt.descr, tt.shape, err)
		}
		got, _, err := convert.Read(context.Background(), &b, convert.PNG, convert.ReadOptions{})
		if err != nil || !got.DType().Equal(a.DType()) || !equal(got.Shape(), tt.shape) || !bytes.Equal(got.Bytes(), a.Bytes()) {
			t.Errorf("%s %v came back as %v, %v", tt.descr, tt.shape, got, err)
		}
	}
}

// Other byte orders, strides and an axis of one channel are written by value.
func TestPNGOfViews(t *testing.T) {
	a := imageArray(t, ">u2", 6, 8, 1)
	view, err := a.Slice(npy.Span(1, 6).By(2), npy.All().By(-1))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := convert.Write(context.Background(), &b, convert.PNG, view, convert.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	got, _, err := convert.Read(context.Background(), &b, convert.PNG, convert.ReadOptions{DType: mustParse(t, ">u2")})
	if err != nil || !equal(got.Shape(), view.Shape()[:2]) || !bytes.Equal(got.Bytes(), view.Bytes()) {
		t.Errorf("a view came back as %v, %v", got, err)
	}
}

func TestPNGRefuses(t *testing.T) {
	for _, tt := range []struct {
		descr string
		shape []int
		want  string
	}{
		{"<f8", []int{2, 2}, "dtype uint8, uint16 or bool, the array has <f8: convert it (--dtype uint8), or plot it (npy plot)"},
		{"<u4", []int{2, 2}, "the array has <u4"},
		{"?", []int{2, 2, 3}, "a PNG image of bool has no channels"},
		{"u1", []int{4}, "the array has (4,): select a part, or reshape it"},
		{"u1", []int{4, 4, 5}, "the array has (4, 4, 5)"},
		{"u1", []int{0, 4}, "an image of 4 by 0 pixels"},
		{"i4,i4", []int{2, 2}, "dtype uint8, uint16 or bool"},
	} {
		var b bytes.Buffer
		err := convert.Write(context.Background(), &b, convert.PNG, imageArray(t, tt.descr, tt.shape...), convert.WriteOptions{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || b.Len() > 0 {
			t.Errorf("%s %v: error %v and %d bytes, want %q", tt.descr, tt.shape, err, b.Len(), tt.want)
		}
	}
	var e *convert.Error
	_, _, err := convert.Read(context.Background(), strings.NewReader("\x89PNG\r\n\x1a\nnothing"), convert.PNG, convert.ReadOptions{})
	if !errors.As(err, &e) || e.Offset != 15 || err.Error() != "byte 15: unexpected EOF" {
		t.Errorf("error %v, want one of byte 15", err)
	}
	var b bytes.Buffer
	if err := convert.Write(context.Background(), &b, convert.PNG, imageArray(t, "u1", 2, 2), convert.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := convert.Read(context.Background(), &b, convert.PNG, convert.ReadOptions{DType: dtype.Bool}); err == nil {
		t.Error("uint8 read as bool has no error")
	}
}

// Pillow reads the images written here, and images written by Pillow are read here.
func TestPillow(t *testing.T) {
	dir := t.TempDir()
	for i, tt := range images {
		path := filepath.Join(dir, fmt.Sprintf("ours-%d", i))
		a := imageArray(t, tt.descr, tt.shape...)
		if err := npy.WriteFile(path+".npy", a); err != nil {
			t.Fatal(err)
		}
		if err := convert.WriteFile(context.Background(), path+".png", a, convert.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	const script = `
import glob
from PIL import Image
for path in sorted(glob.glob(sys.argv[1] + "/ours-*.npy")):
    a = np.load(path)
    b = np.asarray(Image.open(path[:-4] + ".png"))
    if a.dtype == np.uint16 and a.ndim == 3: # Pillow has 8 bits for colours
        assert b.shape[:2] == a.shape[:2], path
        continue
    assert b.shape == a.shape and (b == a).all(), (path, b.dtype, b.shape)
r = np.random.default_rng(9)
def save(name, image, array):
    image.save(f"{sys.argv[1]}/theirs-{name}.png")
    np.save(f"{sys.argv[1]}/theirs-{name}.npy", array)
for mode, shape in ("L", (30, 41)), ("LA", (30, 41, 2)), ("RGB", (30, 41, 3)), ("RGBA", (30, 41, 4)):
    a = r.integers(0, 256, shape, "u1")
    save(mode, Image.fromarray(a, mode), a)
a = r.integers(0, 65536, (30, 41), "u2")
save("I16", Image.fromarray(a), a)
a = r.integers(0, 2, (30, 41)).astype("?")
save("1", Image.fromarray(a), a)
p = Image.fromarray(r.integers(0, 256, (30, 41, 3), "u1")).quantize(16)
save("P", p, np.asarray(p.convert("RGB")))
`
	oracle.Module(t, "PIL", script, dir)
	theirs, err := filepath.Glob(filepath.Join(dir, "theirs-*.png"))
	if err != nil || len(theirs) != 7 {
		t.Fatalf("%d images, %v", len(theirs), err)
	}
	for _, path := range theirs {
		want, err := npy.ReadFile(strings.TrimSuffix(path, ".png") + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		got, report := readFile(t, path)
		if !got.DType().Equal(want.DType()) || !equal(got.Shape(), want.Shape()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s is read as %s %v, want %s %v", filepath.Base(path), got.DType(), got.Shape(), want.DType(), want.Shape())
		}
		if strings.HasSuffix(path, "-P.png") != (strings.Join(report.Lost, "") == "the palette") {
			t.Errorf("%s: Lost = %q", path, report.Lost)
		}
	}
}

func FuzzReadPNG(f *testing.F) {
	for _, tt := range images {
		var b bytes.Buffer
		if err := convert.Write(context.Background(), &b, convert.PNG, imageArray(f, tt.descr, tt.shape...), convert.WriteOptions{}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, _, err := convert.Read(context.Background(), bytes.NewReader(data), convert.PNG, convert.ReadOptions{})
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := convert.Write(context.Background(), &b, convert.PNG, a, convert.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		again, _, err := convert.Read(context.Background(), &b, convert.PNG, convert.ReadOptions{})
		if err != nil || !equal(again.Shape(), a.Shape()) || !bytes.Equal(again.Bytes(), a.Bytes()) {
			t.Errorf("%v came back as %v, %v", a, again, err)
		}
	})
}
