package remote_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/stats"
)

// throttled writes 80 MB in a second.
type throttled struct {
	http.ResponseWriter
	start time.Time
	sent  int
}

func (w *throttled) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		m := min(len(p), 64<<10)
		time.Sleep(time.Until(w.start.Add(time.Duration(float64(w.sent+m) / 80e6 * 1e9)))) // the rate of a distant server
		m, err = w.ResponseWriter.Write(p[:m])
		n, p, w.sent = n+m, p[m:], w.sent+m
	}
	return n, err
}

// distant serves data from afar: 20 ms for each request, 80 MB a second for each answer.
func distant(tb testing.TB, data []byte) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(20 * time.Millisecond) // the latency of a distant server
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(&throttled{w, time.Now(), 0}, r, "a.npy", time.Time{}, bytes.NewReader(data))
	}))
	tb.Cleanup(server.Close)
	tb.Cleanup(server.CloseClientConnections)
	return server.URL
}

// far returns an array of 64 MB, and a function that opens it.
func far(tb testing.TB) func() (*remote.File, *npy.File) {
	var file bytes.Buffer
	if err := npy.SaveTo(&file, make([]float64, 8_000_000), 8000, 1000); err != nil {
		tb.Fatal(err)
	}
	url := distant(tb, file.Bytes())
	return func() (*remote.File, *npy.File) {
		f, err := remote.Open(tb.Context(), url, remote.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		a, err := npy.Decoder{ReadOptions: f.ReadOptions()}.OpenReaderAt(f, f.Size())
		if err != nil {
			tb.Fatal(err)
		}
		return f, a
	}
}

// uses are operations on a remote array.
var uses = []struct {
	name     string
	do       func(ctx context.Context, f *remote.File, a *npy.File) error
	bytes    int64 // that it needs
	requests int64 // at most, with the one that opens
}{
	{"row", func(_ context.Context, _ *remote.File, a *npy.File) error {
		_, err := a.Slice(npy.At(5000))
		return err
	}, 8000, 2},
	{"1000 rows", func(_ context.Context, _ *remote.File, a *npy.File) error {
		_, err := a.Slice(npy.Span(3000, 4000))
		return err
	}, 8_000_000, 20},
	{"ReadAll", func(ctx context.Context, _ *remote.File, a *npy.File) error { _, err := a.ReadAll(ctx); return err }, 64_000_000, 80},
	{"stats", func(ctx context.Context, _ *remote.File, a *npy.File) error { _, err := stats.Of(ctx, a); return err }, 64_000_000, 80},
	{"copy", func(ctx context.Context, _ *remote.File, a *npy.File) error {
		return npy.Copier{}.Write(ctx, io.Discard, a)
	}, 64_000_000, 80},
	{"stream", func(_ context.Context, f *remote.File, _ *npy.File) error {
		n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, io.NewSectionReader(f, 0, f.Size()), make([]byte, 64<<10))
		return errors.Join(err, map[bool]error{false: io.ErrUnexpectedEOF}[n == f.Size()])
	}, 64_000_000, 80},
}

// Requests and bytes stay close to the least.
func TestFarReads(t *testing.T) {
	open := far(t)
	for _, use := range uses {
		f, a := open()
		start := time.Now()
		if err := use.do(t.Context(), f, a); err != nil {
			t.Fatal(err)
		}
		st := f.Stats()
		f.Close()
		t.Logf("%-10s %4d ms, %3d requests, %d bytes", use.name, time.Since(start).Milliseconds(), st.Requests, st.Bytes)
		if st.Requests > use.requests || st.Bytes > use.bytes*11/10+128<<10 {
			t.Errorf("%s: %d requests for %d bytes, want at most %d for %d", use.name, st.Requests, st.Bytes, use.requests, use.bytes)
		}
	}
}

func BenchmarkFar(b *testing.B) {
	open := far(b)
	for _, use := range uses {
		b.Run(use.name, func(b *testing.B) {
			for range b.N {
				f, a := open()
				if err := use.do(b.Context(), f, a); err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
}
