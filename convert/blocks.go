package convert

import (
	"bytes"
	"io"
	"strings"

	"github.com/npygo/npy/internal/bounded"
)

// blockBytes is the length of a block of text, unless a single row is longer.
const blockBytes = 64 << 10

// A block is a piece of a text that consists of whole rows.
type block struct {
	text string
	line int // the number of its first line, from 1
}

// A blockReader splits the text of a table into blocks.
type blockReader struct {
	r     io.Reader
	rules *rules
	most  int64   // maximum bytes of a row
	buf   []byte  // bytes read but not yet returned
	back  []block // blocks to return again, last first
	line  int
	begun bool
	end   bool
}

func newBlockReader(r io.Reader, rules *rules, o ReadOptions) *blockReader {
	return &blockReader{r: r, rules: rules, most: orDefault(o.MaxRow, DefaultMaxRow), line: 1}
}

// next returns the next block, and io.EOF after the last.
func (b *blockReader) next() (block, error) {
	if n := len(b.back); n > 0 {
		t := b.back[n-1]
		b.back = b.back[:n-1]
		return t, nil
	}
	for size := int64(blockBytes); ; size *= 2 {
		if err := b.fill(int(min(size-1, max(b.most, blockBytes-1)) + 1)); err != nil {
			return block{}, err
		}
		n := len(b.buf)
		if !b.end {
			n = b.rules.wholeRows(b.buf)
		}
		if n > 0 {
			return b.take(n), nil
		}
		if b.end {
			return block{}, io.EOF
		}
		if int64(len(b.buf)) > b.most {
			return block{}, &Error{Line: b.line, Err: bounded.Over("MaxRow", b.most, len(b.buf)-1, "a row of more than %d bytes is over MaxRow %d", len(b.buf)-1, b.most)}
		}
	}
}

// fill reads until buf has size bytes, or the text ends.
func (b *blockReader) fill(size int) error {
	for !b.end && len(b.buf) < size {
		if cap(b.buf) < size {
			b.buf = append(make([]byte, 0, size), b.buf...)
		}
		n, err := b.r.Read(b.buf[len(b.buf):size])
		b.buf = b.buf[:len(b.buf)+n]
		if !b.begun && (len(b.buf) >= len(byteOrderMark) || err != nil) {
			b.begun = true
			b.buf = bytes.TrimPrefix(b.buf, []byte(byteOrderMark))
		}
		if err == io.EOF {
			b.end = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// skipLines drops lines at the start of the text.
func (b *blockReader) skipLines(n int) error {
	for n > 0 {
		if err := b.fill(blockBytes); err != nil {
			return err
		}
		at := 0
		for ; n > 0; n-- {
			i := bytes.IndexAny(b.buf[at:], "\r\n")
			if i < 0 || b.buf[at+i] == '\r' && at+i+1 == len(b.buf) && !b.end { // perhaps half of "\r\n"
				break
			}
			at += i + 1
			if b.buf[at-1] == '\r' && at < len(b.buf) && b.buf[at] == '\n' {
				at++
			}
			b.line++
		}
		if n > 0 && at == 0 {
			at = len(b.buf)
			if at > 0 && b.buf[at-1] == '\r' && !b.end {
				at--
			}
		}
		b.buf = b.buf[:copy(b.buf, b.buf[at:])]
		if b.end && len(b.buf) == 0 {
			return nil
		}
	}
	return nil
}

func (b *blockReader) take(n int) block {
	t := block{string(b.buf[:n]), b.line}
	b.buf = b.buf[:copy(b.buf, b.buf[n:])]
	b.line += countLines(t.text)
	return t
}

// wholeRows returns the length of the rows in buf that are certainly complete, or 0. It stops looking for rows at
// invalid text: the code that reads the cells reports the error.
func (r *rules) wholeRows(buf []byte) int {
	if r.lines {
		return bytes.LastIndexByte(buf, '\n') + 1
	}
	if !r.quotes || bytes.IndexByte(buf, '"') < 0 {
		return lastLine(buf)
	}
	s := newCellScanner(block{string(buf), 1}, r)
	whole := 0
	for s.more() {
		for last := false; !last; {
			var err error
			if _, last, err = s.next(); err == errOpenQuote {
				return whole
			} else if err != nil {
				return len(buf)
			}
		}
		if s.pos < len(buf) { // otherwise the row may continue, or end in half of "\r\n"
			whole = s.pos
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

// nextFull returns the next block that contains a row.
func (b *blockReader) nextFull() (block, error) {
	for {
		t, err := b.next()
		if err != nil || !b.rules.isBlank(t) {
			return t, err
		}
	}
}

const roundBytes = roundPieces * blockBytes

// rounds calls do with all blocks, in rounds of enough blocks for all processors. It stops at the first error of do.
func (b *blockReader) rounds(do func(round []block, bytes int) error) error {
	var round []block
	bytes := 0
	for {
		t, end := b.next()
		if end == nil {
			round = append(round, t)
			bytes += len(t.text)
		}
		if bytes >= roundBytes || len(round) == roundPieces || end != nil && len(round) > 0 {
			if err := do(round, bytes); err != nil {
				return err
			}
			round, bytes = round[:0], 0
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// isBlank reports whether a block has no rows.
func (r *rules) isBlank(b block) bool {
	if strings.Trim(b.text, "\r\n") != "" && !r.spaces && r.comment == 0 {
		return false
	}
	return !newCellScanner(b, r).more()
}
