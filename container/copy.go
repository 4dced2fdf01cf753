package container

import (
	"context"
	"errors"
	"fmt"

	"github.com/npygo/npy/internal/diag"
)

// Copy writes all groups, arrays and links of c with their attributes, and the attributes of the root. An entry that cannot be read
// or written goes to skip with the reason, which returns nil to go on without it; so does an attribute that cannot be read, with
// an [AttributeError]. A nil skip ends the copy at the first such entry. The errors of writing elements end the copy: the file is then
// not complete. Losses go to Lost of the [WriteOptions] of w.
func Copy(ctx context.Context, w Writer, c Container, skip func(e Entry, err error) error) error {
	if skip == nil {
		skip = func(e Entry, err error) error { return diag.At("container", e.Path, err) }
	}
	x := copier{w, c, skip}
	if err := x.root(); err != nil {
		return err
	}
	for e := range c.Entries() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := x.skipped(e, x.entry(ctx, e)); err != nil {
			return err
		}
	}
	return nil
}

// A copier copies the entries of a Container.
type copier struct {
	w    Writer
	c    Container
	skip func(e Entry, err error) error
}

// skipped returns the result of skip for an error after which other entries can follow, and every other error
// unchanged.
func (x copier) skipped(e Entry, err error) error {
	if err == nil {
		return nil
	}
	var read errRead
	var write *WriteError
	switch {
	case errors.As(err, &read):
		return x.skip(e, read.error)
	case errors.As(err, &write) && !write.Begun:
		return x.skip(e, write.Err)
	}
	return err
}

// An errRead is an error of reading before anything was written.
type errRead struct{ error }

// root copies the attributes of the root, and its dimensions.
func (x copier) root() error {
	e := RootOf(x.c)
	attributes, err := x.attributes(e)
	if err == nil && (len(attributes) > 0 || e.Dims != nil) {
		err = x.begin(e, attributes)
	}
	return x.skipped(e, err)
}

// begin adds a group.
func (x copier) begin(e Entry, attributes []Attribute) error {
	if _, err := x.w.Begin(e, attributes); err != nil {
		return &WriteError{err, isOfSystem(err)}
	}
	return nil
}

// entry copies an entry.
func (x copier) entry(ctx context.Context, e Entry) error {
	if ok, err := PutLink(x.w, e); ok || err != nil {
		return err
	}
	if e.Err != nil {
		return errRead{e.Err}
	}
	attributes, err := x.attributes(e)
	if err != nil {
		return err
	}
	if e.Group {
		return x.begin(e, attributes)
	}
	src, err := x.c.Source(e.Path)
	if err != nil {
		return errRead{err}
	}
	return Put(ctx, x.w, e, attributes, src)
}

// attributes returns the attributes of an entry that can be read. skip decides about the others.
func (x copier) attributes(e Entry) ([]Attribute, error) {
	all, err := x.c.Attributes(e.Path)
	if err != nil {
		return nil, errRead{err}
	}
	var attributes []Attribute
	for _, a := range all {
		if a.Err == nil {
			attributes = append(attributes, a)
		} else if err := x.skip(e, &AttributeError{a.Name, a.Err}); err != nil {
			return nil, err
		}
	}
	return attributes, nil
}

// An AttributeError is the error of an attribute that cannot be read.
type AttributeError struct {
	Name string // of the attribute, without the path of its array or group
	Err  error  // why it cannot be read
}

// Error implements error.
func (e *AttributeError) Error() string { return fmt.Sprintf("attribute %q: %v", e.Name, e.Err) }

// Unwrap returns e.Err.
func (e *AttributeError) Unwrap() error { return e.Err }

// RootOf returns the entry of the root of a file, a group with the path "". It has the dimensions that the root of a netCDF file
// defines.
func RootOf(c Container) Entry {
	if e, err := c.Entry(""); err == nil && e.Group && e.Err == nil {
		return e
	}
	return Entry{Group: true}
}
