package input

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/parts"
)

// A file is an open file or standard input, whose first bytes have been looked at.
type file struct {
	reader     io.Reader                // from the first byte on
	regular    regular                  // the same, if it can be read at any offset
	compressed *decompressor            // reads the file for reader; nil if it is not compressed
	base       int64                    // where the array begins in regular
	rest       *elements                // of the array that is read, in a stream; nil for none
	joined     *parts.Array             // many files as one array, which have no reader; nil for one file
	at         func(path string) Target // the file of a part of joined; nil for files of a pattern
	close      func()
}

// A regular is a file that can be read at any offset: an [os.File], or a file at a URL.
type regular interface {
	io.ReaderAt
	io.ReadSeekCloser
}

// Stdin is standard input. Bytes that one Opener has looked at are still read by the next.
type Stdin struct {
	io.Reader
	plain      bool          // the Reader is not compressed, or has been looked at
	compressed *decompressor // reads standard input for the Reader; nil if it is not compressed
}

var errTerminal = errors.New("standard input is a terminal; give a file, or pipe one in")

// openFile opens the file of a target and returns its first bytes.
func (o Opener) openFile(t Target) (f *file, head []byte, err error) {
	const most = 4
	if t.Path == "-" {
		if terminal.Is(o.Stdin.Reader) {
			return nil, nil, errTerminal
		}
		if head, o.Stdin.Reader = Peek(o.Stdin.Reader, magicBytes); !o.Stdin.plain {
			d, err := o.decompress(o.Stdin.Reader, head)
			if err != nil {
				return nil, nil, err
			}
			if o.Stdin.plain, o.Stdin.compressed = true, d; d != nil {
				head, o.Stdin.Reader = Peek(d, most)
			}
		}
		head = head[:min(len(head), most)]
		return &file{reader: o.Stdin.Reader, compressed: o.Stdin.compressed, close: func() {}}, head, nil
	}
	opened, isRegular, err := o.openPath(t)
	if err != nil {
		return nil, nil, err
	}
	f = &file{reader: opened, close: func() { opened.Close() }}
	if isRegular {
		f.regular = opened
	}
	head, f.reader = Peek(opened, magicBytes)
	d, err := o.decompress(f.reader, head)
	if err != nil {
		f.close()
		return nil, nil, err
	}
	if d != nil {
		f.regular, f.compressed = nil, d
		f.close = func() {
			d.r.Close()
			opened.Close()
		}
		head, f.reader = Peek(d, most)
	}
	return f, head[:min(len(head), most)], nil
}

// openPath opens a path or a URL.
func (o Opener) openPath(t Target) (f regular, isRegular bool, err error) {
	if t.url != "" {
		f, err := o.openURL(t)
		return f, true, err
	}
	open := func() (*os.File, error) { return os.Open(t.Path) }
	if t.part != "" {
		open = func() (*os.File, error) { return t.folder.Open(t.part) }
	}
	opened, err := open()
	if err != nil {
		return nil, false, err
	}
	info, err := opened.Stat()
	return opened, err == nil && info.Mode().IsRegular(), nil
}

// start returns a reader from the start of the array to the end of the file. A pipe can be read once.
func (f *file) start() (io.Reader, error) {
	if f.regular == nil {
		return f.reader, nil
	}
	_, err := f.regular.Seek(f.base, io.SeekStart)
	return f.regular, err
}

// Peek returns the first bytes of a file, at most n, and a reader that begins at the start of the file.
func Peek(f io.Reader, n int) ([]byte, io.Reader) {
	if file, ok := f.(regular); ok {
		b := make([]byte, n)
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			n, _ = file.ReadAt(b, at)
			return b[:n], f
		}
	}
	r := bufio.NewReader(f)
	b, _ := r.Peek(n)
	return b, r
}

// SizeOf returns the size of a regular file or of a file at a URL, and 0 for everything else.
func SizeOf(f any) int64 {
	if r, ok := f.(afar); ok {
		return r.Size()
	}
	file, ok := f.(*os.File)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// Until returns r, whose reads fail when ctx is done. A regular file can still be sought in.
func Until(ctx context.Context, r io.Reader) io.Reader {
	c := &cancelled{ctx, r}
	if s, ok := r.(io.Seeker); ok && SizeOf(r) > 0 {
		return &cancelledFile{c, s}
	}
	return c
}

type cancelled struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c *cancelled) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(p)
}

type cancelledFile struct {
	*cancelled
	io.Seeker
}
