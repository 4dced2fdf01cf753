package input

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"github.com/npygo/npy/cmd/npy/internal/terminal"
)

// A file is an open file or standard input, whose first bytes have been looked at.
type file struct {
	reader  io.Reader // from the first byte on
	regular *os.File  // the same, if it can be read at any offset
	base    int64     // where the array begins in regular
	close   func()
}

// Stdin is standard input. What one Opener has looked at, the next one still reads.
type Stdin struct {
	io.Reader
	plain bool // the Reader is not compressed, or has been looked at
}

var errTerminal = errors.New("standard input is a terminal; give a file, or pipe one in")

// openFile opens a file and returns its first bytes.
func (o Opener) openFile(path string) (f *file, head []byte, err error) {
	const most = 4
	if path == "-" {
		if terminal.Is(o.Stdin.Reader) {
			return nil, nil, errTerminal
		}
		if head, o.Stdin.Reader = Peek(o.Stdin.Reader, magicBytes); !o.Stdin.plain {
			plain, _, err := o.decompress(o.Stdin.Reader, head)
			if err != nil {
				return nil, nil, err
			}
			o.Stdin.plain = true
			head, o.Stdin.Reader = Peek(plain, most)
		}
		head = head[:min(len(head), most)]
		return &file{reader: o.Stdin.Reader, close: func() {}}, head, nil
	}
	opened, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	f = &file{reader: opened, close: func() { opened.Close() }}
	if info, err := opened.Stat(); err == nil && info.Mode().IsRegular() {
		f.regular = opened
	}
	head, f.reader = Peek(opened, magicBytes)
	plain, closing, err := o.decompress(f.reader, head)
	if err != nil {
		f.close()
		return nil, nil, err
	}
	if closing != nil {
		f.regular = nil
		f.close = func() {
			closing()
			opened.Close()
		}
		head, f.reader = Peek(plain, most)
	}
	return f, head[:min(len(head), most)], nil
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
	if file, ok := f.(*os.File); ok {
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

// SizeOf returns the size of a regular file, and 0 for everything else.
func SizeOf(f any) int64 {
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
