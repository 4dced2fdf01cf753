package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
)

// A trap is a server whose answers stop at one request. All requests before it are answered as a store would.
type trap struct {
	data   []byte
	at     func(r *http.Request) bool
	hold   string        // how it stops
	whole  bool          // ranges are ignored
	sprung chan struct{} // closed when the request arrives
	once   sync.Once
	over   chan struct{} // closed when the client has given up
}

func newTrap(at func(r *http.Request) bool, hold string, whole bool, size int) *trap {
	return &trap{data: randomBytes(size), at: at, hold: hold, whole: whole, sprung: make(chan struct{}), over: make(chan struct{})}
}

// start starts the server, and returns how it is closed.
func (s *trap) start() (url string, end func()) {
	server := httptest.NewServer(s)
	return server.URL, func() {
		close(s.over)
		server.CloseClientConnections()
		server.Close()
	}
}

// holds are the ways in which an answer stops. Servers that drip send a byte now and then, and never come to an end.
var holds = []string{"no header", "dripping header", "no body", "dripping body"}

func (s *trap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if s.at(r) {
		s.once.Do(func() { close(s.sprung) })
		s.stop(w, r)
		return
	}
	w.Header().Set("ETag", `"a"`)
	switch {
	case r.Method == http.MethodPut:
		io.Copy(io.Discard, r.Body)
	case r.Method == http.MethodPost && q.Has("uploads"):
		fmt.Fprint(w, "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
	case q.Has("uploadId") && r.Method == http.MethodGet:
		fmt.Fprint(w, `<ListPartsResult><Part><PartNumber>1</PartNumber><ETag>"1"</ETag><Size>208</Size></Part></ListPartsResult>`)
	case q.Has("list-type") && q.Get("continuation-token") == "":
		fmt.Fprint(w, "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken><Contents><Key>k</Key><Size>1</Size></Contents></ListBucketResult>")
	case strings.HasPrefix(r.URL.Path, "/start"):
		http.Redirect(w, r, "/target", http.StatusFound)
	case s.whole:
		w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
		w.Write(s.data)
	default:
		answerRange(w, r, s.data, -1)
	}
}

// stop answers in the way of the trap, until the client goes.
func (s *trap) stop(w http.ResponseWriter, r *http.Request) {
	if s.hold == "no header" {
		<-s.over
		return
	}
	if s.hold == "dripping header" {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nX: ")
		s.drip(conn, "x")
		return
	}
	var start, end int
	w.Header().Set("ETag", `"a"`)
	if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &start, &end); n == 2 && !s.whole {
		end = min(end, len(s.data)-1)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, end, len(s.data)))
		w.Header().Set("Content-Length", fmt.Sprint(end+1-start))
		w.WriteHeader(http.StatusPartialContent)
	} else if s.whole {
		w.Header().Set("Content-Length", fmt.Sprint(len(s.data)))
	}
	w.(http.Flusher).Flush()
	if s.hold == "no body" {
		<-s.over
		return
	}
	s.drip(flushed{w}, " ")
}

type flushed struct{ http.ResponseWriter }

func (f flushed) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	f.ResponseWriter.(http.Flusher).Flush()
	return n, err
}

// drip writes a byte now and then, until the reader goes.
func (s *trap) drip(w io.Writer, what string) {
	for drip(w, what) {
		select {
		case <-s.over:
			return
		default:
		}
	}
}

// drip writes a byte after 2 ms, and reports whether the reader is there.
func drip(w io.Writer, what string) bool {
	time.Sleep(2 * time.Millisecond) // dripping takes time
	_, err := io.WriteString(w, what)
	return err == nil
}

// A phase is an operation that stops at one of its requests.
type phase struct {
	name  string
	at    func(r *http.Request) bool
	whole bool
	size  int
	do    func(ctx context.Context, server string, o Options) error
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet && r.URL.RawQuery == "" }

// second matches the second of the requests that match.
func second(match func(r *http.Request) bool) func() func(r *http.Request) bool {
	return func() func(r *http.Request) bool {
		var mu sync.Mutex
		n := 0
		return func(r *http.Request) bool {
			mu.Lock()
			defer mu.Unlock()
			if match(r) {
				n++
			}
			return match(r) && n > 1
		}
	}
}

func openAndRead(off int) func(ctx context.Context, server string, o Options) error {
	return func(ctx context.Context, server string, o Options) error {
		f, err := Open(ctx, server+"/a", o)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.ReadAt(make([]byte, 100), int64(off))
		return err
	}
}

func begun(use func(ctx context.Context, u *Upload) error) func(ctx context.Context, server string, o Options) error {
	return func(ctx context.Context, _ string, o Options) error {
		u, err := Begin(ctx, "s3://bucket/key", format.Header{DType: dtype.Uint8, Shape: []int{80}}, o)
		if err != nil {
			return err
		}
		return use(ctx, u)
	}
}

