package remote

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/npygo/npy/internal/oracle"
)

// A testStore is a real server of a store on this machine.
type testStore struct {
	name   string
	scheme string // with the bucket: "s3://b/"
	o      Options
	wrong  map[string]string // an environment with wrong credentials; nil if the server takes all
	// conditions is set if the server obeys preconditions of reading and writing.
	conditions bool
}

// url returns the URL of a file. Each test has its own folder.
func (s testStore) url(t *testing.T, key string) string {
	return s.scheme + strings.ReplaceAll(t.Name(), "/", "-") + "/" + key
}

// withEnv returns Options with the environment of a test.
func withEnv(env map[string]string) Options {
	o := Options{getenv: func(name string) string { return env[name] }}
	o.sleep = func(ctx context.Context, d time.Duration) error { return sleep(ctx, min(d, 50*time.Millisecond)) }
	return o
}

// installed returns the value of a variable that says where a server is installed. The servers are programs of Linux.
func installed(t *testing.T, variable, how string) string {
	if runtime.GOOS != "linux" || oracle.Emulated {
		t.Skip("servers of stores are started on Linux, by a process that is not emulated")
	}
	path := os.Getenv(variable)
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not set: %s", variable, how)
		}
		t.Skipf("%s is not set: %s", variable, how)
	}
	return path
}

// launch starts a server on a free port of this machine and waits until it answers.
func launch(t *testing.T, args func(port string) []string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	words := args(port)
	cmd := exec.Command(words[0], words[1:]...)
	log := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = io.Discard, log
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url := "http://127.0.0.1:" + port
	for range 600 {
		if resp, err := http.Get(url + "/"); err == nil {
			resp.Body.Close()
			return url
		}
		time.Sleep(50 * time.Millisecond) // the server does not say when it listens
	}
	t.Fatalf("%s does not answer", words[0])
	return ""
}

func startS3(t *testing.T) testStore {
	gateway := installed(t, "NPY_VERSITYGW", "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	data, side := t.TempDir(), t.TempDir()
	endpoint := launch(t, func(port string) []string {
		return []string{gateway, "--access", "testkey", "--secret", "testsecret", "--port", "127.0.0.1:" + port, "posix", "--sidecar", side, data}
	})
	s := testStore{name: "S3", scheme: "s3://bucket/", conditions: true, wrong: map[string]string{"AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "verysecret"}}
	s.o = withEnv(map[string]string{"AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "testsecret"})
	s.o.Endpoint = endpoint
	s.create(t, http.MethodPut, "", nil)
	return s
}

func startGCS(t *testing.T) testStore {
	server := installed(t, "NPY_FAKE_GCS", "go install github.com/fsouza/fake-gcs-server@v1.56.1")
	endpoint := launch(t, func(port string) []string {
		return []string{server, "-scheme", "http", "-host", "127.0.0.1", "-port", port, "-backend", "memory", "-public-host", "127.0.0.1:" + port}
	})
	s := testStore{name: "GCS", scheme: "gs://bucket/"}
	s.o = withEnv(map[string]string{"STORAGE_EMULATOR_HOST": strings.TrimPrefix(endpoint, "http://"), "NO_GCE_CHECK": "true"})
	resp, err := http.Post(endpoint+"/storage/v1/b", "application/json", strings.NewReader(`{"name": "bucket"}`))
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%v, %v", resp, err)
	}
	resp.Body.Close()
	return s
}

const azuriteKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

func startAzure(t *testing.T) testStore {
	folder := installed(t, "NPY_AZURITE", "npm install azurite@3.35.0 makes the folder node_modules/azurite")
	endpoint := launch(t, func(port string) []string {
		return []string{"node", filepath.Join(folder, "dist", "src", "blob", "main.js"), "--blobHost", "127.0.0.1", "--blobPort", port, "--location", t.TempDir(), "--disableTelemetry", "--silent"}
	})
	s := testStore{name: "Azure", scheme: "az://bucket/", conditions: true, wrong: map[string]string{"AZURE_STORAGE_KEY": "dmVyeXNlY3JldA=="}}
	s.o = withEnv(map[string]string{"AZURE_STORAGE_KEY": azuriteKey})
	s.o.Endpoint, s.o.Account = endpoint+"/devstoreaccount1", "devstoreaccount1"
	s.create(t, http.MethodPut, "restype=container", nil)
	return s
}

// create makes the bucket.
func (s testStore) create(t *testing.T, method, query string, body []byte) {
	t.Helper()
	c, err := newClient(s.scheme, s.o)
	if err != nil {
		t.Fatal(err)
	}
	u := c.loc.object("")
	u.RawQuery = query
	if _, _, err := c.write(t.Context(), method, u, nil, body, false); err != nil {
		t.Fatal(err)
	}
}

// eachStore runs a test with every server that is installed.
func eachStore(t *testing.T, test func(t *testing.T, s testStore)) {
	if testing.Short() {
		t.Skip("real servers, not in short mode")
	}
	for name, start := range map[string]func(*testing.T) testStore{"S3": startS3, "GCS": startGCS, "Azure": startAzure} {
		t.Run(name, func(t *testing.T) { test(t, start(t)) })
	}
}

// create writes a file through a Writer.
func create(t *testing.T, url string, o Options, data []byte) error {
	t.Helper()
	w, err := Create(t.Context(), url, o)
	if err != nil {
		return err
	}
	defer w.Abort()
	for len(data) > 0 {
		n := min(len(data), 300_000)
		if _, err := w.Write(data[:n]); err != nil {
			return fmt.Errorf("Write: %w", err)
		}
		data = data[n:]
	}
	return w.Close()
}

// unreliable puts a proxy before a store that refuses, loses answers and cuts them, and returns the store as seen through it.
func (s testStore) unreliable(t *testing.T) testStore {
	target, err := url.Parse(cmp.Or(s.o.Endpoint, "http://"+s.o.getenv("STORAGE_EMULATOR_HOST")))
	if err != nil {
		t.Fatal(err)
	}
	random := oracle.SharedRand(t)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
			r.Out.Host = r.In.Host // which is signed
		},
		ErrorLog: log.New(io.Discard, "", 0),
		ModifyResponse: func(r *http.Response) error {
			switch random.IntN(8) {
			case 0:
				r.Body.Close()
				panic(http.ErrAbortHandler) // it was done, and nobody hears of it
			case 1:
				data, err := io.ReadAll(r.Body)
				if err != nil {
					return err
				}
				r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(io.ErrUnexpectedEOF)))
			}
			return nil
		},
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if random.IntN(8) == 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = proxy.ErrorLog
	server.Start()
	t.Cleanup(server.Close)
	getenv := s.o.getenv
	if s.o.Endpoint != "" {
		s.o.Endpoint = server.URL + target.Path
	}
	s.o.getenv = func(name string) string {
		if name == "STORAGE_EMULATOR_HOST" && getenv(name) != "" {
			return strings.TrimPrefix(server.URL, "http://")
		}
		return getenv(name)
	}
	s.o.Retries = 40
	return s
}
