package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// A file is opened by one request, which is no HEAD, and read exactly.
func TestReadAt(t *testing.T) {
	for _, size := range []int{0, 1, 100, openBytes - 1, openBytes, openBytes + 1, 3<<20 + 7} {
		s := &faulty{data: randomBytes(size), etag: `"a"`}
		s.fault = func(w http.ResponseWriter, r *http.Request, _ int64) bool {
			if r.Method != http.MethodGet || r.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("%s with Accept-Encoding %q", r.Method, r.Header.Get("Accept-Encoding"))
			}
			return false
		}
		f := open(t, s.start(t), noWait())
		if f.Size() != int64(size) || f.ETag() != `"a"` {
			t.Errorf("size %d, ETag %s", f.Size(), f.ETag())
		}
		if n := s.requests.Load(); n != 1 {
			t.Errorf("%d requests to open %d bytes", n, size)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			off := r.IntN(size + 1)
			readRight(t, f, s.data, off, r.IntN(size-off+1))
		}
		if err := iotest.TestReader(io.NewSectionReader(f, 0, int64(size)), s.data); size < 1000 && err != nil {
			t.Error(err)
		}
		if n, err := f.ReadAt(make([]byte, 10), int64(size)); n != 0 || err != io.EOF {
			t.Errorf("at the end: %d, %v", n, err)
		}
		if _, err := f.ReadAt(make([]byte, 10), -1); err == nil {
			t.Error("a negative offset is read")
		}
	}
}

// Goroutines share bytes that arrive, and no byte that stays in the cache is asked for twice.
func TestSharedReads(t *testing.T) {
	s := &faulty{data: randomBytes(8 << 20), etag: `"a"`}
	f := open(t, s.start(t), noWait())
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 5))
			for i := range 300 {
				off, n := i*((8<<20)/300), 1000+r.IntN(20000)
				n = min(n, len(s.data)-off)
				p := make([]byte, n)
				if _, err := f.ReadAt(p, int64(off)); err != nil || !bytes.Equal(p, s.data[off:off+n]) {
					t.Errorf("ReadAt(%d, %d): %v", n, off, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if got := f.Stats().Bytes; got > 8<<20 {
		t.Errorf("%d bytes arrived of a file of %d", got, 8<<20)
	}
}

// Reads one after another are read ahead; a single one is not.
func TestReadAhead(t *testing.T) {
	s := &faulty{data: randomBytes(16 << 20), etag: `"a"`}
	url := s.start(t)
	f := open(t, url, noWait())
	readRight(t, f, s.data, 5<<20, 100<<10)
	if st := f.Stats(); st.Requests != 2 || st.Bytes != openBytes+100<<10 {
		t.Errorf("a single read: %+v", st)
	}
	f = open(t, url, noWait())
	for off := 0; off < len(s.data); off += 100 << 10 {
		readRight(t, f, s.data, off, min(100<<10, len(s.data)-off))
	}
	if st := f.Stats(); st.Requests > 25 || st.Bytes != int64(len(s.data)) {
		t.Errorf("reads one after another: %+v", st)
	}
}

// The cache stays within its limit, whatever is read.
func TestCacheLimit(t *testing.T) {
	s := &faulty{data: randomBytes(24 << 20), etag: `"a"`}
	o := noWait()
	o.Cache = 1
	f := open(t, s.start(t), o)
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		off := r.IntN(len(s.data))
		readRight(t, f, s.data, off, min(1+r.IntN(200<<10), len(s.data)-off))
		f.cache.mu.Lock()
		bytes := f.cache.bytes
		f.cache.mu.Unlock()
		if bytes > minCache+mostAhead*blockSize {
			t.Fatalf("the cache has %d bytes", bytes)
		}
	}
}

// An answer that ends early is continued after the bytes that arrived, at every offset.
func TestCutBodies(t *testing.T) {
	data := randomBytes(700)
	for cut := range len(data) {
		s := &faulty{data: data, etag: `"a"`}
		s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
			if number%2 == 1 {
				w.Header().Set("ETag", `"a"`)
				answerRange(w, r, data, cut)
				return true
			}
			return false
		}
		f := open(t, s.start(t), noWait())
		readRight(t, f, data, 0, len(data))
	}
	s := &faulty{data: randomBytes(200 << 10), etag: `"a"`}
	s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
		if number > 1 && number < 8 {
			w.Header().Set("ETag", `"a"`)
			answerRange(w, r, s.data, 10000)
			return true
		}
		return false
	}
	f := open(t, s.start(t), noWait())
	readRight(t, f, s.data, 100<<10, 90<<10)
	if st := f.Stats(); st.Bytes != openBytes+90<<10 || st.Retries != 6 {
		t.Errorf("after six cuts: %+v", st)
	}
}

