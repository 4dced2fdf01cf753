package zipfile

import "encoding/binary"

// Pieces is where the data of a member can be decoded from, other than its start: it is compressed in pieces that do not
// depend on each other. The last piece may be shorter. See doc/npz-index.md.
type Pieces struct {
	Size   int64   // bytes in each piece, not compressed
	Starts []int64 // where each begins in the compressed data; the first is 0
}

const piecesVersion = 1

// Pieces reads the index of the member's pieces. It reports false if there is none, or none that fits the sizes of the
// member: a reader decodes from the start then.
func (e *Entry) Pieces() (Pieces, bool) {
	b, ok := FindExtra(e.Extra, ExtraPieces)
	if !ok || e.Method != Deflate || len(b) < 2 || b[0] != piecesVersion || b[1] > 40 {
		return Pieces{}, false
	}
	p := Pieces{Size: 1 << b[1]}
	b = b[2:]
	count := (e.Size + p.Size - 1) / p.Size
	if count < 2 || count-1 > int64(len(b)) { // a byte at least for every piece but the last
		return Pieces{}, false
	}
	p.Starts = make([]int64, 1, count)
	for start := int64(0); int64(len(p.Starts)) < count; {
		size, n := binary.Uvarint(b)
		if n <= 0 || size == 0 || size >= uint64(e.CompressedSize-start) {
			return Pieces{}, false
		}
		start += int64(size)
		p.Starts = append(p.Starts, start)
		b = b[n:]
	}
	return p, len(b) == 0
}
