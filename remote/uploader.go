package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// An uploader makes a file of a store out of parts. Parts have numbers from 1, and may be written in any order, by any
// process, and again.
type uploader interface {
	begin(ctx context.Context) (id string, err error)
	part(ctx context.Context, id string, number int, off int64, data []byte) error
	parts(ctx context.Context, id string) (map[int]int64, error) // the size of each part that is stored
	commit(ctx context.Context, id string, n int) error          // the parts 1 to n become the file
	abort(ctx context.Context, id string) error
	put(ctx context.Context, data []byte) error // the whole file at once
}

const (
	minPart   = 5 << 20 // of S3, for all parts but the last
	basePart  = 8 << 20
	mostParts = 10000   // of S3
	mostBody  = 1 << 20 // of the answer to a request that writes
)

// uploader returns the uploader for the location of c.
func (c *client) uploader() (uploader, error) {
	switch c.loc.store {
	case s3:
		return s3Upload{c}, nil
	case gcs:
		return gcsUpload{c}, nil
	case azure:
		return azureUpload{c}, nil
	case disk:
		return diskUpload{c.loc.path, c.o.IfAbsent}, nil
	}
	return nil, fmt.Errorf("files are written to s3, gs and az URLs, and not to other servers: %w", errors.ErrUnsupported)
}

// write sends a request that writes and returns the body of its answer.
func (c *client) write(ctx context.Context, method string, u *url.URL, h http.Header, body []byte, long bool) (string, http.Header, error) {
	r := request{method: method, url: u, header: h, body: body, long: long}
	if r.header == nil {
		r.header = http.Header{}
	}
	if body != nil {
		sum := sha256.Sum256(body)
		r.sum = hex.EncodeToString(sum[:])
	}
	var data string
	var header http.Header
	err := c.ask(ctx, r, func(a *answer) (err error) {
		header = a.Header
		if data, err = readAtMost(a.body, mostBody); err != nil {
			return err
		}
		return statedFailure(data)
	})
	return data, header, existsError(err)
}

// statedFailure returns the error that an answer under the status 200 states, if it does: S3 may answer before it fails.
func statedFailure(data string) error {
	var f *failure
	if err := parseXML(strings.NewReader(data), "", mostBody, nil); errors.As(err, &f) && f.retry {
		return f
	}
	return nil
}

// ask sends a request, with repetitions, and gives its answer to use, which is called again if it fails for a while.
func (c *client) ask(ctx context.Context, r request, use func(a *answer) error) error {
	return c.retry(ctx, func(ctx context.Context) error {
		a, err := c.attempt(ctx, r)
		if err != nil {
			return err
		}
		defer a.Close()
		return use(a)
	})
}

// existsError returns the error of a conditional creation whose file exists.
func existsError(err error) error {
	var f *failure
	if errors.As(err, &f) && (f.status == http.StatusPreconditionFailed || f.code == "BlobAlreadyExists") {
		f.err = fmt.Errorf("the file exists: %w (%w)", fs.ErrExist, f.err)
	}
	return err
}

// query returns u with a query of names and values, escaped as signatures require.
func query(u *url.URL, pairs ...string) *url.URL {
	q := *u
	q.RawQuery = ""
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			q.RawQuery += "&"
		}
		q.RawQuery += pairs[i] + "=" + escapePath(pairs[i+1], "")
	}
	return &q
}

// ifAbsent returns the header of a conditional creation.
func (c *client) ifAbsent() http.Header {
	h := http.Header{}
	if c.o.IfAbsent {
		h.Set("If-None-Match", "*")
	}
	return h
}

// newID returns a name for an upload that no other has. It begins with the time in seconds, because Azure does not say when
// a block was written.
func newID() string {
	b := binary.BigEndian.AppendUint32(nil, uint32(time.Now().Unix()))
	b = append(b, make([]byte, 8)...)
	_, _ = rand.Read(b[4:]) // it never fails
	return hex.EncodeToString(b)
}

// timeOf returns the time at which an id was made, or the zero time if that is not in the month before now.
func timeOf(id string, now time.Time) time.Time {
	b, err := hex.DecodeString(id)
	if err != nil || len(b) < 4 {
		return time.Time{}
	}
	made := time.Unix(int64(binary.BigEndian.Uint32(b)), 0)
	if age := now.Sub(made); age < -time.Hour || age > 31*24*time.Hour {
		return time.Time{}
	}
	return made
}

// validID reports whether the id in a token is one of newID.
func validID(id string) bool {
	b, err := hex.DecodeString(id)
	return err == nil && len(b) == 12
}
