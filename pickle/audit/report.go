package audit

import (
	"strings"

	"github.com/npygo/npy/format"
)

// A Report is the result for one pickle, or for another part of a file.
type Report struct {
	Kind     Kind           // what the part is; most fields are of pickles alone
	Offset   int64          // the offset of the part in the file
	Header   *format.Header // of the array, if it is one or the pickle holds its elements
	Protocol int            // of the pickle: the number at its start, 0 for protocols 0 and 1
	Imports  []Import       // the globals that the pickle names, in order
	Verdict  Verdict        // the worst of the imports, or Unknown

	// Err is the first part that could not be explained, or nil: an error of the pickle's format, an operation that the
	// audit does not know, or an error of reading. Its offset counts from the start of the file.
	Err error
}

// A Kind is the kind of a part of a file.
type Kind uint8

// The kinds of parts.
const (
	Pickle      Kind = iota // a pickle
	Array                   // an array without Python objects: NumPy reads it without pickle
	Unexplained             // other bytes, up to the end of the file
)

// An Import is a global that a pickle names, with the uses that Python makes of it when it loads the pickle.
type Import struct {
	Module, Name string  // the name in Python 3; "?" for both if the pickle computes the names, or takes them from elsewhere; Name may be truncated
	Offset       int64   // of the opcode that names it
	Op           string  // that opcode's name in Python's pickletools
	Uses         Use     // all of them together; 0 if the global is only looked up
	Verdict      Verdict // of the global with these uses
	Reason       string  // why the verdict is RunsCode although the global is known, or is only looked up; else ""
}

// A Use is a set of the ways in which a pickle uses a global, directly or through values that it made.
type Use uint8

// The ways in which pickles use globals.
const (
	Called   Use = 1 << iota // it is called: REDUCE, INST, OBJ
	Created                  // its __new__ is called: NEWOBJ, NEWOBJ_EX
	Built                    // it, or a value that it made, is given a state: BUILD calls __setstate__ or sets attributes
	Modified                 // it, or a value that it made, is given items: APPEND, SETITEM, ADDITEMS and similar opcodes
	Passed                   // it is passed to a call, or kept in a state, and may be called there
)

// useNames are the names of the uses, in the order of their bits.
var useNames = [...]string{"called", "created", "built", "modified", "passed"}

// String returns the uses, separated by commas.
func (u Use) String() string {
	var names []string
	for i, name := range useNames {
		if u>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// A Verdict is the worst that may happen when Python loads a pickle.
type Verdict uint8

// The verdicts, the worst last.
const (
	NoCodeKnown Verdict = iota // data is made, and no code execution is known
	ImportsOnly                // a module is imported and a name looked up in it, which runs the module's code; nothing is called
	Unknown                    // not all of the pickle could be explained
	RunsCode                   // unknown code runs, with arguments from the pickle
)

// String returns the name of the verdict.
func (v Verdict) String() string {
	return [...]string{"NoCodeKnown", "ImportsOnly", "Unknown", "RunsCode"}[v]
}
