package npz

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/closable"
	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/zipfile"
)

// A Writer writes an archive member by member. It is for one goroutine at a time; it compresses on several itself, so
// that errors of the file may be reported by a later call.
//
// Members of up to a megabyte are compressed in memory, several at once. Larger ones go through in pieces of a megabyte.
type Writer struct {
	settings Encoder
	file     *atomicfile.File // nil if the Writer does not own a file
	zip      *zipfile.Writer
	names    map[string]bool // of all members
	pipeline *pipeline
	comment  string // of the archive
	start    []byte // of the member that AddFrom adds
	closed   bool
}

var errClosed = fmt.Errorf("npz: archive %w", closable.ErrClosed)

// Create starts an archive that will be at path once [Writer.Close] has returned. Until then there is a temporary file
// in the same folder, and an old file stays as it is. Call [Writer.Abort] in a defer for the case of an error.
func Create(path string) (*Writer, error) { return Encoder{}.Create(path) }

// NewWriter starts an archive on a stream. The stream need not be seekable: the sizes of compressed members of more
// than a megabyte follow them in a data descriptor, as when NumPy writes to a pipe. [Writer.Close] does not close w.
func NewWriter(w io.Writer) *Writer {
	z, _ := Encoder{}.NewWriter(w) // the settings are valid
	return z
}

// Create is the function of the same name with the settings of e.
func (e Encoder) Create(path string) (*Writer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	var at io.WriterAt
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		at = f // and not a pipe
	}
	w := e.newWriter(zipfile.NewWriter(f, at))
	w.file = f
	return w, nil
}

// NewWriter is the function of the same name with the settings of e. The error says which of them is invalid.
func (e Encoder) NewWriter(w io.Writer) (*Writer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return e.newWriter(zipfile.NewWriter(w, nil)), nil
}

func (e Encoder) newWriter(z *zipfile.Writer) *Writer {
	return &Writer{settings: e, zip: z, names: map[string]bool{}, pipeline: newPipeline(e.workers(), e.codec())}
}

// Add adds a slice as an array, in the dtype and shape that [npy.FromSlice] gives it.
func Add[T npy.Element](w *Writer, name string, data []T, shape ...int) error {
	a, err := npy.FromSlice(data, shape...)
	if err != nil {
		return fmt.Errorf("npz: member %q: %w", name, err)
	}
	return w.Add(name, a)
}

// Add adds an array as the member name.npy. The name is used as it is, as NumPy does. It is an error to add one twice,
// and to use one with NUL characters, or of more than 65,531 bytes. The array is not used after Add has returned.
func (w *Writer) Add(name string, a *npy.Array) error { return w.addArray(name+suffix, a) }

func (w *Writer) addArray(member string, a *npy.Array) error {
	write := func(out io.Writer) error { return w.settings.Array.Write(out, a) }
	if a.NBytes() > deflate.PieceSize && !a.DType().HasObject() {
		return w.add(member, int64(a.NBytes()), write)
	}
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		return memberError(member, err)
	}
	return w.AddBytes(member, buf.Bytes())
}

// AddBytes adds a member that need not be an array. Its name is used as it is, without an ending.
func (w *Writer) AddBytes(member string, data []byte) error {
	if len(data) > deflate.PieceSize {
		return w.add(member, int64(len(data)), func(out io.Writer) error { _, err := out.Write(data); return err })
	}
	e, err := w.entry(member)
	if err != nil {
		return err
	}
	p := w.pipeline.piece()
	p.buf = append(p.buf, data...)
	p.raw, p.last = p.buf, true
	p.emit = func(p *piece) error {
		e.CRC32, e.Size, e.CompressedSize = p.crc, int64(len(p.raw)), int64(len(p.out))
		err := w.zip.Add(e, w.settings.align(), func(out io.Writer) error { _, err := out.Write(p.out); return err })
		return memberError(member, err)
	}
	return w.pipeline.Push(p)
}

// AddFrom is [Writer.AddBytes] for the bytes of r. It holds a few megabytes at once.
func (w *Writer) AddFrom(member string, r io.Reader) error {
	r = bounded.Progress(r)
	if w.start == nil {
		w.start = make([]byte, deflate.PieceSize+1)
	}
	n, err := io.ReadFull(r, w.start)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return w.AddBytes(member, w.start[:n])
	}
	if err != nil {
		return memberError(member, err)
	}
	return w.add(member, unknown, func(out io.Writer) error {
		_, err := io.CopyBuffer(struct{ io.Writer }{out}, io.MultiReader(bytes.NewReader(w.start), r), make([]byte, 256<<10))
		return err
	})
}

// unknown is the size of a member that can be written only once, because it comes from a stream.
const unknown = -1

