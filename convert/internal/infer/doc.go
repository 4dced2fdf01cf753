// Package infer finds the dtype of texts. A [Guess] collects what the cells of a column have in common (guess.go): its numbers
// (numbers.go), times and lengths. [Cells] tells which cells are missing, and how numbers are written (cells.go).
package infer
