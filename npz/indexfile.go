package npz

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/zipfile"
)

// The layout of an index file is described in doc/npz-index.md. All numbers are little-endian.
const (
	indexMagic  = "\x93NPZIDX\x01" // the last byte is the version
	indexHeader = len(indexMagic) + 8 + 4
	indexEntry  = 4 + 4
	indexPoint  = 8 + 8
	indexSum    = 4
)

// kept reports whether the index file has an index for a member.
func (z *Reader) kept(e *zipfile.Entry) bool {
	if z.dec.IndexFile == "" {
		return false
	}
	z.indexFile.Do(z.readIndexFile)
	_, ok := z.indices.Load(e)
	return ok
}

// readIndexFile reads the indices for this archive from the index file. It takes none if anything is wrong with the
// file.
func (z *Reader) readIndexFile() {
	f, err := os.Open(z.dec.IndexFile)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > z.maxIndexFile() {
		return
	}
	b := make([]byte, info.Size()) // no more than the file has
	if _, err := io.ReadFull(f, b); err != nil {
		return
	}
	indices, ok := z.parseIndexFile(b)
	if !ok {
		return
	}
	for e, points := range indices {
		z.indices.LoadOrStore(e, points)
	}
}

// maxIndexFile returns the largest size of an index file of this archive.
func (z *Reader) maxIndexFile() int64 {
	most := int64(indexHeader + indexSum)
	for i := range z.dir.Entries {
		points := min(z.dir.Entries[i].Size/seekStep+1, seekPoints)
		most += indexEntry + points*(indexPoint+historyLen)
	}
	return min(most, math.MaxInt)
}

// indexFileHeader returns the start of an index file of this archive. It identifies the archive by its size and the
// CRC-32 of its directory, which contains the CRC-32 of every member.
func (z *Reader) indexFileHeader() ([]byte, error) {
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(z.r, z.dir.Offset, z.dir.Size)); err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint64([]byte(indexMagic), uint64(z.size))
	return binary.LittleEndian.AppendUint32(b, sum.Sum32()), nil
}

// parseIndexFile parses an index file and reports whether it is whole and belongs to this archive.
func (z *Reader) parseIndexFile(b []byte) (map[*zipfile.Entry][]seekPoint, bool) {
	header, err := z.indexFileHeader()
	if err != nil || !bytes.HasPrefix(b, header) || len(b) < indexHeader+indexSum {
		return nil, false
	}
	body, sum := b[:len(b)-indexSum], binary.LittleEndian.Uint32(b[len(b)-indexSum:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, false
	}
	indices := map[*zipfile.Entry][]seekPoint{}
	for body = body[indexHeader:]; len(body) > 0; {
		if len(body) < indexEntry {
			return nil, false
		}
		i, count := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[4:])
		if int64(i) >= int64(len(z.dir.Entries)) {
			return nil, false
		}
		e := &z.dir.Entries[i]
		points, rest, ok := parsePoints(e, count, body[indexEntry:])
		if !ok || indices[e] != nil {
			return nil, false
		}
		indices[e], body = points, rest
	}
	return indices, true
}

// parsePoints parses the points of a member and returns the bytes after them. The points must lie within the member,
// in order, and the first must be at its start.
func parsePoints(e *zipfile.Entry, count uint32, b []byte) (points []seekPoint, rest []byte, ok bool) {
	if Method(e.Method) != Deflate || count == 0 || count > seekPoints {
		return nil, nil, false
	}
	for i := range count {
		if len(b) < indexPoint {
			return nil, nil, false
		}
		in, out := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		b = b[indexPoint:]
		if in > math.MaxInt64 || int64(in/8) >= e.CompressedSize || out > uint64(e.Size) {
			return nil, nil, false
		}
		p := seekPoint{}
		p.In, p.Out = int64(in), int64(out)
		if first := i == 0; first && (p.In != 0 || p.Out != 0) || !first && (p.In <= points[i-1].In || p.Out <= points[i-1].Out) {
			return nil, nil, false
		}
		n := int(min(p.Out, historyLen))
		if len(b) < n {
			return nil, nil, false
		}
		p.history, b = b[:n:n], b[n:]
		points = append(points, p)
	}
	return points, b, true
}

// keep writes the indices of all members to the index file.
func (z *Reader) keep() error {
	if z.dec.IndexFile == "" {
		return nil
	}
	z.saving.Lock()
	defer z.saving.Unlock()
	b, err := z.indexFileHeader()
	if err != nil {
		return err
	}
	for i := range z.dir.Entries {
		if points, ok := z.indices.Load(&z.dir.Entries[i]); ok {
			b = appendPoints(b, i, points.([]seekPoint))
		}
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	f, err := atomicfile.Create(z.dec.IndexFile)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Commit(false)
}

// appendPoints appends the index of member i.
func appendPoints(b []byte, i int, points []seekPoint) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(i))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(points)))
	for _, p := range points {
		b = binary.LittleEndian.AppendUint64(b, uint64(p.In))
		b = binary.LittleEndian.AppendUint64(b, uint64(p.Out))
		b = append(b, p.history...)
	}
	return b
}
