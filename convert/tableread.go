package convert

import (
	"fmt"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A table is the text of a table and what a first look at it has shown.
type table struct {
	text    string
	delim   byte
	options ReadOptions
	report  *Report

	first   []firstCell
	rows    int // without the header
	guesses []guess
}

// A target says what to do with the cells of a column.
type target struct {
	offset, end int // in the bytes of a row
	parse       elem.ParseFunc
	isText      bool
	missing     bool // an empty cell is a missing value
}

func tableReader(delim byte) func(string, ReadOptions, *Report) (*npy.Array, error) {
	return func(text string, o ReadOptions, report *Report) (*npy.Array, error) {
		t := &table{text: text, delim: delim, options: o, report: report}
		return t.read()
	}
}

func (t *table) read() (*npy.Array, error) {
	if err := t.survey(); err != nil {
		return nil, err
	}
	if err := t.header(); err != nil {
		return nil, err
	}
	d, err := t.dtype()
	if err != nil {
		return nil, err
	}
	shape := []int{t.rows}
	if !d.IsStruct() && len(t.first) > 1 && t.rows > 0 {
		shape = []int{t.rows, len(t.first)}
	}
	a, err := npy.New(d, shape...)
	if err != nil {
		return nil, err
	}
	targets, err := t.targets(d)
	if err != nil {
		return nil, err
	}
	data, _ := a.ViewBytes()
	return a, t.fill(data, targets)
}

// survey looks at every cell: rows must have equal lengths, and columns are guessed if need be.
func (t *table) survey() error {
	s := newCellScanner(t.text, t.delim)
	for s.more() {
		line := s.end
		n, err := t.surveyRow(s)
		if err != nil {
			return err
		}
		if n != len(t.first) {
			return &Error{Line: line, Err: fmt.Errorf("%s, want %d as in line %d", count(n, "cell"), len(t.first), t.first[0].line)}
		}
		t.rows++
	}
	return nil
}

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

// surveyRow looks at one row. What the first one is, is not yet known: it is kept aside.
func (t *table) surveyRow(s *cellScanner) (n int, err error) {
	for last := false; !last; n++ {
		var cell string
		at := s.pos
		if cell, last, err = s.next(); err != nil {
			return n, &Error{Line: s.line, Column: n + 1, Err: err}
		}
		switch {
		case t.rows == 0:
			t.first = append(t.first, firstCell{cell, s.quoted, s.line, at})
			t.guesses = append(t.guesses, newGuess())
		case n < len(t.first) && t.report.Inferred:
			t.guesses[n].observe(cell, at)
		}
	}
	return n, nil
}

// dtype returns the dtype of the array: that of the options, or what the columns are.
func (t *table) dtype() (dtype.Type, error) {
	d := t.options.DType
	guessed := !d.IsValid()
	var err error
	switch {
	case lacksLength(d):
		guessed = true
		d, err = t.measured(d)
	case guessed:
		d, err = t.guess()
	}
	if err != nil || !guessed {
		return d, err
	}
	n := t.rows
	if !d.IsStruct() {
		n = saturate(n, len(t.first), 0)
	}
	return d, checkGuess(d, n, len(t.text))
}

func (t *table) guess() (dtype.Type, error) {
	if len(t.first) == 0 {
		return dtype.Float64, nil
	}
	types := make([]dtype.Type, len(t.guesses))
	for i := range t.guesses {
		d, at, err := t.guesses[i].dtype()
		if err != nil {
			return d, t.errorAt(at, i+1, err)
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

// common returns the dtype of all columns if they have the same, or all are str.
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
			return d, fmt.Errorf("convert: a line takes more than %d bytes: %w", dtype.MaxItemSize, npy.ErrLimit)
		}
	}
	return dtype.Struct(-1, fields...)
}

// errorAt makes an Error of what is wrong with the cell at offset at.
func (t *table) errorAt(at, column int, err error) error {
	s := newCellScanner(t.text, t.delim)
	s.pos = at
	cell, _, _ := s.next() // it was read before
	return &Error{Line: 1 + countLines(t.text[:at]), Column: column, Err: fmt.Errorf("%s: %w", elem.Quote(trim(cell)), err)}
}

// measured returns d with the lengths that the texts in its columns need.
func (t *table) measured(d dtype.Type) (dtype.Type, error) {
	list, err := t.leaves(d)
	if err != nil {
		return d, err
	}
	lengths, longest := make([]func(string) int, len(list)), make([]int, plainValues(d))
	for i, l := range list {
		lengths[i] = lengthFunc(l.dtype)
	}
	for s := t.body(); s.more(); {
		for i, length := range lengths {
			cell, _, _ := s.next() // survey has met every error
			if length != nil {
				n := &longest[list[i].number]
				*n = max(*n, length(cell))
			}
		}
	}
	if d, err = sized(d, longest); err != nil {
		return d, fmt.Errorf("convert: %w", err)
	}
	return d, nil
}

// targets returns what to do with each column.
func (t *table) targets(d dtype.Type) ([]target, error) {
	list, err := t.leaves(d)
	if err != nil {
		return nil, err
	}
	return t.targetsOf(list)
}

// leaves returns the leaf of d for each column.
func (t *table) leaves(d dtype.Type) ([]leaf, error) {
	switch {
	case len(t.first) == 0:
		return nil, nil
	case !d.IsStruct():
		list := make([]leaf, len(t.first))
		for i := range list {
			list[i] = leaf{offset: i * d.ItemSize(), dtype: d}
		}
		return list, nil
	case t.report.Header && !t.report.Inferred:
		return t.match(d)
	}
	list, err := leaves(d)
	if err == nil {
		err = t.checkWidth(len(list))
	}
	return list, err
}

func (t *table) targetsOf(list []leaf) ([]target, error) {
	targets := make([]target, len(list))
	var parse elem.ParseFunc
	for i, l := range list {
		if i == 0 || !l.dtype.Equal(list[i-1].dtype) {
			var err error
			if parse, err = t.options.texts().Parser(l.dtype); err != nil {
				return nil, fmt.Errorf("convert: %w", err)
			}
		}
		targets[i] = target{l.offset, l.offset + l.dtype.ItemSize(), parse, elem.IsText(l.dtype), elem.IsMissing(l.dtype)}
	}
	return targets, nil
}

// body returns a scanner behind the header, if there is one.
func (t *table) body() *cellScanner {
	s := newCellScanner(t.text, t.delim)
	if t.report.Header && s.more() {
		for last := false; !last; {
			_, last, _ = s.next() // survey has met every error
		}
	}
	return s
}

// fill parses every cell into data, which has room for all rows.
func (t *table) fill(data []byte, targets []target) error {
	s := t.body()
	size := 0
	if t.rows > 0 {
		size = len(data) / t.rows
	}
	for row := 0; s.more(); row++ {
		item := data[row*size : (row+1)*size]
		for i := range targets {
			cell, _, _ := s.next()
			if err := t.put(item, &targets[i], cell); err != nil {
				return &Error{Line: s.line, Column: i + 1, Err: t.hint(row, err)}
			}
		}
	}
	return nil
}

func (t *table) put(item []byte, to *target, cell string) error {
	if !to.isText {
		if cell != "" && (isSpace(cell[0]) || isSpace(cell[len(cell)-1])) {
			cell = trim(cell)
		}
		if cell == "" && to.missing {
			t.report.Missing++
		}
	}
	return to.parse(item[to.offset:to.end:to.end], cell)
}

// hint adds the most likely reason why the very first row has no values.
func (t *table) hint(row int, err error) error {
	if d := t.options.DType; row == 0 && !t.report.Header && d.IsValid() && d.IsStruct() {
		if list, e := leaves(d); e == nil {
			return fmt.Errorf("%w (no header: that would be the names %s, …)", err, elem.Quote(list[0].name))
		}
	}
	return err
}
