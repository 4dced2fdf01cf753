//go:build !unix

package oracle

import "time"

// CPUTime returns 0: it is known on Unix only.
func CPUTime() time.Duration { return 0 }