// phases are all that requests do.
func phases() []phase {
	query := func(method, name string) func(r *http.Request) bool {
		return func(r *http.Request) bool { return r.Method == method && r.URL.Query().Has(name) }
	}
	never := func(r *http.Request) bool { return r.URL.Path == "/never" }
	commit := func(ctx context.Context, u *Upload) error { return u.Commit(ctx) }
	listed := func(ctx context.Context, _ string, o Options) error {
		for _, err := range List(ctx, "s3://bucket/*", o) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	return []phase{
		{"open", isRead, false, 200 << 10, openAndRead(0)},
		{"read", second(isRead)(), false, 200 << 10, openAndRead(100 << 10)},
		{"read after a redirect", func(r *http.Request) bool { return r.URL.Path == "/target" }, false, 200 << 10, func(ctx context.Context, server string, o Options) error {
			_, err := Open(ctx, server+"/start", o)
			return err
		}},
		{"open without ranges", isRead, true, 100 << 10, openAndRead(0)},
		{"read without ranges", second(isRead)(), true, 3 << 20, openAndRead(2 << 20)},
		{"list", query("GET", "list-type"), false, 0, listed},
		{"second page of a list", query("GET", "continuation-token"), false, 0, listed},
		{"uploads", query("GET", "uploads"), false, 0, func(ctx context.Context, _ string, o Options) error {
			for _, err := range Uploads(ctx, "s3://bucket/", o) {
				return err
			}
			return nil
		}},
		{"begin", query("POST", "uploads"), false, 0, begun(commit)},
		{"part", query("PUT", "partNumber"), false, 0, begun(func(ctx context.Context, u *Upload) error {
			return u.WritePart(ctx, 0, strings.NewReader(strings.Repeat("x", 80)))
		})},
		{"part that is not read", query("PUT", "partNumber"), false, 0, func(ctx context.Context, _ string, o Options) error {
			o.PartSize = 16 << 20
			u, err := Begin(ctx, "s3://bucket/key", format.Header{DType: dtype.Uint8, Shape: []int{16 << 20}}, o)
			if err != nil {
				return err
			}
			return u.WritePart(ctx, 0, io.LimitReader(zeros{}, 16<<20))
		}},
		{"list of parts", query("GET", "uploadId"), false, 0, begun(commit)},
		{"commit", query("POST", "uploadId"), false, 0, begun(commit)},
		{"abort", query("DELETE", "uploadId"), false, 0, begun(func(ctx context.Context, u *Upload) error { return u.Abort(ctx) })},
		{"put", func(r *http.Request) bool { return r.Method == http.MethodPut }, false, 0, func(ctx context.Context, _ string, o Options) error {
			w, err := Create(ctx, "s3://bucket/key", o)
			if err != nil {
				return err
			}
			w.Write([]byte("x"))
			return w.Close()
		}},
		{"credentials of a container", func(r *http.Request) bool { return r.URL.Path == "/credentials" }, false, 0, func(ctx context.Context, server string, o Options) error {
			o.getenv = environment(map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": server + "/credentials", "HOME": "/nowhere"})
			_, err := Open(ctx, "s3://bucket/key", o)
			return err
		}},
		{"credentials of a machine", func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/security-credentials/") }, false, 0, func(ctx context.Context, server string, o Options) error {
			o.getenv = environment(map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT": server, "HOME": "/nowhere"})
			_, err := Open(ctx, "s3://bucket/key", o)
			return err
		}},
		{"token of Google", func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/token") }, false, 0, func(ctx context.Context, server string, o Options) error {
			o.getenv = environment(map[string]string{"GCE_METADATA_HOST": strings.TrimPrefix(server, "http://"), "HOME": "/nowhere"})
			o.Endpoint = ""
			_, err := Open(ctx, "gs://bucket/key", o)
			return err
		}},
		{"token of Azure", func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/oauth2/token") }, false, 0, func(ctx context.Context, server string, o Options) error {
			o.getenv = environment(map[string]string{"AZURE_POD_IDENTITY_AUTHORITY_HOST": server})
			o.Account = "a"
			_, err := Open(ctx, "az://container/key", o)
			return err
		}},
		{"dial", never, false, 0, func(ctx context.Context, _ string, o Options) error {
			o.Client = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}}
			_, err := Open(ctx, "http://host.example/a", o)
			return err
		}},
		{"handshake", never, false, 0, func(ctx context.Context, _ string, o Options) error { return handshake(ctx, o, false) }},
		{"dripping handshake", never, false, 0, func(ctx context.Context, _ string, o Options) error { return handshake(ctx, o, true) }},
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// handshake opens a file at a server that accepts connections and ends no handshake.
func handshake(ctx context.Context, o Options, dripping bool) error {
	var tasks sync.WaitGroup
	defer tasks.Wait()
	var mu sync.Mutex
	var conns []net.Conn
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range conns { // the transport still waits for the handshake, since another request may need it
			c.Close()
		}
	}()
	o.Client = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		mu.Lock()
		defer mu.Unlock()
		conns = append(conns, theirs)
		tasks.Go(func() { io.Copy(io.Discard, theirs) })
		if dripping {
			tasks.Go(func() {
				theirs.Write([]byte{0x16, 3, 3, 0x3f, 0xff}) // a long record
				for drip(theirs, "x") {
				}
			})
		}
		return ours, nil
	}}}
	_, err := Open(ctx, "https://host.example/a", o)
	return err
}

