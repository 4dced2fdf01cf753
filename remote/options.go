package remote

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"time"
)

// Options configures access to a store. The zero value looks for credentials where the tools of the store do.
type Options struct {
	// Client sends the requests. nil means a client that this package shares among its files, with the settings of
	// http.DefaultTransport but for its way to connect. Redirects are followed by this package, whatever the CheckRedirect of
	// the client says. The addresses that they lead to can be checked only if the Transport is nil or an *http.Transport; of
	// any other, and through a proxy, only the names of hosts are.
	Client *http.Client

	// Untrusted says that the URL comes from a stranger: it and all that it leads to are read without credentials of this
	// machine, as with Anonymous, from public addresses only. The server of an s3, gs or az URL may have any address. It needs a
	// Client whose addresses can be checked. Behind a proxy, the proxy has to refuse addresses that names lead to.
	Untrusted bool

	// PrivateRedirects lets servers of the internet lead to private addresses and to this machine: see the documentation of
	// the package. Link-local addresses, where clouds answer with credentials, are refused all the same.
	PrivateRedirects bool

	// Endpoint is the URL of the server of an s3, gs or az URL, such as "http://localhost:9000" for MinIO. "" means the
	// server of the provider, or the one in AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or STORAGE_EMULATOR_HOST.
	Endpoint string

	// Region is the region of an S3 bucket. "" means AWS_REGION, AWS_DEFAULT_REGION, the profile, or us-east-1. If the
	// bucket is in another region, its answer says which, and the request is repeated.
	Region string

	// Profile selects a profile of the files of AWS. "" means AWS_PROFILE, or default.
	Profile string

	// Account is the storage account of an az URL. "" means AZURE_STORAGE_ACCOUNT or the one in
	// AZURE_STORAGE_CONNECTION_STRING.
	Account string

	// Anonymous sends requests without credentials.
	Anonymous bool

	// Signer, if it is not nil, authorizes each request in place of the credentials of this package, by setting headers.
	// It is called again for each repetition, and not for redirects to another host. It may be called by several
	// goroutines.
	Signer func(req *http.Request) error

	// Header is sent with every request to the host of the URL, and not to others. It may have an Authorization.
	Header http.Header

	// Retries is the number of times that a failed request is repeated. 0 means 10, negative numbers mean none.
	Retries int

	// Timeout limits each request, with its repetitions, its redirects and the credentials for it. A read of more than 4 MiB, a list
	// and an upload make several. 0 means 3 minutes; negative numbers mean no limit.
	Timeout time.Duration

	// IdleTimeout limits the wait for the next bytes of an answer. 0 means 30 seconds; negative numbers mean no limit.
	IdleTimeout time.Duration

	// Cache is the number of bytes of a file that are kept in memory. 0 means 32 MiB. The minimum is 4 MiB.
	Cache int64

	// Concurrent is the largest number of requests at the same time. 0 means 16.
	Concurrent int

	// MaxSkip limits the bytes that are read and dropped to reach an offset on a server that ignores ranges. 0 means 256
	// MiB; negative numbers mean no limit.
	MaxSkip int64

	// MaxKeys limits the files that [List] and [Uploads] receive, and to 1 KiB for each of them the bytes of the answers. 0 means
	// 1,048,576; negative numbers mean no limit.
	MaxKeys int

	// PartSize is the size of the parts that [Create] and [Begin] upload, in bytes. 0 means 8 MiB or, for an array of
	// known size, the size that 10,000 parts need. The minimum is 5 MiB but for local files.
	PartSize int64

	// IfAbsent makes [Create] and [Begin] fail with fs.ErrExist if the file exists, also if it appears while they write.
	IfAbsent bool

	reach  *reach                                     // of the URL, if a file that was opened names it; nil if the caller does
	getenv func(string) string                        // nil means os.Getenv
	sleep  func(context.Context, time.Duration) error // nil means sleep
}

const (
	openBytes   = 64 << 10 // of the first request
	blockSize   = 1 << 20  // of reading ahead
	minCache    = 4 * blockSize
	maxRedirect = 10
)

// withDefaults returns o with the values that its zeros stand for.
func (o Options) withDefaults() Options {
	o.Retries = max(cmp.Or(o.Retries, 10), 0)
	o.Timeout = cmp.Or(o.Timeout, 3*time.Minute)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 30*time.Second)
	o.Cache = max(cmp.Or(o.Cache, 32<<20), minCache)
	o.Concurrent = max(cmp.Or(o.Concurrent, 16), 1)
	o.MaxSkip = cmp.Or(o.MaxSkip, 256<<20)
	o.MaxKeys = cmp.Or(o.MaxKeys, 1<<20)
	o.Anonymous = o.Anonymous || o.Untrusted
	if o.getenv == nil {
		o.getenv = os.Getenv
	}
	if o.sleep == nil {
		o.sleep = sleep
	}
	return o
}

// httpClient returns the client for requests, which follows no redirects.
func (o Options) httpClient() *http.Client {
	c := http.Client{Transport: ownTransport()}
	if o.Client != nil {
		if c = *o.Client; c.Transport == nil {
			c.Transport = ownTransport()
		}
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}
