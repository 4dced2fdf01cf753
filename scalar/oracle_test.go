package scalar

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// numpy runs a Python script that may use NumPy as np, with input on its standard input, and returns its
// standard output. One process per test: scripts read everything at once.
func numpy(t *testing.T, script string, input []byte) string {
	t.Helper()
	const prelude = "np.seterr(all='ignore')\ndata = sys.stdin.buffer.read()\nlines = lambda v: sys.stdout.write('\\n'.join(v))\n"
	return string(oracle.NumPy(t, prelude+script, input))
}

// numpyLines is numpy for a script that prints one line for each of n values.
func numpyLines(t *testing.T, script string, input []byte, n int) []string {
	t.Helper()
	lines := strings.Split(numpy(t, script, input), "\n")
	if len(lines) != n {
		t.Fatalf("python printed %d lines for %d values", len(lines), n)
	}
	return lines
}

// packed writes fixed-size values little-endian, for numpy.frombuffer.
func packed(t *testing.T, v any) []byte {
	t.Helper()
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// mismatches reports differing texts, the first few in full.
type mismatches struct {
	t *testing.T
	n int
}

func (m *mismatches) check(call string, in any, got, want string) {
	m.t.Helper()
	if got == want {
		return
	}
	if m.n++; m.n <= 10 {
		m.t.Errorf("%s(%v) = %.80q, want %.80q", call, in, got, want)
	} else if m.n == 11 {
		m.t.Errorf("%s: more differ", call)
	}
}
