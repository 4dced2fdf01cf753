package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/pickle/audit"
)

func ExampleOne() {
	evil := "cnumpy\nfloat64\n0cposix\nsystem\n(S'rm -rf /'\ntR."
	r := audit.One(strings.NewReader(evil))
	for _, m := range r.Imports {
		fmt.Printf("byte %d: %s.%s %v: %v\n", m.Offset, m.Module, m.Name, m.Uses, m.Verdict)
	}
	fmt.Println(r.Verdict, r.Err)
	// Output:
	// byte 0: numpy.float64 : NoCodeKnown
	// byte 16: posix.system called: RunsCode
	// RunsCode <nil>
}

// A known function with arguments that are not: it would open a file for writing.
func ExampleOne_arguments() {
	evil := "ccopyreg\n_reconstructor\n(cnumpy\nmemmap\ncnumpy\nmemmap\nS'victim.py'\ntR."
	for _, m := range audit.One(strings.NewReader(evil)).Imports {
		fmt.Printf("%s %v %q\n", m.Name, m.Verdict, m.Reason)
	}
	// Output:
	// _reconstructor RunsCode "its base is not builtins.object"
	// memmap RunsCode ""
	// memmap RunsCode ""
}

func ExampleFile() {
	array := "\x93NUMPY\x01\x00\x3a\x00{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\nabc"
	for part := range audit.File(bytes.NewReader([]byte(array + "N." + "and more"))) {
		switch part.Kind {
		case audit.Array:
			fmt.Println(part.Offset, "array of", part.Header.DType.Name(), part.Verdict)
		case audit.Pickle:
			fmt.Println(part.Offset, "pickle", part.Verdict)
		case audit.Unexplained:
			fmt.Println(part.Offset, "unexplained", part.Verdict)
		}
	}
	// Output:
	// 0 array of uint8 NoCodeKnown
	// 71 pickle NoCodeKnown
	// 73 unexplained Unknown
}

// A pickle from a stranger is followed up to a limit.
func ExampleAuditor() {
	report := audit.Auditor{MaxNodes: 1000}.One(strings.NewReader("(" + strings.Repeat("N", 2000) + "l."))
	fmt.Println(report.Verdict, errors.Is(report.Err, pickle.ErrLimit))
	// Output: Unknown true
}
