package hdf5

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5/internal/reading"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// keeping writes a file with fill, and returns it and the reported losses.
func keeping(t *testing.T, e Encoder, fill func(w *Writer)) (*Reader, []container.Loss) {
	t.Helper()
	var lost []container.Loss
	e.Lost = func(l container.Loss) { lost = append(lost, l) }
	path := filepath.Join(t.TempDir(), "a.h5")
	w := must(e.Create(path))
	defer w.Abort()
	fill(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := must(Open(path))
	t.Cleanup(func() { r.Close() })
	return r, lost
}

// put writes an array as container.Put does.
func put(t *testing.T, w *Writer, e container.Entry, a *npy.Array, attributes ...container.Attribute) {
	t.Helper()
	if err := container.Put(context.Background(), w, e, attributes, a); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, r *Reader, path string) *npy.Array {
	t.Helper()
	return must(must(r.Source(path)).ReadAll(context.Background()))
}

// The largest shape, fill value, checksums and names of enums are read as they were written.
func TestWriteKeeps(t *testing.T) {
	enum := &container.Meaning{Enum: []container.EnumMember{{Name: "LOW", Value: -2}, {Name: "HIGH", Value: 300}}}
	large := &container.Meaning{Enum: []container.EnumMember{{Name: "MOST", Value: -1}, {Name: "NONE", Value: 0}}} // of uint64, 2**64-1
	fieldType := must(dtype.ParseDescr("[('a', '<i2'), ('b', '<f8')]"))
	inField := &container.Meaning{Fields: map[string]*container.Meaning{"a": enum}}
	for i, e := range []container.Entry{
		{DType: dtype.Float64, Shape: []int{3, 4}, MaxShape: []int{container.Unlimited, 4}, Fill: must(npy.FromSlice([]float64{-1.5}, []int{}...))},
		{DType: dtype.Float32, Shape: []int{0, 2}, MaxShape: []int{5, container.Unlimited}, Chunks: []int{4, 9}, Fletcher32: true},
		{DType: dtype.Int16, Shape: []int{7}, Fletcher32: true, Meaning: enum},
		{DType: dtype.Int16.WithByteOrder(dtype.BigEndian), Shape: []int{2, 2}, Meaning: enum, Fill: must(must(npy.FromSlice([]int16{300}, []int{}...)).AsType(dtype.Int16.WithByteOrder(dtype.BigEndian)))},
		{DType: dtype.Uint64, Shape: []int{3}, Meaning: large},
		{DType: fieldType, Shape: []int{3000}, Meaning: inField, MaxShape: []int{4000}},
		{DType: dtype.Int32, Shape: []int{0}, Null: true},
		{DType: dtype.Bytes(3), Shape: []int{2}, Meaning: &container.Meaning{Charset: container.UTF8}},
		{DType: dtype.Bytes(3), Shape: []int{2}, Fill: must(npy.FromBytes(dtype.Bytes(3), []byte("abc"), []int{}...))},
	} {
		for _, encoder := range []Encoder{{}, {Store: true}} {
			e.Path = "g/x"
			e.DType = e.DType.WithByteOrder(map[bool]dtype.ByteOrder{true: dtype.BigEndian, false: dtype.LittleEndian}[i == 3])
			want := must(npy.New(e.DType, e.Shape...))
			r, lost := keeping(t, encoder, func(w *Writer) { put(t, w, e, want) })
			got := must(r.Entry("g/x"))
			if got.Err != nil || !slices.Equal(got.MaxShape, e.MaxShape) || got.Fletcher32 != e.Fletcher32 || got.Null != e.Null || !reflect.DeepEqual(got.Meaning, e.Meaning) || len(lost) > 0 {
				t.Errorf("%d: read %+v, written %+v, lost %v", i, got, e, lost)
			}
			if (got.Fill == nil) != (e.Fill == nil) || got.Fill != nil && string(got.Fill.Bytes()) != string(must(e.Fill.AsType(got.Fill.DType())).Bytes()) {
				t.Errorf("%d: fill value %v, want %v", i, got.Fill, e.Fill)
			}
			if e.Chunks != nil && !slices.Equal(got.Chunks, e.Chunks) {
				t.Errorf("%d: chunks %v, want %v", i, got.Chunks, e.Chunks)
			}
			wantEqual(t, fmt.Sprint(i), read(t, r, "g/x"), want)
		}
	}
}

// Data that cannot be written is reported, or refused before any of it is written.
func TestWriteLoses(t *testing.T) {
	ints := must(npy.New(dtype.Int8, 2, 3))
	one := func(members ...container.EnumMember) *container.Meaning { return &container.Meaning{Enum: members} }
	many := one()
	for i := range 128 {
		many.Enum = append(many.Enum, container.EnumMember{Name: strings.Repeat("n", 500) + fmt.Sprint(i), Value: int64(i)})
	}
	for _, tt := range []struct {
		e    container.Entry
		want string
	}{
		{container.Entry{Meaning: one(container.EnumMember{Name: "A", Value: 1}, container.EnumMember{Name: "A", Value: 2})}, "is empty, or is there twice"},
		{container.Entry{Meaning: one(container.EnumMember{Name: "A", Value: 1}, container.EnumMember{Name: "B", Value: 1})}, "out of the range of dtype |i1, or is there twice"},
		{container.Entry{Meaning: one(container.EnumMember{Name: "A", Value: 128})}, "out of the range"},
		{container.Entry{Meaning: many}, "128 names take"},
		{container.Entry{Fill: ints}, "it has shape [2 3]"},
		{container.Entry{Fill: must(npy.FromSlice([]float64{0.5}, []int{}...))}, "no conversion from dtype"},
		{container.Entry{Scales: [][]string{nil, {"none"}}}, "none is no scale in the file"},
		{container.Entry{TextDim: "len"}, "len"},
		{container.Entry{IsScale: true, ScaleName: strings.Repeat("n", 1<<16)}, "the name of the scale is too long"},
		{container.Entry{LinkKind: container.HardLink, Link: "/other"}, "hard link to /other"},
	} {
		tt.e.Path = "x"
		r, lost := keeping(t, Encoder{}, func(w *Writer) { put(t, w, tt.e, ints) })
		if len(lost) != 1 || lost[0].Path != "x" || !strings.Contains(lost[0].String(), tt.want) {
			t.Errorf("lost %v, want one with %q", lost, tt.want)
		}
		wantEqual(t, tt.want, read(t, r, "x"), ints)
	}
	_, lost := keeping(t, Encoder{}, func(w *Writer) { put(t, w, container.Entry{Path: "x", Fletcher32: true}, must(npy.New(dtype.Int8, 0))) })
	if len(lost) != 1 || lost[0].What != "the checksums" {
		t.Errorf("lost %v of an array without elements", lost)
	}
	if _, err := beginAlone(container.Entry{Path: "x", DType: dtype.Int8, Shape: []int{3}, MaxShape: []int{2}}); err == nil || !strings.Contains(err.Error(), "the maximum of axis 0 is 2, and the array has 3") {
		t.Errorf("a maximum shape that is too small: %v", err)
	}
	if _, err := beginAlone(container.Entry{Path: "x", DType: dtype.Int8, Shape: []int{3}, MaxShape: []int{5, 5}}); err == nil {
		t.Error("a maximum shape of other dimensions: no error")
	}
	if _, err := beginAlone(container.Entry{Path: "x", DType: dtype.Int8, Shape: []int{3}, MaxShape: []int{5}, Chunks: []int{6}}); err == nil {
		t.Error("chunks longer than the maximum: no error")
	}
}

// beginAlone begins an array in a file that nobody keeps.
func beginAlone(e container.Entry) (container.ArrayWriter, error) {
	return must(NewWriter(&seekBuffer{})).Begin(e, nil)
}

// References lead to the same objects, whatever comes first, in elements, fields, chunks and attributes of arrays and groups.
func TestWriteReferences(t *testing.T) {
	object := &container.Meaning{Reference: container.ObjectReference}
	paths := must(npy.FromObjects([]any{"/later", "/g", nil, "/refs", "/", "/gone"}))
	record := must(npy.NewObjects(must(dtype.ParseDescr("[('n', '<i4'), ('r', '|O'), ('s', '|O')]")), 2))
	for i, to := range []any{"/g/x", nil} {
		must(record.Field("r")).SetObject(to, i)
		must(record.Field("s")).SetObject(fmt.Sprint("text", i), i)
	}
	refers := container.Attribute{Name: "to", Value: one("/later"), Meaning: object}
	r, lost := keeping(t, Encoder{}, func(w *Writer) {
		if _, err := w.Begin(container.Entry{Group: true}, []container.Attribute{refers}); err != nil {
			t.Fatal(err)
		}
		put(t, w, container.Entry{Path: "refs", Meaning: object}, paths, refers)
		put(t, w, container.Entry{Path: "chunks", Meaning: object, MaxShape: []int{container.Unlimited}, Chunks: []int{4}, Fletcher32: true}, paths)
		put(t, w, container.Entry{Path: "records", Meaning: &container.Meaning{Fields: map[string]*container.Meaning{"r": object}}}, record)
		put(t, w, container.Entry{Path: "g/x"}, text("a", "b"), refers)
		put(t, w, container.Entry{Path: "later"}, sample("'<f8'", 3))
	})
	if len(lost) != 2 || lost[0].What != "the references to what is not in the file" || lost[0].Detail != "/gone" {
		t.Errorf("lost %v", lost)
	}
	want := []any{"/later", "/g", nil, "/refs", "/", nil}
	for _, path := range []string{"refs", "chunks"} {
		if got := must(read(t, r, path).Objects()); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", path, got, want)
		}
		if e := must(r.Entry(path)); !e.Meaning.Refers(container.ObjectReference) {
			t.Errorf("%s: meaning %v", path, e.Meaning)
		}
	}
	records := read(t, r, "records")
	if got := must(must(records.Field("r")).Objects()); !slices.Equal(got, []any{"/g/x", nil}) {
		t.Errorf("field r has %v", got)
	}
	if got := must(must(records.Field("s")).Objects()); !slices.Equal(got, []any{"text0", "text1"}) {
		t.Errorf("field s has %v", got)
	}
	for _, path := range []string{"", "refs", "g/x"} {
		all := must(r.Attributes(path))
		if len(all) != 1 || all[0].Err != nil || all[0].Value.Object() != "/later" || !all[0].Meaning.Refers(container.ObjectReference) {
			t.Errorf("attributes of %q: %v", path, all)
		}
	}
}

