package convert

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
)

const byteOrderMark = "\ufeff"

// readJSONText reads r to its end, without a byte order mark, or up to the first byte that JSON cannot contain.
// Stopping there rejects an endless text early. The text is a string so that slicing cells from it is free.
func readJSONText(r io.Reader, o ReadOptions) (string, error) {
	limit := o.MaxBytes
	if _, ok := r.(io.Seeker); limit == 0 && !(ok && isPlain(r)) {
		limit = DefaultMaxText
	}
	r = bounded.Progress(r)
	var b strings.Builder
	piece := make([]byte, 64<<10)
	for {
		n, err := r.Read(piece)
		if limit > 0 && int64(b.Len()+n) > limit {
			return "", bounded.Over("MaxBytes", limit, 0, "convert: text is over MaxBytes %d", limit)
		}
		if b.Cap()-b.Len() < n {
			b.Grow(max(b.Len(), n)) // doubles the buffer, which copies less than append does for long texts
		}
		if bad := slices.IndexFunc(piece[:n], isControl); bad >= 0 {
			n, err = bad+1, io.EOF
		}
		b.Write(piece[:n])
		if err == io.EOF {
			return strings.TrimPrefix(b.String(), byteOrderMark), nil
		}
		if err != nil {
			return "", fmt.Errorf("convert: %w", err)
		}
	}
}

// isControl reports whether c is a control character that JSON cannot contain, not even in a string.
func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

// An output collects text and writes it in large pieces, or keeps it if w is nil.
type output struct {
	w   io.Writer
	buf []byte
}

// textWriter returns the Write function of a converter whose text is collected in an output.
func textWriter(write func(*output, content, WriteOptions) error) func(context.Context, io.Writer, npy.Source, WriteOptions) error {
	return func(ctx context.Context, w io.Writer, src npy.Source, o WriteOptions) error {
		c, err := contentOf(ctx, src, o)
		if err != nil {
			return err
		}
		if err := checkVolume(c); err != nil {
			return err
		}
		out := &output{w: w}
		if err := write(out, c, o); err != nil {
			return err
		}
		return out.flush()
	}
}

const outputPiece = 64 << 10

// pass is called between elements, when the buffer may be written out.
func (o *output) pass() error {
	if len(o.buf) < outputPiece || o.w == nil {
		return nil
	}
	if err := o.flush(); err != nil {
		return &writeError{err}
	}
	return nil
}

func (o *output) flush() error {
	if len(o.buf) == 0 {
		return nil
	}
	_, err := o.w.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}
