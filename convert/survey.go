package convert

import (
	"context"
	"fmt"

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

func newGuesses(n int) []guess {
	guesses := make([]guess, n)
	for i := range guesses {
		guesses[i] = newGuess()
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
		part.rows, part.guesses, part.longest = 0, newGuesses(len(s.guesses)), make([]int, len(s.longest))
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
		line := cells.end
		n, err := s.row(cells)
		if err != nil {
			return err
		}
		if n != len(s.first) {
			return s.ragged(line, n)
		}
		s.rows++
	}
	return nil
}

// ragged returns the error for a row whose length differs from the first row.
func (t *table) ragged(line, n int) error {
	return &Error{Line: line, Err: fmt.Errorf("%s, want %d as in line %d", count(n, "cell"), len(t.first), t.first[0].line)}
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
			s.guesses[column].observe(cell, cells.line)
		case column < len(s.lengths) && s.lengths[column] != nil:
			longest := &s.longest[s.numbers[column]]
			*longest = max(*longest, s.lengths[column](cell))
		}
	}
	return n, nil
}
