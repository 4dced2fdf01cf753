package property

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
)

// A G makes the choices of one case. Each choice is a recorded number, so that a case can be repeated from its record,
// and shrunk by lowering numbers of the record: generators put their simplest choice first.
type G struct {
	rng    *rand.Rand
	record []uint64 // all choices made so far
	given  []uint64 // choices to repeat; after the last of them every choice is 0
	replay bool
}

// NewG returns the G of case number n of an area: the same on every machine and with every NumPy.
func NewG(area string, n int64) *G {
	h := fnv.New64a()
	h.Write([]byte(area))
	return &G{rng: rand.New(rand.NewPCG(h.Sum64(), uint64(n)))}
}

// replayed returns a G that repeats a record.
func replayed(record []uint64) *G { return &G{given: record, replay: true} }

// Uint64 chooses any number; 0 is the simplest.
func (g *G) Uint64() uint64 {
	var x uint64
	switch {
	case !g.replay:
		x = g.rng.Uint64()
	case len(g.record) < len(g.given):
		x = g.given[len(g.record)]
	}
	g.record = append(g.record, x)
	return x
}

// Int chooses one of 0 to n-1.
func (g *G) Int(n int) int {
	var x uint64
	switch {
	case !g.replay:
		x = g.rng.Uint64N(uint64(n))
	case len(g.record) < len(g.given):
		x = min(g.given[len(g.record)], uint64(n-1))
	}
	g.record = append(g.record, x)
	return int(x)
}

// Between chooses a number from low to high, both included.
func (g *G) Between(low, high int) int { return low + g.Int(high-low+1) }

// Chance is true in the given percentage of cases; false is the simpler result.
func (g *G) Chance(percent int) bool { return g.Int(100) >= 100-percent }

// Pick chooses one of several values; the first is the simplest.
func Pick[T any](g *G, from ...T) T { return from[g.Int(len(from))] }

// Random returns a source of random numbers that counts as one choice, for data that is too much to record.
func (g *G) Random() *rand.Rand { return rand.New(rand.NewPCG(g.Uint64(), 1)) }

// Bytes returns n random bytes, which are one choice.
func (g *G) Bytes(n int) []byte {
	r := g.Random()
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n]
}

// Shuffle returns the numbers from 0 to n-1 in some order.
func (g *G) Shuffle(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := i - g.Int(i+1) // 0 leaves the number in its place
		order[i] = order[j]
		order[j] = i
	}
	return order
}
