package convert

import (
	"context"

	"github.com/npygo/npy/internal/par"
)

// textCost is the cost of parsing a byte of text, relative to moving it.
const textCost = 8

// A survey holds the observations on some rows of a table.
type survey struct {
	*table
	rows    int
	guesses []guess
	lengths []func(string) int // for each column of a dtype without lengths; nil where the length is given
	numbers []int              // the number of the plain value of each column
	same    bool               // all columns share the only plain value
	longest []int              // per plain value
}

// newGuesses returns the guesses for the columns below a first row.
func newGuesses(first []firstCell) []guess {
	guesses := make([]guess, len(first))
	for i, c := range first {
		guesses[i] = guess{could: anyCell, first: c.text}
	}
	return guesses
}

// survey reads every cell. Rows must have equal lengths. Columns are inferred or measured.
func (t *table) survey(b *blockReader) error {
	all := survey{table: t, guesses: t.guesses}
	if !t.report.Inferred {
		list, err := t.values(t.options.DType)
		if err != nil {
			return err
		}
		for _, l := range list {
			all.lengths, all.numbers = append(all.lengths, lengthFunc(l.dtype)), append(all.numbers, l.number)
		}
		all.same = !t.options.DType.IsStruct()
		all.longest = make([]int, countPlain(t.options.DType))
	}
	t.bytes = len(t.start.text) - len(t.rest.text)
	err := b.rounds(func(round []block, bytes int) error {
		t.bytes += bytes
		return all.round(round, bytes)
	})
	t.rows, t.longest = all.rows, all.longest
	return err
}

// round surveys a round of blocks.
func (s *survey) round(round []block, bytes int) error {
	parts := make([]*survey, len(round))
	err := par.Split(context.Background(), len(round), 1, textCost*bytes, func(low, high int) error {
		if low == high {
			return nil
		}
		part := *s
		part.rows, part.guesses, part.longest = 0, newGuesses(s.first[:len(s.guesses)]), make([]int, len(s.longest))
		parts[low] = &part
		for _, b := range round[low:high] {
			if err := part.block(b); err != nil {
				return err
			}
		}
		return nil
	})
	for _, part := range parts {
		if part != nil {
			s.merge(part)
		}
	}
	return err
}

func (s *survey) merge(later *survey) {
	s.rows += later.rows
	for i := range s.guesses {
		s.guesses[i].merge(&later.guesses[i])
	}
	for i, n := range later.longest {
		s.longest[i] = max(s.longest[i], n)
	}
}

// block surveys the rows of a block.
func (s *survey) block(b block) error {
	cells := newCellScanner(b, s.rules)
	for cells.more() {
		if s.options.Table.Ragged == RaggedSkip {
			if skip, err := s.skips(cells); err != nil {
				return err
			} else if skip {
				continue
			}
		}
		line := cells.end
		n, err := s.row(cells)
		if err != nil {
			return err
		}
		if n < len(s.first) && s.options.Table.Ragged == RaggedFill {
			for ; n < len(s.guesses); n++ {
				s.guesses[n].missing = true
			}
			n = len(s.first)
		}
		if n != len(s.first) {
			return s.ragged(line, n)
		}
		s.rows++
	}
	return nil
}

func (s *survey) row(cells *cellScanner) (n int, err error) {
	for last := false; !last; n++ {
		var cell string
		if cell, last, err = cells.next(); err != nil {
			return n, &Error{Line: cells.line, Column: n + 1, Err: err}
		}
		column := n
		if s.same {
			column = 0
		}
		switch {
		case column < len(s.guesses):
			s.guesses[column].observe(cell, cells.line, s.cells)
		case last && n == len(s.first) && s.isTrailing(cell):
			return n, nil
		case column < len(s.lengths) && s.lengths[column] != nil:
			longest := &s.longest[s.numbers[column]]
			*longest = max(*longest, s.lengths[column](cell))
		}
	}
	return n, nil
}
