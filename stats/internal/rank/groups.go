package rank

// A group is the numbers whose keys begin with the same bits.
type group struct {
	prefix uint64  // the bits, right-aligned
	n      int64   // number of elements
	below  int64   // number of elements with smaller keys
	ranks  []int64 // wanted ranks
}

// numbersIn returns the number of numbers of groups.
func numbersIn(groups []group) (n int64) {
	for _, g := range groups {
		n += g.n
	}
	return n
}

// split splits the group by the next bits, given their counts, and returns the groups that contain ranks.
func (g group) split(cs counts, bits int) (out []group) {
	below, ranks := g.below, g.ranks
	for _, c := range cs {
		k := 0
		for k < len(ranks) && ranks[k] < below+c.n {
			k++
		}
		if k > 0 {
			out = append(out, group{g.prefix<<bits | c.digit, c.n, below, ranks[:k]})
		}
		below, ranks = below+c.n, ranks[k:]
	}
	return out
}
