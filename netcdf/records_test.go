package netcdf_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/netcdf"
)

// The first unlimited dimension is the record dimension. What a second one, or other lengths and names, make of arrays
// is told.
func TestUnlimited(t *testing.T) {
	const u = container.Unlimited
	root := container.Entry{Group: true, Dims: []string{"x", "time", "other"}, Shape: []int{3, 2, 5}, MaxShape: []int{3, u, u}}
	for _, tt := range []struct {
		name    string
		root    bool
		entries []container.Entry
		want    string // the maximum shapes, and what is lost
	}{
		{"of the root", true, []container.Entry{{Dims: []string{"time", "x"}, Shape: []int{2, 3}, MaxShape: []int{u, 3}}}, "[-1 3]; that the dimension other is unlimited"},
		{"of an array", false, []container.Entry{{Dims: []string{"t"}, Shape: []int{2}, MaxShape: []int{u}}, {Dims: []string{"t", ""}, Shape: []int{2, 4}, MaxShape: []int{u, 4}}}, "[-1] [-1 4]; "},
		{"without a name", false, []container.Entry{{Shape: []int{2}, MaxShape: []int{u}}, {Shape: []int{2, 2}, MaxShape: []int{u, 2}}}, "[-1] [-1 2]; "},
		{"no records", false, []container.Entry{{Dims: []string{"t"}, Shape: []int{0, 2}, MaxShape: []int{u, 2}}}, "[-1 2]; "},
		{"fixed beside it", false, []container.Entry{{Dims: []string{"t"}, Shape: []int{2}, MaxShape: []int{u}}, {Dims: []string{"t"}, Shape: []int{2}}}, "[-1] [-1]; "},
		{"another length", false, []container.Entry{{Dims: []string{"t"}, Shape: []int{2}, MaxShape: []int{u}}, {Dims: []string{"t"}, Shape: []int{3}, MaxShape: []int{u}}}, "[-1] []; the names of the dimensions, the maximum shape"},
		{"another name", false, []container.Entry{{Dims: []string{"t"}, Shape: []int{2}, MaxShape: []int{u}}, {Dims: []string{"s"}, Shape: []int{2}, MaxShape: []int{u}}}, "[-1] []; the maximum shape"},
		{"fixed before", false, []container.Entry{{Dims: []string{"t"}, Shape: []int{2}}, {Dims: []string{"t"}, Shape: []int{2}, MaxShape: []int{u}}}, "[] []; the maximum shape"},
		{"not first", false, []container.Entry{{Dims: []string{"x", "t"}, Shape: []int{2, 3}, MaxShape: []int{2, u}}}, "[]; the maximum shape"},
		{"limited", false, []container.Entry{{Dims: []string{"x"}, Shape: []int{2}, MaxShape: []int{9}}}, "[]; the maximum shape"},
	} {
		var lost []string
		var file bytes.Buffer
		w, err := netcdf.Encoder{Lost: func(l container.Loss) { lost = append(lost, l.What) }}.NewWriter(&file)
		if err != nil {
			t.Fatal(err)
		}
		if tt.root {
			must(w.Begin(root, nil))
		}
		for i, e := range tt.entries {
			e.Path = fmt.Sprint("v", i)
			if err := container.Put(context.Background(), w, e, nil, must(npy.New(dtype.Int32, e.Shape...))); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := must(netcdf.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len())))
		var got []string
		for i, e := range tt.entries {
			x := must(r.Entry(fmt.Sprint("v", i)))
			got = append(got, fmt.Sprint(x.MaxShape))
			if !slices.Equal(x.Shape, e.Shape) {
				t.Errorf("%s: shape %v, want %v", tt.name, x.Shape, e.Shape)
			}
		}
		if text := strings.Join(got, " ") + "; " + strings.Join(lost, ", "); text != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, text, tt.want)
		}
		if tt.root {
			if e := must(r.Entry("")); !slices.Equal(e.Dims, root.Dims) || !slices.Equal(e.Shape, root.Shape) || !slices.Equal(e.MaxShape, []int{3, u, 5}) {
				t.Errorf("the root has dimensions %q, %v, %v", e.Dims, e.Shape, e.MaxShape)
			}
		}
	}
}
