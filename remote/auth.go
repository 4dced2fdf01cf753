package remote

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"

	"github.com/npygo/npy/internal/cloudauth"
)

// An authorizer adds credentials to requests.
type authorizer interface {
	// Authorize sets the headers of a request whose body has the given SHA-256 in hexadecimal; "" if there is no body.
	Authorize(req *http.Request, sum string) error
}

// signerFunc is an Options.Signer.
type signerFunc func(*http.Request) error

func (f signerFunc) Authorize(req *http.Request, _ string) error { return f(req) }

// basic has the name and password of a URL.
type basic struct{ user *url.Userinfo }

func (b basic) Authorize(req *http.Request, _ string) error {
	if req.Header.Get("Authorization") == "" {
		password, _ := b.user.Password()
		req.SetBasicAuth(b.user.Username(), password)
	}
	return nil
}

// newClient returns a client for the file at a URL, or for the path of a file.
func newClient(name string, o Options) (*client, error) {
	given := o
	o = o.withDefaults()
	loc, err := parseLocation(name, o)
	if err != nil {
		return nil, err
	}
	c := &client{http: o.httpClient(), given: given, o: o, loc: loc, slots: make(chan struct{}, o.Concurrent), reach: reach{any: true}}
	if err := c.limitReach(); err != nil {
		return nil, err
	}
	c.auth = newAuthorizer(&c.loc, o)
	return c, nil
}

func newAuthorizer(l *location, o Options) authorizer {
	system := cloudauth.System{Env: o.getenv}
	switch {
	case l.store == web && l.url.User != nil:
		a := basic{l.url.User}
		l.url.User = nil
		if o.Signer == nil {
			return a
		}
		return signerFunc(o.Signer)
	case o.Signer != nil:
		return signerFunc(o.Signer)
	case o.Anonymous || l.store == web || l.store == disk:
		return nil
	case l.store == s3:
		a := cloudauth.NewAWS(system, o.Profile, l.region, l.lenient)
		if l.region = a.Region(); !l.ownEndpoint() {
			_ = l.resolveAWS() // the server of the region; the region of a profile may be wrong, which its answer says
		}
		return a
	case l.store == azure:
		return &cloudauth.Azure{System: system, Account: l.account, Connection: connection(o), Lenient: l.lenient}
	}
	if o.Endpoint != "" || o.getenv("STORAGE_EMULATOR_HOST") != "" {
		return &cloudauth.Google{System: system, Lenient: true} // an emulator asks for no token
	}
	return &cloudauth.Google{System: system, Lenient: l.lenient}
}

// elsewhere learns from a refusal of S3 in which region the bucket is. It reports whether the request is worth repeating.
func (c *client) elsewhere(err error) bool {
	var f *failure
	if c.loc.store != s3 || !errors.As(err, &f) || f.region == "" {
		return false
	}
	a, ok := c.auth.(*cloudauth.AWS)
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.region == c.region || f.region == cmp.Or(c.loc.region, "us-east-1") {
		return false
	}
	l := c.loc
	l.region = f.region
	if c.region != "" || c.loc.ownEndpoint() || l.resolveAWS() != nil {
		return false // it was told before
	}
	c.region, c.base = f.region, l.base
	if ok {
		a.SetRegion(f.region)
	}
	return true
}

// placed returns a URL of the store, at the server of the region that the bucket is in.
func (c *client) placed(u *url.URL) *url.URL {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.base == nil || u.Host != c.loc.base.Host {
		return u
	}
	there := *u
	there.Host = c.base.Host
	return &there
}
