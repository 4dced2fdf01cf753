// Package sortkey turns the values by which rows are ordered or grouped into words of 64 bits, which compare as the values do in
// NumPy: NaN and NaT are the largest keys, -0 has the key of 0, and descending keys are inverted.
//
// key.go finds the place of a key in a row, item.go makes the key of an item, and a [Plan] makes the words of rows.
package sortkey