// Links of all kinds are read as they were written: also to groups that contain them, and in groups whose links have to be messages.
func TestWriteLinks(t *testing.T) {
	for _, others := range []int{0, 1, 3000} {
		r, lost := keeping(t, Encoder{}, func(w *Writer) {
			put(t, w, container.Entry{Path: "g/x"}, sample("'<i4'", 5))
			for i := range others {
				put(t, w, container.Entry{Path: fmt.Sprintf("g/other%d", i)}, sample("'<i4'", 1))
			}
			for _, e := range []container.Entry{
				{Path: "soft", LinkKind: container.SoftLink, LinkTarget: "/g/x"}, {Path: "g/near", LinkKind: container.SoftLink, LinkTarget: "x"},
				{Path: "nowhere", LinkKind: container.SoftLink, LinkTarget: "/no"}, {Path: "größe", LinkKind: container.SoftLink, LinkTarget: "g"},
				{Path: "g/hard", LinkKind: container.HardLink, Link: "/g/x"}, {Path: "g/up", LinkKind: container.HardLink, Link: "/"}, {Path: "g/self", LinkKind: container.HardLink, Link: "/g"},
			} {
				if err := w.Link(e); err != nil {
					t.Fatal(err)
				}
			}
			if others == 1 {
				if err := w.Link(container.Entry{Path: "g/out", LinkKind: container.ExternalLink, LinkFile: "other.h5", LinkTarget: "/a/b"}); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range []container.Entry{
				{Path: "bad", LinkKind: container.HardLink, Link: "/none"}, {Path: "soft", LinkKind: container.SoftLink, LinkTarget: "/x"}, {Path: "soft/x", LinkKind: container.SoftLink, LinkTarget: "/x"},
				{Path: "bad", LinkKind: container.SoftLink}, {Path: "bad", LinkKind: container.ExternalLink, LinkTarget: "/x"}, {Path: "bad", LinkKind: container.SoftLink, LinkTarget: "a\x00b"},
			} {
				if err := w.Link(e); err == nil || e.LinkKind == container.HardLink && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("link %+v: error %v", e, err)
				}
			}
		})
		links := map[string]string{}
		for e := range r.Entries() {
			if e.LinkKind != "" {
				links[e.Path] = fmt.Sprint(e.LinkKind, " ", e.LinkTarget, e.LinkFile, e.Group)
			}
		}
		want := map[string]string{
			"soft": "soft /g/xfalse", "g/near": "soft xfalse", "nowhere": "soft /nofalse", "größe": "soft gtrue", "g/x": "hard false", "g/up": "hard true", "g/self": "hard true",
		}
		if others == 1 {
			want["g/out"] = "external /a/bother.h5false"
		}
		if !reflect.DeepEqual(links, want) || len(lost) > 0 {
			t.Errorf("links %v, want %v; lost %v", links, want, lost)
		}
		wantEqual(t, "g/up/g/self/hard", read(t, r, "g/up/g/self/hard"), sample("'<i4'", 5))
	}
}

