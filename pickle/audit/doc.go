// Package audit says what Python may do when it loads a pickle, without running it.
//
//	for part := range audit.File(r) { // arrays (.npy) and pickles, to the last byte
//		if part.Verdict > audit.NoCodeKnown {
//			fmt.Println(part.Offset, part.Verdict, part.Err)
//		}
//	}
//
// A pickle is a program for a machine with a stack. The audit follows it opcode by opcode and keeps account of what each
// value is. It knows the classes and functions that pickles of Python's own values and of NumPy's arrays call, and for
// each of them the arguments and states with which it makes data and does nothing else; see the tables in known.go and
// numpy.go. A call of anything else, or with other arguments, gets the verdict [RunsCode]. What cannot be followed at
// all, such as a broken pickle or bytes that belong to nothing, gets the verdict [Unknown].
//
// [NoCodeKnown] is no proof: it says that Python, NumPy and their modules, if they are the real ones, are not known to run code
// of the pickle's choice or to write to memory that is not theirs. It says nothing of time, of memory, or of what a
// program does with the values. The page doc/audit.md has the details.
package audit
