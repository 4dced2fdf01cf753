package static_test

import (
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/npygo/npy"
	"github.com/npygo/npy/view/internal/static"
)

func assets() fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html": "<!doctype html><html><head><title>npy</title></head><body><script type=\"module\" src=\"app.js\"></script></body></html>",
		"page.js":    "app();", "app.css": "body{}", "static.js": "starter();", "worker.js": "work(\"</script>\");", "wasm_exec.js": "go();", "npy.wasm.gz": "program",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The folder has the page, its program and the files, and the scripts run before the page's own.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name, quoted := `"<b>`+"\u2028.npy", `"\"\u003cb\u003e\u2028.npy"`
	if runtime.GOOS == "windows" {
		name, quoted = "a'\u2028.npy", `"a'\u2028.npy"`
	}
	path := filepath.Join(dir, name)
	content := strings.Repeat("\x93NUMPY\x00\xff", 100_001)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "page")
	for range 2 { // the second replaces the first
		if err := static.Write(out, assets(), path); err != nil {
			t.Fatal(err)
		}
	}
	index := read(t, out, "index.html")
	at := -1
	for _, want := range []string{"<head>", "Content-Security-Policy", "default-src 'none'", "<title>", `"static.js" defer`, `"data0.js" defer`, `"npy.js" defer`, `"page.js" defer`} {
		next := strings.Index(index, want)
		if next <= at {
			t.Errorf("%s is not after what is before it in %s", want, index)
		}
		at = next
	}
	data := read(t, out, "data0.js")
	encoded, ok := strings.CutPrefix(data, "npyStatic.file("+quoted+", \"")
	encoded, ok2 := strings.CutSuffix(encoded, "\");\n")
	if decoded, err := base64.StdEncoding.DecodeString(encoded); !ok || !ok2 || err != nil || string(decoded) != content {
		t.Errorf("data0.js is %.80q…, and not the file: %v", data, err)
	}
	start := read(t, out, "npy.js")
	if want := `npyStatic.start("go();\nwork(\"\u003c/script\u003e\");\n", "` + base64.StdEncoding.EncodeToString([]byte("program")) + "\");\n"; start != want {
		t.Errorf("npy.js is %q, want %q", start, want)
	}
	if err := static.Write(out, assets()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "data0.js")); !os.IsNotExist(err) {
		t.Errorf("data0.js is still there: %v", err)
	}
	if strings.Contains(read(t, out, "index.html"), "data0.js") {
		t.Error("index.html has the file of the page before")
	}
}

// A folder that cannot be written is refused, and no file of others is replaced.
func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.npy")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(static.MaxData+1), f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := static.Write(filepath.Join(dir, "b"), assets(), big); !errors.Is(err, npy.ErrLimit) {
		t.Errorf("a file over the limit: %v", err)
	}
	if err := static.Write(filepath.Join(dir, "c"), assets(), dir); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("a folder as a file: %v", err)
	}
	if err := static.Write(dir, assets()); err == nil || !strings.Contains(err.Error(), "other files") {
		t.Errorf("a folder with other files: %v", err)
	}
	without := assets()
	delete(without, "npy.wasm.gz")
	if err := static.Write(filepath.Join(dir, "e"), without); !errors.Is(err, static.ErrNoProgram) {
		t.Errorf("without the program: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "e")); err == nil {
		t.Error("a folder was made for a page that cannot be written")
	}
}
