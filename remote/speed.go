package remote

import (
	"sync"
	"time"
)

// speed estimates how long a request takes before its first byte, and how many bytes follow in a second.
type speed struct {
	mu     sync.Mutex
	wait   time.Duration // the shortest
	second float64       // bytes in a second: the average, the newest counting most; 0 if not measured
}

const (
	leastGap = 4 << 10 // as for local files
	mostGap  = 1 << 20
)

// add counts an answer whose n bytes have just arrived.
func (s *speed) add(a *answer, n int) {
	body := max(time.Since(a.sent)-a.head, 10*time.Microsecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wait == 0 || a.head < s.wait {
		s.wait = max(a.head, 1)
	}
	if n < 16<<10 {
		return // too short to measure
	}
	rate := float64(n) / body.Seconds()
	if s.second == 0 {
		s.second = rate
	}
	s.second += (rate - s.second) / 4
}

// gap returns the number of bytes that arrive in the time that a request waits, from 4 KiB to 1 MiB.
func (s *speed) gap() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.second == 0 {
		return mostGap
	}
	return int64(min(max(s.wait.Seconds()*s.second, leastGap), mostGap))
}
