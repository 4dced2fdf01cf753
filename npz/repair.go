package npz

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/zipfile"
)

// A Repairer makes whole archives of damaged ones.
type Repairer struct {
	// Decoder has the limits for the damaged archive.
	Decoder Decoder

	// Encoder has the settings of the new archive, for members that have to be compressed again.
	Encoder Encoder
}

// A Repair reports the damage of an archive and its repair.
type Repair struct {
	// Directory is why the directory of the archive is of no use: a file that was cut short has none. The members were
	// then found by their local headers. It is nil if the directory can be read.
	Directory error

	// Members lists the members in the order of the file.
	Members []RepairedMember
}

// A RepairedMember is the repair of one member.
type RepairedMember struct {
	Name string // in the archive

	// Err is why nothing of the member was saved, or nil.
	Err error

	// Array is the repair of the array. It is nil if the whole member was saved.
	Array *npy.Repair

	// Unverified is set if the checksum of the member is not in the file, so that its bytes could not be verified.
	Unverified bool
}

// Whole reports whether there was nothing to repair.
func (r Repair) Whole() bool {
	for _, m := range r.Members {
		if m.Err != nil || m.Array != nil || m.Unverified {
			return false
		}
	}
	return r.Directory == nil
}

// Saved returns the number of members in the new archive.
func (r Repair) Saved() int {
	n := 0
	for _, m := range r.Members {
		if m.Err == nil {
			n++
		}
	}
	return n
}

// RepairFile writes an archive with the members that a damaged archive still holds. The damaged archive is not changed.
// If its directory is missing or damaged, which is so after a writer was killed, the members are found by their local
// headers. Members that are whole are copied. Of an array that is cut short, or whose data is damaged, the rows before
// the damage are saved. A member with a wrong checksum is left out, since nothing tells which of its bytes are wrong.
// Of several members of one name the last that can be saved is. An archive that has no members is whole, and is written
// as it is. An error reports that there is nothing to save. RepairFile cannot be cancelled: [Repairer.RepairFile] can.
func RepairFile(from, to string) (Repair, error) {
	return Repairer{}.RepairFile(context.Background(), from, to)
}

// RepairFile is the function of the same name with the settings of p. It ends with the context.
func (p Repairer) RepairFile(ctx context.Context, from, to string) (Repair, error) {
	f, err := os.Open(from)
	if err != nil {
		return Repair{}, err
	}
	defer f.Close()
	old, err := f.Stat()
	if err != nil {
		return Repair{}, err
	}
	if same, err := os.Stat(to); err == nil && os.SameFile(old, same) {
		return Repair{}, diag.Errorf("npz", "%s is the damaged archive itself; give another name for the repaired one", to)
	}
	file := &faultyFile{File: f}
	x := repairing{ctx: ctx, limits: p.Decoder.limits(), z: &Reader{dec: p.Decoder, r: closable.New(file, f)}, size: old.Size(), saved: map[string]int{}}
	x.z.window = window{r: x.z.r, size: x.size}
	if err := cmp.Or(x.find(), file.fault); err != nil {
		return x.Repair, &fs.PathError{Op: "repair", Path: from, Err: err}
	}
	if err := x.write(p.Encoder, to); err != nil {
		return x.Repair, err
	}
	return x.Repair, nil
}

// A faultyFile keeps the error of a read that failed: data that cannot be read is not damaged, and another try may read
// it.
type faultyFile struct {
	*os.File
	fault error
}

// ReadAt implements [io.ReaderAt].
func (f *faultyFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	if err != nil && err != io.EOF {
		f.fault = err
	}
	return n, err
}

// repairing is the repair of one archive.
type repairing struct {
	Repair
	ctx    context.Context
	limits zipfile.Limits
	z      *Reader // without a directory
	size   int64
	found  []found        // one for each of Members
	saved  map[string]int // of Members that can be saved, the last of each name
}

// A found is a member of a damaged archive.
type found struct {
	zipfile.Entry
	data     int64 // the offset of its data in the file
	end      int64 // its data ends here at the latest
	known    bool  // the sizes and the checksum
	consumed int64 // the end of its bytes, as far as it is known
}

