package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
	"github.com/spf13/cobra"
)

// objectFlags are the flags of subcommands that read arrays of Python objects.
type objectFlags struct {
	refuse   bool
	encoding encoding
	max      int64
	limits   bounds
}

func (o *objectFlags) add(a *app, c *cobra.Command) {
	o.limits = a.limits
	f := c.Flags()
	f.BoolVar(&o.refuse, "no-pickle", false, "refuse arrays of Python objects, which are read as data and never run")
	f.Var(&o.encoding, "encoding", "what the str of Python 2 is in objects: ascii, latin1 or bytes")
	f.Int64Var(&o.max, "max-pickle", 0, "largest pickle to read in `bytes` (0: 1 GiB, negative: no limit)")
}

// decoder returns the decoder of objects, or nil if objects are refused.
func (o objectFlags) decoder() npy.ObjectDecoder {
	if o.refuse {
		return nil
	}
	return o.objects()
}

func (o objectFlags) objects() objects.Decoder {
	d := o.limits.objects()
	d.Pickle = o.pickle()
	return d
}

func (o objectFlags) pickle() pickle.Decoder {
	d := o.limits.pickle()
	d.Encoding = o.encoding.Encoding
	if o.max != 0 {
		d.MaxBytes = o.max
	}
	return d
}

// An encoding is the value of a flag.
type encoding struct{ pickle.Encoding }

var encodings = [...]string{pickle.ASCII: "ascii", pickle.Latin1: "latin1", pickle.Bytes: "bytes"}

// String implements pflag.Value.
func (e *encoding) String() string { return encodings[e.Encoding] }

// Type implements pflag.Value: help shows it as the name of the value.
func (e *encoding) Type() string { return "name" }

// Set implements pflag.Value.
func (e *encoding) Set(name string) error {
	for i, known := range encodings {
		if strings.EqualFold(name, known) {
			e.Encoding = pickle.Encoding(i)
			return nil
		}
	}
	return errors.New("want ascii, latin1 or bytes")
}

// read reads an array. Like np.load it also reads a pickle without a header: unless its value is an array, the value
// becomes the only element of an array without dimensions.
func read(f io.Reader, path string, d npy.Decoder) (*npy.Array, error) {
	head, f := peek(f, 1)
	if !isPickle(head, path) {
		return d.Read(f)
	}
	if d.Objects == nil {
		return nil, fmt.Errorf("pickle: %w", npy.ErrObjects)
	}
	return d.Objects.DecodeObjects(bufio.NewReader(f), format.Header{})
}

// proto is the first opcode of pickles of protocol 2 and above; the protocol follows.
const proto = 0x80

// protocolOf returns the protocol of a pickle by its first two bytes. Protocols 0 and 1 are not marked, and both
// return 0.
func protocolOf(head []byte) int {
	if len(head) < 2 || head[0] != proto {
		return 0
	}
	return int(head[1])
}

// isPickle reports whether a file is a pickle, by its first byte, which is an opcode, or by its name.
func isPickle(head []byte, path string) bool {
	return len(head) > 0 && (head[0] == proto || head[0] != format.Magic[0] && isPickleName(path))
}

func isPickleName(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".pkl" || ending == ".pickle"
}

// peek returns the first bytes of a file, at most n, and a reader that begins at the start of the file.
func peek(f io.Reader, n int) ([]byte, io.Reader) {
	if file, ok := f.(*os.File); ok {
		b := make([]byte, n)
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			n, _ = file.ReadAt(b, at)
			return b[:n], f
		}
	}
	r := bufio.NewReader(f)
	b, _ := r.Peek(n)
	return b, r
}
