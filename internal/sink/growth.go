package sink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/npygo/npy/format"
)

// SectorSize is the number of bytes that a power failure does not divide: the smallest sector of a disk. PageSize is the number
// of bytes that a kill does not divide: the smallest page of memory.
const (
	SectorSize = 512
	PageSize   = 4096
)

// FitHeader returns the header h with its growing number in a field of spaces that lies within one sector. One write of that
// number leaves the old header or the new one, even if power fails. The length of the header is the same for every length of
// the growing axis. NumPy reads it: spaces do not count in a Python literal.
func FitHeader(h format.Header) ([]byte, error) {
	numpy, err := h.Append(nil)
	if err != nil {
		return nil, err
	}
	v, prefix := h.Version, prefixLen(numpy)
	text := bytes.TrimRight(numpy[prefix:], " \n")
	start, end := growingNumber(text, h.FortranOrder)
	if v == (format.Version{}) {
		v = format.Version{Major: numpy[6], Minor: numpy[7]}
	}
	for {
		field := format.GrowthAxisMaxDigits
		if within := (prefix + start) % SectorSize; within+field > SectorSize {
			field += SectorSize - within
		}
		fitted := fmt.Appendf(nil, "%s%*s%s", text[:start], field, text[start:end], text[end:])
		size := (prefix + len(fitted) + format.ArrayAlign) / format.ArrayAlign * format.ArrayAlign
		if v == format.V1 && size-prefix > math.MaxUint16 {
			v, prefix = format.V2, prefix+2
			continue
		}
		head := append([]byte(format.Magic), v.Major, v.Minor)
		if v == format.V1 {
			head = binary.LittleEndian.AppendUint16(head, uint16(size-prefix))
		} else {
			head = binary.LittleEndian.AppendUint32(head, uint32(size-prefix))
		}
		head = append(head, fitted...)
		head = append(head, bytes.Repeat([]byte{' '}, size-len(head)-1)...)
		return append(head, '\n'), nil
	}
}

// prefixLen returns the number of bytes before the text of a header: the magic, the version and the length.
func prefixLen(head []byte) int {
	if head[len(format.Magic)] == 1 {
		return 10
	}
	return 12
}

// growingNumber returns the range of the dimension that an append changes, in the text of a header made by
// [format.Header.Append]. The shape is the last value of the header, so the last brackets are its brackets.
func growingNumber(text []byte, fortran bool) (start, end int) {
	open, shut := bytes.LastIndexByte(text, '(')+1, bytes.LastIndexByte(text, ')')
	dims := bytes.TrimSuffix(text[open:shut], []byte(","))
	if comma := bytes.LastIndex(dims, []byte(", ")); fortran && comma >= 0 {
		return open + comma + 2, open + len(dims)
	}
	first, _, _ := bytes.Cut(dims, []byte(", "))
	return open, open + len(first)
}

// Changed returns the range of bytes that differ between two headers of the same length.
func Changed(old, head []byte) (low, high int) {
	if bytes.Equal(old, head) {
		return 0, 0
	}
	high = len(head)
	for head[low] == old[low] {
		low++
	}
	for head[high-1] == old[high-1] {
		high--
	}
	return low, high
}
