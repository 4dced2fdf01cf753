package output

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
)

// An Output collects text and writes it in large pieces, or keeps it if w is nil.
type Output struct {
	w   io.Writer
	Buf []byte
}

// WriteText writes the text of src, which write collects in an output.
func WriteText(ctx context.Context, w io.Writer, src npy.Source, o options.Write, write func(*Output, Content, options.Write) error) error {
	c, err := ContentOf(ctx, src, o)
	if err != nil {
		return err
	}
	if err := checkVolume(c); err != nil {
		return err
	}
	out := &Output{w: w}
	if err := write(out, c, o); err != nil {
		return err
	}
	return out.flush()
}

const outputPiece = 64 << 10

// Pass is called between elements, when the buffer may be written out.
func (o *Output) Pass() error {
	if len(o.Buf) < outputPiece || o.w == nil {
		return nil
	}
	if err := o.flush(); err != nil {
		return &writeError{err}
	}
	return nil
}

func (o *Output) flush() error {
	if len(o.Buf) == 0 {
		return nil
	}
	_, err := o.w.Write(o.Buf)
	o.Buf = o.Buf[:0]
	return err
}
