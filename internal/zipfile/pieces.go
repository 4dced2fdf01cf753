package zipfile

import "encoding/binary"

// maxPieces is the most bytes of the index. All extra fields of a member share 65,535 bytes.
const maxPieces = 60_000

// AppendPieces appends the extra field with the starts of a member's pieces. sizes are the compressed sizes of the
// pieces; each piece decodes to 1<<log2 bytes, except the last. A single piece needs no field. If there are too many
// pieces for the field, each two neighbours are joined. See doc/npz-index.md.
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

// pairs returns the sums of neighbouring sizes.
func pairs(sizes []int64) []int64 {
	sums := make([]int64, (len(sizes)+1)/2)
	for i, n := range sizes {
		sums[i/2] += n
	}
	return sums
}
