package input

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
		if got, err := Beside(tt[0], tt[2]); err != nil || got != tt[1] {
			t.Errorf("Beside(%q, %q) is %q, %v, want %q", tt[0], tt[2], got, err, tt[1])
		}
	}
}

// A manifest has parts of its own folder alone.
func TestBesideOther(t *testing.T) {
	for _, tt := range [][2]string{
		{"https://h/d/m.npy.json", "https://h/a.npy"}, {"https://h/m.npy.json", "https://h2/a.npy"}, {"https://h/m.npy.json", "http://h/a.npy"},
		{"s3://b/m.npy.json", "gs://b/a.npy"}, {"s3://b/m.npy.json", "s3://b2/a.npy"}, {"s3://b/m.npy.json", "a.npy"}, {"m.npy.json", "s3://b/a.npy"},
		{"https://h/m.npy.json", "https://h/a%2fb.npy"}, {"https://h/m.npy.json", "https://h/%2e%2e/b.npy"}, {"https://h/m.npy.json", "https://h/a%5Cb.npy"},
		{"s3://b/m.npy.json", "s3://b/a:b.npy"}, {"s3://b/m.npy.json", "s3://b//a.npy"},
	} {
		if rel, err := Beside(tt[0], tt[1]); err == nil {
			t.Errorf("Beside(%q, %q) is %q", tt[0], tt[1], rel)
		}
	}
	for want, all := range map[string][]string{
		"":              nil,
		"s3://b/":       {"s3://b/x.npy", "s3://b/y.npy"},
		"s3://b/d/":     {"s3://b/d/e/x.npy", "s3://b/d/x.npy", "s3://b/d/ef/x.npy"},
		"https://h/e/":  {"https://h/e/x.npy?sig=verysecret"},
		"https://h:80/": {"https://h:80/x.npy", "https://h:80/y/x.npy"},
	} {
		if got := CommonFolder(all); got != want {
			t.Errorf("CommonFolder(%q) is %q, want %q", all, got, want)
		}
	}
	for _, all := range [][]string{{"s3://b/x", "s3://c/x"}, {"s3://b/x", "gs://b/x"}, {"https://h/x", "https://h2/x"}} {
		if got := CommonFolder(all); got != "" {
			t.Errorf("CommonFolder(%q) is %q", all, got)
		}
	}
}

// A manifest of a server opens files of its own folder there: no files of this machine, and no other server.
func TestHostileManifest(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.npy")
	if err := npy.Save(secret, []int16{7, 7}); err != nil {
		t.Fatal(err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the other server is asked for %s", r.URL)
		http.ServeFile(w, r, secret)
	}))
	defer other.Close()
	path := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.RequestURI {
		case "/d/m.npy.json":
			data := fmt.Sprintf(`{"format": "npy parts", "version": 1, "dtype": "<i2", "shape": [2], "axis": 0, "parts": [{"path": %q, "rows": 2}]}`, path)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(data))
		case "/d/a.npy":
			http.ServeFile(w, r, secret)
		default:
			if !strings.HasPrefix(r.RequestURI, "/d/") || strings.Contains(r.URL.Path, "/../") {
				t.Errorf("the server is asked for %s", r.RequestURI)
			}
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	o := Opener{URLs: &urls.Client{Context: t.Context, Options: remote.Options{}}}
	read := func() (*npy.Array, error) {
		target, err := Parse(server.URL + "/d/m.npy.json")
		if err != nil {
			t.Fatal(err)
		}
		return o.Load(t.Context(), target)
	}
	for _, path = range []string{
		secret, filepath.ToSlash(secret), "file://" + filepath.ToSlash(secret), "../d/a.npy", "x/../../secret.npy", "..", ".", "", "-", "%2e%2e/secret.npy", "..%2fsecret.npy",
		other.URL + "/a.npy", strings.TrimPrefix(other.URL, "http:") + "/a.npy", "/" + strings.TrimPrefix(other.URL, "http://"), "s3://b/a.npy", `\\host\a.npy`, "?a.npy", "#a.npy",
		"@" + strings.TrimPrefix(other.URL, "http://") + "/a.npy", "*.npy", "a.npy[0]", "m.npy.json", "a.npy?x", "a.npy\r\nHost", "a.npy/",
	} {
		if a, err := read(); err == nil {
			t.Errorf("path %q is read: %v", path, a)
		}
	}
	path = "a.npy"
	if a, err := read(); err != nil || a.Shape()[0] != 2 {
		t.Errorf("path %q: %v, %v", path, a, err)
	}
}
