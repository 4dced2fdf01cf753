package main

import (
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// An input is an open array. Its elements are read from the file on demand until it is closed.
type input struct {
	npy.Source               // the part that the target names
	header     format.Header // of the whole array, with the version of its file; without DataOffset if there is no file
	close      func()
}

// Close releases the file.
func (in *input) Close() {
	if in.close != nil {
		in.close()
	}
}

// openArray opens the array that a target names. A file is read in parts; standard input, pickles and members of
// archives are read whole.
func (a *app) openArray(t target, d npy.Decoder) (*input, error) {
	f, close := openFile(t, d, nil)
	return a.opened(f, close, t, d)
}

// opened returns the input for an open file. It is nil if the target must be read whole.
func (a *app) opened(f *npy.File, close func(), t target, d npy.Decoder) (*input, error) {
	if f != nil {
		return inputOf(f, close, t)
	}
	array, err := a.load(t, d)
	if err != nil {
		return nil, err
	}
	return &input{Source: array, header: npy.HeaderOf(array)}, nil
}

// inputOf returns the part of an open file that a target names.
func inputOf(f *npy.File, close func(), t target) (*input, error) {
	in := &input{Source: f, header: f.Header(), close: close}
	if t.index == nil {
		return in, nil
	}
	part, err := f.Select(t.index...)
	if err != nil {
		in.Close()
		return nil, explain(err)
	}
	in.Source = part
	return in, nil
}

// openFile opens a file that can be read in parts. It returns nil for everything else: standard input, members of
// archives, pipes, pickles, Python objects, and files that are not arrays. Reading such a file in sequence reports
// what it is. bar, unless nil, shows on a terminal how much has been read.
func openFile(t target, d npy.Decoder, bar *terminal.Progress) (f *npy.File, close func()) {
	if t.path == "-" || t.archive != nil {
		return nil, nil
	}
	f, close = openAt(t.path, d, bar)
	if f != nil && f.DType().HasObject() {
		close()
		return nil, nil
	}
	return f, close
}

func openAt(path string, d npy.Decoder, bar *terminal.Progress) (*npy.File, func()) {
	if bar == nil || !bar.Shows() {
		f, err := d.Open(path)
		if err != nil {
			return nil, nil
		}
		return f, func() { f.Close() }
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	size := sizeOf(file)
	f, err := d.OpenReaderAt(terminal.WatchAt(file, bar, size), size)
	if err != nil {
		file.Close()
		return nil, nil
	}
	return f, func() {
		bar.Clear()
		file.Close()
	}
}

// openAny opens what a target names, including text of a given dtype and members of archives that are not open yet.
func (a *app) openAny(t target, dt dtype.Type, d npy.Decoder) (*input, error) {
	if t.member == "" {
		if f, close := openFile(t, d, nil); f != nil {
			return inputOf(f, close, t)
		}
	}
	array, err := a.anyArray(t, dt, d)
	if err != nil {
		return nil, err
	}
	return &input{Source: array, header: npy.HeaderOf(array)}, nil
}
