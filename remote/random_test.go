package remote

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// other is another file of the same size, so that any mixture of the two is seen.
func other(data []byte) []byte {
	b := make([]byte, len(data))
	for i := range data {
		b[i] = ^data[i]
	}
	return b
}

// A reply is what a server does with a request for a part of data.
type reply func(w http.ResponseWriter, r *http.Request, data []byte)

// randomFaults returns answers of servers that fail, or that are wrong. Their bytes are not the file's, except where the
// answer is a part of the right one.
func randomFaults(random *rand.Rand) []reply {
	return []reply{
		func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		},
		func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(500 + random.IntN(5)) },
		func(http.ResponseWriter, *http.Request, []byte) { panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter, r *http.Request, data []byte) { // a body that is cut
			answerRange(w, r, data, random.IntN(wanted(r, data)+1))
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // less than was asked for
			start, end := askedFor(r, data)
			end = start + random.IntN(end-start)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, end, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			w.Write(data[start : end+1])
		},
		func(w http.ResponseWriter, _ *http.Request, data []byte) { w.Write(data) }, // the range is ignored
		func(w http.ResponseWriter, r *http.Request, data []byte) { // another version
			w.Header().Set("ETag", `"b"`)
			answerRange(w, r, other(data), -1)
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // another version, weak
			w.Header().Set("ETag", `W/"b"`)
			answerRange(w, r, other(data), -1)
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // a file of another length
			answerRange(w, r, append(other(data), 0), -1)
		},
		func(w http.ResponseWriter, _ *http.Request, data []byte) { // another version, whole
			w.Header().Set("ETag", `"b"`)
			w.Write(other(data))
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // another range
			start, end := askedFor(r, data)
			from := (start + 1 + random.IntN(len(data)-1)) % len(data)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, min(from+end-start, len(data))-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			w.Write(data[from:min(from+end-start, len(data))])
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // more than it says
			start, end := askedFor(r, data)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			w.(http.Flusher).Flush()
			w.Write(append(data[start:end:end], 'x'))
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // compressed
			w.Header().Set("Content-Encoding", "gzip")
			answerRange(w, r, other(data), -1)
		},
		func(w http.ResponseWriter, r *http.Request, data []byte) { // several ranges
			w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
			answerRange(w, r, other(data), -1)
		},
		func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			io.WriteString(w, "<Error><Code>InternalError</Code></Error>") // under 200
		},
		func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(412) },
		func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(416) },
	}
}

const transientFaults = 5 // the first ones: a repetition succeeds

// askedFor returns the range of a request, end not included: all of the file if there is none.
func askedFor(r *http.Request, data []byte) (start, end int) {
	end = len(data) - 1
	fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &start, &end)
	return start, min(end+1, len(data))
}

func wanted(r *http.Request, data []byte) int {
	start, end := askedFor(r, data)
	return end - start
}

// Whatever a server answers, a read has the bytes of the file that was opened, or is an error.
func TestRandomFaults(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 12
	}
	data := randomBytes(3<<20 + 12345)
	seed := oracle.Seed(t)
	random := oracle.SharedRand(t)
	var exact, failed, refused atomic.Int64
	for round := range rounds {
		faults, ranges := randomFaults(random), round%6 != 5
		if round%2 == 0 {
			faults = faults[:transientFaults]
		}
		s := &faulty{data: data, etag: `"a"`}
		s.fault = func(w http.ResponseWriter, r *http.Request, _ int64) bool {
			if !ranges {
				r.Header.Del("Range")
			}
			if random.IntN(4) > 0 {
				return false
			}
			w.Header().Set("ETag", `"a"`)
			faults[random.IntN(len(faults))](w, r, data)
			return true
		}
		o := noWait()
		o.Cache = minCache
		url := s.start(t)
		if round%3 == 0 {
			url = strings.Replace(url, ".npy", ".npz", 1) // its end is asked for together with its start
		}
		f, err := Open(t.Context(), url, o)
		if err != nil {
			noSecret(t, err)
			refused.Add(1)
			continue
		}
		if f.Size() != int64(len(data)) || f.ETag() != `"a"` {
			f.Close()
			refused.Add(1)
			continue // another file, as a whole: the first answer says which is read
		}
		var all sync.WaitGroup
		for reader := range 3 {
			r := rand.New(rand.NewPCG(seed, uint64(1+3*round+reader)))
			all.Go(func() { readRandomly(t, r, f, data, reader == 0, &exact, &failed) })
		}
		all.Wait()
		f.Close()
	}
	if exact.Load() == 0 || failed.Load() == 0 {
		t.Errorf("%d reads are exact, %d are errors: want some of both", exact.Load(), failed.Load())
	}
	t.Logf("%d reads are exact, %d are errors, %d files were not opened", exact.Load(), failed.Load(), refused.Load())
}

// readRandomly reads ranges, one after another or anywhere, and compares the ranges that succeed.
func readRandomly(t *testing.T, r *rand.Rand, f *File, data []byte, inOrder bool, exact, failed *atomic.Int64) {
	off := 0
	for range 25 {
		n := 1 + r.IntN(1<<(4+r.IntN(17)))
		if !inOrder || off >= len(data) {
			off = r.IntN(len(data))
		}
		n = min(n, len(data)-off)
		if r.IntN(4) == 0 {
			f.WillRead(int64(off), int64(r.IntN(len(data))))
		}
		p := make([]byte, n)
		m, err := f.ReadAt(p, int64(off))
		switch {
		case err != nil:
			noSecret(t, err)
			failed.Add(1)
		case m != n || !bytes.Equal(p, data[off:off+n]):
			t.Errorf("ReadAt(%d bytes, %d) = %d without an error, and other bytes", n, off, m)
		default:
			exact.Add(1)
		}
		if err != nil && context.Cause(t.Context()) != nil {
			return
		}
		off += n
	}
}
