package view

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
)

// Options configure [Serve].
type Options struct {
	// Port is the server's port; 0 lets the system choose.
	Port int

	// Idle is how long the server goes on after its last page was closed. 0 means for ever.
	Idle time.Duration

	// Token is the secret in the address of the page: 20 to 200 letters, digits, '-' and '_'. With it and Port the address is the
	// same each time, so that bookmarks stay true. Empty stands for a new one.
	Token string

	// Frames are the origins of pages that may show this page in a frame, as in [Handler.AllowFrames].
	Frames []string
}

// isToken reports whether a text can be the secret in an address.
func isToken(text string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return len(text) >= 20 && len(text) <= 200 && strings.Trim(text, letters) == ""
}

// Serve shows inputs on the loopback interface until ctx ends, whose cause it returns, or until no page has been open for the
// time of o.Idle; then it returns nil. It calls ready with the address of the page once the server answers.
//
// Every program and every user of a machine can reach its loopback interface, and so can every page that a browser of the machine
// shows. The address of the page therefore has a secret in its path, and requests must name 127.0.0.1 or localhost as their host,
// with any port: it may have been forwarded from another machine.
func Serve(ctx context.Context, inputs []Input, o Options, ready func(url string)) error {
	h := New(inputs...)
	defer h.Close()
	if err := h.AllowFrames(o.Frames...); err != nil {
		return err
	}
	if o.Token == "" {
		o.Token = rand.Text()
	}
	if !isToken(o.Token) {
		return diag.New("view", "a token has 20 to 200 letters, digits, '-' and '_'")
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(o.Port)))
	if err != nil {
		return err
	}
	secret := "/" + o.Token
	ctx, stop := context.WithCancelCause(ctx)
	server := &http.Server{
		Handler:           &guard{secret + "/", http.StripPrefix(secret, h)},
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // input from strangers is not for the user's screen
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	watching := par.Go(func() error { return h.watch(ctx, o.Idle, func(cause error) { stop(cause); server.Close() }) })
	serving := par.Go(func() error { return server.Serve(l) })
	ready("http://" + l.Addr().String() + secret + "/")
	err = serving.Wait()
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
func (h *Handler) watch(ctx context.Context, idle time.Duration, end func(error)) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			end(context.Cause(ctx))
			return nil
		case now := <-tick.C:
			if idle > 0 && h.unseen(now) > idle {
				end(errIdle)
				return nil
			}
		}
	}
}

// unseen returns how long no page has been open. It is 0 before the first was.
func (h *Handler) unseen(now time.Time) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pages > 0 || h.left.IsZero() {
		return 0
	}
	return now.Sub(h.left)
}

// A guard answers requests of this machine that know the secret.
type guard struct {
	secret string // the beginning of every path
	next   http.Handler
}

// ServeHTTP implements [http.Handler].
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), headers)
	host, _, err := net.SplitHostPort(r.Host)
	begin := r.URL.Path[:min(len(g.secret), len(r.URL.Path))]
	switch {
	case err != nil || host != "127.0.0.1" && host != "localhost":
		refuse(w, http.StatusMisdirectedRequest, http.StatusText(http.StatusMisdirectedRequest)) // a name that was made to lead here
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		refuse(w, http.StatusMethodNotAllowed, http.StatusText(http.StatusMethodNotAllowed))
	case subtle.ConstantTimeCompare([]byte(begin), []byte(g.secret)) != 1:
		refuse(w, http.StatusNotFound, http.StatusText(http.StatusNotFound))
	default:
		g.next.ServeHTTP(w, r)
	}
}
