package rank

import (
	"cmp"
	"slices"

	"github.com/npygo/npy/stats/internal/state"
)

// counts are the numbers of a group with each value of the next key bits, in order of the bits, without zero counts.
type counts []count

type count struct {
	digit uint64
	n     int64
}

// countsOf returns counts without zeros.
func countsOf(dense []int64) (cs counts) {
	for digit, n := range dense {
		if n > 0 {
			cs = append(cs, count{uint64(digit), n})
		}
	}
	return cs
}

// countsOfDigits counts digits, which it sorts.
func countsOfDigits(digits []uint64) counts {
	slices.Sort(digits)
	different := 0
	for i, digit := range digits {
		if i == 0 || digit != digits[i-1] {
			different++
		}
	}
	cs := make(counts, 0, different)
	for i, digit := range digits {
		if i == 0 || digit != digits[i-1] {
			cs = append(cs, count{digit, 0})
		}
		cs[len(cs)-1].n++
	}
	return cs
}

// plus returns the sums of counts.
func (cs counts) plus(other counts) counts {
	if len(cs) == 0 || len(other) == 0 {
		return append(cs, other...)
	}
	sums := make(counts, 0, max(len(cs), len(other)))
	for len(cs) > 0 && len(other) > 0 {
		switch cmp.Compare(cs[0].digit, other[0].digit) {
		case -1:
			sums, cs = append(sums, cs[0]), cs[1:]
		case 1:
			sums, other = append(sums, other[0]), other[1:]
		default:
			sums = append(sums, count{cs[0].digit, cs[0].n + other[0].n})
			cs, other = cs[1:], other[1:]
		}
	}
	return append(append(sums, cs...), other...)
}

// sum returns the number of all. It is at most state.MaxItems.
func (cs counts) sum() (n int64) {
	for _, c := range cs {
		n += c.n
	}
	return n
}

// appendTo appends counts as bytes.
func (cs counts) appendTo(dst []byte) []byte {
	dst = state.AppendUints(dst, uint64(len(cs)))
	last := uint64(0)
	for _, c := range cs {
		dst = state.AppendUints(dst, c.digit-last, uint64(c.n))
		last = c.digit
	}
	return dst
}

// parseCounts reads the bytes of appendTo, of digits of some bits.
func parseCounts(r *state.Reader, bits int) counts {
	cs := make(counts, r.Count(int64(r.Len()/2))) // each has two bytes or more
	last, sum := uint64(0), int64(0)
	for i := range cs {
		gap := r.Uint()
		cs[i] = count{last + gap, r.Count(state.MaxItems - sum)}
		r.Check(cs[i].n > 0 && (i == 0 || gap > 0) && cs[i].digit >= last && cs[i].digit>>bits == 0)
		if r.Bad() {
			return nil
		}
		last, sum = cs[i].digit, sum+cs[i].n
	}
	return cs
}
