package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"weak"

	"github.com/npygo/npy/internal/diag"
)

// ErrAddress is wrapped by the error of a request that a server leads to an address where it must not lead: see the
// documentation of the package.
var ErrAddress = errors.New("servers may not lead there")

// An addressError is a request to an address that is out of reach.
type addressError struct {
	host string // or the address
	zone zone
}

// Error returns one line with the way out.
func (e *addressError) Error() string {
	text := fmt.Sprintf("the server leads to %s, %s: %s", printable(e.host), e.zone, ErrAddress)
	if e.zone == private || e.zone == machine {
		text += " unless Options.PrivateRedirects is set, or the URL itself is there"
	}
	return text
}

// Unwrap returns [ErrAddress].
func (e *addressError) Unwrap() error { return ErrAddress }

// A request that the caller has not named, to the target of a redirect or to a file that another one names, is sent by a guard.
// Each reach has its own, so that no connection of a request with a larger reach is used again for one with a smaller reach.

// A guard sends requests to the addresses of a reach. The check is made of each address that is dialled, after the name was
// looked up: a name may lead elsewhere at the next look. Where a proxy looks names up, they are all that can be checked.
type guard struct {
	reach   reach
	proxy   func(*http.Request) (*url.URL, error)
	direct  *http.Transport
	proxied *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	via, err := proxyOf(g.proxy, req)
	if err == nil && via == nil {
		return g.direct.RoundTrip(req)
	}
	if err == nil {
		err = g.reach.allowsName(req.URL.Hostname())
	}
	if err != nil {
		return nil, closeBody(req, err)
	}
	return g.proxied.RoundTrip(req.WithContext(context.WithValue(req.Context(), viaKey{}, via)))
}

// viaKey is the key of the proxy of a request in its context.
type viaKey struct{}

func proxyOf(proxy func(*http.Request) (*url.URL, error), req *http.Request) (*url.URL, error) {
	if proxy == nil {
		return nil, nil
	}
	return proxy(req)
}

// closeBody closes the body of a request that is not sent, as an http.RoundTripper must.
func closeBody(req *http.Request, err error) error {
	if req.Body != nil {
		req.Body.Close()
	}
	return err
}

// A nameGuard is a guard around a RoundTripper whose connections are not seen.
type nameGuard struct {
	reach reach
	http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (g nameGuard) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := g.reach.allowsName(req.URL.Hostname()); err != nil {
		return nil, closeBody(req, err)
	}
	return g.RoundTripper.RoundTrip(req)
}

// through returns the client for requests to addresses of a reach.
func (c *client) through(r reach) *http.Client {
	h := *c.http
	h.Transport = guarded(h.Transport, r)
	return &h
}

// limitReach limits the addresses of a URL that the caller of this package has not named. The server of a store was named by the
// program or its environment.
func (c *client) limitReach() error {
	if o := c.o; o.Untrusted {
		if _, ok := c.http.Transport.(*http.Transport); !ok {
			return diag.New("remote", "Options.Untrusted needs a Client whose Transport is an *http.Transport, so that addresses can be checked")
		}
		c.reach.strict = true
	}
	if c.loc.store != web {
		return nil
	}
	if c.o.reach != nil {
		c.reach = *c.o.reach
	}
	if c.o.Untrusted {
		c.reach = c.reach.within(public)
	}
	return nil
}

// A peer is the address that an answer comes from.
type peer struct{ atomic.Pointer[netip.Addr] }

// address returns the zero address if it is not known.
func (p *peer) address() (a netip.Addr) {
	if known := p.Load(); known != nil {
		a = *known
	}
	return a
}

// trace returns a context for a request whose connection is noted, be it a new one or not.
func (p *peer) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		a := addressOf(info.Conn)
		p.Store(&a)
	}})
}

// leads returns where the answer to a request of a reach may lead.
func (c *client) leads(r reach, req *http.Request, peer netip.Addr) reach {
	if c.o.PrivateRedirects {
		return reach{zone: machine, strict: r.strict}
	}
	if t, ok := c.http.Transport.(*http.Transport); ok && peer.IsValid() {
		if via, err := proxyOf(t.Proxy, req); err == nil && via == nil {
			return r.from(peer)
		}
	}
	return r.within(zoneOfName(req.URL.Hostname()))
}

// guarded returns a RoundTripper that sends requests as base does, to the addresses of a reach only.
func guarded(base http.RoundTripper, r reach) http.RoundTripper {
	if r.any {
		return base
	}
	t, ok := base.(*http.Transport)
	if !ok {
		return nameGuard{r, base}
	}
	return guards.of(t, r)
}

// guards has the guards of all transports, for as long as these exist.
var guards guardTable

type guardTable struct {
	mu sync.Mutex
	by map[weak.Pointer[http.Transport]]map[reach]*guard
}

