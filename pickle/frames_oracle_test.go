package pickle

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// everyReader is a Python script that reads pickles with every unpickler of CPython. For each pickle it prints the
// digest of the repr of each result, or "error".
const everyReader = `
import sys, io, os, pickle, hashlib, tempfile
sys.stderr = open(os.devnull, 'w') # warnings of odd escapes
path = os.path.join(tempfile.mkdtemp(), 'x.pkl')
class Plain: # a file without peek and readinto
    def __init__(self, data): self.f = io.BytesIO(data)
    def read(self, n): return self.f.read(n)
    def readline(self): return self.f.readline()
class Trickle(io.RawIOBase): # a raw file that gives few bytes at a time
    def __init__(self, data, n): self.f, self.n = io.BytesIO(data), n
    def readable(self): return True
    def readinto(self, b):
        d = self.f.read(min(self.n, len(b))); b[:len(d)] = d; return len(d)
def real(buffering):
    def load(data):
        with open(path, 'rb', buffering=buffering) as f: return pickle.load(f)
    return load
ways = [
    ('loads', pickle.loads), ('BytesIO', lambda d: pickle.load(io.BytesIO(d))), ('plain', lambda d: pickle.load(Plain(d))),
    ('file', real(-1)), ('raw file', real(0)), ('file 16', real(16)), ('file 2**18', real(2**18)),
    ('buffered 7', lambda d: pickle.load(io.BufferedReader(Trickle(d, 7), 64))),
    ('buffered 5000', lambda d: pickle.load(io.BufferedReader(Trickle(d, 5000), 2**17))),
    ('python', pickle._loads),
]
stdin = sys.stdin.buffer
while True:
    n = stdin.read(8)
    if not n: break
    data = stdin.read(int.from_bytes(n, 'big'))
    with open(path, 'wb') as f: f.write(data)
    out = []
    for name, load in ways:
        try: got = hashlib.md5(repr(load(data)).encode('utf-8', 'surrogatepass')).hexdigest()
        except Exception as e: got = 'error'
        out.append(name + '=' + got)
    print(';'.join(out))
os.remove(path); os.rmdir(os.path.dirname(path))
`

// eachReader gives the pickles to everyReader in all available versions of Python, and calls check with the results of
// each unpickler.
func eachReader(t *testing.T, all [][]byte, check func(i int, reader, digest string)) {
	t.Helper()
	var in []byte
	for _, data := range all {
		in = append(binary.BigEndian.AppendUint64(in, uint64(len(data))), data...)
	}
	pythons := oracle.Pythons(t)
	for _, python := range pythons {
		lines := strings.Split(strings.TrimSuffix(string(oracle.Run(t, python, everyReader, in)), "\n"), "\n")
		if len(lines) != len(all) {
			t.Fatalf("%s answers %d times to %d pickles", python, len(lines), len(all))
		}
		for i, line := range lines {
			for way := range strings.SplitSeq(line, ";") {
				name, digest, _ := strings.Cut(way, "=")
				check(i, python+", "+name, digest)
			}
		}
	}
	t.Logf("%d pickles in %d versions of Python", len(all), len(pythons))
}

// digestOf returns the digest that everyReader prints for a value, here for one from Decode.
func digestOf(data []byte) (string, error) {
	v, err := Decode(data)
	if err != nil {
		return "error", err
	}
	return fmt.Sprintf("%x", md5.Sum([]byte((&Printer{MaxBytes: -1}).Repr(v)))), nil
}

// A framer writes random pickles of a list, cut into frames.
type framer struct {
	*rand.Rand
	ops [][]byte
}

// sizes are the sizes of arguments: around the limits of pickles, files and the unpickler.
var sizes = []int{0, 1, 2, 7, 8, 9, 20, 63, 64, 255, 256, 4095, 8191, 8192, 8193, 65535, 65536, 65537, 131071, 131072, 131073, 140000}

func (f *framer) add(parts ...[]byte) { f.ops = append(f.ops, slicesConcat(parts...)) }

func slicesConcat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// value adds the opcode of a value.
func (f *framer) value() {
	n := sizes[f.IntN(len(sizes))]
	if f.IntN(3) > 0 {
		n = f.IntN(40)
	}
	text := bytes.Repeat([]byte{"aN0.]K\x95"[f.IntN(7)]}, n)
	if text = bytes.ReplaceAll(text, []byte{0x95}, []byte{'\n'}); f.IntN(2) == 0 && n > 8 {
		copy(text[n-3:], "N.\n") // an opcode in place of text
	}
	line := bytes.ReplaceAll(text, []byte{'\n'}, []byte{' '})
	u32 := binary.LittleEndian.AppendUint32(nil, uint32(n))
	u64 := binary.LittleEndian.AppendUint64(nil, uint64(n))
	switch f.IntN(12) {
	case 0:
		f.add([]byte{opcode.BinBytes}, u32, text)
	case 1:
		f.add([]byte{opcode.BinUnicode}, u32, text)
	case 2:
		f.add([]byte{opcode.BinUnicode8}, u64, text)
	case 3:
		f.add([]byte{opcode.BinBytes8}, u64, text)
	case 4:
		f.add([]byte{opcode.Unicode}, line, []byte("\n"))
	case 5:
		f.add([]byte{opcode.String, '\''}, line, []byte("'\n"))
	case 6:
		f.add([]byte{opcode.ShortBinUnicode, byte(min(n, 255))}, text[:min(n, 255)])
	case 7:
		f.add(binary.BigEndian.AppendUint64([]byte{opcode.BinFloat}, 0x3ff8<<48))
	case 8:
		f.add([]byte("I12345\n"))
	case 9:
		f.add([]byte{opcode.Long1, 3, 1, 2, 3})
	case 10:
		f.add([]byte{opcode.BinInt, 1, 2, 3, 4})
	case 11:
		f.add([]byte{opcode.None})
	}
}

