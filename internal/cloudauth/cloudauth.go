// Package cloudauth finds the credentials of object stores and signs requests with them: S3 (Signature Version 4), Google
// Cloud Storage (OAuth 2) and Azure Blob Storage (shared keys, shared access signatures, OAuth 2). It knows nothing of
// files, and sends requests only to fetch credentials.
//
// Keys and tokens are never part of an error.
package cloudauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ErrNone is wrapped by the error of a chain that found no credentials.
var ErrNone = errors.New("no credentials")

// A System is where credentials are looked for. The zero System is the machine.
type System struct {
	Env    func(string) string                             // nil means os.Getenv
	File   func(string) ([]byte, error)                    // nil means a read of at most 1 MiB
	Run    func(context.Context, []string) ([]byte, error) // a program and its arguments; nil means to run it
	Client *http.Client                                    // for servers of credentials; nil means one without a proxy
	Now    func() time.Time                                // nil means time.Now
}

const mostBytes = 1 << 20 // of a file or an answer

func (s System) env(name string) string {
	if s.Env != nil {
		return s.Env(name)
	}
	return os.Getenv(name)
}

func (s System) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s System) file(name string) ([]byte, error) {
	if s.File != nil {
		return s.File(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLimited(f)
}

func (s System) home(parts ...string) string {
	home := s.env("HOME")
	if home == "" {
		home = s.env("USERPROFILE")
	}
	return filepath.Join(append([]string{home}, parts...)...)
}

func readLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("more than %d bytes", mostBytes)
	}
	return data, err
}

// direct has no proxy: servers of credentials are on the machine or its network.
var direct = sync.OnceValue(func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.DisableKeepAlives = true
	return &http.Client{Transport: t, Timeout: 30 * time.Second, CheckRedirect: noRedirect}
})

// public reaches servers of credentials on the internet.
var public = sync.OnceValue(func() *http.Client {
	return &http.Client{Timeout: 30 * time.Second, CheckRedirect: noRedirect}
})

// noRedirect keeps credentials at the server that they are for.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// ask sends a request to a server of credentials and returns the body of its answer. near is set for servers of the machine.
func (s System) ask(req *http.Request, near bool) ([]byte, error) {
	c := s.Client
	switch {
	case c != nil:
	case near:
		c = direct()
	default:
		c = public()
	}
	var last error
	for i := range 3 {
		if i > 0 {
			if req.GetBody != nil {
				req.Body, _ = req.GetBody() // it was made from bytes
			}
			t := time.NewTimer(time.Duration(i) * 200 * time.Millisecond)
			select {
			case <-t.C:
			case <-req.Context().Done():
				t.Stop()
				return nil, context.Cause(req.Context())
			}
		}
		data, again, err := s.askOnce(c, req)
		if err == nil || !again {
			return data, err
		}
		last = err
	}
	return nil, last
}

func (s System) askOnce(c *http.Client, req *http.Request) (data []byte, again bool, err error) {
	resp, err := c.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, false, fmt.Errorf("%s does not answer: %w", req.URL.Host, err)
	}
	defer resp.Body.Close()
	data, err = readLimited(resp.Body)
	switch {
	case err != nil:
		return nil, true, fmt.Errorf("the answer of %s: %w", req.URL.Host, err)
	case resp.StatusCode == http.StatusNotFound:
		return nil, false, fmt.Errorf("%s answers %s: %w", req.URL.Host, http.StatusText(resp.StatusCode), fs.ErrNotExist)
	case resp.StatusCode != http.StatusOK:
		again = resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests
		return nil, again, fmt.Errorf("%s answers %d %s", req.URL.Host, resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	return data, false, nil
}

// kept keeps a value until shortly before its end.
type kept[T any] struct {
	mu    sync.Mutex
	value T
	until time.Time // zero for a value without an end
	have  bool

	making chan struct{} // closed when the goroutine that looks for a value has ended; nil if there is none
	none   error         // of a search that found nothing
	again  time.Time     // when to search again
}

// early is how long before their end credentials are replaced: a request under way must not outlive them.
const early = 5 * time.Minute

// searchEvery is how often credentials are looked for where there are none: a search may wait for servers that do not exist.
const searchEvery = time.Minute

// get returns the value, from find if there is none or its end is near. One goroutine at a time finds it; others wait for it, or
// for the end of their contexts.
func (k *kept[T]) get(ctx context.Context, now func() time.Time, find func() (T, time.Time, error)) (T, error) {
	for {
		k.mu.Lock()
		if value, err, ok := k.known(now()); ok {
			k.mu.Unlock()
			return value, err
		}
		wait := k.making
		if wait == nil {
			k.making = make(chan struct{})
			k.mu.Unlock()
			return k.renew(now, find)
		}
		k.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			var none T
			return none, context.Cause(ctx)
		}
	}
}

// known returns the value if it is good for a while, or the error of a search that is not worth repeating yet.
func (k *kept[T]) known(now time.Time) (value T, err error, ok bool) {
	switch {
	case k.have && (k.until.IsZero() || now.Before(k.until.Add(-early))):
		return k.value, nil, true
	case k.none == nil || !now.Before(k.again):
		return value, nil, false
	case k.have && now.Before(k.until):
		return k.value, nil, true
	}
	return value, k.none, true
}

// renew finds a value. If that fails, the old one is returned until its end.
func (k *kept[T]) renew(now func() time.Time, find func() (T, time.Time, error)) (T, error) {
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		close(k.making)
		k.making = nil
	}()
	value, until, err := find()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.none = nil; err == nil {
		k.value, k.until, k.have = value, until, true
		return value, nil
	}
	if errors.Is(err, ErrNone) {
		k.none, k.again = err, now().Add(searchEvery)
	}
	if k.have && now().Before(k.until) {
		return k.value, nil // still good for a while
	}
	var none T
	return none, err
}

// trustedHTTP reports whether credentials may go to a URL without TLS: only within the machine.
func trustedHTTP(u *url.URL, hosts ...string) bool {
	if u.Scheme == "https" {
		return true
	}
	if u.Scheme != "http" {
		return false
	}
	for _, h := range append(hosts, "localhost", "127.0.0.1", "::1") {
		if u.Hostname() == h {
			return true
		}
	}
	return false
}
