package remote

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A network has hosts of any address, all served by one server of this machine.
type network struct {
	mu     sync.Mutex
	hosts  map[string]string // the address of each name
	dialed []string          // host and address of connections
	server *httptest.Server
}

// startNetwork starts the server of a network. handle answers the requests of all hosts.
func startNetwork(t *testing.T, hosts map[string]string, handle http.HandlerFunc) *network {
	n := &network{hosts: hosts, server: httptest.NewServer(handle)}
	t.Cleanup(n.server.Close)
	t.Cleanup(n.server.CloseClientConnections)
	return n
}

// dial connects to the server, and says that it is the host.
func (n *network) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	ip := n.hosts[host]
	if ip == "" {
		ip = host
	}
	n.dialed = append(n.dialed, host+" "+ip)
	n.mu.Unlock()
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", n.server.Listener.Addr().String())
	if err != nil {
		return nil, err
	}
	return placed{conn, net.TCPAddrFromAddrPort(netip.AddrPortFrom(a, 80))}, nil
}

// placed is a connection that says it leads elsewhere.
type placed struct {
	net.Conn
	remote net.Addr
}

func (p placed) RemoteAddr() net.Addr { return p.remote }

// options returns options whose requests go to the network.
func (n *network) options() Options {
	o := noWait()
	o.Client = &http.Client{Transport: &http.Transport{DialContext: n.dial}}
	return o
}

// redirecting answers with a redirect to target at the host "origin" or below /start, and with a file elsewhere. It counts the
// requests to others.
func redirecting(data []byte, target func() string, others *[]string) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		if host == "origin.example" || r.URL.Path == "/start" {
			w.Header().Set("Connection", "close")
			http.Redirect(w, r, target(), http.StatusFound)
			return
		}
		mu.Lock()
		*others = append(*others, r.Host)
		mu.Unlock()
		w.Header().Set("ETag", `"a"`)
		answerRange(w, r, data, -1)
	}
}

// refusedAddress fails unless err refuses an address, and names it in one line without secrets.
func refusedAddress(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, ErrAddress) {
		t.Errorf("%s: error %v, want one about the address", what, err)
		return
	}
	noSecret(t, err)
}

// Redirects lead to addresses no nearer than the server that redirects, whatever form they have; the address of a name is
// the one that is dialled.
func TestRedirectAddresses(t *testing.T) {
	targets := map[string]string{ // the address that the host leads to
		"cdn.example": "93.184.216.34", "files.example": "10.0.0.7", "app.example": "127.0.0.1", "metadata.google.internal": "169.254.169.254", "rebound.example": "169.254.169.254",
		"2852039166": "169.254.169.254", "0xa9fea9fe": "169.254.169.254", "0251.0376.0251.0376": "169.254.169.254", "100.100.100.200": "100.100.100.200", "192.0.0.192": "192.0.0.192",
		"168.63.129.16": "168.63.129.16", "169.254.169.254": "169.254.169.254", "fd00:ec2::254": "fd00:ec2::254", "fe80::a9fe:a9fe": "fe80::a9fe:a9fe", "::ffff:169.254.169.254": "169.254.169.254",
		"64:ff9b::a9fe:a9fe": "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1": "2002:a9fe:a9fe::1", "::1": "::1", "0.0.0.0": "0.0.0.0", "fd12::1": "fd12::1", "v6.example": "fd00:ec2::254", "8.8.8.8": "8.8.8.8",
	}
	data := randomBytes(100)
	for _, from := range []string{"93.184.216.34", "2606:4700::1", "10.1.1.1", "127.0.0.1", "169.254.10.10"} {
		for host, address := range targets {
			for _, open := range []bool{false, true} {
				var others []string
				n := startNetwork(t, map[string]string{"origin.example": from}, nil)
				n.hosts[host] = address
				target := "http://" + host + "/latest/?k=verysecret"
				if strings.Contains(host, ":") {
					target = "http://[" + host + "]/latest/?k=verysecret"
				}
				n.server.Config.Handler = redirecting(data, func() string { return target }, &others)
				o := n.options()
				o.PrivateRedirects = open
				f, err := Open(t.Context(), "http://origin.example/a", o)
				what := fmt.Sprintf("from %s to %s, PrivateRedirects %v", from, host, open)
				z := zoneOf(netip.MustParseAddr(address))
				limit := zoneOf(netip.MustParseAddr(from))
				if limit == forbidden {
					limit = public
				}
				if open {
					limit = machine
				}
				if z > limit {
					refusedAddress(t, what, err)
					if len(others) > 0 {
						t.Errorf("%s: the target was asked", what)
					}
				} else if err != nil || len(others) != 1 {
					t.Errorf("%s: error %v, %d requests", what, err, len(others))
				}
				if err == nil {
					f.Close()
				}
				n.server.CloseClientConnections()
				n.server.Close()
			}
		}
	}
}

