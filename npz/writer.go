package npz

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/deflate"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/zipfile"
)

// A Writer writes an archive member by member. It is for one goroutine at a time. It compresses on several goroutines
// itself, so that errors of the file may be reported by a later call.
//
// Members of up to a megabyte are compressed in memory, several at once. Larger members are compressed in pieces of a
// megabyte.
type Writer struct {
	settings Encoder
	file     *atomicfile.Owned
	zip      *zipfile.Writer
	names    map[string]bool // of all members
	pipeline *pipeline
	comment  string // of the archive
	start    []byte // first bytes of the member that AddFrom adds
}

// Create starts an archive that will be at path after [Writer.Close] has returned. Until then it is a temporary file
// in the same folder, and an old file is unchanged. Call [Writer.Abort] in a defer for the case of an error.
func Create(path string) (*Writer, error) { return Encoder{}.Create(path) }

// NewWriter starts an archive on a stream. The stream need not be seekable: the sizes of compressed members of more
// than a megabyte follow them in a data descriptor, as when NumPy writes to a pipe. [Writer.Close] does not close w.
func NewWriter(w io.Writer) (*Writer, error) { return Encoder{}.NewWriter(w) }

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
		at = f // a pipe is not seekable
	}
	w := e.newWriter(zipfile.NewWriter(f, at))
	w.file.File = f
	return w, nil
}

// NewWriter is the function of the same name with the settings of e. The error names an invalid setting.
func (e Encoder) NewWriter(w io.Writer) (*Writer, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return e.newWriter(zipfile.NewWriter(w, nil)), nil
}

func (e Encoder) newWriter(z *zipfile.Writer) *Writer {
	return &Writer{settings: e, file: &atomicfile.Owned{Sync: e.Array.Sync, Of: "npz: archive"}, zip: z, names: map[string]bool{}, pipeline: newPipeline(e.workers(), e.codec())}
}

// Add adds a slice as an array, with the dtype and shape of [npy.FromSlice].
func Add[T npy.Element](w *Writer, name string, data []T, shape ...int) error {
	a, err := npy.FromSlice(data, shape...)
	if err != nil {
		return diag.Errorf("npz", "member %q: %w", name, err)
	}
	return w.Add(name, a)
}

// Add adds an array as the member name.npy. The name is used unchanged, as in NumPy. It is an error to add a name
// twice, and to use a name with NUL characters or of more than 65,531 bytes. The array is not used after Add has
// returned.
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

// AddBytes adds a member that need not be an array. Its name is used unchanged, without an ending.
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

// AddFrom is [Writer.AddBytes] for the bytes of r. It holds a few megabytes at a time.
func (w *Writer) AddFrom(member string, r io.Reader) error {
	r = bounded.Progress(r)
	if w.start == nil {
		w.start = make([]byte, deflate.PieceSize+1)
	}
	n, err := bounded.ReadUpTo(r, w.start)
	if err == io.EOF {
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

// unknown is the size of a member that comes from a stream and can be written only once.
const unknown = -1

// add adds a large member of about size bytes; write writes it.
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

// reserve makes the file system allocate space for a stored member, and some more for the data after it.
func (w *Writer) reserve(size int64) error {
	if w.file.File == nil || !w.settings.Store || size == unknown {
		return nil
	}
	return w.file.File.Reserve(w.zip.Offset() + size + 64<<10)
}

// addStored computes the CRC of a member, then writes the member.
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
		e.SetExtra(zipfile.AppendPieces(nil, deflate.PieceBits, s.sizes))
	}
	return nil
}

// zstd writes a member as one frame, because Python reads only one.
func (w *Writer) zstd(out io.Writer, e *zipfile.Entry, write func(io.Writer) error) error {
	relay := par.NewRelay(out) // the goroutines of zstd write to it
	defer relay.Check()
	z, err := zstd.NewWriter(relay, w.settings.zstdOptions(w.settings.workers())...)
	if err != nil {
		return err
	}
	defer z.Reset(nil) // waits for these goroutines if write panics
	sum := &summer{w: z}
	err = write(sum)
	if e := z.Close(); err == nil {
		err = e
	}
	e.CRC32, e.Size = sum.crc, sum.size
	return err
}

// A summer passes written bytes on and computes their CRC and number.
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
	if err := w.file.Ended(); err != nil {
		return zipfile.Entry{}, err
	}
	if err := checkName(member); err != nil {
		return zipfile.Entry{}, err
	}
	if w.names[member] {
		return zipfile.Entry{}, diag.Errorf("npz", "the archive already has a member %q", member)
	}
	w.names[member] = true
	e := zipfile.Entry{
		Name: member, Method: w.settings.method(), Date: zipfile.January1980,
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
		return diag.Errorf("npz", "member %q: a name in ZIP cannot contain NUL characters", member)
	case !utf8.ValidString(member):
		return diag.Errorf("npz", "member %q: names must be UTF-8", member)
	case len(member) > zipfile.MaxName:
		return diag.Errorf("npz", "the name %.20q… has %d bytes, the limit of ZIP is %d", member, len(member), zipfile.MaxName)
	}
	return nil
}

// memberError names the member in an error, unless the error does so already.
func memberError(member string, err error) error {
	var located *Error
	if err == nil || errors.As(err, &located) {
		return err
	}
	return diag.Errorf("npz", "member %q: %w", member, err)
}

// Close finishes the archive. The file of [Create] is moved to its path. After an error there is no new file. Close after
// Close or Abort is an error, which wraps [fs.ErrClosed].
func (w *Writer) Close() error { return w.file.Close(w.complete) }

// complete writes what is left of the archive.
func (w *Writer) complete() error {
	defer w.pipeline.Drop()
	if err := w.pipeline.Drain(); err != nil {
		return err
	}
	if err := w.zip.Close(w.comment); err != nil {
		return diag.Wrap("npz", err)
	}
	return nil
}

// Abort discards the archive: there is no new file, and an old one is unchanged. After Close it does nothing.
func (w *Writer) Abort() { w.file.Abort(w.pipeline.Drop) }
