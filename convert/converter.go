package convert

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
)

// A Converter implements one format: its name, how arrays are written, and how they are read. A function that the format
// does not support is nil.
//
// The functions hold no state and may be called by several goroutines.
type Converter struct {
	Format  Format   // the name, as given to the command
	Title   string   // the name for people: "Markdown"
	Endings []string // file name extensions, lower case with the dot: ".csv"
	Binary  bool     // the output is not text for a terminal
	Kept    string   // the properties of an array that survive, in words
	Lost    []Loss   // the properties that do not

	// Write writes src to w, block by block where the format allows. It must reject an array that the format cannot
	// hold before it writes anything. The DType of the options is the dtype of src.
	Write func(ctx context.Context, w io.Writer, src npy.Source, o WriteOptions) error

	// Read reads r to its end and passes the array to the sink, piece by piece where the format allows. Its Report is
	// kept, except for dtype and shape, which the sink has received.
	Read func(ctx context.Context, to Sink, r io.Reader, o ReadOptions) (Report, error)
}

// A Loss is a property of an array that a format does not keep.
type Loss struct {
	What string // in words: "the dtype"

	// When reports whether an array of this dtype and shape loses the property. nil means that dtype and shape do not
	// show it.
	When func(t dtype.Type, shape []int) bool
}

// Formats is a list of converters. The first that matches is used. [Standard] returns the converters of this package. A
// program may append others and use the methods, which correspond to the functions of this package.
type Formats []Converter

// Find returns the converter for a format.
func (s Formats) Find(f Format) (Converter, error) {
	var known []string
	for _, c := range s {
		if c.Format == f {
			return c, nil
		}
		known = append(known, string(c.Format))
	}
	return Converter{}, diag.Errorf("convert", "unknown format %q, want one of %s", string(f), strings.Join(known, ", "))
}

// writer returns the converter for a format, which must be able to write.
func (s Formats) writer(f Format) (Converter, error) {
	c, err := s.Find(f)
	if err == nil && c.Write == nil {
		err = diag.Errorf("convert", "%s cannot be written; write one of %s", f, strings.Join(s.names(func(c Converter) bool { return c.Write != nil }), ", "))
	}
	return c, err
}

// reader returns the converter for a format, which must be able to read.
func (s Formats) reader(f Format) (Converter, error) {
	c, err := s.Find(f)
	if err == nil && c.Read == nil {
		err = diag.Errorf("convert", "%s cannot be read; read one of %s", f, strings.Join(s.names(func(c Converter) bool { return c.Read != nil }), ", "))
	}
	return c, err
}

func (s Formats) names(of func(Converter) bool) []string {
	var names []string
	for _, c := range s {
		if of(c) {
			names = append(names, string(c.Format))
		}
	}
	return names
}

// ForFile returns the format for the extension of a file name, in either case.
func (s Formats) ForFile(name string) (Format, bool) {
	ending := strings.ToLower(filepath.Ext(name))
	for _, c := range s {
		if slices.Contains(c.Endings, ending) {
			return c.Format, true
		}
	}
	return "", false
}

// ofFile returns the converter for the extension of a file name.
func (s Formats) ofFile(name string) (Converter, error) {
	f, ok := s.ForFile(name)
	if !ok {
		return Converter{}, diag.Errorf("convert", "no format has the extension of %q, want one of %s", name, strings.Join(s.Endings(), ", "))
	}
	return s.Find(f)
}

// Endings returns the extensions that ForFile accepts, with their dots.
func (s Formats) Endings() []string {
	var all []string
	for _, c := range s {
		all = append(all, c.Endings...)
	}
	return all
}

// Losses returns the properties that an array loses in a format, as far as its dtype and shape show them.
func (s Formats) Losses(f Format, t dtype.Type, shape []int) []string {
	c, err := s.Find(f)
	if err != nil {
		return nil
	}
	var lost []string
	for _, l := range c.Lost {
		if l.When != nil && l.When(t, shape) {
			lost = append(lost, l.What)
		}
	}
	return lost
}

// A Sink receives the array that a [Converter] reads: in one call of Array, or in pieces by Begin followed by Write.
type Sink interface {
	// Array receives a whole array. The converter must not use the array afterwards.
	Array(a *npy.Array) error

	// Begin sets dtype and shape. The array must have at least one dimension. shape[0] is -1 while unknown.
	Begin(t dtype.Type, shape []int) error

	// Write receives the next elements in C order, in the byte order of the dtype. It does not retain p. The total number
	// of bytes must match the shape.
	Write(p []byte) error
}
