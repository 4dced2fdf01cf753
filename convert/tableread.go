package convert

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/elem"
)

// A table is read in two passes: the first, a survey, counts rows and infers the columns, the second fills the array. If
// the dtype is complete there is only the second. Each pass reads the text in rounds of blocks.

// A table is the text of a table and its properties known so far.
type table struct {
	*rules
	in      *spool
	options ReadOptions
	report  *Report

	first   []firstCell // the first row
	start   block       // the block with the first row
	rest    block       // the part of start after the first row
	guesses []guess
	longest []int // for a dtype without lengths: the longest text of each plain value
	rows    int   // without the header; -1 if unknown
	bytes   int   // of the text read by a survey so far
}

// A target describes how the cells of a column are stored.
type target struct {
	offset, end int // within the bytes of a row
	parse       elem.ParseFunc
	isText      bool
	missing     bool // an empty cell is a missing value
}

func tableReader(delim byte) func(Sink, io.Reader, ReadOptions) (Report, error) {
	rules := tableRules(delim)
	return func(to Sink, r io.Reader, o ReadOptions) (_ Report, err error) {
		d := o.DType
		t := &table{rules: rules, options: o, rows: -1, report: &Report{Inferred: !d.IsValid()}}
		once := d.IsValid() && !lacksLength(d) && d.ItemSize() > 0
		t.in = newSpool(r, o, once)
		defer func() { err = errors.Join(err, t.in.close()) }()
		if once {
			err = t.readOnce(to)
		} else {
			err = t.readTwice(to)
		}
		return *t.report, err
	}
}

// readOnce reads a table with a complete dtype in one pass. The number of rows is unknown.
func (t *table) readOnce(to Sink) error {
	b, err := t.open()
	if err != nil {
		return err
	}
	if err := t.decideHeader(b); err != nil {
		return err
	}
	return t.fill(to, b, t.options.DType)
}

// readTwice surveys the table, then reads it.
func (t *table) readTwice(to Sink) error {
	b, err := t.open()
	if err != nil {
		return err
	}
	d, err := t.look(b)
	if err != nil {
		return err
	}
	if err := t.in.rewind(); err != nil {
		return err
	}
	if b, err = t.again(); err != nil {
		return err
	}
	return t.fill(to, b, d)
}

// open reads the first row. The reader it returns continues with the second row.
func (t *table) open() (*blockReader, error) {
	b := newBlockReader(t.in, t.rules, t.options)
	var err error
	if t.start, err = b.nextFull(); err == io.EOF {
		return b, nil
	} else if err != nil {
		return nil, err
	}
	s := newCellScanner(t.start, t.rules)
	s.more()
	n, err := t.countCells(*s)
	if err != nil {
		return nil, err
	}
	t.first = make([]firstCell, n)
	for i := range t.first {
		cell, _, _ := s.next() // countCells has read this cell without an error
		t.first[i] = firstCell{cell, s.quoted, s.line}
	}
	t.rest = block{t.start.text[s.pos:], s.end}
	b.back = append(b.back, t.rest)
	return b, nil
}

// countCells counts the cells of a row.
func (t *table) countCells(s cellScanner) (n int, err error) {
	most := orDefault(t.options.MaxColumns, DefaultMaxColumns)
	for last := false; !last; n++ {
		if _, last, err = s.next(); err == nil && n == most {
			err = bounded.Over("MaxColumns", most, n, "a row of more than %d cells is over MaxColumns %d", n, most)
		}
		if err != nil {
			return n, &Error{Line: s.line, Column: n + 1, Err: err}
		}
	}
	return n, nil
}

// decideHeader decides, without a survey, whether the first row is a header. If it is not, the reader continues with the
// first row.
func (t *table) decideHeader(b *blockReader) error {
	second, err := b.nextFull()
	if err != nil && err != io.EOF {
		return err
	}
	t.header(err == io.EOF)
	switch {
	case t.report.Header && err == io.EOF:
		t.rows = 0
	case t.report.Header:
		b.back = append(b.back, second)
	case len(t.first) > 0:
		if second != t.rest && err == nil {
			b.back = append(b.back, second)
		}
		b.back = append(b.back, t.start)
	}
	return nil
}

// again starts the second pass, after the header if there is one.
func (t *table) again() (*blockReader, error) {
	b := newBlockReader(t.in, t.rules, t.options)
	start, err := b.nextFull()
	switch {
	case err == io.EOF && len(t.first) == 0:
		return b, nil
	case err == nil && start != t.start || err == io.EOF:
		return nil, errChanged
	case err != nil:
		return nil, err
	case t.report.Header:
		start = t.rest
	}
	b.back = append(b.back, start)
	return b, nil
}

var errChanged = errors.New("convert: the text changed while it was read")

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

// look surveys the table and returns the dtype: the inferred one, or that of the options with lengths for texts.
func (t *table) look(b *blockReader) (d dtype.Type, err error) {
	if !t.report.Inferred {
		if err = t.decideHeader(b); err == nil {
			err = t.survey(b)
		}
		if err == nil {
			d, err = sized(t.options.DType, t.longest)
		}
	} else {
		t.guesses = newGuesses(len(t.first))
		if err = t.survey(b); err == nil {
			t.header(t.rows == 0)
			if !t.report.Header {
				t.rows += min(len(t.first), 1)
			}
			d, err = t.guess()
		}
	}
	if err != nil {
		return d, err
	}
	n := t.rows
	if !d.IsStruct() {
		n = elem.Saturate(n, len(t.first), 0)
	}
	return d, checkGuess(d, n, t.bytes)
}

