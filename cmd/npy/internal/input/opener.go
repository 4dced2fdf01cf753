package input

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
)

// An Opener opens targets.
type Opener struct {
	Stdin    *Stdin
	Array    npy.Decoder         // reads arrays; it refuses Python objects if Objects is nil
	Archive  npz.Decoder         // the limits of archives
	Text     convert.ReadOptions // the limits of text
	Several  bool                // Each also visits the arrays after the first in a file, and in a stream that is read to their ends
	Headers  bool                // only headers are read, so that the arrays after the first in a stream are not found
	Raw      bool                // files are bytes without a format: compressed ones are not decompressed
	Progress *terminal.Progress  // shows how much of a file has been read; nil for none

	Where string // the condition that rows must satisfy; "" for all rows
	// Found is told how many rows satisfy it, of how many. It may be nil.
	Found func(n, of int)

	// Temporary registers a function that removes a temporary file, to be called if the command is interrupted before done
	// is called.
	Temporary func(remove func()) (done func())
	// Watch returns f and shows how much of it has been read.
	Watch func(f io.ReadCloser, name string, size int64) io.ReadCloser
	// Tell prints what is not an error: what was inferred from text, members that are not arrays.
	Tell func(format string, args ...any)
}

// Open opens the file of a target, and the archive if it is one. The result must be closed. An archive is recognised by
// its first bytes or, if it begins with other data, by its name; then Member and Index are those of one of its members,
// or of a pattern.
func (o Opener) Open(t Target) (Target, error) {
	if t.Archive != nil || t.file != nil {
		return t, nil
	}
	f, head, err := o.openFile(t.Path)
	if err != nil {
		return t, err
	}
	if isArchive(head, t.Path, f.regular != nil) {
		if t.Archive, err = o.newArchive(f); err != nil {
			f.close()
			return t, err
		}
		return t.indexMember()
	}
	if t.Member != "" {
		f.close()
		return t, fmt.Errorf("the file is an array, not an archive, and has no member %q", t.Member)
	}
	t.file = f
	return t, nil
}

// Close closes what Open has opened.
func (t Target) Close() {
	if t.Archive != nil {
		t.Archive.Close()
	}
	if t.file != nil {
		t.file.close()
	}
}

// opened is Open for functions that close only what they open.
func (o Opener) opened(t Target) (Target, func(), error) {
	if t.Archive != nil || t.file != nil {
		return t, func() {}, nil
	}
	t, err := o.Open(t)
	return t, t.Close, err
}

// Bytes opens the file of a target, or its member as a file. A regular file is an *os.File. Closing it closes what the
// target has open.
func (o Opener) Bytes(t Target) (io.ReadCloser, error) {
	t, _, err := o.opened(t)
	if err != nil {
		return nil, err
	}
	if t.Archive != nil {
		return t.Archive.Stream(t.Member)
	}
	r, err := t.file.start()
	if f, ok := r.(*os.File); ok {
		return f, err
	}
	return struct {
		io.Reader
		io.Closer
	}{r, closer(t.file.close)}, err
}

// A closer is a function as an io.Closer.
type closer func()

// Close implements io.Closer.
func (c closer) Close() error {
	c()
	return nil
}

// OpenArchive opens a file that must be an archive.
func (o Opener) OpenArchive(path string) (*Archive, error) {
	t, err := o.Open(Target{Path: path})
	if err != nil {
		return nil, err
	}
	if t.Archive == nil {
		t.Close()
		return nil, errors.New("it is not an archive: it does not begin as one, and its name does not end in .npz")
	}
	return t.Archive, nil
}

// Each calls do for each target that the arguments name, with slice as its index, and for every member of an archive or
// those that match a pattern. Files are open while do runs. An error of a file goes to complain and the next target
// follows; any other error ends the run.
func (o Opener) Each(args []string, slice string, complain func(diagnose.FileError), do func(Target) error) error {
	for _, arg := range args {
		t, err := Parse(arg)
		if err != nil {
			return err
		}
		if t, err = t.WithSlice(slice); err != nil {
			return err
		}
		if err := o.expand(t, complain, do); err != nil {
			return err
		}
	}
	return nil
}

// expand calls do for a target, or for each of its members if it is a whole archive or a pattern.
func (o Opener) expand(t Target, complain func(diagnose.FileError), do func(Target) error) error {
	told := func(err error) error { return diagnose.Told(err, complain) }
	t, err := o.Open(t)
	if err != nil {
		return told(diagnose.Of(t.Path, err))
	}
	defer t.Close()
	if t.Archive == nil {
		err := do(t)
		for ok := err == nil && o.Several; ok && err == nil; {
			if t, ok = o.next(t); ok {
				err = do(t)
			}
		}
		return told(err)
	}
	pattern, t, err := t.CutPattern()
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name(), err)
	}
	if t.Member != "" && pattern == "" {
		if t, err = t.Resolve(); err != nil {
			return told(diagnose.Of(t.Path, err))
		}
		return told(do(t))
	}
	found := false
	for name, e := range t.Archive.Members() {
		if pattern != "" && !Matches(pattern, name) {
			continue
		}
		t.Member, t.Whole, found = name, true, true
		err := do(t)
		if errors.Is(err, format.ErrMagic) && !IsArrayName(e.Name) {
			o.Tell("%s: %s", t.Name(), NotArray(e))
			continue
		}
		if err := told(err); err != nil {
			return err
		}
	}
	if pattern != "" && !found {
		complain(diagnose.FileError{File: t.Path, Err: t.Archive.Unknown(pattern)})
	}
	return nil
}
