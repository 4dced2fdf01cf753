package property

import (
	"slices"
	"time"
)

// patience is the time for shrinking one difference, and for shrinking a case requested by number.
const (
	patience     = 3 * time.Second
	longPatience = 30 * time.Second
)

// smaller shrinks the case of a failure as long as the same comparison fails, and returns the smallest failure.
func (d *driver) smaller(f failure) (Difference, string) {
	s := &shrinker{d: d, record: f.record, best: f.Difference, text: f.Case.Text(), end: time.Now().Add(patience)}
	if d.counts.Cases == 1 {
		s.end = time.Now().Add(longPatience)
	}
	for size := -1; size != len(s.record) && !s.late(); {
		size = len(s.record)
		s.truncate()
		s.fewer()
		s.less()
		s.delete()
	}
	return s.best, s.text
}

// A shrinker looks for a shorter record, or one of lower numbers, of a case that fails in the same way.
type shrinker struct {
	d      *driver
	record []uint64
	best   Difference
	text   string
	end    time.Time
}

func (s *shrinker) late() bool { return time.Now().After(s.end) }

// try takes a record if its case fails.
func (s *shrinker) try(record []uint64) bool {
	if s.late() {
		return false
	}
	x, used, ok := s.d.fails(record, s.best.What)
	if !ok || len(used) > len(s.record) || len(used) == len(s.record) && slices.Compare(used, s.record) >= 0 {
		return false
	}
	s.best, s.record, s.text = x, used, x.Case.Text()
	return true
}

// truncate sets all choices after the first ones to the simplest.
func (s *shrinker) truncate() {
	for keep := 0; keep < len(s.record); keep = 2*keep + 1 {
		if s.try(s.record[:keep]) {
			return
		}
	}
}

// fewer lowers a number by one, and removes the choices that depended on it.
func (s *shrinker) fewer() {
	for at := 0; at < min(len(s.record), 80); at++ {
		for gone := 1; gone <= 10 && at < len(s.record) && s.record[at] > 0; gone++ {
			fewer := slices.Clone(s.record)
			fewer[at]--
			if s.try(slices.Delete(fewer, min(at+1, len(fewer)), min(at+1+gone, len(fewer)))) {
				gone = 0
			}
		}
	}
}

// less makes numbers smaller.
func (s *shrinker) less() {
	for at := 0; at < len(s.record); at++ {
		for _, to := range []uint64{0, 1, s.record[at] / 2, s.record[at] - 1} {
			if at >= len(s.record) || s.record[at] <= to {
				continue
			}
			less := slices.Clone(s.record)
			less[at] = to
			if s.try(less) {
				break
			}
		}
	}
}

// delete takes choices away.
func (s *shrinker) delete() {
	for size := max(len(s.record)/2, 1); size > 0; size /= 2 {
		for at := 0; at < len(s.record); {
			if !s.try(slices.Delete(slices.Clone(s.record), at, min(at+size, len(s.record)))) {
				at += size
			}
		}
	}
}

// fails reports whether the case of a record has a comparison that fails in an unknown way, and the record that it
// used.
func (d *driver) fails(record []uint64, what string) (Difference, []uint64, bool) {
	m, err := d.make(replayed(record))
	if err != nil {
		return Difference{}, nil, false
	}
	for _, x := range d.compare(m, d.ask(m)).found {
		if x.What == what && known(d.known, &x) == nil {
			return x, m.record, true
		}
	}
	return Difference{}, nil, false
}