// Answers that are wrong are errors at once, and answers for now are repeated.
func TestFaults(t *testing.T) {
	data := randomBytes(300 << 10)
	for _, tt := range []struct {
		name  string
		fault func(w http.ResponseWriter, r *http.Request)
		want  string // "" for a read that succeeds after repetitions
		is    error
	}{
		{"429", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }, "", nil},
		{"503", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "", nil},
		{"408", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(408) }, "", nil},
		{"reset", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "", nil},
		{"whole file now and then", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", `"a"`); w.Write(data) }, "", nil},
		{"403", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, "403 Forbidden", fs.ErrPermission},
		{"404", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "removed", ErrChanged},
		{"412", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(412) }, "changed", ErrChanged},
		{"416", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(416) }, "shorter", ErrChanged},
		{"501", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(501) }, "501", nil},
		{"204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, "204", nil},
		{"other ETag", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"b"`)
			answerRange(w, r, data, -1)
		}, `was "a" and is "b"`, ErrChanged},
		{"no ETag", func(w http.ResponseWriter, r *http.Request) { answerRange(w, r, data, -1) }, "missing", ErrChanged},
		{"other size", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"a"`)
			answerRange(w, r, append(data[:len(data):len(data)], 1), -1)
		}, "size was", ErrChanged},
		{"other file, whole", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", `"b"`); w.Write(data) }, "ETag was", ErrChanged},
		{"no Content-Range", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"a"`)
			w.WriteHeader(206)
			w.Write(data)
		}, "0 headers Content-Range", nil},
		{"two Content-Ranges", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"a"`)
			w.Header().Add("Content-Range", fmt.Sprintf("bytes 102400-122879/%d", len(data)))
			w.Header().Add("Content-Range", fmt.Sprintf("bytes 102400-122879/%d", len(data)))
			answerRange(w, r, data, -1)
		}, "2 headers Content-Range", nil},
		{"wrong unit", contentRange(data, "lines 1-2/3"), "invalid Content-Range", nil},
		{"another range", contentRange(data, fmt.Sprintf("bytes 0-20479/%d", len(data))), "asked for the bytes", nil},
		{"a longer range", contentRange(data, fmt.Sprintf("bytes 102400-122880/%d", len(data))), "asked for the bytes", nil},
		{"a range of another length", contentRange(data, fmt.Sprintf("bytes 102400-122870/%d", len(data))), "an answer of 20480 bytes", nil},
		{"unsatisfied under 206", contentRange(data, fmt.Sprintf("bytes */%d", len(data))), "invalid Content-Range", nil},
		{"compressed", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"a"`)
			w.Header().Set("Content-Encoding", "gzip")
			answerRange(w, r, data, -1)
		}, "compressed", nil},
		{"multipart", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"a"`)
			w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
			answerRange(w, r, data, -1)
		}, "several ranges", nil},
		{"too long, chunked", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"a"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 102400-122879/%d", len(data)))
			w.WriteHeader(206)
			w.(http.Flusher).Flush()
			w.Write(data[102400:122881])
		}, "more bytes than it says", nil},
		{"redirects for ever", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, "more than 10 redirects", nil},
		{"redirect to a file", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, "not http", nil},
		{"redirect to metadata", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/?secret=verysecret", http.StatusFound)
		}, "link-local", nil},
		{"redirect to nowhere", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(302) }, "nowhere", nil},
		{"a message with the query", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(403)
			fmt.Fprintf(w, "<Error><Code>No</Code><Message>not %s</Message></Error>", r.URL.RawQuery)
		}, "403 Forbidden, No", nil},
		{"a message with controls", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
			io.WriteString(w, "<Error><Code>No</Code><Message>\u202eon\nx</Message></Error>")
		}, "403 Forbidden, No: �on", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &faulty{data: data, etag: `"a"`}
			s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
				if number > 1 && (tt.want != "" || number < 6) {
					tt.fault(w, r)
					return true
				}
				return false
			}
			f := open(t, s.start(t), noWait())
			p := make([]byte, 20<<10)
			_, err := f.ReadAt(p, 100<<10)
			switch {
			case tt.want == "" && (err != nil || !bytes.Equal(p, data[100<<10:120<<10])):
				t.Errorf("error %v, or other bytes", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %s", err, tt.want)
			case tt.is != nil && !errors.Is(err, tt.is):
				t.Errorf("error %v is not %v", err, tt.is)
			}
			if err != nil {
				noSecret(t, err)
			}
			if got := s.requests.Load(); tt.want != "" && !strings.Contains(tt.name, "redirect") && got != 2 {
				t.Errorf("%d requests, want 2: this is not to be repeated", got)
			}
			for err != nil && tt.is == nil { // the cache did not keep failed reads
				s.fault = nil
				readRight(t, f, data, 100<<10, 20<<10)
				break
			}
		})
	}
}

