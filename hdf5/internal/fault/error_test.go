package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// A documented is a type like the Error of package hdf5.
type documented struct {
	Path      string
	Structure string
	Offset    int64
	Err       error
}

func (e *documented) Error() string { return (*Error)(e).Error() }

// errors.As finds an Error as a type with its fields, within other errors too, and as no other type.
func TestAs(t *testing.T) {
	err := fmt.Errorf("entry: %w", About("a/b", Invalid("object header", 96, "%d messages", 3)))
	var e *documented
	if !errors.As(err, &e) || e.Path != "a/b" || e.Offset != 96 || e.Error() != `hdf5: "a/b": object header at byte 96: 3 messages` {
		t.Errorf("found %v in %v", e, err)
	}
	var other *fs.PathError
	if errors.As(err, &other) {
		t.Errorf("%v is a PathError", err)
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) {
		t.Errorf("%v has a timeout", err)
	}
	if !errors.Is(err, ErrFormat) || errors.Is(Unsupported("link", -1, "links"), ErrFormat) || !errors.Is(Missing("a", "no a"), fs.ErrNotExist) {
		t.Error("errors of one kind are of another")
	}
}
