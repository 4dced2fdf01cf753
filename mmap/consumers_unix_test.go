//go:build unix

package mmap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/npz/sparse"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/stats"
)

type reading struct {
	X float64 `npy:"x"`
	N int32   `npy:"n"`
	S []byte  `npy:"s,S4"`
}

// consumers are the functions in this module's packages that read the memory of an array. Functions that write a file
// get the path of an existing file. Each reads all elements.
var consumers = map[string]func(a *npy.Array, path string) error{
	"npy.As": func(a *npy.Array, _ string) error { return loads(a) },
	"Array.AsType": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error { return second(a.AsType(dtype.Complex128)) })
	},
	"Array.Bytes":   func(a *npy.Array, _ string) error { a.Bytes(); return nil },
	"Array.Fortran": func(a *npy.Array, _ string) error { must(a.Reshape(2, -1)).Fortran(); return nil },
	"Array.Clone, of a transpose": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error { return second(must(a.Reshape(-1, 128)).T().Contiguous().AsType(a.DType())) })
	},
	"Array.Cast": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error { return second(a.Cast(dtype.Float32, npy.UnsafeCasting)) })
	},
	"npy.Write":     func(a *npy.Array, _ string) error { return npy.Write(io.Discard, must(a.Slice(npy.All().By(-1)))) },
	"npy.WriteFile": func(a *npy.Array, path string) error { return npy.WriteFile(path, a) },
	"npy.WriteFile, by pieces": func(a *npy.Array, path string) error {
		return npy.WriteFile(path, must(a.Slice(npy.All().By(-1))))
	},
	"npy.Printer": func(a *npy.Array, _ string) error { return npy.Printer{Threshold: -1}.Print(io.Discard, a) },
	"npy.RowWriter": func(a *npy.Array, path string) error {
		return numeric(a, func(a *npy.Array) error {
			w, err := npy.Saver[float64]{DType: dtype.Float64.WithByteOrder(dtype.BigEndian)}.CreateRows(path, npy.UnknownRows)
			if err != nil {
				return err
			}
			defer w.Abort()
			values, ok := must(npy.As[float64](a)).ViewSlice()
			if !ok {
				return errCopied
			}
			return errors.Join(w.Write(values), w.Close())
		})
	},
	"npy.Copier": func(a *npy.Array, path string) error {
		return opened(a, func(f *npy.File) error {
			return npy.Copier{Order: npy.FortranOrder}.WriteFile(context.Background(), path, f)
		})
	},
	"npy.Copier, with a cast": func(a *npy.Array, path string) error {
		return numeric(a, func(a *npy.Array) error {
			return opened(a, func(f *npy.File) error {
				return npy.Copier{DType: dtype.Complex128}.WriteFile(context.Background(), path, f)
			})
		})
	},
	"npy.File.Slice": func(a *npy.Array, _ string) error {
		return opened(a, func(f *npy.File) error { return second(f.Slice(npy.All().By(2))) })
	},
	"npy.Load": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error {
			return opened(a, func(f *npy.File) error { return second(f.ReadAll(context.Background())) })
		})
	},
	"npy.Append": func(a *npy.Array, path string) error {
		if err := npy.WriteFile(path, must(a.Slice(npy.SpanTo(1)))); err != nil {
			return err
		}
		l, err := npy.OpenAppend(path)
		if err != nil {
			return err
		}
		defer l.Close()
		return l.Append(must(a.Slice(npy.All().By(-1))))
	},
	"npz.Save":            func(a *npy.Array, path string) error { return npz.Save(path, npz.Member{Name: "a", Array: a}) },
	"npz.Save, stored":    saved(npz.Encoder{Store: true}),
	"npz.Save, Zstandard": saved(npz.Encoder{Zstd: true}),
	"npz.Save, alone":     saved(npz.Encoder{Workers: 1}),
	"npz.Writer.Add": func(a *npy.Array, path string) error {
		w, err := npz.Create(path)
		if err != nil {
			return err
		}
		defer w.Abort()
		return errors.Join(npz.Add(w, "before", []int8{1}), w.Add("a", a), npz.Add(w, "after", []int8{1}), w.Close())
	},
	"npz.Writer to a stream, stored": func(a *npy.Array, _ string) error {
		w := must(npz.Encoder{Store: true}.NewWriter(io.Discard))
		defer w.Abort()
		return errors.Join(w.Add("a", a), w.Close())
	},
	"npz.Writer of small arrays": func(a *npy.Array, path string) error {
		w, err := npz.Create(path)
		if err != nil {
			return err
		}
		defer w.Abort()
		for i := range 64 {
			n := a.Len() / 64
			if err := w.Add(fmt.Sprint(i), must(a.Slice(npy.Span(i*n, (i+1)*n)))); err != nil {
				return err
			}
		}
		return w.Close()
	},
	"npz.Edit": func(a *npy.Array, path string) error {
		return npz.Edit(path, func(e *npz.Editor) error { return errors.Join(e.Replace("old", a), e.Add("b", a)) })
	},
	"npz.Reader.All": func(a *npy.Array, _ string) error {
		z, err := archive(a)
		if err != nil {
			return err
		}
		for m, err := range z.All() {
			if m.Array == nil {
				return err
			}
		}
		return nil
	},
	"npz.Reader.Array": func(a *npy.Array, _ string) error {
		z, err := archive(a)
		if err != nil {
			return err
		}
		return second(z.Array("a"))
	},
	"sparse.Save": func(a *npy.Array, path string) error {
		return numeric(a, func(a *npy.Array) error {
			values, ok := must(npy.As[float64](a)).ViewSlice()
			if !ok {
				return errCopied
			}
			m := &sparse.DIA[float64]{Head: sparse.Head{Rows: 8, Cols: len(values)}, Offsets: []int{3}, Width: len(values), Data: values}
			return sparse.Save(path, m)
		})
	},
	"record.ToSlice": func(a *npy.Array, _ string) error {
		if a.DType().Fields() == nil {
			return errOther
		}
		return second(record.ToSlice[reading](a))
	},
	"record.SaveTo": func(a *npy.Array, path string) error {
		type pair struct{ A, B int32 }
		if a.DType().Fields() != nil {
			return errOther
		}
		raw, _ := a.ViewBytes()
		pairs, err := record.ViewOf[pair](must(npy.FromBytes(must(record.DType[pair]()), raw, a.Len())))
		if err != nil {
			return errCopied
		}
		return record.Save(path, pairs)
	},
	"stats.Of": func(a *npy.Array, _ string) error { return second(stats.Of(context.Background(), a)) },
	"stats.Of, of a file": func(a *npy.Array, _ string) error {
		return opened(a, func(f *npy.File) error { return second(stats.Of(context.Background(), f)) })
	},
	"stats.AxisOf": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error {
			return second(stats.AxisOf(context.Background(), must(a.Reshape(-1, 64)), 0))
		})
	},
	"stats.AxisOf, last": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error {
			return second(stats.AxisOf(context.Background(), must(a.Reshape(-1, 64)), 1))
		})
	},
	"stats.Quantiles": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error { return second(stats.QuantilesOf(context.Background(), a, 0.1, 0.5)) })
	},
	"stats.HistogramOf": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error { return second(stats.HistogramOf(context.Background(), a, 10)) })
	},
	"query.Unique": func(a *npy.Array, _ string) error {
		return numeric(a, func(a *npy.Array) error { return second(query.Unique{}.Of(context.Background(), ints(a))) })
	},
	"diff.Compare": func(a *npy.Array, _ string) error {
		b, err := npy.New(a.DType(), a.Shape()...)
		if err != nil {
			return err
		}
		return second(diff.Compare(context.Background(), a, b, diff.Options{}))
	},
	"diff.Compare, of a part": func(a *npy.Array, _ string) error {
		a = must(a.Slice(npy.All().By(-1)))
		return second(diff.Compare(context.Background(), a, a, diff.Options{}))
	},
	"diff.Compare, of parts of a file": func(a *npy.Array, _ string) error {
		return opened(a, func(f *npy.File) error {
			s := must(f.Select(npy.All().By(-1)))
			return second(diff.Compare(context.Background(), s, s, diff.Options{}))
		})
	},
	"diff.Compare, of streams": func(a *npy.Array, _ string) error {
		h := format.Header{DType: a.DType(), Shape: a.Shape()}
		data, _ := a.ViewBytes()
		s := must(npy.NewStream(h, bytes.NewReader(data)))
		b := must(npy.NewStream(h, bytes.NewReader(make([]byte, len(data)))))
		return second(diff.Compare(context.Background(), s, b, diff.Options{}))
	},
	"diff.Compare, of a file": func(a *npy.Array, _ string) error {
		return opened(a, func(f *npy.File) error { return second(diff.Compare(context.Background(), f, f, diff.Options{})) })
	},
	"convert.Write, CSV":    converted(convert.CSV),
	"convert.Write, JSON":   converted(convert.JSON),
	"convert.Write, NDJSON": converted(convert.NDJSON),
	"convert.WriteFile": func(a *npy.Array, path string) error {
		return must(convert.Standard().Find(convert.TSV)).WriteFile(context.Background(), path, a, convert.WriteOptions{})
	},
	"convert.Write, of a file": func(a *npy.Array, _ string) error {
		return opened(a, func(f *npy.File) error {
			return convert.Write(context.Background(), io.Discard, convert.CSV, f, convert.WriteOptions{})
		})
	},
	"convert.CopyRaw": func(a *npy.Array, path string) error {
		return opened(a, func(f *npy.File) error { return convert.WriteRawFile(context.Background(), path, f, npy.Copier{}) })
	},
}

