package tableread

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"sync/atomic"

	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/input"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
)

// If only some columns are read, a survey keeps their cells as long as they fit in memory, so that the text is not read a second time.
// They take less memory than the text. Keeping the cells of all columns was not faster than reading the text again.

// kept has the cells of a survey.
type kept struct {
	blocks []string // as keptCells has them
	bytes  int
	most   int
	floats []bool      // per column: cells are kept as float64
	over   atomic.Bool // the cells take more than most bytes, and none are kept
}

// keptCells has the cells of a block, one row after the other. A cell is its length and its text, or floatCell and a float64, if the
// length is longCell, a longer length follows.
type keptCells struct {
	data   []byte
	floats []bool
}

const (
	longCell  = 0xfe
	floatCell = 0xff
)

// emptied returns no cells of n columns in the memory of c.
func (c keptCells) emptied(n int) keptCells {
	if len(c.floats) != n {
		c.floats = make([]bool, n)
	}
	clear(c.floats)
	return keptCells{c.data[:0], c.floats}
}

// add adds a cell.
func (c *keptCells) add(cell string) {
	if len(cell) < longCell {
		c.data = append(c.data, byte(len(cell)))
	} else {
		c.data = binary.AppendUvarint(append(c.data, longCell), uint64(len(cell)))
	}
	c.data = append(c.data, cell...)
}

// newKept returns what keeps the cells of a survey. It returns nil if they do not replace the text: all columns are read, the number of
// rows is limited, rows are not regular, or lines are needed.
func (t *table) newKept() *kept {
	o := t.options
	if t.chosen == nil || o.Rows > 0 || o.Table.Ragged != options.RaggedError || o.Table.Lines {
		return nil
	}
	return &kept{most: int(options.OrDefault(max(o.Memory, 0), options.DefaultMemory)), floats: make([]bool, len(t.first))}
}

// add adds the cells of the next block.
func (k *kept) add(s *survey) {
	if k == nil || k.over.Load() {
		return
	}
	if k.bytes += len(s.took.data); !s.keeps || k.bytes > k.most {
		k.blocks = nil
		k.over.Store(true)
		return
	}
	k.blocks = append(k.blocks, string(s.took.data))
	for i, is := range s.took.floats {
		k.floats[i] = k.floats[i] || is
	}
}

// keep observes and keeps a cell of column n.
func (s *survey) keep(n int, cell string, line int) {
	g := &s.guesses[n]
	if g.HasNumbers(cell, s.cells) {
		if x, ok := elem.QuickFraction(cell); ok {
			g.AddFraction(cell)
			s.took.floats[n] = true
			s.took.data = binary.LittleEndian.AppendUint64(append(s.took.data, floatCell), math.Float64bits(x))
			return
		}
	}
	g.Observe(cell, line, s.cells)
	s.took.add(cell)
}

// takes reports whether kept cells can be stored in the columns of f.
func (f *filler) takes(k *kept) bool {
	if k == nil {
		return false
	}
	for i, is := range k.floats {
		if is && !f.targets[i].isFloat {
			return false
		}
	}
	return true
}

// errCell is the error for a kept cell that has no value. The line of the cell is not kept.
var errCell = errors.New("a cell has no value")

// fillKept fills the sink with the kept rows.
func (f *filler) fillKept(k *kept) error {
	blocks := k.blocks
	begun, done := 0, 0
	next := func() (string, error) {
		if begun == len(blocks) {
			return "", io.EOF
		}
		block := blocks[begun]
		blocks[begun] = "" // not needed once more
		begun++
		return block, nil
	}
	return input.Each(f.ctx, next, f.options, func(p *filled, cells string) error {
		*p = filled{filler: f, left: cells, data: p.data}
		p.parse()
		return nil
	}, func(p *filled, _ string) error {
		done++
		f.in.Skip(done, len(blocks))
		return f.give(p)
	})
}

// keptRow parses the kept cells of a row.
func (p *filled) keptRow(item []byte) error {
	cells := p.left
	for i := range p.first {
		if !p.reads(i) {
			continue
		}
		n := int(cells[0])
		cells = cells[1:]
		if n == floatCell {
			to := &p.targets[i]
			bits := uint64(cells[0]) | uint64(cells[1])<<8 | uint64(cells[2])<<16 | uint64(cells[3])<<24 |
				uint64(cells[4])<<32 | uint64(cells[5])<<40 | uint64(cells[6])<<48 | uint64(cells[7])<<56
			bulk.PutUint(item[to.offset:to.end], bits, to.isBig)
			cells = cells[8:]
			continue
		}
		if n == longCell {
			n, cells = cutLength(cells)
		}
		if err := p.put(item, i, cells[:n]); err != nil {
			return errCell
		}
		cells = cells[n:]
	}
	p.left = cells
	return nil
}

// cutLength cuts a length as binary.AppendUvarint writes it.
func cutLength(cells string) (n int, rest string) {
	for shift := 0; ; shift += 7 {
		c := cells[0]
		cells = cells[1:]
		n |= int(c&0x7f) << shift
		if c < 0x80 {
			return n, cells
		}
	}
}

// discard is a sink that drops everything.
type discard struct{ arrays.Sink }

func (discard) Begin(dtype.Type, []int) error { return nil }
func (discard) Write([]byte) error            { return nil }
