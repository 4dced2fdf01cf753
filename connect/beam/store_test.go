package npyio

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/npygo/npy/connect/beam/local"
	"github.com/npygo/npy/internal/cloudauth"
	"github.com/npygo/npy/remote"
)

// launch starts the server of a store, whose path an environment variable has, and returns its address.
func launch(t *testing.T, variable string, command func(path, host, port string) []string) string {
	t.Helper()
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("real servers, on Linux and not in short mode")
	}
	path := os.Getenv(variable)
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not set", variable)
		}
		t.Skipf("%s is not set", variable)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	host, port, _ := net.SplitHostPort(address)
	words := command(path, host, port)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 600 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond) // the server does not say when it listens
	}
	t.Fatalf("%s does not answer", path)
	return ""
}

// Files and single arrays in real stores are what the same jobs write on a disk. A job that failed leaves none.
func TestStores(t *testing.T) {
	t.Run("S3", func(t *testing.T) {
		data := t.TempDir()
		if err := os.Mkdir(data+"/bucket", 0o777); err != nil {
			t.Fatal(err)
		}
		address := launch(t, "NPY_VERSITYGW", func(path, host, port string) []string {
			return []string{path, "--access", "testkey", "--secret", "testsecret", "--port", host + ":" + port, "posix", "--sidecar", t.TempDir(), data}
		})
		for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "testsecret", "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": "http://" + address} {
			t.Setenv(name, value)
		}
		testStore(t, "s3://bucket/")
	})
	t.Run("GCS", func(t *testing.T) {
		address := launch(t, "NPY_FAKE_GCS", func(path, host, port string) []string {
			return []string{path, "-scheme", "http", "-host", host, "-port", port, "-backend", "memory", "-public-host", host + ":" + port}
		})
		t.Setenv("STORAGE_EMULATOR_HOST", address)
		t.Setenv("NO_GCE_CHECK", "true")
		resp, err := http.Post("http://"+address+"/storage/v1/b", "application/json", strings.NewReader(`{"name": "bucket"}`))
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", resp, err)
		}
		resp.Body.Close()
		testStore(t, "gs://bucket/")
	})
	t.Run("Azure", func(t *testing.T) {
		address := launch(t, "NPY_AZURITE", func(path, host, port string) []string {
			return []string{"node", filepath.Join(path, "dist", "src", "blob", "main.js"), "--blobHost", host, "--blobPort", port, "--location", t.TempDir(), "--disableTelemetry", "--silent"}
		})
		const account, key = "devstoreaccount1", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
		endpoint := "http://" + address + "/" + account
		t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "AccountName="+account+";AccountKey="+key+";BlobEndpoint="+endpoint)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, endpoint+"/bucket?restype=container", nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := base64.StdEncoding.DecodeString(key)
		if err != nil {
			t.Fatal(err)
		}
		cloudauth.SignSharedKey(req, account, raw)
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != http.StatusCreated {
			t.Fatalf("%v, %v", resp, err)
		}
		resp.Body.Close()
		testStore(t, "az://bucket/")
	})
}

func testStore(t *testing.T, bucket string) {
	pattern, all := saveSkewed(t, 500_000, 7, 100_000)
	d, err := Open(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	same := func(path string) {
		t.Helper()
		d, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		name := pattern + path
		run(t, func(s beam.Scope) {
			beam.ParDo0(s, collectNamed, Read(s, d), beam.SideInput{Input: beam.Create(s, name)})
		})
		if !bytes.Equal(elements(t, collected.blocks[name]), all) {
			t.Errorf("%s has other elements", path)
		}
	}

	// the last file is away while the job runs
	last := d.Parts[2].Path
	if err := os.Rename(last, last+".away"); err != nil {
		t.Fatal(err)
	}
	for path, build := range map[string]func(s beam.Scope) (beam.PCollection, error){
		bucket + "all/" + ManifestName: func(s beam.Scope) (beam.PCollection, error) { return Write(s, d, bucket+"all", Options{Shards: 5}) },
		bucket + "one.npy":             func(s beam.Scope) (beam.PCollection, error) { return WriteFile(s, d, bucket+"one.npy") },
	} {
		p, s := beam.NewPipelineWithRoot()
		if _, err := build(s); err != nil {
			t.Fatal(err)
		}
		if _, err := local.Run(t.Context(), p); err == nil {
			t.Errorf("no error for %s", path)
		}
		if _, err := Open(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a job that failed left %s: %v", path, err)
		}
	}
	if err := os.Rename(last+".away", last); err != nil {
		t.Fatal(err)
	}

	run(t, func(s beam.Scope) {
		if _, err := Write(s, d, bucket+"all/", Options{Shards: 5}); err != nil {
			t.Fatal(err)
		}
		if _, err := WriteFile(s, d, bucket+"one.npy"); err != nil {
			t.Fatal(err)
		}
	})
	same(bucket + "all/" + ManifestName)
	same(bucket + "all/")
	same(bucket + "all/part-*.npy")
	same(bucket + "one.npy")
	for u, err := range remote.Uploads(t.Context(), bucket, remote.Options{}) {
		if errors.Is(err, errors.ErrUnsupported) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Errorf("an upload of %s is left", u.URL)
	}
	p := beam.NewPipeline()
	if _, err := Write(p.Root(), d, bucket+"all", Options{}); err == nil {
		t.Error("no error for a folder that has files")
	}
	if _, err := WriteFile(p.Root(), d, bucket+"one.npy"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v for a file that exists", err)
	}
}
