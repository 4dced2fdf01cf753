package main

import "github.com/npygo/npy"

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
