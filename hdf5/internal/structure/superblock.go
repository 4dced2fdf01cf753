package structure

import (
	"encoding/binary"
	"io"

	"github.com/npygo/npy/hdf5/internal/storage"
)

const signature = "\x89HDF\r\n\x1a\n"

// FindSignature returns the offset of the superblock: 0, or 512 times a power of two after a user block. It reports
// false if there is none.
func FindSignature(r io.ReaderAt, size int64) (int64, bool) {
	var b [len(signature)]byte
	for at := int64(0); at+int64(len(b)) <= size; at = max(2*at, 512) {
		n, err := r.ReadAt(b[:], at)
		if n < len(b) && err != nil { // the size of a stream is not known
			return 0, false
		}
		if string(b[:]) == signature {
			return at, true
		}
	}
	return 0, false
}

// IsHDF5 reports whether a file has the signature.
func IsHDF5(r io.ReaderAt, size int64) bool {
	_, ok := FindSignature(r, size)
	return ok
}

// Open reads the superblock of a file.
func Open(in *storage.Input, maxHeader int) (*File, error) {
	super, err := readSuperblock(in)
	return &File{Input: in, Super: super, maxHeader: maxHeader}, err
}

// readSuperblock reads the superblock at the address 0, and the sizes of addresses and lengths.
func readSuperblock(f *storage.Input) (superblock, error) {
	c := f.UpTo("superblock", 0, 128)
	c.Skip(len(signature))
	s := superblock{Extension: storage.Undefined}
	s.Version = c.Version(0, 3)
	if s.Version >= 2 {
		readSizes(f, &c)
		c.Skip(1) // file consistency flags
		c.Address()
		s.Extension = c.Address()
		c.Address() // the end of the file
		s.Root = c.Address()
		c.Checksum()
		return s, c.Err
	}
	c.Skip(4) // the versions of the free space and of the root, a reserved byte, the version of shared headers
	readSizes(f, &c)
	c.Skip(1 + 2 + 2 + 4) // reserved; the sizes of nodes of groups, which are only needed to write; flags
	if s.Version == 1 {
		c.Skip(4)
	}
	c.Address() // the base address: libhdf5 too takes the place of the superblock instead
	c.Address() // free space
	c.Address() // the end of the file
	if driver := c.Address(); driver != storage.Undefined && c.Err == nil {
		if err := checkDriver(f, driver); err != nil {
			return s, err
		}
	}
	c.Skip(f.OffsetSize) // the name of the root
	s.Root = c.Address()
	return s, c.Err
}

// readSizes takes the sizes of addresses and lengths.
func readSizes(f *storage.Input, c *storage.Cursor) {
	f.OffsetSize, f.LengthSize = c.U8(), c.U8()
	for _, n := range []int{f.OffsetSize, f.LengthSize} {
		if c.Err == nil && n != 2 && n != 4 && n != 8 {
			c.Unsupported("addresses of %d bytes and lengths of %d", f.OffsetSize, f.LengthSize)
		}
	}
}

// checkDriver refuses files that continue in other files, by the drivers family and multi (split).
func checkDriver(f *storage.Input, at uint64) error {
	c := f.Cursor("driver information", at, 16)
	c.Skip(8)
	if name := c.Text(8); c.Err == nil && name != "" {
		c.Unsupported("the file is one of several of the driver %.8q", name)
	}
	return c.Err
}

// SuperblockSize is the size of superblock 0, with addresses of 8 bytes.
const SuperblockSize = 96

// NewSuperblock returns superblock 0. The address of the end of the file is the only one that counts from the start of the
// file and not from the superblock.
func NewSuperblock(userBlock int, end uint64, root Symbol) []byte {
	b := []byte(signature + "\x00\x00\x00\x00\x00\x08\x08\x00")
	b = binary.LittleEndian.AppendUint16(b, leafK)
	b = binary.LittleEndian.AppendUint16(b, internalK)
	b = append(b, 0, 0, 0, 0)
	for _, x := range []uint64{uint64(userBlock), storage.Undefined, uint64(userBlock) + end, storage.Undefined} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return root.append(b)
}
