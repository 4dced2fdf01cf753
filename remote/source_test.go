package remote_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/remote"
)

// serve serves files that are made for each URL.
func serve(t *testing.T, ranges bool, get func(name string) []byte) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := get(r.URL.Query().Get("file"))
		if !ranges {
			r.Header.Del("Range")
		}
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "a.npy", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server.URL + "/?file="
}

// someVectors are enough to see that a File reads as a file does.
func someVectors(t *testing.T) []npytest.Vector {
	t.Helper()
	vectors, err := npytest.Vectors(filepath.Join("..", "testdata", "numpy-2.3.5"))
	if err != nil {
		t.Fatal(err)
	}
	if !testing.Short() {
		return vectors
	}
	some := vectors[:0:0]
	for i := 0; i < len(vectors); i += 10 {
		some = append(some, vectors[i])
	}
	return some
}

func readVector(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSource(t *testing.T) {
	for _, ranges := range []bool{true, false} {
		url := serve(t, ranges, func(name string) []byte { return readVector(t, name) })
		opened := map[string]*remote.File{}
		npytest.TestSource(t, someVectors(t), func(t *testing.T, v npytest.Vector) npy.Source {
			f := opened[v.Path]
			if f == nil {
				var err error
				if f, err = remote.Open(t.Context(), url+v.Path, remote.Options{}); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { f.Close() })
				opened[v.Path] = f
			}
			a, err := npy.Decoder{ReadOptions: f.ReadOptions()}.OpenReaderAt(f, f.Size())
			if err != nil {
				t.Fatal(err)
			}
			return a
		})
	}
}

// archive returns an archive with one member.
func archive(t *testing.T, e npz.Encoder, data []byte) []byte {
	var out bytes.Buffer
	w, err := e.NewWriter(&out)
	if err == nil {
		err = w.AddBytes("a.npy", data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestArchiveSource(t *testing.T) {
	for _, e := range []npz.Encoder{{}, {Store: true}} {
		url := serve(t, true, func(name string) []byte { return archive(t, e, readVector(t, name)) })
		opened := map[string]*remote.File{}
		npytest.TestSource(t, someVectors(t), func(t *testing.T, v npytest.Vector) npy.Source {
			f := opened[v.Path]
			if f == nil {
				var err error
				if f, err = remote.Open(t.Context(), url+v.Path, remote.Options{}); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { f.Close() })
				opened[v.Path] = f
			}
			z, err := npz.NewReader(f, f.Size())
			if err != nil {
				t.Fatal(err)
			}
			src, err := z.Source("a")
			if err != nil {
				t.Fatal(err)
			}
			return src
		})
	}
}

// An archive of a thousand members takes one more request than a file, and one for a member.
func TestOpenArchive(t *testing.T) {
	var out bytes.Buffer
	w, err := npz.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if err := npz.Add(w, fmt.Sprintf("layer%d", i), make([]float64, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	big := make([]int64, 100_000)
	for i := range big {
		big[i] = int64(i) * 7919 // 400 KB when compressed
	}
	if err := errors.Join(npz.Add(w, "big", big), w.Close()); err != nil {
		t.Fatal(err)
	}
	url := serve(t, true, func(string) []byte { return out.Bytes() })
	f, err := remote.Open(t.Context(), url, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := npz.NewReader(f, f.Size())
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Stats().Requests; n > 2 || len(z.Names()) != 1001 {
		t.Errorf("%d requests to open %d members", n, len(z.Names()))
	}
	before := f.Stats().Requests
	if a, err := z.Array("layer500"); err != nil || a.Shape()[0] != 1000 {
		t.Errorf("%v", err)
	}
	if n := f.Stats().Requests - before; n > 1 {
		t.Errorf("%d requests for a small member", n)
	}
}
