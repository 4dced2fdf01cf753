package remote

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestContentRange(t *testing.T) {
	for _, tt := range []struct {
		text              string
		start, end, total int64
		ok                bool
	}{
		{"bytes 0-9/10", 0, 9, 10, true},
		{"bytes 5-9/*", 5, 9, -1, true},
		{"bytes */10", -1, -1, 10, true},
		{text: "bytes */*"}, {text: "bytes 0-10/10"}, {text: "bytes 5-4/10"}, {text: "bytes -1-4/10"}, {text: "bytes 0-9"}, {text: "0-9/10"}, {text: ""},
		{text: "bytes +0-9/10"}, {text: "bytes 0-9/99999999999999999999"}, {text: "bytes 0-9/10 "}, {text: "bytes  0-9/10"},
	} {
		start, end, total, ok := parseContentRange(tt.text)
		if ok != tt.ok || ok && (start != tt.start || end != tt.end || total != tt.total) {
			t.Errorf("%q: %d-%d/%d, %v", tt.text, start, end, total, ok)
		}
	}
}

func FuzzContentRange(f *testing.F) {
	f.Add("bytes 0-9/10")
	f.Add("bytes */10")
	f.Fuzz(func(t *testing.T, text string) {
		start, end, total, ok := parseContentRange(text)
		if !ok || start < 0 {
			return
		}
		if end < start || total >= 0 && end >= total {
			t.Errorf("%q: %d-%d/%d", text, start, end, total)
		}
		again := fmt.Sprintf("bytes %d-%d/%d", start, end, total)
		if total < 0 {
			again = fmt.Sprintf("bytes %d-%d/*", start, end)
		}
		if s, e, n, ok := parseContentRange(again); !ok || s != start || e != end || n != total {
			t.Errorf("%q comes back as %d-%d/%d", again, s, e, n)
		}
	})
}

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-3": 0, "x": 0, "99999999999999999999": 0, "9999999999": 1 << 31 * time.Second,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Minute).Format(http.TimeFormat): 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func FuzzErrorBody(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbf<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>m</Message><Region>r</Region></Error>"))
	f.Add([]byte(`{"error": {"message": "m", "errors": [{"reason": "r"}]}}`))
	f.Add([]byte(`{"error": "invalid_grant", "error_description": "d"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e := parseError(body)
		if line := printable(e.Message); len(line) > 3*203 || strings.ContainsAny(line, "\n\r\x1b") {
			t.Errorf("%q becomes %q", e.Message, line)
		}
	})
}

func TestLocations(t *testing.T) {
	env := map[string]string{"AZURE_STORAGE_ACCOUNT": "acc"}
	for _, tt := range []struct {
		name, endpoint string
		url, text      string // of the requests; in errors
	}{
		{"s3://b/a/k y+é.npy", "", "https://b.s3.us-east-1.amazonaws.com/a/k%20y%2B%C3%A9.npy", "s3://b/a/k y+é.npy"},
		{"s3://b.c/k", "", "https://s3.us-east-1.amazonaws.com/b.c/k", "s3://b.c/k"},
		{"s3://b//k?x", "http://localhost:9000", "http://localhost:9000/b//k%3Fx", "s3://b//k?x"},
		{"S3://b/k", "https://h/base/", "https://h/base/b/k", "s3://b/k"},
		{"https://b.s3.eu-west-1.amazonaws.com/a/k", "", "https://b.s3.eu-west-1.amazonaws.com/a/k", "s3://b/a/k"},
		{"https://s3.eu-west-1.amazonaws.com/b/k", "", "https://b.s3.eu-west-1.amazonaws.com/k", "s3://b/k"},
		{"https://b.s3-us-west-2.amazonaws.com/k", "", "https://b.s3.us-west-2.amazonaws.com/k", "s3://b/k"},
		{"https://b.s3.dualstack.us-west-2.amazonaws.com/k", "", "https://b.s3.us-west-2.amazonaws.com/k", "s3://b/k"},
		{"https://b.s3.amazonaws.com/k?X-Amz-Signature=1", "", "https://b.s3.amazonaws.com/k?X-Amz-Signature=1", "https://b.s3.amazonaws.com/k?…"},
		{"https://ec2.amazonaws.com/k", "", "https://ec2.amazonaws.com/k", "https://ec2.amazonaws.com/k"},
		{"gs://b/a/k", "", "https://storage.googleapis.com/storage/v1/b/b/o/a%2Fk?alt=media", "gs://b/a/k"},
		{"https://storage.googleapis.com/b/a/k", "", "https://storage.googleapis.com/storage/v1/b/b/o/a%2Fk?alt=media", "gs://b/a/k"},
		{"https://b.storage.googleapis.com/k", "", "https://storage.googleapis.com/storage/v1/b/b/o/k?alt=media", "gs://b/k"},
		{"az://c/a/k", "", "https://acc.blob.core.windows.net/c/a/k", "az://c/a/k"},
		{"https://x.blob.core.windows.net/c/k", "", "https://x.blob.core.windows.net/c/k", "az://c/k"},
		{"http://h:80/a%2Fb?q#f", "", "http://h:80/a%2Fb?q", "http://h:80/a%2Fb?…"},
	} {
		o := noWait()
		o.Endpoint = tt.endpoint
		o.getenv = func(name string) string { return env[name] }
		l, err := parseLocation(tt.name, o.withDefaults())
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if l.url.String() != tt.url || l.String() != tt.text {
			t.Errorf("%s: %s, in errors %s; want %s and %s", tt.name, l.url, l, tt.url, tt.text)
		}
	}
}

func FuzzLocation(f *testing.F) {
	f.Add("s3://b/k")
	f.Add("https://u:p@h/k?q")
	f.Add("gs://b/a b")
	f.Fuzz(func(t *testing.T, name string) {
		o := noWait().withDefaults()
		o.Account = "a"
		l, err := parseLocation(name, o)
		if err != nil || l.local() {
			return
		}
		if l.url.Host == "" || l.url.Scheme != "http" && l.url.Scheme != "https" {
			t.Errorf("%q: %s", name, l.url)
		}
		if l.store != web && !strings.HasSuffix(l.url.Host, ".amazonaws.com") && !strings.HasSuffix(l.url.Host, ".googleapis.com") && !strings.HasSuffix(l.url.Host, ".windows.net") && !strings.HasSuffix(l.url.Host, ".amazonaws.com.cn") {
			t.Errorf("%q leads to %s", name, l.url.Host)
		}
	})
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken><Contents><Key>k</Key><Size>5</Size></Contents></ListBucketResult>`))
	f.Add([]byte("\xef\xbb\xbf<EnumerationResults><Blobs><Blob><Name>k</Name><Properties><Content-Length>5</Content-Length></Properties></Blob></Blobs><NextMarker/></EnumerationResults>"))
	f.Add([]byte(`{"items": [{"name": "k", "size": "5"}], "nextPageToken": "t"}`))
	f.Add([]byte(`<ListPartsResult><Part><PartNumber>1</PartNumber><ETag>"a"</ETag><Size>5</Size></Part></ListPartsResult>`))
	f.Add([]byte(`<BlockList><UncommittedBlocks><Block><Name>` + blockName("id", 7) + `</Name><Size>5</Size></Block></UncommittedBlocks></BlockList>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range []store{s3, gcs, azure} {
			if p, err := parseList(s, bytes.NewReader(data)); err != nil && (len(p.objects) > 0 || p.next != "") {
				t.Error("a list beside an error")
			}
		}
		if p, err := parseParts(bytes.NewReader(data)); err != nil && len(p.parts) > 0 {
			t.Error("parts beside an error")
		}
		blocks, err := parseBlocks(bytes.NewReader(data))
		if err != nil && len(blocks) > 0 {
			t.Error("blocks beside an error")
		}
		for _, b := range blocks {
			if id := b.upload(); id != "" && !validID(id) {
				t.Errorf("the block %q is of upload %q", b.Name, id)
			}
		}
	})
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		glob, name string
		want       bool
	}{
		{"a/*.npy", "a/b.npy", true}, {"a/*.npy", "a/b/c.npy", false}, {"**", "a/b", true}, {"a/**", "a", true}, {"a/**/c", "a/c", true}, {"a/**/c", "a/x/y/c", true},
		{"a/**/c", "a/x/y/d", false}, {"*", "", true}, {`a\*`, "a*", true}, {`a\*`, "ab", false}, {"**/**/**/x", "a/b/c/d/y", false},
	} {
		if got := matches(strings.Split(tt.glob, "/"), strings.Split(tt.name, "/")); got != tt.want {
			t.Errorf("%s matches %s: %v", tt.glob, tt.name, got)
		}
	}
	for e, err := range List(t.Context(), "s3://b/a[", noWait()) {
		if err == nil {
			t.Errorf("%v", e)
		}
	}
	for e, err := range List(t.Context(), "https://h/a*", noWait()) {
		if err == nil {
			t.Errorf("%v", e)
		}
	}
}

func TestRedact(t *testing.T) {
	for name, want := range map[string]string{
		"a.npy": "a.npy", "dir/a.npy?x": "dir/a.npy?x",
		"https://host/a.npy?sig=secret": "https://host/a.npy", "https://user:secret@host:8080/a@b.npy#x": "https://host:8080/a@b.npy",
		"HTTP://host?sig=secret": "http://host", "https://host/?a/b@c": "https://host/", "https://user:a/b@host/c": "https://user:a/b@host/c",
		"s3://bucket/what?.npy": "s3://bucket/what?.npy", "s3://key:secret@bucket/x": "s3://bucket/x",
	} {
		if got := Redact(name); got != want {
			t.Errorf("Redact(%q) = %q, want %q", name, got, want)
		}
	}
}
