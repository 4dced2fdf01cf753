package zipfile

import "encoding/binary"

// Pieces locates the independently compressed pieces of a member, so that decoding can start at any piece. The last
// piece may be shorter. See doc/npz-index.md.
type Pieces struct {
	Size   int64   // uncompressed bytes in each piece
	Starts []int64 // the offset of each piece in the compressed data; the first is 0
}

const piecesVersion = 1

// Pieces reads the index of the member's pieces. It reports false if there is no index, or if the index does not fit
// the sizes of the member: the reader must then decode from the start.
func (e *Entry) Pieces() (Pieces, bool) {
	b, ok := FindExtra(e.Extra(), ExtraPieces)
	if !ok || e.Method != Deflate || len(b) < 2 || b[0] != piecesVersion || b[1] > 40 {
		return Pieces{}, false
	}
	p := Pieces{Size: 1 << b[1]}
	b = b[2:]
	count := (e.Size + p.Size - 1) / p.Size
	if count < 2 || count-1 > int64(len(b)) { // at least one byte for every piece except the last
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
