package expression

import (
	"bytes"
	"unicode/utf8"

	"github.com/npygo/npy/query/internal/syntax"
	"github.com/npygo/npy/query/internal/values"
)

// textArg returns an argument that must be text.
func (c *checker) textArg(x *syntax.Expr, a *values.Node) *values.Node {
	if a.IsConst || !a.IsText() {
		got := "a constant"
		if !a.IsConst {
			got = a.Type.String()
		}
		c.fail(a.Expr, "%s is for fields of text, not %s", x.Text, got)
	}
	return a
}

func textLen(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	a := c.textArg(x, args[0])
	t := values.Int64Type
	t.Shape = a.Shape
	return values.Each(x, a, t, func(v, out *values.Vec) {
		for i, s := range v.Texts {
			n := len(s)
			if a.Class == values.Str {
				n = characters(s)
			}
			out.Ints[i] = int64(n)
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

func textMap(do func([]byte) []byte) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.textArg(x, args[0])
		return values.Each(x, a, a.Type, func(v, out *values.Vec) {
			for i, s := range v.Texts {
				out.Texts[i] = do(s)
			}
		})
	}
}

// textTest returns a function that tests a text with another.
func textTest(do func(s, part []byte) bool) func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
	return func(c *checker, x *syntax.Expr, args []*values.Node) *values.Node {
		a := c.textArg(x, args[0])
		if !args[1].IsConst {
			return c.testTexts(x, do, a, c.textArg(x, args[1]))
		}
		text, ok := textOf(args[1].Constant)
		if !ok {
			c.fail(args[1].Expr, "%s wants a text in quotes", x.Text)
		}
		want := []byte(text)
		return values.Each(x, a, values.BoolsOf(a), func(v, out *values.Vec) {
			for i, s := range v.Texts {
				out.Mask[i] = values.Bit(do(s, want))
			}
		})
	}
}

func (c *checker) testTexts(x *syntax.Expr, do func(s, part []byte) bool, a, b *values.Node) *values.Node {
	if a.Class != b.Class {
		c.fail(x, "%s of %s and %s", x.Text, a.Type, b.Type)
	}
	t := values.BoolType
	t.Shape = c.shape(x, a, b)
	return &values.Node{Type: t, Expr: x, Column: -1, Eval: values.TestPairs(a, b, t, func(v, w *values.Vec, out []uint8) {
		for i, s := range v.Texts {
			out[i] = values.Bit(do(s, w.Texts[i]))
		}
	})}
}

// partOf returns the node that is true where a text is part of the text of a node: 'a' in name.
func (c *checker) partOf(x *syntax.Expr, a, part *values.Node) *values.Node {
	if a.IsConst || !a.IsText() {
		c.fail(x, "'in' wants a list such as (1, 2), or a field of text after it")
	}
	named := *x
	named.Text = "in"
	return textTest(bytes.Contains)(c, &named, []*values.Node{a, part})
}
