package remote

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// s3Upload writes by multipart uploads.
type s3Upload struct{ c *client }

func (u s3Upload) begin(ctx context.Context) (string, error) {
	data, _, err := u.c.write(ctx, http.MethodPost, query(u.c.loc.url, "uploads", ""), nil, []byte{}, false)
	if err != nil {
		return "", err
	}
	var x struct {
		UploadID string `xml:"UploadId"`
	}
	if xml.Unmarshal(data, &x) != nil || x.UploadID == "" {
		return "", wrong("the server begins an upload without an id")
	}
	return x.UploadID, nil
}

func (u s3Upload) part(ctx context.Context, id string, number int, _ int64, data []byte) error {
	_, _, err := u.c.write(ctx, http.MethodPut, query(u.c.loc.url, "partNumber", strconv.Itoa(number), "uploadId", id), nil, data, false)
	return err
}

// s3Part is a part in the XML of S3, both ways.
type s3Part struct {
	PartNumber int
	ETag       string
	Size       int64 `xml:",omitempty"`
}

// list returns the parts of an upload.
func (u s3Upload) list(ctx context.Context, id string) ([]s3Part, error) {
	var all []s3Part
	marker := ""
	for {
		pairs := []string{"max-parts", "1000"}
		if marker != "" {
			pairs = append(pairs, "part-number-marker", marker)
		}
		data, _, err := u.c.write(ctx, http.MethodGet, query(u.c.loc.url, append(pairs, "uploadId", id)...), nil, nil, false)
		if err != nil {
			return nil, err
		}
		page, next, err := parseParts(data)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if next == "" {
			return all, nil
		}
		if next == marker || len(page) == 0 || len(all) > mostParts {
			return nil, wrong("the server lists parts without end")
		}
		marker = next
	}
}

// parseParts parses a page of parts. next begins the next page, "" if there is none.
func parseParts(data []byte) (parts []s3Part, next string, err error) {
	var x struct {
		XMLName   xml.Name `xml:"ListPartsResult"`
		Truncated bool     `xml:"IsTruncated"`
		Next      string   `xml:"NextPartNumberMarker"`
		Part      []s3Part
	}
	if xml.Unmarshal(data, &x) != nil {
		return nil, "", wrong("the server lists parts in XML that is invalid")
	}
	if !x.Truncated {
		x.Next = ""
	}
	return x.Part, x.Next, nil
}

func (u s3Upload) parts(ctx context.Context, id string) (map[int]int64, error) {
	list, err := u.list(ctx, id)
	if err != nil {
		return nil, err
	}
	sizes := map[int]int64{}
	for _, p := range list {
		sizes[p.PartNumber] = p.Size
	}
	return sizes, nil
}

func (u s3Upload) commit(ctx context.Context, id string, n int) error {
	list, err := u.list(ctx, id)
	if err != nil {
		return err
	}
	x := struct {
		XMLName xml.Name `xml:"CompleteMultipartUpload"`
		Part    []s3Part
	}{}
	var size int64
	for _, p := range list {
		if p.PartNumber <= n {
			size += p.Size
			x.Part = append(x.Part, s3Part{PartNumber: p.PartNumber, ETag: p.ETag})
		}
	}
	if len(x.Part) != n {
		return wrong("%d of %d parts are stored", len(x.Part), n)
	}
	body, err := xml.Marshal(x)
	if err != nil {
		return err
	}
	before := u.c.count.retries.Load()
	_, _, err = u.c.write(ctx, http.MethodPost, query(u.c.loc.url, "uploadId", id), u.c.ifAbsent(), body, true)
	var f *failure
	gone := errors.As(err, &f) && f.code == "NoSuchUpload" || errors.Is(err, fs.ErrExist)
	if gone && u.c.count.retries.Load() > before && u.isDone(ctx, size, x.Part) {
		return nil // the first request did it, and its answer was lost
	}
	return err
}

// isDone reports whether the file is that of the parts: its ETag is the MD5 of theirs, which are those of their bytes.
func (u s3Upload) isDone(ctx context.Context, size int64, parts []s3Part) bool {
	all := md5.New()
	for _, p := range parts {
		sum, err := hex.DecodeString(strings.Trim(p.ETag, `"`))
		if err != nil {
			return false
		}
		all.Write(sum)
	}
	f, err := openClient(ctx, u.c)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Size() == size && strings.Trim(f.ETag(), `"`) == fmt.Sprintf("%x-%d", all.Sum(nil), len(parts))
}

func (u s3Upload) abort(ctx context.Context, id string) error {
	_, _, err := u.c.write(ctx, http.MethodDelete, query(u.c.loc.url, "uploadId", id), nil, nil, false)
	var f *failure
	if errors.As(err, &f) && f.code == "NoSuchUpload" {
		return nil // it has ended; perhaps by this request, whose answer was lost
	}
	return err
}

func (u s3Upload) put(ctx context.Context, data []byte) error {
	_, _, err := u.c.write(ctx, http.MethodPut, u.c.loc.url, u.c.ifAbsent(), data, false)
	return err
}
