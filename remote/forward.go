package remote

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync/atomic"
	"time"
)

// A forward reads the file of a server that ignores ranges: from its start to its end, keeping the newest blocks. A
// read before these bytes starts over.
type forward struct {
	f    *File
	lock chan struct{} // has a value while a goroutine uses the rest
	read atomic.Int64  // the number of blocks that were read

	body    *answer // nil: it has to be asked for
	life    *alarm  // of body
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

func newForward(f *File) *forward {
	return &forward{f: f, lock: make(chan struct{}, 1), blocks: map[int64][]byte{}}
}

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
	if err := w.acquire(); err != nil {
		return w.f.failed(err)
	}
	defer w.release()
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

// acquire waits until no other goroutine reads. It gives up if none of them has read a block for Options.Timeout: their reads end
// one after another, and this one would be the last.
func (w *forward) acquire() error {
	patience := w.f.c.o.Timeout
	if patience <= 0 {
		patience = math.MaxInt64
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	for seen := w.read.Load(); ; seen = w.read.Load() {
		select {
		case w.lock <- struct{}{}:
			return nil
		case <-w.f.ctx.Done():
			return context.Cause(w.f.ctx)
		case <-late.C:
			if w.read.Load() == seen {
				return errTimeout
			}
			late.Reset(patience)
		}
	}
}

func (w *forward) release() { <-w.lock }

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
		if err := w.start(ctx); err != nil {
			return nil, err
		}
	}
	w.until(ctx)
	defer w.life.unset()
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
		w.read.Add(1)
		w.keep(i, b)
		if i == number {
			return b, nil
		}
	}
}

// until has the body end with the time of a read: it lives longer than the read.
func (w *forward) until(ctx context.Context) {
	if end, ok := ctx.Deadline(); ok {
		w.life.set(time.Until(end))
	}
}

// start asks for the whole file. The answer lives as long as the File, or until a read ends by its time.
func (w *forward) start(ctx context.Context) error {
	w.life = newAlarm(w.f.ctx, errTimeout)
	w.until(ctx)
	a, err := w.ask(w.life.ctx)
	if err != nil {
		w.life.stop()
		return err
	}
	w.body, w.at = a, 0
	return nil
}

// ask returns an answer with the whole file.
func (w *forward) ask(ctx context.Context) (*answer, error) {
	h := http.Header{}
	w.f.pin.conditions(h)
	a, err := w.f.c.attempt(ctx, request{method: http.MethodGet, url: w.f.c.loc.url, header: h, read: true})
	if err != nil {
		return nil, versionError(err)
	}
	if err = checkPlain(a.Header); err == nil && a.StatusCode != http.StatusOK {
		err = wrong("the server answers %d %s to a GET", a.StatusCode, http.StatusText(a.StatusCode))
	}
	if err == nil {
		err = w.f.pin.check(a.Header, a.ContentLength)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
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
		w.life.stop()
		w.body = nil
	}
}

func (w *forward) close() {
	w.lock <- struct{}{} // reads have ended with the context
	defer w.release()
	w.drop()
	clear(w.blocks)
}
