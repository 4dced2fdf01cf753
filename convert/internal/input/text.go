package input

import (
	"context"
	"io"
	"os"

	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// A Text is an io.Reader of a text or an image that ends with a context, fails after MaxBytes and reports progress. Its errors
// are errors of package convert.
type Text struct {
	ctx      context.Context
	r        io.Reader
	limit    int64 // on the whole text; 0 or less means none
	length   int64 // bytes read in this pass
	done     int64 // bytes read in all passes
	total    int64 // bytes of all passes; -1 if unknown
	progress func(done, total int64)
}

// NewText returns a reader of r.
func NewText(ctx context.Context, r io.Reader, o options.Read) *Text {
	t := &Text{ctx: ctx, r: bounded.Progress(r), limit: o.MaxBytes, total: -1, progress: o.Progress}
	if seeker, ok := r.(io.Seeker); ok && o.Progress != nil && IsSeekable(r) {
		t.total = rest(seeker)
	}
	return t
}

// rest returns the number of bytes from the current offset to the end, or -1 if it is unknown.
func rest(s io.Seeker) int64 {
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	end, err := s.Seek(0, io.SeekEnd)
	if _, back := s.Seek(at, io.SeekStart); err != nil || back != nil {
		return -1
	}
	return max(end-at, 0)
}

// Read implements io.Reader.
func (t *Text) Read(p []byte) (int, error) {
	if t.ctx.Err() != nil {
		return 0, context.Cause(t.ctx)
	}
	n, err := t.r.Read(p)
	t.length += int64(n)
	t.done += int64(n)
	switch {
	case t.limit > 0 && t.length > t.limit:
		return 0, diag.Wrap("convert", bounded.Over("MaxBytes", t.limit, 0, "text is over MaxBytes %d", t.limit))
	case t.progress != nil && n > 0:
		t.progress(t.done, t.total)
	}
	if err != nil && err != io.EOF {
		err = diag.Wrap("convert", err)
	}
	return n, err
}

// IsSeekable reports whether a reader with a Seek method can really seek. Terminals claim to but cannot.
func IsSeekable(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}
