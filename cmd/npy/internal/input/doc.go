// Package input turns the arguments of the command into arrays.
//
// An argument names a [Target]:
//
//	FILE                    an .npy file, a pickle, or an archive and all of its members
//	FILE[index]             part of its array, as NumPy indexes
//	ARCHIVE:MEMBER          a member of an archive
//	ARCHIVE:MEMBER[index]   part of its array
//	ARCHIVE:PATTERN[index]  all members that match, and the same part of each
//	-                       standard input; also -:MEMBER and -[index]
//
// A * or ? in a name stands for the files or members that match. A file or a member of exactly this name comes first:
// a[0].npy is a file if there is one.
//
// An [Opener] opens targets. It opens each file once and tells its format by its first bytes, so that pipes and the
// process substitution of a shell work in the place of files. The elements are an [npy.Source]. Files are read on demand,
// all others from memory or as a stream.
package input
