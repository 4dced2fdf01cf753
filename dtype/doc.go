// Package dtype describes the element types of NumPy arrays. It is numpy.dtype in Go.
//
//	t, err := dtype.Parse("<M8[25s]")                        // any spelling that numpy.dtype(str) accepts
//	t, err = dtype.ParseDescr("[('x', '<f8'), ('n', '|u1')]") // the descr of a file header
//	t.Name()                                                 // "datetime64[25s]", numpy.dtype.name
//	t.Descr()                                                // "<M8[25s]", as NumPy spells it in a file
//
// A [Type] is a small immutable value: copy it, compare it with [Type.Equal], use it from any number of goroutines. The
// plain types have variables ([Float64], [Int32], …) in the byte order of this machine; strings, structs, subarrays and
// datetimes are built with [Bytes], [Str], [Void], [Struct], [Subarray], [Datetime64] and [Timedelta64].
//
// Parse follows numpy.dtype on 64-bit Linux, so "long" is int64 and "longdouble" the x87 format, and knows the
// spellings of NumPy 1 and NumPy 2. It also reads types that NumPy alone rejects: the 12-byte long double of 32-bit x86
// ("<f12", "<c24"), and the types of the ml_dtypes package, by name ("bfloat16") or by the codes that only ml_dtypes
// writes ("<f1", "<c4").
package dtype

// Reading the source. Parse has a short way for <f8 and its like, then decides as NumPy's C code does: a comma string
// (comma.go), a datetime (time.go), a code with a size (parse.go), a letter or a name (names.go). descr.go reads and
// writes lists and tuples. A Type points to the data that only structs and subarrays have, which never changes.
