// Package diag makes the errors of this module, which know their parts:
//
//	hdf5: "group/x": object header at byte 96: 3 messages
//	package: place: fault
//
// The package and the place, the path of an array in a file, are fields and not text. A program that begins its line with
// the name of the file and the array asks for the rest by a method, which every such error has, types of other packages too:
//
//	Fault(name string) string // the message without the package, and without the place if name ends with it
//
// [Errorf] and [Wrap] make errors that say no place, [At] those of an array in a file. An exported type of errors has a method
// Fault, and its Error returns the package followed by Fault("").
package diag

import (
	"errors"
	"fmt"
	"strings"
)

// An Error is an error of a package of this module.
type Error struct {
	Package string // the name of the package, which begins the message
	Place   string // the path of the array in its file; "" if the error names none
	Err     error  // what is wrong
}

// New returns an error of a package, as [errors.New] does.
func New(pkg, text string) error { return &Error{Package: pkg, Err: errors.New(text)} }

// Errorf returns an error of a package, as [fmt.Errorf] does.
func Errorf(pkg, format string, args ...any) error {
	return &Error{Package: pkg, Err: fmt.Errorf(format, args...)}
}

// Wrap returns err as an error of a package.
func Wrap(pkg string, err error) error { return &Error{Package: pkg, Err: err} }

// At returns err as an error of a package about the array at a place. An error of the same package gets the place.
func At(pkg, place string, err error) error {
	if e, ok := err.(*Error); ok && e.Package == pkg && e.Place == "" {
		err = e.Err
	}
	return &Error{Package: pkg, Place: place, Err: err}
}

// Error returns one line: the package, the place, and the fault.
func (e *Error) Error() string {
	if e.Place == "" {
		return e.Package + ": " + e.Err.Error()
	}
	return e.Package + ": " + e.Place + ": " + e.Err.Error()
}

// Fault returns the message without the package, and without the place if name ends with it.
func (e *Error) Fault(name string) string {
	if e.Place == "" || Names(name, e.Place) {
		return Fault(e.Err, name)
	}
	return e.Place + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Fault returns the Fault of err, or its whole message if it has none.
func Fault(err error, name string) string {
	if e, ok := err.(interface{ Fault(name string) string }); ok {
		return e.Fault(name)
	}
	return err.Error()
}

// Names reports whether the name of an array, such as file.h5:group/x, ends with its place in the file, group/x.
func Names(name, place string) bool { return strings.HasSuffix(name, ":"+place) }
