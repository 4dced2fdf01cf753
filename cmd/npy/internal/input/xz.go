package input

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"slices"

	"github.com/ulikunitz/xz/lzma"
)

// An xzReader reads the blocks of .xz files, whose data package lzma decompresses, and verifies all that the format repeats:
// checksums, sizes, the index. Package xz takes the end of a file within a header for the end of its data, and limits the
// dictionary of no block.
type xzReader struct {
	in    *countingBytes
	flags [2]byte // of the stream
	sizes []xzSizes
	block *xzBlock // nil between blocks
	begun bool     // the header of a stream was read, and its footer was not
	err   error
}

// xzSizes are the sizes of a block, as the index repeats them.
type xzSizes struct{ unpadded, uncompressed uint64 }

// An xzBlock is a block that is being read.
type xzBlock struct {
	data  *lzma.Reader2
	start int64 // in the file
	sum   hash.Hash
	xzSizes
	want [2]int64 // the sizes in its header, compressed and uncompressed; -1 for one that it lacks
	head int64    // bytes of the header
}

// countingBytes counts the bytes that are read. Since it has ReadByte, package lzma reads no byte too many.
type countingBytes struct {
	*bufio.Reader
	n int64
}

// Read implements io.Reader.
func (c *countingBytes) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte implements io.ByteReader.
func (c *countingBytes) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

const (
	xzMagic  = "\xfd7zXZ\x00"
	xzFooter = "YZ"
	xzLZMA2  = 0x21 // the filter
)

// xzSums are the checksums of blocks, by the number in the flags of a stream.
var xzSums = map[byte]func() hash.Hash{
	0:  nil,
	1:  func() hash.Hash { return reversedSum{crc32.NewIEEE()} },
	4:  func() hash.Hash { return reversedSum{crc64.New(crc64.MakeTable(crc64.ECMA))} },
	10: sha256.New,
}

// A reversedSum is a checksum that .xz files have in little-endian order.
type reversedSum struct{ hash.Hash }

// Sum implements hash.Hash.
func (s reversedSum) Sum(b []byte) []byte {
	sum := s.Hash.Sum(nil)
	slices.Reverse(sum)
	return append(b, sum...)
}

var errXZ = errors.New("corrupt data")

// newXZReader returns the content of an .xz file.
func newXZReader(r *bufio.Reader) (io.ReadCloser, error) {
	x := &xzReader{in: &countingBytes{Reader: r}}
	if err := x.stream(); err != nil {
		return nil, early(err)
	}
	return io.NopCloser(x), nil
}

