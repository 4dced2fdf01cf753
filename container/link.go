package container

import (
	"errors"
	"io/fs"
)

// A LinkKind is a kind of links to entries.
type LinkKind string

// The kinds of links. Of the hard links to an entry, the first in the order of the file is the entry and the others are links.
const (
	HardLink     LinkKind = "hard"
	SoftLink     LinkKind = "soft"     // a path, at which there may be nothing
	ExternalLink LinkKind = "external" // a path in another file
)

// A LinkWriter is a Writer of a format that has links.
type LinkWriter interface {
	Writer

	// Link adds a link. Of the entry, Path and the fields of links are used. The error wraps [fs.ErrNotExist] for a hard
	// link to a path that has not been written.
	Link(e Entry) error
}

// PutLink adds an entry that is a link, and reports whether it is one that the Writer can hold. The array of another link is to be
// written by [Put], or not at all. An error of a Writer that cannot go on is a [WriteError].
func PutLink(w Writer, e Entry) (ok bool, err error) {
	to, keeps := w.(LinkWriter)
	if e.LinkKind == "" || !keeps {
		return false, nil
	}
	err = to.Link(e)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, &WriteError{err, isOfSystem(err)}
}
