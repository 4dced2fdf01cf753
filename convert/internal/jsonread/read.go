package jsonread

import (
	"context"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/jsontext"
)

// A jsonReader reads a JSON text, or lines of NDJSON, twice: to infer shape and dtype, then to fill the array.
type jsonReader struct {
	jsontext.Scanner
	ctx           context.Context
	offset, lines int // bytes and lines before Text

	given  dtype.Type // zero: to be inferred
	texts  elem.Texts
	report *options.Report
	data   []byte // of the array; for NDJSON, of the element of one line
}

func parseJSON(ctx context.Context, text string, o options.Read, report *options.Report) (*npy.Array, error) {
	r := newJSONReader(ctx, o, report)
	r.Text = text
	return r.read()
}

func newJSONReader(ctx context.Context, o options.Read, report *options.Report) *jsonReader {
	r := &jsonReader{ctx: ctx, Scanner: jsontext.Scanner{Words: true}, given: o.DType, texts: o.Texts(), report: report}
	r.Failed = func(at int, err error) error {
		return &fault.Error{Line: r.lines + fault.LineAt(r.Text, at), Offset: r.offset + at, Err: err}
	}
	return r
}

func (r *jsonReader) read() (*npy.Array, error) {
	root := newNode()
	if err := r.whole(func() error { return r.survey(root) }); err != nil {
		return nil, err
	}
	item, shape := root.axes()
	t, c, err := r.dtype(item, shape, len(r.Text))
	if err != nil {
		return nil, blameNumber(c, err, func() (int, error) { return fault.LineAt(r.Text, c.At), nil })
	}
	a, err := npy.New(t, shape...)
	if err != nil {
		return nil, err
	}
	if err := root.lay(t, shape, r.texts); err != nil {
		return nil, err
	}
	r.data, _ = a.ViewBytes()
	return a, r.whole(func() error { return r.fill(root, 0) })
}

// whole calls do for the value of the text, after which nothing may follow.
func (r *jsonReader) whole(do func() error) error {
	r.Pos, r.End = 0, len(r.Text)
	if err := do(); err != nil {
		return err
	}
	if r.Peek(); r.Pos < r.End {
		return r.Fail(r.Pos, "text after the value; several values, one on each line, are .ndjson")
	}
	return nil
}

// axes returns the node of the elements, and the lengths of the lists around them.
func (n *node) axes() (item *node, shape []int) {
	for ; n.kind == listNode; n = n.item {
		shape = append(shape, n.length)
	}
	return n, shape
}

// lay maps the tree to an array in C order.
func (n *node) lay(t dtype.Type, shape []int, x elem.Texts) error {
	item, _ := n.axes()
	if err := item.bind(t, x); err != nil {
		return err
	}
	for i := range shape {
		n.stride = t.ItemSize()
		for _, d := range shape[i+1:] {
			n.stride *= d
		}
		n = n.item
	}
	return nil
}

// dtype returns the dtype of the elements: the given one, or the one inferred from a text of the given number of bytes.
// An error comes with the number that caused it, if any.
func (r *jsonReader) dtype(item *node, shape []int, bytes int) (t dtype.Type, c infer.Culprit, err error) {
	switch t = r.given; {
	case !t.IsValid():
		t, c, err = item.infer()
	case plain.LacksLength(t):
		t, err = plain.Sized(t, item.longest(nil))
	default:
		return t, c, nil
	}
	if err != nil {
		return t, c, err
	}
	n := 1
	for _, d := range shape {
		n = elem.Saturate(n, d, 0)
	}
	return t, c, infer.CheckSize(t, n, bytes)
}

// blameNumber adds the number that caused an error to the error, if any. line computes the line of the number.
func blameNumber(c infer.Culprit, err error, line func() (int, error)) error {
	if c.Text == "" {
		return err
	}
	n, failed := line()
	if failed != nil {
		return failed
	}
	return &fault.Error{Line: n, Offset: c.At, Err: fmt.Errorf("%s: %w; %s", c.Text[:min(len(c.Text), 40)], err, fault.GiveDType)}
}

// survey records a value, or checks that it goes with earlier values and with the given dtype.
func (r *jsonReader) survey(n *node) error {
	switch r.Peek() {
	case '[':
		return r.surveyList(n)
	case '{':
		return r.surveyObject(n)
	}
	t, err := r.Token()
	if err != nil {
		return err
	}
	if n.kind == unknownNode {
		r.begin(n, plainNode)
	}
	switch {
	case n.kind != plainNode:
		return r.Fail(t.At, "%s where %s should be", t, n)
	case !r.given.IsValid():
		err = n.guess.observe(t, r.offset)
	case n.textLength != nil:
		n.guess.longest = max(n.guess.longest, n.textLength(t.Text))
	}
	if err != nil {
		return r.Fail(t.At, "%w", err)
	}
	return nil
}

