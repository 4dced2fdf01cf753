package npz

import (
	"context"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/zipfile"
)

// Slice reads part of an array, NpzFile[name][index...], and as little of the member as possible. Of a stored member
// it reads the selected bytes and short runs between them ([npy.Selection.Read]), of a member compressed in pieces only
// the pieces with selected bytes, on several goroutines. Every other member is decoded from its start up to the last
// selected byte, or, after [Reader.BuildIndex], from near the first.
//
// If the index selects every element, the member is read whole and its checksum is verified, as in [Reader.Array].
// For other parts the checksum is verified only if the member must be decoded to its end. Errors about the index are
// the errors of [npy.Array.Slice]; arrays of objects are [npy.ErrObjects]. Slice cannot be cancelled: the Source of
// [Reader.Source] can.
func (z *Reader) Slice(name string, index ...npy.Index) (*npy.Array, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	m, err := z.member(e, false)
	if err != nil {
		return nil, err
	}
	part, err := npy.SelectionOf(m.header, index...)
	if err != nil {
		return nil, about(e, err)
	}
	return m.read(context.Background(), part)
}

// decodeRange returns the bytes from low to high of the decoded data of a compressed member. With more, a decoder that
// can only go on from there is kept for the next part.
func (z *Reader) decodeRange(ctx context.Context, e *zipfile.Entry, offset, low, high int64, more bool) ([]byte, error) {
	if !z.inSequence(e) {
		data := makeDirty(high - low)
		return data, z.decodeTo(ctx, e, offset, data, low, more)
	}
	c, err := z.cursorAt(ctx, e, offset, low)
	if err != nil {
		return nil, err
	}
	return z.readCursor(ctx, c, int(high-low), more)
}

// inSequence reports whether a member can only be decompressed from its start.
func (z *Reader) inSequence(e *zipfile.Entry) bool {
	_, inPieces := e.Pieces()
	_, indexed := z.indices.Load(e)
	return Method(e.Method) != Store && !inPieces && !indexed
}

// decodeTo is decodeRange into dst, which has the size of the range.
func (z *Reader) decodeTo(ctx context.Context, e *zipfile.Entry, offset int64, dst []byte, low int64, more bool) error {
	if p, ok := e.Pieces(); ok {
		return z.inflateRange(ctx, e, offset, p, dst, low)
	}
	if points, ok := z.indices.Load(e); ok {
		return z.inflateFrom(ctx, e, offset, points.([]seekPoint), dst, low)
	}
	c, err := z.cursorAt(ctx, e, offset, low)
	if err != nil {
		return err
	}
	n, err := bounded.ReadFull(untilDone{ctx, c}, dst)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errEarly(low+int64(n), e.Size)
	}
	return z.leaveCursor(c, n, more, err)
}

// inflateRange decodes the pieces that overlap a range, which begins at low.
func (z *Reader) inflateRange(ctx context.Context, e *zipfile.Entry, offset int64, p zipfile.Pieces, dst []byte, low int64) error {
	if len(dst) == 0 {
		return nil
	}
	high := low + int64(len(dst))
	first, last := int(low/p.Size), int((high-1)/p.Size)
	return z.eachPiece(ctx, last-first+1, func(i int, s *pieceScratch) error {
		i += first
		start, end := int64(i)*p.Size, min(int64(i+1)*p.Size, e.Size)
		if start >= low && end <= high {
			return z.inflatePiece(e, offset, p, i, dst[start-low:end-low], s)
		}
		s.dst = resize(s.dst, int(end-start))
		err := z.inflatePiece(e, offset, p, i, s.dst, s)
		from, to := max(start, low), min(end, high)
		copy(dst[from-low:to-low], s.dst[from-start:])
		return err
	})
}
