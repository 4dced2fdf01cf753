// Package group makes one record of all rows with equal keys.
//
// Read the package from the bottom up. An aggregate holds a result for each group (aggregate.go): counts, extremes (extremes.go),
// sums and deviations (moments.go), quantiles (quantile.go) and distinct values (distinct.go); functions.go has their names. Keys and
// results are of fields, or of expressions whose values are computed beside the rows (columns.go). A table finds the group of a key
// (table.go). A grouping groups chunks of rows on several goroutines and merges their tables in order (grouping.go), and a builder
// makes records of the merged table (records.go). group.go and unique.go are for other packages.
package group
