package expression

import (
	"bytes"
	"unicode/utf8"

	"github.com/npygo/npy/query/internal/syntax"
)

// textArg returns an argument that must be text.
func (c *checker) textArg(x *syntax.Expr, a *node) *node {
	if a.isConst || !a.isText() {
		got := "a constant"
		if !a.isConst {
			got = a.typ.String()
		}
		c.fail(a.x, "%s is for fields of text, not %s", x.Text, got)
	}
	return a
}

func textLen(c *checker, x *syntax.Expr, args []*node) *node {
	a := c.textArg(x, args[0])
	t := int64Type
	t.shape = a.shape
	return each(x, a, t, func(v, out *vec) {
		for i, s := range v.texts {
			n := len(s)
			if a.class == strValue {
				n = characters(s)
			}
			out.ints[i] = int64(n)
		}
	})
}

// characters returns the number of code points in text that may have lone surrogates of three bytes.
func characters(s []byte) int {
	n := 0
	for _, b := range s {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

func textMap(do func([]byte) []byte) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		a := c.textArg(x, args[0])
		return each(x, a, a.typ, func(v, out *vec) {
			for i, s := range v.texts {
				out.texts[i] = do(s)
			}
		})
	}
}

// textTest returns a function that tests a text with another.
func textTest(do func(s, part []byte) bool) func(c *checker, x *syntax.Expr, args []*node) *node {
	return func(c *checker, x *syntax.Expr, args []*node) *node {
		a := c.textArg(x, args[0])
		if !args[1].isConst {
			return c.testTexts(x, do, a, c.textArg(x, args[1]))
		}
		text, ok := textOf(args[1].constant)
		if !ok {
			c.fail(args[1].x, "%s wants a text in quotes", x.Text)
		}
		want := []byte(text)
		return each(x, a, boolsOf(a), func(v, out *vec) {
			for i, s := range v.texts {
				out.mask[i] = b2u(do(s, want))
			}
		})
	}
}

func (c *checker) testTexts(x *syntax.Expr, do func(s, part []byte) bool, a, b *node) *node {
	if a.class != b.class {
		c.fail(x, "%s of %s and %s", x.Text, a.typ, b.typ)
	}
	t := boolType
	t.shape = c.shape(x, a, b)
	return &node{typ: t, x: x, column: -1, eval: testPairs(a, b, t, func(v, w *vec, out []uint8) {
		for i, s := range v.texts {
			out[i] = b2u(do(s, w.texts[i]))
		}
	})}
}

// partOf returns the node that is true where a text is part of the text of a node: 'a' in name.
func (c *checker) partOf(x *syntax.Expr, a, part *node) *node {
	if a.isConst || !a.isText() {
		c.fail(x, "'in' wants a list such as (1, 2), or a field of text after it")
	}
	named := *x
	named.Text = "in"
	return textTest(bytes.Contains)(c, &named, []*node{a, part})
}
