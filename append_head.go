package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/npygo/npy/format"
)

// An append changes the shape in the header with one write. A disk writes whole sectors and a kill leaves whole pages, so a
// write within one of them leaves the old shape or the new one. Where NumPy's header has the shape across the end of a
// sector, after a long descr, it is exchanged for a fitted header: the growing number is right-aligned in a field of spaces
// that lies in one sector. NumPy reads both: spaces do not count in a Python literal. TestAppendTorn applies every subset
// of the sectors of each write to a header, with the end of a sector at every position.

const (
	diskUnit = 512  // bytes that a power failure does not divide: the smallest sector
	killUnit = 4096 // bytes that a kill does not divide: the smallest page
)

// fitHead returns the header h with the growing number in a field within one sector. Its length is the same for every
// length of the growing axis.
func fitHead(h format.Header) ([]byte, error) {
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
		if within := (prefix + start) % diskUnit; within+field > diskUnit {
			field += diskUnit - within
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

// prefixLen returns the number of bytes before the text of a header: magic, version and length.
func prefixLen(head []byte) int {
	if head[len(format.Magic)] == 1 {
		return 10
	}
	return 12
}

// growingNumber returns where the dimension that an append changes stands in the text of a header made by
// [format.Header.Append]. The shape is its last value, so the last brackets are those of the shape.
func growingNumber(text []byte, fortran bool) (start, end int) {
	open, shut := bytes.LastIndexByte(text, '(')+1, bytes.LastIndexByte(text, ')')
	dims := bytes.TrimSuffix(text[open:shut], []byte(","))
	if comma := bytes.LastIndex(dims, []byte(", ")); fortran && comma >= 0 {
		return open + comma + 2, open + len(dims)
	}
	first, _, _ := bytes.Cut(dims, []byte(", "))
	return open, open + len(first)
}

// changed returns the range of bytes that differ between two headers of the same length.
func changed(old, head []byte) (low, high int) {
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
