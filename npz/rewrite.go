package npz

import (
	"errors"
	"io"
	"io/fs"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/zipfile"
)

// Rewrite writes all members of z to a new archive with the settings of e: to compress stored members, to store
// members for mapping, or to align them. path may be the path of the archive of z, but not on Windows, where an open
// file cannot be replaced, and an edit at the same time is lost: [Editor.Recompress] is for this. Rewrite goes member by member and holds a few megabytes. Members with a method that the
// [Decoder] of z does not know are copied unchanged.
//
// progress, unless nil, is called after about every megabyte with the number of bytes of all members written so far.
func (e Encoder) Rewrite(path string, z *Reader, progress func(done, total int64)) error {
	if err := z.r.Check(); err != nil {
		return diag.Errorf("npz", "archive to rewrite %w", err)
	}
	w, err := e.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	w.comment = z.dir.Comment
	p := &progressReader{report: progress}
	for i := range z.dir.Entries {
		p.total += z.dir.Entries[i].Size
	}
	for i := range z.dir.Entries {
		if err := w.rewrite(z, &z.dir.Entries[i], z.dir.Entries[i].Name, p); err != nil {
			return &fs.PathError{Op: "write", Path: path, Err: err}
		}
	}
	return w.Close()
}

// Recompress makes every member that [Edit] would copy be written with the settings of the edit, as [Encoder.Rewrite] does, which
// describes progress. The members are read with the limits of d.
func (ed *Editor) Recompress(d Decoder, progress func(done, total int64)) error {
	if ed.done {
		return errDone
	}
	info, err := ed.file.Stat()
	if err != nil {
		return err
	}
	z, err := d.NewReader(ed.file, info.Size())
	if err != nil {
		return err
	}
	p := &progressReader{report: progress}
	for _, s := range ed.slots {
		if s.write != nil || s.deleted {
			continue
		}
		p.total += s.old.Size
		s.write = func(w *Writer, name string) error { return w.rewrite(z, s.old, name, p) }
	}
	ed.changed = true
	return nil
}

// rewrite adds a member of z under a name.
func (w *Writer) rewrite(z *Reader, e *zipfile.Entry, name string, p *progressReader) error {
	r, err := z.openEntry(e)
	if errors.Is(err, errors.ErrUnsupported) {
		p.add(e.Size)
		renamed := *e
		renamed.Rename(name)
		return w.copyNew(renamed, *e, z.r)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	p.r = r
	return w.AddFrom(name, p)
}

// copyNew copies a member of another archive, unless a member of its new name exists.
func (w *Writer) copyNew(e, old zipfile.Entry, from io.ReaderAt) error {
	if _, err := w.entry(e.Name); err != nil {
		return err
	}
	return w.copy(e, old, from)
}

// A progressReader counts the bytes that are read.
type progressReader struct {
	r           io.Reader
	done, total int64
	told        int64 // done at the last call of progress
	report      func(done, total int64)
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.add(int64(n))
	return n, err
}

func (p *progressReader) add(n int64) {
	const step = 1 << 20
	p.done += n
	if p.report != nil && (p.done-p.told >= step || p.done == p.total) && p.done > p.told {
		p.told = p.done
		p.report(p.done, p.total)
	}
}
