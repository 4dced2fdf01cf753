package hdf5

import "io"

const signature = "\x89HDF\r\n\x1a\n"

// A superblock is the start of a file: where everything else begins.
type superblock struct {
	version   int
	root      uint64 // the address of the root group's header
	extension uint64 // the address of the header with more messages, or undefined
}

// findSignature returns the offset of the superblock: 0, or 512 times a power of two after a user block. It reports
// false if there is none.
func findSignature(r io.ReaderAt, size int64) (int64, bool) {
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

// superblock reads the superblock at the address 0, and the sizes of addresses and lengths.
func (f *input) superblock() (superblock, error) {
	c := f.upTo("superblock", 0, 128)
	c.skip(len(signature))
	s := superblock{extension: undefined}
	s.version = c.version(0, 3)
	if s.version >= 2 {
		f.sizes(&c)
		c.skip(1) // file consistency flags
		c.address()
		s.extension = c.address()
		c.address() // the end of the file
		s.root = c.address()
		c.checksum()
		return s, c.err
	}
	c.skip(4) // the versions of the free space and of the root, a reserved byte, the version of shared headers
	f.sizes(&c)
	c.skip(1 + 2 + 2 + 4) // reserved; the sizes of nodes of groups, which are only needed to write; flags
	if s.version == 1 {
		c.skip(4)
	}
	c.address() // the base address: libhdf5 too takes the place of the superblock instead
	c.address() // free space
	c.address() // the end of the file
	if driver := c.address(); driver != undefined && c.err == nil {
		if err := f.driver(driver); err != nil {
			return s, err
		}
	}
	c.skip(f.offsetSize) // the name of the root
	s.root = c.address()
	return s, c.err
}

// sizes takes the sizes of addresses and lengths.
func (f *input) sizes(c *cursor) {
	f.offsetSize, f.lengthSize = c.u8(), c.u8()
	for _, n := range []int{f.offsetSize, f.lengthSize} {
		if c.err == nil && n != 2 && n != 4 && n != 8 {
			c.unsupported("addresses of %d bytes and lengths of %d", f.offsetSize, f.lengthSize)
		}
	}
}

// driver refuses files that continue in other files: those of the drivers family and multi (split).
func (f *input) driver(at uint64) error {
	c := f.cursor("driver information", at, 16)
	c.skip(8)
	if name := c.text(8); c.err == nil && name != "" {
		c.unsupported("the file is one of several of the driver %.8q", name)
	}
	return c.err
}
