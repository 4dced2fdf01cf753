//go:build !linux

package atomicfile

import "os"

func replace(temp, path string) error { return os.Rename(temp, path) }

// moveNew moves temp to path, unless path exists.
func moveNew(temp, path string) error { return linkNew(system{}, temp, path) }
