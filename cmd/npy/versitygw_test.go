package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy/remote"
)

// startVersity starts a server of S3 with the bucket of a folder, and sets the environment for it.
func startVersity(t *testing.T) (bucket string) {
	if runtime.GOOS != "linux" {
		t.Skip("the server is started on Linux")
	}
	program := os.Getenv("NPY_VERSITYGW")
	if program == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("NPY_VERSITYGW is not set")
		}
		t.Skip("NPY_VERSITYGW is not set: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	data := t.TempDir()
	bucket = filepath.Join(data, "bucket")
	if err := os.Mkdir(bucket, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--access", "testkey", "--secret", "verysecret", "--port", address, "posix", "--sidecar", t.TempDir(), data)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Setenv("AWS_ACCESS_KEY_ID", "testkey")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "verysecret")
	t.Setenv("AWS_REGION", "us-east-1")
	for range 600 {
		if resp, err := http.Get("http://" + address + "/"); err == nil {
			resp.Body.Close()
			t.Setenv("AWS_ENDPOINT_URL", "http://"+address)
			return bucket
		}
		time.Sleep(50 * time.Millisecond) // the server does not say when it listens
	}
	t.Fatal("versitygw does not answer")
	return ""
}

// The command writes, lists, reads and copies files of a real store, and says why it cannot.
func TestVersity(t *testing.T) {
	bucket := startVersity(t)
	t.Chdir(t.TempDir())
	npy := func(want int, line string) string {
		t.Helper()
		var out, talk bytes.Buffer
		if code := run(strings.Fields(line), nil, &out, &talk); code != want {
			t.Fatalf("npy %s: exit code %d, %s", line, code, &talk)
		}
		if text := out.String() + talk.String(); strings.Contains(text, "verysecret") {
			t.Fatalf("npy %s prints a secret: %s", line, text)
		}
		return out.String() + talk.String()
	}
	npy(exitDone, "create --shape 2000,1000 --fill 5 a.npy")
	npy(exitDone, "convert a.npy s3://bucket/sub/a.npy")
	want, err := os.ReadFile("a.npy")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(bucket, "sub", "a.npy")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the store has %d bytes, %v, want the %d of the file", len(got), err, len(want))
	}
	npy(exitDone, "pack s3://bucket/m.npz w=a.npy v=s3://bucket/sub/a.npy[0]")
	npy(exitDone, "diff a.npy s3://bucket/m.npz:w")
	npy(exitDone, "cp s3://bucket/**/*.np? .") // sub/a.npy takes the place of a.npy
	npy(exitDone, "diff m.npz s3://bucket/m.npz")
	if text := npy(exitDone, "show --requests s3://bucket/sub/a.npy[1999,:2]"); !strings.Contains(text, "[5. 5.]") || !strings.Contains(text, "npy: 2 requests") {
		t.Errorf("show says %q", text)
	}
	if text := npy(exitNo, "convert --no-clobber a.npy s3://bucket/m.npz"); !strings.Contains(text, "the file exists") {
		t.Errorf("convert --no-clobber says %q", text)
	}
	if text := npy(exitNo, "info s3://bucket/none.npy"); !strings.Contains(text, "NoSuchKey") {
		t.Errorf("info says %q", text)
	}
	w, err := remote.Create(t.Context(), "s3://bucket/left.npy", remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if _, err := io.CopyN(w, endlessZeros{}, 30<<20); err != nil {
		t.Fatal(err)
	}
	if text := npy(exitDone, "uploads s3://bucket/le"); !strings.HasSuffix(text, "  s3://bucket/left.npy\n") {
		t.Errorf("uploads says %q", text)
	}
	left := ""
	for range 100 { // the last parts may still be on their way
		npy(exitDone, "uploads --abort s3://bucket/")
		if left = npy(exitDone, "uploads s3://bucket/"); left == "" {
			break
		}
		time.Sleep(50 * time.Millisecond) // the server does not say when a part has come
	}
	if left != "" {
		t.Errorf("uploads after --abort says %q", left)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "verysecretwrong")
	if text := npy(exitNo, "info s3://bucket/m.npz"); !strings.Contains(text, "SignatureDoesNotMatch") {
		t.Errorf("info with a wrong key says %q", text)
	}
}

// endlessZeros is an endless reader.
type endlessZeros struct{}

func (endlessZeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
