package view_test

import (
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/view"
)

// Pages of allowed origins show the page in a frame, and nobody else does.
func TestAllowFrames(t *testing.T) {
	h := view.New()
	defer h.Close()
	ask := func(name, dest string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/"+name, nil)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "navigate")
		r.Header.Set("Sec-Fetch-Dest", dest)
		h.ServeHTTP(w, r)
		return w
	}
	if w := ask("", "iframe"); w.Code != 403 || !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("a frame of anybody: %d %v", w.Code, w.Header())
	}
	if err := h.AllowFrames("http://localhost:8888", "https://*.example.org"); err != nil {
		t.Fatal(err)
	}
	w := ask("", "iframe")
	if got := w.Header().Get("Content-Security-Policy"); w.Code != 200 || !strings.Contains(got, "; frame-ancestors 'self' http://localhost:8888 https://*.example.org; ") {
		t.Errorf("an allowed frame: %d %s", w.Code, got)
	}
	if got := w.Header().Get("Cross-Origin-Resource-Policy"); got != "cross-origin" {
		t.Errorf("Cross-Origin-Resource-Policy is %q", got)
	}
	for _, x := range [][2]string{{"files", "iframe"}, {"app.js", "iframe"}, {"", "embed"}, {"", "object"}, {"", "image"}} {
		if w := ask(x[0], x[1]); w.Code != 403 {
			t.Errorf("%s as %s: %d", x[0], x[1], w.Code)
		}
	}
}

// Nothing but an origin gets into the policy.
func TestOrigins(t *testing.T) {
	for origin, good := range map[string]bool{
		"http://localhost:8888": true, "http://localhost:*": true, "https://hub.example.org": true, "https://*.example.org": true, "http://127.0.0.1:8888": true,
		"vscode-webview:": true, "vscode-file://vscode-app": true, "": false, "*": false, "https:": false, "http:": false, "data:": false, "file://x": false, "'self'": false,
		"http://a/b": false, "http://a/": false, "http://a b": false, "http://a;script-src *": false, "http://a,http://b": false, "http://*": false, "https://u:p@a": false,
		"http://a:99999999": false, "http://a\nX: y": false, "localhost:8888": false, "javascript:alert(1)": false, "http://a.": false, "http://ä": false, "https://*.*.b": false,
	} {
		h := view.New()
		err := h.AllowFrames("http://first", origin)
		if (err == nil) != good {
			t.Errorf("%q: %v", origin, err)
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "view: ")) {
			t.Errorf("%q: the message is %q", origin, err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
		if got := strings.Contains(w.Header().Get("Content-Security-Policy"), "http://first"); got != good {
			t.Errorf("%q: the policy is %q", origin, w.Header().Get("Content-Security-Policy"))
		}
		h.Close()
	}
}

// The address is the same whenever the token and the port are. Tokens that could be guessed, or are more than a word, are refused.
func TestToken(t *testing.T) {
	const token = "0123456789abcdefABCDEF-_"
	base, _, _ := serve(t, view.Options{Token: token})
	if !strings.HasSuffix(base, "/"+token+"/") {
		t.Errorf("the address is %s", base)
	}
	if r, _ := get(t, "GET", base, nil); r.StatusCode != 200 {
		t.Error(r.Status)
	}
	for _, bad := range []string{"short", strings.Repeat("a", 201), "0123456789012345678/", "01234567890123456789?", "0123456789 0123456789", "01234567890123456789é", "../../../../../../../"} {
		if err := view.Serve(t.Context(), nil, view.Options{Token: bad}, func(string) { t.Errorf("%q is a token", bad) }); err == nil {
			t.Errorf("%q is a token", bad)
		}
	}
	if err := view.Serve(t.Context(), nil, view.Options{Frames: []string{"*"}}, func(string) { t.Error("* is an origin") }); err == nil {
		t.Error("* is an origin")
	}
}

// A timed writer counts bytes that were written without a time to end.
type timed struct {
	*httptest.ResponseRecorder
	until   time.Time
	untimed int
}

func (w *timed) SetWriteDeadline(t time.Time) error { w.until = t; return nil }

func (w *timed) Write(p []byte) (int, error) {
	if left := time.Until(w.until); left < time.Second || left > 2*time.Minute {
		w.untimed += len(p)
	}
	return w.ResponseRecorder.Write(p)
}

// Each write has its time, which ends with the answer: other answers of the connection have their own.
func TestPatience(t *testing.T) {
	_, h, _ := mount(t, "")
	for _, name := range append([]string{"", "app.js", "events"}, questions...) {
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		ctx, stop := t.Context(), context.CancelFunc(func() {})
		if name == "events" {
			ctx, stop = context.WithTimeoutCause(ctx, 10*time.Millisecond, os.ErrDeadlineExceeded)
		}
		h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/"+name, nil))
		stop()
		if w.Code != 200 || w.untimed > 0 || !w.until.IsZero() {
			t.Errorf("%s: status %d, %d bytes without a deadline, which is %v at the end", name, w.Code, w.untimed, w.until)
		}
	}
}
