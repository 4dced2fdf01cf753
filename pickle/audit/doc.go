// Package audit says what Python may do when it loads a pickle, without running it.
//
//	for part := range audit.File(r) { // arrays (.npy) and pickles, to the last byte
//		if part.Verdict > audit.NoCodeKnown {
//			fmt.Println(part.Offset, part.Verdict, part.Err)
//		}
//	}
//
// A pickle is a program for a machine with a stack. The audit follows it opcode by opcode and tracks the type of each
// value. It knows the classes and functions that pickles of Python's own values and of NumPy's arrays call, and for
// each of them the arguments and states with which they only make data; see the tables in known.go and numpy.go. A call
// of any other function, or with other arguments, gets the verdict [RunsCode]. Input that cannot be followed, such as a
// broken pickle or stray bytes, gets the verdict [Unknown].
//
// [NoCodeKnown] is no proof: it says that Python, NumPy and their modules, if they are the real ones, are not known to
// run code of the pickle's choice or to write to memory that is not theirs. It does not cover time, memory, or the
// program's use of the values. The page doc/audit.md has the details.
package audit
