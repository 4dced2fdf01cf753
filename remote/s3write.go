package remote

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/bounded"
)

// s3Upload writes by multipart uploads.
type s3Upload struct{ c *client }

func (u s3Upload) begin(ctx context.Context) (string, error) {
	data, _, err := u.c.write(ctx, http.MethodPost, query(u.c.loc.url, "uploads", ""), nil, []byte{}, false)
	if err != nil {
		return "", err
	}
	id := ""
	err = parseXML(strings.NewReader(data), "InitiateMultipartUploadResult", mostBody, func(path string, text []byte) error {
		if path == "UploadId" {
			id = string(text)
		}
		return nil
	})
	if err == nil && id == "" {
		err = wrong("the server begins an upload without an id")
	}
	return id, err
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
	p := u.c.pager("parts")
	p.most = mostParts
	var all []s3Part
	for marker := ""; ; {
		pairs := []string{"max-parts", "1000"}
		if marker != "" {
			pairs = append(pairs, "part-number-marker", marker)
		}
		var page partPage
		err := p.read(ctx, query(u.c.loc.url, append(pairs, "uploadId", id)...), func(r io.Reader) (err error) {
			page, err = parseParts(r)
			return err
		})
		if err != nil {
			return nil, err
		}
		if all = append(all, page.parts...); page.next == "" {
			return all, nil
		}
		if page.next == marker || len(page.parts) == 0 || len(all) > mostParts {
			return nil, wrong("the server lists parts without end")
		}
		marker = page.next
	}
}

// A partPage is a page of the parts of an upload.
type partPage struct {
	parts []s3Part
	next  string // begins the next page; "" if there is none
}

func parseParts(r io.Reader) (partPage, error) {
	var p partPage
	var part s3Part
	truncated := false
	err := parseXML(r, "ListPartsResult", mostPage, func(path string, text []byte) (err error) {
		switch path {
		case "IsTruncated":
			truncated = isTrue(text)
		case "NextPartNumberMarker":
			p.next = string(text)
		case "Part/PartNumber":
			var n int64
			n, err = parseListed(text)
			part.PartNumber = int(n)
		case "Part/ETag":
			part.ETag = string(text)
		case "Part/Size":
			part.Size, err = parseListed(text)
		case "Part":
			if len(p.parts) == mostParts {
				return bounded.Over("", mostParts, 0, "the server lists more than %d parts", mostParts)
			}
			p.parts, part = append(p.parts, part), s3Part{}
		}
		return err
	})
	if err != nil {
		return partPage{}, err
	}
	if !truncated {
		p.next = ""
	}
	return p, nil
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

// isDone reports whether the object is made of these parts. Its ETag is then the MD5 of the parts' MD5 sums.
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
