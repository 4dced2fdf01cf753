package pickle_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/npygo/npy/pickle"
)

func ExampleEncode() {
	d := &pickle.Dict{}
	if err := d.Set("shape", &pickle.Tuple{Items: []any{3, 4}}); err != nil {
		fmt.Println(err)
		return
	}
	data, err := pickle.Encode(d) // pickle.dumps({'shape': (3, 4)}, 4)
	fmt.Printf("%q %v\n", data, err)
	// Output: "\x80\x04\x95\x12\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x05shape\x94K\x03K\x04\x86\x94s." <nil>
}

// A version is written as Python's packaging.version.Version("1.2") would be.
type version struct{ text string }

func ExampleEncoder() {
	e := pickle.Encoder{
		Protocol: 3,
		Reduce: func(v any) (*pickle.Object, error) {
			ver, ok := v.(*version)
			if !ok {
				return nil, nil
			}
			class := &pickle.Global{Module: "packaging.version", Name: "Version"}
			return &pickle.Object{Class: class, Args: &pickle.Tuple{Items: []any{ver.text}}}, nil
		},
	}
	data, err := e.Append(nil, &version{"1.2"})
	fmt.Printf("%q %v\n", data, err)
	_, err = e.Append(nil, &pickle.List{Items: []any{1, struct{}{}}})
	fmt.Println(err)
	// Output:
	// "\x80\x03cpackaging.version\nVersion\nq\x00X\x03\x00\x00\x001.2q\x01\x85q\x02Rq\x03." <nil>
	// pickle: cannot write struct {} at [1]: package pickle does not know its type, nor does Encoder.Reduce
}

func ExampleRepr() {
	v, err := pickle.Decode([]byte("\x80\x04cproject.models\nOpaque\n)\x81}\x8c\x02on\x88s\x8c\x06it's \x1e\x85\x86b."))
	fmt.Println(pickle.Repr(v), err)
	short := pickle.Printer{MaxBytes: 24}
	fmt.Println(short.Repr(v))
	// Output:
	// project.models.Opaque(state=({'on': True}, ("it's \x1e",))) <nil>
	// project.models.Opaque(st…
}

func ExampleOps() {
	for op, err := range pickle.Ops(strings.NewReader("\x80\x04\x8c\x02os\x8c\x06system\x93.")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(op.Offset, op.Name, op.Arg)
	}
	// Output:
	// 0 PROTO 4
	// 2 SHORT_BINUNICODE os
	// 6 SHORT_BINUNICODE system
	// 14 STACK_GLOBAL <nil>
	// 15 STOP <nil>
}

func ExampleDisassemble() {
	if err := pickle.Disassemble(os.Stdout, strings.NewReader("\x80\x04(K\x01\x8c\x01x\x94t.")); err != nil {
		fmt.Println(err)
	}
	// Output:
	//     0: \x80 PROTO      4
	//     2: (    MARK
	//     3: K        BININT1    1
	//     5: \x8c     SHORT_BINUNICODE 'x'
	//     8: \x94     MEMOIZE    (as 0)
	//     9: t        TUPLE      (MARK at 2)
	//    10: .    STOP
	// highest protocol among opcodes = 4
}

// A pickle from a stranger is listed up to a number of opcodes.
func ExampleDecoder_Disassemble() {
	err := pickle.Decoder{MaxNodes: 2}.Disassemble(os.Stdout, strings.NewReader("NNNN."))
	fmt.Println(errors.Is(err, pickle.ErrLimit))
	// Output:
	//     0: N    NONE
	//     1: N    NONE
	// true
}
