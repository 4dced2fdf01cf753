package npytest_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/source"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// fiveMethods hides everything optional of a Source.
type fiveMethods struct{ npy.Source }

// A provider makes a Source of the bytes of an .npy file. Closing may be nil.
type provider func(t *testing.T, data []byte) (src npy.Source, closing func() error)

// open makes a Source and closes its file at the end of the test.
func (p provider) open(t *testing.T, data []byte) npy.Source {
	src, closing := p(t, data)
	if closing != nil {
		t.Cleanup(func() { _ = closing() })
	}
	return src
}

// providers are all kinds of a Source.
var providers = map[string]provider{
	"array": func(t *testing.T, data []byte) (npy.Source, func() error) {
		return must(npy.Read(bytes.NewReader(data))), nil
	},
	"file": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.Open(saved(t, data)))
		return f, f.Close
	},
	"bytes": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
		return f, f.Close
	},
	"FileOf": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.FileOf(must(format.ReadHeader(bytes.NewReader(data))), bytes.NewReader(data), int64(len(data))))
		return f, f.Close
	},
	"five methods": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
		return fiveMethods{f}, f.Close
	},
	"FromParts": func(t *testing.T, data []byte) (npy.Source, func() error) {
		h := must(format.ReadHeader(bytes.NewReader(data)))
		return must(source.FromParts(h, func(ctx context.Context, p npy.Selection) (*npy.Array, error) {
			return p.Read(ctx, bytes.NewReader(data), h.DataOffset, npy.ReadOptions{})
		})), nil
	},
	"Whole": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
		return source.Whole(f.DType(), f.Shape(), f.ReadAll), nil
	},
	"Lazy": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
		return source.Lazy(f.DType(), f.Shape(), func(context.Context) (npy.Source, func(), error) { return f, nil, nil }), f.Close
	},
	"stream": func(t *testing.T, data []byte) (npy.Source, func() error) {
		r := bytes.NewReader(data)
		return must(npy.NewStream(must(format.ReadHeader(r)), r)), nil
	},
	"mapped file": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f, err := mmap.Open(saved(t, data))
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		return must(f, err).Source(), f.Close
	},
	"array with regions": func(t *testing.T, data []byte) (npy.Source, func() error) {
		return npytest.Regioned(must(npy.Read(bytes.NewReader(data))), 1<<62), nil
	},
	"transposed with regions": func(t *testing.T, data []byte) (npy.Source, func() error) {
		return npy.Transposed(npytest.Regioned(must(npy.Read(bytes.NewReader(data))).T(), 1<<62)), nil
	},
	"parts side by side, regions": func(t *testing.T, data []byte) (npy.Source, func() error) { return regionedParts(t, data, -1) },
	"computed elements": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
		if f.DType().IsStruct() || f.DType().HasObject() || f.DType().Kind() == dtype.KindVoid {
			return f, f.Close
		}
		out := must(query.Compute(context.Background(), f, query.Columns{Set: []query.Assignment{{Name: "x", Expr: "x"}}}))
		if !out.DType().Equal(f.DType()) { // in the byte order of the machine, without long doubles
			return f, f.Close
		}
		return out, f.Close
	},
	"computed records": func(t *testing.T, data []byte) (npy.Source, func() error) {
		f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
		if t := f.DType(); t.NumField() == 0 || t.HasObject() {
			return f, f.Close
		}
		out := must(query.Compute(context.Background(), f, query.Columns{}))
		if !out.DType().Equal(f.DType()) { // without the padding
			return f, f.Close
		}
		return out, f.Close
	},
	"files that follow each other": func(t *testing.T, data []byte) (npy.Source, func() error) { return inParts(t, data, 0) },
	"files side by side":           func(t *testing.T, data []byte) (npy.Source, func() error) { return inParts(t, data, -1) },
	"stored member":                inArchive(npz.Encoder{Store: true}.NewWriter),
	"member in pieces":             inArchive(npz.Encoder{}.NewWriter),
	"member of Zstandard":          inArchive(npz.Encoder{Zstd: true}.NewWriter),
	"compressed member":            func(t *testing.T, data []byte) (npy.Source, func() error) { return inZip(t, data, false) },
	"compressed member, an index":  func(t *testing.T, data []byte) (npy.Source, func() error) { return inZip(t, data, true) },
}

