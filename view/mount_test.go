package view_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/view"
)

// mount returns a server with the page of a file under a prefix, for those who know the password, and the path of the file.
func mount(t *testing.T, prefix string) (server *httptest.Server, h *view.Handler, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "a.npy")
	for name, values := range map[string][]float32{"a.npy": {1, 2, 3, 4, 5, 6}, "secret.npy": {42, 42}} {
		if err := npy.Save(filepath.Join(dir, name), values, 2, len(values)/2); err != nil {
			t.Fatal(err)
		}
	}
	h = view.New(view.Path(path, all.Formats()))
	mux := http.NewServeMux()
	mux.Handle(prefix+"/", password("ada", "engine", http.StripPrefix(prefix, h)))
	server = httptest.NewServer(mux)
	t.Cleanup(func() { h.Close(); server.Close() })
	return server, h, path
}

// authorised is the header of a user who knows the password of mount.
var authorised = map[string]string{"Authorization": "Basic YWRhOmVuZ2luZQ=="}

// mountedAssets are the files of the page.
func mountedAssets(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir("dist")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".gz") {
			names = append(names, e.Name())
		}
	}
	return names
}

// questions has one of each kind.
var questions = []string{
	"files", "entries", "array?f=0", "picture?f=0&at=y,x&w=10&h=10", "line?f=0&at=0,x&w=10", "cells?f=0&at=y,x", "cell?f=0&at=y,x&y=0&x=0",
	"numbers?f=0&at=y,x", "export?f=0&at=y,x&as=csv", "code?f=0&at=y,x", "work?f=0&e=0", "groups?f=0&at=y,x&by=0",
}

// Every file of the page and every question works under any prefix, for those whom the program that mounted the page lets through.
func TestMounted(t *testing.T) {
	for _, prefix := range []string{"", "/arrays", "/a/b/c", "/f%C3%BCr"} {
		plain := strings.ReplaceAll(prefix, "%C3%BC", "ü")
		server, _, _ := mount(t, plain)
		base := server.URL + prefix + "/"
		for _, name := range append(append([]string{"", "events"}, mountedAssets(t)...), questions...) {
			if refused, body := get(t, "GET", base+name, nil); refused.StatusCode != 401 || strings.Contains(body, "{") {
				t.Errorf("%s%s without a password: %s %s", prefix, name, refused.Status, body)
			}
			if name == "events" {
				continue // goes on: see TestMountedClose
			}
			response, body := get(t, "GET", base+name, authorised)
			if response.StatusCode != 200 || body == "" {
				t.Errorf("%s%s: %s %s", prefix, name, response.Status, body)
			}
			if got := response.Header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'none'") {
				t.Errorf("%s%s: the policy is %q", prefix, name, got)
			}
		}
	}
}

// No address of the page begins at the root of the server or names one.
func TestRelativeAddresses(t *testing.T) {
	absolute := regexp.MustCompile(`(?:src|href|action)=["'](?:/|https?:)|(?:fetch|EventSource|URL|open)\(["'\x60](?:/|https?:)|import\((?:["'\x60](?:/|https?:)|[^"'\x60])`)
	for _, name := range mountedAssets(t) {
		text, err := os.ReadFile(filepath.Join("dist", name))
		if err != nil {
			t.Fatal(err)
		}
		if found := absolute.Find(text); found != nil {
			t.Errorf("%s has %s", name, found)
		}
	}
}