// What the caller names is read, wherever it is, and leads to its own server.
func TestNamedAddresses(t *testing.T) {
	data := randomBytes(100)
	for _, address := range []string{"93.184.216.34", "10.0.0.7", "127.0.0.1", "169.254.169.254", "fe80::1", "fd00:ec2::254"} {
		var others []string
		n := startNetwork(t, map[string]string{"host.example": address}, redirecting(data, func() string { return "/next" }, &others))
		for _, path := range []string{"/a", "/start"} {
			f, err := Open(t.Context(), "http://host.example"+path, n.options())
			if err != nil {
				t.Errorf("%s%s: %v", address, path, err)
				continue
			}
			readRight(t, f, data, 0, len(data))
			f.Close()
		}
	}
}

// A name that means another address when it is dialled again does not lead a redirect, nor a file that is named by another one, there.
func TestRebinding(t *testing.T) {
	data := randomBytes(100 << 10)
	var others []string
	n := startNetwork(t, map[string]string{"host.example": "93.184.216.34"}, nil)
	n.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		n.mu.Lock()
		defer n.mu.Unlock()
		n.hosts["host.example"] = "169.254.169.254"
		redirecting(data, func() string { return "/latest/meta-data" }, &others)(w, r)
	})
	_, err := Open(t.Context(), "http://host.example/start", n.options())
	refusedAddress(t, "a redirect", err)

	n.hosts["host.example"] = "93.184.216.34"
	o := n.options()
	f, err := Open(t.Context(), "http://host.example/manifest", o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	others = nil
	_, err = f.OpenLinked(t.Context(), "http://host.example/latest/meta-data")
	refusedAddress(t, "a part", err)
	if len(others) > 0 {
		t.Error("the address was asked")
	}
}

