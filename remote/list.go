package remote

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// An Entry is a file of a store.
type Entry struct {
	URL      string    // for Open
	Size     int64     // in bytes
	ETag     string    // "" if it has more than 80 bytes, which no store needs
	Modified time.Time // as the store says, in UTC; zero if it does not say
}

// List returns the files of an s3, gs or az URL with a pattern, in the order of the store: *, ? and [a-z] match as in path.Match,
// within a part of the name between slashes, and ** as such a part matches any number of parts. A URL without a pattern that
// ends in a slash lists all files below it. Other servers have no lists: the error wraps errors.ErrUnsupported.
//
// Pages are read as they are needed, and a page is all that List keeps. After [Options.MaxKeys] files, be they such that match or
// not, the error is an npy.LimitError. The loop ends after the first error.
func List(ctx context.Context, pattern string, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		c, err := newClient(pattern, o)
		if err == nil && (c.loc.store == web || c.loc.local()) {
			err = diag.Errorf("remote", "only s3, gs and az URLs can be listed: %w", errors.ErrUnsupported)
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		glob := c.loc.key
		if strings.HasSuffix(glob, "/") || glob == "" {
			glob += "**"
		}
		if err := checkPattern(glob); err != nil {
			yield(Entry{}, err)
			return
		}
		base := strings.TrimSuffix(c.loc.String(), c.loc.key)
		parts := strings.Split(glob, "/")
		err = c.list(ctx, literalPrefix(glob), func(o object) bool {
			if !matches(parts, strings.Split(o.key, "/")) {
				return true
			}
			return yield(Entry{base + o.key, o.size, o.etag, o.modified}, nil)
		})
		if err != nil {
			yield(Entry{}, c.failed("list", err))
		}
	}
}

