//go:build !unix && (!windows || purego)

package mapping

import (
	"errors"
	"os"
)

func granularity() int64 { return 1 }

func mapPages(*os.File, int64, int, Access) ([]byte, error) { return nil, errors.ErrUnsupported }

const flushSyncs = true

func flushPages([]byte) error { return nil }

func advisePages([]byte, Advice) {}

func vacatePages([]byte) (bool, error) { return false, nil }

func freePages([]byte) error { return nil }
