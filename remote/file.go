package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"

	"github.com/npygo/npy"
)

// A File is a file of a server. It is an io.ReaderAt: any range can be read. It may be used by several goroutines,
// which share its cache and never ask for the same bytes twice at the same time.
type File struct {
	c       *client
	leads   reach // of the files that it names
	home    reach // of addresses at its own host
	ctx     context.Context
	cancel  context.CancelCauseFunc
	pin     pin
	cache   *cache
	speed   speed
	forward *forward // nil if the server gives ranges
}

// Open opens the file at a URL with one request for its first bytes. For names of archives, .npz and .zip, another asks for the
// last bytes at the same time. The requests of the file end with ctx.
func Open(ctx context.Context, url string, o Options) (*File, error) {
	c, err := newClient(url, o)
	if err != nil {
		return nil, err
	}
	if c.loc.local() {
		return nil, errNotURL(url)
	}
	return openClient(ctx, c)
}

// OpenLinked opens a file that this one names, as a manifest names its parts, with the same Options. Whoever wrote the URL may be
// a stranger: requests go where redirects of this file may lead, and nowhere else. Credentials, Header and Signer are used for
// the host, or the bucket, of this file only.
func (f *File) OpenLinked(ctx context.Context, url string) (*File, error) {
	o := f.c.given
	l, err := parseLocation(url, o.withDefaults())
	switch {
	case err != nil:
		return nil, err
	case l.local():
		return nil, errNotURL(url)
	case l.sameServer(f.c.loc):
		o.reach = &f.home
	default:
		o.reach = &f.leads
		o.Header, o.Signer, o.Anonymous = nil, nil, true
	}
	return Open(ctx, url, o)
}

func errNotURL(name string) error {
	return &Error{Op: "open", URL: name, Err: errors.New("not a URL: local files are opened by package npy")}
}

// openClient opens the file of a client.
func openClient(ctx context.Context, c *client) (*File, error) {
	f := &File{c: c}
	f.ctx, f.cancel = context.WithCancelCause(ctx)
	f.cache = newCache(f, c.o.Cache)
	var last *ending
	if c.loc.hasDirectory() {
		last = f.askEnding()
		defer last.stop()
	}
	if err := c.retry(f.ctx, f.open); err != nil {
		f.cancel(nil)
		return nil, c.failed("open", err)
	}
	if last != nil {
		last.keep(f)
	}
	return f, nil
}

// failed returns the error of an operation, with the URL.
func (c *client) failed(op string, err error) error {
	e := &Error{Op: op, URL: c.loc.String(), Err: err}
	var f *failure
	if errors.As(err, &f) {
		e.Status, e.Code, e.Err = f.status, f.code, f.err
	}
	return e
}

// open makes the first request.
func (f *File) open(ctx context.Context) error {
	a, err := f.c.attempt(ctx, f.request(0, openBytes, nil))
	var refusal *failure
	if errors.As(err, &refusal) && refusal.status == http.StatusRequestedRangeNotSatisfiable {
		return f.openEmpty(ctx)
	}
	if err != nil {
		return err
	}
	if err := checkPlain(a.Header); err != nil {
		a.Close()
		return err
	}
	f.leads, f.home = a.leads, a.home
	switch a.StatusCode {
	case http.StatusPartialContent:
		defer a.Close()
		return f.openRange(a)
	case http.StatusOK:
		return f.openWhole(a)
	}
	a.Close()
	return wrong("the server answers %d %s to a GET", a.StatusCode, http.StatusText(a.StatusCode))
}

// openRange takes the size and the first bytes from the answer of a server with ranges.
func (f *File) openRange(a *answer) error {
	start, end, total, err := rangeOf(a, 0, openBytes)
	if err != nil {
		return err
	}
	if total < 0 {
		return wrong("the server does not tell the size of the file (Content-Range %s)", printable(a.Header.Get("Content-Range")))
	}
	data := make([]byte, end+1-start)
	if _, err := readBody(a, data); err != nil {
		return err
	}
	f.speed.add(a, len(data))
	f.pin = pinOf(a.Header, total)
	f.cache.put(0, data)
	return nil
}

// openEmpty opens a file without bytes. Servers refuse every range of it.
func (f *File) openEmpty(ctx context.Context) error {
	a, err := f.c.attempt(ctx, request{method: http.MethodGet, url: f.c.loc.url, header: http.Header{}, read: true})
	if err != nil {
		return err
	}
	defer a.Close()
	if _, err := readBody(a, nil); err != nil || a.StatusCode != http.StatusOK {
		return wrong("the server refuses to give the first bytes of a file that is not empty")
	}
	f.leads, f.home = a.leads, a.home
	f.pin = pinOf(a.Header, 0)
	return nil
}

// request returns the request for n bytes at an offset, of the version p if it is not nil.
func (f *File) request(off, n int64, p *pin) request {
	h := http.Header{}
	h.Set("Range", "bytes="+strconv.FormatInt(off, 10)+"-"+strconv.FormatInt(off+n-1, 10))
	if p != nil {
		p.conditions(h)
	}
	return request{method: http.MethodGet, url: f.c.loc.url, header: h, read: true}
}

// rangeOf checks that an answer has a first part of the n bytes at off, and returns which.
func rangeOf(a *answer, off, n int64) (start, end, total int64, err error) {
	text := a.Header.Values("Content-Range")
	if len(text) != 1 {
		return 0, 0, 0, wrong("%d headers Content-Range in the answer of a range, want 1", len(text))
	}
	start, end, total, ok := parseContentRange(text[0])
	switch length := end + 1 - start; {
	case !ok || start < 0:
		return 0, 0, 0, wrong("invalid Content-Range %s", printable(text[0]))
	case start != off || end >= off+n:
		return 0, 0, 0, wrong("asked for the bytes %d to %d, and the server answers with %s", off, off+n-1, printable(text[0]))
	case a.ContentLength >= 0 && a.ContentLength != length:
		return 0, 0, 0, wrong("an answer of %d bytes with Content-Range %s", a.ContentLength, printable(text[0]))
	}
	return start, end, total, nil
}

