package tableread

import (
	"cmp"
	"context"
	"io"

	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
)

// A table is read in two passes: the first, a survey, counts rows and infers the columns, the second fills the array. If
// the dtype is complete there is only the second. Each pass reads the text in blocks, on several goroutines.

// Reader returns the Read function of a format. delim separates its cells unless the options say otherwise; 0 means
// that it is sniffed. loadtxt reads the text of numpy.savetxt.
func Reader(delim byte, loadtxt bool) func(context.Context, arrays.Sink, io.Reader, options.Read) (options.Report, error) {
	return func(ctx context.Context, to arrays.Sink, r io.Reader, o options.Read) (_ options.Report, err error) {
		d := o.DType
		if err := o.Table.Check(d); err != nil {
			return options.Report{}, err
		}
		if o.Fields != nil && d.IsValid() {
			return options.Report{}, diag.Errorf("convert", "both DType and Fields are set")
		}
		t := &table{ctx: ctx, options: o, rows: -1, report: &options.Report{Inferred: !d.IsValid()}, loadtxt: loadtxt, cells: infer.NewCells(o.Table)}
		t.setRules(delim)
		once := d.IsValid() && !plain.LacksLength(d) && d.ItemSize() > 0
		t.in = input.NewSpool(ctx, r, o, once)
		defer func() { err = cmp.Or(err, t.in.Close()) }()
		if once {
			err = t.readOnce(to)
		} else {
			err = t.readTwice(to)
		}
		return *t.report, err
	}
}

// setRules sets the rules of the options and the format.
func (t *table) setRules(delim byte) {
	o := t.options.Table
	if o.Delimiter != 0 {
		delim = o.Delimiter
	}
	if t.sniffs = delim == 0; t.sniffs {
		delim = ','
	}
	comment := o.Comment
	if comment == 0 && t.loadtxt {
		comment = '#'
	}
	t.Rules = input.TableRules(delim, comment, !t.loadtxt)
}

// blocks starts a pass over the text.
func (t *table) blocks() (*input.Blocks, error) {
	text, err := input.UTF8(t.in, t.options.Table.Encoding)
	if err != nil {
		return nil, err
	}
	b := input.NewBlocks(text, t.Rules, t.options)
	if err := b.SkipLines(t.options.Table.Skip); err != nil {
		return nil, err
	}
	if t.sniffs {
		if err := b.Fill(input.BlockBytes); err != nil {
			return nil, err
		}
		t.Rules, t.sniffs = t.sniff(string(b.Buf), b.End), false
		b.Rules = t.Rules
	}
	return b, nil
}

// readOnce reads a table with a complete dtype in one pass. The number of rows is unknown.
func (t *table) readOnce(to arrays.Sink) error {
	b, err := t.open()
	if err != nil {
		return err
	}
	t.decideHeader(b)
	f, err := t.newFiller(to, t.options.DType)
	if err != nil {
		return err
	}
	return f.fill(b)
}

// readTwice surveys the table, then reads it.
func (t *table) readTwice(to arrays.Sink) error {
	b, err := t.open()
	if err != nil {
		return err
	}
	t.choose()
	d, err := t.look(b)
	if err == errAgain {
		if b, err = t.again(true); err == nil {
			d, err = t.look(b)
		}
	}
	if err != nil {
		return err
	}
	f, err := t.newFiller(to, d)
	if err != nil {
		return err
	}
	if !f.takes(t.kept) {
		if b, err = t.again(t.report.Header); err != nil {
			return err
		}
		return f.fill(b)
	}
	if err = f.fillKept(t.kept); err != errCell {
		return err
	}
	if b, err = t.again(t.report.Header); err != nil {
		return err
	}
	f.to = discard{} // only the line of the cell is wanted
	return cmp.Or(f.fill(b), input.ErrChanged)
}

// open reads the first row. The reader it returns continues with the second row.
func (t *table) open() (*input.Blocks, error) {
	b, err := t.blocks()
	if err != nil {
		return nil, err
	}
	if t.start, err = b.NextFull(); err == io.EOF {
		return b, nil
	} else if err != nil {
		return nil, err
	}
	s := input.NewScanner(t.start, t.Rules)
	s.More()
	begin := s.Pos
	n, err := t.countCells(*s)
	if err != nil {
		return nil, err
	}
	t.first = make([]firstCell, n)
	for i := range t.first {
		cell, _, _ := s.Next() // countCells has read this cell without an error
		t.first[i] = firstCell{cell, s.Quoted, s.Line}
	}
	t.line = s.Since(begin)
	t.rest = input.Block{Text: t.start.Text[s.Pos:], Line: s.End}
	b.Back = append(b.Back, t.rest)
	if err := t.readSecond(b); err != nil {
		return nil, err
	}
	t.implyIndex()
	return b, nil
}