// Dimension scales, of arrays or only dimensions of a group, are read as they were written.
func TestWriteScales(t *testing.T) {
	for _, encoder := range []Encoder{{}, {Unlimited: true}} {
		checkScales(t, encoder)
	}
}

func checkScales(t *testing.T, encoder Encoder) {
	t.Helper()
	grid := container.Entry{Path: "g/grid", Dims: []string{"y", "lon", "nv"}, Labels: []string{"y", "", ""}, Scales: [][]string{{"g/lat"}, {"lon", "g/more"}, {"nv"}}}
	r, lost := keeping(t, encoder, func(w *Writer) {
		root := container.Entry{Group: true, Dims: []string{"lon", "nv", "time"}, Shape: []int{4, 2, 9}, MaxShape: []int{4, 2, container.Unlimited}}
		if _, err := w.Begin(root, nil); err != nil {
			t.Fatal(err)
		}
		put(t, w, grid, sample("'<i2'", 3, 4, 2))
		put(t, w, container.Entry{Path: "lon", IsScale: true, ScaleName: "größe"}, sample("'<f4'", 4))
		put(t, w, container.Entry{Path: "g/more", IsScale: true}, sample("'<f4'", 4))
		put(t, w, container.Entry{Path: "g/lat", IsScale: true, ScaleName: "lat"}, sample("'<f4'", 3))
		put(t, w, container.Entry{Path: "curve", IsScale: true, Dims: []string{"a", "b"}}, sample("'<f4'", 3, 2))
	})
	e := must(r.Entry("g/grid"))
	if !reflect.DeepEqual(e.Scales, grid.Scales) || !slices.Equal(e.Labels, grid.Labels) || !slices.Equal(e.Dims, grid.Dims) || len(lost) > 0 {
		t.Errorf("scales %q, labels %q, dimensions %q; lost %v", e.Scales, e.Labels, e.Dims, lost)
	}
	for path, want := range map[string]string{"lon": "größe", "g/more": "", "g/lat": "lat", "nv": NoVariable + "         2", "time": NoVariable + "         9", "curve": ""} {
		if e := must(r.Entry(path)); !e.IsScale || e.ScaleName != want || e.Err != nil || path == "nv" && e.MaxShape != nil {
			t.Errorf("%s: scale %t, name %q", path, e.IsScale, e.ScaleName)
		}
		if all := must(r.Attributes(path)); len(all) > 0 {
			t.Errorf("%s has attributes %v", path, all)
		}
	}
	if e := must(r.Entry("time")); !slices.Equal(e.MaxShape, []int{container.Unlimited}) || !slices.Equal(e.Shape, []int{9}) {
		t.Errorf("time: shape %v, maximum %v", e.Shape, e.MaxShape)
	}
	if e := must(r.Entry("curve")); !slices.Equal(e.Dims, []string{"a", "b"}) {
		t.Errorf("curve: dimensions %q", e.Dims)
	}
	if !r.IsNetCDF() {
		t.Error("the scales are not those of netCDF")
	}
}

