// Package dis lists pickles as Python's pickletools.dis does.
package dis