// Why a consumer cannot process an array.
var (
	errOther  = errors.New("it is for other elements")
	errCopied = errors.New("no view of the memory")
)

func second[T any](_ T, err error) error { return err }

func numeric(a *npy.Array, do func(a *npy.Array) error) error {
	if a.DType().Fields() != nil {
		return errOther
	}
	return do(a)
}

func loads(a *npy.Array) error {
	if a.DType().Fields() != nil {
		_, err := npy.As[int32](must(a.Field("n")))
		must(npy.As[int32](must(a.Field("n")))).ToSlice()
		return err
	}
	must(npy.As[float64](a)).ToSlice()
	return nil
}

func saved(e npz.Encoder) func(a *npy.Array, path string) error {
	return func(a *npy.Array, path string) error { return e.Save(path, npz.Member{Name: "a", Array: a}) }
}

func converted(f convert.Format) func(a *npy.Array, path string) error {
	return func(a *npy.Array, _ string) error {
		return convert.Write(context.Background(), io.Discard, f, a, convert.WriteOptions{})
	}
}

// ints returns the memory of floats as integers.
func ints(a *npy.Array) *npy.Array {
	raw, _ := a.ViewBytes()
	return must(npy.FromBytes(dtype.Int64, raw, a.Len()))
}

// opened calls do with the memory of an array as a file.
func opened(a *npy.Array, do func(f *npy.File) error) error {
	h := a.DType().Descr()
	if a.DType().Fields() == nil {
		h = "'" + h + "'"
	}
	data, _ := a.ViewBytes()
	text := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': (%d,), }", h, a.Len())
	text += strings.Repeat(" ", 63-(len(text)+10)%64) + "\n"
	start := fmt.Appendf(nil, "\x93NUMPY\x01\x00%c%c%s", len(text)%256, len(text)/256, text)
	f, err := npy.OpenReaderAt(joined{start, data}, int64(len(start)+len(data)))
	if err != nil {
		return err
	}
	return do(f)
}

