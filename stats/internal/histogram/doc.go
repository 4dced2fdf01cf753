// Package histogram counts numbers and times by bin: between given edges (count.go), or in bins of equal width (edges.go) between the
// smallest and the largest (extent.go, histogram.go).
package histogram
