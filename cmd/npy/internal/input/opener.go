package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/query"
)

// An Opener opens targets.
type Opener struct {
	Stdin    *Stdin
	URLs     *urls.Client        // opens URLs
	Array    npy.Decoder         // reads arrays; it refuses Python objects if Objects is nil
	Limits   limits.Limits       // of everything else that is read
	Text     convert.ReadOptions // the limits of text, and its dtype if that is known
	From     convert.Format      // of all files of text, or "" to take each by the ending of its name
	Several  bool                // Each also visits the arrays after the first in a file, and in a stream that is read to their ends
	Headers  bool                // only headers are read, so that the arrays after the first in a stream are not found
	Lasting  bool                // files are read again and again, as long as the program runs: limits hold for each read alone
	Raw      bool                // files are bytes without a format: compressed ones are not decompressed
	Progress *terminal.Progress  // shows how much of a file has been read; nil for none

	Links bool // parts of manifests and stacks may be links that lead out of their folder

	Concat *Concat // joins the files of a pattern, and the files given to Each; nil for none

	Lines *Lines // keeps the lines of tables of text; nil to keep none
	Needs *Needs // the fields of tables of text that are used; nil for all

	Scale bool               // packed values of containers are unpacked by their attributes: scale_factor, add_offset, _FillValue
	Set   []query.Assignment // the columns that are computed, before Where
	Where string             // the condition that rows must satisfy; "" for all rows
	// Found gets the number of rows that satisfy it, and of all rows. It may be nil.
	Found func(n, of int)

	// Temporary registers a function that removes a temporary file, to be called if the command is interrupted before done
	// is called.
	Temporary func(remove func()) (done func())
	// Watch returns f and shows how much of it has been read.
	Watch func(f io.ReadCloser, name string, size int64) io.ReadCloser
	// Tell prints messages that are not errors: types inferred from text, members that are not arrays.
	Tell func(format string, args ...any)
}

// Open opens the file of a target. The result must be closed. A file with several arrays is a Container; then Member and
// Index name one of its arrays, a group or a pattern.
func (o Opener) Open(t Target) (Target, error) {
	if t.Container != nil || t.file != nil {
		return t, nil
	}
	if joined, ok, err := o.openJoined(t); ok || err != nil {
		return joined, err
	}
	t, f, head, err := o.open(t)
	if err != nil {
		return t, err
	}
	o.Array.Objects = Target{file: f}.Packed(o.Array.Objects)
	if o.isManifest(f, head, t.Path) {
		return o.openManifest(t, f)
	}
	if kind, ok := o.formatOf(f, head, t.Path); ok {
		if t.Container, err = o.newContainer(f, kind, t.Path); err != nil {
			f.close()
			return t, err
		}
		return t.indexMember()
	}
	if t.Member != "" {
		f.close()
		return t, fmt.Errorf("the file is one array, and has no member %q", t.Member)
	}
	t.file = f
	return t, nil
}

// HasSeveral reports whether a file has several arrays, by its content.
func (o Opener) HasSeveral(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, head, err := o.openFile(Target{Path: path})
	if err != nil {
		return false
	}
	defer f.close()
	_, ok := o.formatOf(f, head, "")
	return ok
}

// Close closes the files that Open has opened.
func (t Target) Close() {
	if t.Container != nil {
		t.Container.Close()
	}
	if t.file != nil {
		t.file.close()
	}
}

// opened is Open for functions that close only files that they open.
func (o Opener) opened(t Target) (Target, func(), error) {
	if t.Container != nil || t.file != nil {
		return t, func() {}, nil
	}
	t, err := o.Open(t)
	return t, t.Close, err
}

// Bytes opens the file of a target, or the member of an archive, or another array as an .npy file. A regular file can be
// read at any offset. Closing it closes the files of the target.
func (o Opener) Bytes(ctx context.Context, t Target) (io.ReadCloser, error) {
	t, _, err := o.opened(t)
	if err != nil {
		return nil, err
	}
	if t.Container != nil {
		return t.Container.Stream(ctx, t.Member)
	}
	if t.file.joined != nil {
		return encode(ctx, t.file.joined), nil
	}
	r, err := t.file.start()
	if f, ok := r.(regular); ok {
		return f, err
	}
	return &stream{r, closer(t.file.close), t.file.compressed != nil}, err
}

// A closer is a function as an io.Closer.
type closer func()

// Close implements io.Closer.
func (c closer) Close() error {
	c()
	return nil
}

// OpenSeveral is [Opener.Open] for files that must have several arrays.
func (o Opener) OpenSeveral(t Target) (Target, error) {
	t, err := o.Open(t)
	if err == nil && t.Container == nil {
		t.Close()
		err = fmt.Errorf("it is not an archive, nor another file with several arrays (%s)", strings.Join(FormatEndings(false), " "))
	}
	return t, err
}

// OpenContainer opens a file that must have several arrays.
func (o Opener) OpenContainer(path string) (*Container, error) {
	t, err := o.OpenSeveral(targetOf(path))
	return t.Container, err
}

// OpenArchive opens a file that must be an archive.
func (o Opener) OpenArchive(path string) (*Container, error) {
	t, err := o.Open(targetOf(path))
	if err != nil {
		return nil, err
	}
	if t.Container == nil {
		t.Close()
		return nil, errors.New("it is not an archive: it does not begin as one, and its name does not end in .npz")
	}
	if err := t.Container.needNPZ(); err != nil {
		t.Close()
		return nil, err
	}
	return t.Container, nil
}

// Each calls do for each target that the arguments name, with slice as its index, and for every array of a container, a
// group or a pattern. Files are open while do runs. An error of a file goes to complain and the next target follows; any
// other error ends the run.
func (o Opener) Each(args []string, slice string, complain func(diagnose.FileError), do func(Target) error) error {
	if o.Concat != nil && len(args) > 1 {
		t, err := Target{}.WithSlice(slice)
		if err != nil {
			return err
		}
		if t, err = o.OpenJoined(t, args); err != nil {
			return diagnose.Told(diagnose.Of(t.Path, err), complain)
		}
		return o.expand(t, complain, do)
	}
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

// expand calls do for a target, or for each of its arrays if it is a whole container, a group or a pattern.
func (o Opener) expand(t Target, complain func(diagnose.FileError), do func(Target) error) error {
	told := func(err error) error { return diagnose.Told(err, complain) }
	t, err := o.Open(t)
	if err != nil {
		return told(diagnose.Of(t.Path, err))
	}
	defer t.Close()
	if t.Container == nil {
		err := do(t)
		for ok := err == nil && o.Several; ok && err == nil; {
			if t, ok = o.next(t); ok {
				err = do(t)
			}
		}
		return told(err)
	}
	s, t, one, err := t.Select()
	switch {
	case err != nil && !one:
		return fmt.Errorf("%s: %w", t.Name(), err)
	case err != nil:
		return told(diagnose.Of(t.Path, err))
	case one:
		return told(do(t))
	}
	found := false
	for name := range t.Container.paths() {
		if !s.Has(name) {
			continue
		}
		t.Member, t.Whole, found = name, true, true
		err := do(t)
		if what := t.Container.NotArray(name); what != "" && errors.Is(err, format.ErrMagic) {
			o.Tell("%s: %s", t.Name(), what)
			continue
		}
		if err := told(err); err != nil {
			return err
		}
	}
	if !s.All() && !found {
		complain(diagnose.FileError{File: t.Path, Err: t.Container.Unknown(s.String())})
	}
	return nil
}
