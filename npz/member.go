package npz

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/zipfile"
)

const (
	maxWorkers  = 4         // goroutines that read one member: more are limited by memory bandwidth
	parallelMin = 4 << 20   // smallest size for which a second goroutine pays
	workPiece   = 256 << 10 // one read, small enough to be in the cache when its checksum is computed
	smallMember = 64 << 10  // largest member that is read through the window
)

// locate checks a member and returns the offset of its data in the file.
func (z *Reader) locate(e *zipfile.Entry, w *window) (int64, error) {
	if err := e.Err(); err != nil {
		return 0, public(err)
	}
	local, err := w.at(e.HeaderOffset, e.LocalSize())
	if err != nil {
		return 0, about(e, err)
	}
	offset, err := e.DataOffset(local)
	return offset, public(err)
}

// bytes returns a member's contents in new memory, aligned for every element type, after verifying the checksum.
func (z *Reader) bytes(ctx context.Context, e *zipfile.Entry, w *window) ([]byte, error) {
	offset, err := z.locate(e, w)
	if err != nil {
		return nil, err
	}
	if err := z.dec.checkSize(e); err != nil {
		return nil, err
	}
	data, sum, err := z.decode(ctx, e, offset, w)
	if err != nil {
		return nil, about(e, err)
	}
	if sum != e.CRC32 {
		return nil, errChecksum(e, sum)
	}
	return data, nil
}

func errChecksum(e *zipfile.Entry, sum uint32) error {
	return errorf(e, "its bytes have CRC-32 %08x, the directory says %08x: the file is damaged", sum, e.CRC32)
}

// decode returns a member's contents and CRC-32.
func (z *Reader) decode(ctx context.Context, e *zipfile.Entry, offset int64, w *window) (data []byte, sum uint32, err error) {
	switch Method(e.Method) {
	case Store:
		data = makeDirty(e.Size) // no more than the file has
		sum, err = z.fill(ctx, data, offset, w)
		return data, sum, err
	case Deflate:
		data = makeDirty(e.Size) // at most 1032 times the size in the file
		if pieces, ok := e.Pieces(); ok {
			sum, err = z.inflatePieces(ctx, e, offset, pieces, data)
			return data, sum, err
		}
		err = z.inflate(ctx, e, offset, w, data)
		return data, crc32.ChecksumIEEE(data), err
	}
	return z.readStream(e, offset)
}

// makeDirty returns n bytes that the caller overwrites.
func makeDirty(n int64) []byte {
	b := bulk.MakeDirty(int(n))
	bulk.AdviseHuge(b)
	return b
}

// fill reads stored data and computes its checksum while it is in the cache. Large data is read by several
// goroutines.
func (z *Reader) fill(ctx context.Context, dst []byte, offset int64, w *window) (sum uint32, err error) {
	if len(dst) <= smallMember {
		src, err := w.at(offset, len(dst))
		if err != nil {
			return 0, err
		}
		copy(dst, src)
		return crc32.ChecksumIEEE(dst), nil
	}
	announce.Reads(z.r, offset, int64(len(dst)))
	workers := workersFor(len(dst))
	part := (len(dst)/workers + workPiece) / workPiece * workPiece
	sums := make([]uint32, workers)
	err = par.Each(ctx, workers, workers, func(_, i int) (err error) {
		low := min(i*part, len(dst))
		sums[i], err = z.fillPart(dst[low:min(low+part, len(dst))], offset+int64(low))
		return err
	})
	for i, s := range sums {
		low := min(i*part, len(dst))
		sum = zipfile.CombineCRC32(sum, s, int64(min(low+part, len(dst))-low))
	}
	return sum, err
}

func (z *Reader) fillPart(dst []byte, offset int64) (sum uint32, err error) {
	for len(dst) > 0 {
		piece := dst[:min(workPiece, len(dst))]
		if err := readAt(z.r, piece, offset); err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, crc32.IEEETable, piece)
		dst, offset = dst[len(piece):], offset+int64(len(piece))
	}
	return sum, nil
}

// inflate decodes a deflate stream as a whole.
func (z *Reader) inflate(ctx context.Context, e *zipfile.Entry, offset int64, w *window, dst []byte) error {
	src, err := z.compressed(ctx, offset, e.CompressedSize, w)
	if err != nil {
		return err
	}
	d := z.inflater()
	defer z.inflaters.Put(d)
	_, err = d.Inflate(dst, src)
	return err
}

