// Package arrays has the ends of a reading, which make an array or an .npy file of elements that arrive in pieces. They trust no
// shape before the elements have arrived.
package arrays
