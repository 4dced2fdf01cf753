package structure

import (
	"encoding/binary"
	"strings"

	"github.com/npygo/npy/hdf5/internal/storage"
)

// The kinds of links.
const (
	LinkHard = iota
	LinkSoft
	LinkExternal
	linkOther // of a program
)

// A Link is a name in a group and its target.
type Link struct {
	Name   string
	Kind   int
	At     uint64 // of the object header, of a hard link
	Target string // the path of a soft or external link
	File   string // of an external link
	Order  uint64 // of creation
	Err    error  // why the link cannot be read; its name is made up then
}

// ReadLink takes a link message. It reports whether the order of creation is known.
func ReadLink(c *storage.Cursor) (l Link, ordered bool) {
	c.Version(1, 1)
	flags, kind := c.U8(), 0
	if flags&8 != 0 {
		kind = c.U8()
	}
	if ordered = flags&4 != 0; ordered {
		l.Order = c.Uint(8)
	}
	if flags&0x10 != 0 {
		c.Skip(1) // the character set
	}
	n := c.Uint(1 << (flags & 3))
	if c.Err == nil && n > nameMax {
		c.Fail("a name of %d bytes", n)
	}
	l.Name = string(c.Bytes(int(min(n, nameMax))))
	switch kind {
	case 0:
		l.At = c.Address()
	case 1:
		l.Kind, l.Target = LinkSoft, string(c.Bytes(c.U16()))
	case 64:
		l.Kind = LinkExternal
		if b := c.Bytes(c.U16()); len(b) > 1 {
			file, target, _ := strings.Cut(string(b[1:]), "\x00")
			l.File, l.Target = file, storage.UpToNUL([]byte(target))
		}
	default:
		l.Kind = linkOther
	}
	return l, ordered
}

// Message returns the data of a link message, without an order of creation.
func (l Link) Message() []byte {
	b := []byte{1, 0x10}
	switch l.Kind {
	case LinkExternal:
		b = []byte{1, 0x18, 64}
	case LinkSoft:
		b = []byte{1, 0x18, 1}
	}
	b = append(b, 1) // the character set: UTF-8
	if len(l.Name) < 256 {
		b = append(b, byte(len(l.Name)))
	} else {
		b[1] |= 1
		b = binary.LittleEndian.AppendUint16(b, uint16(len(l.Name)))
	}
	b = append(b, l.Name...)
	target := l.Target
	switch l.Kind {
	case LinkHard:
		return binary.LittleEndian.AppendUint64(b, l.At)
	case LinkExternal:
		target = "\x00" + l.File + "\x00" + l.Target + "\x00"
	}
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(target))), target...)
}
