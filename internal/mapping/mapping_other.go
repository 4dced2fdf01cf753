//go:build !unix && (!windows || purego)

package mapping

import (
	"errors"
	"os"
)

func granularity() int64 { return 1 }

func mapPages(*os.File, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapPages([]byte) error { return nil }
