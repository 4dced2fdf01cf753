package pickle

import "fmt"

// A KeyError says that a value cannot be the key of a dict or the element of a set.
type KeyError struct{ Kind string }

// Error returns one line with the way out.
func (e *KeyError) Error() string { return fmt.Sprintf("pickle: a %s cannot be a key", e.Kind) }

// formOf returns what a key is compared by.
func formOf(key any) (any, error) { return key, nil }
