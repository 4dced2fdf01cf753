package pickle

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// pickledInts returns the bytes of CPython's pickle.dumps(list(range(n)), 4), without frames.
func pickledInts(n int) []byte {
	return pickledList(n, func(b []byte, i int) []byte {
		switch {
		case i < 1<<8:
			return append(b, opcode.BinInt1, byte(i))
		case i < 1<<16:
			return binary.LittleEndian.AppendUint16(append(b, opcode.BinInt2), uint16(i))
		}
		return binary.LittleEndian.AppendUint32(append(b, opcode.BinInt), uint32(i))
	})
}

// pickledStrings returns the pickle of a list of n different strings.
func pickledStrings(n int) []byte {
	return pickledList(n, func(b []byte, i int) []byte {
		s := fmt.Sprintf("item %d", i)
		return append(append(append(b, opcode.ShortBinUnicode, byte(len(s))), s...), opcode.Memoize)
	})
}

// pickledList returns the pickle of a list, in batches of 1000 items as CPython writes them.
func pickledList(n int, item func(b []byte, i int) []byte) []byte {
	b := []byte{opcode.Proto, 4, opcode.EmptyList, opcode.Memoize}
	for i := range n {
		if i%1000 == 0 {
			b = append(b, opcode.Mark)
		}
		b = item(b, i)
		if i%1000 == 999 || i == n-1 {
			b = append(b, opcode.Appends)
		}
	}
	return append(b, opcode.Stop)
}

// BenchmarkDecode reads lists of a million values. The cases named python do the same work with pickle.loads.
func BenchmarkDecode(b *testing.B) {
	const n = 1_000_000
	for _, bb := range []struct {
		name   string
		data   []byte
		python string
	}{
		{"ints", pickledInts(n), "list(range(10**6))"},
		{"strings", pickledStrings(n), "['item %d' % i for i in range(10**6)]"},
	} {
		b.Run(bb.name+"/go", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(bb.data); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bb.name+"/python", func(b *testing.B) {
			w := oracle.NewWorker(b, "import pickle\ndata = pickle.dumps("+bb.python+", 4)\ndef load(): pickle.loads(data)\n")
			for b.Loop() {
				w.Call(b, "load")
			}
		})
	}
}