// A connection that was made for a URL of the caller is not used again for the target of a redirect, and neither is one of a redirect
// of a nearer server.
func TestPooledConnections(t *testing.T) {
	data := randomBytes(100)
	var others []string
	n := startNetwork(t, map[string]string{"origin.example": "93.184.216.34", "near.example": "127.0.0.1", "app.example": "127.0.0.1"},
		redirecting(data, func() string { return "http://app.example/b" }, &others))
	o := n.options()
	for _, named := range []string{"http://app.example/a", "http://near.example/start"} {
		f, err := Open(t.Context(), named, o)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	asked := len(others)
	_, err := Open(t.Context(), "http://origin.example/a", o)
	refusedAddress(t, "a pooled connection", err)
	if len(others) != asked {
		t.Error("the connection was used")
	}
	f, err := Open(t.Context(), "http://near.example/start", o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var dials int
	for _, d := range n.dialed {
		if strings.HasPrefix(d, "app.example ") {
			dials++
		}
	}
	if dials != 3 { // named, of a redirect of the machine, and the one that was closed
		t.Errorf("%d connections to the target of redirects, want 3: they are kept for each reach", dials)
	}
}

// URLs of strangers lead to public addresses only, and need a client whose connections are seen.
func TestUntrusted(t *testing.T) {
	data := randomBytes(100)
	for _, address := range []string{"93.184.216.34", "10.0.0.7", "127.0.0.1", "169.254.169.254", "64:ff9b::7f00:1"} {
		var others []string
		n := startNetwork(t, map[string]string{"host.example": address, "origin.example": "93.184.216.34"}, redirecting(data, func() string { return "http://host.example/" }, &others))
		o := n.options()
		o.Untrusted = true
		for _, name := range []string{"http://host.example/a", "http://origin.example/a"} {
			f, err := Open(t.Context(), name, o)
			if zoneOf(netip.MustParseAddr(address)) != public {
				refusedAddress(t, address, err)
			} else if err != nil {
				t.Errorf("%s: %v", address, err)
			} else {
				f.Close()
			}
		}
	}
	o := noWait()
	o.Untrusted = true
	o.Client = &http.Client{Transport: roundTripper(http.DefaultTransport.RoundTrip)}
	if _, err := Open(t.Context(), "http://host.example/a", o); err == nil || !strings.Contains(err.Error(), "Options.Untrusted needs a Client") {
		t.Errorf("error %v", err)
	}
	s := &faulty{data: data, etag: `"a"`, fault: func(_ http.ResponseWriter, r *http.Request, _ int64) bool {
		if r.Header.Get("Authorization") != "" {
			t.Error("a URL of a stranger is read with credentials")
		}
		return false
	}}
	server := httptest.NewServer(s)
	defer server.Close()
	o = withEnv(map[string]string{"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "verysecret"})
	o.Untrusted, o.Endpoint = true, server.URL
	readRight(t, open(t, "s3://bucket/key", o), data, 0, len(data)) // the program has named the server
	o = noWait()
	o.Untrusted = true
	_, err := Open(t.Context(), server.URL, o)
	refusedAddress(t, "the client of this package", err)
}

// Files that a file names are opened with its credentials at its own host only.
func TestLinkedCredentials(t *testing.T) {
	data := randomBytes(100)
	got := map[string]string{}
	n := startNetwork(t, map[string]string{"host.example": "93.184.216.34", "other.example": "93.184.216.35"}, func(w http.ResponseWriter, r *http.Request) {
		got[r.Host+r.URL.Path] = r.Header.Get("Authorization")
		w.Header().Set("ETag", `"a"`)
		answerRange(w, r, data, -1)
	})
	o := n.options()
	o.Header = http.Header{"Authorization": {"Bearer verysecret"}}
	f := open(t, "http://host.example/a", o)
	for _, name := range []string{"http://host.example/b", "http://other.example/c"} {
		g, err := f.OpenLinked(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		g.Close()
	}
	if got["host.example/b"] != "Bearer verysecret" || got["other.example/c"] != "" {
		t.Errorf("Authorization %v", got)
	}
	if _, err := f.OpenLinked(t.Context(), "file.npy"); err == nil {
		t.Error("a path is opened as a URL")
	}
}

// answerDNS answers the questions of a resolver, one after another: RFC 1035, with the two bytes of a length before each message.
func answerDNS(conn net.Conn, names map[string][]string) {
	defer conn.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		var labels []string
		at := 12
		for question[at] != 0 {
			n := int(question[at])
			labels = append(labels, string(question[at+1:at+1+n]))
			at += 1 + n
		}
		kind := binary.BigEndian.Uint16(question[at+1:])
		end := at + 5
		answer := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end]...)
		for _, text := range names[strings.Join(labels, ".")] {
			a := netip.MustParseAddr(text)
			if a.Is4() != (kind == 1) {
				continue
			}
			raw := a.AsSlice()
			answer = append(answer, 0xc0, 12, byte(kind>>8), byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
			answer = append(answer, raw...)
			answer[7]++
		}
		if names[strings.Join(labels, ".")] == nil {
			answer[3] |= 3 // there is no such name
		}
		if _, err := conn.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
			return
		}
	}
}

// The dialer checks each address that a resolver gives, before it connects.
func TestDialedAddresses(t *testing.T) {
	names := map[string][]string{
		"cdn.example": {"93.184.216.34"}, "metadata.google.internal": {"169.254.169.254"}, "both.example": {"169.254.169.254", "93.184.216.34"}, "six.example": {"fd00:ec2::254"},
		"mapped.example": {"::ffff:169.254.169.254"}, "nat64.example": {"64:ff9b::a9fe:a9fe"}, "private.example": {"10.0.0.1", "192.168.0.1"}, "local.example": {"127.0.0.1", "::1"},
	}
	for host := range names {
		for _, r := range []reach{{any: true}, {zone: public}, {zone: private}, {zone: machine}, {own: netip.MustParseAddr("169.254.169.254")}} {
			var mu sync.Mutex
			var connected []string
			errReached := errors.New("connected")
			base := &net.Dialer{
				Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
					ours, theirs := net.Pipe()
					go answerDNS(theirs, names)
					return ours, nil
				}},
				ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
					mu.Lock()
					defer mu.Unlock()
					connected = append(connected, address)
					return errReached
				},
			}
			conn, err := r.dialer(base).DialContext(t.Context(), "tcp", net.JoinHostPort(host, "80"))
			if err == nil {
				conn.Close()
				t.Fatal("a connection")
			}
			var want []string
			for _, text := range names[host] {
				if a := plain(netip.MustParseAddr(text)); r.allows(a) == nil {
					want = append(want, netip.AddrPortFrom(a, 80).String())
				}
			}
			slices.Sort(connected)
			slices.Sort(want)
			if !slices.Equal(slices.Compact(connected), want) {
				t.Errorf("%s within %+v: connected to %v, want %v", host, r, connected, want)
			}
			if len(want) == 0 && !errors.Is(err, ErrAddress) {
				t.Errorf("%s within %+v: %v", host, r, err)
			}
		}
	}
}

