// Command build bundles the page of npy view from view/page into view/dist.
// The result is committed, so that nothing but Go is needed to build npy.
// With -check it compares instead of writing.
//
//	go run ./view/build [-check]
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
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

// maxScript is the largest size of the scripts that the page loads before it shows anything, compressed by gzip.
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
	files, size, err := bundle(filepath.Join(view, "page"))
	if err != nil {
		return err
	}
	if size > maxScript {
		return fmt.Errorf("the scripts of the page take %d bytes compressed; the limit is %d", size, maxScript)
	}
	dist := filepath.Join(view, "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	if err := others(dist, files, check); err != nil {
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
	fmt.Printf("the scripts of the page take %d bytes compressed, and %d files in all\n", size, len(files))
	return nil
}

// others removes files of the folder that are of an older page, or refuses them. The program of a page without a server stays.
func others(dist string, files map[string][]byte, check bool) error {
	have, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, e := range have {
		name := e.Name()
		if _, ok := files[name]; ok || name == "npy.wasm.gz" || name == "wasm_exec.js" {
			continue
		}
		if check {
			return fmt.Errorf("%s is not of the page; run go run ./view/build", name)
		}
		if err := os.Remove(filepath.Join(dist, name)); err != nil {
			return err
		}
	}
	return nil
}

// bundle gives the files of view/dist by name, and the size of the scripts that a page loads before it shows anything, compressed.
//
// A server's page is of modules: app.js, what it imports, and what is loaded when it is opened. Browsers load no modules from a disk,
// so a page without a server has one script with all of it, page.js.
func bundle(page string) (files map[string][]byte, size int, err error) {
	private, err := privateNames(page)
	if err != nil {
		return nil, 0, err
	}
	html, err := os.ReadFile(filepath.Join(page, "index.html"))
	if err != nil {
		return nil, 0, err
	}
	files = map[string][]byte{"index.html": html}
	for _, set := range []struct {
		entries []string
		format  api.Format
	}{{[]string{"main.ts"}, api.FormatESModule}, {[]string{"page.ts", "static.ts", "worker.ts", "app.css"}, api.FormatIIFE}} {
		o := api.BuildOptions{
			EntryNames:        "[name]",
			ChunkNames:        "[name]",
			Outdir:            "dist",
			Bundle:            true,
			Splitting:         set.format == api.FormatESModule,
			Metafile:          true,
			MinifyWhitespace:  true,
			MinifyIdentifiers: true,
			MinifySyntax:      true,
			MangleProps:       private,
			Charset:           api.CharsetUTF8,
			Format:            set.format,
			Target:            api.ES2022,
			LegalComments:     api.LegalCommentsNone,
			LogLevel:          api.LogLevelWarning,
		}
		for _, name := range set.entries {
			o.EntryPointsAdvanced = append(o.EntryPointsAdvanced, api.EntryPoint{InputPath: filepath.Join(page, name), OutputPath: strings.Replace(strings.TrimSuffix(name, filepath.Ext(name)), "main", "app", 1)})
		}
		result := api.Build(o)
		if len(result.Errors) > 0 {
			return nil, 0, fmt.Errorf("%s", result.Errors[0].Text)
		}
		for _, out := range result.OutputFiles {
			files[filepath.Base(out.Path)] = out.Contents
		}
		if set.format == api.FormatESModule {
			if size, err = loadedFirst(files, result.Metafile); err != nil {
				return nil, 0, err
			}
		}
	}
	return files, size, nil
}

// loadedFirst returns the compressed size of app.js and of all that it imports at once.
func loadedFirst(files map[string][]byte, metafile string) (size int, err error) {
	var meta struct {
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return 0, err
	}
	seen := map[string]bool{"dist/app.js": true}
	for next := []string{"dist/app.js"}; len(next) > 0; next = next[1:] {
		n, err := gzipSize(files[filepath.Base(next[0])])
		if err != nil {
			return 0, err
		}
		size += n
		for _, i := range meta.Outputs[next[0]].Imports {
			if i.Kind == "import-statement" && !seen[i.Path] {
				seen[i.Path] = true
				next = append(next, i.Path)
			}
		}
	}
	return size, nil
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