// begin initialises n from its first value. With a given dtype, outer lists are dimensions. The first value that is not
// a list is the element of the array, and n becomes the tree of the dtype.
func (r *jsonReader) begin(n *node, kind nodeKind) {
	if r.given.IsValid() && kind != listNode {
		*n = *nodeOf(r.given)
		return
	}
	n.kind = kind
	if kind == listNode {
		n.item = newNode()
	}
}

// stopped returns the cause if the context has ended. It looks after every few thousand items of a list; i is their number.
func (r *jsonReader) stopped(i int) error {
	if i&(1<<12-1) == 1<<12-1 && r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	return nil
}

func (r *jsonReader) surveyList(n *node) error {
	start := r.Pos
	if n.kind == unknownNode {
		r.begin(n, listNode)
	}
	if n.kind != listNode {
		return r.Fail(start, "list where %s should be", n)
	}
	if err := r.Enter(); err != nil {
		return err
	}
	i := 0
	for ; ; i++ {
		more, err := r.Item(i, ']')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := r.survey(n.item); err != nil {
			return within(err, indexStep(i))
		}
		if err := r.stopped(i); err != nil {
			return err
		}
	}
	r.Leave()
	if n.length < 0 {
		n.length = i
	}
	if i != n.length {
		return r.Fail(start, "list of %s, want %d: all lists of an axis have the same length", fault.Count(i, "item"), n.length)
	}
	return nil
}

func (r *jsonReader) surveyObject(n *node) error {
	start := r.Pos
	if n.kind == unknownNode {
		r.begin(n, objectNode)
	}
	if n.kind != objectNode {
		return r.Fail(start, "object where %s should be", n)
	}
	n.objects++
	i := 0
	err := r.Members(func(key string, at int) error {
		k, err := r.surveyKey(n, key, i, at)
		if err != nil {
			return err
		}
		i++
		return withinKey(r.survey(n.members[k]), key)
	})
	if err != nil {
		return err
	}
	n.closed = true
	if !r.given.IsValid() || i == len(n.keys) {
		return nil // absent keys are missing values
	}
	for k, key := range n.keys {
		if n.seen[k] != n.objects {
			return r.Fail(start, "key %s is missing", elem.Quote(key))
		}
	}
	return nil
}

// surveyKey returns the position of key number i of an object.
func (r *jsonReader) surveyKey(n *node, key string, i, at int) (int, error) {
	k, ok := n.key(key, i)
	switch {
	case !ok && n.closed && r.given.IsValid():
		return 0, r.Fail(at, "key %s is no field of the dtype", elem.Quote(key))
	case !ok && key == "":
		return 0, r.Fail(at, "key \"\" is no name for a field")
	case !ok:
		k = len(n.keys)
		n.addKey(key, newNode())
	case n.seen[k] == n.objects:
		return 0, r.Fail(at, "key %s is there twice", elem.Quote(key))
	}
	n.seen[k] = n.objects
	n.counts[k]++
	return k, nil
}

// fill parses a value into the bytes at base. Everything but the values themselves has been checked.
func (r *jsonReader) fill(n *node, base int) error {
	switch r.Peek() {
	case '[':
		r.Pos++
		for i := 0; ; i++ {
			if more, _ := r.Item(i, ']'); !more {
				r.Pos++
				return nil
			}
			if err := r.fill(n.item, base+i*n.stride); err != nil {
				return within(err, indexStep(i))
			}
			if err := r.stopped(i); err != nil {
				return err
			}
		}
	case '{':
		i := 0
		n.objects++
		err := r.Members(func(key string, _ int) error {
			k, _ := n.key(key, i)
			i++
			n.seen[k] = n.objects
			return withinKey(r.fill(n.members[k], base+n.offsets[k]), key)
		})
		if err != nil || i == len(n.keys) {
			return err
		}
		return r.fillAbsent(n, base)
	}
	t, err := r.Token()
	if err != nil {
		return err
	}
	end := base + n.dtype.ItemSize()
	missing, err := n.parse(r.data[base:end:end], t)
	if missing {
		r.report.Missing++
	}
	if err != nil {
		return r.Fail(t.At, "%w", err)
	}
	return nil
}

// fillAbsent fills the missing values of the keys that the last object lacks. Texts are empty already.
func (r *jsonReader) fillAbsent(n *node, base int) error {
	for k, m := range n.members {
		if n.seen[k] == n.objects || !elem.IsMissing(m.dtype) {
			continue
		}
		at := base + n.offsets[k]
		if _, err := m.parse(r.data[at:at+m.dtype.ItemSize()], jsontext.Token{Kind: jsontext.Null}); err != nil {
			return err
		}
		r.report.Missing++
	}
	return nil
}
