package parts_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/stats"
)

// shards serves n parts of 1 MB, with a delay, and returns their array. before is called for each request.
func shards(t *testing.T, n int, before func()) *parts.Array {
	files := map[string][]byte{}
	m := parts.Manifest{DType: npy.DTypeOf[int32](), Shape: []int{n * 250, 1000}}
	for i := range n {
		var file bytes.Buffer
		data := make([]int32, 250_000)
		for k := range data {
			data[k] = int32(i)
		}
		if err := npy.SaveTo(&file, data, 250, 1000); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("part-%d.npy", i)
		files[name] = file.Bytes()
		m.Parts = append(m.Parts, parts.Part{Path: name, Rows: 250})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before()
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "a.npy", time.Time{}, bytes.NewReader(files[strings.TrimPrefix(r.URL.Path, "/")]))
	}))
	t.Cleanup(server.Close)
	a, err := m.Open(func(ctx context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		f, err := remote.Open(context.WithoutCancel(ctx), server.URL+"/"+p.Path, remote.Options{})
		if err != nil {
			return nil, nil, err
		}
		src, err := npy.Decoder{ReadOptions: f.ReadOptions()}.OpenReaderAt(f, f.Size())
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		return src, f, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Parts of servers that are read one after another are opened and read ahead: several are under way at the same time. Each is
// opened once, and a part that is read alone has no others opened.
func TestPartsAfar(t *testing.T) {
	const n = 24
	var requests, now, most atomic.Int64
	var mu sync.Mutex
	a := shards(t, n, func() {
		requests.Add(1)
		mu.Lock()
		most.Store(max(most.Load(), now.Add(1)))
		mu.Unlock()
		time.Sleep(20 * time.Millisecond) // the latency of a distant server, in which other requests come
		now.Add(-1)
	})
	start := time.Now()
	s, err := stats.Of(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d parts in %d ms, %d requests, %d at a time", n, time.Since(start).Milliseconds(), requests.Load(), most.Load())
	if s[0].Mean.String() != "11.5" {
		t.Errorf("the mean is %s", s[0].Mean)
	}
	if most.Load() < 8 {
		t.Errorf("%d requests at the same time, want at least 8", most.Load())
	}
	if requests.Load() > 6*n {
		t.Errorf("%d requests for %d parts", requests.Load(), n)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	b := shards(t, n, func() { requests.Add(1) })
	requests.Store(0)
	part, err := b.Select(npy.Span(1300, 1400))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.ReadAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if requests.Load() > 3 {
		t.Errorf("%d requests for rows of one part", requests.Load())
	}

	c := shards(t, n, func() {}) // closed while parts are being opened
	for block, err := range c.Blocks(t.Context(), 1<<20) {
		if err != nil || block.Size() == 0 {
			t.Fatal(err)
		}
		if v, _ := npy.As[int32](block); v.At(0, 0) == 2 {
			break
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
