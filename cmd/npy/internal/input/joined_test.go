package input

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

// A manifest at a URL is an array whose parts are beside it. A part of another version than the manifest says is an error.
func TestManifestAtURL(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a b"), 0o777); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for i := range 3 {
		paths = append(paths, fmt.Sprintf("a b/%d.npy", i))
		if err := npy.Save(filepath.Join(dir, filepath.FromSlash(paths[i])), []int16{int16(i), 5}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := parts.Scan(t.Context(), 0, paths, parts.Dir(dir, npy.Decoder{}))
	if err != nil {
		t.Fatal(err)
	}
	m.Parts[1].ETag = `"1"`
	if err := m.WriteFile(filepath.Join(dir, "m.npy.json")); err != nil {
		t.Fatal(err)
	}
	etag := `"1"`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "1.npy") {
			w.Header().Set("ETag", etag)
		}
		http.FileServer(http.Dir(dir)).ServeHTTP(w, r)
	}))
	defer server.Close()
	o := Opener{URLs: &urls.Client{Context: t.Context, Options: remote.Options{}}}
	read := func() (*npy.Array, error) {
		target, err := Parse(server.URL + "/m.npy.json[1:]")
		if err != nil {
			t.Fatal(err)
		}
		return o.Load(t.Context(), target)
	}
	if a, err := read(); err != nil || fmt.Sprint(a) != "[5 1 5 2 5]" {
		t.Errorf("read %v, %v", a, err)
	}
	etag = `"2"`
	if a, err := read(); err == nil || !strings.Contains(err.Error(), `part "a b/1.npy": the file has changed`) {
		t.Errorf("another version: %v, %v", a, err)
	}
}

func TestBesideURL(t *testing.T) {
	for _, tt := range [][3]string{
		{"https://h/m.npy.json", "a/b.npy", "https://h/a/b.npy"},
		{"https://h/d/m.npy.json?sig=a/b", "a b?.npy", "https://h/d/a%20b%3F.npy"},
		{"s3://bucket/d/m.npy.json", "a b?.npy", "s3://bucket/d/a b?.npy"},
		{"s3://bucket/m.npy.json", "x.npy", "s3://bucket/x.npy"},
	} {
		if got := besideURL(tt[0], tt[1]); got != tt[2] {
			t.Errorf("besideURL(%q, %q) is %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}
