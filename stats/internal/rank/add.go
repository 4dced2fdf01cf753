package rank

import (
	"context"

	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/stats/internal/items"
)

// A part has the findings of one goroutine in a group: counts by digit, or all digits one by one.
type part struct {
	dense  []int64
	digits []uint64
}

// add counts the numbers of whole elements, each so many times.
func (s *selection) add(data []byte, times int64) {
	if s.done() {
		return
	}
	if s.find == nil {
		s.find = newFinder(s.groups, s.left, s.Bits)
	}
	bits, few := s.digit()
	if times > 1 {
		s.addTimes(data, bits, times)
		return
	}
	shift, mask := s.left-bits, uint64(1)<<bits-1
	find := *s.find // locals are faster
	_ = par.Split(context.Background(), len(data)/s.size, items.Chunk, len(data), func(low, high int) error {
		memory := items.Idle.Get().(*items.Scratch)
		defer items.Idle.Put(memory)
		parts := s.take()
		for ; low < high; low += items.Chunk {
			n := min(items.Chunk, high-low)
			chunk := s.column.Items(&memory.Items, data[low*s.size:(low+n)*s.size], n, s.size)
			ks := s.Keys(memory, chunk)
			if few {
				for _, key := range ks {
					if i := find.group(key); i >= 0 {
						parts[i].digits = append(parts[i].digits, key&mask)
					}
				}
				continue
			}
			for _, key := range ks {
				if i := find.group(key); i >= 0 {
					p := &parts[i]
					if p.dense == nil {
						p.dense = make([]int64, 1<<bits)
					}
					p.dense[key>>shift&mask]++
				}
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.idle = append(s.idle, parts)
		return nil
	})
}

// addTimes adds the numbers of whole elements to the totals, each so many times, by the next bits of their keys.
func (s *selection) addTimes(data []byte, bits int, times int64) {
	var memory items.Scratch
	n := len(data) / s.size
	for _, key := range s.Keys(&memory, s.column.Items(&memory.Items, data, n, s.size)) {
		if i := s.find.group(key); i >= 0 {
			s.total[i] = s.total[i].plus(counts{{key >> (s.left - bits) & (1<<bits - 1), times}})
		}
	}
}

// take returns the parts of a goroutine, one for each group.
func (s *selection) take() []part {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) == 0 {
		s.parts = append(s.parts, make([]part, len(s.groups)))
		return s.parts[len(s.parts)-1]
	}
	last := len(s.idle) - 1
	parts := s.idle[last]
	s.idle = s.idle[:last]
	return parts
}

// fold moves the parts of goroutines to the total.
func (s *selection) fold() {
	for i := range s.groups {
		var digits []uint64
		for _, p := range s.parts {
			s.total[i] = s.total[i].plus(countsOf(p[i].dense))
			digits = append(digits, p[i].digits...)
			p[i] = part{}
		}
		s.total[i] = s.total[i].plus(countsOfDigits(digits))
	}
	s.parts, s.idle = nil, nil
}
