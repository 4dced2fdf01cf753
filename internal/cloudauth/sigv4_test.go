package cloudauth

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The vectors of the test suite of AWS for Signature Version 4, and the examples in the documentation of S3.
func TestSignV4(t *testing.T) {
	suite := AWSKeys{ID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}
	docs := AWSKeys{ID: "AKIAIOSFODNN7EXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	for _, tt := range []struct {
		name, method, url string
		header            http.Header
		body, want        string
		keys              AWSKeys
	}{
		{"get-vanilla", "GET", "https://example.amazonaws.com/", nil, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31", suite},
		{"get-vanilla-query-order-key-case", "GET", "https://example.amazonaws.com/?Param2=value2&Param1=value1", nil, "", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500", suite},
		{"get-vanilla-empty-query-key", "GET", "https://example.amazonaws.com/?Param1=value1", nil, "", "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb", suite},
		{"get-header-key-duplicate", "GET", "https://example.amazonaws.com/", http.Header{"My-Header1": {"value2", "value2", "value1"}}, "", "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea", suite},
		{"get-header-value-trim", "GET", "https://example.amazonaws.com/", http.Header{"My-Header1": {" value1"}, "My-Header2": {` "a   b   c"`}}, "", "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736", suite},
		{"get-unreserved", "GET", "https://example.amazonaws.com/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", nil, "", "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f", suite},
		{"get-utf8", "GET", "https://example.amazonaws.com/%E1%88%B4", nil, "", "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85", suite},
		{"post-vanilla", "POST", "https://example.amazonaws.com/", nil, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b", suite},
		{"S3: an object", "GET", "https://examplebucket.s3.amazonaws.com/test.txt", http.Header{"Range": {"bytes=0-9"}}, "", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", docs},
		{"S3: put", "PUT", "https://examplebucket.s3.amazonaws.com/test%24file.text", http.Header{"Date": {"Fri, 24 May 2013 00:00:00 GMT"}, "X-Amz-Storage-Class": {"REDUCED_REDUNDANCY"}}, "Welcome to Amazon S3.", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd", docs},
		{"S3: lifecycle", "GET", "https://examplebucket.s3.amazonaws.com/?lifecycle", nil, "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543", docs},
		{"S3: list", "GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", nil, "", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7", docs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequest(tt.method, tt.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.header != nil {
				req.Header = tt.header
			}
			service, now := "service", time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
			if tt.keys.ID == docs.ID {
				service, now = "s3", time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
			}
			sum := sha256.Sum256([]byte(tt.body))
			req.Header.Set("User-Agent", "not signed")
			SignV4(req, tt.keys, "us-east-1", service, hex.EncodeToString(sum[:]), now)
			if got := req.Header.Get("Authorization"); !strings.HasSuffix(got, "Signature="+tt.want) {
				t.Errorf("Authorization: %s, want the signature %s", got, tt.want)
			}
		})
	}
}