// find finds and examines all members.
func (x *repairing) find() error {
	dir, err := zipfile.ReadDirectory(x.z.r, x.size, x.limits)
	if err == nil {
		for i := range dir.Entries {
			if err := x.examine(found{Entry: dir.Entries[i], end: x.size, known: true}, true); err != nil {
				return err
			}
		}
		if len(dir.Entries) > 0 || dir.Offset == 0 {
			return nil
		}
		if err := x.search(); err != nil || len(x.found) == 0 {
			return err
		}
		x.Directory = fmt.Errorf("it names no member, and there are members before it: %w", ErrArchive)
		return nil
	}
	var malformed *zipfile.Error
	if !errors.As(err, &malformed) {
		return err // of reading
	}
	x.Directory = public(err)
	if err := x.search(); err != nil || len(x.found) > 0 {
		return err
	}
	return fmt.Errorf("no member of an archive is in its %d bytes: %w", x.size, ErrArchive)
}

// search finds and examines the members that have a local header.
func (x *repairing) search() error {
	finder := zipfile.NewFinder(x.z.r, x.size)
	for at := int64(0); ; {
		e, data, err := finder.Next(at)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case len(x.found) == x.limits.Members:
			return bounded.Over("MaxMembers", len(x.found), 0, "the archive has more than %d members (MaxMembers)", len(x.found))
		}
		m := found{Entry: e, data: data, end: x.size, known: !e.SizesUnknown()}
		if method := Method(e.Method); !m.known && method != Store && method != Deflate {
			next, _, err := finder.Next(data)
			if err == nil {
				m.end = next.HeaderOffset
			}
		}
		if err := x.examine(m, false); err != nil {
			return err
		}
		at = max(x.found[len(x.found)-1].consumed, data)
	}
}

// examine decides how much of a member can be saved. An error is an error of the context.
func (x *repairing) examine(m found, inDirectory bool) error {
	if x.ctx.Err() != nil {
		return context.Cause(x.ctx)
	}
	result := RepairedMember{Name: m.Name, Err: m.Err()}
	if inDirectory && result.Err == nil {
		m.data, result.Err = x.z.locate(&m.Entry, &x.z.window)
	}
	if result.Err == nil {
		x.check(&m, &result)
	}
	if x.ctx.Err() != nil {
		return context.Cause(x.ctx)
	}
	if result.Err == nil {
		if old, ok := x.saved[m.Name]; ok {
			x.Members[old].Err = errors.New("a later member has the same name")
		}
		x.saved[m.Name] = len(x.Members)
	}
	result.Err = public(result.Err)
	x.Members, x.found = append(x.Members, result), append(x.found, m)
	return nil
}

// check reads a member to its end.
func (x *repairing) check(m *found, result *RepairedMember) {
	s, err := x.open(m)
	if err != nil {
		result.Err = err
		return
	}
	defer s.Close()
	h, err := x.z.dec.Array.Format().ReadHeader(s)
	isArray := err == nil && !h.DType.HasObject()
	if isArray {
		if _, err = io.CopyN(io.Discard, s, h.NBytes()); err == nil && m.known {
			_, err = io.Copy(io.Discard, s)
		}
	} else if s.err == nil && (m.known || Method(m.Method) != Store) {
		_, err = io.Copy(io.Discard, s)
	}
	have := s.n - h.DataOffset
	m.consumed = m.data + s.consumed(m)
	switch {
	case err == nil && m.known && s.n != m.Size:
		result.Err = errorf(&m.Entry, "it has %d bytes, and its header says %d", s.n, m.Size)
	case err == nil && m.known && s.sum.Sum32() != m.CRC32:
		result.Err = errChecksum(&m.Entry, s.sum.Sum32())
	case err == nil || !m.known && isArray && have >= h.NBytes():
		result.Unverified = !m.known && !x.described(m, s)
	case !isArray:
		result.Err = errorf(&m.Entry, "it is damaged after %d bytes, and is not an array whose rows could be saved: %w", s.n, err)
	default:
		r, fitErr := npy.Repairer{}.Fit(h, have)
		if result.Array = &r; fitErr != nil {
			result.Array, result.Err = nil, fitErr
		}
		result.Unverified = r.Lost == 0 && fitErr == nil // the damage is after the elements
	}
}

