package view

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/npygo/npy/view/internal/static"
)

//go:embed dist
var dist embed.FS

// pages are the files of the page: index.html, scripts and styles, and the program of a page without a server if it was compiled
// before this one.
func pages() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return files
}

// An asset is one file of the page.
type asset struct {
	data   []byte
	packed func() []byte // by gzip, once it is asked for
	kind   string
	etag   string
}

// assets are the files of the page by name.
var assets = sync.OnceValue(loadAssets)

func loadAssets() map[string]asset {
	all := map[string]asset{}
	err := fs.WalkDir(pages(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".gz") { // the program is for a page without a server
			return err
		}
		data, err := fs.ReadFile(pages(), name)
		kind := mime.TypeByExtension(path.Ext(name))
		if known := types[path.Ext(name)]; known != "" {
			kind = known // the system's type may be wrong
		}
		sum := fnv.New64a()
		sum.Write(data)
		all[name] = asset{data, sync.OnceValue(func() []byte { return packed(data) }), kind, fmt.Sprintf(`"%x"`, sum.Sum(nil))}
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
}

// packed compresses a file of the page as far as gzip can, which takes some milliseconds once.
func packed(data []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = z.Write(data)                                    // into memory
	_ = z.Close()
	return out.Bytes()
}

var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// serve answers a request for the file.
func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", a.etag)
	h.Set("Cache-Control", "no-cache")
	if r.Header.Get("If-None-Match") == a.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	data := a.data
	h.Add("Vary", "Accept-Encoding")
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		data = a.packed()
	}
	_, _ = w.Write(data) // a page that is gone
}

// ErrNoProgram is the error of [Export] in a program without the page's own one, which takes 3.4 MB and is compiled before: by
// "make static" or in releases of the command, but not by "go install".
var ErrNoProgram = static.ErrNoProgram

// Export writes the page as a folder with the files of some paths in it, which needs no server: whoever opens its index.html, from
// a disk or from any web server, sees the arrays of the files, and of others that are dropped on the page and stay on their
// machine. A folder with something in it is an error, unless it has a page of Export, which is replaced. A file of more than
// 256 MiB is a [github.com/npygo/npy.LimitError].
func Export(dir string, paths ...string) error { return static.Write(dir, pages(), paths...) }
