package convert

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// A Converter is one format: what it is called and how arrays become it and come back. What it cannot do is nil.
//
// Its functions hold no state: they may be called by several goroutines.
type Converter struct {
	Format  Format   // its name, as the command takes it
	Endings []string // of the names of its files, with the dot and in lower case: ".csv"
	Binary  bool     // it is no text for a terminal
	Kept    string   // what of an array comes back, in words
	Lost    []Loss   // what does not

	// Write writes src to w, block by block where the format allows. It refuses what the format cannot hold before it writes
	// anything. The DType of the options is that of src.
	Write func(ctx context.Context, w io.Writer, src npy.Source, o WriteOptions) error

	// Read reads r to its end and gives the array to the sink, piece by piece where the format allows. What it says of a
	// Report is kept, but for the dtype and the shape, which the sink has seen.
	Read func(to Sink, r io.Reader, o ReadOptions) (Report, error)
}

// A Loss is something of an array that a format does not keep.
type Loss struct {
	What string // in words: "the dtype"

	// When reports whether an array of this dtype and shape loses it. nil stands for what neither of them shows.
	When func(t dtype.Type, shape []int) bool
}

// Formats are converters, of which the first that fits is taken. Those of this package are [Standard]; a program appends
// others and uses the methods, which do what the functions of this package do with its own.
type Formats []Converter

// Find returns the converter of a format.
func (s Formats) Find(f Format) (Converter, error) {
	var known []string
	for _, c := range s {
		if c.Format == f {
			return c, nil
		}
		known = append(known, string(c.Format))
	}
	return Converter{}, fmt.Errorf("convert: unknown format %q, want one of %s", string(f), strings.Join(known, ", "))
}

// writer is Find for those who write.
func (s Formats) writer(f Format) (Converter, error) {
	c, err := s.Find(f)
	if err == nil && c.Write == nil {
		err = fmt.Errorf("convert: %s is only read; write one of %s", f, strings.Join(s.names(func(c Converter) bool { return c.Write != nil }), ", "))
	}
	return c, err
}

// reader is Find for those who read.
func (s Formats) reader(f Format) (Converter, error) {
	c, err := s.Find(f)
	if err == nil && c.Read == nil {
		err = fmt.Errorf("convert: %s is only written; what is to come back is one of %s", f, strings.Join(s.names(func(c Converter) bool { return c.Read != nil }), ", "))
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

// ForFile returns the format for the ending of a file name, in either case.
func (s Formats) ForFile(name string) (Format, bool) {
	ending := strings.ToLower(filepath.Ext(name))
	for _, c := range s {
		if slices.Contains(c.Endings, ending) {
			return c.Format, true
		}
	}
	return "", false
}

// Endings returns the endings that ForFile knows, with their dots.
func (s Formats) Endings() []string {
	var all []string
	for _, c := range s {
		all = append(all, c.Endings...)
	}
	return all
}

// Losses says what an array of this dtype and shape loses in a format, as far as they show it.
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
