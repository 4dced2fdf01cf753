//go:build !unix

package atomicfile

import (
	"io/fs"
	"os"
)

// keepMode gives f the permissions of the file that it replaces.
func keepMode(f *os.File, old fs.FileInfo) { _ = f.Chmod(old.Mode().Perm()) }
