package main

import (
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// openParts opens a file of which any part can be read by itself. It returns nil for everything else: standard input,
// members of archives, pipes, pickles, Python objects, and what is no array, which is found out where it is read in sequence.
func openParts(t target, d npy.Decoder) *npy.File {
	if t.path == "-" || t.archive != nil {
		return nil
	}
	f, err := d.Open(t.path)
	if err != nil {
		return nil
	}
	if f.DType().HasObject() {
		f.Close()
		return nil
	}
	return f
}

// watchParts is openParts for work on all of a file, of which a terminal shows how far it is. The file is closed by calling
// what it returns.
func (a *app) watchParts(t target, d npy.Decoder) (f *npy.File, finish func()) {
	if f = openParts(t, d); f == nil {
		return nil, func() {}
	}
	unwatched := func() { f.Close() }
	bar := a.progress(fileName(t.name()))
	if !bar.Shows() {
		return f, unwatched
	}
	file, err := os.Open(t.path)
	if err != nil {
		return f, unwatched
	}
	size := sizeOf(file)
	watched, err := d.OpenReaderAt(terminal.WatchAt(file, bar, size), size)
	if err != nil {
		file.Close()
		return f, unwatched
	}
	f.Close()
	return watched, func() {
		bar.Clear()
		file.Close()
	}
}

// loadEdges reads what is printed of the array that a target names, and no more where that is possible. The printer is
// for the result.
func (a *app) loadEdges(t target, p npy.Printer, d npy.Decoder) (*npy.Array, npy.Printer, error) {
	f := openParts(t, d)
	if f == nil {
		array, err := a.load(t, d)
		return array, p, err
	}
	defer f.Close()
	array, p, err := p.Edges(f, t.index...)
	return array, p, explain(err)
}
