package flags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
	"github.com/spf13/cobra"
)

// Objects holds the flags of subcommands that read arrays of Python objects.
type Objects struct {
	Refuse   bool
	encoding encoding
	max      int64
	Limits   limits.Limits
}

// Add adds the flags to a subcommand. The limits come from l.
func (o *Objects) Add(l limits.Limits, c *cobra.Command) {
	o.Limits = l
	f := c.Flags()
	f.BoolVar(&o.Refuse, "no-pickle", false, "Refuse arrays of Python objects, which are read as data and never run")
	f.Var(&o.encoding, "encoding", "how to read the str of Python 2 in objects: ascii, latin1, bytes")
	f.Int64Var(&o.max, "max-pickle", 0, "largest pickle to read in `bytes` (0: 1 GiB, negative: no limit)")
}

// AlsoText makes --encoding take the encodings of text, too.
func (o *Objects) AlsoText(c *cobra.Command) {
	o.encoding.alsoText = true
	c.Flags().Lookup("encoding").Usage = "encoding of text: utf-8, latin-1, windows-1252, utf-16; of the str of Python 2 in objects: ascii, latin1, bytes"
}

// TextEncoding returns the encoding of text that --encoding names, or "". isText reports whether text is read, and not objects.
func (o Objects) TextEncoding(isText bool) (convert.Encoding, error) {
	name := o.encoding.name
	if name == "" {
		return "", nil
	}
	e, err := convert.ParseEncoding(name)
	switch {
	case isText && err != nil:
		return "", fmt.Errorf("--encoding %s: want an encoding of text: utf-8, latin-1, windows-1252, utf-16", name)
	case !isText && !o.encoding.ofPickles:
		return "", fmt.Errorf("--encoding %s needs text as IN; of objects it is ascii, latin1 or bytes", name)
	}
	return e, nil
}

// Decoder returns the decoder of objects, or nil if objects are refused.
func (o Objects) Decoder() npy.ObjectDecoder {
	if o.Refuse {
		return nil
	}
	return o.Objects()
}

// Objects returns the decoder of objects, also if they are refused.
func (o Objects) Objects() objects.Decoder {
	d := o.Limits.Objects()
	d.Pickle = o.Pickle()
	return d
}

// Pickle returns the decoder of pickles.
func (o Objects) Pickle() pickle.Decoder {
	d := o.Limits.Pickle()
	d.Encoding = o.encoding.Encoding
	if o.max != 0 {
		d.MaxBytes = o.max
	}
	return d
}

// An encoding is the value of a flag.
type encoding struct {
	pickle.Encoding
	alsoText  bool   // encodings of text are allowed, too
	ofPickles bool   // the name is an encoding of pickles
	name      string // as given
}

var encodings = [...]string{pickle.ASCII: "ascii", pickle.Latin1: "latin1", pickle.Bytes: "bytes"}

// String implements pflag.Value.
func (e *encoding) String() string { return encodings[e.Encoding] }

// Type implements pflag.Value: help shows it as the name of the value.
func (e *encoding) Type() string { return "name" }

// Set implements pflag.Value.
func (e *encoding) Set(name string) error {
	for i, known := range encodings {
		if strings.EqualFold(name, known) {
			e.Encoding, e.ofPickles, e.name = pickle.Encoding(i), true, name
			return nil
		}
	}
	if e.alsoText {
		if _, err := convert.ParseEncoding(name); err != nil {
			return errors.New("want utf-8, latin-1, windows-1252 or utf-16, or for objects ascii, latin1 or bytes")
		}
		e.name, e.ofPickles = name, false
		return nil
	}
	return errors.New("want ascii, latin1 or bytes")
}
