package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/view"
)

// The page of npy view gets the arrays that the arguments name. The command first prints the address of the page.
func TestView(t *testing.T) {
	dir := t.TempDir()
	archive, lone := filepath.Join(dir, "m.npz"), filepath.Join(dir, "a.npy")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	w, err := npz.NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "layer1/w", "layer2/w"} {
		if err := npz.Add(w, name, []int16{1, 2, 3, 4}, 2, 2); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := npy.Save(lone, []float64{5, 6, 7}); err != nil {
		t.Fatal(err)
	}
	csv := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(csv, []byte("a,b\n1,x\n2,y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var talk strings.Builder
	a := newApp(strings.NewReader(""), in, &talk)
	a.ctx = ctx
	done := make(chan int, 1)
	args := []string{"view", "--no-open", archive, archive + ":layer*[0]", lone + "[1:]", csv, filepath.Join(dir, "none.npy")}
	go func() { done <- a.run(args) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, talk.String())
	}
	address = strings.TrimSpace(address)
	ask := func(question string) (text string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+question, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	var files struct {
		Files []struct {
			Name, Kind, Error string
			Entries           int
		}
	}
	if err := json.Unmarshal([]byte(ask("files")), &files); err != nil {
		t.Fatal(err)
	}
	want := []int{3, 2, 1, 1, 0}
	for i, f := range files.Files {
		if f.Entries != want[i] || (f.Error != "") != (want[i] == 0) {
			t.Errorf("file %d: %+v, want %d arrays", i, f, want[i])
		}
	}
	for question, want := range map[string]string{
		"cells?f=0&e=0&at=y,x":           `"cells":[["1","2"],["3","4"]]`,
		"cells?f=1&e=1&at=y":             `"cells":[["1"],["2"]]`,
		"array?f=1&e=1":                  `"shape":[2]`,
		"cells?f=2&at=y":                 `"cells":[["6.0"],["7.0"]]`,
		"cells?f=3&at=y&where=a%3E1":     `"cells":[["2","y"]]`,
		"cells?f=4&at=y":                 `none.npy: `,
		"code?f=0&e=1&at=0,x":            `"command":"npy show`,
		"numbers?f=0&e=0&at=y,x&all=1":   `"sum":"10"`,
		"picture?f=2&at=x&y0=0":          `"error"`,
		"entries?f=0&q=layer1":           `"total":1`,
		"cells?f=0&e=0&at=y,x&minus=0.1": `"cells":[["0.0","0.0"],["0.0","0.0"]]`,
	} {
		if got := ask(question); !strings.Contains(got, want) {
			t.Errorf("%s: %.300s, want %s", question, got, want)
		}
	}
	stop()
	<-done
	if _, err := http.Get(address); err == nil {
		t.Error("the server goes on")
	}
}

// Files of --concat are one array: files of a pattern in the order of the numbers in their names.
func TestViewJoined(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i, name := range []string{"a-2.npy", "a-10.npy", "a-1.npy"} {
		files = append(files, filepath.Join(dir, name))
		if err := npy.Save(files[i], []int32{int32(i), int32(10 + i)}, 1, 2); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{filepath.Join(dir, "a-*.npy")}, {files[2], files[0], files[1]}} {
		a := newApp(strings.NewReader(""), io.Discard, io.Discard)
		a.joinAxis = flags.Axis{Given: true}
		in, err := a.joinedView(a.opener(npy.Decoder{}), args)
		if err != nil {
			t.Fatal(err)
		}
		h := view.New(in)
		defer h.Close()
		for question, want := range map[string]string{
			"cells?f=0&e=0&at=y,x": `"cells":[["2","12"],["0","10"],["1","11"]]`,
			"code?f=0&e=0&at=1,x":  `"command":"npy show --concat 0 --slice '[1,:]' `,
		} {
			if got := asked(t, h, question); !strings.Contains(got, want) {
				t.Errorf("%s: %.300s, want %s", question, got, want)
			}
		}
	}
	var out, talk strings.Builder
	if code := newApp(strings.NewReader(""), &out, &talk).run([]string{"view", "--concat", "3", files[0], files[1]}); code == exitDone || !strings.Contains(talk.String(), "axis 3") {
		t.Errorf("exit code %d, %s", code, talk.String())
	}
}

// asked returns the answer to a question.
func asked(t *testing.T, h http.Handler, question string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/"+question, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", question, w.Code, w.Body)
	}
	return w.Body.String()
}

func TestViewErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "a.npy")
	if err := os.WriteFile(text, []byte("no array"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"view", filepath.Join(dir, "none.npy")}, {"view", text}, {"view", "--port", "99999", text}, {"view"}} {
		var out, talk strings.Builder
		if code := newApp(strings.NewReader(""), &out, &talk).run(args); code == exitDone || out.Len() > 0 || strings.Count(talk.String(), "\n") != 1 {
			t.Errorf("npy %s: exit code %d, %q, %q", args, code, out.String(), talk.String())
		}
	}
}

// The browser is led to the page by a file that only its user can read.
func TestOpenBrowser(t *testing.T) {
	bin := t.TempDir()
	seen := filepath.Join(bin, "seen")
	script := "#!/bin/sh\nstat -c %a \"$1\" > " + seen + ".new\ncat \"$1\" >> " + seen + ".new\nmv " + seen + ".new " + seen + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" || isWSL() {
		t.Skip("for xdg-open")
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	remove, err := newApp(nil, io.Discard, io.Discard).openBrowser("http://127.0.0.1:1/TOKEN/")
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	for range 1000 {
		data, err := os.ReadFile(seen)
		if err != nil {
			time.Sleep(10 * time.Millisecond) // the browser does not say when it has written the file
			continue
		}
		if !strings.HasPrefix(string(data), "600\n") || !strings.Contains(string(data), "http://127.0.0.1:1/TOKEN/") {
			t.Errorf("%s", data)
		}
		return
	}
	t.Error("the browser was not started")
}
