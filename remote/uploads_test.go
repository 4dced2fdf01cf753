package remote

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// Uploads are listed over pages, and aborted by their ids.
func TestUploads(t *testing.T) {
	var aborted []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		switch {
		case r.Method == http.MethodDelete:
			aborted = append(aborted, r.URL.Path+" "+q.Get("uploadId"))
			w.WriteHeader(http.StatusNoContent)
		case q.Get("prefix") != "x/" || !q.Has("uploads"):
			t.Errorf("the request has the query %s", r.URL.RawQuery)
		case q.Get("key-marker") == "":
			fmt.Fprint(w, "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>x/a</NextKeyMarker><NextUploadIdMarker>1</NextUploadIdMarker>"+
				"<Upload><Key>x/a</Key><UploadId>1</UploadId><Initiated>2026-01-02T03:04:05Z</Initiated></Upload></ListMultipartUploadsResult>")
		case q.Get("key-marker") == "x/a" && q.Get("upload-id-marker") == "1":
			fmt.Fprint(w, "<ListMultipartUploadsResult><Upload><Key>x/b c</Key><UploadId>2</UploadId></Upload><Upload><Key>y</Key><UploadId>3</UploadId></Upload></ListMultipartUploadsResult>")
		}
	}))
	defer server.Close()
	o := withEnv(map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"})
	o.Endpoint = server.URL
	var got []string
	for u, err := range Uploads(t.Context(), "s3://bucket/x/", o) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, u.URL+" "+u.ID)
		if err := u.Abort(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"s3://bucket/x/a 1", "s3://bucket/x/b c 2"}; !slices.Equal(got, want) {
		t.Errorf("uploads %q, want %q", got, want)
	}
	if want := []string{"/bucket/x/a 1", "/bucket/x/b c 2"}; !slices.Equal(aborted, want) {
		t.Errorf("aborted %q, want %q", aborted, want)
	}
}

// A server that lists the same page again and again is an error, and so are other answers.
func TestUploadsWithoutEnd(t *testing.T) {
	for answer, want := range map[string]string{
		"<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>k</NextKeyMarker></ListMultipartUploadsResult>": "list s3://b/: the server lists uploads without end",
		"<Other/>": "list s3://b/: the server answers XML that is invalid, or no ListMultipartUploadsResult",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answer) }))
		o := withEnv(map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"})
		o.Endpoint = server.URL
		for _, err := range Uploads(t.Context(), "s3://b/", o) {
			if err == nil || err.Error() != want {
				t.Errorf("%s: error %v, want %s", answer, err, want)
			}
		}
		server.Close()
	}
	for _, url := range []string{"https://host/x", "folder"} {
		for _, err := range Uploads(t.Context(), url, noWait()) {
			if !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("Uploads of %s: error %v", url, err)
			}
		}
	}
}

// A real store lists the uploads that were begun.
func TestUploadsOfStores(t *testing.T) {
	for _, start := range []func(*testing.T) testStore{startS3, startGCS, startAzure} {
		t.Run("", func(t *testing.T) {
			s := start(t)
			c, err := newClient(s.scheme+"folder/a.npy", s.o)
			if err != nil {
				t.Fatal(err)
			}
			up, err := c.uploader()
			if err != nil {
				t.Fatal(err)
			}
			id, err := up.begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := up.part(t.Context(), id, 1, 0, []byte("part")); err != nil {
				t.Fatal(err)
			}
			count := func(abort bool) (n int) {
				for u, err := range Uploads(t.Context(), s.scheme+"folder/", s.o) {
					if err != nil {
						t.Fatal(err)
					}
					if n++; u.URL != s.scheme+"folder/a.npy" || u.ID != id || u.Begun.IsZero() {
						t.Errorf("an upload of %s with id %s, begun %s", u.URL, u.ID, u.Begun)
					}
					if abort {
						if err := u.Abort(t.Context()); err != nil {
							t.Error(err)
						}
					}
				}
				return n
			}
			if before, after := count(true), count(false); before != 1 || after != 0 {
				t.Errorf("%d uploads before, and %d after they were aborted, want 1 and 0", before, after)
			}
		})
	}
}

