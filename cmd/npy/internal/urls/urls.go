// Package urls opens, lists and writes the files at URLs that arguments of the command name, and counts the requests.
package urls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/remote"
)

// A Client opens files at URLs. Nothing is made before the first one.
type Client struct {
	Options remote.Options
	Context func() context.Context // of the run; it ends all requests
	MaxKeys func() int             // of remote.Options, for lists

	mu      sync.Mutex
	files   []interface{ Stats() remote.Stats }
	started time.Time
}

// Open opens the file at a URL.
func (c *Client) Open(url string) (*remote.File, error) {
	return c.OpenLinked(nil, url)
}

// OpenLinked opens the file at a URL that another file names, or that the caller names if there is no other.
func (c *Client) OpenLinked(from *remote.File, url string) (*remote.File, error) {
	c.start()
	var f *remote.File
	var err error
	if from != nil {
		f, err = from.OpenLinked(c.Context(), url)
	} else {
		f, err = remote.Open(c.Context(), url, c.Options)
	}
	if err != nil {
		return nil, err
	}
	c.count(f)
	return f, nil
}

// Create begins a new file at a URL.
func (c *Client) Create(url string) (*remote.Writer, error) {
	c.start()
	w, err := remote.Create(c.Context(), url, c.Options)
	if err != nil {
		return nil, err
	}
	c.count(w)
	return w, nil
}

// Write makes a new file at a URL from the output of write. After an error there is no new file.
func (c *Client) Write(url string, write func(w io.Writer) error) error {
	w, err := c.Create(url)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := write(w); err != nil {
		return err
	}
	return w.Close()
}

// Replace writes a file, at a path or a URL. After an error an old file is as it was.
func (c *Client) Replace(path string, write func(w io.Writer) error) error {
	if remote.IsURL(path) {
		return c.Write(path, write)
	}
	return npy.ReplaceFile(path, write)
}

// Exists reports whether there is a file at a URL.
func (c *Client) Exists(url string) (bool, error) {
	f, err := c.Open(url)
	if err == nil {
		return true, f.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return false, err
}

// start notes when the first request is made.
func (c *Client) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.started.IsZero() {
		c.started = time.Now()
	}
}

func (c *Client) count(f interface{ Stats() remote.Stats }) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files = append(c.files, f)
}

// Stats returns the requests so far, and the time since the first one.
func (c *Client) Stats() (sum remote.Stats, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.files {
		s := f.Stats()
		sum.Requests += s.Requests
		sum.Retries += s.Retries
		sum.Bytes += s.Bytes
		sum.Reads += s.Reads
		sum.Cached += s.Cached
	}
	if !c.started.IsZero() {
		took = time.Since(c.started)
	}
	return sum, took
}

// Note returns the number of requests for a line of progress, or "" if there were none.
func (c *Client) Note() string {
	if sum, _ := c.Stats(); sum.Requests > 0 {
		return fmt.Sprintf("%d requests, %.1f MB received", sum.Requests, float64(sum.Bytes)/1e6)
	}
	return ""
}

// IsStore reports whether a name is a URL of an object store, which can be listed.
func IsStore(name string) bool {
	return remote.IsURL(name) && !strings.HasPrefix(strings.ToLower(name), "http")
}

// List calls do with the URL of each file that matches a pattern, in the order of the store. Empty files whose names end in a slash
// are left out: consoles of stores make them, to show folders.
func (c *Client) List(pattern string, do func(url string)) error {
	c.start()
	for e, err := range remote.List(c.Context(), pattern, c.listing()) {
		if err != nil {
			return err
		}
		if e.Size > 0 || !strings.HasSuffix(e.URL, "/") {
			do(e.URL)
		}
	}
	return nil
}

// Uploads returns the unfinished uploads of the files whose URLs begin with a prefix.
func (c *Client) Uploads(prefix string) iter.Seq2[remote.Unfinished, error] {
	c.start()
	return remote.Uploads(c.Context(), prefix, c.listing())
}

func (c *Client) listing() remote.Options {
	o := c.Options
	if c.MaxKeys != nil {
		o.MaxKeys = c.MaxKeys()
	}
	return o
}

// Missing reports whether an error says that there is no file at a URL, or none that may be read: stores that do not let
// callers list files answer so.
func Missing(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && e.Op == "open" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission))
}
