package along

import "github.com/npygo/npy/stats/internal/state"

func (c *floatCells) appendTo(dst []byte, n int64) []byte {
	all := c.exacts(n)
	for i := range c.missing.cells {
		dst = state.AppendCounts(dst, c.missing.of(i))
		if c.extremes.min != nil {
			dst = state.AppendFloats(dst, c.extremes.min[i])
		}
		if c.extremes.max != nil {
			dst = state.AppendFloats(dst, c.extremes.max[i])
		}
		if c.want.sums() {
			dst = state.AppendSums(dst, all.next(i))
		}
	}
	return dst
}

func (c *floatCells) parse(r *state.Reader, n int64) {
	c.merged, c.moments = []byte{}, nil
	for i := range c.missing.cells {
		c.missing.add(i, r.Count(n))
		if c.extremes.min != nil {
			c.extremes.min[i] = r.Float()
			r.Check(c.extremes.min[i] == c.extremes.min[i])
		}
		if c.extremes.max != nil {
			c.extremes.max[i] = r.Float()
			r.Check(c.extremes.max[i] == c.extremes.max[i])
		}
		if c.want.sums() {
			c.merged = state.AppendSums(c.merged, r.Sums(n-c.missing.of(i)))
		}
		if r.Bad() {
			return
		}
	}
}
