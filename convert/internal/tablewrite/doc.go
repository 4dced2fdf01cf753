// Package tablewrite writes arrays as tables. A layout divides an array into lines of cells (layout.go). The lines are CSV and TSV
// (delimited.go), the text of numpy.savetxt (savetxt.go), or aligned for people (pretty.go) in a dialect: markdown.go, latex.go.
package tablewrite
