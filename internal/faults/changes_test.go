//go:build linux && amd64

package faults_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
)

// A change is the work of a process on a folder that holds in.npy, of shape (6, 200), cut.npy, a truncated copy, and cut.npz, a truncated
// archive.
// Nothing but the file out changes.
type change struct {
	out string
	do  func(in, cut, out string) error
}

// changes are all ways in which this module replaces files.
var changes = map[string]change{
	"WriteFile": {"out.npy", func(_, _, out string) error { return npy.WriteFile(out, numbers(20_000)) }},
	"WriteFile, by pieces and synced": {"out.npy", func(_, _, out string) error {
		a, err := numbers(20_000).Slice(npy.All().By(-1))
		if err != nil {
			return err
		}
		return npy.Encoder{Sync: true}.WriteFile(out, a)
	}},
	"ReplaceFile": {"out.csv", func(_, _, out string) error {
		return npy.ReplaceFile(out, func(w io.Writer) error {
			_, err := w.Write(make([]byte, 100_000))
			return err
		})
	}},
	"CreateRows": {"out.npy", func(_, _, out string) error {
		w, err := npy.CreateRows[float64](out, npy.UnknownRows, 1000)
		return rows(w, err, make([]float64, 1000))
	}},
	"record.CreateRows": {"out.npy", func(_, _, out string) error {
		type point struct {
			X, Y int32
			Name [3]float32
		}
		w, err := record.CreateRows[point](out, npy.UnknownRows)
		return rows(w, err, make([]point, 1000))
	}},
	"RepairFile":       {"out.npy", func(_, cut, out string) error { return second(npy.RepairFile(cut, out)) }},
	"Copier.WriteFile": {"out.npy", copied(npy.Copier{Order: npy.FortranOrder})},
	"Copier.WriteFile, synced": {"out.npy", copied(npy.Copier{
		Encoder: npy.Encoder{Sync: true}, DType: dtype.Complex128,
	})},
	"Copier.Concat": {"out.npy", func(in, _, out string) error {
		return opened(in, func(f *npy.File) error { return npy.Copier{}.Concat(context.Background(), out, 1, f, f) })
	}},
	"convert.WriteFile, of a file": {"out.csv", func(in, _, out string) error {
		return opened(in, func(f *npy.File) error {
			return convert.WriteFile(context.Background(), out, f, convert.WriteOptions{})
		})
	}},
	"convert.WriteRawFile": {"out.raw", func(in, _, out string) error {
		return opened(in, func(f *npy.File) error { return convert.WriteRawFile(context.Background(), out, f, npy.Copier{}) })
	}},
	"query.Sort": {"out.npy", func(_, _, out string) error { return sorted(numbers(900_000), out) }},
	"query.Sort, in memory and synced": {"out.npy", func(_, _, out string) error {
		return query.Sort{Encoder: npy.Encoder{Sync: true}}.WriteFile(context.Background(), out, numbers(20_000))
	}},
	"mmap.Create": {"new.npy", func(_, _, out string) error { return created(mmap.Create(out, dtype.Int32, 5000)) }},
	"mmap.Create, in place of a file": {"out.npy", func(_, _, out string) error {
		return created(mmap.Options{Replace: true}.Create(out, dtype.Int32, 5000))
	}},
	"hdf5.Create": {"out.h5", func(_, _, out string) error {
		w, err := hdf5.Create(out)
		if err != nil {
			return err
		}
		defer w.Abort()
		return errors.Join(w.Add("g/a", numbers(20_000)), w.Add("b", numbers(3)), w.Close())
	}},
	"npz.Save": {"out.npz", func(_, _, out string) error {
		return npz.Save(out, npz.Member{Name: "a", Array: numbers(20_000)}, npz.Member{Name: "b", Array: numbers(3)})
	}},
	"npz.RepairFile": {"out.npz", func(in, _, out string) error {
		return second(npz.RepairFile(filepath.Join(filepath.Dir(in), "cut.npz"), out))
	}},
	"npz.Edit": {"out.npz", func(_, _, out string) error {
		return npz.Edit(out, func(e *npz.Editor) error {
			return errors.Join(e.Delete("a"), e.Rename("b", "c"), e.Add("d", numbers(20_000)))
		})
	}},
}

