// Npy looks at, checks and converts NumPy's array files.
//
//	npy info FILE…        what is in a file, from its header alone
//	npy show FILE         the values, as NumPy prints them
//	npy verify FILE…      everything that can be wrong
//	npy pickle FILE…      what Python would run to read objects
//	npy convert IN OUT    between .npy, .csv, .tsv, .json and .ndjson
//
// "npy help" says more. FILE can be - for standard input, and FILE[0:10, ::2] is part of an array.
package main

import (
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
