package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/npygo/npy/internal/cloudauth"
	"github.com/npygo/npy/internal/par"
)

// A client sends the requests of one location.
type client struct {
	http     *http.Client
	given    Options // of the caller
	o        Options // with defaults
	auth     authorizer
	loc      location
	slots    chan struct{} // a value for each request that is under way
	answered atomic.Bool   // some server has answered
	count    counters
	reach    reach                 // of requests to the location
	moved    atomic.Pointer[place] // where the last redirect of a read led to; nil for none

	mu     sync.Mutex
	region string   // that S3 says the bucket is in; "" if it did not say
	base   *url.URL // its server
}

// counters has the counts for Stats.
type counters struct{ requests, retries, bytes, reads, cached atomic.Int64 }

// Stats counts requests.
type Stats struct {
	Requests int64 // sent, with repetitions and redirects
	Retries  int64 // repetitions
	Bytes    int64 // of bodies that arrived
	Reads    int64 // calls of ReadAt
	Cached   int64 // bytes that calls of ReadAt took from memory
}

func (c *counters) stats() Stats {
	return Stats{c.requests.Load(), c.retries.Load(), c.bytes.Load(), c.reads.Load(), c.cached.Load()}
}

// A request is one request, which may be sent several times.
type request struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte
	sum    string // SHA-256 of body, in hexadecimal
	long   bool   // the server may work for minutes before it answers
	read   bool   // of the file itself: redirects are remembered
}

// A place is where a request is sent to, and which addresses it may go to.
type place struct {
	url   *url.URL
	reach reach
}

// An answer has the body of a request. Close must be called.
type answer struct {
	*http.Response
	body  *watched
	sent  time.Time
	head  time.Duration // until the header arrived
	leads reach         // of redirects and of the files that it names
	home  reach         // of files at the host of the URL
}

func (a *answer) Close() { a.body.Close() }

// retry calls try until it succeeds, fails for good, or the time is over.
func (c *client) retry(ctx context.Context, try func(ctx context.Context) error) error {
	if c.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.o.Timeout, errTimeout)
		defer cancel()
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for failed := 0; ; failed++ {
		err := try(ctx)
		if err == nil {
			return nil
		}
		var f *failure
		if !errors.As(err, &f) || !f.retry || failed >= c.o.Retries {
			return err
		}
		c.count.retries.Add(1)
		if err := c.wait(ctx, failed, f.after); err != nil {
			return &failure{err: fmt.Errorf("%w; the last failure: %w", err, f.err), status: f.status, code: f.code}
		}
	}
}

var (
	errTimeout = errors.New("the time for this read is over (Options.Timeout)")
	errIdle    = errors.New("no data for the time of Options.IdleTimeout")
)

// attempt sends a request once, following redirects.
func (c *client) attempt(ctx context.Context, r request) (*answer, error) {
	origin, home := c.origin(r), c.reach
	at := origin
	if to := c.moved.Load(); r.read && to != nil {
		at = to
	}
	for range maxRedirect {
		own := sameHost(at.url, origin.url)
		a, err := c.send(ctx, r, at, own)
		if err != nil {
			if to := c.moved.Load(); to != nil && r.read && at == to && isGone(err) {
				c.moved.Store(nil) // it was signed for a while: ask again where the file is
				at = origin
				continue
			}
			if own && c.elsewhere(err) {
				origin = c.origin(r)
				at = origin
				continue
			}
			return nil, err
		}
		if at == origin {
			home = a.leads
		}
		if !isRedirect(a.StatusCode) {
			if r.read && at != origin {
				c.moved.Store(at)
			}
			a.home = home
			return a, nil
		}
		next, err := redirected(a, at.url)
		a.Close()
		if err != nil {
			return nil, err
		}
		if r.method != http.MethodGet {
			return nil, wrong("the server redirects a %s to %s: use the URL of the file itself", r.method, redacted(next))
		}
		at = &place{next, a.leads}
	}
	return nil, wrong("more than %d redirects", maxRedirect)
}

// origin returns where a request goes first.
func (c *client) origin(r request) *place { return &place{c.placed(r.url), c.reach} }

// isGone reports whether an answer may mean that a redirect is no longer valid.
func isGone(err error) bool {
	var f *failure
	return errors.As(err, &f) && (f.status == 400 || f.status == 401 || f.status == 403 || f.status == 404 || f.status == 410)
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirected returns where an answer leads to.
func redirected(a *answer, from *url.URL) (*url.URL, error) {
	location := a.Header.Get("Location")
	next, err := from.Parse(location)
	switch {
	case location == "" || err != nil:
		return nil, wrong("the server redirects to nowhere")
	case next.Scheme != "https" && next.Scheme != "http":
		return nil, wrong("the server redirects to a URL that is not http")
	case from.Scheme == "https" && next.Scheme != "https":
		return nil, wrong("the server redirects from https to http")
	}
	next.User, next.Fragment = nil, ""
	return next, nil
}

// sameHost reports whether credentials for a are also for b.
func sameHost(a, b *url.URL) bool { return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) }