// inParts returns several parts of a file, one of them empty, that are joined along an axis.
func inParts(t *testing.T, data []byte, axis int) (npy.Source, func() error) {
	f := must(npy.OpenReaderAt(bytes.NewReader(data), int64(len(data))))
	shape := f.Shape()
	if len(shape) == 0 || f.DType().HasObject() {
		return f, f.Close
	}
	n := shape[0]
	index := func(x npy.Index) []npy.Index { return []npy.Index{x} }
	if axis < 0 {
		n = shape[len(shape)-1]
		index = func(x npy.Index) []npy.Index { return []npy.Index{npy.Ellipsis(), x} }
	}
	var parts []npy.Source
	for _, x := range []npy.Index{npy.SpanTo(n / 3), npy.Span(n/3, n/3), npy.Span(n/3, n/3+1), npy.SpanFrom(n/3 + 1)} {
		parts = append(parts, must(f.Select(index(x)...)))
	}
	return must(npy.Concat(axis, parts...)), f.Close
}

// regionedParts is inParts of arrays with regions.
func regionedParts(t *testing.T, data []byte, axis int) (npy.Source, func() error) {
	a := npytest.Regioned(must(npy.Read(bytes.NewReader(data))), 1<<62)
	shape := a.Shape()
	if len(shape) == 0 {
		return a, nil
	}
	n := shape[(axis+len(shape))%len(shape)]
	index := func(x npy.Index) []npy.Index { return []npy.Index{x} }
	if axis < 0 {
		index = func(x npy.Index) []npy.Index { return []npy.Index{npy.Ellipsis(), x} }
	}
	var parts []npy.Source
	for _, x := range []npy.Index{npy.SpanTo(n / 2), npy.Span(n/2, n/2), npy.SpanFrom(n / 2)} {
		parts = append(parts, must(a.Select(index(x)...)))
	}
	return must(npy.Concat(axis, parts...)), nil
}

// saved returns the path of a file with data.
func saved(t *testing.T, data []byte) string {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// inArchive is the provider of members that a Writer adds to an archive.
func inArchive(create func(io.Writer) (*npz.Writer, error)) provider {
	made := map[string][]byte{}
	return func(t *testing.T, data []byte) (npy.Source, func() error) {
		file, ok := made[string(data)]
		if !ok {
			var b bytes.Buffer
			w := must(create(&b))
			if err := errors.Join(w.AddBytes("a.npy", data), w.Close()); err != nil {
				t.Fatal(err)
			}
			file = b.Bytes()
			made[string(data)] = file
		}
		z := must(npz.NewReader(bytes.NewReader(file), int64(len(file))))
		return must(z.Source("a")), z.Close
	}
}

// zips are the archives of inZip, by their data.
var zips = map[string][]byte{}

// inZip returns a member that is compressed as one stream, as np.savez_compressed does.
func inZip(t *testing.T, data []byte, index bool) (npy.Source, func() error) {
	file, ok := zips[string(data)]
	if !ok {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		if _, err := must(z.Create("a.npy")).Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		file = b.Bytes()
		zips[string(data)] = file
	}
	r := must(npz.NewReader(bytes.NewReader(file), int64(len(file))))
	if index {
		if err := r.BuildIndex("a"); err != nil {
			t.Fatal(err)
		}
	}
	return must(r.Source("a")), r.Close
}

// All kinds of a Source give the arrays that NumPy wrote.
func TestSources(t *testing.T) {
	vectors := must(npytest.Vectors("../testdata/numpy-2.3.5"))
	if testing.Short() { // one vector in eight
		for i := range len(vectors) / 8 {
			vectors[i] = vectors[8*i]
		}
		vectors = vectors[:len(vectors)/8]
	}
	for name, p := range providers {
		t.Run(name, func(t *testing.T) {
			npytest.TestSource(t, vectors, func(t *testing.T, v npytest.Vector) npy.Source {
				return p.open(t, must(os.ReadFile(v.Path)))
			})
		})
	}
}

// Whatever can be closed gives the same error after that.
func TestClosedSources(t *testing.T) {
	vectors := must(npytest.Vectors("../testdata/numpy-2.3.5"))
	for name, p := range providers {
		t.Run(name, func(t *testing.T) {
			npytest.TestClosedSource(t, vectors, func(t *testing.T, v npytest.Vector) (npy.Source, func() error) {
				src, closing := p(t, must(os.ReadFile(v.Path)))
				if _, hidden := src.(fiveMethods); closing == nil || hidden || name == "Whole" {
					return nil, nil // it belongs to nothing that can be closed
				}
				return src, closing
			})
		})
	}
}
