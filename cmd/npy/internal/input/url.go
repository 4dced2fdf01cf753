package input

import (
	"fmt"
	"io"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/remote"
)

// Arguments may be URLs. Asking a server whether a file exists costs a request, so an argument is split by its form:
//
//	s3://bucket/a.npy[0]             an index, unless there is no file without the brackets
//	s3://bucket/m.npz:w[0]           a member, after the ending of a file with several arrays
//	https://host/m.npz?sig=s:w[0]    a member after a query: it has no & and no =
//	s3://bucket/a:b.npy              a file; if it does not exist, the member b.npy of s3://bucket/a
//
// The other ways to split it are tried if the file does not exist.

// mostSplits limits the requests for the names that an argument may have.
const mostSplits = 4

// parseURL splits a URL from the member and the index after it.
func parseURL(arg string) (Target, error) {
	var all []Target
	add := func(url, member, index string) error {
		t := Target{Path: remote.Redact(url), url: url, Member: member}
		if index != "" {
			var err error
			if t, err = t.withIndex(index); err != nil {
				return err
			}
		}
		all = append(all, t)
		return nil
	}
	name, query := nameOf(arg)
	member := memberAt(arg, name, query)
	if member > 0 {
		_ = add(arg[:member], arg[member+1:], "") // without an index there is no error
	}
	if i := indexAt(arg, name, query); i > 0 {
		if err := add(arg[:i], "", arg[i:]); err != nil {
			return Target{}, fmt.Errorf("%s: %w", diagnose.FileName(arg), err)
		}
	}
	_ = add(arg, "", "")
	for i := name; i < query; i++ {
		if arg[i] == ':' && i != member && len(all) < mostSplits {
			_ = add(arg[:i], arg[i+1:], "")
		}
	}
	all[0].others = all[1:]
	return all[0], nil
}

// nameOf returns where the name of the file begins in a URL, after the host, and where the query begins, or the URL ends.
func nameOf(url string) (name, query int) {
	name = strings.Index(url, "://") + len("://")
	if i := strings.IndexByte(url[name:], '/'); i >= 0 {
		name += i + 1
	} else {
		name = len(url)
	}
	query = len(url)
	if i := strings.IndexByte(url[name:], '?'); i >= 0 && !urls.IsStore(url) {
		query = name + i
	}
	return name, query
}

// memberAt returns the offset of the colon before a member, or 0.
func memberAt(arg string, name, query int) int {
	for _, ending := range FormatEndings(false) {
		if i := strings.Index(strings.ToLower(arg[name:query]), ending+":"); i > 0 {
			return name + i + len(ending)
		}
	}
	colon := strings.LastIndexByte(arg, ':')
	if colon < query || !endsAsContainer(arg[name:query]) || strings.ContainsAny(arg[colon:], "&=") || colon == len(arg)-1 {
		return 0
	}
	return colon
}

// endsAsContainer reports whether a name has the ending of a file with several arrays.
func endsAsContainer(name string) bool {
	for _, ending := range FormatEndings(false) {
		if strings.HasSuffix(strings.ToLower(name), ending) {
			return true
		}
	}
	return false
}

// indexAt returns the offset of the bracket that an index begins with, or 0. After the ending of a file that npy reads,
// the index need not be valid.
func indexAt(arg string, name, query int) int {
	for i := name + 1; i < len(arg); i++ {
		if arg[i] != '[' || arg[i-1] == '=' || arg[i-1] == '/' {
			continue
		}
		if endsName(arg[:min(i, query)]) && (i < query || !strings.ContainsAny(arg[i:], "&=")) {
			return i
		}
		if _, err := npy.ParseIndex(arg[i:]); err == nil {
			return i
		}
	}
	return 0
}

// endsName reports whether a name has the ending of a file that npy reads, so that brackets after it are an index.
func endsName(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), ".npy") || endsAsContainer(name)
}

// open opens the file of a target. If there is none, it may be one of the others that the argument stands for.
func (o Opener) open(t Target) (Target, *file, []byte, error) {
	f, head, err := o.openFile(t)
	for _, other := range t.others {
		if !urls.Missing(err) {
			break
		}
		if f, h, e := o.openFile(other); e == nil {
			if other.Index == nil {
				other.Index, other.Sub = t.given()
			}
			return other, f, h, nil
		}
	}
	return t, f, head, err
}

// given returns the index of --slice, which does not belong to the argument.
func (t Target) given() ([]npy.Index, string) {
	if t.slice {
		return t.Index, t.Sub
	}
	return nil, ""
}

// An afar is the file at a URL. Reads one after another are made ahead.
type afar struct {
	*io.SectionReader
	*remote.File
}

// ReadAt implements io.ReaderAt.
func (f afar) ReadAt(p []byte, off int64) (int, error) { return f.File.ReadAt(p, off) }

// Size returns the size of the file in bytes.
func (f afar) Size() int64 { return f.File.Size() }

// openURL opens the file at the URL of a target.
func (o Opener) openURL(t Target) (afar, error) {
	f, err := o.URLs.OpenLinked(t.linked, t.url)
	if err != nil {
		return afar{}, err
	}
	return afar{io.NewSectionReader(f, 0, f.Size()), f}, nil
}

// array returns the decoder of arrays in a file, with the reads that suit it.
func (o Opener) array(f *file) npy.Decoder {
	d := o.Array
	if r, ok := f.regular.(afar); ok {
		d.ReadOptions = r.ReadOptions()
	}
	return d
}

// inOrder reports whether a file is best read from its start to its end: its server does not give ranges.
func (f *file) inOrder() bool {
	r, ok := f.regular.(afar)
	return f.regular == nil || ok && !r.Ranges()
}

// CutURLPattern separates a URL that is a pattern from the member or the index after it. pattern is "" for everything else.
func CutURLPattern(arg string) (pattern, rest string) {
	if !remote.IsURL(arg) {
		return "", ""
	}
	name, end := nameOf(arg)
	if i := strings.IndexAny(arg[name:end], ":["); i >= 0 {
		end = name + i
	}
	if !IsPattern(arg[name:end]) {
		return "", ""
	}
	return arg[:end], arg[end:]
}
