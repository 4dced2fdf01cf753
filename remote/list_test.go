package remote

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
)

// pagesOf returns Options whose requests are answered by a function with the bodies of answers.
func pagesOf(answer func(r *http.Request) io.Reader) Options {
	o := withEnv(map[string]string{"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "verysecret"})
	o.Anonymous, o.Account = true, "a"
	o.Client = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(answer(r)), Request: r}, nil
	})}
	return o
}

// endless repeats a text after a start, without end.
type endless struct {
	start, again string
	at           string
}

func (e *endless) Read(p []byte) (n int, err error) {
	if e.start != "" {
		e.at, e.start = e.start, ""
	}
	for n < len(p) {
		if e.at == "" {
			e.at = e.again
		}
		m := copy(p[n:], e.at)
		n, e.at = n+m, e.at[m:]
	}
	return n, nil
}

// listAll lists everything of a store, and returns the number of files.
func listAll(t *testing.T, scheme string, o Options) (n int, err error) {
	t.Helper()
	for _, err := range List(t.Context(), scheme+"bucket/**", o) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// allocated returns the bytes that f allocates, in total.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

const (
	s3Page    = "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>%d</NextContinuationToken>%s</ListBucketResult>"
	azurePage = "<EnumerationResults><NextMarker>%d</NextMarker><Blobs>%[2]s</Blobs></EnumerationResults>"
	gcsPage   = `{"nextPageToken": "%d", "items": [%s]}`
)

// One answer without end, of any form, ends with the name of a limit or as invalid, and costs little: no more than a page may have.
func TestEndlessAnswers(t *testing.T) {
	const little, page = 1 << 20, 5 * mostPage
	for _, tt := range []struct {
		scheme, name, start, again, want string
		most                             uint64 // bytes that are allocated
	}{
		{"s3", "levels", "<ListBucketResult>", "<a>", "more than 16 levels", little},
		{"s3", "levels with long names", "<ListBucketResult>", "<" + strings.Repeat("a", 5000) + ">", "more than 16 levels", little},
		{"s3", "root of another name", "", "<a>", "more than 16 levels", little},
		{"s3", "another root", "", "<a><b/>", "no ListBucketResult", little},
		{"s3", "tag", "<ListBucketResult><a", "a", "an element of more than 65536 bytes", little},
		{"s3", "attributes", "<ListBucketResult><a ", `b="c" `, "an element of more than 65536 bytes", 4 * little},
		{"s3", "text", "<ListBucketResult><Contents><Key>", "k", "an element of more than 65536 bytes", little},
		{"s3", "text in pieces", "<ListBucketResult><Contents><Key>", "k<!---->", "a text of more than 65536 bytes", 10 * little},
		{"s3", "comment", "<ListBucketResult><!--", " ", "an element of more than 65536 bytes", little},
		{"s3", "spaces", "", " ", "an element of more than 65536 bytes", little},
		{"s3", "directive", "<!DOCTYPE a [", "<!ENTITY b 'c'>", "an element of more than 65536 bytes", little},
		{"s3", "files", "<ListBucketResult>", "<Contents><Key>k</Key></Contents>", "more than 10000 files at once", 20 * little},
		{"s3", "namespaces", "<ListBucketResult>", `<a xmlns:b="c">`, "more than 16 levels", little},
		{"az", "levels", "<EnumerationResults><Blobs>", "<Blob>", "more than 16 levels", little},
		{"az", "text", "<EnumerationResults><NextMarker>", "k", "an element of more than 65536 bytes", little},
		{"az", "files", "<EnumerationResults><Blobs>", "<Blob><Name>k</Name></Blob>", "more than 10000 files at once", 20 * little},
		{"gs", "levels", "", "[", "more than 16777216 bytes", 2 * page},
		{"gs", "text", `{"items": [{"name": "`, "k", "more than 16777216 bytes", 2 * page},
		{"gs", "files", `{"items": [`, `{"size": "1"},`, "more than 16777216 bytes", 2 * page},
	} {
		o := pagesOf(func(*http.Request) io.Reader { return &endless{start: tt.start, again: tt.again} })
		o.Retries = -1
		var err error
		got := allocated(func() { _, err = listAll(t, tt.scheme+"://", o) })
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: error %v, want %s", tt.scheme, tt.name, err, tt.want)
		} else {
			noSecret(t, err)
		}
		if over := new(npy.LimitError); strings.Contains(tt.want, "more than") != errors.As(err, &over) {
			t.Errorf("%s, %s: error %v is a limit: %v", tt.scheme, tt.name, err, errors.As(err, &over))
		}
		if got > tt.most {
			t.Errorf("%s, %s: %d bytes were allocated, at most %d", tt.scheme, tt.name, got, tt.most)
		}
	}
}