// targetsOfProxies are redirects, and whether a proxy is asked for them.
var targetsOfProxies = map[string]bool{
	"cdn.example": true, "8.8.8.8": true, "metadata.google.internal": false, "METADATA.google.internal.": false, "169.254.169.254": false, "2852039166": false, "0xa9.254.43518": false,
	"[fd00:ec2::254]": false, "[64:ff9b::a9fe:a9fe]": false, "[::1]": false, "localhost": false, "10.0.0.1": false, "intranet": false, "①②⑦.0.0.1": false, "017700000001": false,
}

// A proxy is only asked for redirects whose names do not lead to other zones. It may be anywhere itself.
func TestProxies(t *testing.T) {
	data := randomBytes(100)
	for _, kind := range []string{"http", "socks5"} {
		for _, scheme := range []string{"http", "https"} {
			for host, asked := range targetsOfProxies {
				target := scheme + "://" + host + "/x"
				p := &proxy{t: t, data: data, redirect: target}
				o := noWait()
				o.Retries = -1
				o.Client = &http.Client{Transport: &http.Transport{
					Proxy:       func(*http.Request) (*url.URL, error) { return url.Parse(kind + "://127.0.0.1:3128") },
					DialContext: func(context.Context, string, string) (net.Conn, error) { return p.connect(kind) },
				}}
				f, err := Open(t.Context(), "http://origin.example/", o)
				if asked && scheme == "http" && err != nil || !asked && !errors.Is(err, ErrAddress) {
					t.Errorf("%s by a proxy of %s: error %v", target, kind, err)
				}
				if err == nil {
					f.Close()
				}
				if p.tasks.Wait(); (p.others > 0) != asked {
					t.Errorf("%s by a proxy of %s: %d requests, want some: %v", target, kind, p.others, asked)
				}
			}
		}
	}
}

// A proxy answers by itself, for all hosts.
type proxy struct {
	t        *testing.T
	data     []byte
	redirect string
	tasks    sync.WaitGroup
	others   int // requests for other hosts than origin.example
}

func (p *proxy) connect(kind string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.tasks.Go(func() {
		defer theirs.Close()
		r := bufio.NewReader(theirs)
		if kind == "socks5" && !p.handshake(r, theirs) {
			return
		}
		if req, err := http.ReadRequest(r); err == nil {
			p.answer(req, theirs)
		}
	})
	return ours, nil
}

// handshake is RFC 1928's, without authentication. It reports whether a request of HTTP follows.
func (p *proxy) handshake(r *bufio.Reader, w io.Writer) bool {
	hello := make([]byte, 3)
	if _, err := io.ReadFull(r, hello); err != nil {
		return false
	}
	w.Write([]byte{5, 0})
	head := make([]byte, 5)
	if _, err := io.ReadFull(r, head); err != nil {
		return false
	}
	length := map[byte]int{1: 3, 3: int(head[4]), 4: 15}[head[3]] // the address has one byte in head
	address := make([]byte, length+2)
	if _, err := io.ReadFull(r, address); err != nil {
		return false
	}
	w.Write([]byte{5, 0, 0, 1, 127, 0, 0, 1, 0, 80})
	if binary.BigEndian.Uint16(address[length:]) == 443 {
		p.others++ // TLS follows
		return false
	}
	return true
}

