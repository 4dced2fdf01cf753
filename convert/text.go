package convert

import (
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy"
)

const byteOrderMark = "\ufeff"

// readText reads r to its end, without a byte order mark. Parsing works on a string because cells are then slices of
// it, which cost nothing.
func readText(r io.Reader, limit int64) (string, error) {
	var b strings.Builder
	piece := make([]byte, 64<<10)
	for {
		n, err := r.Read(piece)
		if b.Cap()-b.Len() < n {
			b.Grow(max(b.Len(), n)) // doubles: less copying than what append does for long texts
		}
		b.Write(piece[:n])
		if limit > 0 && int64(b.Len()) > limit {
			return "", fmt.Errorf("convert: text is over MaxBytes %d: %w", limit, npy.ErrLimit)
		}
		if err == io.EOF {
			return strings.TrimPrefix(b.String(), byteOrderMark), nil
		}
		if err != nil {
			return "", fmt.Errorf("convert: %w", err)
		}
	}
}

// An output collects text and passes it on in large pieces, or keeps it if there is no w.
type output struct {
	w   io.Writer
	buf []byte
}

// textWriter makes the Write of a converter whose text is collected in an output.
func textWriter(write func(*output, Content, WriteOptions) error) func(io.Writer, Content, WriteOptions) error {
	return func(w io.Writer, c Content, o WriteOptions) error {
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

// pass is called between elements, when buf may be emptied.
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
