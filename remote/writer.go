package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/par"
)

// A Writer writes a new file of a store: an io.WriteSeeker whose first part stays in memory until Close, so that a header can be
// written again at the end. So npy.NewRowWriter can write to it with npy.UnknownRows. The file appears as a
// whole when Close returns, or not at all. A Writer is for one goroutine.
type Writer struct {
	c     *client
	up    uploader
	ctx   context.Context
	id    string // "" before the second part
	first []byte // part 1
	rest  []byte // the newest part, after the parts that are being uploaded
	start int64  // the offset of rest
	next  int    // its number
	size  int64  // of all bytes
	pos   int64
	pipe  *par.Pipeline[partJob]
	err   error
	done  bool
}

// A partJob is a part to be uploaded.
type partJob struct {
	number int
	off    int64
	data   []byte
}

const uploaders = 4 // parts at the same time

// Create begins a new file at an s3, gs or az URL. Memory holds up to seven parts of [Options.PartSize]; after each 1,000
// parts the size doubles, except on R2, which wants equal parts. Call Abort in a defer: it does nothing after Close.
func Create(ctx context.Context, url string, o Options) (*Writer, error) {
	c, err := newClient(url, o)
	if err != nil {
		return nil, err
	}
	up, err := c.uploader()
	if err == nil && c.loc.local() {
		err = fmt.Errorf("not a URL: files of this machine are written by package npy: %w", errors.ErrUnsupported)
	}
	if err == nil && (c.loc.key == "" || strings.HasSuffix(c.loc.key, "/")) {
		err = errors.New("the URL names no file")
	}
	if err != nil {
		return nil, c.failed("write", err)
	}
	if c.o.PartSize == 0 {
		c.o.PartSize = basePart
	}
	c.o.PartSize = max(c.o.PartSize, minPart)
	w := &Writer{c: c, up: up, ctx: ctx, next: 2, start: c.o.PartSize}
	w.pipe = par.NewPipeline(ctx, uploaders, uploaders, func(_ int, j partJob) error {
		return up.part(ctx, w.id, j.number, j.off, j.data)
	}, func(partJob) error { return nil })
	return w, nil
}

// partSize returns the size of a part.
func (w *Writer) partSize(number int) int64 {
	if w.c.equalParts() {
		return w.c.o.PartSize
	}
	return w.c.o.PartSize << ((number - 1) / 1000)
}

// equalParts reports whether all parts but the last must have the same size.
func (c *client) equalParts() bool {
	return c.loc.store == s3 && strings.HasSuffix(c.loc.base.Hostname(), ".r2.cloudflarestorage.com")
}

var errWriterClosed = fmt.Errorf("the file was %w", closable.ErrClosed)

// Write writes at the position of the Writer: in the first part, or at the end.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.err == nil && w.done {
		return 0, w.c.failed("write", errWriterClosed)
	}
	for w.err == nil && len(p) > 0 {
		m, err := w.writeSome(p)
		if err != nil {
			w.err = w.c.failed("write", err)
			break
		}
		n, p = n+m, p[m:]
		w.pos += int64(m)
		w.size = max(w.size, w.pos)
	}
	return n, w.err
}

// writeSome writes the bytes of p that belong to one part.
func (w *Writer) writeSome(p []byte) (int, error) {
	if limit := w.c.o.PartSize; w.pos < limit {
		m := int(min(int64(len(p)), limit-w.pos))
		if end := int(w.pos) + m; end > len(w.first) {
			w.first = append(w.first, make([]byte, end-len(w.first))...)
		}
		return copy(w.first[w.pos:], p[:m]), nil
	}
	if w.pos != w.size {
		return 0, fmt.Errorf("byte %d is in a part that was uploaded: only the first %d bytes can be written again", w.pos, w.c.o.PartSize)
	}
	room := w.partSize(w.next) - int64(len(w.rest))
	if room == 0 {
		if err := w.flush(); err != nil {
			return 0, err
		}
		room = w.partSize(w.next)
	}
	m := int(min(int64(len(p)), room))
	w.rest = append(w.rest, p[:m]...)
	return m, nil
}

// flush uploads the newest part.
func (w *Writer) flush() (err error) {
	if w.next > mostParts {
		return fmt.Errorf("more than %d parts: set a larger Options.PartSize", mostParts)
	}
	if w.id == "" {
		if w.id, err = w.up.begin(w.ctx); err != nil {
			return err
		}
	}
	if err := w.pipe.Push(partJob{w.next, w.start, w.rest}); err != nil {
		return err
	}
	w.start += int64(len(w.rest))
	w.rest = nil // the goroutine has it
	w.next++
	return nil
}

// Seek sets the position: within the first part, or at the end.
func (w *Writer) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += w.pos
	case io.SeekEnd:
		offset += w.size
	}
	if offset < 0 || offset > w.size {
		return 0, w.c.failed("write", fmt.Errorf("cannot seek to byte %d of %d", offset, w.size))
	}
	w.pos = offset
	return offset, nil
}

// Close completes the file. After an error of any method there is no new file, and an old one is unchanged. With
// [Options.IfAbsent] the error wraps fs.ErrExist if the file exists.
func (w *Writer) Close() error {
	if w.done {
		return w.err
	}
	w.done = true
	if w.err == nil {
		if err := w.complete(); err != nil {
			w.err = w.c.failed("write", err)
		}
	}
	if w.err != nil {
		w.discard()
	}
	return w.err
}

func (w *Writer) complete() error {
	if w.next == 2 && len(w.rest) == 0 {
		before := w.c.count.retries.Load()
		err := w.up.put(w.ctx, w.first)
		if errors.Is(err, fs.ErrExist) && w.c.count.retries.Load() > before && w.isStored() {
			return nil // the first request did it, and its answer was lost
		}
		return err
	}
	n := w.next - 1
	if len(w.rest) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
		n++
	}
	if err := w.pipe.Push(partJob{1, 0, w.first}); err != nil {
		return err
	}
	if err := w.pipe.Drain(); err != nil {
		return err
	}
	return w.up.commit(w.ctx, w.id, n)
}

// isStored reports whether the file has the bytes of the only part.
func (w *Writer) isStored() bool {
	f, err := openClient(w.ctx, w.c)
	if err != nil {
		return false
	}
	defer f.Close()
	if f.Size() != int64(len(w.first)) {
		return false
	}
	data := make([]byte, len(w.first))
	_, err = f.ReadAt(data, 0)
	return err == nil && bytes.Equal(data, w.first)
}

// Abort gives up, and removes the uploaded parts. After Close it does nothing.
func (w *Writer) Abort() {
	if !w.done {
		w.done, w.err = true, w.c.failed("write", closable.ErrAborted)
		w.discard()
	}
}

// discard removes the parts. The context of the Writer may have ended, which is why it has another.
func (w *Writer) discard() {
	w.pipe.Drop()
	w.first, w.rest = nil, nil
	if w.id != "" {
		ctx := context.WithoutCancel(w.ctx)
		if w.ctx.Err() != nil {
			w.c.o.Timeout, w.c.o.Retries = abortTimeout, 1
		}
		_ = w.up.abort(ctx, w.id) // the upload is listed by the store, and ends by its rules
	}
}

// Stats returns the number of requests and bytes of answers so far.
func (w *Writer) Stats() Stats { return w.c.count.stats() }
