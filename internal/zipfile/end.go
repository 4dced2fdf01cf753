package zipfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/npygo/npy/internal/diag"
)

// The records at the end of an archive, APPNOTE 4.3.14 to 4.3.16: their signatures and sizes.
const (
	signEnd       = "PK\x05\x06"
	signEnd64     = "PK\x06\x06"
	signLocator64 = "PK\x06\x07"

	sizeEnd       = 22
	sizeEnd64     = 56
	sizeLocator64 = 20

	maxComment = 1<<16 - 1
	// tailSize is the number of bytes read from the end of a file at once: it covers every possible position of the end
	// record.
	tailSize = maxComment + 1 + sizeEnd + sizeEnd64 + sizeLocator64
)

// An end is the description of the directory at the end of an archive.
type end struct {
	start   int64 // the offset of the directory in the file
	size    int64 // of the directory in bytes
	prefix  int64 // bytes before the archive, which its own offsets do not count
	end     int64 // the end of the end record and the comment
	comment string
}

// A tail is the last bytes of a file.
type tail struct {
	b      []byte
	offset int64 // of the tail in the file
}

// readTail reads the end of a file, or all of a small file.
func readTail(r io.ReaderAt, size int64) (tail, error) {
	b := make([]byte, min(size, tailSize))
	offset := size - int64(len(b))
	n, err := r.ReadAt(b, offset)
	if n < len(b) {
		return tail{}, diag.Errorf("npz", "reading the end of the archive: %w", noEOF(err))
	}
	return tail{b, offset}, nil
}

// noEOF replaces io.EOF by an error for a file that must not end there.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// find looks for the end record as Python's zipfile does (_EndRecData): at the very end, otherwise the last one in the
// preceding 64 KiB, whatever follows it.
func (t tail) find() (end, error) {
	at := len(t.b) - sizeEnd
	if at < 0 || string(t.b[at:at+4]) != signEnd || t.b[at+20] != 0 || t.b[at+21] != 0 {
		from := max(len(t.b)-sizeEnd-maxComment-1, 0)
		at = bytes.LastIndex(t.b[from:], []byte(signEnd))
		if at < 0 {
			return end{}, invalid(t.offset, "%w: there is no end record in the last 64 KiB; the file may be cut short", ErrArchive)
		}
		at += from
	}
	rec := t.b[at:]
	if len(rec) < sizeEnd {
		return end{}, invalid(t.offset+int64(at), "%w: the end record is cut after %d of %d bytes", ErrArchive, len(rec), sizeEnd)
	}
	e := end{size: int64(binary.LittleEndian.Uint32(rec[12:]))}
	e.comment = string(rec[sizeEnd:min(sizeEnd+int(binary.LittleEndian.Uint16(rec[20:])), len(rec))])
	e.end = t.offset + int64(at+sizeEnd+len(e.comment))
	offset := int64(binary.LittleEndian.Uint32(rec[16:]))
	dirEnd := t.offset + int64(at) // the end of the directory
	if rec, err := t.find64(at); err != nil {
		return end{}, err
	} else if rec != nil {
		dirEnd -= sizeLocator64 + sizeEnd64
		size, at := binary.LittleEndian.Uint64(rec[40:]), binary.LittleEndian.Uint64(rec[48:])
		if size > math.MaxInt64 || at > math.MaxInt64 {
			return end{}, invalid(dirEnd, "the directory of %d bytes at byte %d is larger than any file", size, at)
		}
		e.size, offset = int64(size), int64(at)
	}
	if e.start = dirEnd - e.size; e.start < 0 {
		return end{}, invalid(dirEnd, "the directory of %d bytes is larger than the %d bytes before its end", e.size, dirEnd)
	}
	if e.prefix = e.start - offset; e.prefix < 0 {
		return end{}, invalid(dirEnd, "the directory is at byte %d, but the end record says byte %d: the start of the file may be missing", offset, e.start)
	}
	return e, nil
}

// find64 returns the zip64 end record that belongs to the end record at a position in the tail, nil if there is none.
// Like zipfile, it requires the record to be directly before its locator.
func (t tail) find64(at int) ([]byte, error) {
	locator := at - sizeLocator64
	if locator < 0 || string(t.b[locator:locator+4]) != signLocator64 {
		return nil, nil
	}
	if disk, disks := binary.LittleEndian.Uint32(t.b[locator+4:]), binary.LittleEndian.Uint32(t.b[locator+16:]); disk != 0 || disks > 1 {
		return nil, invalid(t.offset+int64(locator), "the archive spans %d disks; join its parts first", disks)
	}
	rec := locator - sizeEnd64
	if rec < 0 || string(t.b[rec:rec+4]) != signEnd64 {
		return nil, nil
	}
	return t.b[rec:locator], nil
}
