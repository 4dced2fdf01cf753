package rank

import "slices"

// digitBits is the number of key bits resolved in one pass.
const digitBits = 16

// A finder returns the group of a key. Most keys are in no group, which the first digit already tells.
type finder struct {
	left  int
	bits  int     // of a key
	first []int32 // for each first digit its only group, or none, or several
	index map[uint64]int32
}

const (
	noGroup       = -1
	severalGroups = -2
)

func newFinder(groups []group, left, bits int) *finder {
	f := &finder{left: left, bits: bits, index: map[uint64]int32{}}
	if left == bits {
		return f
	}
	f.first = slices.Repeat([]int32{noGroup}, 1<<digitBits)
	for i, g := range groups {
		f.index[g.prefix] = int32(i)
		digit := &f.first[g.prefix>>(bits-digitBits-left)]
		if *digit == noGroup && left == bits-digitBits {
			*digit = int32(i)
		} else {
			*digit = severalGroups
		}
	}
	return f
}

func (f finder) group(key uint64) int32 {
	if f.first == nil {
		return 0
	}
	i := f.first[key>>(f.bits-digitBits)]
	if i != severalGroups {
		return i
	}
	if i, ok := f.index[key>>f.left]; ok {
		return i
	}
	return noGroup
}
