package remote

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	firstWait = 100 * time.Millisecond
	mostWait  = 20 * time.Second
)

// wait waits before the repetition after a number of failures: a random time up to 100 ms, 200 ms, … 20 s, and the time
// that the server asks for. Clients that failed together do not come back together.
func (c *client) wait(ctx context.Context, failed int, after time.Duration) error {
	most := min(firstWait<<min(failed, 20), mostWait)
	d := after + rand.N(most)
	if end, ok := ctx.Deadline(); ok && after > time.Until(end) {
		return fmt.Errorf("the server asks to wait for %v, longer than Options.Timeout allows", after)
	}
	return c.o.sleep(ctx, d)
}

// sleep waits for d, or for the end of ctx, which is an error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
