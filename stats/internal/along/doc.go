// Package along summarises an array along some of its axes: each result has a cell, to which its elements are added in order.
//
// Goroutines divide the results (package axes).
// Cells hold floats (floatcells.go, floatbytes.go) or integers and times (intcells.go, intbytes.go), with their extremes
// (extremes.go) and the number of those that are missing (missing.go); arrays.go has their results. An [Accumulator]
// (accumulator.go, merge.go, bytes.go) adds slabs of an array of a known shape to them, and source.go whole arrays.
package along