// Documents of small elements end by their bytes.
func TestLongDocuments(t *testing.T) {
	for start, again := range map[string]string{
		"": "<?a b?>", "<ListBucketResult>": "<a/>", "<ListBucketResult><a>": "<Contents/>", "<ListBucketResult><b/>": "<!-- -->", "<ListBucketResult><c/>": "a<b/>", "<ListBucketResult></ListBucketResult>": "<?a b?>",
	} {
		err := parseXML(&endless{start: start, again: again}, "ListBucketResult", 1<<20, func(string, []byte) error { return nil })
		if err == nil || !errors.Is(err, npy.ErrLimit) || !strings.Contains(err.Error(), "more than 1048576 bytes at once") {
			t.Errorf("%s%s…: error %v", start, again, err)
		}
	}
	err := parseXML(&endless{start: "<Error><Code>SlowDown</Code>", again: "<a/>"}, "ListBucketResult", 1<<20, nil)
	if f := new(failure); !errors.As(err, &f) || f.code != "SlowDown" || !f.retry {
		t.Errorf("error %v", err)
	}
}

// A page that ends and is deep, or has many values that nobody needs, allocates memory in proportion to its bytes, all steps together.
func TestLargePages(t *testing.T) {
	for _, tt := range []struct{ scheme, start, again, end, want string }{
		{"s3", "<ListBucketResult>", "<a>", "", "more than 16 levels"},
		{"gs", `{"x": `, "[", "", "invalid"},
		{"gs", `{"items": [{"size": "1"}`, `,{"size": "1"}`, `]}`, ""},
		{"gs", `{"items": [{"name": "k", "size": "1"}`, `,{"name": "k", "size": "1"}`, `]}`, "more than 10000 files at once"},
		{"gs", `{"x": [0`, `,0`, `]}`, ""},
		{"gs", `{"x": {"a":0`, `,"a":0`, `}}`, ""},
	} {
		size := 15 << 20
		if testing.Short() {
			size = 2 << 20
		}
		n := size / len(tt.again)
		o := pagesOf(func(*http.Request) io.Reader {
			return io.MultiReader(strings.NewReader(tt.start), io.LimitReader(&endless{again: tt.again}, int64(n*len(tt.again))), strings.NewReader(tt.end))
		})
		var err error
		if got := allocated(func() { _, err = listAll(t, tt.scheme+"://", o) }); got > uint64(13*size) {
			t.Errorf("%s %s: %d bytes for %d", tt.scheme, tt.again, got, size)
		}
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s %s: error %v, want %s", tt.scheme, tt.again, err, tt.want)
		}
	}
}

