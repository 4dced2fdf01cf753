package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// A forward reads the file of a server that ignores ranges: from its start to its end, keeping the newest blocks. A read
// before those starts over.
type forward struct {
	f *File

	mu      sync.Mutex
	body    *answer // nil: it has to be asked for
	at      int64   // the offset of the next byte of body
	skipped int64   // bytes that were read to reach others
	blocks  map[int64][]byte
	oldest  []int64 // the numbers of the blocks in the order in which they came
}

// openWhole opens a file whose server answers a range with everything.
func (f *File) openWhole(a *answer) error {
	size := a.ContentLength
	if size < 0 || size <= blockSize {
		defer a.Close()
		data, err := readWhole(a, size, f.c.o.Cache)
		if err != nil {
			return err
		}
		f.pin = pinOf(a.Header, int64(len(data)))
		f.forward = newForward(f)
		for i := int64(0); i*blockSize < int64(len(data)); i++ {
			f.forward.keep(i, data[i*blockSize:min((i+1)*blockSize, int64(len(data)))])
		}
		f.forward.at = int64(len(data))
		return nil
	}
	f.pin = pinOf(a.Header, size)
	f.forward = newForward(f)
	f.forward.body = nil
	a.Close() // its context ends with the opening
	return nil
}

func newForward(f *File) *forward { return &forward{f: f, blocks: map[int64][]byte{}} }

// readWhole reads a body of size bytes, or of any size up to a limit if size is negative.
func readWhole(a *answer, size, most int64) ([]byte, error) {
	if size >= 0 {
		data := make([]byte, size)
		_, err := readBody(a, data)
		return data, err
	}
	data, err := io.ReadAll(io.LimitReader(a.body, most+1))
	if err != nil {
		return nil, bodyError(err)
	}
	if int64(len(data)) > most {
		return nil, wrong("%w and does not tell the size of the file, which is over %d bytes: download it first", ErrNoRanges, most)
	}
	return data, nil
}

// readAt fills p with the bytes at off.
func (w *forward) readAt(p []byte, off int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(p) > 0 {
		b, err := w.block(off / blockSize)
		if err != nil {
			return w.f.failed(err)
		}
		n := copy(p, b[off%blockSize:])
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// block returns the block of a number. It repeats what fails.
func (w *forward) block(number int64) (b []byte, err error) {
	if b := w.blocks[number]; b != nil {
		return b, nil
	}
	err = w.f.c.retry(w.f.ctx, func(ctx context.Context) error {
		if b, err = w.advance(ctx, number); err != nil {
			w.drop()
		}
		return err
	})
	return b, err
}

// advance reads the body up to the end of a block.
func (w *forward) advance(ctx context.Context, number int64) ([]byte, error) {
	if w.body != nil && w.at > number*blockSize {
		w.drop()
	}
	if w.body == nil {
		if err := w.start(); err != nil {
			return nil, err
		}
	}
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		i := w.at / blockSize
		b := make([]byte, min(blockSize, w.f.pin.size-w.at))
		if i < number {
			w.skipped += int64(len(b))
		}
		if most := w.f.c.o.MaxSkip; most >= 0 && w.skipped > most {
			return nil, wrong("%w, and the reads are not in the order of the file: more than %d bytes were read in vain (Options.MaxSkip); download it first", ErrNoRanges, most)
		}
		if _, err := io.ReadFull(w.body.body, b); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return nil, broken(fmt.Errorf("%w, at byte %d: %w", errShortBody, w.at, io.ErrUnexpectedEOF))
			}
			return nil, bodyError(err)
		}
		w.at += int64(len(b))
		w.keep(i, b)
		if i == number {
			return b, nil
		}
	}
}

// start asks for the whole file. The answer lives as long as the File.
func (w *forward) start() error {
	h := http.Header{}
	w.f.pin.conditions(h)
	a, err := w.f.c.attempt(w.f.ctx, request{method: http.MethodGet, url: w.f.c.loc.url, header: h, read: true})
	if err != nil {
		return versionError(err)
	}
	if err = checkPlain(a.Header); err == nil && a.StatusCode != http.StatusOK {
		err = wrong("the server answers %d %s to a GET", a.StatusCode, http.StatusText(a.StatusCode))
	}
	if err == nil {
		err = w.f.pin.check(a.Header, a.ContentLength)
	}
	if err != nil {
		a.Close()
		return err
	}
	w.body, w.at = a, 0
	return nil
}

// keep adds a block, and drops the oldest if there are too many.
func (w *forward) keep(number int64, b []byte) {
	if w.blocks[number] == nil {
		w.oldest = append(w.oldest, number)
	}
	w.blocks[number] = b
	if int64(len(w.oldest)) > w.f.c.o.Cache/blockSize {
		delete(w.blocks, w.oldest[0])
		w.oldest = w.oldest[1:]
	}
}

func (w *forward) drop() {
	if w.body != nil {
		w.body.Close()
		w.body = nil
	}
}

func (w *forward) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop()
	clear(w.blocks)
}