func (all *guardTable) of(t *http.Transport, r reach) *guard {
	all.mu.Lock()
	defer all.mu.Unlock()
	key := weak.Make(t)
	of := all.by[key]
	if of == nil {
		of = map[reach]*guard{}
		if all.by == nil {
			all.by = map[weak.Pointer[http.Transport]]map[reach]*guard{}
		}
		all.forget()
		all.by[key] = of
	}
	if of[r] == nil {
		of[r] = newGuard(t, r)
	}
	return of[r]
}

// forget drops the guards of transports that nobody has any more.
func (all *guardTable) forget() {
	for key, of := range all.by {
		if key.Value() != nil {
			continue
		}
		for _, g := range of {
			g.direct.CloseIdleConnections()
			g.proxied.CloseIdleConnections()
		}
		delete(all.by, key)
	}
}

func newGuard(t *http.Transport, r reach) *guard {
	g := &guard{reach: r, proxy: t.Proxy, direct: cloned(t), proxied: cloned(t)}
	g.direct.Proxy = nil
	g.proxied.Proxy = func(req *http.Request) (*url.URL, error) {
		via, _ := req.Context().Value(viaKey{}).(*url.URL)
		return via, nil
	}
	dial, dialTLS := dialsOf(t)
	switch {
	case t == ownTransport():
		g.direct.DialContext = r.dialer(newDialer()).DialContext
	case dial == nil:
		g.direct.DialContext = r.dialer(&net.Dialer{}).DialContext
	default:
		g.direct.DialContext = r.dials(dial)
	}
	if dialTLS != nil {
		g.direct.DialTLSContext = r.dials(dialTLS)
	}
	return g
}

// A dialFunc connects to an address.
type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// dialsOf returns the functions of a transport that connect; nil for the default. Each replaces an older function without a context.
func dialsOf(t *http.Transport) (dial, dialTLS dialFunc) {
	older := func(f func(network, address string) (net.Conn, error)) dialFunc {
		if f == nil {
			return nil
		}
		return func(_ context.Context, network, address string) (net.Conn, error) { return f(network, address) }
	}
	dial, dialTLS = t.DialContext, t.DialTLSContext
	if dial == nil {
		//lint:ignore SA1019 callers may have set it
		dial = older(t.Dial)
	}
	if dialTLS == nil {
		//lint:ignore SA1019 callers may have set it
		dialTLS = older(t.DialTLS)
	}
	return dial, dialTLS
}

// cloned returns a copy of a transport that shares no connections with it. The protocols of a copy may: HTTP/2 would
// use the functions of t.
func cloned(t *http.Transport) *http.Transport {
	c := t.Clone()
	c.IdleConnTimeout = cmp.Or(t.IdleConnTimeout, 90*time.Second) // callers cannot close the connections of c
	if _, ok := c.TLSNextProto["h2"]; ok {
		c.TLSNextProto, c.ForceAttemptHTTP2 = nil, true
	}
	return c
}

// dialer returns d for addresses of the reach. Others are refused before anything is sent to them.
func (r reach) dialer(d *net.Dialer) *net.Dialer {
	guarded, then := *d, d.ControlContext
	guarded.ControlContext = func(ctx context.Context, network, address string, c syscall.RawConn) error {
		a, err := netip.ParseAddrPort(address)
		if err == nil {
			err = r.allows(plain(a.Addr()))
		}
		if err == nil && then != nil {
			err = then(ctx, network, address, c)
		}
		return err
	}
	return &guarded
}

// dials returns a function of a caller that dials, for addresses of the reach. Connections to others are closed before anything is
// sent. The address of a connection that is not IP, such as a tunnel, is not known.
func (r reach) dials(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if a := addressOf(conn); a.IsValid() {
			err = r.allows(a)
		} else if host, _, _ := net.SplitHostPort(address); r.strict {
			err = &addressError{host, forbidden}
		} else {
			err = r.allowsName(host)
		}
		if err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
}

// addressOf returns the address that a connection leads to; the zero address if it is not one of IP.
func addressOf(conn net.Conn) netip.Addr {
	switch a := conn.RemoteAddr().(type) {
	case nil:
		return netip.Addr{}
	case *net.TCPAddr:
		return plain(a.AddrPort().Addr())
	default:
		parsed, _ := netip.ParseAddrPort(a.String())
		return plain(parsed.Addr())
	}
}

// plain returns the form of an address that addresses are compared by.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// ownTransport keeps as many idle connections to a host as a file uses. All files share it: a new connection costs two or three
// round trips. It connects by itself, so that a guard sees each address before it is connected to.
var ownTransport = sync.OnceValue(func() *http.Transport {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		t = standard.Clone()
	}
	t.DialContext = newDialer().DialContext
	t.MaxIdleConnsPerHost = 32
	t.DisableCompression = true
	return t
})

// newDialer returns a dialer like http.DefaultTransport's.
func newDialer() *net.Dialer {
	return &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
}
