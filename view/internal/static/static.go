// Package static writes the page as a folder that needs no server: whoever opens its index.html, from a disk or from any web
// server, looks at the arrays in it and at files that are dropped on it. Nothing is uploaded.
//
// A page that was opened from a disk may not fetch anything, so the program and the arrays are scripts with base64 in them.
//
// Such a page may not load modules either, and may start a worker only from a text of its own. static.ts starts
// worker.ts, sends it questions as a server would get them, and takes dropped files. The program takes 3.4 MB
// compressed. It is embedded in the command only if view/dist/npy.wasm.gz exists when the command is compiled: make
// static and releases create it, go install does not.
package static

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// MaxData is the largest size of the files that are written with a page, in bytes. Browsers hold each as one text.
const MaxData = 256 << 20

// ErrNoProgram says that the assets have no program, npy.wasm.gz: it is compiled before the command is, and the command was
// compiled without.
var ErrNoProgram = diag.New("view", "this build of npy has no page without a server; take a release, or build it with make build")

// The assets besides the assets of the page with a server.
const (
	program = "npy.wasm.gz"  // view/wasm
	runtime = "wasm_exec.js" // of the Go that compiled it
	worker  = "worker.js"
	starter = "static.js"
)

// policy is the page's. Unlike the server's it lets the worker start, from the address of a text, and WebAssembly run.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
	"worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types npy"

// Write writes the page into a folder, which it makes, with the files of some paths in it. assets are the page's. A
// folder with something in it is an error, unless it has a page that Write wrote, which is replaced. Files of more than
// [MaxData] are an error of a limit.
func Write(dir string, assets fs.FS, paths ...string) error {
	index, err := fs.ReadFile(assets, "index.html")
	if err != nil {
		return err
	}
	start, err := startOf(assets)
	if err != nil {
		return err
	}
	for _, path := range paths { // before anything is replaced
		if err := check(path); err != nil {
			return err
		}
	}
	if err := clear(dir); err != nil {
		return err
	}
	scripts := []string{starter}
	for i, path := range paths {
		name := fmt.Sprintf("data%d.js", i)
		if err := writeData(filepath.Join(dir, name), path); err != nil {
			return err
		}
		scripts = append(scripts, name)
	}
	if err := os.WriteFile(filepath.Join(dir, "npy.js"), start, 0o644); err != nil {
		return err
	}
	var sources []string // for pages that this one makes: it may fetch nothing
	for _, name := range []string{starter, "page.js", "app.css"} {
		data, err := fs.ReadFile(assets, name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			return err
		}
		sources = append(sources, strconv.Quote(base64.StdEncoding.EncodeToString(data)))
	}
	text := fmt.Sprintf("npyStatic.page(%s, %s);\n", sources[1], sources[2])
	if err := os.WriteFile(filepath.Join(dir, "sources.js"), []byte(text), 0o644); err != nil {
		return err
	}
	scripts = append(scripts, "sources.js")
	index, err = standalone(index, append(scripts, "npy.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "index.html"), index, 0o644)
}

// mark is in each page that Write wrote.
const mark = `<meta name="generator" content="npy view --export">`

// clear makes the folder, or removes the page in it.
func clear(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	found, err := os.ReadDir(dir)
	if err != nil || len(found) == 0 {
		return err
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !bytes.Contains(index, []byte(mark)) {
		return diag.Errorf("view", "%s is a folder with other files; name a new one", dir)
	}
	for _, e := range found {
		if name := e.Name(); strings.HasPrefix(name, "data") && strings.HasSuffix(name, ".js") {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// startOf returns the script that starts the worker with the program.
func startOf(assets fs.FS) ([]byte, error) {
	wasm, err := fs.ReadFile(assets, program)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoProgram
	}
	if err != nil {
		return nil, err
	}
	var code []byte
	for _, name := range []string{runtime, worker} {
		part, err := fs.ReadFile(assets, name)
		if err != nil {
			return nil, err
		}
		code = append(append(code, part...), '\n')
	}
	text, err := json.Marshal(string(code))
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "npyStatic.start(%s, \"%s\");\n", text, base64.StdEncoding.EncodeToString(wasm)), nil
}

// check returns an error for a file that a page cannot hold.
func check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return diag.Errorf("view", "%s is no file; a page has only whole files in it", path)
	}
	if info.Size() > MaxData {
		return &bounded.Error{Limit: MaxData, Got: info.Size(), What: fmt.Sprintf("view: %s has %d bytes, and a page holds files of "+
			"at most %d: export a part of it, or the page alone and drop the file on it", path, info.Size(), MaxData)}
	}
	return nil
}

// writeData writes the file of a path as a script.
func writeData(script, path string) (err error) {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(script)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	name, err := json.Marshal(filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "npyStatic.file(%s, \"", name); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, out)
	if _, err := io.Copy(encoder, io.LimitReader(in, MaxData)); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	_, err = out.WriteString("\");\n")
	return err
}

// standalone returns index.html with the policy and with scripts before the page's.
func standalone(index []byte, scripts []string) ([]byte, error) {
	const head, app = "<head>", `<script type="module" src="app.js"></script>`
	index = bytes.Replace(index, []byte("<link rel=\"modulepreload\" href=\"chunk.js\">\n"), nil, 1) // a part of app.js
	page := string(index)
	if strings.Count(page, head) != 1 || strings.Count(page, app) != 1 {
		return nil, diag.New("view", "index.html has not one head and one script")
	}
	var tags strings.Builder
	for _, name := range scripts {
		fmt.Fprintf(&tags, "<script src=\"%s\" defer></script>\n", name)
	}
	page = strings.Replace(page, app, tags.String()+`<script src="page.js" defer></script>`, 1)
	page = strings.Replace(page, head, head+"\n"+mark+"\n<meta http-equiv=\"Content-Security-Policy\" content=\""+policy+"\">", 1)
	return []byte(page), nil
}
