package audit

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle"
)

// lookups is a Python script that has CPython's unpickler in C read pickles in several ways, and prints for each pickle
// the names that each way looks up. Nothing is imported: a stub stands for everything.
const lookups = `
import sys, io, os, pickle, json, tempfile
sys.stderr = open(os.devnull, 'w')
path = os.path.join(tempfile.mkdtemp(), 'x.pkl')
class Stub:
    def __init__(self, *args, **kwargs): pass
    def __call__(self, *args, **kwargs): return Stub()
    def __new__(cls, *args, **kwargs): return object.__new__(cls)
    def __hash__(self): return 1
    def append(self, v): pass
    def extend(self, v): pass
    def add(self, v): pass
    def __setitem__(self, k, v): pass
    def __setstate__(self, v): pass
class Plain: # a file without peek and readinto
    def __init__(self, data): self.f = io.BytesIO(data)
    def read(self, n): return self.f.read(n)
    def readline(self): return self.f.readline()
class Trickle(io.RawIOBase):
    def __init__(self, data, n): self.f, self.n = io.BytesIO(data), n
    def readable(self): return True
    def readinto(self, b):
        d = self.f.read(min(self.n, len(b))); b[:len(d)] = d; return len(d)
def names(f):
    log = []
    class Watch(pickle.Unpickler):
        def find_class(self, module, name):
            log.append([module, name])
            return Stub
    try: Watch(f).load()
    except Exception: pass
    return log
stdin = sys.stdin.buffer
while True:
    n = stdin.read(8)
    if not n: break
    data = stdin.read(int.from_bytes(n, 'big'))
    with open(path, 'wb') as f: f.write(data)
    out = [names(io.BytesIO(data)), names(Plain(data)), names(io.BufferedReader(Trickle(data, 7), 64)), names(io.BufferedReader(Trickle(data, 9999), 2**18))]
    for buffering in -1, 0, 16, 2**17, 2**18:
        with open(path, 'rb', buffering=buffering) as f: out.append(names(f))
    print(json.dumps(out))
os.remove(path); os.rmdir(os.path.dirname(path))
`

// A framer puts pickles into frames.
type framer struct{ *rand.Rand }

// padding returns opcodes without effect: bytes of some length that would be names if they were opcodes.
func (f framer) padding() []byte {
	n := []int{0, 3, 30, 255, 4096, 65536, 131072, 131060, 140000}[f.IntN(9)] + f.IntN(20)
	hidden := bytes.Repeat([]byte("chidden\nname\n0"), n/14+1)[:n]
	switch f.IntN(3) {
	case 0:
		return append(binary.LittleEndian.AppendUint64([]byte("\x8e"), uint64(n)), append(hidden, '0')...)
	case 1:
		return append([]byte("V"), append(bytes.ReplaceAll(hidden, []byte("\n"), []byte(" ")), "\n0"...)...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("B"), uint32(n)), append(hidden, '0')...)
}

// cut returns the opcodes of a pickle, one by one, with some padding among them.
func (f framer) cut(data []byte) (ops [][]byte) {
	var starts []int64
	for op, err := range pickle.Ops(bytes.NewReader(data)) {
		if err != nil {
			return [][]byte{data}
		}
		starts = append(starts, op.Offset)
	}
	for i, at := range starts {
		end := int64(len(data))
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if f.IntN(1+len(starts)/2) == 0 {
			ops = append(ops, f.padding())
		}
		ops = append(ops, data[at:end])
	}
	return ops
}

// frame returns a pickle with frames that are complete or, if bad, off by some bytes.
func (f framer) frame(data []byte, bad bool) []byte {
	out := []byte("\x80\x04")
	for ops := f.cut(data); len(ops) > 0; {
		n := 1 + f.IntN(len(ops))
		body := bytes.Join(ops[:n], nil)
		if ops = ops[n:]; f.IntN(4) == 0 {
			out = append(out, body...)
			continue
		}
		size := len(body)
		if bad {
			size = max(0, size+f.IntN(40)-20)
		}
		out = append(binary.LittleEndian.AppendUint64(append(out, 0x95), uint64(size)), body...)
	}
	return out
}

// framedCases returns pickles of data and of names in all forms, in complete and incomplete frames, some of them
// damaged.
func framedCases(r *rand.Rand, n int) (all []tried) {
	f, forms := framer{r}, allForms()
	for i := range n {
		var data []byte
		if r.IntN(3) == 0 {
			data = assemble(templates[r.IntN(len(templates))]())
		} else {
			name := dangerous[r.IntN(len(dangerous))]
			data = assemble(forms[r.IntN(len(forms))].make([]func(string, string) *node{byName, byStack}[r.IntN(2)](split(name))))
		}
		if r.IntN(4) > 0 {
			data = f.frame(data, i%2 == 0)
		}
		if r.IntN(4) == 0 {
			for range 1 + r.IntN(3) {
				data[r.IntN(len(data))] = data[r.IntN(len(data))]
			}
		}
		all = append(all, try("case", data))
	}
	return all
}

// The audit lists every name that CPython's unpickler in C looks up, from every kind of file, or says that it cannot
// explain the pickle.
func TestNamesAsPython(t *testing.T) {
	all := framedCases(rand.New(rand.NewPCG(11, 12)), oracle.Cases(t, 200))
	var in []byte
	explained := 0
	for _, c := range all {
		in = append(binary.BigEndian.AppendUint64(in, uint64(len(c.data))), c.data...)
		if c.report.Err == nil {
			explained++
		}
	}
	for _, python := range oracle.Pythons(t) {
		lines := strings.Split(string(oracle.Run(t, python, lookups, in)), "\n")
		if len(lines) != len(all)+1 {
			t.Fatalf("%s answers %d times to %d pickles", python, len(lines)-1, len(all))
		}
		for i, c := range all {
			var ways [][][2]string
			if err := json.Unmarshal([]byte(lines[i]), &ways); err != nil {
				t.Fatal(err)
			}
			checkNames(t, python, c, ways)
		}
	}
	if explained < len(all)/4 || explained > len(all)*9/10 {
		t.Errorf("the audit explains %d of %d pickles; both kinds are wanted", explained, len(all))
	}
}

// checkNames checks the names that several ways of reading a pickle look up.
func checkNames(t *testing.T, python string, c tried, ways [][][2]string) {
	t.Helper()
	if c.report.Err != nil {
		return
	}
	var listed []pickle.Global
	for _, i := range c.report.Imports {
		listed = append(listed, pickle.Global{Module: i.Module, Name: i.Name})
	}
	computed := slices.Contains(listed, pickle.Global{Module: "?", Name: "?"})
	for way, names := range ways {
		if !slices.Equal(names, ways[0]) {
			t.Fatalf("%s, way %d: looks up %q, way 0 %q, and the audit explains %.200q", python, way, names, ways[0], c.data)
		}
		for _, n := range names {
			g := pickle.Global{Module: n[0], Name: n[1]}
			if !computed && !slices.Contains(listed, g) && !slices.Contains(listed, pickle.FromPython2(g)) {
				t.Fatalf("%s, way %d: looks up %q, the audit lists %s of %.200q", python, way, n, brief(c.report.Imports), c.data)
			}
		}
	}
}
