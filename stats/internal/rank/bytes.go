package rank

import "github.com/npygo/npy/stats/internal/state"

// appendTo appends the known bits, and the counts of this pass.
func (s *selection) appendTo(dst []byte) []byte {
	dst = state.AppendCounts(dst, s.n+1)
	if s.n > 0 {
		dst = state.AppendCounts(dst, int64(s.left), int64(len(s.groups)))
		for _, g := range s.groups {
			dst = state.AppendUints(dst, g.prefix, uint64(g.n), uint64(g.below))
		}
	}
	if s.done() {
		return dst
	}
	for _, cs := range s.total {
		dst = cs.appendTo(dst)
	}
	return dst
}

// parse reads the bytes of appendTo into a new selection.
func (s *selection) parse(r *state.Reader) {
	s.n = r.Count(state.MaxItems+1) - 1
	if s.n == 0 {
		s.groups, s.total, s.left = nil, nil, 0
	}
	if s.n > 0 {
		s.parseGroups(r)
	}
	if s.done() || r.Bad() {
		return
	}
	bits, _ := s.digit()
	for i := range s.total {
		s.total[i] = parseCounts(r, bits)
	}
}

// parseGroups reads the groups, which must be in order and have all ranks.
func (s *selection) parseGroups(r *state.Reader) {
	s.left = int(r.Count(int64(s.Bits - digitBits)))
	r.Check(s.left%manyBits == 0)
	ranks := s.ranks()
	s.groups = make([]group, r.Count(int64(len(ranks))))
	s.total = make([]counts, len(s.groups))
	for i := range s.groups {
		g := group{prefix: r.Uint(), n: r.Count(s.n), below: r.Count(s.n)}
		r.Check(g.prefix>>(s.Bits-s.left) == 0 && g.below <= s.n-g.n)
		if i > 0 {
			last := s.groups[i-1]
			r.Check(g.prefix > last.prefix && g.below >= last.below+last.n)
		}
		k := 0
		for k < len(ranks) && g.below <= ranks[k] && ranks[k] < g.below+g.n {
			k++
		}
		r.Check(k > 0)
		g.ranks, ranks = ranks[:k], ranks[k:]
		s.groups[i] = g
	}
	r.Check(len(ranks) == 0)
}
