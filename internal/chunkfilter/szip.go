package chunkfilter

import (
	"encoding/binary"
	"fmt"
)

// szip is the filter 4: the lossless compression of CCSDS 121.0, as libaec writes it for HDF5. Samples come in blocks, and
// blocks in lines; a sample is what a line predicts of it and a difference, whose code each block chooses.
type szip struct {
	block   int  // samples of a block
	bits    uint // of a sample
	bytes   int  // of a sample
	planes  int  // of the bytes of elements, which are samples then; 1 for elements that are samples
	line    int  // samples of a line
	blocks  int  // of a line
	big     bool
	nearest bool // samples are differences from the one before
	idBits  uint
}

// The options.
const (
	szipMSB     = 16
	szipNearest = 32
)

const (
	szipBlock  = 32  // samples of a block, at most
	szipBlocks = 128 // of a line, at most
)

func newSzip(values []uint32) step {
	if len(values) < 4 {
		return faulty{err: fmt.Errorf("%d parameters of 4", len(values))}
	}
	block, depth, line := values[1], values[2], values[3]
	if block < 2 || block > szipBlock || block%2 != 0 || line == 0 || line > block*szipBlocks || depth == 0 || depth > 24 && depth != 32 && depth != 64 {
		return faulty{err: fmt.Errorf("blocks of %d samples of %d bits, in lines of %d", block, depth, line)}
	}
	f := szip{block: int(block), bits: uint(depth), planes: 1, line: int(line), big: values[0]&szipMSB != 0, nearest: values[0]&szipNearest != 0}
	if depth >= 32 {
		f.bits, f.planes = 8, int(depth/8)
	}
	f.blocks = (f.line + f.block - 1) / f.block
	switch {
	case f.bits <= 8:
		f.bytes, f.idBits = 1, 3
	case f.bits <= 16:
		f.bytes, f.idBits = 2, 4
	default:
		f.bytes, f.idBits = 4, 5
	}
	return f
}

// grow allows for a chunk that libaec has made longer, which libhdf5 then stores without the filter.
func (szip) grow(n int) (int, bool) { return 2*n + 64, false }

// ratio is the most that a code stands for: 64 blocks of zeros, in 9 bits.
func (f szip) ratio() int { return (64*f.block*f.bytes*8+8)/9 + 1 }

func (f szip) decode(s *scratch, dst, src []byte, _ bool) (int, error) {
	if len(src) < 4 {
		return 0, corrupt(0, "%d bytes, too few for a header", len(src))
	}
	size := binary.LittleEndian.Uint32(src)
	if uint64(size) > uint64(len(dst)) || int(size)%(f.bytes*f.planes) != 0 {
		return 0, corrupt(0, "%d bytes of output, and at most %d are expected", size, len(dst))
	}
	dst = dst[:size]
	out := dst
	if f.planes > 1 {
		out = room(&s.planes, len(dst))
	}
	r := bitReader{src: src[4:]}
	var line [szipBlock * szipBlocks]uint32
	for at := 0; at < len(out); {
		n := min(f.line, (len(out)-at)/f.bytes)
		if err := f.readLine(&r, line[:], n); err != nil {
			return 0, corrupt(4+r.at, "%w", err)
		}
		at += f.put(out[at:], line[:n])
	}
	if f.planes > 1 {
		elements := len(dst) / f.planes
		for p := range f.planes {
			for i, b := range out[p*elements : (p+1)*elements] {
				dst[i*f.planes+p] = b
			}
		}
	}
	return len(dst), nil
}

// put writes samples and returns their bytes.
func (f szip) put(out []byte, line []uint32) int {
	switch {
	case f.bytes == 1:
		for i, v := range line {
			out[i] = byte(v)
		}
	case f.bytes == 2 && f.big:
		for i, v := range line {
			binary.BigEndian.PutUint16(out[2*i:], uint16(v))
		}
	case f.bytes == 2:
		for i, v := range line {
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
		}
	case f.big:
		for i, v := range line {
			binary.BigEndian.PutUint32(out[4*i:], v)
		}
	default:
		for i, v := range line {
			binary.LittleEndian.PutUint32(out[4*i:], v)
		}
	}
	return len(line) * f.bytes
}

// readLine reads the blocks of a line that has n samples.
func (f szip) readLine(r *bitReader, line []uint32, n int) error {
	for b := 0; b*f.block < n; {
		many, err := f.readBlocks(r, line, b)
		if err == nil && r.over {
			err = fmt.Errorf("the data ends in block %d of a line", b)
		}
		if err != nil {
			return err
		}
		b += many
	}
	if f.nearest {
		f.add(line[:n])
	}
	return nil
}

// readBlocks reads block b of a line, or a run of zeros that begins there, and returns the number of blocks.
func (f szip) readBlocks(r *bitReader, line []uint32, b int) (int, error) {
	block := line[b*f.block : (b+1)*f.block]
	first := 0 // the sample that has a difference: a line begins with a sample that is whole
	if f.nearest && b == 0 {
		first = 1
	}
	whole := func() {
		if first > 0 {
			block[0] = uint32(r.bits(f.bits))
		}
	}
	largest := uint32(1)<<f.bits - 1
	switch id := uint(r.bits(f.idBits)); {
	case id == 0 && r.bits(1) == 0:
		whole()
		many := r.zeros() + 1
		switch {
		case many == 5:
			many = min(f.blocks-b, 64-b%64)
		case many > 5:
			many--
		}
		if many > f.blocks-b {
			return 0, fmt.Errorf("a run of %d blocks in a line that has %d more", many, f.blocks-b)
		}
		clear(line[b*f.block+first : (b+many)*f.block])
		return many, nil
	case id == 0:
		whole()
		for i := 0; i < f.block; i += 2 {
			m := r.zeros()
			if m > 90 {
				return 0, fmt.Errorf("the pair %d, and the last is 90", m)
			}
			sum := 0
			for (sum+1)*(sum+2)/2 <= m {
				sum++
			}
			second := m - sum*(sum+1)/2
			if i >= first {
				block[i] = uint32(sum - second)
			}
			block[i+1] = uint32(second)
		}
	case id == 1<<f.idBits-1:
		for i := range block {
			block[i] = uint32(r.bits(f.bits))
		}
	default:
		k := id - 1
		whole()
		for i := first; i < len(block); i++ {
			high := r.zeros()
			if uint32(high) > largest>>k {
				return 0, fmt.Errorf("a difference of more than %d bits", f.bits)
			}
			block[i] = uint32(high) << k
		}
		for i := first; k > 0 && i < len(block); i++ {
			block[i] |= uint32(r.bits(k))
		}
	}
	return 1, nil
}

// add makes samples of differences: of those from the sample before, the small ones in the order 0, -1, 1, -2, 2, …, as far as both signs
// stay within the range of samples, and then the others.
func (f szip) add(line []uint32) {
	largest := uint32(1)<<f.bits - 1
	x := line[0]
	for i, d := range line[1:] {
		room := min(x, largest-x)
		switch {
		case d/2+d%2 <= room && d%2 == 0:
			x += d / 2
		case d/2+d%2 <= room:
			x -= d/2 + 1
		case x <= largest-x:
			x = d
		default:
			x = largest - d
		}
		x &= largest
		line[i+1] = x
	}
}
