// Package audit reports the imports and calls of a pickle, and whether they may run code, without loading it.
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

// Reading the source. File (file.go) goes through the arrays and pickles of a file. A tracer (tracer.go) gets opcodes from
// pickle.Ops and keeps a stack of the known facts about each value (value.go): an int and a short text are known in full, a
// longer one by its length. calls.go follows calls, and changes.go states and items. Each known class or function has a
// maker, which checks the arguments and returns the result of the call, or an error if its effect is not known: known.go
// for Python, numpy.go for NumPy. dtype.go checks the states of dtypes. judge.go gives the verdicts at the end, when all
// values that unknown code was given are known.
