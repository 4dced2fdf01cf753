package convert

import (
	"context"
	"slices"

	"github.com/npygo/npy/internal/par"
)

// filledBytes limits the part of the array made from one block at a time, since elements may be much longer than their
// texts.
const filledBytes = 1 << 20

// A filler parses the rows of a table on all processors and passes them to a sink in order.
type filler struct {
	*table
	to      Sink
	targets []target
	same    bool // all columns have the same target
	size    int  // bytes per row
	rows    int  // rows passed to the sink
	filled  []filled
}

// A filled is a block whose rows are being parsed.
type filled struct {
	*filler
	cells   *cellScanner
	data    []byte
	rows    int
	missing int
	err     error
	done    bool
}

// round parses a round of blocks.
func (f *filler) round(round []block, bytes int) error {
	f.filled = slices.Grow(f.filled, len(round))[:max(len(f.filled), len(round))]
	err := par.Split(context.Background(), len(round), 1, textCost*bytes, func(low, high int) error {
		for i := low; i < high; i++ {
			p := &f.filled[i]
			*p = filled{filler: f, cells: newCellScanner(round[i], f.rules), data: p.data}
			p.parse()
		}
		return nil
	})
	for i := range round {
		if err == nil {
			err = f.give(&f.filled[i])
		}
	}
	return err
}

// give passes the parsed rows of a block to the sink, and parses the rest of the block.
func (f *filler) give(p *filled) error {
	for {
		if err := f.to.Write(p.data); err != nil {
			return err
		}
		f.rows += p.rows
		f.report.Missing += p.missing
		if p.err != nil || p.done {
			return p.err
		}
		p.parse()
	}
}

// parse parses rows until the buffer is full.
func (p *filled) parse() {
	p.data, p.rows, p.missing = p.data[:0], 0, 0
	for len(p.data) == 0 || len(p.data)+p.size <= filledBytes {
		if !p.cells.more() {
			p.done = true
			return
		}
		at := len(p.data)
		p.data = slices.Grow(p.data, p.size)[:at+p.size]
		clear(p.data[at:])
		if p.err = p.row(p.data[at:]); p.err != nil {
			p.data = p.data[:at]
			return
		}
		p.rows++
		if p.size == 0 && p.rows%filledBytes == 0 {
			return
		}
	}
}

// row parses the cells of a row.
func (p *filled) row(item []byte) error {
	line := p.cells.end
	n := 0
	for last := false; !last; n++ {
		cell, end, err := p.cells.next()
		if err == nil && n < len(p.first) {
			err = p.put(item, n, cell)
			if err != nil && p.headless() {
				err = p.hint(err)
			}
		}
		if err != nil {
			return &Error{Line: p.cells.line, Column: n + 1, Err: err}
		}
		last = end
	}
	if n != len(p.first) {
		return p.ragged(line, n)
	}
	return nil
}

// headless reports whether the row is the first of the text.
func (p *filled) headless() bool { return p.filler.rows+p.rows == 0 && p.cells.line == p.first[0].line }

// put parses cell n of a row.
func (p *filled) put(item []byte, n int, cell string) error {
	to := &p.targets[0]
	if p.same {
		item = item[n*to.end:]
	} else {
		to = &p.targets[n]
	}
	if !to.isText {
		if cell != "" && (isSpace(cell[0]) || isSpace(cell[len(cell)-1])) {
			cell = trim(cell)
		}
		if cell == "" && to.missing {
			p.missing++
		}
	}
	return to.parse(item[to.offset:to.end:to.end], cell)
}
