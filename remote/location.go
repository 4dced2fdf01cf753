package remote

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// A store is a kind of server.
type store int

const (
	web   store = iota // any HTTP server
	s3                 // S3 and stores that speak its protocol
	gcs                // Google Cloud Storage
	azure              // Azure Blob Storage
	disk               // files of this machine
)

// A location is where a file is, or where files with a common prefix are.
type location struct {
	store   store
	url     *url.URL // to be asked for the file
	bucket  string   // or container
	key     string
	account string   // of Azure
	base    *url.URL // of the store: scheme, host and the path that all its URLs begin with
	lenient bool     // without credentials the requests are anonymous
	path    string   // of a file of this machine
	region  string
}

func (l location) local() bool { return l.store == disk }

// sameServer reports whether two files are of one host, or of one bucket.
func (l location) sameServer(m location) bool {
	if l.store == web {
		return m.store == web && sameHost(l.url, m.url)
	}
	return l.store == m.store && l.bucket == m.bucket && l.account == m.account
}

// String returns the URL without credentials and query.
func (l location) String() string {
	switch l.store {
	case s3:
		return "s3://" + l.bucket + "/" + l.key
	case gcs:
		return "gs://" + l.bucket + "/" + l.key
	case azure:
		return "az://" + l.bucket + "/" + l.key
	case disk:
		return l.path
	}
	return redacted(l.url)
}

// redacted returns a URL without credentials and query, for errors.
func redacted(u *url.URL) string {
	text := u.Scheme + "://" + u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		text += "?…"
	}
	return text
}

// IsURL reports whether a name is a URL that this package opens, and not the path of a file.
func IsURL(name string) bool {
	for _, scheme := range []string{"https", "http", "s3", "gs", "az"} {
		if len(name) > len(scheme)+3 && strings.EqualFold(name[:len(scheme)], scheme) && name[len(scheme):len(scheme)+3] == "://" {
			return true
		}
	}
	return false
}

// errURL is the error for a URL that cannot be used. It does not repeat the URL, which may have secrets.
func errURL(format string, args ...any) error {
	return diag.Errorf("remote", "invalid URL: "+format, args...)
}

// parseLocation parses a URL or a path.
func parseLocation(name string, o Options) (location, error) {
	if !IsURL(name) {
		return location{store: disk, path: name}, nil
	}
	scheme, rest, _ := strings.Cut(name, "://")
	switch scheme = strings.ToLower(scheme); scheme {
	case "http", "https":
		u, err := url.Parse(name)
		if err != nil || u.Host == "" {
			return location{}, errURL("want %s://host/path", scheme)
		}
		u.Fragment, u.RawFragment = "", ""
		if l, ok := storeURL(u, o); ok {
			return l, nil
		}
		return location{store: web, url: u}, nil
	}
	bucket, key, _ := strings.Cut(rest, "/")
	if bucket == "" || strings.ContainsAny(bucket, "?#%@:\\ ") || !validHost(bucket) {
		return location{}, errURL("want %s://bucket/key", scheme)
	}
	l := location{store: map[string]store{"s3": s3, "gs": gcs, "az": azure}[scheme], bucket: bucket, key: key}
	l.account = cmp.Or(o.Account, o.getenv("AZURE_STORAGE_ACCOUNT"), connection(o)["AccountName"])
	return l, l.resolve(o)
}

// validHost reports whether a bucket has the characters of buckets, which become part of a host name.
func validHost(bucket string) bool {
	for _, r := range bucket {
		if r > 126 || r < '-' || r == '/' {
			return false
		}
	}
	return true
}

// storeURL recognizes the https URLs of the three stores. URLs with a query are signed, or for another API.
func storeURL(u *url.URL, o Options) (l location, ok bool) {
	host := strings.ToLower(u.Host)
	first, rest, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if u.Scheme != "https" || u.RawQuery != "" || u.User != nil || o.Endpoint != "" || o.Header.Get("Authorization") != "" {
		return l, false
	}
	l = location{lenient: true}
	if front, ok := strings.CutSuffix(host, ".amazonaws.com"); ok {
		if bucket, region, ok := s3Host(front); ok {
			l.store, l.region, l.bucket, l.key = s3, region, bucket, strings.TrimPrefix(u.Path, "/")
			if bucket == "" {
				l.bucket, l.key = first, rest
			}
		}
	}
	switch bucket, google := strings.CutSuffix(host, ".storage.googleapis.com"); {
	case google:
		l.store, l.bucket, l.key = gcs, bucket, strings.TrimPrefix(u.Path, "/")
	case host == "storage.googleapis.com" || host == "storage.cloud.google.com":
		l.store, l.bucket, l.key = gcs, first, rest
	}
	if account, ok := strings.CutSuffix(host, ".blob.core.windows.net"); ok {
		l.store, l.account, l.bucket, l.key = azure, account, first, rest
	}
	if l.store == web || l.bucket == "" || !validHost(l.bucket) {
		return l, false
	}
	return l, l.resolve(o) == nil
}

