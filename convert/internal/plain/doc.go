// Package plain has the plain values of a dtype: what is left of records and subarrays, one column of a table each. value.go
// lists them; length.go finds the dtypes "U" and "S" among them, whose lengths depend on the texts.
package plain
