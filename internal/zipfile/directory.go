package zipfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/magic"
)

const (
	signEntry = "PK\x01\x02" // an entry of the central directory, APPNOTE 4.3.12
	sizeEntry = 46
)

// Limits restricts the contents of an archive.
type Limits struct {
	Members int   // the most entries in the directory
	Ratio   int64 // the most bytes of a member for each compressed byte
	Free    int64 // the most bytes of all members above that ratio, in total
}

// A Directory is the central directory of an archive.
type Directory struct {
	Entries []Entry // in the order of the directory, including entries with the same name
	Comment string
	Offset  int64 // of the directory in the file
	Size    int64 // of the directory in bytes
	Prefix  int64 // bytes before the start of the archive
	End     int64 // of the last record of the archive, with its comment

	// Tail is the end of the file, from TailOffset on, which was read to find the directory.
	Tail       []byte
	TailOffset int64
}

// ReadDirectory reads the directory of an archive of size bytes: with one read if the archive or its directory is
// small, otherwise with two. It accepts the archives that Python's zipfile accepts. A fault of one member is kept in
// its Entry. An error means that the whole archive cannot be read: it is an [*Error], unless reading failed.
//
// Memory is proportional to the bytes of the directory that exist.
func ReadDirectory(r io.ReaderAt, size int64, limits Limits) (*Directory, error) {
	t, err := readTail(r, size)
	if err != nil {
		return nil, err
	}
	e, err := t.find()
	if err != nil {
		if other := magic.ExplainFile(r, magic.NPZ); other != "" {
			err = invalid(0, "%w: %s", ErrArchive, other)
		}
		return nil, err
	}
	d := &Directory{Comment: e.comment, Offset: e.start, Size: e.size, Prefix: e.prefix, End: e.end, Tail: t.b, TailOffset: t.offset}
	if err := d.read(e.reader(r, t), limits.Members); err != nil {
		return nil, err
	}
	d.setEnds()
	for i := range d.Entries {
		if entry := &d.Entries[i]; entry.Err() == nil {
			entry.fail(entry.check(&limits))
		}
	}
	return d, nil
}

// reader returns a reader of the directory.
func (e end) reader(r io.ReaderAt, t tail) io.Reader {
	if at := e.start - t.offset; at >= 0 {
		return bytes.NewReader(t.b[at : at+e.size])
	}
	return io.NewSectionReader(r, e.start, e.size)
}

// entryMax is more than the bytes of the longest entry: three fields of 64 KiB.
const entryMax = 256 << 10

// read reads all entries.
func (d *Directory) read(r io.Reader, most int) error {
	from := bufio.NewReaderSize(r, int(min(d.Size, entryMax)))
	d.Entries = make([]Entry, 0, min(d.Size/(sizeEntry+8), int64(most)))
	for at := int64(0); at < d.Size; {
		offset := d.Offset + at
		if len(d.Entries) == most {
			return &Error{Offset: offset, Err: bounded.Over("MaxMembers", most, 0, "the archive has more than %d members (MaxMembers)", most)}
		}
		raw, err := from.Peek(int(min(sizeEntry, d.Size-at)))
		if err != nil {
			return diag.Errorf("npz", "reading the directory: %w", noEOF(err))
		}
		if len(raw) < sizeEntry || string(raw[:4]) != signEntry {
			return invalid(offset, "%w: entry %d of the directory is cut short or not an entry", ErrArchive, len(d.Entries))
		}
		size := sizeEntry + int(le.Uint16(raw[28:])) + int(le.Uint16(raw[30:])) + int(le.Uint16(raw[32:]))
		if int64(size) > d.Size-at {
			return invalid(offset, "%w: entry %d of the directory, of %d bytes, is cut short", ErrArchive, len(d.Entries), size)
		}
		if raw, err = from.Peek(size); err != nil {
			return diag.Errorf("npz", "reading the directory: %w", noEOF(err))
		}
		d.add(raw)
		_, _ = from.Discard(size) // it has been peeked
		at += int64(size)
	}
	return nil
}

// add appends the entry that raw is.
func (d *Directory) add(raw []byte) {
	name := sizeEntry + int(le.Uint16(raw[28:]))
	extra := name + int(le.Uint16(raw[30:]))
	d.Entries = append(d.Entries, Entry{
		MadeBy: le.Uint16(raw[4:]), NeededVersion: le.Uint16(raw[6:]), Flags: le.Uint16(raw[8:]), Method: le.Uint16(raw[10:]), Time: le.Uint16(raw[12:]), Date: le.Uint16(raw[14:]),
		CRC32: le.Uint32(raw[16:]), CompressedSize: int64(le.Uint32(raw[20:])), Size: int64(le.Uint32(raw[24:])), HeaderOffset: int64(le.Uint32(raw[42:])),
		InternalAttr: le.Uint16(raw[36:]), ExternalAttr: le.Uint32(raw[38:]),
	})
	e := &d.Entries[len(d.Entries)-1]
	e.decodeName(string(raw[sizeEntry:name]))
	if len(raw) > extra {
		e.rare = e.rare.with(func(r *rare) { r.comment = string(raw[extra:]) })
	}
	if extra > name {
		e.SetExtra(bytes.Clone(raw[name:extra]))
		e.apply64(e.Extra(), d.Prefix)
	}
	if e.HeaderOffset <= math.MaxInt64-d.Prefix {
		e.HeaderOffset += d.Prefix
	}
}

