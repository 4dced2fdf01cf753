// Package view shows arrays in a browser. A [Server] has a page, and answers its questions about the files that its user named
// and about nothing else: see package [github.com/npygo/npy/view/answer].
//
// A server on the loopback interface can be reached by every program and every user of a machine, and by every page that a
// browser of the machine shows. A Server therefore answers only requests that have a token in their path, that name it as the
// host, and that come from its own page; and it never takes a path.
package view

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"log"
	"mime"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/view/answer"
)

//go:embed dist
var dist embed.FS

// Assets returns the files of the page: index.html, scripts and styles.
func Assets() fs.FS {
	assets, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return assets
}

// policy lets the page run its own scripts and styles, and nothing that is part of a document or of a file.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// A Server shows files in a page. It may be used once.
type Server struct {
	answers *answer.Answers
	token   string
	host    string // with the port
	idle    time.Duration
	files   map[string]asset

	mu    sync.Mutex
	pages int       // that are open
	left  time.Time // when the last one was closed or asked for something; zero before the first
}

type asset struct {
	data []byte
	kind string
	etag string
}

// Options configure a [Server].
type Options struct {
	// Port is the server's port; 0 lets the system choose.
	Port int

	// Idle is how long the server goes on after its last page was closed. 0 means for ever.
	Idle time.Duration
}

// New returns a Server of some files. It closes answers at its end.
func New(answers *answer.Answers) *Server {
	s := &Server{answers: answers, token: rand.Text(), files: map[string]asset{}}
	err := fs.WalkDir(Assets(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".gz") { // the program is for a page without a server
			return err
		}
		data, err := fs.ReadFile(Assets(), name)
		kind := mime.TypeByExtension(path.Ext(name))
		if known := types[path.Ext(name)]; known != "" {
			kind = known // what the system says may be wrong
		}
		sum := fnv.New64a()
		sum.Write(data)
		s.files[name] = asset{data, kind, fmt.Sprintf(`"%x"`, sum.Sum(nil))}
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return s
}

var types = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// Serve answers on the loopback interface until ctx ends, whose cause it returns, or until no page has been open for the time of o.Idle; then
// it returns nil. It calls ready with the address of the page as soon as that can be opened.
func (s *Server) Serve(ctx context.Context, o Options, ready func(url string)) error {
	defer s.answers.Close()
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(o.Port)))
	if err != nil {
		return err
	}
	s.host, s.idle = l.Addr().String(), o.Idle
	ctx, stop := context.WithCancelCause(ctx)
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // what strangers send is not for the user's screen
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	watching := par.Go(func() error { return s.watch(ctx, func(cause error) { stop(cause); server.Close() }) })
	ready("http://" + s.host + "/" + s.token + "/")
	err = server.Serve(l)
	stop(errServed)
	_ = watching.Wait() // its reason is the cause
	if cause := context.Cause(ctx); errors.Is(cause, errIdle) {
		return nil
	} else if cause != nil && !errors.Is(cause, errServed) {
		return cause
	}
	return err
}

var (
	errIdle   = errors.New("no page is open")
	errServed = errors.New("the server has ended")
)