// readSecond reads the second row without consuming it.
func (t *table) readSecond(b *input.Blocks) error {
	next, err := b.NextFull()
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	b.Back = append(b.Back, next)
	s := input.NewScanner(next, t.Rules)
	s.More()
	for last := false; !last && len(t.second) <= len(t.first)+1; {
		var cell string
		if cell, last, err = s.Next(); err != nil {
			return nil // a survey or filler reports the error
		}
		t.second = append(t.second, cell)
	}
	return nil
}

// implyIndex adds a cell to a header of names that is one cell shorter than the second row, as R and pandas read it.
func (t *table) implyIndex() {
	n := len(t.first)
	if t.options.Header == options.HeaderNo || t.options.DType.IsValid() || t.loadtxt || len(t.second) != n+1 || infer.Trim(t.second[n]) == "" {
		return
	}
	for _, c := range t.first {
		if c.kind(t.cells) != nameCell {
			return
		}
	}
	t.first = append([]firstCell{{line: t.first[0].line}}, t.first...)
	t.implied = true
}

// countCells counts the cells of a row.
func (t *table) countCells(s input.Scanner) (n int, err error) {
	most := options.OrDefault(t.options.MaxColumns, options.DefaultMaxColumns)
	for last := false; !last; n++ {
		if _, last, err = s.Next(); err == nil && n == most {
			err = bounded.Over("MaxColumns", most, n, "a row of more than %d cells is over MaxColumns %d", n, most)
		}
		if err != nil {
			return n, &fault.Error{Line: s.Line, Column: n + 1, Err: err}
		}
	}
	return n, nil
}

// decideHeader decides, without a survey, whether the first row is a header. If it is not, the reader continues with the
// first row.
func (t *table) decideHeader(b *input.Blocks) {
	alone := t.second == nil && len(b.Back) == 0
	t.header(alone)
	switch {
	case t.report.Header && alone:
		t.rows = 0
	case !t.report.Header && len(t.first) > 0:
		if n := len(b.Back); n > 0 && b.Back[n-1] == t.rest {
			b.Back = b.Back[:n-1]
		}
		b.Back = append(b.Back, t.start)
	}
}

// again starts the next pass, with or without the first row.
func (t *table) again(skipFirst bool) (*input.Blocks, error) {
	if err := t.in.Rewind(); err != nil {
		return nil, err
	}
	b, err := t.blocks()
	if err != nil {
		return nil, err
	}
	start, err := b.NextFull()
	switch {
	case err == io.EOF && len(t.first) == 0:
		return b, nil
	case err == nil && start != t.start || err == io.EOF:
		return nil, input.ErrChanged
	case err != nil:
		return nil, err
	case skipFirst:
		start = t.rest
	}
	b.Back = append(b.Back, start)
	return b, nil
}

// look surveys the table and returns the dtype: inferred, or from the options with lengths for texts.
func (t *table) look(b *input.Blocks) (d dtype.Type, err error) {
	if !t.report.Inferred {
		t.decideHeader(b)
		if err = t.survey(b); err == nil {
			t.limitRows()
			d, err = plain.Sized(t.options.DType, t.longest)
		}
	} else {
		t.guesses = newGuesses(t.first)
		if err = t.survey(b); err == nil {
			d, err = t.judge()
		}
	}
	if err != nil {
		return d, err
	}
	n := t.rows
	if !d.IsStruct() {
		n = elem.Saturate(n, len(t.first), 0)
	}
	return d, infer.CheckSize(d, n, t.bytes)
}

// judge returns the dtype that a survey shows, or errAgain.
func (t *table) judge() (dtype.Type, error) {
	alone := t.rows == 0
	if !t.isSettled(alone) {
		t.observed = nil
		return dtype.Type{}, errAgain
	}
	t.header(alone)
	if !t.report.Header {
		t.chosen, t.kept = nil, nil
		t.rows += min(len(t.first), 1)
	}
	t.limitRows()
	d, err := t.guess()
	if err == nil && t.chosen != nil && t.options.Table.Lines && !t.keepsLines(d) {
		t.fields, t.report.Unread = fields{}, nil
		return d, errAgain
	}
	return d, err
}

// limitRows applies the option Rows to the number of rows.
func (t *table) limitRows() {
	if most := t.options.Rows; most > 0 {
		t.rows = min(t.rows, most)
	}
}

// newFiller begins the array of a sink, and returns the filler of it.
func (t *table) newFiller(to arrays.Sink, d dtype.Type) (*filler, error) {
	targets, err := t.targets(d)
	if err != nil {
		return nil, err
	}
	line := d.ItemSize()
	if d, err = t.withLines(d); err != nil {
		return nil, err
	}
	shape, size := []int{t.rows}, d.ItemSize()
	if len(t.first) == 0 {
		shape[0] = 0
	}
	if !d.IsStruct() && len(t.first) > 1 && t.rows != 0 {
		shape, size = append(shape, len(t.first)), size*len(t.first)
	}
	if err := to.Begin(d, shape); err != nil {
		return nil, err
	}
	return &filler{table: t, to: to, targets: targets, same: !d.IsStruct(), size: size, line: line}, nil
}