// readBody fills p with a body, which must end there. It returns the bytes that arrived.
func readBody(a *answer, p []byte) (int, error) {
	n, err := io.ReadFull(a.body, p)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return n, broken(fmt.Errorf("%w, after %d of %d bytes: %w", errShortBody, n, len(p), io.ErrUnexpectedEOF))
	}
	if err != nil {
		return n, bodyError(err)
	}
	var one [1]byte
	if m, err := a.body.Read(one[:]); m > 0 {
		return n, wrong("the server answers more bytes than it says")
	} else if err != nil && err != io.EOF {
		return n, bodyError(err)
	}
	return n, nil
}

// bodyError classifies the error of reading a body: all but the end of the context are repeated.
func bodyError(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, errTimeout) || errors.Is(err, fs.ErrClosed) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return broken(err)
}

// mostAnswers limits the answers for one range: servers may give less than was asked for.
const mostAnswers = 1000

// fetch fills p with the bytes at off.
func (f *File) fetch(p []byte, off int64) error {
	have, answers := 0, 0
	err := f.c.retry(f.ctx, func(ctx context.Context) error {
		for have < len(p) {
			if answers++; answers > mostAnswers {
				return wrong("more than %d answers for %d bytes", mostAnswers, len(p))
			}
			n, err := f.fetchOnce(ctx, p[have:], off+int64(have))
			have += n // bytes that arrived are not asked for again
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return f.failed(err)
	}
	return nil
}

// fetchOnce makes one request for the bytes at off, and returns how many arrived.
func (f *File) fetchOnce(ctx context.Context, p []byte, off int64) (int, error) {
	a, err := f.c.attempt(ctx, f.request(off, int64(len(p)), &f.pin))
	if err != nil {
		return 0, versionError(err)
	}
	defer a.Close()
	if err := checkPlain(a.Header); err != nil {
		return 0, err
	}
	if a.StatusCode == http.StatusOK {
		if err := f.pin.check(a.Header, a.ContentLength); err != nil {
			return 0, err
		}
		return 0, broken(fmt.Errorf("%w of this request, and gave those of others", ErrNoRanges))
	}
	if a.StatusCode != http.StatusPartialContent {
		return 0, wrong("the server answers %d %s to a GET", a.StatusCode, http.StatusText(a.StatusCode))
	}
	start, end, total, err := rangeOf(a, off, int64(len(p)))
	if err != nil {
		if f.pin.check(a.Header, -1) != nil {
			err = f.pin.check(a.Header, -1)
		}
		return 0, err
	}
	if err := f.pin.check(a.Header, total); err != nil {
		return 0, err
	}
	n, err := readBody(a, p[:end+1-start])
	if err == nil {
		f.speed.add(a, n)
	}
	return n, err
}

// versionError returns the error of a request with conditions.
func versionError(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	switch f.status {
	case http.StatusPreconditionFailed:
		f.err = fmt.Errorf("%w (%w)", ErrChanged, f.err)
	case http.StatusNotFound, http.StatusGone:
		f.err = fmt.Errorf("%w (it was removed: %w)", ErrChanged, f.err)
	case http.StatusRequestedRangeNotSatisfiable:
		f.err = fmt.Errorf("%w (it is shorter: %w)", ErrChanged, f.err)
	}
	return f
}

func (f *File) failed(err error) error {
	if f.ctx.Err() != nil {
		err = context.Cause(f.ctx)
	}
	return f.c.failed("read", err)
}

// ReadAt reads the len(p) bytes at an offset, as io.ReaderAt says. Small reads, and reads one after another, go through
// the cache. An error means that p may hold anything, but no read returns bytes of another version of the file as valid.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	f.c.count.reads.Add(1)
	if f.ctx.Err() != nil {
		return 0, f.failed(context.Cause(f.ctx))
	}
	if off < 0 {
		return 0, &Error{Op: "read", URL: f.URL(), Err: fmt.Errorf("negative offset %d", off)}
	}
	var end error
	if left := max(f.pin.size-off, 0); int64(len(p)) > left {
		p, end = p[:left], io.EOF
	}
	read := f.cache.readAt
	if f.forward != nil {
		read = f.forward.readAt
	}
	if err := read(p, off); err != nil {
		return 0, err
	}
	return len(p), end
}

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.pin.size }

// ETag returns the version of the file, as the server names it; "" if it does not.
func (f *File) ETag() string { return f.pin.etag }

// URL returns the URL of the file without credentials and query.
func (f *File) URL() string { return f.c.loc.String() }

// Ranges reports whether the server gives ranges of bytes. If it does not, the file is read forward.
func (f *File) Ranges() bool { return f.forward == nil }

// Stats returns the number of requests and bytes so far.
func (f *File) Stats() Stats { return f.c.count.stats() }

// ReadOptions returns options for reading arrays in the file: the gap that takes as long to read as a request, as measured so far,
// up to 1 MiB, and several reads at the same time.
func (f *File) ReadOptions() npy.ReadOptions {
	return npy.ReadOptions{Gap: f.speed.gap(), Workers: min(f.c.o.Concurrent, 16)}
}

// Close ends all requests and frees the cache. Reads after Close fail with an error that wraps fs.ErrClosed.
func (f *File) Close() error {
	f.cancel(fs.ErrClosed)
	f.cache.close()
	if f.forward != nil {
		f.forward.close()
	}
	return nil
}
