package remote

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/cloudauth"
)

// dialing returns a client that connects to a server whatever the host is, without TLS.
func dialing(server *httptest.Server) *http.Client {
	return &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.Host = r.URL.Host
		r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(server.URL, "http://")
		return http.DefaultTransport.RoundTrip(r)
	})}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// S3 says in which region a bucket is, in a redirect or a refusal; the request is signed for it once more.
func TestRegion(t *testing.T) {
	for _, refuse := range []func(w http.ResponseWriter){
		func(w http.ResponseWriter) {
			w.Header().Set("X-Amz-Bucket-Region", "eu-west-1")
			w.Header().Set("Location", "https://elsewhere.example.org/")
			w.WriteHeader(http.StatusMovedPermanently)
		},
		func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte("<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>"))
		},
	} {
		s := &faulty{data: randomBytes(200 << 10), etag: `"a"`}
		s.fault = func(w http.ResponseWriter, r *http.Request, _ int64) bool {
			if r.Host == "b.s3.eu-west-1.amazonaws.com" {
				if !strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/s3/aws4_request") {
					t.Errorf("Authorization %s", r.Header.Get("Authorization"))
				}
				return false
			}
			if r.Host != "b.s3.us-east-1.amazonaws.com" {
				t.Errorf("host %s", r.Host)
			}
			refuse(w)
			return true
		}
		server := httptest.NewServer(s)
		defer server.Close()
		o := withEnv(map[string]string{"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "verysecret"})
		o.Client = dialing(server)
		f := open(t, "s3://b/a.npy", o)
		readRight(t, f, s.data, 100<<10, 1000)
		if n := s.requests.Load(); n != 3 {
			t.Errorf("%d requests, want 3", n)
		}
		s.fault = func(w http.ResponseWriter, _ *http.Request, _ int64) bool {
			w.Header().Set("X-Amz-Bucket-Region", "evil.example.org/")
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		if _, err := Open(t.Context(), "s3://b/a.npy", o); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("a region that is none: %v", err)
		}
	}
}

// The https URL of a store is read without credentials if there are none; the short form is an error.
func TestLenient(t *testing.T) {
	s := &faulty{data: randomBytes(100), etag: `"a"`}
	s.fault = func(_ http.ResponseWriter, r *http.Request, _ int64) bool {
		if r.Header.Get("Authorization") != "" {
			t.Error("signed by nobody")
		}
		return false
	}
	server := httptest.NewServer(s)
	defer server.Close()
	o := withEnv(map[string]string{"AWS_EC2_METADATA_DISABLED": "true", "NO_GCE_CHECK": "true", "HOME": t.TempDir()})
	o.Client = dialing(server)
	for short, long := range map[string]string{"s3://b/k": "https://b.s3.amazonaws.com/k", "gs://b/k": "https://storage.googleapis.com/b/k"} {
		readRight(t, open(t, long, o), s.data, 0, 100)
		if _, err := Open(t.Context(), short, o); !errors.Is(err, cloudauth.ErrNone) {
			t.Errorf("%s: %v", short, err)
		}
		anonymous := o
		anonymous.Anonymous = true
		readRight(t, open(t, short, anonymous), s.data, 0, 100)
	}
}

// A Signer replaces the credentials, and is not asked for other hosts. The password of a URL is sent, and not printed.
func TestSigner(t *testing.T) {
	other := httptest.NewServer(&faulty{data: randomBytes(100), etag: `"a"`, fault: func(_ http.ResponseWriter, r *http.Request, _ int64) bool {
		if r.Header.Get("Authorization") != "" {
			t.Error("another host gets the signature")
		}
		return false
	}})
	defer other.Close()
	s := &faulty{fault: func(w http.ResponseWriter, r *http.Request, _ int64) bool {
		if got := r.Header.Get("Authorization"); got != "Custom verysecret" {
			t.Errorf("Authorization %q", got)
		}
		http.Redirect(w, r, other.URL, http.StatusFound)
		return true
	}}
	o := noWait()
	o.Signer = func(r *http.Request) error { r.Header.Set("Authorization", "Custom verysecret"); return nil }
	open(t, s.start(t), o)
	o.Signer = func(*http.Request) error { return errors.New("no key") }
	if _, err := Open(t.Context(), s.start(t), o); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("error %v", err)
	}
	p := &faulty{fault: func(w http.ResponseWriter, r *http.Request, _ int64) bool {
		if user, password, ok := r.BasicAuth(); !ok || user != "u" || password != "verysecret" {
			t.Errorf("user %q", user)
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	}}
	_, err := Open(t.Context(), strings.Replace(p.start(t), "http://", "http://u:verysecret@", 1), noWait())
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
	noSecret(t, err)
}

// Errors of the network do not have the query of the URL.
func TestNetworkErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("220 not a server of HTTP\r\n"))
			c.Close()
		}
	}()
	o := noWait()
	o.Retries = 2
	_, err = Open(context.Background(), "http://"+l.Addr().String()+"/a?k=verysecret", o)
	if err == nil {
		t.Fatal("no error")
	}
	noSecret(t, err)
}