// answer answers one request of a connection.
func (p *proxy) answer(req *http.Request, w io.Writer) {
	if req.Method == http.MethodConnect {
		p.others++
		fmt.Fprint(w, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
		return
	}
	if req.Host == "origin.example" {
		fmt.Fprintf(w, "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", p.redirect)
		return
	}
	p.others++
	fmt.Fprintf(w, "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-%d/%d\r\nContent-Length: %d\r\nETag: \"a\"\r\nConnection: close\r\n\r\n%s", len(p.data)-1, len(p.data), len(p.data), p.data)
}

// Of clients whose connections are not seen, the names of targets are checked.
func TestUnseenConnections(t *testing.T) {
	data := randomBytes(100)
	for host, asked := range targetsOfProxies {
		var others []string
		s := httptest.NewServer(redirecting(data, func() string { return "http://" + host + "/x" }, &others))
		for _, client := range []*http.Client{
			dialing(s),
			{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { // a tunnel
				conn, err := net.Dial("tcp", s.Listener.Addr().String())
				return placed{conn, &net.UnixAddr{Name: "/tunnel", Net: "unix"}}, err
			}}},
		} {
			others = nil
			o := noWait()
			o.Client, o.Retries = client, -1
			f, err := Open(t.Context(), "http://origin.example/", o)
			if asked != (err == nil) || asked != (len(others) > 0) || !asked && !errors.Is(err, ErrAddress) {
				t.Errorf("%s: error %v, %d requests", host, err, len(others))
			}
			if err == nil {
				f.Close()
			}
		}
		s.CloseClientConnections()
		s.Close()
	}
}

// Every function of a client that connects is guarded.
func TestDialFunctions(t *testing.T) {
	data := randomBytes(100)
	for _, address := range []string{"93.184.216.35", "127.0.0.1"} {
		var others []string
		n := startNetwork(t, map[string]string{"origin.example": "93.184.216.34", "target.example": address}, nil)
		old := func(network, address string) (net.Conn, error) { return n.dial(context.Background(), network, address) }
		for name, transport := range map[string]*http.Transport{
			"DialContext": {DialContext: n.dial}, "Dial": {Dial: old}, "both": {DialContext: n.dial, Dial: old}, "DialTLSContext": {DialContext: n.dial, DialTLSContext: n.dial}, "DialTLS": {Dial: old, DialTLS: old},
		} {
			others = nil
			o := noWait()
			o.Client = &http.Client{Transport: transport}
			scheme := "http"
			if strings.Contains(name, "TLS") { // a function that says it has ended the handshake
				scheme = "https"
			}
			n.server.Config.Handler = redirecting(data, func() string { return scheme + "://target.example/" }, &others)
			f, err := Open(t.Context(), scheme+"://origin.example/", o)
			if address == "127.0.0.1" {
				refusedAddress(t, name, err)
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if asked := len(others) > 0; asked != (err == nil) {
				t.Errorf("%s: the target was asked: %v", name, asked)
			}
			if err == nil {
				f.Close()
			}
		}
		if tlsOf, _ := dialsOf(&http.Transport{}); tlsOf != nil {
			t.Error("a function of an empty transport")
		}
	}
}

// The guards of a transport end with it, when another one needs some.
func TestGuardsEnd(t *testing.T) {
	var all guardTable
	keep := &http.Transport{}
	one, again := all.of(keep, reach{}), all.of(keep, reach{})
	if one != again || one == all.of(keep, reach{zone: private}) {
		t.Error("a guard is for each reach, and one")
	}
	for range 10 {
		all.of(&http.Transport{DialContext: (&net.Dialer{}).DialContext}, reach{})
	}
	for range 10_000 {
		runtime.GC()
		all.of(&http.Transport{}, reach{})
		if len(all.by) < 5 {
			return
		}
	}
	t.Errorf("%d transports have guards", len(all.by))
	runtime.KeepAlive(keep)
}
