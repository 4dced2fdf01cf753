// Package view shows arrays in a browser: as pictures, lines, tables and histograms, whatever their size.
//
// A [Handler] is the page for other programs. It is an [http.Handler] that can be mounted under any path, and the program
// decides who may see it:
//
//	h := view.New(view.Path("model.npz", all.Formats()))
//	defer h.Close()
//	http.Handle("/arrays/", authorised(http.StripPrefix("/arrays", h)))
//
// [Serve] shows the page to the user of this machine and to nobody else, as the command npy view does. [Export] writes it as a
// folder that needs no server.
//
// The page asks for arrays by number and never by path: it gets what the program has named, and nothing else. Names and texts
// of files are data that no browser takes for a page.
package view

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/view/internal/answer"
)

// An Input is something to look at. [Path] and [Source] return the usual ones.
type Input struct {
	// Name is what the page calls it, and what the code uses that the page offers for copying: the path of a file, as a user
	// would type it.
	Name string

	// Joined are the files of an array in many files, joined along Axis, for the code that the page offers. nil stands for the
	// file that Name names.
	Joined []string
	Axis   int // the axis of Joined; 0 without

	// Open opens it. It is called by the first question, and again once State differs.
	Open func(ctx context.Context) (*File, error)

	// State returns a text that differs once the file has changed, such as its size and time: the page then loads it again. nil
	// means that it never changes.
	State func() (string, error)
}

// A File is an open file with any number of arrays.
type File struct {
	// Kind is the format of the file, by the name in [container.Format]: "npz". A file that is one array has the Kind "npy".
	Kind string

	// Entries are the arrays and groups in the order of the page. A single array has the Path "".
	Entries []container.Entry

	// Source returns the array of an entry. Several goroutines call it, and use the arrays until Close.
	Source func(i int) (npy.Source, error)

	// Attributes returns the attributes of an entry. It may be nil.
	Attributes func(i int) []container.Attribute

	// Global returns the attributes of the file itself, the root of a container. It may be nil.
	Global func() []container.Attribute

	// Close is called once no question uses the file any more.
	Close func()
}

// Path returns a file of this machine, of any of formats: those of package container/all, for example, whose decoders have the
// limits for files that are not trusted. A file that changes is opened again. The page shows the last element of the path.
func Path(path string, formats container.Formats) Input {
	name := filepath.Base(path)
	in := Input{Name: name, Open: func(context.Context) (*File, error) {
		f, err := closable.Open(path, func(r *closable.ReaderAt, size int64) (*answer.File, error) {
			c, format, err := formats.NewNamedReader(r.Below(), size, path)
			if err != nil {
				return nil, err
			}
			return answer.FileOf(format, c, func() { r.Close() }), nil
		})
		return (*File)(f), named(name, err)
	}}
	w := watched{path: path}
	_, _ = w.state() // finds out whether there is a file
	in.State = func() (string, error) {
		state, err := w.state()
		return state, named(name, err)
	}
	return in
}

// A watched is a path whose file may change, vanish and come again.
type watched struct {
	path string

	mu   sync.Mutex
	last fs.FileInfo // of the file that was there last; nil before the first
	nth  int         // how many files have been there
}

// state returns a text that differs once the file has changed. It is empty as long as no regular file has been seen: the path
// may be an address or a folder.
func (w *watched) state() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	info, err := os.Stat(w.path)
	switch {
	case err != nil && w.last == nil, err == nil && !info.Mode().IsRegular():
		return "", nil
	case err != nil:
		return "", err
	}
	if w.last == nil || !os.SameFile(w.last, info) { // a copy may have the size and the time of the file before
		w.last = info
		w.nth++
	}
	return fmt.Sprint(w.nth, " ", info.Size(), " ", info.ModTime().UnixNano()), nil
}

// named returns an error with the name that the page shows in place of the path, which is of no concern to its readers.
func named(name string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: name, Err: p.Err}
	}
	return err
}

// Source returns one array with a name, in memory or wherever src has its elements. The array must not change while it is
// shown. If src has a method Close, it is the program that calls it.
func Source(name string, src npy.Source) Input {
	return Input{Name: name, Open: func(context.Context) (*File, error) {
		h := npy.HeaderOf(src)
		return &File{
			Kind:    "npy",
			Entries: []container.Entry{{DType: h.DType, Shape: h.Shape, FortranOrder: h.FortranOrder, Stored: h.NBytes()}},
			Source:  func(int) (npy.Source, error) { return src, nil },
			Close:   func() {},
		}, nil
	}}
}

// answersOf returns the answers about inputs.
func answersOf(inputs []Input) *answer.Answers {
	all := make([]answer.Input, len(inputs))
	for i, in := range inputs {
		all[i] = answer.Input{Name: in.Name, Joined: in.Joined, Axis: in.Axis, State: in.State, Open: func(ctx context.Context) (*answer.File, error) {
			f, err := in.Open(ctx)
			return (*answer.File)(f), err
		}}
	}
	return answer.New(all)
}
