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
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// maxScript is the largest size of the script, compressed by gzip. 60 kB is the goal: the views that most people never open, pairs and
// files to send, are to be loaded when they are opened.
const maxScript = 67_000

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
	private, err := privateNames(page)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(page, "main.ts"), filepath.Join(page, "static.ts"), filepath.Join(page, "worker.ts"), filepath.Join(page, "app.css")},
		EntryNames:        "[name]",
		Outdir:            "dist",
		Bundle:            true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		MangleProps:       private,
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

// privateNames matches the names of private members that can be shortened: those that every source has after "private" or
// "this." alone, so that no answer of the server and no interface has them.
func privateNames(page string) (string, error) {
	paths, err := filepath.Glob(filepath.Join(page, "*.ts"))
	if err != nil {
		return "", err
	}
	declared := regexp.MustCompile(`\bprivate (?:readonly |async )*(\w{2,})`)
	used := regexp.MustCompile(`(this\.|private |private readonly |private async )?\b([A-Za-z_]\w*)`)
	private, others := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			private[string(m[1])] = true
		}
		for _, m := range used.FindAllSubmatch(text, -1) {
			if len(m[1]) == 0 {
				others[string(m[2])] = true
			}
		}
	}
	var names []string
	for name := range private {
		if !others[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return "^(" + strings.Join(names, "|") + ")$", nil
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
