package npz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/zipfile"
)

// An Entry is what the directory of an archive says about a member.
type Entry struct {
	Name           string // in the archive, with .npy
	Method         Method
	Size           int64  // of what it holds, in bytes
	CompressedSize int64  // of what the archive has for it, in bytes
	CRC32          uint32 // of what it holds
	HeaderOffset   int64  // where in the file the member begins
	Pieces         int    // in how many pieces it is compressed that can be decoded by themselves; 1 if nothing says so

	// Err is why the member cannot be read, as far as the directory shows it: it overlaps another, is encrypted, or its
	// sizes cannot be.
	Err error
}

// Entries returns what the directory says about each member, in its order.
func (z *Reader) Entries() []Entry {
	entries := make([]Entry, len(z.dir.Entries))
	for i := range entries {
		entries[i] = entryOf(&z.dir.Entries[i])
	}
	return entries
}

func entryOf(e *zipfile.Entry) Entry {
	pieces := 1
	if p, ok := e.Pieces(); ok {
		pieces = len(p.Starts)
	}
	return Entry{e.Name, Method(e.Method), e.Size, e.CompressedSize, e.CRC32, e.HeaderOffset, pieces, public(e.Err)}
}

// CheckName says why the name of a member could not be the path of a file to unpack it to: it leads out of the folder,
// or this system has no such names. Reading does not care.
func (e Entry) CheckName() error {
	if !filepath.IsLocal(filepath.FromSlash(e.Name)) || strings.ContainsRune(e.Name, '\\') {
		return &Error{Member: e.Name, Offset: e.HeaderOffset, Err: errors.New("the name is no path within a folder; give another to unpack it")}
	}
	return nil
}

// An Info is what there is to know about an array without reading it.
type Info struct {
	Entry      Entry
	Header     format.Header
	DataOffset int64 // where in the file the data of the member begins: of a stored one the .npy file itself
}

// Info reads the header of an array, and no more of the member than that takes.
func (z *Reader) Info(name string) (Info, error) {
	e, err := z.find(name)
	if err != nil {
		return Info{}, err
	}
	offset, h, err := z.readHeader(e)
	if err != nil {
		return Info{}, err
	}
	return Info{entryOf(e), h, offset}, nil
}

// headerPiece is what is decoded of a member at first: more than the header of nearly every file.
const headerPiece = 1 << 10

// readHeader returns where the data of a member begins, and the header of the array there.
func (z *Reader) readHeader(e *zipfile.Entry) (offset int64, h format.Header, err error) {
	if offset, err = z.locate(e, &z.window); err != nil {
		return 0, h, err
	}
	d := z.dec.Array.Format()
	n := min(e.Size, headerPiece)
	start, err := z.start(e, offset, n)
	if err != nil {
		return 0, h, about(e, err)
	}
	want, err := d.HeaderSize(start)
	if err == nil && int64(want) > n && n < e.Size {
		start, err = z.start(e, offset, min(e.Size, int64(want)))
	}
	if err == nil || err == io.EOF { // of which parseHeader says more
		h, err = z.parseHeader(start)
	}
	if err != nil {
		return 0, h, about(e, err)
	}
	return offset, h, nil
}

// start returns the first n bytes of what a member holds.
func (z *Reader) start(e *zipfile.Entry, offset, n int64) ([]byte, error) {
	switch Method(e.Method) {
	case Store:
		return z.compressed(context.Background(), offset, n, &z.window)
	case Deflate:
		if b, ok := z.inflateStart(e, offset, n); ok {
			return b, nil
		}
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

// inflateStart decodes the start of a deflate stream from as much of it as that nearly always takes. It reports false
// if that does not do.
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
