package npz

import (
	"cmp"
	"errors"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/zipfile"
)

// Unclaimed returns the bytes of the file that belong neither to a member nor to the directory, in order: bytes
// before the archive, between members and after its end, and members whose headers do not agree with the directory.
// ZIP readers ignore such bytes, but others may not: NumPy takes a file that does not begin as an archive for a
// pickle. Unclaimed reads the header of each member; an error is an error of reading.
func (z *Reader) Unclaimed() ([]npy.Range, error) {
	order := make([]*zipfile.Entry, len(z.dir.Entries))
	for i := range order {
		order[i] = &z.dir.Entries[i]
	}
	slices.SortStableFunc(order, func(a, b *zipfile.Entry) int { return cmp.Compare(a.HeaderOffset, b.HeaderOffset) })
	var found []npy.Range
	at := int64(0)
	claim := func(from, to int64) {
		if from > at {
			found = append(found, npy.Range{Start: at, End: from})
		}
		at = max(at, to)
	}
	for _, e := range order {
		if e.Err() != nil {
			continue
		}
		end, err := e.MemberEnd(z.r)
		var malformed *zipfile.Error
		switch {
		case err == nil:
			claim(e.HeaderOffset, end)
		case !errors.As(err, &malformed):
			return found, err
		}
	}
	claim(z.dir.Offset, z.dir.End)
	claim(z.size, z.size)
	return found, nil
}
