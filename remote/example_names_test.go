package remote_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/remote"
)

// A program that takes paths and URLs asks which it has.
func ExampleIsURL() {
	for _, name := range []string{"s3://bucket/a.npy", "https://example.com/a.npy", "data/a.npy", `C:\a.npy`} {
		fmt.Println(name, remote.IsURL(name))
	}
	// Output:
	// s3://bucket/a.npy true
	// https://example.com/a.npy true
	// data/a.npy false
	// C:\a.npy false
}

// A URL with a password and a signature is fit for a log.
func ExampleRedact() {
	fmt.Println(remote.Redact("https://ada:engine@example.com/a.npy?X-Amz-Signature=0123"))
	// Output: https://example.com/a.npy
}

// Another process joins an upload by its token, and writes a part of the rows.
func ExampleJoin() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	path := filepath.Join(dir, "a.npy") // or s3://bucket/a.npy
	u, err := remote.Begin(ctx, path, format.Header{DType: dtype.Uint8, Shape: []int{4}}, remote.Options{PartSize: 4})
	if err != nil {
		log.Fatal(err)
	}

	other, err := remote.Join(ctx, u.Token(), remote.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := other.WritePart(ctx, 0, bytes.NewReader([]byte{1, 2, 3, 4})); err != nil {
		log.Fatal(err)
	}
	if err := other.Commit(ctx); err != nil {
		log.Fatal(err)
	}
	a, err := npy.ReadFile(path)
	fmt.Println(a, err)
	// Output: [1 2 3 4] <nil>
}

// Parts of uploads that nobody ends are stored, and paid for. This ends those of a folder.
func ExampleUploads() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		fmt.Fprint(w, `<ListMultipartUploadsResult><Upload><Key>runs/a.npy</Key><UploadId>1</UploadId><Initiated>2026-01-02T03:04:05Z</Initiated></Upload></ListMultipartUploadsResult>`)
	}))
	defer server.Close()

	ctx := context.Background()
	for u, err := range remote.Uploads(ctx, "s3://bucket/runs/", remote.Options{Endpoint: server.URL, Anonymous: true}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(u.URL, "begun in", u.Begun.Year(), u.Abort(ctx))
	}
	// Output: s3://bucket/runs/a.npy begun in 2026 <nil>
}
