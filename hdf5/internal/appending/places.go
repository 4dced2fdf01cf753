package appending

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/hdf5/internal/structure"
)

// A fieldWrite is some bytes of the file to be changed in place, by one write.
type fieldWrite struct {
	at   int64 // an offset in the file
	data []byte
}

// pageBytes is the size of the pages of memory: a write within one is not divided when a process is killed.
const pageBytes = 4096

// A numberPlace is the place of a number of 8 bytes that changes, and the structure that has a checksum of it.
type numberPlace struct {
	at         int64
	start, end int64 // of the structure, with its checksum of 4 bytes at the end; 0 if it has none
}

// places returns the places of the end of the file in the superblock and of the shape in the header.
func (a *File) places() (eof numberPlace, fields [2]numberPlace, err error) {
	f := a.f
	switch f.Super.Version {
	case 0:
		eof.at = f.Base + 40
	case 1:
		eof.at = f.Base + 44
	default:
		eof = numberPlace{f.Base + 28, f.Base, f.Base + 48}
		if err := a.checkSuperblock(); err != nil {
			return eof, fields, err
		}
	}
	h := a.d.Object
	space, _ := h.Find(structure.DataspaceMessage)
	layout, _ := h.Find(structure.LayoutMessage)
	if space.Shared || layout.Shared {
		return eof, fields, fmt.Errorf("its header is shared with others: %w", errors.ErrUnsupported)
	}
	offset := 8
	if space.Data[0] > 1 {
		offset = 4
	}
	fields[0].at = f.Base + int64(space.At) + int64(offset)
	fields[1].at = f.Base + int64(layout.At) + structure.LayoutIndex
	return eof, fields, a.checked(&fields)
}

// checkSuperblock refuses files that are open in another program, and files that keep account of their free space.
func (a *File) checkSuperblock() error {
	f := a.f
	var flags [1]byte
	if _, err := a.file.ReadAt(flags[:], f.Base+11); err != nil {
		return err
	}
	if flags[0] != 0 {
		return errors.New("the file is open for writing in another program, or was not closed: h5clear -s repairs it")
	}
	if f.Super.Extension == storage.Undefined {
		return nil
	}
	h, err := f.Header(f.Super.Extension)
	if err == nil && h.Has(structure.FileSpaceMessage) {
		err = fmt.Errorf("the file keeps account of its free space: %w", errors.ErrUnsupported)
	}
	return err
}

// checked finds the checksum of a header of version 2. Both fields must be in the first block, so that one write changes
// both and the checksum.
func (a *File) checked(fields *[2]numberPlace) error {
	f := a.f
	start := f.Base + int64(a.d.Object.At)
	head := make([]byte, 38)
	if _, err := a.file.ReadAt(head, start); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if string(head[:4]) != "OHDR" {
		return nil
	}
	at := 6
	if head[5]&0x20 != 0 {
		at += 16
	}
	if head[5]&0x10 != 0 {
		at += 4
	}
	width := 1 << (head[5] & 3)
	var number [8]byte
	copy(number[:width], head[at:])
	end := start + int64(at+width) + int64(binary.LittleEndian.Uint64(number[:])) + 4
	for i := range fields {
		if fields[i].at < start || fields[i].at+8 > end-4 {
			return fmt.Errorf("its header is in several blocks with checksums: %w", errors.ErrUnsupported)
		}
		fields[i].start, fields[i].end = start, end
	}
	return nil
}

// readAddress reads a number of 8 bytes at an offset of the file.
func (a *File) readAddress(at int64) (uint64, error) {
	var b [8]byte
	if _, err := a.file.ReadAt(b[:], at); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// change returns the write that gives numbers new values, with the checksum of their structure, and the bytes that are
// there.
func (a *File) change(places []numberPlace, values []uint64) (now, then fieldWrite, err error) {
	low, high := places[0].at, places[0].at+8
	for _, p := range places {
		low, high = min(low, p.at), max(high, p.at+8)
	}
	if p := places[0]; p.end > 0 {
		low, high = p.start, p.end
	}
	now = fieldWrite{low, make([]byte, high-low)}
	if _, err := a.file.ReadAt(now.data, low); err != nil {
		return now, then, err
	}
	then = fieldWrite{low, append([]byte{}, now.data...)}
	for i, p := range places {
		binary.LittleEndian.PutUint64(then.data[p.at-low:], values[i])
	}
	if p := places[0]; p.end > 0 {
		n := len(then.data) - 4
		binary.LittleEndian.PutUint32(then.data[n:], storage.Lookup3(then.data[:n]))
	}
	for len(then.data) > 0 && then.data[0] == now.data[0] {
		now, then = fieldWrite{now.at + 1, now.data[1:]}, fieldWrite{then.at + 1, then.data[1:]}
	}
	for n := len(then.data) - 1; n >= 0 && then.data[n] == now.data[n]; n-- {
		now.data, then.data = now.data[:n], then.data[:n]
	}
	return now, then, nil
}

// isWhole reports whether a write cannot be divided: by the end of the process between pages, or by a power failure
// between sectors.
func (a *File) isWhole(w fieldWrite) bool {
	unit := int64(pageBytes)
	if a.settings.Sync {
		unit = storage.SectorBytes
	}
	return len(w.data) == 0 || w.at/unit == (w.at+int64(len(w.data))-1)/unit
}
