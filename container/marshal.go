package container

import (
	"encoding/json"
	"errors"
	"fmt"
)

// MarshalJSON returns an error: a File is an open file.
func (f *File) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("container: a File is not data and has no JSON; marshal its Entries: %w", errors.ErrUnsupported)
}

// MarshalJSON implements [json.Marshaler]. Err is its text.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return json.Marshal(struct {
		plain
		Err *string
	}{plain(e), errText(e.Err)})
}

// MarshalJSON implements [json.Marshaler]. Err is its text.
func (a Attribute) MarshalJSON() ([]byte, error) {
	type plain Attribute
	return json.Marshal(struct {
		plain
		Err *string
	}{plain(a), errText(a.Err)})
}

// errText returns the text of an error, or nil.
func errText(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}
