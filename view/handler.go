package view

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/npygo/npy/view/internal/answer"
)

// policy lets the page run its own scripts and styles, and nothing that is part of a document or of a file.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; " + nobody + "; require-trusted-types-for 'script'; trusted-types 'none'"

// nobody is the part of the policy about those who may show the page in a frame.
const nobody = "frame-ancestors 'none'"

// headers are in every answer. Data that needs authorisation is not for the cache of a proxy.
var headers = http.Header{
	"Content-Security-Policy":      {policy},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Cross-Origin-Embedder-Policy": {"require-corp"},
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"Cache-Control":                {"no-store"},
}

// A Handler shows arrays in a page. It is mounted under a prefix with [http.StripPrefix], and all addresses of the page are
// relative to that prefix. It asks nobody for a password: the program that mounts it lets requests through, or does not, before
// they arrive here. It answers GET, and HEAD of the page, and refuses requests that a page of another origin makes, except
// those that lead a user to the page. An answer of which a connection takes no byte for a minute ends.
//
// A Handler may be used by several goroutines.
type Handler struct {
	answers *answer.Answers
	frames  []string // origins of pages that may show this one in a frame

	mu      sync.Mutex
	running map[*visit]bool // requests that are being answered
	closed  bool
	ended   chan struct{} // closed with the last request after Close
	pages   int           // that are open
	left    time.Time     // when the last one was closed or asked for something; zero before the first
}

// A visit is a request that is being answered. Close cancels it.
type visit struct{ cancel context.CancelCauseFunc }

// errClosed ends requests when their Handler is closed.
var errClosed = &answer.Error{Status: http.StatusServiceUnavailable, Err: errors.New("the page has been closed")}

// New returns a Handler that shows inputs. Each is opened by the first question about it.
func New(inputs ...Input) *Handler {
	return &Handler{answers: answersOf(inputs), running: map[*visit]bool{}, ended: make(chan struct{})}
}

// Close ends the requests that are being answered, those of open pages too, waits for them, and closes the files. Requests that
// come later get the status 503. [http.Server.Shutdown] waits for open pages, which do not end by themselves, so Close comes
// first: server.RegisterOnShutdown does it. Close always returns nil, and may be called again.
func (h *Handler) Close() error {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		if len(h.running) == 0 {
			close(h.ended)
		}
		for v := range h.running {
			v.cancel(errClosed)
		}
	}
	h.mu.Unlock()
	<-h.ended
	h.answers.Close()
	return nil
}

// enter begins a request. leave ends it.
func (h *Handler) enter(ctx context.Context) (_ context.Context, leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, false
	}
	if !h.left.IsZero() {
		h.left = time.Now() // a page that is hidden has no events, and asks for its head now and then
	}
	ctx, cancel := context.WithCancelCause(ctx)
	v := &visit{cancel}
	h.running[v] = true
	return ctx, func() { h.leave(v) }, true
}

func (h *Handler) leave(v *visit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v.cancel(nil)
	delete(h.running, v)
	if h.closed && len(h.running) == 0 {
		close(h.ended)
	}
}

// ServeHTTP implements [http.Handler]. The path of r is relative to the prefix, with or without a slash before it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), headers)
	h.framed(w.Header())
	if r.URL.Path == "" && redirect(w, r) {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	if status := h.admit(name, r); status != 0 {
		refuse(w, status, http.StatusText(status))
		return
	}
	ctx, leave, ok := h.enter(r.Context())
	if !ok {
		refuse(w, errClosed.Status, errClosed.Error())
		return
	}
	defer leave()
	wait(w)
	defer func() { _ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) }() // the connection goes on
	switch file, ok := assets()[name]; {
	case ok:
		file.serve(w, r)
	case name == eventsName:
		h.events(ctx, w)
	default:
		h.answer(ctx, name, w, r)
	}
}

// redirect leads from a prefix without its slash, to which no address of the page would be relative, to the one with it.
func redirect(w http.ResponseWriter, r *http.Request) bool {
	given, _, _ := strings.Cut(r.RequestURI, "?")
	if given == "" || strings.HasSuffix(given, "/") {
		return false
	}
	w.Header().Set("Location", "./"+path.Base(given)+"/") // relative: a proxy may have removed a prefix of its own
	w.WriteHeader(http.StatusMovedPermanently)
	return true
}

// admit returns the status of the refusal of a request, or 0.
func (h *Handler) admit(name string, r *http.Request) (status int) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return http.StatusMethodNotAllowed
	}
	page := name == "index.html"
	header := r.Header.Get
	if origin := header("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return http.StatusForbidden // browsers send no Origin when a page asks its own server
		}
	}
	switch site := header("Sec-Fetch-Site"); site {
	case "", "same-origin":
	case "none":
		if !page {
			return http.StatusForbidden
		}
	default:
		if !(page && h.leads(r)) {
			return http.StatusForbidden
		}
	}
	if _, ok := assets()[name]; ok || name == eventsName {
		return 0
	}
	if !slices.Contains(answer.Questions(), name) {
		return http.StatusNotFound
	}
	if r.Method == http.MethodHead {
		return http.StatusMethodNotAllowed // it would cost as much as the answer
	}
	return 0
}

// answer answers a question.
func (h *Handler) answer(ctx context.Context, name string, w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	q.Del("etag")
	if tag := r.Header.Get("If-None-Match"); tag != "" {
		q.Set("etag", tag)
	}
	p := &paper{w: w, r: r}
	err := h.answers.Answer(ctx, name, q, p)
	if p.end != nil {
		defer p.end()
	}
	switch {
	case err == nil || r.Context().Err() != nil:
	case errors.Is(err, answer.ErrNotModified):
		w.Header().Set("ETag", q.Get("etag"))
		w.WriteHeader(http.StatusNotModified)
	case !p.began:
		refuse(w, answer.Status(err), err.Error())
	default:
		panic(http.ErrAbortHandler) // the page sees that the answer is cut
	}
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Del("Content-Encoding")
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "GET")
	}
	w.WriteHeader(status)
	data, _ := json.Marshal(map[string]string{"error": text}) // strings always have JSON
	_, _ = w.Write(data)                                      // a page that is gone
}

func acceptsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// compressed returns a writer that compresses if the browser wants that.
func compressed(w http.ResponseWriter, r *http.Request) (out io.Writer, end func()) {
	if !acceptsGzip(r) {
		return w, func() {}
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Add("Vary", "Accept-Encoding")
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	return z, func() { _ = z.Close() }
}

// A paper takes an answer for a request.
type paper struct {
	w     http.ResponseWriter
	r     *http.Request
	out   io.Writer
	end   func()
	began bool
}

// Head implements [answer.Writer].
func (p *paper) Head(head answer.Head) {
	p.began, p.out = true, p.w
	h := p.w.Header()
	h.Set("Content-Type", head.Type)
	if head.ETag != "" {
		h.Set("ETag", head.ETag)
		h.Set("Cache-Control", "private, no-cache")
	}
	if head.Filename != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": head.Filename}))
	}
	if head.Type == "application/json" {
		p.out, p.end = compressed(p.w, p.r)
	}
}

// Write implements [answer.Writer].
func (p *paper) Write(b []byte) (int, error) {
	wait(p.w)
	return p.out.Write(b)
}

// patience is how long a connection may take no byte of an answer before it is closed.
const patience = time.Minute

// wait gives the next write to a connection its time. Some writers of programs that mount the page cannot be hurried.
func wait(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience))
}

// Flush implements [answer.Writer].
func (p *paper) Flush() { _ = http.NewResponseController(p.w).Flush() }