func (t *table) guess() (dtype.Type, error) {
	if len(t.first) == 0 {
		return dtype.Float64, nil
	}
	if t.rules.spaces && !t.report.Header {
		if g := t.allNumbers(); g.could&complexCell != 0 {
			d, c, err := g.dtype()
			if err == nil {
				return d, nil
			}
			return d, &Error{Line: c.at, Err: fmt.Errorf("%s: %w", elem.Quote(c.text), err)}
		}
	}
	types := make([]dtype.Type, len(t.guesses))
	for i := range t.guesses {
		d, c, err := t.guesses[i].dtype()
		if err != nil {
			return d, &Error{Line: c.at, Column: i + 1, Err: fmt.Errorf("%s: %w", elem.Quote(c.text), err)}
		}
		types[i] = d
	}
	if !t.report.Header {
		if d, ok := common(types); ok {
			return d, nil
		}
	}
	return t.structOf(types)
}

// allNumbers returns one guess for all columns: numbers between spaces are one array, as in numpy.loadtxt.
func (t *table) allNumbers() guess {
	g := newGuess()
	for i := range t.guesses {
		g.merge(&t.guesses[i])
	}
	return g
}

// common returns the dtype of all columns if they share one, or if all are str.
func common(types []dtype.Type) (dtype.Type, bool) {
	all := types[0]
	for _, d := range types[1:] {
		switch {
		case d.Kind() != all.Kind() || !elem.IsText(d) && !d.Equal(all):
			return d, false
		case d.ItemSize() > all.ItemSize():
			all = d
		}
	}
	return all, true
}

func (t *table) structOf(types []dtype.Type) (dtype.Type, error) {
	fields := make([]dtype.Field, len(types))
	used := make(map[string]bool, len(types))
	size := 0
	for i, d := range types {
		name := ""
		if t.report.Header {
			name = t.first[i].name()
		}
		if name == "" {
			name = fmt.Sprintf("f%d", i) // as NumPy names fields
		}
		if used[name] || !utf8.ValidString(name) {
			why := "is there twice"
			if !used[name] {
				why = "is not UTF-8"
			}
			return d, &Error{Line: t.first[i].line, Column: i + 1, Err: fmt.Errorf("name %s %s", elem.Quote(name), why)}
		}
		used[name] = true
		fields[i] = dtype.Field{Name: name, DType: d, Offset: size}
		if size += d.ItemSize(); size > dtype.MaxItemSize {
			return d, bounded.Over("", dtype.MaxItemSize, 0, "convert: a line takes more than %d bytes", dtype.MaxItemSize)
		}
	}
	return dtype.Struct(-1, fields...)
}

// values returns the plain value of d for each column, or a single one if all columns share it.
func (t *table) values(d dtype.Type) ([]plainValue, error) {
	switch {
	case len(t.first) == 0:
		return nil, nil
	case !d.IsStruct():
		return []plainValue{{dtype: d}}, nil
	case t.report.Header && !t.report.Inferred:
		return t.match(d)
	}
	list, err := plainValuesOf(d)
	if err == nil {
		err = t.checkWidth(len(list))
	}
	return list, err
}

// targets returns the target of each column, or a single target if all columns share it.
func (t *table) targets(d dtype.Type) ([]target, error) {
	list, err := t.values(d)
	if err != nil {
		return nil, err
	}
	targets := make([]target, len(list))
	var parse elem.ParseFunc
	texts := t.options.texts()
	texts.Decimals = t.rules.spaces // numpy.savetxt writes all numbers as floats
	for i, l := range list {
		if i == 0 || !l.dtype.Equal(list[i-1].dtype) {
			var err error
			if parse, err = texts.Parser(l.dtype); err != nil {
				return nil, fmt.Errorf("convert: %w", err)
			}
		}
		targets[i] = target{l.offset, l.offset + l.dtype.ItemSize(), parse, elem.IsText(l.dtype), elem.IsMissing(l.dtype)}
	}
	return targets, nil
}

// fill passes every row to a sink.
func (t *table) fill(to Sink, b *blockReader, d dtype.Type) error {
	targets, err := t.targets(d)
	if err != nil {
		return err
	}
	shape, size := []int{t.rows}, d.ItemSize()
	if len(t.first) == 0 {
		shape[0] = 0
	}
	if !d.IsStruct() && len(t.first) > 1 && t.rows != 0 {
		shape, size = append(shape, len(t.first)), size*len(t.first)
	}
	if err := to.Begin(d, shape); err != nil {
		return err
	}
	f := &filler{table: t, to: to, targets: targets, same: !d.IsStruct(), size: size}
	return b.rounds(f.round)
}

// hint adds the most likely reason why the first row of the text has no values.
func (t *table) hint(err error) error {
	if d := t.options.DType; !t.report.Header && d.IsValid() && d.IsStruct() {
		if list, e := plainValuesOf(d); e == nil {
			return fmt.Errorf("%w (no header: that would be the names %s, …)", err, elem.Quote(list[0].name))
		}
	}
	return err
}
