package npz

import (
	"context"
	"fmt"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/zipfile"
)

// Slice reads part of an array, NpzFile[name][index...], and as little of the member as possible. Of a stored member
// it reads the selected bytes and short runs between them ([npy.Part.Read]), of a member compressed in pieces only
// the pieces with selected bytes, on several goroutines. Every other member is decoded from its start up to the last
// selected byte, or, after [Reader.BuildIndex], from near the first.
//
// If the index selects every element, the member is read whole and its checksum is verified, as in [Reader.Array].
// For other parts the checksum is verified only if the member must be decoded to its end. Errors about the index are
// the errors of [npy.Array.Slice]; arrays of objects are [npy.ErrObjects].
func (z *Reader) Slice(name string, index ...npy.Index) (*npy.Array, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	offset, h, err := z.readHeader(e)
	if err != nil {
		return nil, err
	}
	part, err := npy.PartOf(h, index...)
	if err != nil {
		return nil, about(e, err)
	}
	if selected := (format.Header{DType: part.DType(), Shape: part.Shape()}); selected.NBytes() == h.NBytes() {
		a, err := z.array(e, &z.window)
		if err != nil {
			return nil, err
		}
		return a.Slice(index...)
	}
	if err := z.dec.checkBytes(part.End - part.Start); err != nil {
		return nil, about(e, err)
	}
	if end := h.DataOffset + h.NBytes(); end > e.Size {
		return nil, errorf(e, "the array ends at byte %d of the member, which has %d: %w", end, e.Size, io.ErrUnexpectedEOF)
	}
	if Method(e.Method) == Store {
		a, err := part.Read(context.Background(), z.r, offset+h.DataOffset, npy.ReadOptions{})
		if err != nil {
			return nil, about(e, err)
		}
		return a, nil
	}
	data, err := z.decodeRange(e, offset, h.DataOffset+part.Start, h.DataOffset+part.End)
	if err != nil {
		return nil, about(e, err)
	}
	a, err := part.Array(data)
	if err != nil {
		return nil, about(e, err)
	}
	if len(data) > 2*a.NBytes() { // most of it is not selected, and would stay in memory with the rest
		return a.Clone(), nil
	}
	return a, nil
}

// decodeRange returns the bytes from low to high of the decoded data of a compressed member.
func (z *Reader) decodeRange(e *zipfile.Entry, offset, low, high int64) ([]byte, error) {
	if Method(e.Method) == Deflate {
		if p, ok := e.Pieces(); ok {
			data := makeDirty(high - low)
			return data, z.inflateRange(e, offset, p, data, low)
		}
		if points, ok := z.indices.Load(e); ok {
			data := makeDirty(high - low)
			return data, z.inflateFrom(e, offset, points.([]seekPoint), data, low)
		}
	}
	r, err := z.checkedStream(e, offset)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if n, err := io.CopyN(io.Discard, r, low); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("it ends after %d of %d bytes: %w", n, e.Size, io.ErrUnexpectedEOF)
		}
		return nil, err
	}
	data, err := readAligned(r, int(high-low))
	if err == nil && high == e.Size {
		err = r.end()
	}
	return data, err
}

// inflateRange decodes the pieces that overlap a range, which begins at low.
func (z *Reader) inflateRange(e *zipfile.Entry, offset int64, p zipfile.Pieces, dst []byte, low int64) error {
	if len(dst) == 0 {
		return nil
	}
	high := low + int64(len(dst))
	first, last := int(low/p.Size), int((high-1)/p.Size)
	return z.eachPiece(context.Background(), last-first+1, func(i int, s *pieceScratch) error {
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
