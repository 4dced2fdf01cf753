// Package rowset has sets of rows: a bit for each row ([Bits]), in sections beside long runs of rows that are all in the set or
// all not ([Set]). A set finds its rows by their rank, and copies them out of data that has all rows (move.go).
package rowset
