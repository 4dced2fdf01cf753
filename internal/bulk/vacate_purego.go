//go:build unix && purego

package bulk

import "errors"

// Vacate reports that it takes unsafe.
func Vacate([]byte) error { return errors.ErrUnsupported }