func environment(env map[string]string) func(string) string {
	return func(name string) string { return env[name] }
}

// An end is how a request that gets no answer ends.
type end struct {
	name string
	set  func(o *Options)
	want error
}

var ends = []end{
	{"Timeout", func(o *Options) { o.Timeout, o.IdleTimeout = 100*time.Millisecond, time.Hour }, errTimeout},
	{"Timeout without IdleTimeout", func(o *Options) { o.Timeout, o.IdleTimeout = 100*time.Millisecond, -1 }, errTimeout},
	{"IdleTimeout", func(o *Options) { o.Timeout, o.IdleTimeout, o.Retries = -1, 100*time.Millisecond, -1 }, errIdle},
	{"context", func(o *Options) { o.Timeout, o.IdleTimeout = -1, -1 }, context.Canceled},
}

// try has a phase stop in the way of hold, and returns its error. If the machine is busy, the time is over before the request that
// is to stop, and the phase is tried again.
func (e end) try(p phase, hold string, trapped bool) (err error) {
	for range 10 {
		s := newTrap(p.at, hold, p.whole, p.size)
		err = e.tryOnce(p, s, trapped)
		select {
		case <-s.sprung:
			return err
		default:
		}
		if !trapped {
			return err
		}
	}
	return fmt.Errorf("it never stops; the last error: %w", err)
}

func (e end) tryOnce(p phase, s *trap, trapped bool) error {
	url, stop := s.start()
	defer stop()
	o := noWait()
	o.getenv = environment(map[string]string{"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "verysecret"})
	o.Endpoint = url
	e.set(&o)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	result := make(chan error, 1)
	go func() { result <- p.do(ctx, url, o) }()
	if e.want == context.Canceled {
		if trapped {
			select {
			case <-s.sprung:
			case err := <-result:
				return err
			}
		}
		cancel()
	}
	select {
	case err := <-result:
		return err
	case <-time.After(30 * time.Second):
		return errors.New("it does not end")
	}
}

// Every request ends by Timeout, whether its server stands still or drips, by IdleTimeout if it stands still, and with its context.
func TestTimeouts(t *testing.T) {
	var tasks sync.WaitGroup
	slots := make(chan struct{}, 50)
	tried := 0
	for _, e := range ends {
		for i, hold := range holds {
			for _, p := range phases() {
				drips := strings.HasPrefix(hold, "dripping") || strings.HasPrefix(p.name, "dripping")
				credentials := strings.HasPrefix(p.name, "credentials") || strings.HasPrefix(p.name, "token") // asked for before the request begins
				trapped := p.name != "dial" && !strings.HasSuffix(p.name, "handshake")
				if e.want == errIdle && (drips || credentials) || !trapped && i > 0 {
					continue
				}
				if tried++; testing.Short() && tried%3 > 0 {
					continue
				}
				slots <- struct{}{}
				tasks.Go(func() {
					defer func() { <-slots }()
					if err := e.try(p, hold, trapped); !errors.Is(err, e.want) {
						t.Errorf("%s, %s, %s: error %v, want %v", p.name, hold, e.name, err, e.want)
					}
				})
			}
		}
	}
	tasks.Wait()
	t.Logf("%d requests", tried)
}

// Goroutines that wait for another one's read of a server without ranges end with it, one after another only if they get on.
func TestForwardTimeouts(t *testing.T) {
	s := newTrap(second(isRead)(), "dripping body", true, 3<<20)
	url, stop := s.start()
	defer stop()
	o := noWait()
	o.Timeout = 100 * time.Millisecond
	f := open(t, url+"/a", o)
	result := make(chan error, 50)
	for range cap(result) {
		go func() {
			_, err := f.ReadAt(make([]byte, 100), 2<<20)
			result <- err
		}()
	}
	over := time.After(30 * time.Second)
	for range cap(result) {
		select {
		case err := <-result:
			if !errors.Is(err, errTimeout) {
				t.Errorf("error %v", err)
			}
		case <-over:
			t.Fatal("they do not end")
		}
	}
	if n := f.Stats().Requests; n > 10 {
		t.Errorf("%d requests for goroutines that waited for one", n)
	}
}

// A read that waits for credentials ends with its own context, not with the context of the read that fetches them.
func TestCredentialsWait(t *testing.T) {
	s := newTrap(func(r *http.Request) bool { return r.URL.Path == "/credentials" }, "dripping body", false, 0)
	url, stop := s.start()
	defer stop()
	o := noWait()
	o.Endpoint, o.Timeout, o.IdleTimeout = url, -1, -1
	o.getenv = environment(map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": url + "/credentials", "HOME": "/nowhere"})
	c, err := newClient("s3://bucket/key", o)
	if err != nil {
		t.Fatal(err)
	}
	first, endFirst := context.WithCancel(t.Context())
	defer endFirst()
	result := make(chan error, 1)
	go func() {
		_, err := openClient(first, c)
		result <- err
	}()
	<-s.sprung
	second, endSecond := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, endSecond) // most likely while it waits; before that it ends the same way
	if _, err := openClient(second, c); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	endFirst()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