// s3Host parses the part before .amazonaws.com: [bucket.]s3[.dualstack][.region] or [bucket.]s3-region.
func s3Host(front string) (bucket, region string, ok bool) {
	labels := strings.Split(front, ".")
	for i := len(labels) - 1; i >= 0; i-- {
		bucket = strings.Join(labels[:i], ".")
		switch after := labels[i+1:]; {
		case labels[i] == "s3" && len(after) == 0:
			return bucket, "", true
		case labels[i] == "s3" && len(after) == 1:
			return bucket, after[0], true
		case labels[i] == "s3" && len(after) == 2 && after[0] == "dualstack":
			return bucket, after[1], true
		case strings.HasPrefix(labels[i], "s3-") && len(after) == 0:
			return bucket, labels[i][len("s3-"):], true
		}
	}
	return "", "", false
}

// resolve sets the URLs of a location in a store.
func (l *location) resolve(o Options) error {
	endpoint := o.Endpoint
	switch l.store {
	case s3:
		l.region = cmp.Or(l.region, o.Region, o.getenv("AWS_REGION"), o.getenv("AWS_DEFAULT_REGION"))
		endpoint = cmp.Or(endpoint, o.getenv("AWS_ENDPOINT_URL_S3"), o.getenv("AWS_ENDPOINT_URL"))
	case gcs:
		if endpoint = cmp.Or(endpoint, o.getenv("STORAGE_EMULATOR_HOST"), "https://storage.googleapis.com"); !strings.Contains(endpoint, "://") {
			endpoint = "http://" + endpoint
		}
	case azure:
		endpoint = cmp.Or(endpoint, connection(o)["BlobEndpoint"])
		if l.account == "" && endpoint == "" {
			return errURL("which storage account: set Options.Account or AZURE_STORAGE_ACCOUNT")
		}
		endpoint = cmp.Or(endpoint, "https://"+l.account+".blob.core.windows.net")
	}
	if endpoint == "" {
		return l.resolveAWS()
	}
	base, err := url.Parse(endpoint)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return diag.Errorf("remote", "invalid endpoint: want http://host or https://host")
	}
	base.Path, base.RawPath = strings.TrimSuffix(base.Path, "/"), ""
	base.RawQuery, base.Fragment, base.User = "", "", nil
	l.base = base
	l.url = l.object(l.key)
	return nil
}

// ownEndpoint reports whether the server is not Amazon's.
func (l *location) ownEndpoint() bool {
	return l.base == nil || !strings.HasSuffix(l.base.Host, ".amazonaws.com") && !strings.HasSuffix(l.base.Host, ".amazonaws.com.cn")
}

// resolveAWS sets the URL of a bucket of Amazon, in the region.
func (l *location) resolveAWS() error {
	region := cmp.Or(l.region, "us-east-1")
	if strings.Trim(region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return errURL("a region has letters, digits and hyphens")
	}
	host := "s3." + region + ".amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		host += ".cn"
	}
	l.base = &url.URL{Scheme: "https", Host: host}
	if !strings.Contains(l.bucket, ".") { // a name with dots has no certificate
		l.base.Host = l.bucket + "." + host
	}
	l.url = l.object(l.key)
	return nil
}

// object returns the URL of a file in the bucket; of the bucket itself if key is "".
func (l *location) object(key string) *url.URL {
	path := l.base.Path
	switch {
	case l.store == gcs:
		path += "/storage/v1/b/" + escapePath(l.bucket, "")
		if key != "" {
			path += "/o/" + escapePath(key, "")
		}
	case strings.HasPrefix(l.base.Host, l.bucket+".") && l.store == s3:
		path += "/" + escapePath(key, "/")
	default:
		path += "/" + l.bucket
		if key != "" {
			path += "/" + escapePath(key, "/")
		}
	}
	u := *l.base
	u.RawPath = path
	u.Path, _ = url.PathUnescape(path) // path is escaped
	if l.store == gcs && key != "" {
		u.RawQuery = "alt=media"
	}
	return &u
}

// escapePath escapes all characters except unreserved ones, as the signatures of S3 require, and the characters in
// keep.
func escapePath(s, keep string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// connection returns the pairs of the connection string of Azure.
func connection(o Options) map[string]string {
	pairs := map[string]string{}
	for part := range strings.SplitSeq(o.getenv("AZURE_STORAGE_CONNECTION_STRING"), ";") {
		if name, value, ok := strings.Cut(part, "="); ok {
			pairs[strings.TrimSpace(name)] = value
		}
	}
	return pairs
}

// Redact returns a URL without credentials and query, as messages and logs may have it, and every other name as it is.
func Redact(name string) string {
	if !IsURL(name) {
		return name
	}
	scheme, rest, _ := strings.Cut(name, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if hasPath {
		path = "/" + path
	}
	if scheme = strings.ToLower(scheme); strings.HasPrefix(scheme, "http") {
		host, _, _ = strings.Cut(host, "?")
		if i := strings.IndexAny(path, "?#"); i >= 0 {
			path = path[:i]
		}
	}
	return scheme + "://" + host + path
}