// Azure says of each file which blocks are not committed. Their names say when npy began to write them.
func TestUploadsOfAzure(t *testing.T) {
	now := time.Now()
	id := newID()
	lists := map[string]string{
		"/c/x/own":     blockXML(blockName(id, 1), blockName(id, 2)),
		"/c/x/two":     blockXML(blockName(id, 1), blockName(newID(), 1)),
		"/c/x/foreign": blockXML("YmxvY2s="),
		"/c/x/done":    blockXML(),
	}
	var changes []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		list, listed := lists[r.URL.Path]
		switch {
		case r.Method == http.MethodPut && r.Header.Get("If-None-Match") == "*" && q.Get("comp") == "blocklist":
			if body, _ := io.ReadAll(r.Body); !strings.HasSuffix(string(body), "<BlockList></BlockList>") {
				t.Errorf("the list of blocks is %s", body)
			}
			if r.URL.Path == "/c/x/two" {
				w.WriteHeader(http.StatusConflict)
				fmt.Fprint(w, "<Error><Code>BlobAlreadyExists</Code></Error>")
				return
			}
			w.Header().Set("ETag", `"empty"`)
			w.WriteHeader(http.StatusCreated)
		case r.Method == http.MethodDelete:
			changes = append(changes, r.URL.Path+" "+r.Header.Get("If-Match"))
			w.WriteHeader(http.StatusAccepted)
		case q.Get("comp") == "blocklist" && q.Get("blocklisttype") == "uncommitted" && listed:
			fmt.Fprint(w, list)
		case q.Get("comp") == "blocklist" && r.URL.Path == "/c/x/pages":
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, "<Error><Code>InvalidBlobType</Code></Error>")
		case q.Get("comp") == "blocklist":
			http.NotFound(w, r)
		case q.Get("prefix") != "x/" || q.Get("include") != "uncommittedblobs":
			t.Errorf("%s has the query %s", r.Method, r.URL.RawQuery)
		case q.Get("marker") == "":
			fmt.Fprint(w, `<EnumerationResults><Blobs><Blob><Name>x/done</Name></Blob><Blob><Name>x/foreign</Name><Properties><Last-Modified>Mon, 02 Jan 2023 03:04:05 GMT</Last-Modified></Properties></Blob>`+
				`<Blob><Name>x/gone</Name></Blob></Blobs><NextMarker>m</NextMarker></EnumerationResults>`)
		default:
			fmt.Fprint(w, `<EnumerationResults><Blobs><Blob><Name>x/own</Name></Blob><Blob><Name>x/pages</Name></Blob>`+
				`<Blob><Name>x/two</Name><Properties><Content-Length>5</Content-Length><Last-Modified>Mon, 02 Jan 2023 03:04:05 GMT</Last-Modified></Properties></Blob></Blobs><NextMarker/></EnumerationResults>`)
		}
	}))
	defer server.Close()
	o := withEnv(map[string]string{"AZURE_STORAGE_KEY": azuriteKey})
	o.Endpoint, o.Account = server.URL, "account"
	var got []Unfinished
	for u, err := range Uploads(t.Context(), "az://c/x/", o) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, u)
	}
	if len(got) != 3 || got[0].URL != "az://c/x/foreign" || got[1].URL != "az://c/x/own" || got[2].URL != "az://c/x/two" {
		t.Fatalf("uploads %+v", got)
	}
	if u := got[0]; u.ID != "" || u.Begun.Year() != 2023 {
		t.Errorf("blocks of others: id %q, begun %s", u.ID, u.Begun)
	}
	if u := got[1]; u.ID != id || u.Begun.Sub(now).Abs() > 10*time.Second {
		t.Errorf("one upload: id %q, begun %s, want %s", u.ID, u.Begun, now)
	}
	if u := got[2]; u.ID != "" || !u.Begun.IsZero() {
		t.Errorf("two uploads of a file that exists: id %q, begun %s", u.ID, u.Begun)
	}
	for _, u := range got[:2] {
		if err := u.Abort(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := got[2].Abort(t.Context()); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "after a week") {
		t.Errorf("a file that exists: error %v", err)
	}
	if want := []string{`/c/x/foreign "empty"`, `/c/x/own "empty"`}; !slices.Equal(changes, want) {
		t.Errorf("deleted %q, want %q", changes, want)
	}
	for u, err := range Uploads(t.Context(), "az://c/x/", o) { // a loop that ends early ends all requests
		if err != nil || u.URL != "az://c/x/foreign" {
			t.Error(u.URL, err)
		}
		break
	}
}

// blockXML is a list of blocks of Azure that are not committed.
func blockXML(names ...string) string {
	text := "<BlockList><UncommittedBlocks>"
	for _, name := range names {
		text += "<Block><Name>" + name + "</Name><Size>3</Size></Block>"
	}
	return text + "</UncommittedBlocks></BlockList>"
}

// An upload of Azure that is given up leaves no blocks, unless they are not its own or the file exists.
func TestAbortOfAzure(t *testing.T) {
	s := startAzure(t)
	url := s.url(t, "a.npy")
	c, err := newClient(url, s.o)
	if err != nil {
		t.Fatal(err)
	}
	up := azureUpload{c}
	begin := func() string {
		id, _ := up.begin(t.Context())
		if err := up.part(t.Context(), id, 1, 0, []byte("part")); err != nil {
			t.Fatal(err)
		}
		return id
	}
	blocks := func() int {
		b, err := up.blocks(t.Context(), c.loc.url)
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	abort := func(id string, want int) {
		t.Helper()
		if err := up.abort(t.Context(), id); err != nil || blocks() != want {
			t.Errorf("%d blocks are left, %v, want %d", blocks(), err, want)
		}
	}
	first := begin()
	abort(first, 0)
	abort(first, 0)
	first = begin()
	second := begin()
	abort(first, 2)
	if err := up.commit(t.Context(), second, 1); err != nil || blocks() != 0 {
		t.Errorf("%d blocks, %v", blocks(), err)
	}
	abort(begin(), 1)
	sameFile(t, url, s.o, []byte("part"))
	n := 0
	for u, err := range Uploads(t.Context(), url, s.o) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if err := u.Abort(t.Context()); !errors.Is(err, fs.ErrExist) {
			t.Errorf("abort of blocks of a file that exists: %v", err)
		}
	}
	if n != 1 {
		t.Errorf("%d uploads, want 1", n)
	}
}

func TestTimeOf(t *testing.T) {
	now := time.Now()
	for id, want := range map[string]bool{newID(): true, "": false, "zz": false, "00112233445566778899aabb": false, "ffffffff445566778899aabb": false} {
		if made := timeOf(id, now); made.IsZero() == want || want && made.Sub(now).Abs() > 10*time.Second {
			t.Errorf("%q was made at %s", id, made)
		}
	}
}
