// Package accumulate summarises an array of any size, a block of 256 KB at a time, on all processors.
//
// An [Accumulator] (accumulator.go) takes data that arrives in pieces, from files (file.go), and of equal elements (copies.go).
// Its blocks begin at fixed positions, so that states of pieces (bytes.go) are merged (merge.go) without a difference. source.go
// summarises a Source.
package accumulate
