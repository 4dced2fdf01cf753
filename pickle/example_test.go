package pickle_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/npygo/npy/pickle"
)

// The bytes of {"name": "run 7", "values": [1, 2.5]} from Python's pickle.dumps.
const run7 = "\x80\x04\x95\x2c\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x04name\x94\x8c\x05run 7\x94" +
	"\x8c\x06values\x94]\x94(K\x01G@\x04\x00\x00\x00\x00\x00\x00eu."

func ExampleDecode() {
	v, err := pickle.Decode([]byte(run7))
	if err != nil {
		fmt.Println(err)
		return
	}
	d := v.(*pickle.Dict)
	for key, value := range d.All() {
		if list, ok := value.(*pickle.List); ok {
			value = list.Items
		}
		fmt.Println(key, value)
	}
	// Output:
	// name run 7
	// values [1 2.5]
}

// Limits lower than the defaults suit untrusted pickles.
func ExampleDecoder() {
	d := pickle.Decoder{MaxBytes: 1 << 20, MaxDepth: 3}
	_, err := d.Decode(strings.NewReader("]]]]aaa."))
	fmt.Println(errors.Is(err, pickle.ErrLimit))
	fmt.Println(err)
	// Output:
	// true
	// pickle: byte 7 (STOP): the nesting of containers is over MaxDepth 3: limit exceeded
}

// A reader may hold several pickles, and other data after them.
func ExampleDecoder_Decode() {
	r := strings.NewReader("K\x01.K\x02.the rest")
	for range 2 {
		v, err := pickle.Decoder{}.Decode(r)
		fmt.Println(v, err)
	}
	fmt.Println(r.Len(), "bytes are left")
	// Output:
	// 1 <nil>
	// 2 <nil>
	// 8 bytes are left
}

// A class that is not known stays a name, with the arguments of the call. Nothing is imported or called.
func ExampleObject() {
	v, err := pickle.Decode([]byte("cos\nsystem\nVrm -rf /\n\x85R."))
	if err != nil {
		fmt.Println(err)
		return
	}
	o := v.(*pickle.Object)
	if g, ok := o.Class.(*pickle.Global); ok && g.Is("os", "system") {
		fmt.Printf("would have called os.system(%q)\n", o.Args.Items...)
	}
	// Output:
	// would have called os.system("rm -rf /")
}

// A Point is made from an instance of a Python class.
type Point struct{ X, Y any }

// SetState takes the attributes of the instance.
func (p *Point) SetState(state any) error {
	d, ok := state.(*pickle.Dict)
	if !ok {
		return errors.New("the state of a Point is not a dict")
	}
	p.X, _ = d.Get("x")
	p.Y, _ = d.Get("y")
	return nil
}

// A hook makes Go values of the classes of a program.
func ExampleDecoder_construct() {
	d := pickle.Decoder{Construct: func(o *pickle.Object) (any, bool, error) {
		if g, ok := o.Class.(*pickle.Global); ok && g.Is("shapes", "Point") {
			return &Point{}, true, nil
		}
		return nil, false, nil
	}}
	v, _, err := d.DecodeBytes([]byte("\x80\x02cshapes\nPoint\n)\x81}(X\x01\x00\x00\x00xK\x03X\x01\x00\x00\x00yK\x04ub."))
	fmt.Printf("%+v %v\n", v, err)
	// Output:
	// &{X:3 Y:4} <nil>
}

// In pickles of Python 2 a str may be text in some encoding, or bytes.
func ExampleEncoding() {
	data := []byte("U\x04caf\xe9.")
	_, err := pickle.Decode(data)
	fmt.Println(err)
	for _, encoding := range []pickle.Encoding{pickle.Latin1, pickle.Bytes} {
		v, _, err := pickle.Decoder{Encoding: encoding}.DecodeBytes(data)
		fmt.Printf("%q %v\n", v, err)
	}
	// Output:
	// pickle: byte 0 (SHORT_BINSTRING): a str of Python 2 is not ASCII: "caf\xe9": choose the Decoder's Encoding, Latin1 for text of its single bytes or Bytes
	// "café" <nil>
	// "caf\xe9" <nil>
}

func ExampleTypeName() {
	fmt.Println(pickle.TypeName(nil), pickle.TypeName(big.NewInt(5)), pickle.TypeName(&pickle.OrderedDict{}))
	fmt.Println(pickle.TypeName(&pickle.Object{Class: &pickle.Global{Module: "torch", Name: "Size"}}))
	// Output:
	// NoneType int OrderedDict
	// torch.Size
}
