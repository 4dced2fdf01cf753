package answer

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

const linesMax = 64 // of an export

// linesOf returns several lines as records, a field for each. The parameter lines has their selections, as URLs have
// parameters, with ~ between them. The name of a field is the parameter name of its line.
func (a *Answers) linesOf(ctx context.Context, q url.Values) (src npy.Source, done func(), err error) {
	var opened []*selection
	closeAll := func() {
		for _, s := range opened {
			s.done()
		}
	}
	defer func() {
		if err != nil {
			closeAll()
		}
	}()
	if strings.Count(q.Get("lines"), "~") >= linesMax {
		return nil, nil, wrong("at most %d lines are exported together", linesMax)
	}
	var sources []npy.Source
	var fields []dtype.Field
	names := map[string]bool{}
	for _, text := range strings.Split(q.Get("lines"), "~") {
		line, err := url.ParseQuery(text)
		if err != nil {
			return nil, nil, wrong("line %q is not a selection", cut(text, 40))
		}
		s, err := a.selection(ctx, line, "x", "y")
		if err != nil {
			return nil, nil, err
		}
		opened = append(opened, s)
		part, _, err := s.window(q)
		if err != nil {
			return nil, nil, err
		}
		if len(sources) > 0 && !slices.Equal(sources[0].Shape(), part.Shape()) {
			return nil, nil, wrong("lines of shapes %v and %v have no rows in common: remove one of them, or export them one by one", sources[0].Shape(), part.Shape())
		}
		if kindOf(part.DType()) == "object" {
			return nil, nil, wrong("lines of Python objects cannot be exported together")
		}
		name := cut(strings.ToValidUTF8(line.Get("name"), "\ufffd"), 200)
		if name == "" {
			name = exportName(a.files[s.f].Name, s.open.Entries[s.e].Path, s.field)
		}
		unique := name
		for i := 2; names[unique]; i++ {
			unique = fmt.Sprint(name, "_", i)
		}
		names[unique] = true
		sources, fields = append(sources, part), append(fields, dtype.Field{Name: unique, DType: part.DType()})
	}
	t, err := dtype.Packed(fields...)
	if err != nil {
		return nil, nil, &Error{400, err}
	}
	src, err = npy.Computed(t, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		at := 0
		for k, data := range src {
			size := fields[k].DType.ItemSize()
			for i := range n {
				copy(dst[i*t.ItemSize()+at:][:size], data[i*size:])
			}
			at += size
		}
		return nil
	}, sources...)
	return src, closeAll, err
}
