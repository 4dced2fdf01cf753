package remote_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/remote"
)

// A server with an array of a million rows.
func exampleServer() *httptest.Server {
	data := make([]int32, 4_000_000)
	for i := range data {
		data[i] = int32(i)
	}
	var file bytes.Buffer
	if err := npy.SaveTo(&file, data, 1_000_000, 4); err != nil {
		log.Fatal(err)
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "big.npy", time.Time{}, bytes.NewReader(file.Bytes()))
	}))
}

func ExampleOpen() {
	server := exampleServer()
	defer server.Close()

	f, err := remote.Open(context.Background(), server.URL+"/big.npy", remote.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	a, err := npy.Decoder{ReadOptions: f.ReadOptions()}.OpenReaderAt(f, f.Size())
	if err != nil {
		log.Fatal(err)
	}
	row, err := a.Slice(npy.At(500_000))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Size(), a.Shape())
	fmt.Println(row)
	fmt.Println(f.Stats().Requests, "requests")
	// Output:
	// 16000128 [1000000 4]
	// [2000000 2000001 2000002 2000003]
	// 2 requests
}

func ExampleCreate() {
	var stored []byte // a server of S3 that keeps one object
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stored, _ = io.ReadAll(r.Body)
		fmt.Println(r.Method, r.URL.Path)
	}))
	defer server.Close()

	w, err := remote.Create(context.Background(), "s3://bucket/rows.npy", remote.Options{Endpoint: server.URL, Anonymous: true})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	rows, err := npy.NewRowWriter[float32](w, npy.UnknownRows, 3)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 4 {
		if err := rows.Write([]float32{float32(i), 0, 1}); err != nil {
			log.Fatal(err)
		}
	}
	if err := rows.Close(); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	a, err := npy.Read(bytes.NewReader(stored))
	fmt.Println(a.Shape(), err)
	// Output:
	// PUT /bucket/rows.npy
	// [4 3] <nil>
}

func ExampleBegin() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	path := filepath.Join(dir, "big.npy") // or s3://bucket/big.npy

	// One process begins, and gives the token to the others.
	header := format.Header{DType: dtype.Uint8, Shape: []int{6, 4}}
	u, err := remote.Begin(ctx, path, header, remote.Options{PartSize: 8})
	if err != nil {
		log.Fatal(err)
	}
	token := u.Token()

	// Each process joins, and writes some of the parts.
	worker, err := remote.Join(ctx, token, remote.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for n := range worker.Parts() {
		if n == 1 {
			continue // as if this process had been killed
		}
		part := worker.Part(n)
		if err := worker.WritePart(ctx, n, bytes.NewReader(bytes.Repeat([]byte{byte(n)}, int(part.Bytes.End-part.Bytes.Start)))); err != nil {
			log.Fatal(err)
		}
	}

	// Missing parts are written again.
	missing, err := u.Missing(ctx)
	fmt.Println(missing, err)
	part := u.Part(1)
	fmt.Println("rows", part.First, "to", part.End)
	if err := u.WritePart(ctx, 1, bytes.NewReader(bytes.Repeat([]byte{9}, int(part.Bytes.End-part.Bytes.Start)))); err != nil {
		log.Fatal(err)
	}
	if err := u.Commit(ctx); err != nil {
		log.Fatal(err)
	}
	a, err := npy.ReadFile(path)
	fmt.Println(a, err)
	// Output:
	// [1] <nil>
	// rows 2 to 4
	// [[0 0 0 0]
	//  [0 0 0 0]
	//  [9 9 9 9]
	//  [9 9 9 9]
	//  [2 2 2 2]
	//  [2 2 2 2]] <nil>
}

func ExampleList() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<ListBucketResult><Contents><Key>runs/1/loss.npy</Key><Size>928</Size></Contents>`+
			`<Contents><Key>runs/1/notes.txt</Key><Size>10</Size></Contents></ListBucketResult>`)
	}))
	defer server.Close()

	for e, err := range remote.List(context.Background(), "s3://bucket/runs/*/*.npy", remote.Options{Endpoint: server.URL, Anonymous: true}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.URL, e.Size)
	}
	// Output:
	// s3://bucket/runs/1/loss.npy 928
}
