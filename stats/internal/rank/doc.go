// Package rank finds the quantiles of numbers, which are the numbers of known ranks, in a few passes over them.
//
// Each pass counts numbers (counts.go) by more bits of their keys, in the groups that have wanted ranks (groups.go, finder.go): see
// [Of] and selection.go, which add.go, merge.go and bytes.go go on with. Columns (columns.go) that have few numbers share their
// passes (quantiles.go). An Accumulator (accumulator.go) counts the elements of many places.
package rank
