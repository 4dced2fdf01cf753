package remote

import (
	"context"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy/internal/par"
)

const (
	endBytes      = 96 << 10 // of the end of an archive: the directory of some 1,000 members, and the longest comment
	leastPatience = 200 * time.Millisecond
)

// An ending is the last bytes of a file, asked for together with the first: archives have their directory there.
type ending struct {
	task   *par.Task
	cancel context.CancelFunc
	ready  chan struct{} // closed when the task ends
	asked  time.Time
	header http.Header
	start  int64
	total  int64
	data   []byte
}

// hasDirectory reports whether the end of the file is read first, by its name, and whether the server knows ranges that
// count from there: Azure's does not.
func (l location) hasDirectory() bool {
	switch strings.ToLower(path.Ext(l.url.Path)) {
	case ".npz", ".zip":
		return l.store != azure
	}
	return false
}

// askEnding asks for the end of the file. It is not repeated: what it does not bring is asked for again.
func (f *File) askEnding() *ending {
	ctx, cancel := context.WithCancel(f.ctx)
	e := &ending{cancel: cancel, ready: make(chan struct{}), asked: time.Now()}
	e.task = par.Go(func() error {
		defer close(e.ready)
		r := f.request(0, 0, nil)
		r.header.Set("Range", "bytes=-"+strconv.Itoa(endBytes))
		a, err := f.c.attempt(ctx, r)
		if err != nil {
			return err
		}
		defer a.Close()
		if a.StatusCode != http.StatusPartialContent || checkPlain(a.Header) != nil {
			return wrong("an answer without the end of the file")
		}
		start, end, total, ok := parseContentRange(a.Header.Get("Content-Range"))
		if !ok || start < 0 || end-start >= endBytes || end != total-1 {
			return wrong("invalid Content-Range")
		}
		data := make([]byte, end+1-start)
		if _, err := readBody(a, data); err != nil {
			return err
		}
		e.header, e.start, e.total, e.data = a.Header, start, total, data
		return nil
	})
	return e
}

// keep puts the bytes into the cache, unless they are of another version than the pinned one or take much longer than the
// first bytes did.
func (e *ending) keep(f *File) {
	if f.forward != nil || f.pin.size <= openBytes {
		return
	}
	patience := time.NewTimer(max(2*time.Since(e.asked), leastPatience))
	defer patience.Stop()
	select {
	case <-e.ready:
	case <-patience.C:
		return
	}
	if e.task.Wait() == nil && f.pin.check(e.header, e.total) == nil {
		f.cache.put(max(e.start, openBytes), e.data[max(openBytes-e.start, 0):])
	}
}

// stop ends the request.
func (e *ending) stop() {
	e.cancel()
	_ = e.task.Wait()
}