// A list of scales that is too long for one array is left as an attribute: many arrays could share it.
func TestLongScaleLists(t *testing.T) {
	for _, n := range []int{reading.MaxScaleBytes / 8, reading.MaxScaleBytes/8 + 1} {
		r, _ := keeping(t, Encoder{}, func(w *Writer) {
			row := must(npy.New(dtype.Int8, 2))
			put(t, w, container.Entry{Path: "scale", IsScale: true}, row)
			put(t, w, container.Entry{Path: "x", Scales: [][]string{slices.Repeat([]string{"scale"}, n)}}, row)
		})
		e, isRead := must(r.Entry("x")), n*8 <= reading.MaxScaleBytes
		all := must(r.Attributes("x"))
		if hasList := slices.ContainsFunc(all, func(a container.Attribute) bool { return a.Name == structure.DimensionListAttribute }); (e.Scales != nil) != isRead || hasList == isRead {
			t.Errorf("%d scales: %d axes are read, and the list is an attribute: %v", n, len(e.Scales), hasList)
		}
		if scale := must(r.Entry("scale")); !scale.IsScale || len(must(r.Attributes("scale"))) > 0 {
			t.Errorf("%d scales: %+v", n, scale)
		}
	}
}

// Structs with text have other sizes in the file, and are cut into chunks by these.
func TestWriteTextRecords(t *testing.T) {
	a := must(npy.NewObjects(must(dtype.ParseDescr("[('n', '<i4'), ('s', '|O'), ('m', '<f8', (3,))]")), 2000))
	names, numbers := must(a.Field("s")), must(a.Field("n"))
	for i := range 2000 {
		names.SetObject(fmt.Sprint("name", i), i)
		numbers.Item(i)[0] = byte(i)
	}
	r, lost := keeping(t, Encoder{}, func(w *Writer) { put(t, w, container.Entry{Path: "x", Chunks: []int{300}}, a) })
	got := read(t, r, "x")
	if !reflect.DeepEqual(must(must(got.Field("s")).Objects()), must(names.Objects())) || string(must(got.Field("n")).Bytes()) != string(numbers.Bytes()) || len(lost) > 0 {
		t.Errorf("records differ; lost %v", lost)
	}
}

// An array of Python objects that HDF5 cannot hold is refused when its elements come, and the next one is written.
func TestWriteUnfit(t *testing.T) {
	r, lost := keeping(t, Encoder{}, func(w *Writer) {
		err := container.Put(context.Background(), w, container.Entry{Path: "g/bad", Fletcher32: true}, []container.Attribute{attribute("x", text("a"))}, text("a", int64(1)))
		var we *container.WriteError
		if !errors.As(err, &we) || we.Begun || !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("error %v", err)
		}
		put(t, w, container.Entry{Path: "g/bad"}, text("b"))
	})
	if got := must(read(t, r, "g/bad").Objects()); !slices.Equal(got, []any{"b"}) || len(lost) > 0 {
		t.Errorf("got %v, lost %v", got, lost)
	}
}