// watch ends the server with its context, or when no page has been open for long.
func (s *Server) watch(ctx context.Context, end func(error)) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			end(context.Cause(ctx))
			return nil
		case now := <-tick.C:
			s.mu.Lock()
			idle := s.idle > 0 && s.pages == 0 && !s.left.IsZero() && now.Sub(s.left) > s.idle
			s.mu.Unlock()
			if idle {
				end(errIdle)
				return nil
			}
		}
	}
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range headers {
		h[name] = value
	}
	name, status := s.admit(r)
	if status != 0 {
		refuse(w, status, http.StatusText(status))
		return
	}
	s.mu.Lock()
	if !s.left.IsZero() {
		s.left = time.Now() // a page that is hidden has no events, and asks for its head now and then
	}
	s.mu.Unlock()
	if f, ok := s.files[name]; ok {
		h.Set("ETag", f.etag)
		h.Set("Cache-Control", "no-cache")
		if r.Header.Get("If-None-Match") == f.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", f.kind)
		out, end := compressed(w, r)
		defer end()
		_, _ = out.Write(f.data) // a page that is gone
		return
	}
	if name == "events" {
		s.events(w, r)
		return
	}
	q := r.URL.Query()
	q.Del("etag")
	if tag := r.Header.Get("If-None-Match"); tag != "" {
		q.Set("etag", tag)
	}
	p := &paper{w: w, r: r}
	err := s.answers.Answer(r.Context(), name, q, p)
	if p.end != nil {
		defer p.end()
	}
	switch {
	case err == nil || r.Context().Err() != nil:
	case errors.Is(err, answer.ErrNotModified):
		h.Set("ETag", q.Get("etag"))
		w.WriteHeader(http.StatusNotModified)
	case !p.began:
		refuse(w, answer.Status(err), err.Error())
	default:
		panic(http.ErrAbortHandler) // the page sees that the answer is cut
	}
}

var headers = http.Header{
	"Content-Security-Policy":      {policy},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Cross-Origin-Embedder-Policy": {"require-corp"},
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"Cache-Control":                {"no-store"},
}

// admit returns what a request asks for, or the status of its refusal.
func (s *Server) admit(r *http.Request) (name string, status int) {
	_, port, err := net.SplitHostPort(s.host)
	if err != nil || r.Host != s.host && r.Host != "localhost:"+port {
		return "", http.StatusMisdirectedRequest // a name that was made to lead here
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return "", http.StatusMethodNotAllowed
	}
	name, ok := strings.CutPrefix(r.URL.Path, "/"+s.token+"/")
	if !ok {
		return "", http.StatusNotFound
	}
	if name == "" {
		name = "index.html"
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin":
	case "none":
		if name != "index.html" {
			return "", http.StatusForbidden
		}
	default:
		if !(name == "index.html" && site == "cross-site" && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document") {
			return "", http.StatusForbidden
		}
		// a user who followed a link, as in the file that opens the browser
	}
	if _, ok := s.files[name]; ok || name == "events" {
		return name, 0
	}
	if !slices.Contains(answer.Questions(), name) {
		return "", http.StatusNotFound
	}
	if r.Method == http.MethodHead {
		return "", http.StatusMethodNotAllowed // it would cost as much as the answer
	}
	return name, 0
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

// compressed returns a writer that compresses if the browser wants that.
func compressed(w http.ResponseWriter, r *http.Request) (out io.Writer, end func()) {
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
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
		h.Set("Cache-Control", "no-cache")
	}
	if head.Filename != "" {
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": head.Filename}))
	}
	if head.Type == "application/json" {
		p.out, p.end = compressed(p.w, p.r)
	}
}

// Write implements [answer.Writer].
func (p *paper) Write(b []byte) (int, error) { return p.out.Write(b) }

// Flush implements [answer.Writer].
func (p *paper) Flush() { _ = http.NewResponseController(p.w).Flush() }

// events tells a page which files have changed, until it is closed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.pages++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pages--
		s.left = time.Now()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) bool {
		_, err := io.WriteString(w, text)
		return err == nil && http.NewResponseController(w).Flush() == nil
	}
	if !send(": hello\n\n") {
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	told := make([]string, s.answers.Len())
	for n := 1; ; n++ {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
		for f := range told {
			tag, changed := s.answers.Changed(f)
			if !changed || tag == told[f] {
				continue
			}
			told[f] = tag
			data, _ := json.Marshal(map[string]any{"f": f, "etag": tag}) // always has JSON
			if !send("event: changed\ndata: " + string(data) + "\n\n") {
				return
			}
		}
		if n%15 == 0 && !send(": still here\n\n") {
			return
		}
	}
}

// MarshalJSON returns an error: a Server has open files.
func (s *Server) MarshalJSON() ([]byte, error) {
	return nil, errors.New("view: a Server has open files and no JSON; marshal what it answers")
}
