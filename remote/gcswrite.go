package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// gcsUpload writes each part as an object of its own, below the name of the file, and composes them.
type gcsUpload struct{ c *client }

const mostSources = 32 // of one compose

// beginning is the name of the object that says that an upload has begun and was not ended.
const beginning = "begun"

func (u gcsUpload) folder(id string) string { return u.c.loc.key + ".upload-" + id + "/" }

func partName(number int) string { return fmt.Sprintf("%05d", number) }

// object returns the URL of the metadata of an object.
func (u gcsUpload) object(key string) *url.URL {
	o := u.c.loc.object(key)
	o.RawQuery = ""
	return o
}

// store writes an object.
func (u gcsUpload) store(ctx context.Context, key string, data []byte, absent bool) error {
	to := u.c.loc.object("")
	to.RawPath = u.c.loc.base.Path + "/upload" + strings.TrimPrefix(to.EscapedPath(), u.c.loc.base.Path) + "/o"
	to.Path, _ = url.PathUnescape(to.RawPath) // it was escaped
	pairs := []string{"uploadType", "media", "name", key}
	if absent {
		pairs = append(pairs, "ifGenerationMatch", "0")
	}
	h := http.Header{"Content-Type": {"application/octet-stream"}}
	_, _, err := u.c.write(ctx, http.MethodPost, query(to, pairs...), h, data, false)
	return err
}

func (u gcsUpload) begin(ctx context.Context) (string, error) {
	id := newID()
	return id, u.store(ctx, u.folder(id)+beginning, []byte{}, false)
}

func (u gcsUpload) part(ctx context.Context, id string, number int, _ int64, data []byte) error {
	return u.store(ctx, u.folder(id)+partName(number), data, false)
}

func (u gcsUpload) parts(ctx context.Context, id string) (map[int]int64, error) {
	sizes, begun := map[int]int64{}, false
	err := u.c.list(ctx, u.folder(id), func(o object) bool {
		name := o.key[len(u.folder(id)):]
		if n, err := strconv.Atoi(name); err == nil && partName(n) == name {
			sizes[n] = o.size
		}
		begun = begun || name == beginning
		return true
	})
	if err == nil && !begun {
		err = &failure{err: fmt.Errorf("there is no upload %s: it was committed or aborted", id), status: http.StatusNotFound}
	}
	return sizes, err
}

// commit composes 32 objects at a time, until there is one: the file.
func (u gcsUpload) commit(ctx context.Context, id string, n int) error {
	names := make([]string, n)
	for i := range names {
		names[i] = u.folder(id) + partName(i+1)
	}
	for level := 0; len(names) > mostSources; level++ {
		var next []string
		for i := 0; i < len(names); i += mostSources {
			name := fmt.Sprintf("%sc%d-%05d", u.folder(id), level, i/mostSources)
			if err := u.compose(ctx, name, names[i:min(i+mostSources, len(names))], false); err != nil {
				return err
			}
			next = append(next, name)
		}
		names = next
	}
	if err := u.compose(ctx, u.c.loc.key, names, u.c.o.IfAbsent); err != nil {
		return err
	}
	return u.abort(ctx, id)
}

func (u gcsUpload) compose(ctx context.Context, key string, names []string, absent bool) error {
	type source struct {
		Name string `json:"name"`
	}
	body := struct {
		Sources     []source          `json:"sourceObjects"`
		Destination map[string]string `json:"destination"`
	}{Destination: map[string]string{"contentType": "application/octet-stream"}}
	for _, name := range names {
		body.Sources = append(body.Sources, source{name})
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	to := u.object(key)
	to.RawPath = to.EscapedPath() + "/compose"
	to.Path += "/compose"
	var pairs []string
	if absent {
		pairs = []string{"ifGenerationMatch", "0"}
	}
	_, _, err = u.c.write(ctx, http.MethodPost, query(to, pairs...), http.Header{"Content-Type": {"application/json"}}, data, true)
	return err
}

// abort deletes the objects of the parts; the one that says that the upload has begun is the last.
func (u gcsUpload) abort(ctx context.Context, id string) error {
	var names []string
	err := u.c.list(ctx, u.folder(id), func(o object) bool {
		if o.key != u.folder(id)+beginning {
			names = append(names, o.key)
		}
		return true
	})
	for _, name := range append(names, u.folder(id)+beginning) {
		if err == nil {
			_, _, err = u.c.write(ctx, http.MethodDelete, u.object(name), nil, nil, false)
		}
		var f *failure
		if errors.As(err, &f) && f.status == http.StatusNotFound {
			err = nil // somebody was faster
		}
	}
	return err
}

func (u gcsUpload) put(ctx context.Context, data []byte) error {
	return u.store(ctx, u.c.loc.key, data, u.c.o.IfAbsent)
}
