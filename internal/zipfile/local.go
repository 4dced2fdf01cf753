package zipfile

import "encoding/binary"

const (
	signLocal = "PK\x03\x04" // the header before a member's data, APPNOTE 4.3.7
	sizeLocal = 30
)

// LocalSize returns the number of bytes from e.HeaderOffset on that [Entry.DataOffset] needs.
func (e *Entry) LocalSize() int { return sizeLocal + len(e.RawName()) }

// DataOffset returns the offset in the file of a member's data, given the start of its local header. Like zipfile, it
// compares the name in the local header with the name in the directory, and checks that the data ends before the next
// member. All other values come from the directory.
func (e *Entry) DataOffset(local []byte) (int64, error) {
	if string(local[:4]) != signLocal {
		return 0, e.Errorf("its local header is missing: found %q", local[:4])
	}
	name, extra := int(binary.LittleEndian.Uint16(local[26:])), int64(binary.LittleEndian.Uint16(local[28:]))
	if name != len(e.RawName()) || string(local[sizeLocal:sizeLocal+name]) != e.RawName() {
		return 0, e.Errorf("its local header has another name, %q", local[sizeLocal:min(sizeLocal+name, len(local))])
	}
	data := e.HeaderOffset + int64(e.LocalSize()) + extra
	if e.end-data < e.CompressedSize {
		return 0, e.Errorf("its %d bytes from byte %d extend beyond byte %d, where the next member begins: members overlap or the file is damaged",
			e.CompressedSize, data, e.end)
	}
	return data, nil
}
