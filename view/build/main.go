// Command build bundles the page of npy view from view/page into view/dist.
// The result is committed, so that nothing but Go is needed to build npy.
// With -check it compares instead of writing.
//
//	go run ./view/build [-check]
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/evanw/esbuild/pkg/api"
)

// maxScript is the largest size of the script, compressed by gzip.
const maxScript = 60_000

func main() {
	check := flag.Bool("check", false, "compare view/dist with the page instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		return errors.New("cannot find the sources of the page")
	}
	view := filepath.Dir(filepath.Dir(here))
	if _, err := os.Stat(filepath.Join(view, "page")); err != nil {
		view = "view"
	}
	files, err := bundle(filepath.Join(view, "page"))
	if err != nil {
		return err
	}
	size, err := gzipSize(files["app.js"])
	if err != nil {
		return err
	}
	if size > maxScript {
		return fmt.Errorf("app.js takes %d bytes compressed; the limit is %d", size, maxScript)
	}
	dist := filepath.Join(view, "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		path := filepath.Join(dist, name)
		if !check {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				return err
			}
			continue
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, data) {
			return fmt.Errorf("%s is not what view/page gives; run go run ./view/build", path)
		}
	}
	fmt.Printf("app.js %d bytes, %d compressed\n", len(files["app.js"]), size)
	return nil
}

// bundle gives the files of view/dist by name.
func bundle(page string) (map[string][]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(page, "main.ts"), filepath.Join(page, "static.ts"), filepath.Join(page, "worker.ts"), filepath.Join(page, "app.css")},
		EntryNames:        "[name]",
		Outdir:            "dist",
		Bundle:            true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Charset:           api.CharsetUTF8,
		Format:            api.FormatIIFE, // browsers load no modules from a disk
		Target:            api.ES2022,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("%s", result.Errors[0].Text)
	}
	html, err := os.ReadFile(filepath.Join(page, "index.html"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"index.html": html}
	for _, out := range result.OutputFiles {
		name := filepath.Base(out.Path)
		if name == "main.js" {
			name = "app.js"
		}
		files[name] = out.Contents
	}
	return files, nil
}

func gzipSize(data []byte) (int, error) {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(data); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return buf.Len(), nil
}
