package view_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/source"
	"github.com/npygo/npy/view"
)

// serve starts a server of a file of some numbers and returns its address.
func serve(t *testing.T, o view.Options) (base, path string, ended <-chan error) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "<img src=x onerror=alert(1)>.npy")
	if err := npy.Save(path, []int64{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ready, end := make(chan string), make(chan error, 1)
	go func() {
		end <- view.Serve(ctx, []view.Input{view.Path(path, all.Formats())}, o, func(url string) { ready <- url })
	}()
	done := make(chan error, 1)
	select {
	case base = <-ready:
	case err := <-end:
		t.Fatal(err)
	}
	go func() { done <- <-end; close(done) }()
	t.Cleanup(func() { stop(); <-done })
	return base, path, done
}

func get(t *testing.T, method, url string, header map[string]string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// Only requests of the page itself are answered.
func TestGuard(t *testing.T) {
	base, path, _ := serve(t, view.Options{})
	root := base[:strings.LastIndex(strings.TrimSuffix(base, "/"), "/")+1]
	port := strings.TrimSuffix(root[strings.LastIndex(strings.TrimSuffix(root, "/"), ":")+1:], "/")
	for _, x := range []struct {
		what   string
		method string
		url    string
		header map[string]string
		want   int
	}{
		{"the page", "GET", base, nil, 200},
		{"the page, from the address bar", "GET", base, map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"the page, from a file", "GET", base, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200},
		{"the page in a frame", "GET", base, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
		{"a script", "GET", base + "app.js", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"a script for another page", "GET", base + "app.js", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a question", "GET", base + "files", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"a question from a neighbour", "GET", base + "files", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"a question from elsewhere", "GET", base + "files", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 403},
		{"a question in the address bar", "GET", base + "files", map[string]string{"Sec-Fetch-Site": "none"}, 403},
		{"localhost", "GET", base, map[string]string{"Host": "localhost:" + port}, 200},
		{"another name of this machine", "GET", base, map[string]string{"Host": "evil.example:" + port}, 421},
		{"a forwarded port", "GET", base, map[string]string{"Host": "127.0.0.1:1"}, 200},
		{"no port", "GET", base, map[string]string{"Host": "127.0.0.1"}, 421},
		{"no token", "GET", root, nil, 404},
		{"no token", "GET", root + "files", nil, 404},
		{"another token", "GET", root + "ABCDEFGHIJKLMNOPQRSTUVWXYZ/files", nil, 404},
		{"a post", "POST", base + "files", nil, 405},
		{"a deletion", "DELETE", base, nil, 405},
		{"a preflight", "OPTIONS", base + "files", map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}, 405},
		{"only the head", "HEAD", base, nil, 200},
		{"only the head of an answer", "HEAD", base + "files", nil, 405},
		{"a file of the folder", "GET", base + "../" + filepath.Base(path), nil, 404},
		{"a path", "GET", base + "..%2f..%2fetc%2fpasswd", nil, 404},
		{"a path with backslashes", "GET", base + `..%5c..%5cetc%5cpasswd`, nil, 404},
		{"an absolute path", "GET", base + "/etc/passwd", nil, 404},
		{"a folder", "GET", base + "dist/app.js", nil, 404},
		{"no such question", "GET", base + "secrets", nil, 404},
		{"a file by its path", "GET", base + "array?f=" + url.QueryEscape(path), nil, 404},
		{"a file beyond the last", "GET", base + "array?f=1", nil, 404},
		{"a file before the first", "GET", base + "array?f=-1", nil, 404},
	} {
		response, body := get(t, x.method, x.url, x.header)
		if response.StatusCode != x.want {
			t.Errorf("%s: %s, want %d: %s", x.what, response.Status, x.want, body)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
		} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", x.what, name, got, want)
			}
		}
		policy := response.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy is %q, without %s", x.what, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("the policy is %q", policy)
		}
		if strings.Contains(body, "root:x:") {
			t.Errorf("%s: a file of the system", x.what)
		}
	}
}

// Names and texts of files are data: JSON with a type that no browser takes for a page.
func TestTextsAreData(t *testing.T) {
	base, _, _ := serve(t, view.Options{})
	response, body := get(t, "GET", base+"files", nil)
	if !strings.Contains(body, `"name":"\u003cimg src=x onerror=alert(1)\u003e.npy"`) || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: %s", response.Header, body)
	}
	response, _ = get(t, "GET", base+"export?f=0&at=x&as=csv", nil)
	if got := response.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment; filename=") || strings.ContainsAny(got, "<>\n") {
		t.Errorf("%q", got)
	}
}

func TestNotModified(t *testing.T) {
	base, path, _ := serve(t, view.Options{})
	for _, what := range []string{"app.js", "cells?f=0&at=y"} {
		first, _ := get(t, "GET", base+what, nil)
		tag := first.Header.Get("ETag")
		if again, body := get(t, "GET", base+what, map[string]string{"If-None-Match": tag}); tag == "" || again.StatusCode != 304 || body != "" {
			t.Errorf("%s: %s after %s", what, again.Status, tag)
		}
	}
	if err := npy.Save(path, []int64{1, 2, 3, 4}); err != nil {
		t.Fatal(err)
	}
	if response, body := get(t, "GET", base+"cells?f=0&at=y", nil); response.StatusCode != 410 || !strings.Contains(body, `"error"`) {
		t.Errorf("%s %s", response.Status, body)
	}
	get(t, "GET", base+"files", nil)
	if _, body := get(t, "GET", base+"cells?f=0&at=y", nil); !strings.Contains(body, `"total":4`) {
		t.Error(body)
	}
}

