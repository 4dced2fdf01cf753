package bounded

import "io"

// maxEmpty is the number of consecutive empty reads that is allowed, as in package bufio.
const maxEmpty = 100

// ReadFull is io.ReadFull for readers that may misbehave. If r returns neither bytes nor an error 100 times in a row,
// ReadFull returns io.ErrNoProgress, where io.ReadFull would loop forever.
func ReadFull(r io.Reader, b []byte) (n int, err error) {
	if n, err = ReadUpTo(r, b); n > 0 && err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// ReadUpTo is [ReadFull] for data that may be shorter than b: if r ends before b is full, the error is io.EOF. An
// io.ErrUnexpectedEOF is of r, as a truncated compressed stream returns it, and not the end of sound data.
func ReadUpTo(r io.Reader, b []byte) (n int, err error) {
	for empty := 0; n < len(b) && err == nil; {
		var m int
		m, err = r.Read(b[n:])
		n += m
		if empty++; m > 0 {
			empty = 0
		} else if empty == maxEmpty && err == nil {
			err = io.ErrNoProgress
		}
	}
	if n == len(b) {
		err = nil
	}
	return n, err
}

// Progress wraps r for code that reads until an error. If r returns neither bytes nor an error 100 times in a row, the
// error is io.ErrNoProgress.
func Progress(r io.Reader) io.Reader {
	if p, ok := r.(*progress); ok {
		return p
	}
	return &progress{r: r}
}

type progress struct {
	r     io.Reader
	empty int
}

// Read implements io.Reader.
func (p *progress) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if p.empty++; n > 0 || err != nil || len(b) == 0 {
		p.empty = 0
	}
	if p.empty == maxEmpty {
		p.empty = 0
		return 0, io.ErrNoProgress
	}
	return n, err
}
