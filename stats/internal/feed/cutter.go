package feed

import (
	"io"

	"github.com/npygo/npy/internal/diag"
)

// A Cutter cuts data that arrives in pieces into units. It holds an incomplete unit.
type Cutter struct{ rest []byte }

// Cut calls do for the whole units of some bytes: first for the unit that earlier data began, then for all others at once, which
// are not copied. do must not retain them.
func (c *Cutter) Cut(data []byte, unit int, do func(units []byte)) {
	if len(data) == 0 {
		return
	}
	if len(c.rest) > 0 {
		n := min(unit-len(c.rest), len(data))
		c.rest = append(c.rest, data[:n]...)
		if data = data[n:]; len(c.rest) < unit {
			return
		}
		do(c.rest)
		c.rest = c.rest[:0]
	}
	whole := len(data) / unit * unit
	if whole > 0 {
		do(data[:whole])
	}
	c.rest = append(c.rest, data[whole:]...)
}

// Rest returns the incomplete unit.
func (c *Cutter) Rest() []byte { return c.rest }

// Elements returns the number of elements of some bytes in the incomplete unit. Data that ends within an element is an error that
// wraps [io.ErrUnexpectedEOF].
func (c *Cutter) Elements(size int) (int64, error) {
	if len(c.rest) == 0 {
		return 0, nil
	}
	if cut := len(c.rest) % size; cut > 0 {
		return 0, diag.Errorf("stats", "the data ends after %d of the %d bytes of an element: %w", cut, size, io.ErrUnexpectedEOF)
	}
	return int64(len(c.rest) / size), nil
}