func contentRange(data []byte, text string) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Content-Range", text)
		answerRange(w, r, data, -1)
	}
}

// Weak and missing ETags are compared, not sent.
func TestWeakVersions(t *testing.T) {
	for _, tt := range []struct{ first, later, header string }{
		{`W/"a"`, `"a"`, "ETag"}, {`W/"a"`, `W/"a"`, "ETag"}, {"Mon, 02 Jan 2006 15:04:05 GMT", "Mon, 02 Jan 2006 15:04:05 GMT", "Last-Modified"}, {"", "", "ETag"},
		{`W/"a"`, `W/"b"`, "ETag"}, {"Mon, 02 Jan 2006 15:04:05 GMT", "Mon, 02 Jan 2006 15:04:06 GMT", "Last-Modified"}, {"", `"a"`, "ETag"},
	} {
		data := randomBytes(200 << 10)
		s := &faulty{data: data}
		s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
			v := tt.later
			if number == 1 {
				v = tt.first
			}
			if v != "" {
				w.Header().Set(tt.header, v)
			}
			if m := r.Header.Get("If-Match"); m != "" {
				t.Errorf("If-Match %s", m)
			}
			answerRange(w, r, data, -1)
			return true
		}
		f := open(t, s.start(t), noWait())
		_, err := f.ReadAt(make([]byte, 100), 100<<10)
		same := strings.TrimPrefix(tt.first, "W/") == strings.TrimPrefix(tt.later, "W/")
		if errors.Is(err, ErrChanged) == same || same && err != nil {
			t.Errorf("%s %q, then %q: error %v", tt.header, tt.first, tt.later, err)
		}
	}
}

// A redirect is followed without credentials to another host, is remembered, and asked for again when it is over.
func TestRedirects(t *testing.T) {
	data := randomBytes(300 << 10)
	valid := "1"
	target := &faulty{data: data, etag: `"a"`}
	target.fault = func(w http.ResponseWriter, r *http.Request, _ int64) bool {
		for name := range r.Header {
			switch name {
			case "Range", "If-Match", "Accept-Encoding", "User-Agent":
			default:
				t.Errorf("another host gets the header %s", name)
			}
		}
		if r.URL.Query().Get("valid") != valid {
			w.WriteHeader(403)
			return true
		}
		return false
	}
	there := httptest.NewServer(target)
	defer there.Close()
	origin := &faulty{}
	origin.fault = func(w http.ResponseWriter, r *http.Request, _ int64) bool {
		if r.Header.Get("Authorization") != "Bearer verysecret" {
			t.Errorf("Authorization %q", r.Header.Get("Authorization"))
		}
		http.Redirect(w, r, there.URL+"/b.npy?valid="+valid, http.StatusFound)
		return true
	}
	o := noWait()
	o.Header = http.Header{"Authorization": {"Bearer verysecret"}, "X-Amz-Security-Token": {"verysecret"}}
	f := open(t, origin.start(t), o)
	for off := 80 << 10; off < 280<<10; off += 40 << 10 {
		readRight(t, f, data, off, 1000)
	}
	if n := origin.requests.Load(); n != 1 {
		t.Errorf("%d requests to the first host, want 1", n)
	}
	valid = "2"
	readRight(t, f, data, 290<<10, 1000)
	if n := origin.requests.Load(); n != 2 {
		t.Errorf("%d requests to the first host after the redirect was over, want 2", n)
	}
}

