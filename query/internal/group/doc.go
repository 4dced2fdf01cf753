// Package group makes one record of all rows with equal keys.
//
// Read the package from the bottom up. An aggregate holds a result for each group (aggregate.go): counts, extremes (extremes.go),
// sums and deviations (moments.go) and medians (median.go); functions.go has their names. A table finds the group of a key
// (table.go). A grouping groups chunks of rows on several goroutines and merges their tables in order (grouping.go), and a builder
// makes records of the merged table (records.go). group.go and unique.go are for other packages.
package group
