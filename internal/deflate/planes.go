package deflate

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"
)

// Parts of a stream that are compressed in a way of their own have segmentMin to segmentMax bytes.
const (
	segmentMin = 16 << 10
	segmentMax = 256 << 10
)

// sampleSize is the number of bytes by which the way of a segment is chosen, and tableSize the number for which codes are
// made anew.
const (
	sampleSize = 16 << 10
	tableSize  = 16 << 10
)

// AppendPlanes compresses a whole stream of planes, as shuffling elements makes them: one byte of each element after
// the other. Every plane is compressed in the way that suits it: the planes of noise are stored, and the time goes to
// planes that shrink. The level must be Auto.
func (c *Compressor) AppendPlanes(dst, data []byte, planes int) []byte {
	size := max((len(data)+planes-1)/max(planes, 1), segmentMin)
	parts := (size + segmentMax - 1) / segmentMax
	size = (size + parts - 1) / parts
	for len(data) > 0 {
		n := min(size, len(data))
		if len(data)-n < segmentMin {
			n = len(data)
		}
		dst = c.appendSegment(dst, data[:n])
		data = data[n:]
	}
	return append(dst, 3, 0) // the last block, which is empty
}

// appendSegment appends blocks that end at a byte. A search takes three times as long as codes alone, and finds much more
// only in some planes: it is tried on a sample, and must save a twentieth.
func (c *Compressor) appendSegment(dst, data []byte) []byte {
	if bytes.Equal(data[1:], data[:len(data)-1]) {
		return c.append(dst, data, quick, false)
	}
	sample := data
	if len(data) > 2*sampleSize {
		start := (len(data) - sampleSize) / 2
		sample = data[start : start+sampleSize]
	}
	c.spare = c.append(c.spare[:0], sample, search, false)
	found, most := len(c.spare), codedSize(sample)
	if len(sample) < len(data) {
		most = min(most*19/20, len(sample)*63/64)
	}
	switch {
	case found < most:
		if len(sample) == len(data) {
			return append(dst, c.spare...)
		}
		if found <= len(sample)/50 {
			return c.append(dst, data, quick, false)
		}
		return c.append(dst, data, search, false)
	case codedSize(data) < len(data)*127/128:
		return c.append(dst, data, flate.HuffmanOnly, false)
	}
	return appendStored(dst, data)
}

// appendStored appends stored blocks, at a byte.
func appendStored(dst, data []byte) []byte {
	for len(data) > 0 {
		n := min(len(data), math.MaxUint16)
		dst = append(dst, 0)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(n))
		dst = binary.LittleEndian.AppendUint16(dst, ^uint16(n))
		dst = append(dst, data[:n]...)
		data = data[n:]
	}
	return dst
}

// histogram counts bytes. It has four counters for each, because equal bytes that follow each other wait for their
// counter.
func histogram(data []byte) (counts [256]uint32) {
	var four [4][256]uint32
	i := 0
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		four[0][byte(x)]++
		four[1][byte(x>>8)]++
		four[2][byte(x>>16)]++
		four[3][byte(x>>24)]++
		four[0][byte(x>>32)]++
		four[1][byte(x>>40)]++
		four[2][byte(x>>48)]++
		four[3][byte(x>>56)]++
	}
	for _, b := range data[i:] {
		four[0][b]++
	}
	for b := range counts {
		counts[b] = four[0][b] + four[1][b] + four[2][b] + four[3][b]
	}
	return counts
}

// codedSize returns about the size of bytes with Huffman codes alone: the entropy of each part, and its table.
func codedSize(data []byte) int {
	logs := logs()
	size := 0
	for part := range slices.Chunk(data, tableSize) {
		counts := histogram(part)
		bits, table := 0, 0
		for _, n := range counts {
			if n > 0 {
				bits += int(n) * (logs[len(part)] - logs[n]) >> logBits
				table++
			}
		}
		size += max(bits, len(part))/8 + table/2 + 10 // every code has at least a bit
	}
	return size
}

// logs are the logarithms to base 2 of counts, as integers with logBits bits after the point: sums of floats would
// differ between machines, and with them the bytes of a file.
var logs = sync.OnceValue(func() *[tableSize + 1]int {
	var logs [tableSize + 1]int
	for n := 1; n < len(logs); n++ {
		logs[n] = int(math.Log2(float64(n))*(1<<logBits) + 0.5)
	}
	return &logs
})

const logBits = 12
