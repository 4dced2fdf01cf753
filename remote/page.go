package remote

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/jsontext"
)

const (
	mostPage   = 16 << 20 // bytes
	mostOfPage = 10_000   // files; stores give up to 5,000
	mostEmpty  = 1000     // pages without a file, one after another; some stores skip deleted files so
	bytesOfKey = 1 << 10  // of all answers, for each of MaxKeys
	overhead   = 4 << 10  // bytes of the answers so far, for each item in them
)

// A pager reads the pages of a list, and ends lists that have no end.
type pager struct {
	c     *client
	what  string
	most  int64 // items
	items int64
	bytes int64 // of answers
	empty int   // pages one after another
	first string
}

// pager returns a pager for a list of files, or of something else.
func (c *client) pager(what string) *pager {
	most := int64(c.o.MaxKeys)
	if most < 0 {
		most = math.MaxInt64 / bytesOfKey / 2
	}
	return &pager{c: c, what: what, most: most}
}

// read reads a page. parse may be called several times, for repetitions.
func (p *pager) read(ctx context.Context, u *url.URL, parse func(r io.Reader) error) error {
	return p.c.ask(ctx, request{method: http.MethodGet, url: u, header: http.Header{}}, func(a *answer) error {
		return parse(countedReader{a.body, &p.bytes})
	})
}

// count counts an item.
func (p *pager) count() error {
	if p.items++; p.items > p.most {
		return bounded.Over("MaxKeys", p.most, 0, "the server lists more than %d %s", p.most, p.what)
	}
	return nil
}

// turn returns an error unless the page, which has n items and a next page, is worth the next one. again is set if the next page is
// this one.
func (p *pager) turn(again bool, n int, first string) error {
	p.empty++
	if n > 0 {
		p.empty = 0
	}
	switch {
	case again, n > 0 && first == p.first:
		return wrong("the server lists %s without end", p.what)
	case p.empty == mostEmpty:
		return bounded.Over("", mostEmpty, 0, "the server lists no %s on %d pages, one after another", p.what, mostEmpty)
	case p.bytes > p.items*overhead+4*mostPage:
		return bounded.Over("", p.items*overhead+4*mostPage, p.bytes, "the server answers %d bytes for a list of %d %s", p.bytes, p.items, p.what)
	case p.bytes > p.most*bytesOfKey+mostPage:
		return bounded.Over("MaxKeys", p.most, 0, "the server answers %d bytes for a list of %d %s, over %d bytes for each of MaxKeys", p.bytes, p.items, p.what, bytesOfKey)
	}
	p.first = first
	return nil
}

// A countedReader counts the bytes that it reads.
type countedReader struct {
	io.Reader
	n *int64
}

// Read implements io.Reader.
func (r countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	*r.n += int64(n)
	return n, err
}

// readAtMost reads an answer.
func readAtMost(r io.Reader, most int64) (string, error) {
	var b strings.Builder
	n, err := io.Copy(&b, io.LimitReader(r, most+1))
	if err != nil {
		return "", bodyError(err)
	}
	if n > most {
		return "", bounded.Over("", most, 0, "the server answers more than %d bytes at once", most)
	}
	return b.String(), nil
}

// A jsonReader reads values of JSON that it knows, and skips all others.
type jsonReader struct {
	jsontext.Scanner
	invalid error // the error of the grammar
}

func newJSON(text string) *jsonReader {
	j := &jsonReader{}
	j.Scanner = jsontext.Scanner{Text: text, End: len(text), Failed: func(_ int, err error) error {
		j.invalid = err
		return err
	}}
	return j
}

// result returns the error of reading the document.
func (j *jsonReader) result(err error) error {
	if err == nil && j.Peek() == 0 && j.Pos == j.End {
		return nil
	}
	if err != nil && j.invalid == nil {
		return err
	}
	return wrong("the server answers JSON that is invalid")
}

// object reads an object. read has the functions that read the values of some keys.
func (j *jsonReader) object(read map[string]func() error) error {
	if j.Peek() != '{' {
		return j.Unexpected("an object")
	}
	return j.Members(func(key string, _ int) error {
		if do := read[key]; do != nil {
			return do()
		}
		return j.skip()
	})
}

// list reads a list, with item for each item.
func (j *jsonReader) list(item func() error) error {
	if j.Peek() != '[' {
		return j.Unexpected("a list")
	}
	if err := j.Enter(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := j.Item(i, ']')
		if err != nil {
			return err
		}
		if !more {
			j.Leave()
			return nil
		}
		if err := item(); err != nil {
			return err
		}
	}
}

// text returns a function that reads a string or a number, which may be a part of the document.
func (j *jsonReader) text(to *string) func() error {
	return func() error {
		t, err := j.Token()
		if err == nil && t.Kind != jsontext.Null {
			*to = t.Text
		}
		return err
	}
}

// skip reads a value of any kind. The scanner limits the nesting.
func (j *jsonReader) skip() error {
	switch j.Peek() {
	case '{':
		return j.object(nil)
	case '[':
		return j.list(j.skip)
	}
	_, err := j.Token()
	return err
}
