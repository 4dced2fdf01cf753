//go:build !linux

package atomicfile

import "os"

func replace(temp, path string) error { return os.Rename(temp, path) }
