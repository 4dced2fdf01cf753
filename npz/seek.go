package npz

import (
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"sort"

	"github.com/npygo/npy/internal/inflate"
	"github.com/npygo/npy/internal/zipfile"
)

const (
	seekStep   = 4 << 20 // least number of bytes between seek points
	seekPoints = 256     // most points of a member: 8 MB with their history
	historyLen = 32 << 10
)

// A seekPoint is a position in a deflate stream from which it can be decoded.
type seekPoint struct {
	inflate.Point
	history []byte // uncompressed data before the point, as far back as the stream can refer to it
}

// BuildIndex decodes a member once and records positions in it, so that [Reader.Slice] need not decode it from its
// start again. It is for archives of np.savez_compressed from which many parts are read. The index takes at most 8 MB
// for each member, as long as the Reader lives. For members that can be read at any position, stored or compressed in
// pieces, it does nothing; for methods other than deflate the error wraps [errors.ErrUnsupported].
//
// With [Decoder.IndexFile], an index in this file is used instead of decoding, and a new index is added to the file.
// If the file cannot be written, this is the error, but the index is in use.
func (z *Reader) BuildIndex(name string) error {
	e, err := z.find(name)
	if err != nil {
		return err
	}
	switch _, inPieces := e.Pieces(); {
	case z.r.Check() != nil:
		return about(e, z.r.Check())
	case Method(e.Method) == Store || inPieces:
		return nil
	case Method(e.Method) != Deflate:
		return errorf(e, "there is no index for members compressed with %s: %w", Method(e.Method), errors.ErrUnsupported)
	}
	offset, err := z.locate(e, &z.window)
	if err != nil {
		return err
	}
	if err := z.dec.checkSize(e); err != nil {
		return err
	}
	if z.kept(e) {
		return nil
	}
	points, err := z.findPoints(e, offset)
	if err != nil {
		return err
	}
	z.indices.Store(e, points)
	return z.keep()
}

// findPoints decodes a member and verifies its checksum.
func (z *Reader) findPoints(e *zipfile.Entry, offset int64) ([]seekPoint, error) {
	src, err := z.compressed(context.Background(), offset, e.CompressedSize, &z.window)
	if err != nil {
		return nil, about(e, err)
	}
	dst := makeDirty(e.Size)
	d := z.inflater()
	defer z.inflaters.Put(d)
	var points []seekPoint
	_, err = d.Points(dst, src, max(seekStep, len(dst)/seekPoints+1), func(p inflate.Point) {
		points = append(points, seekPoint{p, bytes.Clone(dst[max(p.Out-historyLen, 0):p.Out])})
	})
	if err != nil {
		return nil, about(e, err)
	}
	if sum := crc32.ChecksumIEEE(dst); sum != e.CRC32 {
		return nil, errChecksum(e, sum)
	}
	return points, nil
}

// inflateFrom decodes a range that begins at low, starting at the last point before it. If the range has several
// points, several goroutines decode it.
func (z *Reader) inflateFrom(ctx context.Context, e *zipfile.Entry, offset int64, points []seekPoint, dst []byte, low int64) error {
	high := low + int64(len(dst))
	first := sort.Search(len(points), func(i int) bool { return points[i].Out > low }) - 1
	last := sort.Search(len(points), func(i int) bool { return points[i].Out >= high })
	return z.eachPiece(ctx, max(last-first, 0), func(i int, s *pieceScratch) error {
		p := points[first+i]
		end, srcEnd := high, e.CompressedSize
		if first+i+1 < len(points) {
			next := points[first+i+1]
			end, srcEnd = min(high, next.Out), next.In/8+1
		}
		s.src = resize(s.src, int(srcEnd-p.In/8))
		if err := readAt(z.r, s.src, offset+p.In/8); err != nil {
			return err
		}
		s.dst = resize(s.dst, len(p.history)+int(end-p.Out))
		copy(s.dst, p.history)
		d := z.inflater()
		defer z.inflaters.Put(d)
		if err := d.Part(s.dst, s.src, len(p.history), int(p.In%8)); err != nil {
			return err
		}
		from := max(p.Out, low)
		copy(dst[from-low:end-low], s.dst[len(p.history)+int(from-p.Out):])
		return nil
	})
}
