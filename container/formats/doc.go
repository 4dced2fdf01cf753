// Package formats lists every format of files with several arrays that this module reads and writes, so that a program opens any of
// them and names none.
//
// A program that needs fewer lists them itself, as [container.Formats], and is smaller for it.
package formats
