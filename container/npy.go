package container

import (
	"context"
	"io"
	"io/fs"
	"iter"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/readonly"
	"github.com/npygo/npy/source"
)

// NPYPath is the path of the only array of an .npy file.
const NPYPath = "data"

// NPY returns the format of .npy files, read with the limits of d and written with e. A file has one array, data. If e.Objects is
// nil, texts are written as by [NPZ].
func NPY(d npy.Decoder, e npy.Encoder) Format {
	f := Format{
		Name:     "npy",
		Endings:  []string{".npy"},
		InStream: true,
		Has:      FortranOrder,
		Is:       func(r io.ReaderAt, _ int64) bool { return string(headOf(r, len(format.Magic))) == format.Magic },
		Open: func(r io.ReaderAt, size int64) (Container, error) {
			f, err := d.OpenReaderAt(r, size)
			if err != nil {
				return nil, err
			}
			return &single{f, d, io.NewSectionReader(r, 0, size)}, nil
		},
	}
	if !readonly.Build {
		f.New = func(w io.WriteSeeker, o WriteOptions) (Writer, error) {
			return &singleWriter{w: w, encoder: e, options: o}, nil
		}
	}
	return f
}

// A single is an .npy file.
type single struct {
	f   *npy.File
	dec npy.Decoder
	all *io.SectionReader
}

// Format implements [Container].
func (s *single) Format() string {
	return "NumPy array (.npy), version " + s.f.Header().Version.String()
}

// Entries implements [Container].
func (s *single) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		e, _ := s.Entry(NPYPath)
		yield(e)
	}
}

// find returns an error unless path is the array's.
func (s *single) find(path string) error {
	if path != NPYPath {
		return diag.Errorf("container", "an .npy file has %q and no %q: %w", NPYPath, path, fs.ErrNotExist)
	}
	return nil
}

// Entry implements [Container].
func (s *single) Entry(path string) (Entry, error) {
	if err := s.find(path); err != nil {
		return Entry{}, err
	}
	h := s.f.Header()
	return Entry{Path: path, DType: h.DType, Shape: h.Shape, FortranOrder: h.FortranOrder, Stored: s.all.Size() - h.DataOffset}, nil
}

// Source implements [Container].
func (s *single) Source(path string) (npy.Source, error) {
	if err := s.find(path); err != nil {
		return nil, err
	}
	if !s.f.DType().HasObject() {
		return s.f, nil
	}
	return source.Whole(s.f.DType(), s.f.Shape(), func(ctx context.Context) (*npy.Array, error) {
		return s.dec.Read(io.NewSectionReader(s.all, 0, s.all.Size()))
	}), nil
}

// Attributes implements [Container].
func (s *single) Attributes(path string) ([]Attribute, error) {
	if path == "" {
		return nil, nil
	}
	return nil, s.find(path)
}

// A singleWriter writes an .npy file.
type singleWriter struct {
	w       io.Writer
	encoder npy.Encoder
	options WriteOptions
	begun   bool
}

// KeepsFortran implements [FortranWriter].
func (w *singleWriter) KeepsFortran() {}

var errOneArray = diag.New("container", "an .npy file holds one array; write an .npz file")

// Begin implements [Writer]. The path of the array is not kept.
func (w *singleWriter) Begin(e Entry, attributes []Attribute) (ArrayWriter, error) {
	lost := LossesOf(e, attributes, FortranOrder)
	if e.Group {
		w.options.Lose(lost...)
		return nil, nil
	}
	if w.begun {
		return nil, errOneArray
	}
	w.begun = true
	if e.DType.HasObject() {
		return &objectWriter{e: e, encoder: w.encoder, options: w.options, lost: lost, write: func(data []byte) error {
			_, err := w.w.Write(data)
			return err
		}, undo: func() { w.begun = false }}, nil
	}
	w.options.Lose(lost...)
	b, err := newBlockWriter(e, w.encoder, w.w, func(error) error { return nil })
	if err != nil {
		return nil, err
	}
	return b, nil
}

var errNoArray = diag.New("container", "an .npy file holds one array, and there is none")

// Close implements [Writer].
func (w *singleWriter) Close() error {
	if !w.begun {
		return errNoArray
	}
	return nil
}
