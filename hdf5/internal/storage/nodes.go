package storage

import (
	"sync"

	"github.com/npygo/npy/hdf5/internal/fault"
)

// A NodeCache keeps nodes that have been read, by their addresses.
type NodeCache[T any] struct {
	mu    sync.Mutex
	nodes map[uint64]T
}

// nodesMax is the number of nodes that a cache keeps.
const nodesMax = 1 << 10

// Get returns the node at an address, which read reads if it is not known.
func (c *NodeCache[T]) Get(at uint64, read func() (T, error)) (T, error) {
	c.mu.Lock()
	n, ok := c.nodes[at]
	c.mu.Unlock()
	if ok {
		return n, nil
	}
	n, err := read()
	if err != nil {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nodes == nil || len(c.nodes) >= nodesMax {
		c.nodes = map[uint64]T{}
	}
	c.nodes[at] = n
	return n, nil
}

// Seen is the addresses of nodes that were visited. A node that is reached twice would be visited again and again.
type Seen map[uint64]bool

// Visit returns an error if a node was visited before.
func (s Seen) Visit(f *Input, what string, at uint64) error {
	if s[at] {
		return fault.Invalid(what, f.Offset(at), "it has two parents")
	}
	s[at] = true
	return nil
}