// early returns err, or io.ErrUnexpectedEOF for the end of a file.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read implements io.Reader.
func (x *xzReader) Read(p []byte) (n int, err error) {
	for n == 0 && x.err == nil && len(p) > 0 {
		n, x.err = x.read(p)
		if x.begun {
			x.err = early(x.err)
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, x.err
}

// read reads on in a block, or starts the next one. The error is io.EOF at the end of the file, which may be sound only between
// streams.
func (x *xzReader) read(p []byte) (int, error) {
	switch {
	case !x.begun:
		return 0, x.stream()
	case x.block == nil:
		return 0, x.next()
	}
	b := x.block
	n, err := b.data.Read(p)
	b.uncompressed += uint64(n)
	if b.sum != nil {
		b.sum.Write(p[:n])
	}
	if err != io.EOF {
		return n, err
	}
	x.block = nil
	return n, x.end(b)
}

// bytes reads n bytes.
func (x *xzReader) bytes(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(x.in, b)
	return b, err
}

// stream reads the header of a stream, and padding before it. The error is io.EOF if there is none.
func (x *xzReader) stream() error {
	b, err := x.bytes(4)
	for err == nil && x.in.n > 4 && string(b) == "\x00\x00\x00\x00" {
		b, err = x.bytes(4)
	}
	if err != nil {
		return err
	}
	rest, err := x.bytes(8)
	if b = append(b, rest...); err != nil {
		return early(err)
	}
	x.flags, x.sizes = [2]byte(b[6:]), nil
	_, known := xzSums[x.flags[1]]
	switch {
	case string(b[:6]) != xzMagic, crc32.ChecksumIEEE(b[6:8]) != binary.LittleEndian.Uint32(b[8:]):
		return fmt.Errorf("%w: the header of a stream", errXZ)
	case x.flags[0] != 0 || !known:
		return fmt.Errorf("checksum %d: %w", x.flags[1], errors.ErrUnsupported)
	}
	x.begun = true
	return nil
}

// next reads the header of a block, or the index and the footer of the stream.
func (x *xzReader) next() error {
	start := x.in.n
	size, err := x.in.ReadByte()
	switch {
	case err != nil:
		return err
	case size == 0:
		return x.index(start)
	}
	b, err := x.bytes(4*int(size) + 3)
	if err != nil {
		return err
	}
	head, sum := append([]byte{size}, b[:len(b)-4]...), b[len(b)-4:]
	if crc32.ChecksumIEEE(head) != binary.LittleEndian.Uint32(sum) {
		return fmt.Errorf("%w: the header of a block", errXZ)
	}
	block := &xzBlock{start: start, head: x.in.n - start, want: [2]int64{-1, -1}}
	if x.block, err = block, block.open(head[1:], x.in); err != nil {
		return err
	}
	if sum := xzSums[x.flags[1]]; sum != nil {
		block.sum = sum()
	}
	return nil
}

// open reads the header of a block, which is sound.
func (b *xzBlock) open(head []byte, in io.Reader) error {
	flags := head[0]
	head = head[1:]
	for i := range b.want {
		if flags>>(6+i)&1 != 0 {
			n, k := binary.Uvarint(head)
			if k <= 0 || n > 1<<62 {
				return fmt.Errorf("%w: the sizes of a block", errXZ)
			}
			b.want[i], head = int64(n), head[k:]
		}
	}
	if flags&0x3f != 0 || len(head) < 3 || head[0] != xzLZMA2 || head[1] != 1 {
		return fmt.Errorf("a block with other filters than LZMA2: %w", errors.ErrUnsupported)
	}
	dictionary, err := lzma.DecodeDictCap(head[2])
	if err == nil && dictionary > maxDictionary {
		err = fmt.Errorf("a dictionary of %d bytes is over %d", dictionary, maxDictionary)
	}
	if err != nil {
		return err
	}
	if n := b.want[1]; n >= 0 { // the data refers to itself alone
		dictionary = min(dictionary, n)
	}
	b.data, err = lzma.Reader2Config{DictCap: int(max(dictionary, lzma.MinDictCap))}.NewReader2(in)
	return err
}

// end reads the padding and the checksum of a block.
func (x *xzReader) end(b *xzBlock) error {
	compressed := x.in.n - b.start - b.head
	padding, err := x.bytes(int(-x.in.n & 3))
	if err != nil {
		return early(err)
	}
	sum := []byte{}
	if b.sum != nil {
		if sum, err = x.bytes(b.sum.Size()); err != nil {
			return early(err)
		}
	}
	b.unpadded = uint64(b.head + compressed + int64(len(sum)))
	x.sizes = append(x.sizes, b.xzSizes)
	switch {
	case b.sum != nil && string(sum) != string(b.sum.Sum(nil)):
		return fmt.Errorf("%w: the checksum of a block is %x, and its data has %x", errXZ, sum, b.sum.Sum(nil))
	case b.want[0] >= 0 && b.want[0] != compressed, b.want[1] >= 0 && b.want[1] != int64(b.uncompressed), !isZero(padding):
		return fmt.Errorf("%w: a block has other sizes than its header", errXZ)
	}
	return nil
}

func isZero(b []byte) bool { return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 }) }

// index reads the index of a stream, which repeats the sizes of all blocks, and the footer.
func (x *xzReader) index(start int64) error {
	sum := crc32.NewIEEE()
	sum.Write([]byte{0})
	in := &summedBytes{x.in, sum}
	n, err := binary.ReadUvarint(in)
	if err == nil && n != uint64(len(x.sizes)) {
		err = fmt.Errorf("%w: an index of %d blocks, and the stream has %d", errXZ, n, len(x.sizes))
	}
	for i := 0; err == nil && i < len(x.sizes); i++ {
		var s xzSizes
		if s.unpadded, err = binary.ReadUvarint(in); err == nil {
			s.uncompressed, err = binary.ReadUvarint(in)
		}
		if err == nil && s != x.sizes[i] {
			err = fmt.Errorf("%w: the sizes of block %d in the index", errXZ, i)
		}
	}
	for err == nil && (x.in.n-start)&3 != 0 {
		var c byte
		if c, err = in.ReadByte(); err == nil && c != 0 {
			err = fmt.Errorf("%w: the padding of the index", errXZ)
		}
	}
	if err != nil {
		return early(err)
	}
	size := x.in.n - start
	b, err := x.bytes(4 + 12)
	if err != nil {
		return early(err)
	}
	foot := b[4:]
	switch {
	case binary.LittleEndian.Uint32(b) != sum.Sum32(), crc32.ChecksumIEEE(foot[4:10]) != binary.LittleEndian.Uint32(foot),
		string(foot[10:]) != xzFooter, [2]byte(foot[8:]) != x.flags, 4*(int64(binary.LittleEndian.Uint32(foot[4:]))+1) != size+4:
		return fmt.Errorf("%w: the index or the footer of a stream", errXZ)
	}
	x.begun = false
	return nil
}

// summedBytes adds the bytes that are read to a checksum.
type summedBytes struct {
	in  io.ByteReader
	sum hash.Hash32
}

// ReadByte implements io.ByteReader.
func (s *summedBytes) ReadByte() (byte, error) {
	c, err := s.in.ReadByte()
	if err == nil {
		s.sum.Write([]byte{c})
	}
	return c, err
}