// decodeName converts a name to UTF-8 and cuts it at a NUL. Without the UTF-8 flag the name is in code page 437.
func (e *Entry) decodeName(raw string) {
	var err error
	switch e.Name = raw; {
	case e.Flags&FlagUTF8 == 0:
		e.Name = fromCP437(raw)
	case !utf8.ValidString(raw):
		e.Name = strings.ToValidUTF8(raw, "\uFFFD")
		err = e.Errorf("the name is not UTF-8, although its flag says so")
	}
	if i := strings.IndexByte(e.Name, 0); i >= 0 {
		e.Name = e.Name[:i]
	}
	if e.Name != raw {
		e.rare = e.rare.with(func(r *rare) { r.rawName = &raw })
	}
	e.fail(err)
}

// apply64 reads the numbers that do not fit 32 bits from the zip64 field. The field holds, in this order, each number
// whose 32-bit form is all ones (ZipInfo._decodeExtra).
func (e *Entry) apply64(extra []byte, prefix int64) {
	data, ok := FindExtra(extra, ExtraZip64)
	if !ok {
		return
	}
	for _, field := range []struct {
		name  string
		value *int64
	}{{"size", &e.Size}, {"compressed size", &e.CompressedSize}, {"header offset", &e.HeaderOffset}} {
		if *field.value != math.MaxUint32 {
			continue
		}
		if len(data) < 8 {
			e.fail(e.Errorf("the zip64 field lacks the %s", field.name))
			return
		}
		v := le.Uint64(data)
		data = data[8:]
		if v > uint64(math.MaxInt64-prefix) {
			e.fail(e.Errorf("%s %d is larger than any file", field.name, v))
			return
		}
		*field.value = int64(v)
	}
}

// FindExtra returns the data of the last extra field of a kind: zipfile also uses the last.
func FindExtra(extra []byte, kind uint16) (data []byte, ok bool) {
	for len(extra) >= 4 {
		n := 4 + int(binary.LittleEndian.Uint16(extra[2:]))
		if n > len(extra) {
			break
		}
		if binary.LittleEndian.Uint16(extra) == kind {
			data, ok = extra[4:n], true
		}
		extra = extra[n:]
	}
	return data, ok
}

// setEnds sets the end of every member: the start of the next member in the file, or of the directory.
func (d *Directory) setEnds() {
	order := make([]*Entry, len(d.Entries))
	for i := range d.Entries {
		order[i] = &d.Entries[i]
	}
	byOffset := func(a, b *Entry) int {
		switch {
		case a.HeaderOffset < b.HeaderOffset:
			return -1
		case a.HeaderOffset > b.HeaderOffset:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(order, byOffset) {
		slices.SortStableFunc(order, byOffset)
	}
	next := d.Offset
	for _, e := range slices.Backward(order) {
		e.end, next = next, min(next, e.HeaderOffset)
	}
}

// deflateRatio is the largest ratio of DEFLATE: matches of 258 bytes in two bits.
const deflateRatio = 1032

// check looks for faults of a member before any of its data is read, and deducts its size from the limits.
func (e *Entry) check(limits *Limits) error {
	least := sizeLocal + int64(len(e.RawName()))
	switch room := e.end - e.HeaderOffset; {
	case e.Flags&(FlagEncrypted|FlagStrongEncryption) != 0:
		return e.Errorf("it is encrypted; decrypt the archive with another tool first")
	case e.Flags&FlagPatch != 0:
		return e.Errorf("it is a patch for another file (flag bit 5), which is not supported")
	case room < least || room-least < e.CompressedSize:
		return e.Errorf("%d bytes with a header of at least %d extend beyond byte %d, where the next member begins: members overlap or the file is damaged",
			e.CompressedSize, least, e.end)
	case e.Method == Store && e.Size != e.CompressedSize:
		return e.Errorf("it is stored without compression, but the directory gives it %d bytes compressed and %d uncompressed", e.CompressedSize, e.Size)
	case e.Method == Deflate && e.Size/deflateRatio > e.CompressedSize:
		return e.Errorf("%d bytes of deflate data cannot decode to the %d bytes that the directory gives", e.CompressedSize, e.Size)
	case e.Method != Deflate && e.Size/limits.Ratio > e.CompressedSize:
		if e.Size > limits.Free {
			return e.wrap(bounded.Over("MaxRatio", limits.Ratio, e.Size/max(e.CompressedSize, 1), "%d bytes from %d compressed bytes are over MaxRatio %d", e.Size, e.CompressedSize, limits.Ratio))
		}
		limits.Free -= e.Size
	}
	return nil
}
