package order

import (
	"math"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

const (
	defaultMemory  = 256 << 20
	memoryMin      = 32 << 20
	reservedMemory = 26 << 20 // used besides rows: the Go runtime, buffers of readers
	rowsMax        = math.MaxInt32
)

// pieceBytes is the size of the pieces in which sorted rows are given out.
const pieceBytes = 4 << 20

func tooManyRows(n int) error {
	return diag.Wrap("query", bounded.Over("", rowsMax, n, "%d rows are too many to sort in memory; sort into a file", n))
}

// Available returns the bytes for rows within a target for the memory of the process. 0 means the default.
func Available(memory int64) int64 {
	if memory <= 0 {
		memory = defaultMemory
	}
	return max(memory, memoryMin) - reservedMemory
}

// Part returns the Memory of each of n sorts whose results are needed at the same time.
func Part(memory int64, n int64) int64 { return Available(memory)/n + reservedMemory }

// A sharing divides the memory of a sort.
type sharing struct {
	rows  int   // rows in memory at a time
	feed  int64 // bytes for blocks of the source
	piece int   // bytes written at a time
}

// mergeRows is the number of rows in memory while two runs are merged: two of each run, one of them read ahead.
const mergeRows = 4

// share divides memory for a sort of n rows of size bytes.
func share(memory int64, n, size int) (sharing, error) {
	free := Available(memory)
	least := int64(min(n, mergeRows))
	if int64(size) > free/(least+1) { // with a row that is written
		most := free + reservedMemory
		return sharing{}, diag.Wrap("query", bounded.Over("Memory", most, 0, "sorting rows of %d bytes takes the memory of %d rows, over %d bytes", size, least+1, most))
	}
	m := sharing{feed: min(max(free/8, 1<<20), 32<<20), piece: int(min(max(free/16, 64<<10), 4<<20))}
	rows := max((free-m.feed-int64(m.piece))/(int64(size)+tableRow), least)
	m.rows = int(min(rows, int64(n), rowsMax))
	return m, nil
}
