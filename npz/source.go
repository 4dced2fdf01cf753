package npz

import (
	"context"
	"hash/crc32"
	"io"
	"iter"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/zipfile"
	"github.com/npygo/npy/source"
)

// Source returns an array as a [npy.Source], for packages stats, diff and convert, [npy.Printer] and [npy.Copier], and
// reads only its header. Until the Reader is closed, the Source reads its elements from the archive, in little memory:
//
//   - of a stored member, the bytes of a selection and short runs between them;
//   - of a member compressed in pieces, or of one with an index ([Reader.BuildIndex]), the part with the selection;
//   - of every other member, everything from its start to the selection. Parts that follow each other are
//     decompressed in one pass.
//
// [npy.Source.ReadAll] of the whole array verifies the checksum, and [npy.Source.Blocks] verifies it before the last
// block. Parts are read as by [Reader.Slice]. Blocks in C order of a compressed member in Fortran order are read at
// once; [npy.StoredOrder] avoids that. Arrays of Python objects are read as a whole, by [Decoder.Array].
//
// The Source may be used by several goroutines. Errors are as for [Reader.Array].
func (z *Reader) Source(name string) (npy.Source, error) {
	e, err := z.find(name)
	if err != nil {
		return nil, err
	}
	m, err := z.member(e, true)
	if err != nil {
		return nil, err
	}
	if m.header.DType.HasObject() {
		return source.Whole(m.header.DType, m.header.Shape, func(ctx context.Context) (*npy.Array, error) {
			return z.array(ctx, e, &z.window)
		}), nil
	}
	return m.source()
}

// A member is an array in an archive whose header has been read.
type member struct {
	z      *Reader
	e      *zipfile.Entry
	offset int64 // of the member's data in the file
	header format.Header
	more   bool // the part that is read next may follow
}

// member reads the header of an array, and checks that the member is as long as the header says.
func (z *Reader) member(e *zipfile.Entry, more bool) (member, error) {
	offset, h, err := z.readHeader(e, more)
	if err != nil {
		return member{}, err
	}
	m := member{z, e, offset, h, more}
	if m.end() > e.Size && !h.DType.HasObject() {
		return m, errorf(e, "the array ends at byte %d of the member, which has %d: %w", m.end(), e.Size, io.ErrUnexpectedEOF)
	}
	return m, nil
}

// sequential reports whether the member can only be decompressed from its start.
func (m member) sequential() bool { return m.z.inSequence(m.e) }

// end returns the end of the array in the member's contents. Trailing data may follow.
func (m member) end() int64 { return m.header.DataOffset + m.header.NBytes() }

