package jsonread

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/convert/internal/infer"
	"github.com/npygo/npy/convert/internal/plain"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/internal/jsontext"
)

// A nodeKind is the kind of the values at a place of the text.
type nodeKind uint8

const (
	unknownNode nodeKind = iota // no value seen yet
	listNode
	objectNode
	plainNode
)

// A node describes the common properties of all values at corresponding places. One node stands for all items of a
// list, so the tree is as large as the dtype, not as large as the text. The first pass over the text builds the tree,
// or checks the text against the tree of the given dtype. bind then sets where in the array each value is stored.
type node struct {
	kind nodeKind

	// of a list
	length int // -1 if not known yet
	item   *node
	stride int // bytes between consecutive items

	// of an object
	keys    []string
	members []*node
	offsets []int
	byKey   map[string]int
	seen    []int // for each key the number of the last object that had it
	counts  []int // for each key the number of objects that have it
	objects int   // objects seen
	closed  bool  // no new keys are accepted

	// of a plain value
	dtype      dtype.Type
	parse      elem.TokenFunc
	guess      plainGuess
	textLength func(text string) int // for a given dtype without a length
}

func newNode() *node { return &node{length: -1} }

// String describes n in an error message.
func (n *node) String() string {
	switch n.kind {
	case listNode:
		return "a list"
	case objectNode:
		return "an object"
	}
	return "a single value"
}

// A plainGuess collects the common properties of the values of a plain value.
type plainGuess struct {
	tokens  [jsontext.String + 1]bool // the kinds seen; strings that stand for numbers are not counted
	special bool                      // a string that stands for a number was seen
	longest int                       // in code points, or bytes for a dtype of bytes
	text    bool                      // a string is not a time
	time    infer.Guess               // of the times
	span    dtype.Unit                // of the durations; Generic if there are none
	infer.Numbers
}

// observeTime adds a string that may be a time.
func (g *plainGuess) observeTime(text string, offset int) {
	if strings.EqualFold(text, "nat") {
		return
	}
	if unit, ok := infer.DurationUnit(text); ok && g.time.Unit == dtype.Generic && (!g.hasSpans() || unit == g.span) {
		g.span = unit
		return
	}
	unit, ok := infer.TimeUnit(text)
	if !ok || g.hasSpans() {
		g.text = true
		return
	}
	if g.time.Unit = max(g.time.Unit, unit); unit >= dtype.Hour {
		g.time.AddZone(text, offset)
	}
}

// isTime reports whether all strings are times, with zones or without. NaN is none.
func (g *plainGuess) isTime() bool {
	return g.tokens[jsontext.String] && !g.text && !g.special && !g.hasSpans() && (!g.time.Local || g.time.Zoned.Text == "")
}

func (g *plainGuess) hasSpans() bool { return g.span != dtype.Generic }

// isDuration reports whether all strings are durations of one unit.
func (g *plainGuess) isDuration() bool {
	return g.tokens[jsontext.String] && !g.text && !g.special && g.hasSpans()
}

// nodeOf returns the tree of a dtype.
func nodeOf(t dtype.Type) *node {
	switch {
	case t.IsSubarray():
		n := nodeOf(t.Elem())
		shape := t.SubShape()
		for i := len(shape) - 1; i >= 0; i-- {
			n = &node{kind: listNode, length: shape[i], item: n}
		}
		return n
	case t.IsStruct():
		n := &node{kind: objectNode, closed: true}
		for _, f := range t.Fields() {
			n.addKey(f.Name, nodeOf(f.DType))
		}
		return n
	}
	return &node{kind: plainNode, dtype: t, textLength: plain.LengthFunc(t)}
}

// longest appends the longest text of each plain value, in the order of the given dtype, for [sized].
func (n *node) longest(to []int) []int {
	switch n.kind {
	case listNode:
		return n.item.longest(to)
	case objectNode:
		for _, m := range n.members {
			to = m.longest(to)
		}
		return to
	}
	return append(to, n.guess.longest)
}

func (n *node) addKey(key string, member *node) {
	if n.byKey == nil {
		n.byKey = map[string]int{}
	}
	n.byKey[key] = len(n.keys)
	n.keys = append(n.keys, key)
	n.members = append(n.members, member)
	n.seen = append(n.seen, 0)
	n.counts = append(n.counts, 0)
}

// key returns the position of a key. at is its position if keys come in the order of the first object.
func (n *node) key(key string, at int) (int, bool) {
	if at < len(n.keys) && n.keys[at] == key {
		return at, true
	}
	i, ok := n.byKey[key]
	return i, ok
}

