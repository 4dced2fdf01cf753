package jsonread

import (
	"cmp"
	"context"
	"hash/maphash"
	"io"
	"strings"

	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/elem"
)

// An ndjsonReader reads lines of JSON in two passes, a block at a time.
type ndjsonReader struct {
	*jsonReader
	in    *input.Spool
	root  *node // of all lines
	bytes int   // of the text

	options options.Read

	// The second pass relies on the checks of the first, so both must see the same text.
	seed maphash.Seed
	sums []uint64 // of the blocks
}

// ReadLines reads NDJSON.
func ReadLines(ctx context.Context, to arrays.Sink, text io.Reader, o options.Read) (report options.Report, err error) {
	report.Inferred = !o.DType.IsValid()
	r := &ndjsonReader{jsonReader: newJSONReader(ctx, o, &report), in: input.NewSpool(ctx, text, o, false), options: o, seed: maphash.MakeSeed()}
	defer func() { err = cmp.Or(err, r.in.Close()) }()
	r.root = &node{kind: listNode, item: newNode()}
	lines, err := r.eachLine(r.note, func() error { return r.survey(r.root.item) })
	if err != nil {
		return report, err
	}
	r.root.length = lines
	item, shape := r.root.axes()
	t, c, err := r.dtype(item, shape, r.bytes)
	if err != nil {
		return report, blameNumber(c, err, func() (int, error) { return r.lineOf(c.At) })
	}
	if err := r.root.lay(t, shape, r.texts); err != nil {
		return report, err
	}
	if err := to.Begin(t, shape); err != nil {
		return report, err
	}
	return report, r.fillLines(to)
}

// fillLines is the second pass.
func (r *ndjsonReader) fillLines(to arrays.Sink) error {
	if err := r.in.Rewind(); err != nil {
		return err
	}
	size := r.root.stride
	full := make([]byte, 0, max(min(arrays.Piece, elem.Saturate(size, r.root.length, 0)), size))
	_, err := r.eachLine(r.check, func() error {
		if len(full)+size > cap(full) {
			if err := to.Write(full); err != nil {
				return err
			}
			full = full[:0]
		}
		full = full[:len(full)+size]
		r.data = full[len(full)-size:]
		clear(r.data)
		return r.fill(r.root.item, 0)
	})
	if err == nil && len(r.sums) > 0 {
		err = input.ErrChanged
	}
	if err != nil {
		return err
	}
	return to.Write(full)
}

// note records the checksum of a block.
func (r *ndjsonReader) note() error {
	r.bytes += len(r.Text)
	r.sums = append(r.sums, maphash.String(r.seed, r.Text))
	return nil
}

// check verifies that a block is unchanged since the first pass.
func (r *ndjsonReader) check() error {
	if len(r.sums) == 0 || r.sums[0] != maphash.String(r.seed, r.Text) {
		return input.ErrChanged
	}
	r.sums = r.sums[1:]
	return nil
}

// eachLine calls first with each block, and do for the value on each line of the block. It returns the number of lines.
func (r *ndjsonReader) eachLine(first, do func() error) (n int, err error) {
	err = r.eachBlock(func() error {
		if err := first(); err != nil {
			return err
		}
		n, err = r.block(n, do)
		return err
	})
	return n, err
}

// eachBlock calls do with each block of the text in r.
func (r *ndjsonReader) eachBlock(do func() error) error {
	b := input.NewBlocks(r.in, input.LineRules(), r.options)
	r.offset, r.lines = 0, 0
	for {
		block, err := b.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r.Text = block.Text
		if err := do(); err != nil {
			return err
		}
		r.offset += len(r.Text)
		r.lines += strings.Count(r.Text, "\n")
	}
}

// block calls do for each line of a block. n is the number of earlier lines.
func (r *ndjsonReader) block(n int, do func() error) (int, error) {
	for start := 0; start < len(r.Text); start = r.End + 1 {
		r.Pos, r.End = start, len(r.Text)
		if i := strings.IndexByte(r.Text[start:], '\n'); i >= 0 {
			r.End = start + i
		}
		if r.Peek(); r.Pos == r.End { // a blank line
			continue
		}
		err := do()
		if err == nil {
			if r.Peek(); r.Pos < r.End {
				err = r.Fail(r.Pos, "more than one value on a line")
			}
		}
		if err != nil {
			return n, within(err, indexStep(n))
		}
		n++
	}
	return n, nil
}

// lineOf returns the line of a byte offset in the text.
func (r *ndjsonReader) lineOf(offset int) (int, error) {
	if err := r.in.Rewind(); err != nil {
		return 0, err
	}
	line := 1
	err := r.eachBlock(func() error {
		line += strings.Count(r.Text[:min(max(offset-r.offset, 0), len(r.Text))], "\n")
		return nil
	})
	return line, err
}
