// Package input reads texts in blocks of whole rows. A [Text] obeys a context and limits (text.go). A [Spool] is a text that is read
// twice (spool.go), and [UTF8] decodes it (encoding.go). [Blocks] cuts the result where rows surely end (blocks.go), which the
// [Scanner] knows: it splits a block into cells (scanner.go).
package input