// observe adds a value of a plain value. The text before the token has offset bytes. The error reports that the value does not
// go with earlier values.
func (g *plainGuess) observe(t jsontext.Token, offset int) error {
	switch {
	case t.Kind == jsontext.String && jsontext.IsSpecial(t.Text):
		g.special = true
		g.longest = max(g.longest, len(t.Text))
	case t.Kind == jsontext.String:
		g.longest = max(g.longest, escape.StrLen(t.Text))
		if !g.text {
			g.observeTime(t.Text, offset+t.At)
		}
		fallthrough
	default:
		g.tokens[t.Kind] = true
	}
	if t.Kind == jsontext.Number {
		integer, _ := infer.ScanNumber(t.Text)
		g.Add(t.Text, integer, offset+t.At)
	}
	numbers := g.tokens[jsontext.Number] || g.tokens[jsontext.Null]
	switch {
	case g.tokens[jsontext.Bool] && (numbers || g.special || g.tokens[jsontext.String]):
		return fmt.Errorf("%s cannot be in one array with the bools or other values before it", t)
	case g.tokens[jsontext.String] && (g.tokens[jsontext.Number] || g.tokens[jsontext.Null] && !g.isTime() && !g.isDuration()):
		return fmt.Errorf("%s cannot be in one array with the strings or numbers before it", t)
	}
	return nil
}

// infer returns the dtype of n. An error comes with the number that caused it, if any.
func (n *node) infer() (t dtype.Type, c infer.Culprit, err error) {
	switch n.kind {
	case listNode:
		return n.inferSubarray()
	case objectNode:
		return n.inferStruct()
	case unknownNode:
		return dtype.Float64, c, nil
	}
	g := &n.guess
	switch {
	case g.tokens[jsontext.Bool]:
		return dtype.Bool, c, nil
	case g.isTime():
		step := dtype.Step{}
		if g.time.Unit != dtype.Generic {
			step = dtype.Step{Num: 1, Unit: g.time.Unit}
		}
		return dtype.Datetime64(step), c, nil
	case g.isDuration():
		return dtype.Timedelta64(dtype.Step{Num: 1, Unit: g.span}), c, nil
	case g.tokens[jsontext.String]:
		t, err = plain.Str(g.longest)
		return t, c, err
	case !g.tokens[jsontext.Number]:
		return dtype.Float64, c, nil
	}
	return g.Numbers.DType(g.special || g.tokens[jsontext.Null])
}

func (n *node) inferSubarray() (t dtype.Type, c infer.Culprit, err error) {
	var shape []int
	for ; n.kind == listNode; n = n.item {
		shape = append(shape, n.length)
	}
	if t, c, err = n.infer(); err != nil {
		return t, c, err
	}
	t, err = dtype.Subarray(t, shape...)
	if err != nil {
		return t, c, diag.Wrap("convert", bounded.Over("", 0, 0, "lists in an object: %s", diag.Fault(err, "")))
	}
	return t, c, nil
}

func (n *node) inferStruct() (t dtype.Type, c infer.Culprit, err error) {
	fields := make([]dtype.Field, len(n.keys))
	size := 0
	for i, m := range n.members {
		if n.counts[i] < n.objects {
			if err := m.beMissing(n.keys[i]); err != nil {
				return t, c, err
			}
		}
		if t, c, err = m.infer(); err != nil {
			return t, c, err
		}
		fields[i] = dtype.Field{Name: n.keys[i], DType: t, Offset: size}
		if size += t.ItemSize(); size < 0 || size > dtype.MaxItemSize {
			return t, c, diag.Wrap("convert", bounded.Over("", dtype.MaxItemSize, 0, "an object takes more than %d bytes", dtype.MaxItemSize))
		}
	}
	t, err = dtype.Struct(-1, fields...)
	return t, c, err
}

// beMissing records that some objects lack the key of n.
func (n *node) beMissing(key string) error {
	switch g := &n.guess; {
	case n.kind == listNode || n.kind == objectNode:
		return &fault.Error{Path: keyStep(key), Err: fmt.Errorf("the key is not in every object, and %s cannot be missing", n)}
	case g.tokens[jsontext.Bool]:
		return &fault.Error{Path: keyStep(key), Err: errors.New("the key is not in every object, and bools cannot be missing")}
	default:
		g.tokens[jsontext.Null] = true
	}
	return nil
}

// bind maps the tree to an element of dtype t.
func (n *node) bind(t dtype.Type, x elem.Texts) error {
	switch {
	case n.kind == unknownNode: // in an empty list
		return nil
	case t.IsSubarray():
		shape := t.SubShape()
		for i := range shape {
			n.stride = t.Elem().ItemSize()
			for _, d := range shape[i+1:] {
				n.stride *= d
			}
			n = n.item
		}
		return n.bind(t.Elem(), x)
	case t.IsStruct():
		for i, f := range t.Fields() {
			n.offsets = append(n.offsets, f.Offset)
			if err := n.members[i].bind(f.DType, x); err != nil {
				return err
			}
		}
		return nil
	}
	n.dtype = t
	var err error
	n.parse, err = x.JSONParser(t)
	if err != nil {
		err = diag.Wrap("convert", err)
	}
	return err
}
