package tableread

import (
	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/plain"
)

// A survey holds the observations on some rows of a table.
type survey struct {
	*table
	rows    int
	guesses []infer.Guess
	lengths []func(string) int // for each column of a dtype without lengths; nil where the length is given
	numbers []int              // the number of the plain value of each column
	same    bool               // all columns share the only plain value
	longest []int              // per plain value
	widest  int                // bytes of a row

	keeps bool
	took  keptCells // if it keeps cells
}

// newGuesses returns the guesses for the columns below a first row.
func newGuesses(first []firstCell) []infer.Guess {
	guesses := make([]infer.Guess, len(first))
	setGuesses(guesses, first)
	return guesses
}

// setGuesses sets the guesses of columns without cells below the first row.
func setGuesses(guesses []infer.Guess, first []firstCell) {
	for i := range guesses {
		guesses[i] = infer.Guess{Could: infer.AnyCell, First: first[i].text}
	}
}

// survey reads every cell. Rows must have equal lengths. Columns are inferred or measured.
func (t *table) survey(b *input.Blocks) error {
	all := survey{table: t, guesses: t.guesses}
	if !t.report.Inferred {
		list, err := t.values(t.options.DType)
		if err != nil {
			return err
		}
		for _, l := range list {
			all.lengths, all.numbers = append(all.lengths, plain.LengthFunc(l.DType)), append(all.numbers, l.Number)
		}
		all.same = !t.options.DType.IsStruct()
		all.longest = make([]int, plain.Count(t.options.DType))
	}
	t.bytes = len(t.start.Text) - len(t.rest.Text)
	none := all // is not changed while goroutines read it
	t.kept = t.newKept()
	err := input.Each(t.ctx, b.Next, t.options, func(part *survey, b input.Block) error {
		part.begin(&none)
		return part.block(b)
	}, func(part *survey, b input.Block) error {
		t.bytes += len(b.Text)
		all.merge(part)
		t.kept.add(part)
		if most := t.options.Rows; most > 0 && all.rows >= most {
			return input.ErrEnough
		}
		return nil
	})
	t.rows, t.longest, t.widest = all.rows, all.longest, all.widest
	if t.kept != nil && t.kept.over.Load() {
		t.kept = nil
	}
	return err
}

// begin makes s an empty survey of the columns of none, in the memory of an earlier survey.
func (s *survey) begin(none *survey) {
	guesses, longest, took := s.guesses, s.longest, s.took
	*s = *none
	if len(guesses) != len(none.guesses) || len(longest) != len(none.longest) {
		guesses, longest = make([]infer.Guess, len(none.guesses)), make([]int, len(none.longest))
	}
	setGuesses(guesses, s.first)
	clear(longest)
	s.guesses, s.longest = guesses, longest
	if s.keeps = s.kept != nil && !s.kept.over.Load(); s.keeps {
		s.took = took.emptied(len(s.first))
	}
}

func (s *survey) merge(later *survey) {
	s.rows += later.rows
	s.widest = max(s.widest, later.widest)
	for i := range s.guesses {
		s.guesses[i].Merge(&later.guesses[i])
	}
	for i, n := range later.longest {
		s.longest[i] = max(s.longest[i], n)
	}
}

// block surveys the rows of a block.
func (s *survey) block(b input.Block) error {
	scan := input.NewScanner(b, s.Rules)
	for scan.More() {
		if s.options.Table.Ragged == options.RaggedSkip {
			if skip, err := s.skips(scan); err != nil {
				return err
			} else if skip {
				continue
			}
		}
		line, begin := scan.End, scan.Pos
		n, err := s.row(scan)
		if err != nil {
			return err
		}
		if n < len(s.first) && s.options.Table.Ragged == options.RaggedFill {
			for ; n < len(s.guesses); n++ {
				s.guesses[n].Missing = true
			}
			n = len(s.first)
		}
		if n != len(s.first) {
			return s.ragged(line, n)
		}
		s.widest = max(s.widest, scan.Pos-begin)
		s.rows++
	}
	return nil
}

// row observes the cells of a row and returns their number, without one after a trailing delimiter.
func (s *survey) row(scan *input.Scanner) (n int, err error) {
	begin := scan.Pos
	if ends, ok := scan.Row(); ok {
		text := scan.Text()
		for n, end := range ends {
			if n < len(s.first) {
				s.observe(n, text[begin:end], scan.Line)
			} else if n == len(ends)-1 && s.isExtra(n, text[begin:end]) {
				return n, nil
			}
			begin = end + 1
		}
		return len(ends), nil
	}
	for last := false; !last; n++ {
		var cell string
		if cell, last, err = scan.Next(); err != nil {
			return n, &fault.Error{Line: scan.Line, Column: n + 1, Err: err}
		}
		if n < len(s.first) {
			s.observe(n, cell, scan.Line)
		} else if last && s.isExtra(n, cell) {
			return n, nil
		}
	}
	return n, nil
}

// observe observes or measures a cell of column n.
func (s *survey) observe(n int, cell string, line int) {
	switch {
	case n < len(s.guesses):
		if s.keeps && s.reads(n) {
			s.keep(n, cell, line)
		} else if s.observed == nil || s.observed[n] {
			s.guesses[n].Observe(cell, line, s.cells)
		}
	case s.same:
		s.measure(0, cell)
	default:
		s.measure(n, cell)
	}
}

// measure makes the longest text of a plain value at least as long as a cell, if its dtype lacks a length.
func (s *survey) measure(value int, cell string) {
	if value < len(s.lengths) && s.lengths[value] != nil {
		longest := &s.longest[s.numbers[value]]
		*longest = max(*longest, s.lengths[value](cell))
	}
}
