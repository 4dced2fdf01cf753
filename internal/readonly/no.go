//go:build !npyread

package readonly

// Build says that the program is built with the tag npyread.
const Build = false
