//go:build unix && purego

package bulk

import "errors"

// Vacate returns an error: it needs unsafe.
func Vacate([]byte) error { return errors.ErrUnsupported }
