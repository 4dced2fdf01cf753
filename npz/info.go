package npz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/zipfile"
)

// An Entry is a member's entry in the directory of an archive.
type Entry struct {
	Name           string // in the archive, including .npy
	Method         Method // of the compression; Store for none
	Size           int64  // uncompressed size in bytes
	CompressedSize int64  // compressed size in bytes
	CRC32          uint32 // of the uncompressed data
	HeaderOffset   int64  // offset of the member in the file
	Pieces         int    // number of pieces that can be decompressed independently; 1 if unknown

	// Err is why the member cannot be read, as far as the directory shows: it overlaps another, it is encrypted, or
	// its sizes are impossible.
	Err error
}

// Entries returns the entries of the directory, in its order.
func (z *Reader) Entries() []Entry {
	entries := make([]Entry, len(z.dir.Entries))
	for i := range entries {
		entries[i] = entryOf(&z.dir.Entries[i])
	}
	return entries
}

// Members yields the name of each member, as [Reader.Names] lists them, with its entry. Unlike [Reader.Entries] it makes no list,
// which takes 100 bytes for each of a million members.
func (z *Reader) Members() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) {
		for i := range z.dir.Entries {
			e := &z.dir.Entries[i]
			if !yield(strings.TrimSuffix(e.Name, suffix), entryOf(e)) {
				return
			}
		}
	}
}

func entryOf(e *zipfile.Entry) Entry {
	pieces := 1
	if p, ok := e.Pieces(); ok {
		pieces = len(p.Starts)
	}
	return Entry{e.Name, Method(e.Method), e.Size, e.CompressedSize, e.CRC32, e.HeaderOffset, pieces, public(e.Err())}
}

// CheckName returns why the name of a member cannot be the path of a file to unpack it to: it leads out of the
// folder, or is invalid on this system. Reading does not need a valid name.
func (e Entry) CheckName() error {
	if !filepath.IsLocal(filepath.FromSlash(e.Name)) || strings.ContainsRune(e.Name, '\\') {
		return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: errors.New("the name is not a path below a folder; unpack it under another name")}
	}
	return nil
}

// An Info describes an array without its elements.
type Info struct {
	Entry      Entry         // in the directory of the archive
	Header     format.Header // of the .npy file that the member is
	DataOffset int64         // offset of the member's data in the file; for a stored member, of the .npy file itself
}

// Info reads the header of an array. It reads no more of the member than the header needs.
func (z *Reader) Info(name string) (Info, error) {
	e, err := z.find(name)
	if err != nil {
		return Info{}, err
	}
	offset, h, err := z.readHeader(e, false)
	if err != nil {
		return Info{}, err
	}
	return Info{entryOf(e), h, offset}, nil
}

// headerPiece is the number of bytes that are decoded at first: more than nearly every header has.
const headerPiece = 1 << 10

// readHeader returns the offset of a member's data, and the header of its array. With more, the elements are read next.
func (z *Reader) readHeader(e *zipfile.Entry, more bool) (offset int64, h format.Header, err error) {
	if offset, err = z.locate(e, &z.window); err != nil {
		return 0, h, err
	}
	d := z.dec.Array.Format()
	n := min(e.Size, headerPiece)
	start, err := z.start(e, offset, n, more)
	if err != nil {
		return 0, h, about(e, err)
	}
	want, err := d.HeaderSize(start)
	if err == nil && int64(want) > n && n < e.Size {
		start, err = z.start(e, offset, min(e.Size, int64(want)), more)
	}
	if err == nil || err == io.EOF { // parseHeader reports a short header in more detail
		h, err = z.parseHeader(start)
	}
	if err != nil {
		return 0, h, about(e, err)
	}
	return offset, h, nil
}

// start returns the first n bytes of a member's contents.
func (z *Reader) start(e *zipfile.Entry, offset, n int64, more bool) ([]byte, error) {
	switch Method(e.Method) {
	case Store:
		return z.compressed(context.Background(), offset, n, &z.window)
	case Deflate:
		if b, ok := z.inflateStart(e, offset, n); ok {
			return b, nil
		}
	}
	if more {
		return z.peekStart(e, offset, int(n))
	}
	r, err := z.stream(e, offset)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b bytes.Buffer
	if _, err = io.CopyN(&b, r, n); err == io.EOF {
		err = fmt.Errorf("it ends after %d of %d bytes: %w", b.Len(), e.Size, io.ErrUnexpectedEOF)
	}
	return b.Bytes(), err
}

// inflateStart decodes the start of a deflate stream from a part that is nearly always long enough. It reports false
// if the part is too short.
func (z *Reader) inflateStart(e *zipfile.Entry, offset, n int64) ([]byte, bool) {
	src, err := z.window.at(offset, int(min(e.CompressedSize, n+windowFirst)))
	if err != nil {
		return nil, false
	}
	d := z.inflater()
	defer z.inflaters.Put(d)
	b := make([]byte, n)
	err = d.Part(b, src[:min(int64(len(src)), e.CompressedSize)], 0, 0)
	return b, err == nil
}
