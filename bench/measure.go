package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

const (
	npyName   = "npy"
	numpyName = "NumPy"
)

// A contender does the work of a row.
type contender struct {
	name   string
	fresh  int64                         // bytes of new memory that an operation takes
	sample func() (time.Duration, error) // runs the operations of one sample
	digest func() (uint32, error)        // runs one operation and returns its digest; nil if there is nothing to compare
}

// A bench measures rows.
type bench struct {
	corpus *corpus
	numpy  *worker // nil if NumPy is not installed
	rounds int
	rand   *rand.Rand
}

func newBench(dir string, size int64, rounds int, numpy *worker) *bench {
	python := ""
	if numpy != nil {
		python = numpy.python
	}
	return &bench{newCorpus(dir, size, python), numpy, rounds, rand.New(rand.NewPCG(1, 2))}
}

// measure checks that all contenders have the same result, then makes them take turns, in a new order every round.
// The first round does not count: it fills the caches and makes the files that later rounds replace.
func (b *bench) measure(r *row) (measurement, error) {
	if err := b.corpus.make(r.files); err != nil {
		return measurement{}, err
	}
	live := touched(r.live)
	defer runtime.KeepAlive(live)
	contenders, err := b.contenders(r)
	if err != nil {
		return measurement{}, err
	}
	if err := agree(r, contenders); err != nil {
		return measurement{}, err
	}
	var sizes map[string]int64
	if r.sized {
		sizes = b.corpus.sizes() // of the archives that were compared just now
	}
	samples := map[string][]time.Duration{}
	for round := range 1 + b.rounds {
		b.rand.Shuffle(len(contenders), func(i, k int) { contenders[i], contenders[k] = contenders[k], contenders[i] })
		for _, c := range contenders {
			d, err := b.sample(r, c)
			if err != nil {
				return measurement{}, fmt.Errorf("%s: %w", c.name, err)
			}
			if round > 0 {
				samples[c.name] = append(samples[c.name], d/time.Duration(r.ops))
			}
		}
	}
	m := newMeasurement(r, samples)
	m.Sizes = sizes
	return m, nil
}

// sample times one contender. On a virtual machine, touching memory for the very first time costs several times as
// much, so as much memory as the work takes is touched and freed first.
func (b *bench) sample(r *row, c *contender) (time.Duration, error) {
	runtime.GC()
	if c.fresh > 0 {
		touched(c.fresh)
		debug.FreeOSMemory()
	}
	if r.before != nil {
		if err := r.before(); err != nil {
			return 0, err
		}
	}
	return c.sample()
}

// contenders prepares a row and returns its contenders, including the limits of the machine.
func (b *bench) contenders(r *row) ([]*contender, error) {
	if r.setup != nil {
		if err := r.setup(); err != nil {
			return nil, err
		}
	}
	all := []*contender{goContender(r, npyName, r.npy)}
	for name, w := range r.others {
		all = append(all, goContender(r, name, w))
	}
	if b.numpy != nil && r.numpy != "" {
		c, err := b.numpy.contender(r)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for _, c := range all {
		c.fresh = r.fresh
	}
	if r.limit == nil {
		return all, nil
	}
	if r.limit.setup != nil {
		if err := r.limit.setup(); err != nil {
			return nil, err
		}
	}
	for threads := 1; threads <= r.limit.threads; threads++ {
		c := goContender(r, limitName(threads), r.limit.work(threads))
		c.digest = nil
		all = append(all, c)
	}
	return all, nil
}

func limitName(threads int) string { return fmt.Sprintf("limit, %d threads", threads) }

func goContender(r *row, name string, w work) *contender {
	return &contender{
		name: name,
		sample: func() (time.Duration, error) {
			start := time.Now()
			for range r.ops {
				if _, err := w(); err != nil {
					return 0, err
				}
			}
			return time.Since(start), nil
		},
		digest: func() (uint32, error) {
			result, err := w()
			if err != nil {
				return 0, err
			}
			return digest(result)
		},
	}
}

// agree returns an error if the results of the contenders differ: a wrong result cannot be fast.
func agree(r *row, contenders []*contender) error {
	if r.before != nil {
		if err := r.before(); err != nil {
			return err
		}
	}
	digests := map[uint32][]string{}
	for _, c := range contenders {
		if c.digest == nil {
			continue
		}
		crc, err := c.digest()
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		digests[crc] = append(digests[crc], c.name)
	}
	if len(digests) == 1 {
		return nil
	}
	var sides []string
	for crc, names := range digests {
		sides = append(sides, fmt.Sprintf("%08x by %s", crc, strings.Join(names, ", ")))
	}
	return fmt.Errorf("results differ, so none is timed: %s", strings.Join(sides, "; "))
}
