// Package feed brings the elements of an array to those who count them: in blocks of a source or pieces of a reader (blocks.go),
// in runs of which some are known to be equal (runs.go), and in several passes (passes.go). Data that arrives in pieces of any
// length is cut into units (cutter.go).
package feed