// pickle returns a pickle whose frames begin and end with opcodes, unless bad is set.
func (f *framer) pickle(bad bool) []byte {
	f.ops = [][]byte{{opcode.EmptyList}}
	for range 1 + f.IntN(12) {
		f.value()
		switch f.IntN(4) {
		case 0:
			f.add([]byte{opcode.Memoize})
		case 1:
			f.add([]byte("p" + fmt.Sprint(f.IntN(5)) + "\n"))
		}
		f.add([]byte{opcode.Append})
	}
	f.add([]byte{opcode.Stop})
	data := []byte{opcode.Proto, 4}
	for len(f.ops) > 0 {
		n := 1 + f.IntN(len(f.ops))
		body := slicesConcat(f.ops[:n]...)
		f.ops = f.ops[n:]
		if f.IntN(4) == 0 {
			data = append(data, body...)
			continue
		}
		size := len(body)
		if bad {
			size = max(0, size+f.IntN(30)-15)
			if f.IntN(3) == 0 {
				size = f.IntN(size + 10)
			}
		}
		data = binary.LittleEndian.AppendUint64(append(data, opcode.Frame), uint64(size))
		data = append(data, body...)
	}
	return data
}

// All of CPython's unpicklers read the same value from a pickle that Decode accepts, from memory and from files of any
// buffer. Frames that end within opcodes, and frames that cross the 128 KiB that CPython reads ahead, do not show another
// pickle to another reader.
func TestFramesAsPython(t *testing.T) {
	f := &framer{Rand: rand.New(rand.NewPCG(3, 4))}
	var all [][]byte
	for i := range oracle.Cases(t, 240) {
		all = append(all, f.pickle(i%3 > 0))
	}
	hidden := hiddenInFrames()
	all = append(all, hidden...)
	accepted := make([]bool, len(all))
	digests, count := make([]string, len(all)), 0
	for i, data := range all {
		var err error
		if digests[i], err = digestOf(data); err == nil {
			accepted[i] = true
			count++
		}
		good := i < len(all)-len(hidden) && i%3 == 0
		if good && err != nil {
			t.Errorf("Decode(%.60q…), whose frames are whole: %v", data, err)
		}
	}
	for i := len(all) - len(hidden); i < len(all); i++ {
		if accepted[i] {
			t.Errorf("Decode(%.60q…), which hides a call, takes it", all[i])
		}
	}
	eachReader(t, all, func(i int, reader, digest string) {
		if accepted[i] && digest != digests[i] {
			t.Errorf("Decode(%.80q…) of %d bytes gives %s, %s %s", all[i], len(all[i]), digests[i], reader, digest)
		}
	})
	if count < len(all)/3 || count == len(all) {
		t.Errorf("Decode takes %d of %d pickles; both good and bad ones are wanted", count, len(all))
	}
}

// hiddenInFrames returns pickles that show a string to a reader that continues at the end of a frame, and a call of
// list to a reader that drops the rest of it: for readers that read ahead less or more than the frame.
func hiddenInFrames() (all [][]byte) {
	const evil = "cbuiltins\nlist\n(tR.0."
	for _, n := range []int{20, 1000, 131072, 140000} {
		p := binary.LittleEndian.AppendUint32([]byte{opcode.BinBytes}, uint32(n))
		p = append(append(p, make([]byte, n)...), "0X\x08\x00\x00\x00xxxxx"...)
		data := binary.LittleEndian.AppendUint64([]byte{opcode.Proto, 4, opcode.Frame}, uint64(len(p)))
		data = append(append(data, p...), "aaaB"...)
		data = binary.LittleEndian.AppendUint32(data, uint32(len(evil)))
		all = append(all, append(append(data, evil...), "0."...))
	}
	return all
}

// Decode reads numbers in text that both of CPython's unpicklers read, and no others.
func TestNumbersAsPython(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var all [][]byte
	for range oracle.Cases(t, 4000) {
		var text []byte
		for range 1 + r.IntN(6) {
			text = append(text, "0011123789+-_ \t\r\x00xXobBLaefn.I"[r.IntN(29)])
		}
		switch r.IntN(5) {
		case 0:
			all = append(all, []byte("I"+string(text)+"\n."))
		case 1:
			all = append(all, []byte("L"+string(text)+"L\n."))
		case 2:
			all = append(all, []byte("F"+string(text)+"\n."))
		case 3:
			all = append(all, []byte("]p"+string(text)+"\n0g"+string(text)+"\n."))
		case 4:
			all = append(all, []byte("]p3\n0g"+string(text)+"\n."))
		}
	}
	alike := make([]map[string]bool, len(all))
	eachReader(t, all, func(i int, _, digest string) {
		if alike[i] == nil {
			alike[i] = map[string]bool{}
		}
		alike[i][digest] = true
	})
	numbers := 0
	for i, data := range all {
		digest, err := digestOf(data)
		switch {
		case len(alike[i]) == 1 && !alike[i]["error"]:
			if numbers++; !alike[i][digest] {
				t.Errorf("Decode(%q): %v, where all versions of Python agree", data, err)
			}
		case err == nil:
			t.Errorf("Decode(%q) takes it, where Python does not or differs: %v", data, alike[i])
		}
	}
	if numbers < 200 {
		t.Errorf("only %d numbers", numbers)
	}
}