// Retry-After is obeyed, and waits are random.
func TestRetryAfter(t *testing.T) {
	s := &faulty{data: randomBytes(100), etag: `"a"`}
	s.fault = func(w http.ResponseWriter, _ *http.Request, number int64) bool {
		if number == 1 {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(503)
		}
		return number == 1
	}
	o := noWait()
	var waits []time.Duration
	o.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	open(t, s.start(t), o)
	if len(waits) != 1 || waits[0] < 7*time.Second || waits[0] > 7*time.Second+firstWait {
		t.Errorf("waits %v", waits)
	}
	s.requests.Store(0)
	o.Timeout = 5 * time.Second
	_, err := Open(t.Context(), s.start(t), o)
	if err == nil || !strings.Contains(err.Error(), "asks to wait for 7s") {
		t.Errorf("error %v", err)
	}
	noSecret(t, err)
}

// A server that never recovers is given up after Options.Retries.
func TestRetriesEnd(t *testing.T) {
	s := &faulty{fault: func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(500); return true }}
	for _, retries := range []int{0, -1, 3} {
		s.requests.Store(0)
		o := noWait()
		o.Retries = retries
		_, err := Open(t.Context(), s.start(t), o)
		want := map[int]int64{0: 11, -1: 1, 3: 4}[retries]
		var e *Error
		if !errors.As(err, &e) || e.Status != 500 || s.requests.Load() != want {
			t.Errorf("Retries %d: %d requests, error %v", retries, s.requests.Load(), err)
		}
		noSecret(t, err)
	}
}

// Bodies that stand still end, and are continued; a server that says nothing at all is given up in time.
func TestSlowBodies(t *testing.T) {
	s := &faulty{data: randomBytes(100 << 10), etag: `"a"`}
	s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
		if number != 2 {
			return false
		}
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 71680-88063/%d", len(s.data)))
		w.WriteHeader(206)
		w.Write(s.data[71680:71690])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	o := noWait()
	o.IdleTimeout = 100 * time.Millisecond
	url := s.start(t)
	f := open(t, url, o)
	readRight(t, f, s.data, 70<<10, 1000)
	if st := f.Stats(); st.Retries != 1 {
		t.Errorf("%+v", st)
	}
	s.fault = func(_ http.ResponseWriter, r *http.Request, _ int64) bool { <-r.Context().Done(); return true }
	o.Timeout = 300 * time.Millisecond
	if _, err := Open(t.Context(), url, o); err == nil || !errors.Is(err, errTimeout) && !errors.Is(err, errIdle) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := Open(ctx, url, noWait()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Close ends reads that wait, and later ones fail.
func TestClose(t *testing.T) {
	s := &faulty{data: randomBytes(100 << 10), etag: `"a"`}
	s.fault = func(_ http.ResponseWriter, r *http.Request, number int64) bool {
		if number > 1 {
			<-r.Context().Done()
		}
		return number > 1
	}
	f := open(t, s.start(t), noWait())
	time.AfterFunc(50*time.Millisecond, func() { f.Close() })
	if _, err := f.ReadAt(make([]byte, 10), 90<<10); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if _, err := f.ReadAt(make([]byte, 10), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// A server without ranges is read forward.
func TestForward(t *testing.T) {
	for _, size := range []int{0, 100, blockSize, 5<<20 + 3} {
		s := &faulty{data: randomBytes(size), etag: `"a"`}
		s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
			r.Header.Del("Range")
			if number == 3 {
				w.Header().Set("ETag", `"a"`)
				w.Header().Set("Content-Length", fmt.Sprint(size))
				w.Write(s.data[:size/2])
				panic(http.ErrAbortHandler)
			}
			return false
		}
		f := open(t, s.start(t), noWait())
		if f.Size() != int64(size) || f.Ranges() {
			t.Errorf("size %d, ranges %v", f.Size(), f.Ranges())
		}
		for off := 0; off < size; off += 70000 {
			readRight(t, f, s.data, off, min(70000, size-off))
		}
		for off := size; off > 0; off -= 700000 {
			readRight(t, f, s.data, max(off-700000, 0), min(700000, off))
		}
	}
	s := &faulty{data: randomBytes(12 << 20), etag: `"a"`}
	s.fault = func(_ http.ResponseWriter, r *http.Request, _ int64) bool { r.Header.Del("Range"); return false }
	o := noWait()
	o.Cache, o.MaxSkip = 1, 20<<20
	f := open(t, s.start(t), o)
	readRight(t, f, s.data, 11<<20, 100)
	readRight(t, f, s.data, 0, 100)
	readRight(t, f, s.data, 5<<20, 100) // of the blocks read before, only the last four are kept
	readRight(t, f, s.data, 1<<20, 100)
	if _, err := f.ReadAt(make([]byte, 100), 9<<20); !errors.Is(err, ErrNoRanges) {
		t.Errorf("error %v", err)
	}
}

// A server that tells neither ranges nor a size is read whole, within the cache.
func TestUnknownSize(t *testing.T) {
	for _, size := range []int{1000, 3 << 20, 5 << 20} {
		s := &faulty{data: randomBytes(size)}
		s.fault = func(w http.ResponseWriter, r *http.Request, _ int64) bool {
			w.(http.Flusher).Flush()
			w.Write(s.data)
			return true
		}
		o := noWait()
		o.Cache = 1 // means 4 MiB
		f, err := Open(t.Context(), s.start(t), o)
		if size > minCache {
			if !errors.Is(err, ErrNoRanges) {
				t.Errorf("error %v", err)
			}
			continue
		}
		if err != nil || f.Size() != int64(size) {
			t.Fatalf("%v", err)
		}
		readRight(t, f, s.data, 0, size)
		f.Close()
	}
}

// Errors about servers that are not there come at once.
func TestNoServer(t *testing.T) {
	server := httptest.NewServer(nil)
	url := server.URL + "/?k=verysecret"
	server.Close()
	o := noWait()
	o.sleep = func(context.Context, time.Duration) error { t.Error("it waits"); return nil }
	_, err := Open(t.Context(), url, o)
	if err == nil {
		t.Fatal("a server that is not there answers")
	}
	noSecret(t, err)
	for _, bad := range []string{"a.npy", "ftp://x/y", "https:///a", "s3://", "s3:///a", "s3://a?b/c", "https://user:verysecret@[::1/", "http://\x7f/verysecret"} {
		if _, err := Open(t.Context(), bad, noWait()); err == nil {
			t.Errorf("%s was opened", bad)
		} else if strings.Contains(bad, "verysecret") {
			noSecret(t, err)
		}
	}
}

// The gap grows with the time of a request.
func TestGap(t *testing.T) {
	s := &faulty{data: randomBytes(3 << 20), etag: `"a"`}
	s.fault = func(http.ResponseWriter, *http.Request, int64) bool { time.Sleep(20 * time.Millisecond); return false } // the latency that is measured
	f := open(t, s.start(t), noWait())
	readRight(t, f, s.data, 1<<20, 1<<20)
	if g := f.ReadOptions().Gap; g < 100<<10 || g > 1<<20 {
		t.Errorf("gap %d", g)
	}
	sp := speed{wait: time.Microsecond, second: 1e6}
	if g := sp.gap(); g != leastGap {
		t.Errorf("gap %d", g)
	}
}

// Reads of a header make no requests: its bytes came when the file was opened, and the next bytes may not be wanted.
func TestNoReadingAheadOfHeaders(t *testing.T) {
	s := &faulty{data: randomBytes(4 << 20), etag: `"1"`}
	f := open(t, s.start(t), noWait())
	for off := 0; off < 1000; off += 10 {
		readRight(t, f, s.data, off, 10)
	}
	f.Close()
	if n := s.requests.Load(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}
