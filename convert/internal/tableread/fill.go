package tableread

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/scalar"
)

// A filler parses the rows of a table on all processors and passes them to a sink in order.
type filler struct {
	*table
	to      arrays.Sink
	targets []target
	same    bool // all columns have the same target
	size    int  // bytes per row
	line    int  // where the text of a row is within its bytes, if the report has Lines
	rows    int  // rows passed to the sink
}

// A filled is a block whose rows are being parsed.
type filled struct {
	*filler
	scan    *input.Scanner
	left    string // kept cells, in place of scan
	data    []byte
	rows    int
	missing int
	skipped int
	err     error
	done    bool
}

// fill fills the sink with the rows of b.
func (f *filler) fill(b *input.Blocks) error {
	return input.Each(f.ctx, b.Next, f.options, func(p *filled, b input.Block) error {
		*p = filled{filler: f, scan: input.NewScanner(b, f.Rules), data: p.data}
		p.parse()
		return nil
	}, func(p *filled, _ input.Block) error { return f.give(p) })
}

// give passes the parsed rows of a block to the sink, and parses the rest of the block.
func (f *filler) give(p *filled) error {
	for {
		left := math.MaxInt
		if most := f.options.Rows; most > 0 {
			left = most - f.rows
		}
		if p.rows >= left {
			p.data, p.rows, p.err = p.data[:left*f.size], left, input.ErrEnough
		}
		if err := f.to.Write(p.data); err != nil {
			return err
		}
		f.rows += p.rows
		f.report.Missing += p.missing
		f.report.Skipped += p.skipped
		if p.err != nil || p.done {
			return p.err
		}
		p.parse()
	}
}

// parse parses rows until the buffer is full.
func (p *filled) parse() {
	p.data, p.rows, p.missing, p.skipped = p.data[:0], 0, 0, 0
	for (len(p.data) == 0 || len(p.data)+p.size <= arrays.Piece) && (p.options.Rows <= 0 || p.rows < p.options.Rows) {
		if !p.more() {
			p.done = true
			return
		}
		at := len(p.data)
		p.data = slices.Grow(p.data, p.size)[:at+p.size]
		clear(p.data[at:])
		if p.err = p.row(p.data[at:]); p.err != nil {
			p.data = p.data[:at]
			if p.err == errSkip {
				p.err = nil
				continue
			}
			return
		}
		p.rows++
		if p.size == 0 && p.rows%arrays.Piece == 0 {
			return
		}
	}
}

// more reports whether another row follows.
func (p *filled) more() bool {
	if p.scan == nil {
		return p.left != ""
	}
	return p.scan.More()
}

// row parses the cells of a row.
func (p *filled) row(item []byte) error {
	if p.scan == nil {
		return p.keptRow(item)
	}
	if p.options.Table.Ragged == options.RaggedSkip {
		if skip, err := p.skips(p.scan); skip || err != nil {
			p.skipped++
			return cmp.Or(err, errSkip)
		}
	}
	line, begin := p.scan.End, p.scan.Pos
	n, err := p.cellsOf(item)
	if err != nil {
		return err
	}
	if n < len(p.first) && p.options.Table.Ragged == options.RaggedFill {
		for ; n < len(p.first); n++ {
			if err := p.put(item, n, ""); err != nil {
				return &fault.Error{Line: line, Column: n + 1, Err: err}
			}
		}
	}
	if n != len(p.first) {
		return p.ragged(line, n)
	}
	if p.report.Lines != nil {
		putLine(item[p.line:], p.scan.Since(begin))
	}
	return nil
}

// cellsOf parses the cells of a row, as far as there are columns for them. It returns their number, without one after a trailing
// delimiter.
func (p *filled) cellsOf(item []byte) (n int, err error) {
	begin := p.scan.Pos
	if ends, ok := p.scan.Row(); ok {
		text := p.scan.Text()
		for n, end := range ends {
			if n < len(p.first) {
				if err := p.put(item, n, text[begin:end]); err != nil {
					return n, p.blame(n, err)
				}
			} else if n == len(ends)-1 && p.isExtra(n, text[begin:end]) {
				return n, nil
			}
			begin = end + 1
		}
		return len(ends), nil
	}
	for last := false; !last; n++ {
		var cell string
		if cell, last, err = p.scan.Next(); err != nil {
			return n, &fault.Error{Line: p.scan.Line, Column: n + 1, Err: err}
		}
		if n < len(p.first) {
			if err := p.put(item, n, cell); err != nil {
				return n, p.blame(n, err)
			}
		} else if last && p.isExtra(n, cell) {
			return n, nil
		}
	}
	return n, nil
}

// blame returns the error of cell n of a row, with a hint if the row is the first of the text.
func (p *filled) blame(n int, err error) error {
	if p.headless() {
		err = p.hint(err)
	}
	return &fault.Error{Line: p.scan.Line, Column: n + 1, Err: err}
}

// headless reports whether the row is the first of the text.
func (p *filled) headless() bool { return p.scan.Line == p.first[0].line }

// put parses cell n of a row.
func (p *filled) put(item []byte, n int, cell string) error {
	to := &p.targets[0]
	if p.same {
		item = item[n*to.end:]
	} else {
		to = &p.targets[n]
	}
	switch {
	case to.parse == nil: // the column is not read
		return nil
	case to.isText:
		return inUTF8(to.parse(item[to.offset:to.end:to.end], cell))
	}
	if cell != "" && (infer.IsSpace(cell[0]) || infer.IsSpace(cell[len(cell)-1])) {
		cell = infer.Trim(cell)
	}
	if to.cells.IsMissing(cell) {
		if to.missing && !infer.IsNumberWord(cell) {
			p.missing++
		} else if cell != "" && !to.missing {
			return fmt.Errorf("%s is a missing value, which only dtypes of floats, complex numbers and times have", elem.Quote(cell))
		}
		cell = ""
	}
	if to.localized {
		var ok bool
		if cell, ok = to.cells.Number(cell); !ok {
			return fmt.Errorf("%s is not a number with the given decimal and thousands separators", elem.Quote(cell))
		}
	}
	switch {
	case to.isBool:
		cell, _ = to.cells.Bool(cell)
	case to.isTime:
		cell = to.iso(cell)
	}
	item = item[to.offset:to.end:to.end]
	err := to.parse(item, cell)
	if err != nil && to.whole != nil {
		err = to.whole(item, cell)
	}
	return err
}

// iso returns a time as ISO 8601 writes it.
func (to *target) iso(cell string) string {
	if len(cell) < 8 || cell[4] == '-' { // most times are ISO 8601
		return cell
	}
	iso, _ := infer.ISODate(cell, to.dates)
	return iso
}

// inUTF8 adds the way out to an error about a text that is not UTF-8.
func inUTF8(err error) error {
	if err != nil && errors.Is(err, scalar.ErrUTF8) {
		return fmt.Errorf("%w; %s", err, fault.GiveEncoding)
	}
	return err
}

// hint adds the most likely reason why the first row of the text has no values.
func (t *table) hint(err error) error {
	if d := t.options.DType; !t.report.Header && d.IsValid() && d.IsStruct() {
		if list, e := plain.ValuesOf(d); e == nil {
			return fmt.Errorf("%w (no header: that would be the names %s, …)", err, elem.Quote(list[0].Name))
		}
	}
	return err
}