// add adds a large member of about size bytes, which write writes.
func (w *Writer) add(member string, size int64, write func(io.Writer) error) error {
	e, err := w.entry(member)
	if err != nil {
		return err
	}
	if err := w.pipeline.Drain(); err != nil {
		return err
	}
	if err := w.reserve(size); err != nil {
		return memberError(member, err)
	}
	switch {
	case w.settings.Store && size != unknown && !w.zip.Corrects():
		err = w.addStored(e, write)
	case w.settings.Zstd:
		err = w.zip.Stream(e, 0, func(out io.Writer, e *zipfile.Entry) error { return w.zstd(out, e, write) })
	default:
		err = w.zip.Stream(e, w.settings.align(), func(out io.Writer, e *zipfile.Entry) error { return w.pieces(out, e, write) })
	}
	return memberError(member, err)
}

// reserve makes the file system allocate space for a stored member, and some for the data after it.
func (w *Writer) reserve(size int64) error {
	if w.file == nil || !w.settings.Store || size == unknown {
		return nil
	}
	return w.file.Reserve(w.zip.Offset() + size + 64<<10)
}

// addStored takes the CRC of a member first and writes it then.
func (w *Writer) addStored(e zipfile.Entry, write func(io.Writer) error) error {
	if err := w.pieces(io.Discard, &e, write); err != nil {
		return err
	}
	e.CompressedSize = e.Size
	return w.zip.Add(e, w.settings.align(), write)
}

// pieces writes a member in pieces that are compressed on all goroutines.
func (w *Writer) pieces(out io.Writer, e *zipfile.Entry, write func(io.Writer) error) error {
	s := &splitter{pipeline: w.pipeline, out: out, entry: e, last: w.pipeline.piece()}
	defer w.pipeline.Drop()
	if err := write(s); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	if e.Method == zipfile.Deflate {
		e.Extra = zipfile.AppendPieces(nil, deflate.PieceBits, s.sizes)
	}
	return nil
}

// zstd writes a member as one frame: Python reads no more than one.
func (w *Writer) zstd(out io.Writer, e *zipfile.Entry, write func(io.Writer) error) error {
	relay := par.NewRelay(out) // the goroutines that write are those of zstd
	defer relay.Check()
	z, err := zstd.NewWriter(relay, w.settings.zstdOptions(w.settings.workers())...)
	if err != nil {
		return err
	}
	defer z.Reset(nil) // which waits for them, where write panics
	sum := &summer{w: z}
	err = write(sum)
	if e := z.Close(); err == nil {
		err = e
	}
	e.CRC32, e.Size = sum.crc, sum.size
	return err
}

// A summer passes on the bytes written and sums their checksum and number.
type summer struct {
	w    io.Writer
	crc  uint32
	size int64
}

func (s *summer) Write(p []byte) (int, error) {
	s.crc = crc32.Update(s.crc, crc32.IEEETable, p)
	s.size += int64(len(p))
	return s.w.Write(p)
}

// entry returns the entry of a new member, as NumPy writes it.
func (w *Writer) entry(member string) (zipfile.Entry, error) {
	if w.closed {
		return zipfile.Entry{}, errClosed
	}
	if err := checkName(member); err != nil {
		return zipfile.Entry{}, err
	}
	if w.names[member] {
		return zipfile.Entry{}, fmt.Errorf("npz: there is already a member %q", member)
	}
	w.names[member] = true
	e := zipfile.Entry{
		Name: member, RawName: member, Method: w.settings.method(), Date: zipfile.January1980,
		MadeBy: zipfile.MadeByUnix, NeededVersion: zipfile.NeedsZip64, ExternalAttr: zipfile.OwnerOnly,
	}
	if e.Method == zipfile.Zstd {
		e.NeededVersion = zipfile.NeedsZstd
	}
	if !zipfile.IsASCII(member) {
		e.Flags = zipfile.FlagUTF8
	}
	return e, nil
}

// checkName returns an error for an invalid name of a member.
func checkName(member string) error {
	switch {
	case strings.Contains(member, "\x00"):
		return fmt.Errorf("npz: member %q: names end at NUL characters in ZIP, so there can be none", member)
	case !utf8.ValidString(member):
		return fmt.Errorf("npz: member %q: names must be UTF-8", member)
	case len(member) > zipfile.MaxName:
		return fmt.Errorf("npz: the name %.20q… has %d bytes, ZIP has room for %d", member, len(member), zipfile.MaxName)
	}
	return nil
}

// memberError says which member an error is about, unless it does so itself.
func memberError(member string, err error) error {
	var located *Error
	if err == nil || errors.As(err, &located) {
		return err
	}
	return fmt.Errorf("npz: member %q: %w", member, err)
}

// Close finishes the archive. A file that [Create] started takes its place. After an error there is no new file.
func (w *Writer) Close() error {
	if w.closed {
		return errClosed
	}
	defer w.Abort()
	if err := w.pipeline.Drain(); err != nil {
		return err
	}
	if err := w.zip.Close(w.comment); err != nil {
		return fmt.Errorf("npz: %w", err)
	}
	if w.file == nil {
		return nil
	}
	return w.file.Commit(w.settings.Array.Sync)
}

// Abort gives up an archive: there is no new file, and an old one stays. After Close it does nothing.
func (w *Writer) Abort() {
	w.closed = true
	w.pipeline.Drop()
	if w.file != nil {
		w.file.Abort()
	}
}