// compressed returns bytes of the archive. They must not be changed.
func (z *Reader) compressed(ctx context.Context, offset, size int64, w *window) ([]byte, error) {
	if size <= smallMember {
		b, err := w.at(offset, int(size))
		if err != nil {
			return nil, err
		}
		return b[:size], nil
	}
	b := makeDirty(size)
	workers := workersFor(len(b))
	part := (len(b) + workers - 1) / workers
	return b, par.Each(ctx, workers, workers, func(_, i int) error {
		low := min(i*part, len(b))
		return readAt(z.r, b[low:min(low+part, len(b))], offset+int64(low))
	})
}

// inflatePieces decodes a stream of pieces on several goroutines.
func (z *Reader) inflatePieces(ctx context.Context, e *zipfile.Entry, offset int64, p zipfile.Pieces, dst []byte) (sum uint32, err error) {
	announce.Reads(z.r, offset, e.CompressedSize)
	sums := make([]uint32, len(p.Starts))
	err = z.eachPiece(ctx, len(p.Starts), func(i int, s *pieceScratch) error {
		part := dst[int64(i)*p.Size : min(int64(i+1)*p.Size, e.Size)]
		err := z.inflatePiece(e, offset, p, i, part, s)
		sums[i] = crc32.ChecksumIEEE(part)
		return err
	})
	for i, s := range sums {
		sum = zipfile.CombineCRC32(sum, s, min(p.Size, e.Size-int64(i)*p.Size))
	}
	return sum, err
}

// A pieceScratch holds the buffers of a goroutine that decodes pieces.
type pieceScratch struct{ src, dst []byte }

// eachPiece calls do for 0 to n-1 on several goroutines. Each goroutine reuses its buffers.
func (z *Reader) eachPiece(ctx context.Context, n int, do func(i int, s *pieceScratch) error) error {
	workers := min(par.Workers(), n)
	scratch := make([]pieceScratch, workers)
	return par.Each(ctx, n, workers, func(w, i int) error { return do(i, &scratch[w]) })
}

// inflatePiece decodes piece i into dst, which has its size.
func (z *Reader) inflatePiece(e *zipfile.Entry, offset int64, p zipfile.Pieces, i int, dst []byte, s *pieceScratch) error {
	start, end, last := p.Starts[i], e.CompressedSize, i == len(p.Starts)-1
	if !last {
		end = p.Starts[i+1]
	}
	s.src = resize(s.src, int(end-start))
	if err := readAt(z.r, s.src, offset+start); err != nil {
		return err
	}
	d := z.inflater()
	defer z.inflaters.Put(d)
	if err := d.Piece(dst, s.src, last); err != nil {
		return fmt.Errorf("piece %d of %d, by the index in the directory: %w", i, len(p.Starts), err)
	}
	return nil
}

// resize returns n bytes with arbitrary contents, in b if it is large enough.
func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// readStream reads a member that can only be decompressed in sequence.
func (z *Reader) readStream(e *zipfile.Entry, offset int64) (data []byte, sum uint32, err error) {
	r, err := z.stream(e, offset)
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	if data, err = readAligned(r, int(e.Size)); err != nil {
		return nil, 0, err
	}
	var more [1]byte
	switch n, err := bounded.ReadFull(r, more[:]); {
	case n > 0:
		return nil, 0, fmt.Errorf("it has more than the %d bytes that the directory says", e.Size)
	case err != io.EOF:
		return nil, 0, err
	}
	return data, crc32.ChecksumIEEE(data), nil
}

// readAligned reads n bytes into memory that is aligned for every element type and grows with the data that arrives.
func readAligned(r io.Reader, n int) ([]byte, error) {
	var data []byte
	have := 0
	for _, size := range bounded.Sizes(n, bounded.First) {
		grown := makeDirty(int64(size))
		copy(grown, data[:have])
		data = grown
		m, err := bounded.ReadFull(r, data[have:])
		have += m
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("it ends after %d of %d bytes: %w", have, n, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// workersFor returns the number of goroutines that pay for n bytes.
func workersFor(n int) int {
	return max(min(par.Workers(), maxWorkers, n/(parallelMin/2)), 1)
}