// Nothing but the page and answers about its files can be reached, whatever the address.
func TestMountedReachesNothingElse(t *testing.T) {
	server, _, path := mount(t, "/arrays")
	base := server.URL + "/arrays/"
	for _, x := range []struct {
		url  string
		want int
	}{
		{"secret.npy", 404}, {"a.npy", 404}, {"..%2fsecret.npy", 404}, {"%2e%2e/secret.npy", 404}, {"%2fetc%2fpasswd", 404}, {`..%5csecret.npy`, 404},
		{"dist/app.js", 404}, {"app.js/", 404}, {"index.html/..", 404}, {"npy.wasm.gz", 404}, {"secrets", 404}, {"view.go", 404},
		{"array?f=1", 404}, {"array?f=-1", 404}, {"array?f=secret.npy", 404}, {"array?f=" + path, 404}, {"array?f=0&e=1", 404},
		{"cells?f=0&at=y,x&path=../secret.npy", 200},
	} {
		response, body := get(t, "GET", base+x.url, authorised)
		if response.StatusCode != x.want && !(x.want == 404 && response.StatusCode/100 == 3) || strings.Contains(body, "42") || strings.Contains(body, "root:") {
			t.Errorf("%s: %s, want %d: %.200s", x.url, response.Status, x.want, body)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		if response, _ := get(t, method, base+"files", authorised); response.StatusCode != 405 {
			t.Errorf("%s: %s", method, response.Status)
		}
	}
}

// A page of another origin gets no answer, even if its user is known to the server.
func TestMountedOrigins(t *testing.T) {
	server, _, _ := mount(t, "/arrays")
	base := server.URL + "/arrays/"
	link := map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	for _, x := range []struct {
		url, site, origin string
		extra             map[string]string
		want              int
	}{
		{"files", "same-origin", "", nil, 200},
		{"files", "same-origin", server.URL, nil, 200},
		{"files", "", "https://evil.example", nil, 403},
		{"files", "", "null", nil, 403},
		{"files", "cross-site", "", nil, 403},
		{"files", "same-site", "", link, 403},
		{"files", "none", "", nil, 403},
		{"", "none", "", nil, 200},
		{"", "same-site", "", link, 200}, // from another page of the program
		{"", "cross-site", "", link, 200},
		{"", "cross-site", "", map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
	} {
		header := map[string]string{"Authorization": authorised["Authorization"]}
		for name, value := range map[string]string{"Sec-Fetch-Site": x.site, "Origin": x.origin} {
			if value != "" {
				header[name] = value
			}
		}
		for name, value := range x.extra {
			header[name] = value
		}
		if response, body := get(t, "GET", base+x.url, header); response.StatusCode != x.want {
			t.Errorf("%+v: %s %s", x, response.Status, body)
		}
	}
}

// An address without its last slash leads to the one with it, also when another server removed a part of the path before.
func TestMountedWithoutSlash(t *testing.T) {
	h := view.New()
	defer h.Close()
	for target, want := range map[string]string{"/x/arrays": "./arrays/", "/x/arrays?a=1": "./arrays/", "/x/javascript:alert(1)": "./javascript:alert(1)/", "/x/": ""} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", target, nil)
		r.URL.Path = ""
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Location"); got != want || (want == "") != (w.Code == 200) {
			t.Errorf("%s leads to %q, status %d, want %q", target, got, w.Code, want)
		}
	}
}

// What Path says of a file that is not there has no path of the server.
func TestMountedHidesPaths(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.npy")
	h := view.New(view.Path(path, all.Formats()))
	defer h.Close()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/files", nil))
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, "open none.npy: ") || strings.Contains(body, filepath.Base(filepath.Dir(path))) {
		t.Errorf("%d %s", w.Code, body)
	}
}

// Close ends open pages and questions, and closes the files; then the page is gone.
func TestMountedClose(t *testing.T) {
	server, h, _ := mount(t, "/arrays")
	base := server.URL + "/arrays/"
	r, err := http.NewRequestWithContext(t.Context(), "GET", base+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", authorised["Authorization"])
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	get(t, "GET", base+"array?f=0", authorised)
	for range 2 {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if text, err := io.ReadAll(response.Body); err != nil || string(text) != ": hello\n\n" {
		t.Errorf("the events are %q, %v", text, err)
	}
	for _, name := range []string{"", "files"} {
		if response, body := get(t, "GET", base+name, authorised); response.StatusCode != 503 || !strings.Contains(body, "closed") {
			t.Errorf("%q after Close: %s %s", name, response.Status, body)
		}
	}
}

// A question that is being answered ends with Close, which waits for it.
func TestCloseEndsQuestions(t *testing.T) {
	slow, started, _ := slowSource(t)
	h := view.New(view.Source("slow", slow))
	server := httptest.NewServer(h)
	defer server.Close()
	answered := make(chan int, 1)
	go func() {
		response, err := http.Get(server.URL + "/cells?f=0&at=y,x&y0=0&y1=5&x0=0&x1=5")
		if err != nil {
			answered <- 0
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	<-started
	h.Close()
	if got := <-answered; got != 503 {
		t.Errorf("status %d", got)
	}
}

// The server answers when ready is called.
func TestReady(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var body string
	_ = view.Serve(ctx, nil, view.Options{}, func(url string) {
		defer stop()
		_, body = get(t, "GET", url+"files", nil)
	})
	if body != `{"files":[]}` {
		t.Errorf("the answer is %q", body)
	}
}
