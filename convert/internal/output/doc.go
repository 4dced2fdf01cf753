// Package output writes the text of arrays of any size. A [Content] gives the elements block by block (content.go, items.go),
// and an [Output] collects their text (output.go), which is made on all processors where that is possible (parallel.go).
package output
