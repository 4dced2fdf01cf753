package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
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
		"<Other/>": "list s3://b/: the server lists uploads in XML that is invalid",
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

// The uploads of a real store are those that were begun.
func TestUploadsOfStores(t *testing.T) {
	for _, start := range []func(*testing.T) testStore{startS3, startGCS} {
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