// Answers are compressed for clients that ask for it, and have the same bytes.
func TestCompressed(t *testing.T) {
	base, _, _ := serve(t, view.Options{})
	for _, what := range []string{"", "app.js", "cells?f=0&at=y", "line?f=0&at=x&w=3", "export?f=0&at=x&as=npy"} {
		plain, want := get(t, "GET", base+what, map[string]string{"Accept-Encoding": "identity"})
		packed, body := get(t, "GET", base+what, map[string]string{"Accept-Encoding": "gzip"})
		if plain.StatusCode != 200 || plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("%q: %s, encoding %q", what, plain.Status, plain.Header.Get("Content-Encoding"))
		}
		if packed.Header.Get("Content-Encoding") != "gzip" {
			continue // lines of some points are not worth it
		}
		z, err := gzip.NewReader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || string(got) != want {
			t.Errorf("%q: the compressed answer has %d other bytes, %v", what, len(got), err)
		}
	}
	if packed, _ := get(t, "GET", base+"app.js", map[string]string{"Accept-Encoding": "gzip"}); packed.Header.Get("Content-Encoding") != "gzip" {
		t.Error("the program of the page is not compressed")
	}
}

// Other machines cannot connect.
func TestLoopbackOnly(t *testing.T) {
	base, _, _ := serve(t, view.Options{})
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	if u.Hostname() != "127.0.0.1" {
		t.Errorf("the page is at %s", u.Host)
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.IsLinkLocalUnicast() {
			continue
		}
		c, err := net.DialTimeout("tcp", net.JoinHostPort(ip.IP.String(), u.Port()), 5*time.Second)
		if err == nil {
			c.Close()
			t.Errorf("the server answers at %s", ip.IP)
		}
	}
}

// slowSource returns an array whose reads end with their context.
func slowSource(t *testing.T) (slow npy.Source, started, ended chan struct{}) {
	t.Helper()
	started, ended = make(chan struct{}, 100), make(chan struct{}, 100)
	h := format.Header{DType: dtype.Float64, Shape: []int{4000, 5000}}
	slow, err := source.FromParts(h, func(ctx context.Context, _ npy.Selection) (*npy.Array, error) {
		started <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, context.Cause(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return slow, started, ended
}

// Work ends when nobody waits for its answer: reads of the array get a context that ends.
func TestCancelled(t *testing.T) {
	slow, started, ended := slowSource(t)
	ctx, stop := context.WithCancel(t.Context())
	ready, end := make(chan string), make(chan error, 1)
	go func() {
		end <- view.Serve(ctx, []view.Input{view.Source("slow", slow)}, view.Options{}, func(url string) { ready <- url })
	}()
	defer func() { stop(); <-end }()
	base := <-ready
	for _, question := range []string{
		"cells?f=0&at=y,x&y0=0&y1=5&x0=0&x1=5", "picture?f=0&at=y,x&w=100&h=100", "picture?f=0&at=y,x&w=100&h=100&quick=1", "line?f=0&at=3,x&w=100",
		"line?f=0&at=mean,x&w=100", "numbers?f=0&at=y,x&all=1", "export?f=0&at=y,x&as=csv",
	} {
		asking, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(asking, "GET", base+question, nil)
		if err != nil {
			t.Fatal(err)
		}
		left := make(chan struct{})
		go func() {
			defer close(left)
			if response, err := http.DefaultTransport.RoundTrip(r); err == nil {
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		}()
		wait := func(c chan struct{}, what string) {
			select {
			case <-c:
			case <-time.After(20 * time.Second):
				t.Fatalf("%s: %s", question, what)
			}
		}
		wait(started, "nothing is read")
		leave()
		wait(ended, "the read goes on although nobody waits")
		<-left
		for reads := len(started); reads > 0; reads-- { // other goroutines of the same question
			wait(started, "")
			wait(ended, "a second read goes on although nobody waits")
		}
	}
}

// The server tells its pages of changes, and ends some time after the last is closed.
func TestEvents(t *testing.T) {
	base, path, ended := serve(t, view.Options{Idle: 100 * time.Millisecond})
	get(t, "GET", base+"array?f=0", nil)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "GET", base+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var seen strings.Builder
	b := make([]byte, 1000)
	await := func(events int) {
		for strings.Count(seen.String(), "event: changed\ndata: {") < events {
			n, err := response.Body.Read(b)
			if seen.Write(b[:n]); err != nil {
				t.Fatal(seen.String(), err)
			}
		}
	}
	await(1) // the file as it is
	for n, change := range []func() error{
		func() error { return npy.Save(path, []int64{1}) },
		func() error { return os.WriteFile(path, []byte("\x93NUMPY"), 0o666) }, // which cannot be opened
		func() error { return os.Remove(path) },
		func() error { return npy.Save(path, []int64{1}) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		await(2 + n)
		get(t, "GET", base+"files", nil) // another page opens the file again, and the events go on
	}
	select {
	case err := <-ended:
		t.Fatal("the server ended with a page open", err)
	default:
	}
	leave()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the server goes on")
	}
}

func TestEnd(t *testing.T) {
	why := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	err := view.Serve(ctx, nil, view.Options{}, func(string) { stop(why) })
	if !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if err := view.Serve(t.Context(), nil, view.Options{Port: 1 << 20}, func(string) {}); err == nil {
		t.Error("a port of 1 << 20")
	}
}
