package oracle

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// Seed returns the seed of the random choices of a test. It depends on the name of the test and on the number in the
// environment variable NPY_SEED, or 1 if that is not set, so one commit always runs the same cases. Seed logs the number
// as NPY_SEED=N, which go test prints when the test fails. With NPY_SEED=random, each process chooses a number.
func Seed(t testing.TB) uint64 {
	t.Helper()
	n, err := parseSeed(os.Getenv("NPY_SEED"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("NPY_SEED=%d", n)
	return mixSeed(n, t.Name())
}

// Rand returns a generator with the seed of a test. Each call starts the same sequence again. It is for one goroutine.
func Rand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), 0))
}

// SharedRand is Rand for several goroutines: which goroutine gets which numbers depends on their order.
func SharedRand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(&lockedSource{src: rand.NewPCG(Seed(t), 0)})
}

// A lockedSource may be used by several goroutines, and so may a rand.Rand of it, which has no state of its own.
type lockedSource struct {
	mu  sync.Mutex
	src rand.Source
}

func (s *lockedSource) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.src.Uint64()
}

// randomSeed is one number for a process, so that all of its tests can be repeated with one NPY_SEED.
var randomSeed = sync.OnceValue(rand.Uint64)

// parseSeed returns the number for a value of NPY_SEED.
func parseSeed(text string) (uint64, error) {
	switch text {
	case "":
		return 1, nil
	case "random":
		return randomSeed(), nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("NPY_SEED=%s: want a decimal number below 2**64, or random", text)
	}
	return n, nil
}

// mixSeed returns a seed that differs between tests and between numbers.
func mixSeed(n uint64, name string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", n, name))
	return binary.LittleEndian.Uint64(sum[:])
}