// read reads a part. The checksum is verified if the part has every element.
func (m member) read(ctx context.Context, part npy.Selection) (*npy.Array, error) {
	switch {
	case m.z.r.Check() != nil:
		return nil, m.about(m.z.r.Check())
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	if Method(m.e.Method) == Store && !m.isWhole(part) {
		if err := m.z.dec.checkBytes(part.End - part.Start); err != nil {
			return nil, m.about(err)
		}
		a, err := part.Read(ctx, m.z.r, m.offset+m.header.DataOffset, npy.ReadOptions{})
		return a, m.about(err)
	}
	if m.isSparse(part) {
		a, err := part.Read(ctx, inOrder{ctx, m}, m.header.DataOffset, npy.ReadOptions{Gap: sparsePiece, Workers: 1})
		return a, m.about(err)
	}
	data, err := m.extent(ctx, part)
	if err != nil {
		return nil, m.about(err)
	}
	a, err := part.Array(data)
	if err != nil {
		return nil, m.about(err)
	}
	if len(data) > 2*a.NBytes() { // most of it is not selected, and would stay in memory with the rest
		return a.Clone(), nil
	}
	return a, nil
}

// isWhole reports whether a part has every element.
func (m member) isWhole(part npy.Selection) bool {
	return format.Header{DType: part.DType(), Shape: part.Shape()}.NBytes() == m.header.NBytes()
}

const (
	sparseMin   = 16 << 20 // bytes from the first to the last of a part that may always be held
	sparsePiece = 1 << 20  // bytes that are not selected and are decoded with the others
)

// isSparse reports whether a compressed member has many bytes between the bytes of a part, which are not held all at
// once.
func (m member) isSparse(part npy.Selection) bool {
	selected := format.Header{DType: part.DType(), Shape: part.Shape()}
	return part.End-part.Start > max(sparseMin, 2*selected.NBytes())
}

// inOrder reads the contents of a compressed member, in ascending order.
type inOrder struct {
	ctx context.Context
	m   member
}

// ReadAt implements [io.ReaderAt].
func (r inOrder) ReadAt(p []byte, at int64) (int, error) {
	if err := r.m.z.decodeTo(r.ctx, r.m.e, r.m.offset, p, at, true); err != nil {
		return 0, err
	}
	return len(p), nil
}

// extent returns the bytes from the first to the last of a part.
func (m member) extent(ctx context.Context, part npy.Selection) ([]byte, error) {
	low, high := m.header.DataOffset+part.Start, m.header.DataOffset+part.End
	if err := m.z.dec.checkBytes(high - low); err != nil {
		return nil, err
	}
	whole := m.isWhole(part)
	if whole && (Method(m.e.Method) == Deflate || !m.more || !m.sequential()) { // else the stream of the header goes on
		data, err := m.z.bytes(ctx, m.e, &m.z.window)
		if err != nil {
			return nil, err
		}
		return data[low:high], nil
	}
	data, err := m.z.decodeRange(ctx, m.e, m.offset, low, high, m.more)
	if err == nil && whole {
		err = m.sum(ctx, new(uint32), m.end(), m.e.Size) // at its end a stream verifies the checksum
	}
	return data, err
}

// about returns err as an error about the member. nil stays nil.
func (m member) about(err error) error {
	if err == nil {
		return nil
	}
	return about(m.e, err)
}

// A memberSource is a member without objects as a [npy.Source].
type memberSource struct {
	npy.Source // parts, and the whole
	member
}

func (m member) source() (npy.Source, error) {
	parts, err := source.FromParts(m.header, m.read)
	if err != nil {
		return nil, m.about(err)
	}
	return &memberSource{parts, m}, nil
}

// Header returns the header of the array.
func (s *memberSource) Header() format.Header {
	h := s.header
	h.Shape = slices.Clone(h.Shape)
	return h
}

// Select implements [npy.Source].
func (s *memberSource) Select(index ...npy.Index) (npy.Source, error) {
	if err := s.z.r.Check(); err != nil {
		return nil, s.about(err)
	}
	return s.Source.Select(index...)
}

// InSequence reports whether the member is decompressed from its start for every read.
func (s *memberSource) InSequence() bool { return s.sequential() }

// StoredOrder returns the transposed array if it is stored in C order and the array is not.
func (s *memberSource) StoredOrder() (npy.Source, bool) {
	if !npy.HeaderOf(s).FortranOrder {
		return s, false
	}
	m := s.member
	m.header.Shape, m.header.FortranOrder = slices.Clone(m.header.Shape), false
	slices.Reverse(m.header.Shape)
	t, err := m.source()
	if err != nil {
		return s, false
	}
	return t, true
}

// Blocks implements [npy.Source].
func (s *memberSource) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return func(yield func(*npy.Array, error) bool) {
		switch stored := Method(s.e.Method) == Store; {
		case s.z.r.Check() != nil:
			yield(nil, s.about(s.z.r.Check()))
		case ctx.Err() != nil:
			yield(nil, context.Cause(ctx))
		case s.header.NBytes() > 0 && !npy.HeaderOf(s).FortranOrder:
			s.inOrder(ctx, memory, yield)
		case stored && s.header.NBytes() > max(memory, blocksWhole):
			var sum uint32
			err := s.sum(ctx, &sum, 0, s.end())
			if err == nil {
				err = s.verify(ctx, sum, false)
			}
			if err != nil {
				yield(nil, s.about(err))
				return
			}
			s.Source.Blocks(ctx, memory)(yield)
		default:
			a, err := s.ReadAll(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			a.Blocks(ctx, memory)(yield)
		}
	}
}

const (
	blocksWhole = 64 << 20 // bytes of a stored array in Fortran order that may always be read at once
	restPiece   = 1 << 20  // bytes of trailing data that are read at a time
)

// inOrder yields blocks in the order in which they are stored. It verifies the checksum before the last, because a
// reader that has all elements may ask for no more.
func (s *memberSource) inOrder(ctx context.Context, memory int64, yield func(*npy.Array, error) bool) {
	announce.Reads(s.z.r, s.offset, s.e.CompressedSize)
	left, inSequence := s.header.Size(), s.sequential()
	blocks, err := s.unverified()
	var sum uint32
	if err == nil && !inSequence {
		err = s.sum(ctx, &sum, 0, s.header.DataOffset)
	}
	if err != nil {
		yield(nil, s.about(err))
		return
	}
	for a, err := range blocks.Blocks(ctx, memory) {
		if err == nil && !inSequence {
			data, _ := a.ViewBytes() // a block is in C order
			sum = crc32.Update(sum, crc32.IEEETable, data)
		}
		if err == nil {
			left -= a.Size()
		}
		if err == nil && left == 0 {
			err = s.verify(ctx, sum, inSequence)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(a, nil) {
			return
		}
	}
}

// unverified returns the Source of blocks in stored order.
func (s *memberSource) unverified() (npy.Source, error) {
	if Method(s.e.Method) == Store {
		return npy.FileOf(s.header, memberReader(s.member), s.e.Size)
	}
	return s.Source, nil
}

// verify reads the data after the array and verifies the checksum, given the sum of everything before. A stream verifies
// it by itself when it ends.
func (s *memberSource) verify(ctx context.Context, sum uint32, inSequence bool) error {
	if err := s.sum(ctx, &sum, s.end(), s.e.Size); err != nil {
		return s.about(err)
	}
	if sum != s.e.CRC32 && !inSequence {
		return errChecksum(s.e, sum)
	}
	return nil
}

// sum adds the bytes from low to high of the member to a checksum.
func (m member) sum(ctx context.Context, sum *uint32, low, high int64) error {
	for low < high {
		end := min(low+restPiece, high)
		data, err := m.bytes(ctx, low, end)
		if err != nil {
			return err
		}
		*sum = crc32.Update(*sum, crc32.IEEETable, data)
		low = end
	}
	return nil
}

// bytes returns the bytes from low to high of the member's contents. They must not be changed.
func (m member) bytes(ctx context.Context, low, high int64) ([]byte, error) {
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case Method(m.e.Method) == Store:
		return m.z.compressed(ctx, m.offset+low, high-low, &m.z.window)
	}
	return m.z.decodeRange(ctx, m.e, m.offset, low, high, m.more)
}

// A memberReader is the contents of a stored member.
type memberReader member

// Outer returns the archive, and where the contents are in it.
func (m memberReader) Outer() (archive io.ReaderAt, offset, n int64) {
	return m.z.r, m.offset, m.e.Size
}

// ReadAt implements [io.ReaderAt].
func (m memberReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := io.NewSectionReader(m.z.r, m.offset, m.e.Size).ReadAt(p, at)
	if err != nil && err != io.EOF {
		err = about(m.e, err)
	}
	return n, err
}
