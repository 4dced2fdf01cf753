package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/pickle"
	"github.com/spf13/cobra"
)

// A target is an input that an argument names: a file or - for standard input, optionally a member if this is an
// archive, and optionally an index into the array.
type target struct {
	path    string
	archive *archive // nil if the file is not an archive
	member  string   // of the archive
	whole   bool     // the argument named the archive or a pattern, and this is one of the matches
	index   []npy.Index
	sub     string // the text of the index, with brackets
}

// name returns the target's name for messages.
func (t target) name() string {
	if t.member == "" {
		return t.path
	}
	return fileName(t.path) + ":" + t.member
}

// memberName returns the member for JSON, or nil.
func (t target) memberName() *string {
	if t.member == "" {
		return nil
	}
	return &t.member
}

// slice returns the text of the index for JSON, or nil.
func (t target) slice() *string {
	if t.sub == "" {
		return nil
	}
	return &t.sub
}

// parseTarget splits "FILE[index]" and "FILE:member" if FILE exists and a file of the whole name does not. The text
// after the colon is resolved later, when the archive is open.
func parseTarget(arg string) (target, error) {
	if exists(arg) {
		return target{path: arg}, nil
	}
	for i, c := range []byte(arg) {
		if c != '[' && c != ':' || arg[:i] != "-" && !exists(arg[:i]) {
			continue
		}
		if c == ':' {
			return target{path: arg[:i], member: arg[i+1:]}, nil
		}
		return target{path: arg[:i]}.withIndex(arg[i:])
	}
	return target{path: arg}, nil
}

