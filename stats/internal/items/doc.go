// Package items reads the items of an array as numbers, a chunk at a time, in memory that a goroutine uses again.
//
// A [Column] is a plain field of the elements, whose items are taken out of records (column.go). Items become numbers
// (numbers.go) in a [Scratch] (scratch.go).
package items
