package cloudauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"
)

// AWSKeys are the credentials of one identity of AWS.
type AWSKeys struct {
	ID, Secret string
	Token      string // of temporary keys
	until      time.Time
}

const (
	amzTime = "20060102T150405Z"

	// EmptySum is the SHA-256 of nothing.
	EmptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

// SignV4 signs a request for a service of AWS, Signature Version 4. sum is the SHA-256 of the body in hexadecimal. All
// headers that the request sets are signed, except headers that proxies change. The path must be escaped as S3
// requires.
func SignV4(req *http.Request, keys AWSKeys, region, service, sum string, now time.Time) {
	stamp := now.UTC().Format(amzTime)
	req.Header.Set("X-Amz-Date", stamp)
	if keys.Token != "" {
		req.Header.Set("X-Amz-Security-Token", keys.Token)
	}
	if service == "s3" {
		req.Header.Set("X-Amz-Content-Sha256", sum)
	}
	headers, signed := canonicalHeaders(req)
	canonical := strings.Join([]string{req.Method, canonicalPath(req), canonicalQuery(req.URL.RawQuery), headers, signed, sum}, "\n")
	scope := stamp[:8] + "/" + region + "/" + service + "/aws4_request"
	hash := sha256.Sum256([]byte(canonical))
	text := "AWS4-HMAC-SHA256\n" + stamp + "\n" + scope + "\n" + hex.EncodeToString(hash[:])
	key := []byte("AWS4" + keys.Secret)
	for _, part := range []string{stamp[:8], region, service, "aws4_request"} {
		key = mac(key, part)
	}
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+keys.ID+"/"+scope+", SignedHeaders="+signed+", Signature="+hex.EncodeToString(mac(key, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func canonicalPath(req *http.Request) string {
	if p := req.URL.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

// canonicalQuery sorts the pairs of an escaped query by name and value.
func canonicalQuery(raw string) string {
	if raw == "" {
		return ""
	}
	pairs := strings.Split(raw, "&")
	for i, p := range pairs {
		if !strings.Contains(p, "=") {
			pairs[i] = p + "="
		}
	}
	slices.SortFunc(pairs, func(a, b string) int {
		an, av, _ := strings.Cut(a, "=")
		bn, bv, _ := strings.Cut(b, "=")
		if c := strings.Compare(an, bn); c != 0 {
			return c
		}
		return strings.Compare(av, bv)
	})
	return strings.Join(pairs, "&")
}

// unsigned headers may be changed on the way, or are set later.
var unsigned = []string{"authorization", "user-agent", "accept-encoding", "x-amzn-trace-id", "expect", "connection"}

// canonicalHeaders returns the signed headers in the form that is hashed, and their names.
func canonicalHeaders(req *http.Request) (lines, names string) {
	host := req.Host
	if host == "" {
		host = req.URL.Host
	}
	values := map[string]string{"host": host}
	for name, v := range req.Header {
		if name = strings.ToLower(name); !slices.Contains(unsigned, name) {
			trimmed := make([]string, len(v))
			for i, s := range v {
				trimmed[i] = strings.Join(strings.Fields(s), " ")
			}
			values[name] = strings.Join(trimmed, ",")
		}
	}
	sorted := make([]string, 0, len(values))
	for name := range values {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	var b strings.Builder
	for _, name := range sorted {
		b.WriteString(name + ":" + values[name] + "\n")
	}
	return b.String(), strings.Join(sorted, ";")
}
