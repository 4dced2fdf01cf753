package zipfile

import "encoding/binary"

const (
	signLocal = "PK\x03\x04" // the header in front of a member, APPNOTE 4.3.7
	sizeLocal = 30
)

// LocalSize returns how many bytes from e.HeaderOffset on [Entry.DataOffset] needs.
func (e *Entry) LocalSize() int { return sizeLocal + len(e.RawName) }

// DataOffset returns where in the file the data of a member begins, given the start of its local header. As zipfile does
// it compares the name there with that in the directory, and the end of the data with what comes next in the file;
// everything else is taken from the directory.
func (e *Entry) DataOffset(local []byte) (int64, error) {
	if string(local[:4]) != signLocal {
		return 0, e.Errorf("no header there but %q", local[:4])
	}
	name, extra := int(binary.LittleEndian.Uint16(local[26:])), int64(binary.LittleEndian.Uint16(local[28:]))
	if name != len(e.RawName) || string(local[sizeLocal:sizeLocal+name]) != e.RawName {
		return 0, e.Errorf("its header has another name, %q", local[sizeLocal:min(sizeLocal+name, len(local))])
	}
	data := e.HeaderOffset + int64(e.LocalSize()) + extra
	if e.end-data < e.CompressedSize {
		return 0, e.Errorf("its %d bytes from byte %d leave its place, which ends at byte %d: members overlap or the file is damaged",
			e.CompressedSize, data, e.end)
	}
	return data, nil
}
