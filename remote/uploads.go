package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"strings"
	"time"

	"github.com/npygo/npy/internal/bounded"
)

// An Unfinished is an upload that was begun and neither completed nor aborted. A store keeps its parts, and takes money for
// them. It may still be written.
type Unfinished struct {
	URL   string    // of the file that it is to become
	ID    string    // of the upload, as the store names it; "" on Azure for blocks of several uploads, or of other programs
	Begun time.Time // the zero time if the store does not say

	o Options
}

// Uploads returns the unfinished uploads of the files whose URLs begin with prefix, such as s3://bucket/ or
// gs://bucket/folder/, in the order of the store. On S3 it lists uploads of all programs, on Google Cloud Storage
// uploads of [Begin] and [Create]. On Azure each file with blocks that are not committed is one, and finding them takes
// a request for every file below the prefix. Azure removes such blocks after a week.
//
// The loop ends after the first error.
func Uploads(ctx context.Context, prefix string, o Options) iter.Seq2[Unfinished, error] {
	return func(yield func(Unfinished, error) bool) {
		c, err := newClient(prefix, o)
		if err != nil {
			yield(Unfinished{}, err)
			return
		}
		base := strings.TrimSuffix(c.loc.String(), c.loc.key)
		each := func(key, id string, begun time.Time) bool { return yield(Unfinished{base + key, id, begun, o}, nil) }
		switch c.loc.store {
		case s3:
			err = c.s3Uploads(ctx, each)
		case gcs:
			err = c.gcsUploads(ctx, each)
		case azure:
			err = azureUpload{c}.uploads(ctx, each)
		default:
			err = fmt.Errorf("only s3, gs and az URLs have lists of uploads: %w", errors.ErrUnsupported)
		}
		if err != nil {
			yield(Unfinished{}, c.failed("list", err))
		}
	}
}

// Abort gives up the upload, and removes its parts. Who still writes it gets an error. On Azure it removes all blocks of the file
// that are not committed; if the file exists, the error wraps fs.ErrExist, because they cannot be removed without it.
func (u Unfinished) Abort(ctx context.Context) error {
	c, err := newClient(u.URL, u.o)
	if err != nil {
		return err
	}
	up, err := c.uploader()
	if azure, ok := up.(azureUpload); ok {
		var f *failure
		if err = azure.drop(ctx); errors.Is(err, fs.ErrExist) && errors.As(err, &f) {
			f.err = fmt.Errorf("%w; its blocks that are not committed are removed when it is written again, or after a week", f.err)
		}
	} else if err == nil {
		err = up.abort(ctx, u.ID)
	}
	if err != nil {
		return c.failed("abort", err)
	}
	return nil
}

// s3Uploads calls yield with the uploads of a bucket, until it returns false.
func (c *client) s3Uploads(ctx context.Context, yield func(key, id string, begun time.Time) bool) error {
	p := c.pager("uploads")
	for key, id := "", ""; ; {
		pairs := []string{"prefix", c.loc.key, "uploads", ""}
		if key != "" {
			pairs = []string{"key-marker", key, "prefix", c.loc.key, "upload-id-marker", id, "uploads", ""}
		}
		var page uploadPage
		err := p.read(ctx, query(c.loc.object(""), pairs...), func(r io.Reader) (err error) {
			page, err = parseUploads(r)
			return err
		})
		if err != nil {
			return err
		}
		for _, u := range page.uploads {
			if err := p.count(); err != nil {
				return err
			}
			if strings.HasPrefix(u.key, c.loc.key) && u.key != "" && !yield(u.key, u.id, u.begun) {
				return nil
			}
		}
		if !page.truncated {
			return nil
		}
		if err := p.turn(page.key == key && page.id == id || page.key == "", len(page.uploads), page.first()); err != nil {
			return err
		}
		key, id = page.key, page.id
	}
}

// An uploadPage is a page of uploads of S3.
type uploadPage struct {
	truncated bool
	key, id   string // begin the next page
	uploads   []s3Unfinished
}

// An s3Unfinished is an upload of S3.
type s3Unfinished struct {
	key, id string
	begun   time.Time
}

func (p *uploadPage) first() string {
	if len(p.uploads) == 0 {
		return ""
	}
	return p.uploads[0].id
}

func parseUploads(r io.Reader) (uploadPage, error) {
	var p uploadPage
	var u s3Unfinished
	err := parseXML(r, "ListMultipartUploadsResult", mostPage, func(path string, text []byte) error {
		switch path {
		case "IsTruncated":
			p.truncated = isTrue(text)
		case "NextKeyMarker":
			p.key = string(text)
		case "NextUploadIdMarker":
			p.id = string(text)
		case "Upload/Key":
			u.key = string(text)
		case "Upload/UploadId":
			u.id = string(text)
		case "Upload/Initiated":
			u.begun = timeOfText(time.RFC3339, text)
		case "Upload":
			if len(p.uploads) == mostOfPage {
				return bounded.Over("", mostOfPage, 0, "the server lists more than %d uploads at once", mostOfPage)
			}
			p.uploads, u = append(p.uploads, u), s3Unfinished{}
		}
		return nil
	})
	if err != nil {
		return uploadPage{}, err
	}
	return p, nil
}

// gcsUploads calls yield with the uploads that have an object which says so, until it returns false.
func (c *client) gcsUploads(ctx context.Context, yield func(key, id string, begun time.Time) bool) error {
	return c.list(ctx, c.loc.key, func(o object) bool {
		name, ok := strings.CutSuffix(o.key, "/"+beginning)
		i := strings.LastIndex(name, ".upload-")
		if !ok || i < 0 || !validID(name[i+len(".upload-"):]) {
			return true
		}
		return yield(name[:i], name[i+len(".upload-"):], o.modified)
	})
}
