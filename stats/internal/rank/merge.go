package rank

import (
	"slices"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/stats/internal/state"
)

// sameAs reports whether other is in the same pass over the same numbers.
func (s *selection) sameAs(other *selection) bool {
	return s.n == other.n && s.left == other.left && slices.EqualFunc(s.groups, other.groups, func(a, b group) bool {
		return a.prefix == b.prefix && a.n == b.n && a.below == b.below
	})
}

// canMerge returns an error if there are too many numbers in both.
func (s *selection) canMerge(other *selection) error {
	s.fold()
	other.fold()
	for i := range s.groups {
		if a, b := s.total[i].sum(), other.total[i].sum(); a > state.MaxItems-b {
			return diag.Wrap("stats", bounded.Over("", 0, 0, "%d and %d elements are more than can be counted", a, b))
		}
	}
	return nil
}

// merge adds the counts of other, which canMerge allows.
func (s *selection) merge(other *selection) {
	for i := range s.groups {
		s.total[i] = s.total[i].plus(other.total[i])
	}
}
