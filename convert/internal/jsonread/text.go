package jsonread

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
)

// Read reads a JSON text, which it holds in memory.
func Read(ctx context.Context, to arrays.Sink, r io.Reader, o options.Read) (options.Report, error) {
	text, err := readJSONText(ctx, r, o)
	if err != nil {
		return options.Report{}, err
	}
	report := options.Report{Inferred: !o.DType.IsValid()}
	a, err := parseJSON(ctx, text, o, &report)
	if err != nil {
		return options.Report{}, err
	}
	return report, to.Array(a)
}

// readJSONText reads r to its end, without a byte order mark, or up to the first byte that JSON cannot contain.
// Stopping there rejects an endless text early. The text is a string so that slicing cells from it is free.
func readJSONText(ctx context.Context, r io.Reader, o options.Read) (string, error) {
	if _, ok := r.(io.Seeker); o.MaxBytes == 0 && !(ok && input.IsSeekable(r)) {
		o.MaxBytes = options.DefaultMaxText
	}
	in := input.NewText(ctx, r, o)
	var b strings.Builder
	piece := make([]byte, 64<<10)
	for {
		n, err := in.Read(piece)
		if b.Cap()-b.Len() < n {
			b.Grow(max(b.Len(), n)) // doubles the buffer, which copies less than append does for long texts
		}
		if bad := slices.IndexFunc(piece[:n], isControl); bad >= 0 {
			n, err = bad+1, io.EOF
		}
		b.Write(piece[:n])
		if err == io.EOF {
			return strings.TrimPrefix(b.String(), input.ByteOrderMark), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// isControl reports whether c is a control character that JSON cannot contain, not even in a string.
func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }
