package remote

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A range that was announced is asked for once, several requests at a time, and no further than the window before it is read.
func TestWillRead(t *testing.T) {
	var now, most atomic.Int64
	var asked atomic.Int64 // bytes
	release := make(chan struct{})
	s := &faulty{data: randomBytes(40 << 20), etag: `"a"`}
	s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
		if number > 1 {
			asked.Add(int64(wanted(r, s.data)))
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			<-release
			now.Add(-1)
		}
		return false
	}
	o := noWait()
	o.Cache = 8 << 20
	f := open(t, s.start(t), o)
	const start, end = 1 << 20, 39 << 20
	f.WillRead(start, end-start)
	for deadline := time.Now().Add(10 * time.Second); now.Load() < 16 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // the next request may still be on its way
	}
	close(release)
	if most.Load() != 16 {
		t.Errorf("%d requests at the same time, want 16", most.Load())
	}
	time.Sleep(50 * time.Millisecond) // for requests that must not come
	if n := asked.Load(); n > 6<<20 {
		t.Errorf("%d bytes were asked for before the first is read, want at most 3/4 of the cache", n)
	}
	for off := start; off < end; off += 300 << 10 {
		readRight(t, f, s.data, off, min(300<<10, end-off))
		f.cache.mu.Lock()
		bytes := f.cache.bytes
		f.cache.mu.Unlock()
		if bytes > 9<<20 {
			t.Fatalf("the cache has %d bytes", bytes)
		}
	}
	if st := f.Stats(); st.Bytes != openBytes+end-start {
		t.Errorf("%d bytes arrived of a range of %d", st.Bytes, end-start)
	}
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	if len(f.cache.plans) != 0 {
		t.Errorf("%d plans are left after the last byte was read", len(f.cache.plans))
	}
}

// Announcements do not change the bytes that are read, whoever reads them and wherever.
func TestWillReadRandomly(t *testing.T) {
	s := &faulty{data: randomBytes(12<<20 + 345), etag: `"a"`}
	o := noWait()
	o.Cache = minCache
	f := open(t, s.start(t), o)
	var all sync.WaitGroup
	for i := range uint64(4) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(i, 5))
			for range 12 {
				off := r.IntN(len(s.data))
				n := 1 + r.IntN(len(s.data)-off)
				f.WillRead(int64(off), int64(n))
				end, piece := off+r.IntN(n)+1, 1<<10+r.IntN(1<<r.IntN(22))
				for ; off < end; off += piece {
					readRight(t, f, s.data, off, min(piece, end-off))
				}
			}
		})
	}
	all.Wait()
	for _, wild := range [][2]int64{{-1, 5}, {5, -1}, {1 << 62, 1 << 62}, {0, 1<<63 - 1}, {int64(len(s.data)), 1}} {
		f.WillRead(wild[0], wild[1])
	}
	f.Close()
	f.WillRead(0, 100)
}

// The end of an archive is asked for before its start has arrived, and used only if it is of the same version.
func TestEnding(t *testing.T) {
	data := randomBytes(1 << 20)
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request) // to the request of the end
		kept   bool
	}{
		"right":    {func(w http.ResponseWriter, r *http.Request) {}, true},
		"refused":  {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(501) }, false},
		"aborted":  {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, false},
		"whole":    {func(w http.ResponseWriter, r *http.Request) { w.Write(data[:32<<10]) }, false}, // more would wait for ever in Wine
		"too late": {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, false},
		"another version": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"b"`)
			w.Header().Set("Content-Range", "bytes 1048575-1048575/1048576")
			w.WriteHeader(206)
			w.Write([]byte{data[1048575] + 1})
		}, false},
		"another length": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"a"`)
			w.Header().Set("Content-Range", "bytes 1048576-1048576/1048577")
			w.WriteHeader(206)
			w.Write([]byte{1})
		}, false},
		"wrong range": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes 100-200/1048576")
			w.WriteHeader(206)
			io.Copy(w, strings.NewReader(strings.Repeat("x", 101)))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			both := make(chan struct{})
			s := &faulty{data: data, etag: `"a"`}
			s.fault = func(w http.ResponseWriter, r *http.Request, number int64) bool {
				switch {
				case strings.HasPrefix(r.Header.Get("Range"), "bytes=-"):
					close(both)
					if c.kept {
						return false
					}
					c.answer(w, r)
					return true
				case r.Header.Get("Range") == "bytes=0-65535":
					<-both // the two requests are under way at the same time
				}
				return false
			}
			f := open(t, strings.Replace(s.start(t), ".npy", ".npz", 1), noWait())
			before := f.Stats().Requests
			readRight(t, f, data, len(data)-endBytes, endBytes)
			if used := f.Stats().Requests == before; used != c.kept {
				t.Errorf("the end that came with the opening is used: %v, want %v", used, c.kept)
			}
			f.Close()
		})
	}
	s := &faulty{data: data, etag: `"a"`}
	if f := open(t, s.start(t), noWait()); f.Stats().Requests != 1 {
		t.Errorf("%d requests to open an array", f.Stats().Requests)
	}
}