// Lists of pages without end end: by the number of files, by the bytes of the answers, or by pages that bring nothing.
func TestEndlessLists(t *testing.T) {
	stores := []struct{ scheme, page, file string }{
		{"s3://", s3Page, "<Contents><Key>%d</Key><Size>1</Size></Contents>"},
		{"az://", azurePage, "<Blob><Name>%d</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>"},
		{"gs://", gcsPage, `{"name": "%d", "size": "1"}`},
	}
	for i, s := range stores {
		for _, tt := range []struct {
			name  string
			file  func(page int) string
			token func(page int) int
			want  string
			files int
		}{
			{"no files", func(int) string { return "" }, func(n int) int { return n }, "lists no files on 1000 pages, one after another", 0},
			{"no files after some", func(n int) string {
				if n < 10 {
					return fmt.Sprintf(s.file, n)
				}
				return ""
			}, func(n int) int { return n }, "lists no files on 1000 pages, one after another", 9},
			{"a file on each page", func(n int) string { return fmt.Sprintf(s.file, n) }, func(n int) int { return n }, "lists more than 2000 files", 2000},
			{"the same file", func(int) string { return fmt.Sprintf(s.file, 1) }, func(n int) int { return n }, "lists files without end", 2},
			{"the same page", func(n int) string { return fmt.Sprintf(s.file, n) }, func(int) int { return 1 }, "lists files without end", 2},
			{"nothing but space", func(int) string { return strings.Repeat("<!-- -->", 1<<20) }, func(n int) int { return n }, "for a list of 0 files", 0},
			{"long names", func(n int) string {
				return strings.Replace(fmt.Sprintf(s.file, n), fmt.Sprint(n), fmt.Sprint(n)+strings.Repeat("n", 60<<10), 1)
			}, func(n int) int { return n }, "over 1024 bytes for each of MaxKeys", -1},
		} {
			if tt.name == "nothing but space" && (i > 0 || testing.Short()) || testing.Short() && i > 0 && tt.files != 2000 {
				continue // it is long, and the same for all
			}
			pages := 0
			o := pagesOf(func(*http.Request) io.Reader {
				pages++
				return strings.NewReader(fmt.Sprintf(s.page, tt.token(pages), tt.file(pages)))
			})
			o.MaxKeys = 2000
			n, err := listAll(t, s.scheme, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.files >= 0 && n != tt.files {
				t.Errorf("%s, %s: %d files, error %v, want %d and %s", s.scheme, tt.name, n, err, tt.files, tt.want)
			}
			var over *npy.LimitError
			if strings.Contains(tt.want, "MaxKeys") && (!errors.As(err, &over) || over.Name != "MaxKeys") {
				t.Errorf("%s, %s: the error %v does not name MaxKeys", s.scheme, tt.name, err)
			}
		}
	}
	ids := 0
	o := pagesOf(func(*http.Request) io.Reader {
		ids++
		return strings.NewReader(fmt.Sprintf("<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>%d</NextKeyMarker><Upload><Key>k</Key><UploadId>%[1]d</UploadId></Upload></ListMultipartUploadsResult>", ids))
	})
	o.MaxKeys = 100
	n := 0
	for _, err := range Uploads(t.Context(), "s3://bucket/", o) {
		if n++; err != nil && !errors.Is(err, npy.ErrLimit) {
			t.Error(err)
		}
	}
	if n != 101 {
		t.Errorf("%d uploads", n)
	}
}

// A negative MaxKeys is no limit, and empty pages between others are none.
func TestLongLists(t *testing.T) {
	pages := 0
	o := pagesOf(func(*http.Request) io.Reader {
		pages++
		file := ""
		if pages%900 == 0 {
			file = fmt.Sprintf("<Contents><Key>%d</Key></Contents>", pages)
		}
		text := fmt.Sprintf(s3Page, pages, file)
		if pages == 2000 {
			text = strings.Replace(text, "true", "false", 1)
		}
		return strings.NewReader(text)
	})
	o.MaxKeys = -1
	if n, err := listAll(t, "s3://", o); n != 2 || err != nil {
		t.Errorf("%d files, error %v", n, err)
	}
}

// A caller who keeps all files needs at most 200 bytes for each, beyond its name.
func TestListMemory(t *testing.T) {
	pages, files := 100, 1000
	if testing.Short() {
		pages = 20
	}
	name := func(i int) string { return fmt.Sprintf("folder/subfolder/part-%08d.npy", i) }
	at := 0
	o := pagesOf(func(*http.Request) io.Reader {
		var b bytes.Buffer
		for range files {
			fmt.Fprintf(&b, `<Contents><Key>%s</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;0123456789abcdef0123456789abcdef&quot;</ETag><Size>1</Size></Contents>`, name(at))
			at++
		}
		text := fmt.Sprintf(s3Page, at, b.String())
		if at == pages*files {
			text = strings.Replace(text, "true", "false", 1)
		}
		return strings.NewReader(text)
	})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var all []Entry
	for e, err := range List(t.Context(), "s3://bucket/folder/**", o) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / int64(pages*files)
	t.Logf("%d bytes for each of %d files", each, len(all))
	if most := int64(len("s3://bucket/"+name(0)) + 200); len(all) != pages*files || each > most {
		t.Errorf("%d files of %d bytes each, at most %d", len(all), each, most)
	}
	if e := all[12345]; e.URL != "s3://bucket/"+name(12345) || e.Size != 1 || e.ETag != `"0123456789abcdef0123456789abcdef"` || e.Modified.IsZero() {
		t.Errorf("%+v", e)
	}
}

// pageOfXML is a page as encoding/xml reads it into memory.
type pageOfXML struct {
	XMLName   xml.Name `xml:"ListBucketResult"`
	Truncated bool     `xml:"IsTruncated"`
	Next      string   `xml:"NextContinuationToken"`
	Contents  []struct {
		Key          string
		Size         int64
		ETag         string
		LastModified time.Time
	}
}

// The elements of a page are as encoding/xml finds them, however they are written.
func TestPagesAsXML(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 18))
	texts := []string{"a/b.npy", "&amp;&lt;&#228;", "<![CDATA[<x>&]]>", "x<!-- c -->y", "é ü", "  spaces  ", ""}
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for range 500 {
		var b strings.Builder
		b.WriteString(pick("", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "\ufeff", "<!-- c -->"))
		b.WriteString(pick("<ListBucketResult>", `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`))
		b.WriteString(pick("", "<Name>b</Name>", "<IsTruncated>true</IsTruncated>", "<IsTruncated> false </IsTruncated>", "<Other><Key>no</Key><Contents/></Other>"))
		for range r.IntN(4) {
			b.WriteString("<Contents>" + pick("", "\n  ") + "<Key>" + pick(texts...) + "</Key>")
			b.WriteString(pick("", "<Owner><ID>1</ID><Key>no</Key></Owner>", "<StorageClass/>"))
			b.WriteString(pick("<Size>5</Size>", "<Size> 7 </Size>", "<Size a='b'>0</Size>") + pick("", "<ETag>&quot;e&quot;</ETag>", "<LastModified>2026-01-02T03:04:05Z</LastModified>"))
			b.WriteString("</Contents>")
		}
		b.WriteString(pick("", "<NextContinuationToken>t&amp;</NextContinuationToken>") + "</ListBucketResult>" + pick("", "\n"))
		text := b.String()
		if r.IntN(10) == 0 {
			text = text[:r.IntN(len(text))]
		}
		var want pageOfXML
		wantErr := xml.Unmarshal([]byte(text), &want)
		got, err := parseList(s3, strings.NewReader(text))
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s\nerror %v, with encoding/xml %v", text, err, wantErr)
			continue
		}
		if err != nil {
			continue
		}
		var objects []object
		for _, c := range want.Contents {
			if c.Key != "" {
				objects = append(objects, object{c.Key, c.Size, c.ETag, c.LastModified})
			}
		}
		if !want.Truncated {
			want.Next = ""
		}
		if fmt.Sprint(got.objects) != fmt.Sprint(objects) || got.next != want.Next {
			t.Errorf("%s\nfiles %v, next %q, want %v and %q", text, got.objects, got.next, objects, want.Next)
		}
	}
}
