package scalar

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// numpy runs a Python script that may use NumPy as np, with input on its standard input, and returns its
// standard output. Each test starts one process: scripts read all input at once.
func numpy(t *testing.T, script string, input []byte) string {
	t.Helper()
	const prelude = `
import re
np.seterr(all='ignore')
data = sys.stdin.buffer.read()
lines = lambda v: sys.stdout.write('\n'.join(v))
def newest(x): # str(x) as NumPy 2.5 has it: with the digits of older versions, and their exponents from another limit on
    s, part = str(x), x.real.dtype.type
    if not np.__version__.startswith('1.'): return s
    limit = {'e': 1e3, 'f': 1e6}[x.real.dtype.char]
    def number(m):
        x = part(m[0].lstrip('+'))
        return m[0] if 'e' in m[0] or not limit <= abs(x) < 1e16 else '+' * (m[0][0] == '+') + np.format_float_scientific(x, trim='-')
    return re.sub(r'[+-]?\d+\.?\d*(e[+-]\d+)?', number, s)
`
	return string(oracle.NumPy(t, prelude+script, input))
}

// numpyLines is numpy for a script that must print one line for each of n values.
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

// A mismatches reports differing texts, the first few in full.
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