// literalPrefix returns the beginning of all names that a pattern matches.
func literalPrefix(glob string) string {
	if i := strings.IndexAny(glob, `*?[\`); i >= 0 {
		return glob[:i]
	}
	return glob
}

func checkPattern(glob string) error {
	for part := range strings.SplitSeq(glob, "/") {
		if _, err := path.Match(part, ""); err != nil {
			return diag.Errorf("remote", "pattern %q: %w", part, err)
		}
	}
	if strings.Count(glob, "**") > 8 {
		return diag.New("remote", "more than 8 ** in a pattern")
	}
	return nil
}

// matches reports whether a name matches a pattern, part by part. Each ** is tried with every number of parts, from the
// last result on, so the time is in proportion to the product of the lengths.
func matches(glob, name []string) bool {
	ok := make([]bool, len(name)+1) // ok[j]: the rest of the pattern matches name[j:]
	ok[len(name)] = true
	for i := len(glob) - 1; i >= 0; i-- {
		next := make([]bool, len(name)+1)
		for j := len(name); j >= 0; j-- {
			switch {
			case glob[i] == "**":
				next[j] = ok[j] || j < len(name) && next[j+1]
			case j < len(name):
				m, _ := path.Match(glob[i], name[j]) // the pattern was checked
				next[j] = m && ok[j+1]
			}
		}
		ok = next
	}
	return ok[0]
}

// An object is a file in a list.
type object struct {
	key      string
	size     int64
	etag     string
	modified time.Time
}

const longestETag = 80 // bytes

// list calls yield with the files whose names begin with a prefix, until it returns false.
func (c *client) list(ctx context.Context, prefix string, yield func(object) bool) error {
	return c.listMore(ctx, prefix, nil, yield)
}

// listMore is list with more names and values in the query.
func (c *client) listMore(ctx context.Context, prefix string, more []string, yield func(object) bool) error {
	p := c.pager("files")
	for marker := ""; ; {
		var page listPage
		err := p.read(ctx, c.listURL(prefix, marker, more), func(r io.Reader) (err error) {
			page, err = parseList(c.loc.store, r)
			return err
		})
		if err != nil {
			return err
		}
		for _, o := range page.objects {
			if err := p.count(); err != nil {
				return err
			}
			if strings.HasPrefix(o.key, prefix) && !yield(o) {
				return nil
			}
		}
		if page.next == "" {
			return nil
		}
		if err := p.turn(page.next == marker, len(page.objects), page.first()); err != nil {
			return err
		}
		marker = page.next
	}
}

// listURL returns the URL of a page of files.
func (c *client) listURL(prefix, marker string, more []string) (u *url.URL) {
	switch u = c.loc.object(""); c.loc.store {
	case gcs:
		u.RawPath, u.Path = u.EscapedPath()+"/o", u.Path+"/o"
		pairs := []string{"fields", "items(name,size,etag,updated),nextPageToken", "prefix", prefix}
		if marker != "" {
			pairs = append(pairs, "pageToken", marker)
		}
		return query(u, pairs...)
	case azure:
		pairs := []string{"restype", "container", "comp", "list", "prefix", prefix}
		pairs = append(pairs, more...)
		if marker != "" {
			pairs = append(pairs, "marker", marker)
		}
		return query(u, pairs...)
	}
	pairs := []string{"list-type", "2", "prefix", prefix}
	if marker != "" {
		pairs = append(pairs, "continuation-token", marker)
	}
	return query(u, pairs...)
}

// A listPage is a page of a list.
type listPage struct {
	objects []object
	next    string // begins the next page; "" if there is none
}

func (p *listPage) first() string {
	if len(p.objects) == 0 {
		return ""
	}
	return p.objects[0].key
}

// add adds a file. Stores have no files without a name.
func (p *listPage) add(o object) error {
	switch {
	case o.size < 0:
		return wrong("the server lists a file of %d bytes", o.size)
	case len(p.objects) == mostOfPage:
		return bounded.Over("", mostOfPage, 0, "the server lists more than %d files at once", mostOfPage)
	case len(o.etag) > longestETag:
		o.etag = ""
	}
	if o.key != "" {
		p.objects = append(p.objects, o)
	}
	return nil
}

// parseList parses a page of a list.
func parseList(s store, r io.Reader) (p listPage, err error) {
	switch s {
	case gcs:
		err = p.parseGoogle(r)
	case azure:
		err = p.parseAzure(r)
	default:
		err = p.parseS3(r)
	}
	if err != nil {
		return listPage{}, err
	}
	return p, nil
}

func (p *listPage) parseS3(r io.Reader) error {
	var o object
	truncated := false
	err := parseXML(r, "ListBucketResult", mostPage, func(path string, text []byte) (err error) {
		switch path {
		case "IsTruncated":
			truncated = isTrue(text)
		case "NextContinuationToken":
			p.next = string(text)
		case "Contents/Key":
			o.key = string(text)
		case "Contents/Size":
			o.size, err = parseListed(text)
		case "Contents/ETag":
			o.etag = string(text)
		case "Contents/LastModified":
			o.modified = timeOfText(time.RFC3339, text)
		case "Contents":
			err, o = p.add(o), object{}
		}
		return err
	})
	if !truncated {
		p.next = ""
	}
	return err
}

func (p *listPage) parseAzure(r io.Reader) error {
	var o object
	return parseXML(r, "EnumerationResults", mostPage, func(path string, text []byte) (err error) {
		switch path {
		case "NextMarker":
			p.next = string(text)
		case "Blobs/Blob/Name":
			o.key = string(text)
		case "Blobs/Blob/Properties/Content-Length":
			o.size, err = parseListed(text)
		case "Blobs/Blob/Properties/Etag":
			o.etag = string(text)
		case "Blobs/Blob/Properties/Last-Modified":
			o.modified = timeOfText(http.TimeFormat, text)
		case "Blobs/Blob":
			err, o = p.add(o), object{}
		}
		return err
	})
}

func (p *listPage) parseGoogle(r io.Reader) error {
	data, err := readAtMost(r, mostPage)
	if err != nil {
		return err
	}
	j := newJSON(data)
	var o object
	var size, updated string
	file := map[string]func() error{"name": j.text(&o.key), "size": j.text(&size), "etag": j.text(&o.etag), "updated": j.text(&updated)}
	item := func() error {
		o, size, updated = object{}, "", ""
		err := j.object(file)
		if err == nil {
			o.modified = timeOfText(time.RFC3339, []byte(updated))
			o.size, err = parseListed([]byte(size))
			o.etag = strings.Clone(o.etag) // callers keep it, and not the page
		}
		if err == nil {
			err = p.add(o)
		}
		return err
	}
	return j.result(j.object(map[string]func() error{
		"nextPageToken": j.text(&p.next),
		"items":         func() error { return j.list(item) },
	}))
}

// parseListed parses the size of a file.
func parseListed(text []byte) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, wrong("the server lists a file with the size %s", printable(string(text)))
	}
	return n, nil
}

func isTrue(text []byte) bool { return strings.TrimSpace(string(text)) == "true" }

// timeOfText returns the zero time for a text that is not a time.
func timeOfText(layout string, text []byte) time.Time {
	t, _ := time.Parse(layout, strings.TrimSpace(string(text)))
	return t
}
