package remote

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"strings"
	"time"
)

// An Unfinished is an upload that was begun and neither completed nor aborted. A store keeps its parts, and takes money for
// them. It may still be written.
type Unfinished struct {
	URL   string    // of the file that it is to become
	ID    string    // of the upload, as the store names it; "" on Azure for blocks of several uploads, or of other programs
	Begun time.Time // the zero time if the store does not say

	o Options
}

// Uploads returns the unfinished uploads of the files whose URLs begin with prefix, such as s3://bucket/ or gs://bucket/folder/,
// in the order of the store. On S3 they are those of all programs, on Google Cloud Storage those of [Begin] and [Create]. On Azure
// each file with blocks that are not committed is one, and finding them takes a request for every file below the prefix. Azure
// removes such blocks after a week.
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
	key, id := "", ""
	for range mostPages {
		pairs := []string{"prefix", c.loc.key, "uploads", ""}
		if key != "" {
			pairs = []string{"key-marker", key, "prefix", c.loc.key, "upload-id-marker", id, "uploads", ""}
		}
		data, _, err := c.write(ctx, http.MethodGet, query(c.loc.object(""), pairs...), nil, nil, false)
		if err != nil {
			return err
		}
		page, err := parseUploads(data)
		if err != nil {
			return err
		}
		for _, u := range page.Upload {
			if strings.HasPrefix(u.Key, c.loc.key) && u.Key != "" && !yield(u.Key, u.UploadID, u.Initiated) {
				return nil
			}
		}
		if !page.Truncated {
			return nil
		}
		if page.Key == key && page.ID == id || page.Key == "" {
			break
		}
		key, id = page.Key, page.ID
	}
	return wrong("the server lists uploads without end")
}

// uploadPage is a page of uploads of S3.
type uploadPage struct {
	XMLName   xml.Name `xml:"ListMultipartUploadsResult"`
	Truncated bool     `xml:"IsTruncated"`
	Key       string   `xml:"NextKeyMarker"`
	ID        string   `xml:"NextUploadIdMarker"`
	Upload    []struct {
		Key       string
		UploadID  string `xml:"UploadId"`
		Initiated time.Time
	}
}

func parseUploads(data []byte) (p uploadPage, err error) {
	if xml.Unmarshal(data, &p) != nil {
		return p, wrong("the server lists uploads in XML that is invalid")
	}
	return p, nil
}

// gcsUploads calls yield with the uploads that have an object which says so, until it returns false.
func (c *client) gcsUploads(ctx context.Context, yield func(key, id string, begun time.Time) bool) error {
	return c.list(ctx, c.loc.key, func(e Entry) bool {
		name, ok := strings.CutSuffix(e.key, "/"+beginning)
		i := strings.LastIndex(name, ".upload-")
		if !ok || i < 0 || !validID(name[i+len(".upload-"):]) {
			return true
		}
		return yield(name[:i], name[i+len(".upload-"):], e.Modified)
	})
}
