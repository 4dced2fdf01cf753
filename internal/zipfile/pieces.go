package zipfile

import "encoding/binary"

// maxPieces is what the index of pieces may take of the 65,535 bytes that all extra fields of a member share.
const maxPieces = 60_000

// AppendPieces appends the extra field that says where the pieces of a member begin: sizes are those of the compressed
// pieces, each of 1<<log2 bytes once decoded but for the last. Nothing is appended for a single piece. If there are too
// many for the field, pieces are taken together two by two. See doc/npz-index.md.
func AppendPieces(b []byte, log2 uint8, sizes []int64) []byte {
	for len(sizes) > 1 {
		field := []byte{1, log2} // the version of the format, and the size of pieces
		for _, n := range sizes[:len(sizes)-1] {
			field = binary.AppendUvarint(field, uint64(n))
		}
		if len(field) <= maxPieces {
			b = le.AppendUint16(b, ExtraPieces)
			b = le.AppendUint16(b, uint16(len(field)))
			return append(b, field...)
		}
		log2, sizes = log2+1, pairs(sizes)
	}
	return b
}

// pairs returns the sums of neighbours.
func pairs(sizes []int64) []int64 {
	sums := make([]int64, (len(sizes)+1)/2)
	for i, n := range sizes {
		sums[i/2] += n
	}
	return sums
}