func (t target) withIndex(text string) (target, error) {
	index, err := npy.ParseIndex(text)
	if err != nil && !strings.HasSuffix(text, "]") && strings.HasPrefix(text, "[") {
		return t, errors.New("the index has no ] at its end; put quotes around an argument with brackets and spaces")
	}
	if err != nil {
		return t, errors.New(reason(err))
	}
	t.index, t.sub = index, text
	return t, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// withSlice adds the index of a --slice flag.
func (t target) withSlice(text string) (target, error) {
	if text == "" {
		return t, nil
	}
	if t.index != nil {
		return t, fmt.Errorf("both %s and --slice name a part of the array; give one", t.sub)
	}
	t, err := t.withIndex(text)
	if err != nil {
		return t, fmt.Errorf("--slice: %w", err)
	}
	return t, nil
}

// An asFlag is the value of --as: the dtype of elements that a file calls void.
type asFlag struct{ dtype dtype.Type }

// addAs adds --as to a subcommand. It applies to arrays that are read with decoder.
func (a *app) addAs(c *cobra.Command) {
	c.Flags().Var(&a.as, "as", "what void elements of .npy and .npz are: bfloat16, float8_e4m3fn, int4")
}

// decoder returns a decoder with the dtype of --as. It refuses Python objects if objects is nil.
func (a *app) decoder(maxHeader int, objects npy.ObjectDecoder) npy.Decoder {
	return npy.Decoder{MaxHeader: maxHeader, Objects: objects, VoidAs: a.as.dtype}
}

// String implements pflag.Value.
func (f *asFlag) String() string {
	if !f.dtype.IsValid() {
		return ""
	}
	return f.dtype.Name()
}

// Type implements pflag.Value: help shows it as the name of the value.
func (f *asFlag) Type() string { return "dtype" }

// Set implements pflag.Value.
func (f *asFlag) Set(text string) error {
	t, err := dtype.Parse(text)
	switch {
	case err != nil:
		return errors.New(reason(err))
	case t.IsStruct() || t.IsSubarray() || t.HasObject() || t.ItemSize() == 0 || t.Equal(dtype.Void(t.ItemSize())):
		return errors.New("want a dtype of numbers such as bfloat16, float8_e4m3fn or int4")
	}
	f.dtype = t
	return nil
}

// arrays calls do for each array that the arguments name, and for every member of an archive. If do returns an error
// of a file, the error is printed and the next array follows; any other error ends the run.
func (a *app) arrays(args []string, slice string, d npy.Decoder, do func(target) error) error {
	for _, arg := range args {
		t, err := parseTarget(arg)
		if err != nil {
			return fmt.Errorf("%s: %w", arg, err)
		}
		if t, err = t.withSlice(slice); err != nil {
			return err
		}
		if err := a.expand(t, d, do); err != nil {
			return err
		}
	}
	return nil
}

// expand calls do for a target, or for each of its members if it is a whole archive or a pattern.
func (a *app) expand(t target, d npy.Decoder, do func(target) error) error {
	z, err := a.openArchive(t.path, d)
	if err != nil {
		a.complain(fileError{t.path, err})
		return nil
	}
	if z == nil {
		if t.member != "" {
			a.complain(fileError{t.path, fmt.Errorf("the file is one array and no archive, so there is no member %q", t.member)})
			return nil
		}
		return a.told(do(t))
	}
	defer z.close()
	t.archive = z
	pattern, t, err := z.cutPattern(t)
	if err != nil {
		return fmt.Errorf("%s: %w", t.name(), err)
	}
	if t.member != "" && pattern == "" {
		if t, err = z.resolve(t); err != nil {
			return a.told(says(t.path, err))
		}
		return a.told(do(t))
	}
	found := false
	for name, e := range z.members() {
		if pattern != "" && !matches(pattern, name) {
			continue
		}
		t.member, t.whole, found = name, true, true
		err := do(t)
		if errors.Is(err, format.ErrMagic) && !isArrayName(e.Name) {
			a.talk("%s: no array but %s", t.name(), bytesText(e.Size))
			continue
		}
		if err := a.told(err); err != nil {
			return err
		}
	}
	if pattern != "" && !found {
		a.complain(fileError{t.path, z.unknown(pattern)})
	}
	return nil
}

// told prints an error of a file, and returns any other error.
func (a *app) told(err error) error {
	var e fileError
	if !errors.As(err, &e) {
		return err
	}
	a.complain(e)
	return nil
}

// open opens the file of a target, or its member as a file.
func (a *app) open(t target) (io.ReadCloser, error) {
	if t.archive != nil {
		return t.archive.stream(t.member)
	}
	if t.path == "-" {
		if terminal.Is(a.in) {
			return nil, fmt.Errorf("standard input is a terminal; give a file, or pipe one in")
		}
		if f, ok := a.in.(*os.File); ok {
			return f, nil
		}
		return io.NopCloser(a.in), nil
	}
	return os.Open(t.path)
}

// finish reads to the end of a member, where its checksum is verified.
func (t target) finish(r io.Reader) error {
	if t.archive == nil {
		return nil
	}
	_, err := io.Copy(io.Discard, r)
	return err
}

// load reads the array of a target, or the part of it that the target names.
func (a *app) load(t target, d npy.Decoder) (*npy.Array, error) {
	if t.archive != nil {
		array, err := t.archive.load(t)
		return array, explain(err)
	}
	if f, close := openFile(t, d, nil); f != nil {
		defer close()
		array, err := f.Slice(t.index...)
		return array, explain(err)
	}
	f, err := a.open(t)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	array, err := read(f, t.path, d)
	if err != nil {
		return nil, explain(err)
	}
	if t.index == nil {
		return array, nil
	}
	return array.Slice(t.index...)
}

// explain adds the command's advice to an error about a file that is not an array.
func explain(err error) error {
	switch {
	case err == nil:
		return nil
	case err == io.EOF:
		return &format.Error{Err: fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF)}
	case errors.Is(err, npy.ErrObjects):
		return refusedObjects{}
	}
	var te *pickle.TextError
	if errors.As(err, &te) { // its way out is a field of the library, not a flag
		text, _, _ := strings.Cut(err.Error(), ": choose the Decoder's Encoding")
		return fmt.Errorf("%s; --encoding latin1 or bytes reads it", text)
	}
	return err
}

// refusedObjects is the error for Python objects without a decoder for them.
type refusedObjects struct{}

func (refusedObjects) Unwrap() error { return npy.ErrObjects }

func (refusedObjects) Error() string {
	return "it holds Python objects, which --no-pickle refuses; without it they are read as data and nothing is run"
}

// someFiles returns an error if there are no arguments.
func someFiles(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s wants at least one file", c.Name())
	}
	return nil
}

// sizeOf returns the size of a regular file, and 0 for everything else.
func sizeOf(f any) int64 {
	file, ok := f.(*os.File)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