// A joined is the concatenation of two slices.
type joined struct{ start, data []byte }

func (j joined) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(j.start)) {
		n = copy(p, j.start[at:])
	}
	if rest := at + int64(n) - int64(len(j.start)); n < len(p) && rest < int64(len(j.data)) {
		n += copy(p[n:], j.data[rest:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// archive returns an archive whose stored member is the memory of an array.
func archive(a *npy.Array) (*npz.Reader, error) {
	var whole bytes.Buffer
	w := must(npz.Encoder{Store: true}.NewWriter(&whole))
	empty, err := npy.New(a.DType(), a.Shape()...)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(w.Add("a", empty), w.Close()); err != nil {
		return nil, err
	}
	data, _ := a.ViewBytes()
	from := bytes.Index(whole.Bytes(), make([]byte, 4096))
	return npz.NewReader(overlaid{bytes.NewReader(whole.Bytes()), data, int64(from)}, int64(whole.Len()))
}

// An overlaid is a file that has data at some offset.
type overlaid struct {
	io.ReaderAt
	data []byte
	from int64
}

func (o overlaid) ReadAt(p []byte, at int64) (int, error) {
	n, err := o.ReaderAt.ReadAt(p, at)
	if low, high := max(at, o.from), min(at+int64(n), o.from+int64(len(o.data))); low < high {
		copy(p[low-at:], o.data[low-o.from:high-o.from])
	}
	return n, err
}

// A function that reads the memory of a truncated file returns an error to a caller within Do, on one goroutine and
// on several, which must all have ended. A file that was to be written is unchanged.
func TestConsumersOfTruncated(t *testing.T) {
	if !bulk.Shares {
		t.Skip("views need unsafe")
	}
	inside, out, err := alone(t)
	if !inside {
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for _, d := range []dtype.Type{dtype.Float64, must(record.DType[reading]())} {
		for _, workers := range []int{1, 4} {
			for _, left := range []int64{0, 9 << 20} {
				for name, consume := range consumers {
					t.Run(fmt.Sprintf("%s/%s/%d/%d", name, d.Kind(), workers, left), func(t *testing.T) {
						consumeTruncated(t, d, 10<<20/d.ItemSize(), workers, left, consume)
					})
				}
			}
		}
	}
}

func consumeTruncated(t *testing.T, d dtype.Type, n, workers int, left int64, consume func(a *npy.Array, path string) error) {
	defer npy.SetWorkers(npy.SetWorkers(workers))
	dir := t.TempDir()
	path, out := filepath.Join(dir, "in.npy"), filepath.Join(dir, "out")
	f, err := mmap.Create(path, d, n)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := npz.Save(out, npz.Member{Name: "old", Array: must(npy.New(dtype.Int8, 3))}); err != nil {
		t.Fatal(err)
	}
	old := must(os.ReadFile(out))
	before := runtime.NumGoroutine()
	if err := os.Truncate(path, left); err != nil {
		t.Fatal(err)
	}
	err = f.Do(func(a *npy.Array) error { return consume(a, out) })
	if errors.Is(err, errOther) {
		t.Skip(err)
	}
	if !errors.Is(err, mmap.ErrTruncated) {
		t.Errorf("error %v, want %v", err, mmap.ErrTruncated)
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // a goroutine that ends tells nobody
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left, there were %d", n, before)
	}
	entries := must(os.ReadDir(dir))
	if now := must(os.ReadFile(out)); len(entries) != 2 || !bytes.Equal(now, old) && !strings.Contains(t.Name(), "Append") {
		t.Errorf("the folder has %v; the file that was there has changed: %v", entries, !bytes.Equal(now, old))
	}
}
