// Package syntax parses expressions in Python's grammar. It knows the text of an expression, and the place of each of its parts
// in it; names, types and values are for package expression. The lexer (lex.go) makes tokens, and the parser (parse.go) a tree.
package syntax
