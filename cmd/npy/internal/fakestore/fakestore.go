// Package fakestore has servers for tests: of the files of a folder, with ranges and queries, and of a store that speaks
// the part of the S3 protocol that package remote uses. Its buckets are folders.
package fakestore

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Files serves the files of a folder. A file below /signed/ needs the query sig=secret:1, one below /whole/ is served
// without ranges, and one below /moved/ is a redirect to the URL in the query.
func Files(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if rest, ok := strings.CutPrefix(path, "/signed/"); ok {
			if path = rest; r.URL.Query().Get("sig") != "secret:1" {
				http.Error(w, "wrong signature", http.StatusForbidden)
				return
			}
		}
		if rest, ok := strings.CutPrefix(path, "/whole/"); ok {
			path = rest
			r.Header.Del("Range")
		}
		if strings.HasPrefix(path, "/moved/") {
			http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
			return
		}
		serve(w, r, filepath.Join(dir, filepath.FromSlash(path)))
	})
}

// serve answers with a file, or a range of it.
func serve(w http.ResponseWriter, r *http.Request, path string) {
	f, err := os.Open(path)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	http.ServeContent(w, r, "", time.Time{}, f)
}

// A Store is a server of S3.
type Store struct {
	Dir string // has the buckets

	mu      sync.Mutex
	uploads map[string]map[int][]byte // by the keys of uploads: the path and the id
	last    int
}

// ServeHTTP implements http.Handler.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	path := filepath.Join(s.Dir, filepath.FromSlash(r.URL.Path))
	body, _ := io.ReadAll(r.Body)
	if r.Header.Get("Authorization") == "" {
		refuse(w, http.StatusForbidden, "AccessDenied")
		return
	}
	switch {
	case q.Has("uploads") && r.Method == http.MethodGet:
		s.listUploads(w, r)
	case q.Has("uploads"):
		s.begin(w, r)
	case q.Has("uploadId"):
		s.upload(w, r, path, body)
	case q.Has("list-type"):
		s.list(w, r)
	case r.Method == http.MethodPut:
		put(w, r, path, body)
	case r.Method == http.MethodDelete:
		_ = os.Remove(path)
		w.WriteHeader(http.StatusNoContent)
	default:
		if _, err := os.Stat(path); err != nil {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		serve(w, r, path)
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>refused</Message></Error>", code)
}

func put(w http.ResponseWriter, r *http.Request, path string, data []byte) {
	if _, err := os.Stat(path); err == nil && r.Header.Get("If-None-Match") == "*" {
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		refuse(w, http.StatusInternalServerError, "Broken")
		return
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		refuse(w, http.StatusInternalServerError, "Broken")
	}
}

func (s *Store) begin(w http.ResponseWriter, r *http.Request) {
	if s.uploads == nil {
		s.uploads = map[string]map[int][]byte{}
	}
	s.last++
	id := strconv.Itoa(s.last)
	s.uploads[r.URL.Path+"?"+id] = map[int][]byte{}
	fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
}

// upload writes, lists, completes and aborts the parts of an upload.
func (s *Store) upload(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	q := r.URL.Query()
	key := r.URL.Path + "?" + q.Get("uploadId")
	parts, ok := s.uploads[key]
	if !ok {
		refuse(w, http.StatusNotFound, "NoSuchUpload")
		return
	}
	switch r.Method {
	case http.MethodPut:
		n, _ := strconv.Atoi(q.Get("partNumber"))
		parts[n] = body
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
	case http.MethodGet:
		io.WriteString(w, "<ListPartsResult>")
		for _, n := range sorted(parts) {
			fmt.Fprintf(w, `<Part><PartNumber>%d</PartNumber><ETag>"%d"</ETag><Size>%d</Size></Part>`, n, n, len(parts[n]))
		}
		io.WriteString(w, "</ListPartsResult>")
	case http.MethodPost:
		var all [][]byte
		for _, n := range sorted(parts) {
			all = append(all, parts[n])
		}
		put(w, r, path, bytes.Join(all, nil))
		delete(s.uploads, key)
	case http.MethodDelete:
		delete(s.uploads, key)
		w.WriteHeader(http.StatusNoContent)
	}
}

func sorted(parts map[int][]byte) []int {
	var numbers []int
	for n := range parts {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

// list lists the files of a bucket.
func (s *Store) list(w http.ResponseWriter, r *http.Request) {
	bucket := filepath.Join(s.Dir, strings.Trim(r.URL.Path, "/"))
	prefix := r.URL.Query().Get("prefix")
	io.WriteString(w, "<ListBucketResult>")
	_ = filepath.WalkDir(bucket, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		key, _ := filepath.Rel(bucket, path)
		key = filepath.ToSlash(key)
		info, err := d.Info()
		if err == nil && strings.HasPrefix(key, prefix) {
			fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size><LastModified>%s</LastModified></Contents>", escaped(key), info.Size(), info.ModTime().UTC().Format(time.RFC3339))
		}
		return nil
	})
	io.WriteString(w, "</ListBucketResult>")
}

// listUploads lists the unfinished uploads of a bucket.
func (s *Store) listUploads(w http.ResponseWriter, r *http.Request) {
	bucket := "/" + strings.Trim(r.URL.Path, "/") + "/"
	prefix := r.URL.Query().Get("prefix")
	var keys []string
	for key := range s.uploads {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	io.WriteString(w, "<ListMultipartUploadsResult>")
	for _, key := range keys {
		path, id, _ := strings.Cut(key, "?")
		if name, ok := strings.CutPrefix(path, bucket); ok && strings.HasPrefix(name, prefix) {
			fmt.Fprintf(w, "<Upload><Key>%s</Key><UploadId>%s</UploadId><Initiated>2026-01-02T03:04:05Z</Initiated></Upload>", escaped(name), id)
		}
	}
	io.WriteString(w, "</ListMultipartUploadsResult>")
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
