package remote

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A faulty is a server of one file, and of its faults.
type faulty struct {
	data     []byte
	etag     string
	requests atomic.Int64
	// fault, if it is not nil, answers a request in place of the server and returns true, or returns false.
	fault func(w http.ResponseWriter, r *http.Request, number int64) bool
}

func (s *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.requests.Add(1)
	if s.fault != nil && s.fault(w, r, n) {
		return
	}
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	http.ServeContent(w, r, "a.npy", time.Time{}, bytes.NewReader(s.data))
}

// start starts the server. The URL has a query that must not be printed.
func (s *faulty) start(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // before that: under Wine a write to a client that has gone has no end of its own
	return server.URL + "/a.npy?sig=verysecret"
}

// noWait has all options of tests: repetitions do not wait, and the environment is empty.
func noWait() Options {
	return Options{
		getenv: func(string) string { return "" },
		sleep:  func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func open(t testing.TB, url string, o Options) *File {
	t.Helper()
	f, err := Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// readRight reads a range and compares it.
func readRight(t testing.TB, f *File, data []byte, off, n int) {
	t.Helper()
	p := make([]byte, n)
	if m, err := f.ReadAt(p, int64(off)); err != nil || m != n {
		t.Fatalf("ReadAt(%d bytes, %d) = %d, %v", n, off, m, err)
	}
	if !bytes.Equal(p, data[off:off+n]) {
		t.Fatalf("ReadAt(%d bytes, %d) gives other bytes", n, off)
	}
}

// noSecret checks that an error has no part of the query of a URL and is one line.
func noSecret(t testing.TB, err error) {
	t.Helper()
	if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, "verysecret") || strings.Contains(text, "\n") {
		t.Errorf("the error has a secret or several lines: %s", text)
	}
}

// answerRange answers a range as a server should, except for what the caller has set: other headers and a shorter body.
func answerRange(w http.ResponseWriter, r *http.Request, data []byte, cut int) {
	var start, end int
	fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &start, &end)
	end = min(end, len(data)-1)
	if w.Header().Get("Content-Range") == "" {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, end, len(data)))
	}
	if w.Header().Get("Content-Length") == "" {
		w.Header().Set("Content-Length", fmt.Sprint(end+1-start))
	}
	w.WriteHeader(http.StatusPartialContent)
	body := data[start : end+1]
	if cut >= 0 && cut < len(body) {
		w.Write(body[:cut])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	io.Copy(w, bytes.NewReader(body))
}
