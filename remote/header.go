package remote

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// parseContentRange parses the Content-Range of an answer: the bytes start to end, end included, of total. total is -1 if
// the server does not know it. Of a refused range, "bytes */total", start is -1.
func parseContentRange(s string) (start, end, total int64, ok bool) {
	s, ok = strings.CutPrefix(s, "bytes ")
	span, size, cut := strings.Cut(s, "/")
	if !ok || !cut {
		return 0, 0, 0, false
	}
	if total = -1; size != "*" {
		if total, ok = parseSize(size); !ok {
			return 0, 0, 0, false
		}
	}
	if span == "*" {
		return -1, -1, total, total >= 0
	}
	first, last, cut := strings.Cut(span, "-")
	start, ok1 := parseSize(first)
	end, ok2 := parseSize(last)
	if !cut || !ok1 || !ok2 || start > end || total >= 0 && end >= total {
		return 0, 0, 0, false
	}
	return start, end, total, true
}

// parseSize parses decimal digits, and nothing else that strconv takes.
func parseSize(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// retryAfter returns how long the server asks to wait, 0 if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	s := strings.TrimSpace(h.Get("Retry-After"))
	if n, ok := parseSize(s); ok {
		return time.Duration(min(n, 1<<31)) * time.Second
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}

// A pin identifies the version of a file.
type pin struct {
	etag       string
	modified   string // Last-Modified
	generation string // of Google Cloud Storage
	size       int64
}

func pinOf(h http.Header, size int64) pin {
	return pin{etag: h.Get("ETag"), modified: h.Get("Last-Modified"), generation: h.Get("X-Goog-Generation"), size: size}
}

// conditions sets the headers by which a server refuses another version.
func (p pin) conditions(h http.Header) {
	switch {
	case p.etag == "" && p.modified != "":
		h.Set("If-Unmodified-Since", p.modified)
	case p.etag != "" && !isWeak(p.etag):
		h.Set("If-Match", p.etag)
	}
}

// check returns an error unless an answer is of the same version. size is the size of the whole file in the answer, or
// -1. Servers that ignore conditions are found here.
func (p pin) check(h http.Header, size int64) error {
	got := pinOf(h, size)
	switch {
	case size >= 0 && size != p.size:
		return changed("its size was %d bytes and is %d", p.size, size)
	case p.generation != got.generation && p.generation != "" && got.generation != "":
		return changed("its generation was %s and is %s", printable(p.generation), printable(got.generation))
	case opaque(p.etag) != opaque(got.etag):
		return changed("its ETag was %s and is %s", tagText(p.etag), tagText(got.etag))
	case p.etag == "" && p.modified != got.modified:
		return changed("it was modified at %s, now at %s", tagText(p.modified), tagText(got.modified))
	}
	return nil
}

func changed(format string, args ...any) *failure {
	return &failure{err: fmt.Errorf("%w (%s)", ErrChanged, fmt.Sprintf(format, args...))}
}

func tagText(tag string) string {
	if tag == "" {
		return "missing"
	}
	return printable(tag)
}

func isWeak(etag string) bool { return strings.HasPrefix(etag, "W/") }

// opaque returns an ETag without the mark of weakness. A server may give a weak ETag in the first second after a change,
// and the strong form of it later.
func opaque(etag string) string { return strings.TrimPrefix(etag, "W/") }

// checkPlain returns an error if the body is not the bytes of the file.
func checkPlain(h http.Header) error {
	if e := h.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") && !strings.EqualFold(e, "aws-chunked") {
		return wrong("the server answers compressed data (Content-Encoding %s), although the request excludes it", printable(e))
	}
	if t := h.Get("Content-Type"); strings.HasPrefix(t, "multipart/byteranges") {
		return wrong("the server answers several ranges to a request of one")
	}
	return nil
}

var errShortBody = errors.New("the answer ends early")
