// Package jsonread reads JSON and NDJSON. Both are read twice: a survey of the text makes a tree of nodes (node.go), which is as large
// as the dtype, and the second pass stores the values where the tree says (read.go). JSON is held as one text (text.go), NDJSON
// is read in blocks of lines (lines.go). path.go gives errors the place in the array.
package jsonread
