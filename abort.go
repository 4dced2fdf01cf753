package npy

import "github.com/npygo/npy/internal/atomicfile"

// AbortWrites gives up every file that a function of this module is writing in the process, in all of its packages: the
// temporary files are removed, and what was there before stays. The functions fail, as do all that begin afterwards. It
// is for programs that end at once, at a signal: otherwise what has been written would be left behind under a name
// such as .a.npy.npy-0.tmp, until the same file is written again. An [Appender] has no temporary file, and what it has
// appended stays.
func AbortWrites() { atomicfile.AbortAll() }