// prepare makes the initial files, among them a file that is replaced.
func prepare(dir string) error {
	in, cut, out := paths(dir, "out.npy")
	err := npy.Save(in, make([]float64, 1200), 6, 200)
	whole, readErr := os.ReadFile(in)
	return errors.Join(err, readErr, os.WriteFile(cut, whole[:len(whole)-100], 0o600),
		npy.Save(out, []int16{1, 2, 3}),
		cutArchive(filepath.Join(dir, "cut.npz")),
		growing(filepath.Join(dir, "out.h5")),
		os.WriteFile(filepath.Join(dir, "out.csv"), []byte("1\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "out.raw"), []byte("1\n"), 0o600),
		npz.Encoder{Store: true}.Save(filepath.Join(dir, "out.npz"), npz.Member{Name: "a", Array: numbers(2)}, npz.Member{Name: "b", Array: numbers(10_000)}))
}

// cutArchive makes an archive that ends within its second member.
func cutArchive(path string) error {
	err := npz.Encoder{Store: true}.Save(path, npz.Member{Name: "a", Array: numbers(20)}, npz.Member{Name: "b", Array: numbers(1000)})
	return errors.Join(err, os.Truncate(path, 5000))
}

func paths(dir, out string) (string, string, string) {
	return filepath.Join(dir, "in.npy"), filepath.Join(dir, "cut.npy"), filepath.Join(dir, out)
}

func numbers(n int) *npy.Array {
	data := make([]int64, n)
	for i := range data {
		data[i] = int64(i * i)
	}
	a, err := npy.FromSlice(data)
	if err != nil {
		panic(err)
	}
	return a
}

// rows writes three blocks of rows and closes the writer.
func rows[T any](w interface {
	Write(data []T) error
	Close() error
}, err error, block []T) error {
	if err != nil {
		return err
	}
	for range 3 {
		err = errors.Join(err, w.Write(block))
	}
	return errors.Join(err, w.Close())
}

func second[T any](_ T, err error) error { return err }

func opened(path string, do func(f *npy.File) error) error {
	f, err := npy.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}

func copied(c npy.Copier) func(in, cut, out string) error {
	return func(in, _, out string) error {
		return opened(in, func(f *npy.File) error { return c.WriteFile(context.Background(), out, f) })
	}
}

func created(f *mmap.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

// sorted sorts rows that take more than the least memory, so that a part of them goes through another temporary file.
func sorted(a *npy.Array, out string) error {
	a, err := a.Reshape(-1, 1000)
	if err != nil {
		return err
	}
	s := query.Sort{By: []query.Key{{Field: "3", Descending: true}}, Memory: 1}
	return s.WriteFile(context.Background(), out, a)
}

// An appending is a way to append to out.npy: rows of 1000 numbers, all equal to the number of the row.
type appending struct {
	encoder npy.Encoder
	append  func(a *npy.Appender, row int) error
}

var appendings = map[string]appending{
	"Append":         {append: func(a *npy.Appender, row int) error { return npy.AppendRows(a, full(row)) }},
	"Append, synced": {npy.Encoder{Sync: true}, func(a *npy.Appender, row int) error { return npy.AppendRows(a, full(row)) }},
	"Append, by pieces": {append: func(a *npy.Appender, row int) error {
		b, err := npy.FromSlice(full(row), 1, 1000)
		if err != nil {
			return err
		}
		if b, err = b.Slice(npy.All(), npy.All().By(-1)); err != nil {
			return err
		}
		return a.Append(b)
	}},
}

func full(row int) []int64 {
	data := make([]int64, 1000)
	for i := range data {
		data[i] = int64(row)
	}
	return data
}

// before and appended are numbers of rows: the shape gets longer.
const (
	before   = 8
	appended = 3
)

// appendTo appends rows and prints a line after each.
func appendTo(path string, one appending) error {
	a, err := one.encoder.OpenAppend(path)
	if err != nil {
		return err
	}
	for i := range appended {
		if err := one.append(a, before+i); err != nil {
			return errors.Join(err, a.Close())
		}
		fmt.Println("acknowledged")
	}
	return a.Close()
}

// tight makes a file whose header cannot grow for a longer shape, so that appending writes the file anew.
func tight(path string) error {
	dict := fmt.Sprintf("{'descr': '<i8', 'fortran_order': False, 'shape': (%d, 1000), }", before)
	data := fmt.Appendf(nil, "\x93NUMPY\x01\x00\x46\x00%-69s\n", dict)
	for row := range before {
		for _, x := range full(row) {
			data = binary.LittleEndian.AppendUint64(data, uint64(x))
		}
	}
	return os.WriteFile(path, data, 0o600)
}
