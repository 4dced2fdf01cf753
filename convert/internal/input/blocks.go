package input

import (
	"bytes"
	"io"
	"strings"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/internal/bounded"
)

// BlockBytes is the length of a block of text, unless a single row is longer.
const BlockBytes = 64 << 10

// A Blocks splits the text of a table into blocks.
type Blocks struct {
	r     io.Reader
	Rules *Rules
	most  int64   // maximum bytes of a row
	Buf   []byte  // bytes read but not yet returned
	Back  []Block // blocks to return again, last first
	line  int
	begun bool
	End   bool
}

// NewBlocks returns the blocks of the text of r.
func NewBlocks(r io.Reader, rules *Rules, o options.Read) *Blocks {
	return &Blocks{r: r, Rules: rules, most: options.OrDefault(o.MaxRow, options.DefaultMaxRow), line: 1}
}

// Next returns the next block, and io.EOF after the last.
func (b *Blocks) Next() (Block, error) {
	if n := len(b.Back); n > 0 {
		t := b.Back[n-1]
		b.Back = b.Back[:n-1]
		return t, nil
	}
	for size := int64(BlockBytes); ; size *= 2 {
		if err := b.Fill(int(min(size-1, max(b.most, BlockBytes-1)) + 1)); err != nil {
			return Block{}, err
		}
		n := len(b.Buf)
		if !b.End {
			n = b.Rules.wholeRows(b.Buf)
		}
		if n > 0 {
			return b.take(n), nil
		}
		if b.End {
			return Block{}, io.EOF
		}
		if int64(len(b.Buf)) > b.most {
			return Block{}, &fault.Error{Line: b.line, Err: bounded.Over("MaxRow", b.most, len(b.Buf)-1, "a row of more than %d bytes is over MaxRow %d", len(b.Buf)-1, b.most)}
		}
	}
}

// Fill reads until buf has size bytes, or the text ends.
func (b *Blocks) Fill(size int) error {
	for !b.End && len(b.Buf) < size {
		if cap(b.Buf) < size {
			b.Buf = append(make([]byte, 0, size), b.Buf...)
		}
		n, err := b.r.Read(b.Buf[len(b.Buf):size])
		b.Buf = b.Buf[:len(b.Buf)+n]
		if !b.begun && (len(b.Buf) >= len(ByteOrderMark) || err != nil) {
			b.begun = true
			b.Buf = bytes.TrimPrefix(b.Buf, []byte(ByteOrderMark))
		}
		if err == io.EOF {
			b.End = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// SkipLines drops lines at the start of the text.
func (b *Blocks) SkipLines(n int) error {
	for n > 0 {
		if err := b.Fill(BlockBytes); err != nil {
			return err
		}
		at := 0
		for ; n > 0; n-- {
			i := bytes.IndexAny(b.Buf[at:], "\r\n")
			if i < 0 || b.Buf[at+i] == '\r' && at+i+1 == len(b.Buf) && !b.End { // perhaps half of "\r\n"
				break
			}
			at += i + 1
			if b.Buf[at-1] == '\r' && at < len(b.Buf) && b.Buf[at] == '\n' {
				at++
			}
			b.line++
		}
		if n > 0 && at == 0 {
			at = len(b.Buf)
			if at > 0 && b.Buf[at-1] == '\r' && !b.End {
				at--
			}
		}
		b.Buf = b.Buf[:copy(b.Buf, b.Buf[at:])]
		if b.End && len(b.Buf) == 0 {
			return nil
		}
	}
	return nil
}

func (b *Blocks) take(n int) Block {
	t := Block{Text: string(b.Buf[:n]), Line: b.line}
	b.Buf = b.Buf[:copy(b.Buf, b.Buf[n:])]
	b.line += countLines(t.Text)
	return t
}

// wholeRows returns the length of the rows in buf that are certainly complete, or 0. It stops looking for rows at
// invalid text: the code that reads the cells reports the error.
func (r *Rules) wholeRows(buf []byte) int {
	if r.lines {
		return bytes.LastIndexByte(buf, '\n') + 1
	}
	if !r.quotes || bytes.IndexByte(buf, '"') < 0 {
		return lastLine(buf)
	}
	s := NewScanner(Block{Text: string(buf), Line: 1}, r)
	whole := 0
	for s.More() {
		for last := false; !last; {
			var err error
			if _, last, err = s.Next(); err == ErrOpenQuote {
				return whole
			} else if err != nil {
				return len(buf)
			}
		}
		if s.Pos < len(buf) { // otherwise the row may continue, or end in half of "\r\n"
			whole = s.Pos
		}
	}
	return whole
}

// lastLine returns the length of the complete lines in buf.
func lastLine(buf []byte) int {
	if len(buf) == 0 {
		return 0
	}
	i := bytes.LastIndexByte(buf, '\n')
	if i < 0 {
		i = bytes.LastIndexByte(buf[:len(buf)-1], '\r') // the last byte may be half of "\r\n"
	}
	return i + 1
}

// NextFull returns the next block that contains a row.
func (b *Blocks) NextFull() (Block, error) {
	for {
		t, err := b.Next()
		if err != nil || !b.Rules.isBlank(t) {
			return t, err
		}
	}
}

// isBlank reports whether a block has no rows.
func (r *Rules) isBlank(b Block) bool {
	if strings.Trim(b.Text, "\r\n") != "" && !r.Spaces && r.comment == 0 {
		return false
	}
	return !NewScanner(b, r).More()
}

// ByteOrderMark is the byte order mark in UTF-8.
const ByteOrderMark = "\ufeff"