// described reports whether a data descriptor with the right checksum follows the data of a member.
func (x *repairing) described(m *found, s *contents) bool {
	if m.Flags&zipfile.FlagDescriptor == 0 {
		return false
	}
	e := m.Entry
	e.Size, e.CompressedSize, e.CRC32 = s.n, m.consumed-m.data, s.sum.Sum32()
	n, ok := e.Descriptor(x.z.r, m.consumed)
	m.consumed += int64(n)
	return ok
}

// write writes the data that can be saved.
func (x *repairing) write(e Encoder, path string) error {
	if len(x.Members) > 0 && x.Saved() == 0 { // an archive without members is whole
		return diag.Errorf("npz", "nothing can be saved; member %q: %w", x.Members[0].Name, x.Members[0].Err)
	}
	w, err := e.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, m := range x.Members {
		if m.Err != nil {
			continue
		}
		if err := x.save(w, &x.found[i], m.Array); err != nil {
			return err
		}
	}
	return w.Close()
}

// save adds a member: as it is, or with the rows that are whole.
func (x *repairing) save(w *Writer, m *found, r *npy.Repair) error {
	if r == nil && m.known {
		return w.copyNew(m.Entry, m.Entry, x.z.r)
	}
	s, err := x.open(m)
	if err != nil {
		return err
	}
	defer s.Close()
	if r == nil && (Method(m.Method) != Store || !strings.HasSuffix(m.Name, suffix)) {
		return w.AddFrom(m.Name, s)
	}
	h, err := x.z.dec.Array.Format().ReadHeader(s)
	if err != nil {
		return err
	}
	if r != nil {
		h = r.New
	}
	head, err := h.Append(nil)
	if err != nil {
		return err
	}
	return w.AddFrom(m.Name, io.MultiReader(bytes.NewReader(head), io.LimitReader(s, h.NBytes())))
}

// contents are the contents of a member, as far as they can be read.
type contents struct {
	io.ReadCloser
	ctx  context.Context
	n    int64 // bytes that were read
	most int64 // bytes that MaxRatio allows
	err  error // of reading
	sum  hash.Hash32
	raw  *countedBytes // the compressed data, if its end is not known
}

// open returns the contents of a member.
func (x *repairing) open(m *found) (*contents, error) {
	s := &contents{ctx: x.ctx, sum: crc32.NewIEEE()}
	e := m.Entry
	room := m.end - m.data
	if !m.known {
		e.CompressedSize, e.Size = room, room
	}
	if e.CompressedSize = min(e.CompressedSize, room); e.CompressedSize < 0 {
		return nil, errorf(&m.Entry, "its data begins after the end of the file")
	}
	s.most = freeRatio + min(e.CompressedSize, math.MaxInt64/(x.limits.Ratio+1)-freeRatio)*x.limits.Ratio
	if !m.known && Method(m.Method) == Deflate {
		s.raw = &countedBytes{Reader: bufio.NewReaderSize(io.NewSectionReader(x.z.r, m.data, room), 256<<10)}
		s.ReadCloser = flate.NewReader(s.raw)
		return s, nil
	}
	r, err := x.z.stream(&e, m.data)
	s.ReadCloser = r
	return s, err
}

func (s *contents) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.ReadCloser.Read(p)
	s.n += int64(n)
	s.sum.Write(p[:n])
	if s.n > s.most {
		err = bounded.Over("MaxRatio", s.most, s.n, "more than %d bytes, which MaxRatio allows", s.most)
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// consumed returns the number of bytes in the file that belong to the data, 0 if that is not known.
func (s *contents) consumed(m *found) int64 {
	switch {
	case m.known:
		return m.CompressedSize
	case s.raw != nil:
		return s.raw.n
	case Method(m.Method) == Store:
		return s.n
	}
	return 0
}

// countedBytes counts the bytes that are read. It has ReadByte, so that flate reads no byte after its end.
type countedBytes struct {
	*bufio.Reader
	n int64
}

func (c *countedBytes) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countedBytes) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
