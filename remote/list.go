package remote

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

// An Entry is a file of a store.
type Entry struct {
	URL      string // for Open
	Size     int64  // in bytes
	ETag     string
	Modified time.Time
	key      string
}

// List returns the files of an s3, gs or az URL with a pattern, in the order of the store: *, ? and [a-z] match as in path.Match,
// within a part of the name between slashes, and ** as such a part matches any number of parts. A URL without a pattern that
// ends in a slash lists all files below it. Other servers have no lists: the error wraps errors.ErrUnsupported.
//
// The loop ends after the first error.
func List(ctx context.Context, pattern string, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		c, err := newClient(pattern, o)
		if err == nil && (c.loc.store == web || c.loc.local()) {
			err = fmt.Errorf("remote: only s3, gs and az URLs can be listed: %w", errors.ErrUnsupported)
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
		err = c.list(ctx, literalPrefix(glob), func(e Entry) bool {
			if !matches(strings.Split(glob, "/"), strings.Split(e.key, "/")) {
				return true
			}
			e.URL = base + e.key
			return yield(e, nil)
		})
		if err != nil {
			yield(Entry{}, c.failed("list", err))
		}
	}
}

// literalPrefix returns what all names begin with that a pattern matches.
func literalPrefix(glob string) string {
	if i := strings.IndexAny(glob, `*?[\`); i >= 0 {
		return glob[:i]
	}
	return glob
}

func checkPattern(glob string) error {
	for part := range strings.SplitSeq(glob, "/") {
		if _, err := path.Match(part, ""); err != nil {
			return fmt.Errorf("remote: pattern %q: %w", part, err)
		}
	}
	if strings.Count(glob, "**") > 8 {
		return errors.New("remote: more than 8 ** in a pattern")
	}
	return nil
}

// matches reports whether the parts of a name match those of a pattern. Each ** is tried with every number of parts, from the
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

// mostPages limits the pages of one list.
const mostPages = 100_000

// list calls yield with the files whose names begin with a prefix, until it returns false.
func (c *client) list(ctx context.Context, prefix string, yield func(Entry) bool) error {
	return c.listMore(ctx, prefix, nil, yield)
}

// listMore is list with more names and values in the query.
func (c *client) listMore(ctx context.Context, prefix string, more []string, yield func(Entry) bool) error {
	marker := ""
	for range mostPages {
		data, _, err := c.write(ctx, http.MethodGet, c.listURL(prefix, marker, more), nil, nil, false)
		if err != nil {
			return err
		}
		entries, next, err := parseList(c.loc.store, data)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Size < 0 {
				return wrong("the server lists a file of %d bytes", e.Size)
			}
			if strings.HasPrefix(e.key, prefix) && !yield(e) {
				return nil
			}
		}
		if next == "" {
			return nil
		}
		if next == marker {
			break
		}
		marker = next
	}
	return wrong("the server lists files without end")
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

// parseList parses a page of a list. next begins the next page, "" if there is none.
func parseList(s store, data []byte) (entries []Entry, next string, err error) {
	switch s {
	case gcs:
		return parseListJSON(data)
	case azure:
		var x struct {
			XMLName xml.Name `xml:"EnumerationResults"`
			Next    string   `xml:"NextMarker"`
			Blob    []struct {
				Name       string
				Properties struct {
					Size     int64  `xml:"Content-Length"`
					ETag     string `xml:"Etag"`
					Modified string `xml:"Last-Modified"`
				}
			} `xml:"Blobs>Blob"`
		}
		if xml.Unmarshal(trimBOM(data), &x) != nil {
			return nil, "", wrong("the server lists files in XML that is invalid")
		}
		for _, b := range x.Blob {
			modified, _ := http.ParseTime(b.Properties.Modified) // zero if it is not known
			entries = append(entries, Entry{Size: b.Properties.Size, ETag: b.Properties.ETag, Modified: modified, key: b.Name})
		}
		return entries, x.Next, nil
	}
	var x struct {
		XMLName   xml.Name `xml:"ListBucketResult"`
		Truncated bool     `xml:"IsTruncated"`
		Next      string   `xml:"NextContinuationToken"`
		Contents  []struct {
			Key          string
			Size         int64
			ETag         string
			LastModified time.Time
		}
	}
	if xml.Unmarshal(data, &x) != nil {
		return nil, "", wrong("the server lists files in XML that is invalid")
	}
	for _, f := range x.Contents {
		entries = append(entries, Entry{Size: f.Size, ETag: f.ETag, Modified: f.LastModified, key: f.Key})
	}
	if !x.Truncated {
		x.Next = ""
	}
	return entries, x.Next, nil
}

func parseListJSON(data []byte) (entries []Entry, next string, err error) {
	var x struct {
		Items []struct {
			Name, Size, ETag string
			Updated          time.Time
		} `json:"items"`
		Next string `json:"nextPageToken"`
	}
	if json.Unmarshal(data, &x) != nil {
		return nil, "", wrong("the server lists files in JSON that is invalid")
	}
	for _, f := range x.Items {
		size, err := strconv.ParseInt(f.Size, 10, 64)
		if err != nil {
			return nil, "", wrong("the server lists a file with the size %s", printable(f.Size))
		}
		entries = append(entries, Entry{Size: size, ETag: f.ETag, Modified: f.Updated, key: f.Name})
	}
	return entries, x.Next, nil
}
