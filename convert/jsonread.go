package convert

import (
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// A jsonReader reads a JSON or NDJSON text twice: to learn its shape and dtype, then to fill the array.
type jsonReader struct {
	jsonScanner
	lines  bool       // NDJSON: the first axis is the lines
	given  dtype.Type // zero: to be inferred
	texts  elem.Texts
	report *Report
	data   []byte // of the array
}

func readJSON(text string, o ReadOptions, report *Report) (*npy.Array, error) {
	return newJSONReader(text, o, report).read()
}

func readNDJSON(text string, o ReadOptions, report *Report) (*npy.Array, error) {
	r := newJSONReader(text, o, report)
	r.lines = true
	return r.read()
}

func newJSONReader(text string, o ReadOptions, report *Report) *jsonReader {
	return &jsonReader{jsonScanner: jsonScanner{text: text}, given: o.DType, texts: o.texts(), report: report}
}

func (r *jsonReader) read() (*npy.Array, error) {
	root := newNode()
	err := r.walk(root, func(n *node, _ int) error { return r.survey(n) })
	if err != nil {
		return nil, err
	}
	var shape []int
	item := root
	for ; item.kind == listNode; item = item.item {
		shape = append(shape, item.length)
	}
	t, err := r.dtype(item, shape)
	if err != nil {
		return nil, err
	}
	a, err := npy.New(t, shape...)
	if err != nil {
		return nil, err
	}
	if err := item.bind(t, r.texts); err != nil {
		return nil, err
	}
	n := root
	for _, stride := range a.Strides() {
		n.stride = stride
		n = n.item
	}
	r.data, _ = a.ViewBytes()
	return a, r.walk(root, r.fill)
}

// walk calls do with the value that the text is, or in NDJSON with that on each line; base is where it goes.
func (r *jsonReader) walk(root *node, do func(n *node, base int) error) error {
	r.pos, r.end = 0, len(r.text)
	if !r.lines {
		return r.whole(root, 0, do)
	}
	if root.kind == unknownNode {
		root.kind, root.item = listNode, newNode()
	}
	i := 0
	for start := 0; start < len(r.text); start = r.end + 1 {
		r.pos, r.end = start, len(r.text)
		if n := strings.IndexByte(r.text[start:], '\n'); n >= 0 {
			r.end = start + n
		}
		if r.peek(); r.pos == r.end { // blank
			continue
		}
		if err := r.whole(root.item, i*root.stride, do); err != nil {
			return within(err, indexStep(i))
		}
		i++
	}
	root.length = i
	return nil
}

// whole calls do for a value behind which nothing may follow.
func (r *jsonReader) whole(n *node, base int, do func(n *node, base int) error) error {
	if err := do(n, base); err != nil {
		return err
	}
	if r.peek(); r.pos == r.end {
		return nil
	}
	if r.lines {
		return r.fail(r.pos, "more than one value on a line")
	}
	return r.fail(r.pos, "text behind the value; several values, one on each line, are .ndjson")
}

// dtype returns the dtype of the elements: that given, or what the text shows.
func (r *jsonReader) dtype(item *node, shape []int) (dtype.Type, error) {
	t, at := r.given, -1
	var err error
	switch {
	case !t.IsValid():
		t, at, err = item.infer()
	case lacksLength(t):
		t, err = sized(t, item.longest(nil))
	default:
		return t, nil
	}
	if err != nil {
		if at >= 0 {
			r.pos, r.end = at, len(r.text)
			number, _ := r.number() // it was read before
			err = r.fail(at, "%s: %w", number, err)
		}
		return t, err
	}
	n := 1
	for _, d := range shape {
		n = saturate(n, d, 0)
	}
	return t, checkGuess(t, n, len(r.text))
}

// survey takes note of a value, or checks that it goes with those before it and with the dtype given.
func (r *jsonReader) survey(n *node) error {
	switch r.peek() {
	case '[':
		return r.surveyList(n)
	case '{':
		return r.surveyObject(n)
	}
	t, err := r.token()
	if err != nil {
		return err
	}
	if n.kind == unknownNode {
		r.begin(n, leafNode)
	}
	switch {
	case n.kind != leafNode:
		return r.fail(t.at, "%s where %s should be", t, n)
	case !r.given.IsValid():
		err = n.guess.observe(t)
	case n.textLength != nil:
		n.guess.longest = max(n.guess.longest, n.textLength(t.text))
	}
	if err != nil {
		return r.fail(t.at, "%w", err)
	}
	return nil
}

// begin makes n what its first value shows. With a dtype given that is the element of the array, as its outer lists
// are dimensions, and the tree of the dtype takes its place.
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

func (r *jsonReader) surveyList(n *node) error {
	start := r.pos
	if n.kind == unknownNode {
		r.begin(n, listNode)
	}
	if n.kind != listNode {
		return r.fail(start, "list where %s should be", n)
	}
	if err := r.enter(); err != nil {
		return err
	}
	i := 0
	for ; ; i++ {
		more, err := r.item(i, ']')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := r.survey(n.item); err != nil {
			return within(err, indexStep(i))
		}
	}
	r.leave()
	if n.length < 0 {
		n.length = i
	}
	if i != n.length {
		return r.fail(start, "list of %s, want %d: all lists of an axis have the same length", count(i, "item"), n.length)
	}
	return nil
}

func (r *jsonReader) surveyObject(n *node) error {
	start := r.pos
	if n.kind == unknownNode {
		r.begin(n, objectNode)
	}
	if n.kind != objectNode {
		return r.fail(start, "object where %s should be", n)
	}
	n.objects++
	i := 0
	err := r.eachMember(func(key string, at int) error {
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
	for k, key := range n.keys {
		if n.seen[k] != n.objects {
			return r.fail(start, "key %s is missing", elem.Quote(key))
		}
	}
	return nil
}

// surveyKey returns the position of key number i of an object.
func (r *jsonReader) surveyKey(n *node, key string, i, at int) (int, error) {
	k, ok := n.key(key, i)
	switch {
	case !ok && n.closed && r.given.IsValid():
		return 0, r.fail(at, "key %s is no field of the dtype", elem.Quote(key))
	case !ok && n.closed:
		return 0, r.fail(at, "key %s is not in the first object", elem.Quote(key))
	case !ok && key == "":
		return 0, r.fail(at, "key \"\" is no name for a field")
	case !ok:
		k = len(n.keys)
		n.addKey(key, newNode())
	case n.seen[k] == n.objects:
		return 0, r.fail(at, "key %s is there twice", elem.Quote(key))
	}
	n.seen[k] = n.objects
	return k, nil
}

// eachMember steps through an object. The value is next when do is called.
func (r *jsonReader) eachMember(do func(key string, at int) error) error {
	if err := r.enter(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := r.jsonScanner.item(i, '}')
		if err != nil {
			return err
		}
		if !more {
			r.leave()
			return nil
		}
		if r.peek() != '"' {
			return r.unexpected("a key in quotes")
		}
		at := r.pos
		key, err := r.string()
		if err == nil {
			err = r.next(':', "behind the key")
		}
		if err != nil {
			return err
		}
		if err := do(key, at); err != nil {
			return err
		}
	}
}

func withinKey(err error, key string) error {
	if err == nil {
		return nil
	}
	return within(err, keyStep(key))
}

// keyStep is a step of a path: .x, or ["a b"] for keys that are long or no names.
func keyStep(key string) string {
	for i, c := range key[:min(len(key), 41)] {
		if i == 40 || c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') && c < 0x80 {
			return "[" + elem.Quote(key) + "]"
		}
	}
	return "." + key
}

// fill parses a value to the bytes at base. Everything but the values themselves has been checked.
func (r *jsonReader) fill(n *node, base int) error {
	switch r.peek() {
	case '[':
		r.pos++
		for i := 0; ; i++ {
			if more, _ := r.item(i, ']'); !more {
				r.pos++
				return nil
			}
			if err := r.fill(n.item, base+i*n.stride); err != nil {
				return within(err, indexStep(i))
			}
		}
	case '{':
		i := 0
		return r.eachMember(func(key string, _ int) error {
			k, _ := n.key(key, i)
			i++
			return withinKey(r.fill(n.members[k], base+n.offsets[k]), key)
		})
	}
	t, err := r.token()
	if err != nil {
		return err
	}
	end := base + n.dtype.ItemSize()
	missing, err := n.put(r.data[base:end:end], t)
	if missing {
		r.report.Missing++
	}
	if err != nil {
		return r.fail(t.at, "%w", err)
	}
	return nil
}