// send sends a request to a place. own tells whether credentials are for it. Error statuses are errors, redirects are not.
func (c *client) send(ctx context.Context, r request, at *place, own bool) (*answer, error) {
	w, ctx := c.watch(ctx, r.long)
	var from peer
	ctx = from.trace(ctx)
	var body io.Reader
	if len(r.body) > 0 {
		body = &watchedReader{bytes.NewReader(r.body), w}
	}
	req, err := http.NewRequestWithContext(ctx, r.method, at.url.String(), body)
	if err != nil {
		w.stop()
		return nil, wrong("invalid URL")
	}
	req.ContentLength = int64(len(r.body))
	if own {
		for name, values := range c.o.Header {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "npygo")
	if own && c.loc.store == s3 {
		req.Header.Set("X-Amz-Content-Sha256", cmp.Or(r.sum, cloudauth.EmptySum))
	}
	if own && c.auth != nil {
		if err := c.auth.Authorize(req, r.sum); err != nil {
			defer w.stop()
			if ctx.Err() != nil { // the fetch of credentials ended with it
				err = context.Cause(ctx)
			}
			return nil, err
		}
	}
	c.count.requests.Add(1)
	sent := time.Now()
	w.arm()
	resp, err := c.through(at.reach).Do(req)
	w.disarm()
	if err != nil {
		defer w.stop()
		return nil, c.unanswered(ctx, err)
	}
	c.answered.Store(true)
	w.body, w.count = resp.Body, &c.count.bytes
	resp.Body = w
	inRegion := c.loc.store == s3 && isRedirect(resp.StatusCode) // S3 names the region of the bucket, and no useful location
	if resp.StatusCode >= 400 || resp.StatusCode < 200 || inRegion {
		return nil, refused(resp)
	}
	return &answer{Response: resp, body: w, sent: sent, head: time.Since(sent), leads: c.leads(at.reach, req, from.address())}, nil
}

// unanswered classifies the error of a request without an answer.
func (c *client) unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errIdle) {
			return broken(errIdle)
		} else if cause != nil {
			return cause
		}
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL, which may have a signature
	}
	var (
		cert *tls.CertificateVerificationError
		auth x509.UnknownAuthorityError
		host x509.HostnameError
		name *net.DNSError
	)
	f := &failure{err: err, retry: true}
	switch {
	case errors.Is(err, ErrAddress):
		var a *addressError
		if errors.As(err, &a) {
			f.err = a // without the address that was dialled, which it has
		}
		f.retry = false
	case errors.As(err, &cert), errors.As(err, &auth), errors.As(err, &host), errors.Is(err, http.ErrSchemeMismatch):
		f.retry = false
	case errors.As(err, &name) && name.IsNotFound, errors.Is(err, errRefused):
		f.retry = c.answered.Load() // a server that has never answered is rather a wrong name
	case strings.Contains(err.Error(), "unsupported protocol scheme"):
		f.retry = false
	}
	return f
}

// An alarm ends a context when its time comes.
type alarm struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	task   *par.Task
}

// newAlarm returns an alarm that is not set, whose context ends with ctx, or with a cause when the time comes.
func newAlarm(ctx context.Context, cause error) *alarm {
	a := &alarm{timer: time.NewTimer(time.Hour)}
	a.timer.Stop()
	a.ctx, a.cancel = context.WithCancelCause(ctx)
	a.task = par.Go(func() error {
		select {
		case <-a.timer.C:
			a.cancel(cause)
		case <-a.ctx.Done():
		}
		return nil
	})
	return a
}

// set sets the time, in place of one that was set before.
func (a *alarm) set(d time.Duration) { a.timer.Reset(d) }

func (a *alarm) unset() { a.timer.Stop() }

// stop ends the context. It may be called again.
func (a *alarm) stop() {
	a.cancel(nil)
	_ = a.task.Wait() // it returns nil
}

// watched is a body whose reads end when nothing arrives for a while. It also ends its request.
type watched struct {
	body  io.ReadCloser
	count *atomic.Int64
	alarm *alarm
	idle  time.Duration // not positive for no limit
}

// watch returns a watched and the context of its request.
func (c *client) watch(ctx context.Context, long bool) (*watched, context.Context) {
	w := &watched{idle: c.o.IdleTimeout, alarm: newAlarm(ctx, errIdle)}
	if long {
		w.idle *= 10
	}
	return w, w.alarm.ctx
}

func (w *watched) arm() {
	if w.idle > 0 {
		w.alarm.set(w.idle)
	}
}

func (w *watched) disarm() { w.alarm.unset() }

func (w *watched) Read(p []byte) (int, error) {
	w.arm()
	n, err := w.body.Read(p)
	w.disarm()
	w.count.Add(int64(n))
	if err != nil && err != io.EOF && w.alarm.ctx.Err() != nil {
		err = context.Cause(w.alarm.ctx)
	}
	return n, err
}

// Close ends the request. A body that was read to its end leaves its connection for the next request.
func (w *watched) Close() error {
	err := w.body.Close()
	w.stop()
	return err
}

func (w *watched) stop() { w.alarm.stop() }

// watchedReader is the body of a request, whose progress counts as life.
type watchedReader struct {
	io.Reader
	w *watched
}

func (r *watchedReader) Read(p []byte) (int, error) {
	r.w.arm()
	return r.Reader.Read(p)
}
